"""Notebook 12: memories of fixed size, filled by adding or by the delta rule, and attention to a choice of keys."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from course_attention.mechanisms.attention import attention


def linear_attention(
    query: Float[Tensor, "... n_queries d_key"],
    key: Float[Tensor, "... n_keys d_key"],
    value: Float[Tensor, "... n_keys d_value"],
) -> Float[Tensor, "... n_queries d_value"]:
    """Attention with φ(q)·φ(k) in place of exp(q·k/√d_key), where φ(x) = elu(x) + 1; not causal.

    The keys and values meet first, in a matrix whose size does not depend on their number.

    Args:
        query: (..., n_queries, d_key).
        key: (..., n_keys, d_key).
        value: (..., n_keys, d_value).

    Returns:
        Output, (..., n_queries, d_value).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Katharopoulos et al. (2020), "Transformers are RNNs", equations 5 to 7.

    Example:
        >>> query, key = torch.zeros(1, 1), torch.tensor([[0.0], [2.0]])  # φ is 1 for the query, 1 and 3 for the keys
        >>> linear_attention(query, key, torch.tensor([[4.0], [8.0]]))
        tensor([[7.]])
    """
    query, key = F.elu(query) + 1, F.elu(key) + 1
    memory = key.mT @ value  # (..., d_key, d_value)
    total = key.sum(dim=-2).unsqueeze(-1)  # (..., d_key, 1)
    return (query @ memory) / (query @ total)


def delta_rule(
    query: Float[Tensor, "... n_tokens d_key"],
    key: Float[Tensor, "... n_tokens d_key"],
    value: Float[Tensor, "... n_tokens d_value"],
    beta: Float[Tensor, "... n_tokens"],
) -> Float[Tensor, "... n_tokens d_value"]:
    """Linear attention whose memory is corrected: S_t = S_{t−1} + β_t k_t (v_t − S_{t−1}ᵀ k_t)ᵀ and o_t = S_tᵀ q_t.

    Before a value is written, what the memory holds under its key is read. Only the difference is written.

    Args:
        query, key: (..., n_tokens, d_key).
        value: (..., n_tokens, d_value).
        beta: (..., n_tokens), how much of the difference is written.

    Returns:
        Output, (..., n_tokens, d_value).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Schlag et al. (2021), "Linear transformers are secretly fast weight programmers", eq. 23 to 25.

    Example:
        >>> one = torch.ones(2, 1)
        >>> delta_rule(one, one, torch.tensor([[4.0], [6.0]]), torch.tensor([1.0, 0.5]))
        tensor([[4.],
                [5.]])
    """
    memory = key[..., 0, :, None] * value[..., 0, None, :] * 0  # (..., d_key, d_value)
    outputs = []
    for q, k, v, b in zip(query.unbind(-2), key.unbind(-2), value.unbind(-2), beta.unbind(-1), strict=True):
        held = (memory * k.unsqueeze(-1)).sum(dim=-2)  # Sᵀ k
        change = b.unsqueeze(-1) * (v - held)
        memory = memory + k.unsqueeze(-1) * change.unsqueeze(-2)
        outputs.append((memory * q.unsqueeze(-1)).sum(dim=-2))
    return torch.stack(outputs, dim=-2)


def gated_delta_rule(
    query: Float[Tensor, "... n_tokens d_key"],
    key: Float[Tensor, "... n_tokens d_key"],
    value: Float[Tensor, "... n_tokens d_value"],
    beta: Float[Tensor, "... n_tokens"],
    decay: Float[Tensor, "... n_tokens"],
) -> Float[Tensor, "... n_tokens d_value"]:
    """Delta rule on a memory that fades: S′ = decay_t S_{t−1}, S_t = S′ + β_t k_t (v_t − S′ᵀ k_t)ᵀ and o_t = S_tᵀ q_t.

    The decay makes room in the whole memory at once, and the delta rule then corrects what is held under one key.

    Args:
        query, key: (..., n_tokens, d_key).
        value: (..., n_tokens, d_value).
        beta: (..., n_tokens), how much of the difference is written.
        decay: (..., n_tokens), how much of the memory is left, more than 0 and at most 1.

    Returns:
        Output, (..., n_tokens, d_value).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Yang et al. (2024), "Gated delta networks", section 3.1.

    Example:
        >>> one = torch.ones(2, 1)
        >>> gated_delta_rule(one, one, torch.tensor([[4.0], [6.0]]), torch.tensor([1.0, 0.5]), torch.full((2,), 0.5))
        tensor([[4.],
                [4.]])
    """
    memory = key[..., 0, :, None] * value[..., 0, None, :] * 0  # (..., d_key, d_value)
    outputs = []
    for q, k, v, b, left in zip(
        query.unbind(-2), key.unbind(-2), value.unbind(-2), beta.unbind(-1), decay.unbind(-1), strict=True
    ):
        memory = left[..., None, None] * memory
        held = (memory * k.unsqueeze(-1)).sum(dim=-2)  # S′ᵀ k
        change = b.unsqueeze(-1) * (v - held)
        memory = memory + k.unsqueeze(-1) * change.unsqueeze(-2)
        outputs.append((memory * q.unsqueeze(-1)).sum(dim=-2))
    return torch.stack(outputs, dim=-2)


def top_k_attention(
    query: Float[Tensor, "... n_queries d_key"],
    key: Float[Tensor, "... n_keys d_key"],
    value: Float[Tensor, "... n_keys d_value"],
    index_scores: Float[Tensor, "... n_queries n_keys"],
    k: int,
    allowed: Bool[Tensor, "... #n_queries #n_keys"] | None = None,
) -> tuple[Float[Tensor, "... n_queries d_value"], Float[Tensor, "... n_queries n_keys"]]:
    """Attention of each query to the k allowed keys with the largest index scores.

    Args:
        query: (..., n_queries, d_key).
        key: (..., n_keys, d_key).
        value: (..., n_keys, d_value).
        index_scores: (..., n_queries, n_keys), which only choose. Of equal ones the first count, and no gradient
            reaches them.
        k: how many keys a query attends to, 1 or more; fewer where fewer are allowed.
        allowed: True where a query may attend to a key; broadcasts to (..., n_queries, n_keys). None allows all.

    Returns:
        Output, (..., n_queries, d_value), and weights, (..., n_queries, n_keys), which are 0 for keys not chosen.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together, `allowed` is not a boolean mask, or k is below 1.

    Source:
        DeepSeek-AI (2025), "DeepSeek-V3.2", section 2.1, where a small indexer gives the index scores.

    Example:
        >>> query, key, value = torch.zeros(1, 2), torch.zeros(3, 2), torch.tensor([[1.0], [2.0], [4.0]])
        >>> output, weights = top_k_attention(query, key, value, torch.tensor([[0.5, -1.0, 2.0]]), k=2)
        >>> weights
        tensor([[0.5000, 0.0000, 0.5000]])
        >>> output
        tensor([[2.5000]])
    """
    may_choose = torch.ones_like(index_scores, dtype=torch.bool) if allowed is None else allowed
    may_choose = may_choose.expand(index_scores.shape)
    # `topk` does not say which of equal ones it takes, and a stable sort keeps them in their order.
    order = index_scores.masked_fill(~may_choose, float("-inf")).sort(dim=-1, descending=True, stable=True).indices
    chosen = torch.zeros_like(may_choose).scatter(-1, order[..., :k], True)
    return attention(query, key, value, chosen & may_choose)
