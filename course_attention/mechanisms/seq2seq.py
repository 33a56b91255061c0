"""Notebook 01: the attention of an RNN encoder–decoder, one decoding step at a time.

The names in the slides are these: the decoder state s_t is `state`, the encoder states h_1 … h_N are `memory`, the
scores are e^t, the attention distribution is α^t, the attention output is a_t.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def attention_scores(
    state: Float[Tensor, "... d_hidden"], memory: Float[Tensor, "... n_source d_hidden"]
) -> Float[Tensor, "... n_source"]:
    """e^t: the plain dot product of the decoder state with each encoder state.

    Args:
        state: s_t, (batch, d_hidden).
        memory: h_1 … h_N, (batch, n_source, d_hidden).

    Returns:
        Scores, (batch, n_source).

    Raises:
        ValueError: the two differ in d_hidden, batch, dtype or device.

    Source:
        Luong et al. (2015), eq. 8, "dot".

    Example:
        >>> state = torch.tensor([1.0, 2.0])
        >>> attention_scores(state, torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
        tensor([1., 2.])
    """
    return (memory @ state.unsqueeze(-1)).squeeze(-1)


def attention_distribution(
    scores: Float[Tensor, "... n_source"], allowed: Bool[Tensor, "... n_source"] | None = None
) -> Float[Tensor, "... n_source"]:
    """α^t: softmax over the source positions, padding left out.

    Args:
        scores: e^t, (batch, n_source).
        allowed: True where the source holds a token, in the shape of the scores; None where it holds no padding.

    Returns:
        Weights, (batch, n_source): each row sums to 1, or to 0 where nothing is allowed.

    Raises:
        ValueError: `allowed` is not boolean or does not have the shape of the scores.

    Source:
        Bahdanau et al. (2015), eq. 6.

    Example:
        >>> scores = torch.tensor([[1.0, 1.0, 9.0]])
        >>> attention_distribution(scores, torch.tensor([[True, True, False]]))
        tensor([[0.5000, 0.5000, 0.0000]])
    """
    if allowed is None:
        return scores.softmax(dim=-1)
    # A fully masked row would be NaN, in the result and in its gradient, since all its scores would be −∞. Such a row
    # keeps its scores for the softmax, and is set to 0 after it.
    nothing = ~allowed.any(dim=-1, keepdim=True)
    weights = scores.masked_fill(~(allowed | nothing), float("-inf")).softmax(dim=-1)
    return weights.masked_fill(nothing, 0.0)


def attention_output(
    distribution: Float[Tensor, "... n_source"], memory: Float[Tensor, "... n_source d_hidden"]
) -> Float[Tensor, "... d_hidden"]:
    """a_t = Σ_i α_i^t h_i: the encoder states, averaged with the weights of the distribution.

    Args:
        distribution: α^t, (batch, n_source).
        memory: h_1 … h_N, (batch, n_source, d_hidden).

    Returns:
        Attention output, (batch, d_hidden).

    Raises:
        ValueError: the two differ in n_source, batch, dtype or device.

    Source:
        Bahdanau et al. (2015), eq. 5.

    Example:
        >>> memory = torch.tensor([[2.0, 0.0], [0.0, 4.0]])
        >>> attention_output(torch.tensor([0.5, 0.5]), memory)
        tensor([1., 2.])
    """
    return (distribution.unsqueeze(-2) @ memory).squeeze(-2)


def attend_and_concat(
    state: Float[Tensor, "... d_hidden"],
    memory: Float[Tensor, "... n_source d_hidden"],
    allowed: Bool[Tensor, "... n_source"] | None = None,
) -> tuple[Float[Tensor, "... 2*d_hidden"], Float[Tensor, "... n_source"]]:
    """[a_t; s_t]: what the decoder goes on with, and the distribution that made it.

    Args:
        state: s_t, (batch, d_hidden).
        memory: h_1 … h_N, (batch, n_source, d_hidden).
        allowed: True where the source holds a token, (batch, n_source).

    Returns:
        [a_t; s_t], (batch, 2·d_hidden), and α^t, (batch, n_source).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Luong et al. (2015), eq. 5, the concatenation before its layer.

    Example:
        >>> memory = torch.tensor([[2.0, 0.0], [0.0, 2.0]])
        >>> joined, distribution = attend_and_concat(torch.tensor([3.0, 3.0]), memory)
        >>> joined
        tensor([1., 1., 3., 3.])
    """
    distribution = attention_distribution(attention_scores(state, memory), allowed)
    return torch.cat([attention_output(distribution, memory), state], dim=-1), distribution


# W₁ and W₂ are d_hidden × width each, w is one weight per unit: d_hidden 64, width 32.
additive_parameters = 64 * 32 + 64 * 32 + 32
