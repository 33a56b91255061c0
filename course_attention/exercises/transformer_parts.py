"""The blocks of notebook 08: the oracles, the same in a few lines with each part exchangeable, and their noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from course_attention.exercises.attention_parts import Pair, attend, dot, largest
from course_attention.exercises.multi_head import NAMES, heads_oracle

Loaded = Mapping[str, np.ndarray]
Layer = Callable[[np.ndarray], np.ndarray]

LAYER_NORM_EPSILON = 1e-5  # torch.nn.LayerNorm's


def _projections(loaded: Loaded, name: str) -> tuple[np.ndarray, ...]:
    return tuple(loaded[f"{name}.{weight}"].T for weight in NAMES)


# The oracles: one token at a time.


def _norm_oracle(x: np.ndarray, loaded: Loaded, name: str) -> np.ndarray:
    weight, bias = loaded[f"{name}.weight"], loaded[f"{name}.bias"]
    normalised = np.empty_like(x)
    for token in np.ndindex(x.shape[:-1]):
        deviation = x[token] - sum(x[token]) / len(x[token])
        variance = dot(deviation, deviation) / len(deviation)
        normalised[token] = weight * deviation / (variance + LAYER_NORM_EPSILON) ** 0.5 + bias
    return normalised


def _feed_forward_oracle(x: np.ndarray, loaded: Loaded) -> np.ndarray:
    first, second = ((loaded[f"feed_forward.{n}.weight"], loaded[f"feed_forward.{n}.bias"]) for n in (0, 2))
    output = np.empty_like(x)
    for token in np.ndindex(x.shape[:-1]):
        hidden = [max(dot(row, x[token]) + bias, 0.0) for row, bias in zip(*first, strict=True)]
        output[token] = [dot(row, hidden) + bias for row, bias in zip(*second, strict=True)]
    return output


def encoder_oracle(x, allowed=None, *, d_model, n_heads, d_hidden, **loaded) -> np.ndarray:
    """Two sublayers, each added to its input and normalised."""
    attended, _ = heads_oracle(x, x, x, _projections(loaded, "attention"), n_heads, allowed)
    x = _norm_oracle(x + attended, loaded, "norm_1")
    return _norm_oracle(x + _feed_forward_oracle(x, loaded), loaded, "norm_2")


def decoder_oracle(
    x, memory, allowed=None, memory_allowed=None, *, d_model, n_heads, d_hidden, **loaded
) -> Pair:
    """Three sublayers; the weights are those of the second."""
    attended, _ = heads_oracle(x, x, x, _projections(loaded, "self_attention"), n_heads, allowed)
    x = _norm_oracle(x + attended, loaded, "norm_1")
    attended, weights = heads_oracle(
        x, memory, memory, _projections(loaded, "cross_attention"), n_heads, memory_allowed
    )
    x = _norm_oracle(x + attended, loaded, "norm_2")
    return _norm_oracle(x + _feed_forward_oracle(x, loaded), loaded, "norm_3"), weights


# The same in a line or two, with each part exchangeable for a wrong one.


def normalised(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Layer norm."""
    deviation = x - x.mean(axis=-1, keepdims=True)
    return weight * deviation / np.sqrt(np.square(deviation).mean(axis=-1, keepdims=True) + 1e-5) + bias


def rectified(x: np.ndarray) -> np.ndarray:
    """ReLU."""
    return np.maximum(x, 0.0)


def post_norm(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    """What is asked for: the sublayer's result is added to its input, and the sum normalised."""
    return norm(x + sublayer(x))


def _norm(loaded: Loaded, name: str, normalise: Callable) -> Layer:
    return lambda x: normalise(x, loaded[f"{name}.weight"], loaded[f"{name}.bias"])


def _feed_forward(loaded: Loaded, activate: Layer) -> Layer:
    (w_1, b_1), (w_2, b_2) = (
        (loaded[f"feed_forward.{n}.weight"].T, loaded[f"feed_forward.{n}.bias"]) for n in (0, 2)
    )
    return lambda x: activate(x @ w_1 + b_1) @ w_2 + b_2


def _heads(query, key, value, projections, n_heads, allowed, attend: Callable) -> Pair:
    def split(x: np.ndarray) -> np.ndarray:
        return x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads).swapaxes(-2, -3)

    inputs = (split(x @ w) for x, w in zip((query, key, value), projections[:3], strict=True))
    if allowed is not None:  # one mask for all heads; one that does not fit is an error, as in torch
        allowed = np.broadcast_to(allowed, (*query.shape[:-1], key.shape[-2]))[..., None, :, :]
    output, weights = attend(*inputs, allowed)
    lost = np.isnan(query).any(axis=-1)[
        ..., None, :, None
    ]  # whatever the mask says: NaN among scores spreads
    output, weights = (np.where(lost, np.nan, result) for result in (output, weights))
    merged = output.swapaxes(-2, -3)
    return merged.reshape(*merged.shape[:-2], projections[3].shape[0]) @ projections[3], weights


def encoder(
    x,
    allowed=None,
    *,
    d_model,
    n_heads,
    d_hidden,
    attend: Callable = attend,
    wraps: tuple[Callable, ...] = (post_norm, post_norm),
    order: tuple[int, ...] = (0, 1),
    norms: tuple[str, ...] = ("norm_1", "norm_2"),
    activate: Layer = rectified,
    normalise: Callable = normalised,
    **loaded,
) -> np.ndarray:
    """The encoder block in parts. `order` says which sublayer comes when, 0 being attention."""
    projections = _projections(loaded, "attention")
    sublayers = (
        lambda x: _heads(x, x, x, projections, n_heads, allowed, attend)[0],
        _feed_forward(loaded, activate),
    )
    for wrap, place, norm in zip(wraps, order, norms, strict=True):
        x = wrap(x, sublayers[place], _norm(loaded, norm, normalise))
    return x


def decoder(
    x,
    memory,
    allowed=None,
    memory_allowed=None,
    *,
    d_model,
    n_heads,
    d_hidden,
    attends: tuple[Callable, Callable] = (attend, attend),
    wraps: tuple[Callable, ...] = (post_norm, post_norm, post_norm),
    order: tuple[int, ...] = (0, 1, 2),
    norms: tuple[str, ...] = ("norm_1", "norm_2", "norm_3"),
    masks: Callable = lambda allowed, memory_allowed: (allowed, memory_allowed),
    asking: Callable = lambda x, memory: x,
    context: Callable = lambda x, memory: (memory, memory),
    attentions: tuple[str, str] = ("self_attention", "cross_attention"),
    shown: int = 1,
    give: Callable = lambda weights: weights,
    activate: Layer = rectified,
    normalise: Callable = normalised,
    **loaded,
) -> Pair:
    """The decoder block in parts. `order`: 0 is self-attention, 1 cross-attention; `shown`: whose weights are given."""
    used, seen = masks(allowed, memory_allowed), {}

    def attention(which: int) -> Layer:
        def sublayer(x: np.ndarray) -> np.ndarray:
            three = (asking(x, memory), *context(x, memory)) if which else (x, x, x)
            projections = _projections(loaded, attentions[which])
            output, seen[which] = _heads(*three, projections, n_heads, used[which], attends[which])
            return output

        return sublayer

    sublayers = (attention(0), attention(1), _feed_forward(loaded, activate))
    for wrap, place, norm in zip(wraps, order, norms, strict=True):
        x = wrap(x, sublayers[place], _norm(loaded, norm, normalise))
    return x, give(seen[shown])


# How near a case is to where the numbers are touchy.


def margins(block: Callable, **arguments) -> tuple[float, float, tuple[np.ndarray, ...]]:
    """The least spread of a token before a norm, the least |hidden unit| before the ReLU, and what the block gives."""
    spreads, units = [], []

    def watched_norm(x, weight, bias):
        spreads.append(float(x.std(axis=-1).min()))
        return normalised(x, weight, bias)

    def watched_relu(x):
        units.append(float(np.abs(x).min()))
        return rectified(x)

    with np.errstate(invalid="ignore"):  # rows of nothing allowed
        results = _parts(block(**arguments, normalise=watched_norm, activate=watched_relu))
    return min(spreads), min(units), results


# Noise, in units of epsilon. Rounding at each step does to the results what small changes of the arguments do.

_NUDGE = 1e-7
_NUDGES = 4


def backward_noise(block: Callable) -> Callable[..., tuple[float, ...]]:
    """How far the results of a block move, in units of the relative change of its arguments and weights."""

    def noise(**arguments) -> tuple[float, ...]:
        rng, exact = np.random.default_rng(0), _parts(block(**arguments))
        units = [largest(part) for part in exact]
        for _ in range(_NUDGES):
            moved = _parts(block(**{n: _nudged(v, rng) for n, v in arguments.items()}))
            apart = (largest(a - b) / _NUDGE for a, b in zip(moved, exact, strict=True))
            units = [max(pair) for pair in zip(units, apart, strict=True)]
        return tuple(2 * unit for unit in units)

    return noise


def _parts(results: np.ndarray | Pair) -> Pair | tuple[np.ndarray]:
    return results if isinstance(results, tuple) else (results,)


def _nudged(value: object, rng: np.random.Generator) -> object:
    if not isinstance(value, np.ndarray) or value.dtype != np.float64:
        return value
    return value * (1 + _NUDGE * rng.choice([-1.0, 1.0], size=value.shape))
