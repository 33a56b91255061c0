"""Notebook 11: latents, windows with sinks, learned sinks, stretched positions, and exact attention in blocks."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from course_attention.mechanisms.masking import masked_softmax, window_mask


def latent_attention(
    query: Float[Tensor, "... n_heads n_queries d_key"],
    latent: Float[Tensor, "... n_keys d_latent"],
    w_key: Float[Tensor, "n_heads d_latent d_key"],
    w_value: Float[Tensor, "n_heads d_latent d_value"],
    allowed: Bool[Tensor, "... #n_heads #n_queries #n_keys"] | None = None,
) -> tuple[Float[Tensor, "... n_heads n_queries d_value"], Float[Tensor, "... n_heads n_queries n_keys"]]:
    """Attention of all heads to keys and values that one short vector for each token would give, without making them.

    Head h attends to the keys latent @ w_key[h] and the values latent @ w_value[h]. The matrices move to the other
    side: the query is brought into the latent space, and the values are made from the weighted sum of the latents.

    Args:
        query: (..., n_heads, n_queries, d_key).
        latent: (..., n_keys, d_latent), what a cache keeps for each token.
        w_key: (n_heads, d_latent, d_key).
        w_value: (n_heads, d_latent, d_value).
        allowed: True where a query may attend to a key; broadcasts to (..., n_heads, n_queries, n_keys).

    Returns:
        Output, (..., n_heads, n_queries, d_value), and weights, (..., n_heads, n_queries, n_keys).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        DeepSeek-AI (2024), "DeepSeek-V2", section 2.1, without its separate rotary channels.

    Example:
        >>> latent, w_key = torch.tensor([[1.0], [3.0]]), torch.zeros(2, 1, 1)  # every score is 0
        >>> w_value = torch.tensor([[[1.0]], [[10.0]]])
        >>> output, weights = latent_attention(torch.ones(2, 1, 1), latent, w_key, w_value)
        >>> output.flatten().tolist()
        [2.0, 20.0]
    """
    asked = torch.einsum("...hqd,hld->...hql", query, w_key)  # q · (c W) = (q Wᵀ) · c
    scores = torch.einsum("...hql,...kl->...hqk", asked, latent) / math.sqrt(query.shape[-1])
    weights = masked_softmax(scores, allowed)
    mixed = torch.einsum("...hqk,...kl->...hql", weights, latent)
    return torch.einsum("...hql,hlv->...hqv", mixed, w_value), weights


def sink_mask(
    n_tokens: int,
    width: int,
    n_sinks: int,
    *,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.bool,
) -> Bool[Tensor, "n_tokens n_tokens"]:
    """Each token sees itself and the width − 1 tokens before it, and of the first n_sinks those up to itself.

    Args:
        n_tokens: number of rows and of columns.
        width: how many keys the window holds, the query's own included.
        n_sinks: how many tokens at the beginning stay visible to all that come after them.
        device, dtype: of the mask.

    Returns:
        Mask, (n_tokens, n_tokens), True where j ≤ i, and i − j < width or j < n_sinks.

    Source:
        Xiao et al. (2024), "Efficient streaming language models with attention sinks", section 3.2.

    Example:
        >>> sink_mask(4, width=1, n_sinks=1)
        tensor([[ True, False, False, False],
                [ True,  True, False, False],
                [ True, False,  True, False],
                [ True, False, False,  True]])
    """
    position = torch.arange(n_tokens, device=device)
    is_sink = (position < n_sinks).expand(n_tokens, n_tokens)
    return (window_mask(n_tokens, width, device=device) | is_sink.tril()).to(dtype)


def attention_with_sink(
    query: Float[Tensor, "... n_queries d_key"],
    key: Float[Tensor, "... n_keys d_key"],
    value: Float[Tensor, "... n_keys d_value"],
    sink: Float[Tensor, "..."],
    allowed: Bool[Tensor, "... #n_queries #n_keys"] | None = None,
) -> tuple[Float[Tensor, "... n_queries d_value"], Float[Tensor, "... n_queries n_keys"]]:
    """Attention in which a learned score without a value takes its share of every query's weight.

    Weights are exp(s_ij) / (exp(sink) + Σ_j exp(s_ij)) with the scaled scores of attention. The sink is not scaled.

    Args:
        query: (..., n_queries, d_key).
        key: (..., n_keys, d_key).
        value: (..., n_keys, d_value).
        sink: broadcasts to the leading axes from the right: one for each head is (n_heads,).
        allowed: True where a query may attend to a key; broadcasts to (..., n_queries, n_keys).

    Returns:
        Output, (..., n_queries, d_value), and weights, (..., n_queries, n_keys), which sum to less than 1.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        OpenAI (2025), "gpt-oss-120b & gpt-oss-20b model card"; Xiao et al. (2024), "Efficient streaming
        language models with attention sinks", section 3.3, with a sink of 0.

    Example:
        >>> query, key, value = torch.zeros(1, 1), torch.zeros(3, 1), torch.ones(3, 1)  # every score is 0
        >>> attention_with_sink(query, key, value, torch.tensor(0.0))  # as is the sink: it takes a quarter
        (tensor([[0.7500]]), tensor([[0.2500, 0.2500, 0.2500]]))
    """
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, float("-inf"))
    # The sink is never blocked, so a row always has a finite score: no query needs a treatment of its own.
    column = sink[..., None, None].expand(*scores.shape[:-1], 1)
    weights = torch.cat([scores, column], dim=-1).softmax(dim=-1)[..., :-1]
    return weights @ value, weights


def online_logsumexp(scores: Float[Tensor, "... n_keys"], block_size: int) -> Float[Tensor, "..."]:
    """Logarithm of the sum of exponentials over the last axis, one block at a time.

    Args:
        scores: (..., n_keys), finite, one key or more.
        block_size: how many scores are looked at together; the last block may be shorter.

    Returns:
        log Σ_j exp(scores_j), (...).

    Raises:
        ValueError: block_size is not a whole number of 1 or more.

    Source:
        Milakov and Gimelshein (2018), "Online normalizer calculation for softmax", algorithm 3.

    Example:
        >>> online_logsumexp(torch.tensor([0.0, 0.0, 0.0]), block_size=2).exp()  # three times exp(0)
        tensor(3.)
    """
    maximum = scores.new_full(scores.shape[:-1], float("-inf"))
    total = scores.new_zeros(scores.shape[:-1])  # Σ exp(score − maximum) over the blocks so far
    for block in scores.split(block_size, dim=-1):
        larger = torch.maximum(maximum, block.amax(dim=-1))
        total = total * (maximum - larger).exp() + (block - larger.unsqueeze(-1)).exp().sum(dim=-1)
        maximum = larger
    return maximum + total.log()


def blockwise_attention(
    query: Float[Tensor, "... n_queries d_key"],
    key: Float[Tensor, "... n_keys d_key"],
    value: Float[Tensor, "... n_keys d_value"],
    block_size: int,
) -> Float[Tensor, "... n_queries d_value"]:
    """Scaled dot-product attention, exact, without ever holding the n_queries × n_keys matrix.

    Args:
        query: (..., n_queries, d_key).
        key: (..., n_keys, d_key).
        value: (..., n_keys, d_value).
        block_size: how many queries, and how many keys, are looked at together.

    Returns:
        Output, (..., n_queries, d_value). Where gradients are asked for, torch keeps every block for the way back.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together, or block_size is not a whole number of 1 or more.

    Source:
        Rabe and Staats (2021), "Self-attention does not need O(n²) memory"; Dao et al. (2022), "FlashAttention",
        algorithm 1.

    Example:
        >>> query, key = torch.zeros(1, 1), torch.zeros(3, 1)  # every score is 0
        >>> blockwise_attention(query, key, torch.tensor([[0.0], [3.0], [6.0]]), block_size=2)
        tensor([[3.]])
    """
    blocks = list(zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True))
    outputs = []
    for queries in (query / math.sqrt(query.shape[-1])).split(block_size, dim=-2):
        maximum = queries.new_full((), float("-inf"))
        total = output = queries.new_zeros(())
        for keys, values in blocks:
            scores = queries @ keys.mT  # (..., block_size, block_size)
            larger = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
            shrink, exponentials = (maximum - larger).exp(), (scores - larger).exp()
            total = total * shrink + exponentials.sum(dim=-1, keepdim=True)
            output = output * shrink + exponentials @ values
            maximum = larger
        outputs.append(output / total)
    return torch.cat(outputs, dim=-2)


def attention_backward(
    query: Float[Tensor, "... n_queries d_key"],
    key: Float[Tensor, "... n_keys d_key"],
    value: Float[Tensor, "... n_keys d_value"],
    output: Float[Tensor, "... n_queries d_value"],
    logsumexp: Float[Tensor, "... n_queries"],
    grad_output: Float[Tensor, "... n_queries d_value"],
    block_size: int,
) -> tuple[
    Float[Tensor, "... n_queries d_key"],
    Float[Tensor, "... n_keys d_key"],
    Float[Tensor, "... n_keys d_value"],
]:
    """The backward pass of attention, from what the forward pass kept, one block of keys at a time.

    The weights are computed again, a block of them at a time. No n_queries × n_keys matrix is kept for them.

    Args:
        query: (..., n_queries, d_key).
        key: (..., n_keys, d_key).
        value: (..., n_keys, d_value).
        output: (..., n_queries, d_value), of the forward pass.
        logsumexp: (..., n_queries), of the scaled scores of each query.
        grad_output: (..., n_queries, d_value), the derivative of the loss with respect to the output.
        block_size: how many keys are looked at together.

    Returns:
        The derivatives of the loss with respect to query, key and value, each of its shape.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together, or block_size is not a whole number of 1 or more.

    Source:
        Dao et al. (2022), "FlashAttention", algorithm 4; Dao (2023), "FlashAttention-2", algorithm 2.

    Example:
        >>> query, key, value = torch.zeros(1, 1), torch.tensor([[2.0], [0.0]]), torch.tensor([[1.0], [3.0]])
        >>> output, logsumexp = torch.tensor([[2.0]]), torch.tensor([math.log(2)])  # two scores of 0
        >>> grad_query, grad_key, grad_value = attention_backward(
        ...     query, key, value, output, logsumexp, torch.ones(1, 1), block_size=1
        ... )
        >>> grad_query.item(), grad_value.flatten().tolist()
        (-1.0, [0.5, 0.5])
    """
    scale = 1 / math.sqrt(query.shape[-1])
    mean_change = (grad_output * output).sum(dim=-1, keepdim=True)  # Σ_j weight_ij · ∂loss/∂weight_ij
    grad_query, grad_key, grad_value = torch.zeros_like(query), [], []
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        weights = (query @ keys.mT * scale - logsumexp.unsqueeze(-1)).exp()
        grad_scores = weights * (grad_output @ values.mT - mean_change)
        grad_query = grad_query + grad_scores @ keys * scale
        grad_key.append(grad_scores.mT @ query * scale)
        grad_value.append(weights.mT @ grad_output)
    return grad_query, torch.cat(grad_key, dim=-2), torch.cat(grad_value, dim=-2)


def yarn_frequencies(
    d: int, base: float, factor: float, n_trained: int, slow: float = 1.0, fast: float = 32.0
) -> Float[Tensor, " d/2"]:
    """Rotary frequencies for a longer text: slow pairs are stretched by the factor, and fast ones stay.

    Pair i turns by θ_i = base^(−2i/d) in one position, and so r_i = n_trained · θ_i / 2π times in the trained length.

    Args:
        d: channels of a head, which are turned in pairs; even.
        base: of the rotary positions.
        factor: how many times longer the text may be, 1 or more.
        n_trained: the length that the model was trained with.
        slow: a pair that turns so often or less is stretched by the whole factor.
        fast: one that turns so often or more stays as it is; larger than `slow`.

    Returns:
        (d/2,) in float32: γ_i θ_i + (1 − γ_i) θ_i / factor, where γ_i is (r_i − slow) / (fast − slow), cut to 0 … 1.

    Raises:
        ValueError: d is odd, the factor is below 1, or `fast` is not larger than `slow`.

    Source:
        Peng et al. (2023), "YaRN", section 3.2.

    Example:
        >>> yarn_frequencies(d=4, base=100.0, factor=4.0, n_trained=63)
        tensor([0.4684, 0.0250])
    """
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    turns = n_trained * theta / (2 * math.pi)
    kept = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return (kept * theta + (1 - kept) * theta / factor).float()
