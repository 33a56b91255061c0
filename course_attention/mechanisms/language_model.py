"""Notebook 10: how a language model's next token is chosen, and the block of a decoder-only model."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from course_attention.mechanisms.modern import grouped_query_attention
from course_attention.mechanisms.positions import rotary


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
        top_k: how many of the most probable tokens are kept, the first ones of equal tokens. None keeps all.
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
