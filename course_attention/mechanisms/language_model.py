"""Notebook 10: a cache, shared keys, the block of a decoder-only model, and how its next token is chosen."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.positions import rotary


def cached_attention(
    query: Float[Tensor, "... 1 d_key"],
    key: Float[Tensor, "... 1 d_key"],
    value: Float[Tensor, "... 1 d_value"],
    cache: tuple[Float[Tensor, "... n_past d_key"], Float[Tensor, "... n_past d_value"]] | None = None,
) -> tuple[
    Float[Tensor, "... 1 d_value"],
    tuple[Float[Tensor, "... n_past+1 d_key"], Float[Tensor, "... n_past+1 d_value"]],
]:
    """One step of decoding: the newest token attends to all before it, and to itself.

    Args:
        query, key: (..., 1, d_key), of the newest token.
        value: (..., 1, d_value), of the newest token.
        cache: keys, (..., n_past, d_key), and values, (..., n_past, d_value), of the tokens before it; None for the
            first token.

    Returns:
        Output, (..., 1, d_value), the last row of causal attention; and the new cache, one token longer.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Shazeer (2019), "Fast Transformer decoding", section 2.4, incremental attention.

    Example:
        >>> zero, one, three = torch.zeros(1, 1), torch.ones(1, 1), torch.full((1, 1), 3.0)
        >>> first, cache = cached_attention(zero, zero, one)
        >>> output, (keys, values) = cached_attention(zero, zero, three, cache)  # both scores are 0
        >>> output.item(), values.tolist()
        (2.0, [[1.0], [3.0]])
    """
    if cache is not None:
        past_keys, past_values = cache
        key = torch.cat([past_keys, key], dim=-2)
        value = torch.cat([past_values, value], dim=-2)
    output, _ = attention(query, key, value)  # no mask: there is no future in the cache
    return output, (key, value)


def grouped_query_attention(
    query: Float[Tensor, "... n_heads n_queries d_key"],
    key: Float[Tensor, "... n_groups n_keys d_key"],
    value: Float[Tensor, "... n_groups n_keys d_value"],
    allowed: Bool[Tensor, "... #n_heads #n_queries #n_keys"] | None = None,
) -> tuple[Float[Tensor, "... n_heads n_queries d_value"], Float[Tensor, "... n_heads n_queries n_keys"]]:
    """Attention whose query heads share keys and values: consecutive heads are one group.

    Args:
        query: (..., n_heads, n_queries, d_key).
        key: (..., n_groups, n_keys, d_key), where n_groups divides n_heads.
        value: (..., n_groups, n_keys, d_value).
        allowed: True where a query may attend to a key; broadcasts to (..., n_heads, n_queries, n_keys).

    Returns:
        Output, (..., n_heads, n_queries, d_value), and weights, (..., n_heads, n_queries, n_keys).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together, or n_groups does not divide n_heads.

    Source:
        Ainslie et al. (2023), "GQA", section 2.2; with one group Shazeer (2019), multi-query attention.

    Example:
        >>> query, key = torch.zeros(4, 1, 1), torch.zeros(2, 1, 1)  # 4 heads, 2 groups
        >>> value = torch.tensor([[[5.0]], [[7.0]]])
        >>> output, weights = grouped_query_attention(query, key, value)
        >>> output.flatten().tolist()
        [5.0, 5.0, 7.0, 7.0]
    """
    group_size = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(group_size, dim=-3)  # heads 0, 0, 1, 1, …: (..., n_heads, n_keys, d_key)
    value = value.repeat_interleave(group_size, dim=-3)
    return attention(query, key, value, allowed)


class DecoderOnlyBlock(nn.Module):
    """Causal attention with rotary positions and shared keys, then a gated feed-forward part; the norms come first.

    Args:
        d_model: size of the tokens, in and out.
        n_heads: of the queries; divides d_model into heads of an even size d_head.
        n_groups: of the keys and values; divides n_heads. Consecutive heads share a group.
        d_hidden: inner width of the feed-forward part.

    Raises:
        ValueError: n_heads does not divide d_model, or n_groups does not divide n_heads.

    Source:
        Touvron et al. (2023), "LLaMA", section 2.2: RMSNorm before each part, SwiGLU (Shazeer, 2020), rotary
        positions; Ainslie et al. (2023), "GQA", section 2.2.

    Example:
        >>> block = DecoderOnlyBlock(d_model=8, n_heads=2, n_groups=1, d_hidden=16)
        >>> x = torch.rand(1, 3, 8)
        >>> whole, _ = block(x)
        >>> first, cache = block(x[:, :2])
        >>> last, _ = block(x[:, 2:], cache)  # one more token, at position 2
        >>> torch.allclose(torch.cat([first, last], dim=1), whole, atol=1e-6)
        True
    """

    def __init__(self, d_model: int, n_heads: int, n_groups: int, d_hidden: int):
        super().__init__()
        if d_model % n_heads or n_heads % n_groups:
            raise ValueError(
                "n_heads must divide d_model, and n_groups must divide n_heads; "
                f"got d_model={d_model}, n_heads={n_heads}, n_groups={n_groups}"
            )
        self.n_heads, self.n_groups = n_heads, n_groups
        d_head = d_model // n_heads
        self.norm_1 = nn.RMSNorm(d_model, eps=1e-6)
        self.w_query = nn.Linear(d_model, d_model, bias=False)
        self.w_key = nn.Linear(d_model, n_groups * d_head, bias=False)
        self.w_value = nn.Linear(d_model, n_groups * d_head, bias=False)
        self.w_out = nn.Linear(d_model, d_model, bias=False)
        self.norm_2 = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_hidden, bias=False)
        self.w_up = nn.Linear(d_model, d_hidden, bias=False)
        self.w_down = nn.Linear(d_hidden, d_model, bias=False)

    def forward(
        self,
        x: Float[Tensor, "... n_tokens d_model"],
        cache: tuple[Float[Tensor, "... n_groups n_past d_head"], Float[Tensor, "... n_groups n_past d_head"]]
        | None = None,
    ) -> tuple[
        Float[Tensor, "... n_tokens d_model"],
        tuple[Float[Tensor, "... n_groups n_now d_head"], Float[Tensor, "... n_groups n_now d_head"]],
    ]:
        """The tokens after the block, and the cache with the keys and values of these tokens appended."""
        mixed, cache = self.attend(self.norm_1(x), cache)
        x = x + mixed
        y = self.norm_2(x)
        return x + self.w_down(F.silu(self.w_gate(y)) * self.w_up(y)), cache

    def attend(self, x: Tensor, cache: tuple[Tensor, Tensor] | None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """The attention alone: each token sees itself, those before it, and those in the cache."""
        query = self.w_query(x).unflatten(-1, (self.n_heads, -1)).transpose(-2, -3)
        key = self.w_key(x).unflatten(-1, (self.n_groups, -1)).transpose(-2, -3)
        value = self.w_value(x).unflatten(-1, (self.n_groups, -1)).transpose(-2, -3)
        n_past = 0 if cache is None else cache[0].shape[-2]
        positions = torch.arange(n_past, n_past + x.shape[-2], device=x.device)
        query, key = rotary(query, positions), rotary(key, positions)
        if cache is not None:
            key, value = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
        allowed = torch.arange(key.shape[-2], device=x.device) <= positions[:, None]
        output, _ = grouped_query_attention(query, key, value, allowed)
        return self.w_out(output.transpose(-2, -3).flatten(-2)), (key, value)


def next_token_probabilities(
    logits: Float[Tensor, "... n_vocabulary"],
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Float[Tensor, "... n_vocabulary"]:
    """The probabilities from which the next token is drawn: a temperature, then the k best tokens, then a share p.

    Args:
        logits: (..., n_vocabulary).
        temperature: the logits are divided by it. At 0 the first of the largest logits gets everything.
        top_k: how many of the most probable tokens are kept. None keeps all.
        top_p: from 0 to 1. The fewest most probable tokens are kept whose sum reaches it, at least one. None keeps all.

    Returns:
        (..., n_vocabulary), which sum to 1; 0 for a token that is not kept.

    Raises:
        ValueError: the temperature is negative, top_k is less than 1, or top_p is not between 0 and 1.

    Source:
        Fan, Lewis and Dauphin (2018), "Hierarchical neural story generation", section 5.2, for top_k; Holtzman et al.
        (2020), "The curious case of neural text degeneration", section 3.1, for top_p and section 5.3 for the
        temperature.

    Example:
        >>> logits = torch.tensor([0.5, 0.3, 0.2]).log()
        >>> next_token_probabilities(logits, top_p=0.7)  # 0.5 does not reach 0.7, and 0.5 + 0.3 does
        tensor([0.6250, 0.3750, 0.0000])
        >>> next_token_probabilities(logits, temperature=0)
        tensor([1., 0., 0.])
    """
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), logits.shape[-1]).to(logits.dtype)
    ordered, order = (logits / temperature).sort(dim=-1, descending=True, stable=True)
    if top_k is not None:
        ordered, order = ordered[..., :top_k], order[..., :top_k]
    probabilities = F.softmax(ordered, dim=-1)
    if top_p is not None:
        before = probabilities.cumsum(dim=-1) - probabilities  # the sum that the more probable ones reach
        probabilities = F.softmax(ordered.masked_fill(before >= top_p, -torch.inf), dim=-1)
    return torch.zeros_like(logits).scatter(-1, order, probabilities)


# A key and a value of 128 numbers, 2 bytes each, in each of 32 heads of 32 layers, for each of 4096 tokens.
kv_cache_bytes = 2 * 32 * 32 * 128 * 4096 * 2
