"""Notebook 01: the attention of an RNN encoder–decoder, one decoding step at a time.

The names in the slides are these: the decoder state s_t is `state`, the encoder states h_1 … h_N are `memory`, the
scores are e^t, the attention distribution is α^t, the attention output is a_t.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def rnn_states(
    x: Float[Tensor, "n_source d_embedding"],
    w: Float[Tensor, "d_hidden d_embedding"],
    u: Float[Tensor, "d_hidden d_hidden"],
    b: Float[Tensor, " d_hidden"],
) -> Float[Tensor, "n_source d_hidden"]:
    """h_1 … h_N: the states of a plain recurrent layer that reads one text, h_i = tanh(W x_i + U h_{i−1} + b).

    Args:
        x: the embeddings x_1 … x_N, (n_source, d_embedding).
        w: W, (d_hidden, d_embedding).
        u: U, (d_hidden, d_hidden).
        b: (d_hidden,).

    Returns:
        The states, (n_source, d_hidden). The one before the first, h_0 = 0, is not among them.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Elman (1990), "Finding structure in time", figure 2; the equation is that of `torch.nn.RNN`.

    Example:
        >>> x, one, zero = torch.tensor([[1.0], [0.0]]), torch.ones(1, 1), torch.zeros(1)
        >>> rnn_states(x, one, one, zero)  # tanh(1), then tanh(tanh(1))
        tensor([[0.7616],
                [0.6420]])
    """
    states, state = [], torch.zeros_like(b)
    for read in x @ w.T + b:
        state = torch.tanh(read + u @ state)
        states.append(state)
    return torch.stack(states)


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


def cross_entropy(logits: Float[Tensor, "n n_classes"], targets: Int[Tensor, " n"]) -> Float[Tensor, ""]:
    """Mean of −ln p over n rows, where p is the probability that a row's logits give to its target.

    Args:
        logits: (n, n_classes).
        targets: the index of each row's right class, (n,).

    Returns:
        One number, in nats.

    Raises:
        TypeError: the targets are not whole numbers.
        ValueError: shapes or devices do not fit together.

    Source:
        Goodfellow, Bengio and Courville (2016), "Deep learning", eq. 6.12, for a model that gives probabilities.

    Example:
        >>> cross_entropy(torch.zeros(3, 2), torch.tensor([0, 1, 1]))  # 2 classes, equally likely: ln 2
        tensor(0.6931)
    """
    return -logits.log_softmax(dim=-1).gather(-1, targets.long().unsqueeze(-1)).mean()


# W₁ and W₂ are d_hidden × width each, w is one weight per unit: d_hidden 64, width 32.
additive_parameters = 64 * 32 + 64 * 32 + 32
