"""The sublayers of encoder and decoder blocks: their oracles, and the ways to get a sublayer wrong."""

import math
from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import product

import numpy as np

from course_attention.exercises.common.attention import ATTENTION_MISTAKES, Pair, attend, dot, largest
from course_attention.exercises.common.masking import MASK_MISTAKES, softmax_along
from course_attention.exercises.multi_head.heads import NAMES

Loaded = Mapping[str, np.ndarray]

Layer = Callable[[np.ndarray], np.ndarray]

LAYER_NORM_EPSILON = 1e-5  # torch.nn.LayerNorm's


def projections_from(loaded: Loaded, name: str) -> tuple[np.ndarray, ...]:
    return tuple(loaded[f"{name}.{weight}"].T for weight in NAMES)


def norm_oracle(x: np.ndarray, loaded: Loaded, name: str) -> np.ndarray:
    weight, bias = loaded[f"{name}.weight"], loaded[f"{name}.bias"]
    normalised = np.empty_like(x)
    for token in np.ndindex(x.shape[:-1]):
        deviation = x[token] - sum(x[token]) / len(x[token])
        variance = dot(deviation, deviation) / len(deviation)
        normalised[token] = weight * deviation / (variance + LAYER_NORM_EPSILON) ** 0.5 + bias
    return normalised


def feed_forward_oracle(x: np.ndarray, loaded: Loaded) -> np.ndarray:
    first, second = ((loaded[f"feed_forward.{n}.weight"], loaded[f"feed_forward.{n}.bias"]) for n in (0, 2))
    output = np.empty_like(x)
    for token in np.ndindex(x.shape[:-1]):
        hidden = np.array([max(dot(row, x[token]) + bias, 0.0) for row, bias in zip(*first, strict=True)])
        output[token] = [dot(row, hidden) + bias for row, bias in zip(*second, strict=True)]
    return output


def normalised(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Layer norm."""
    deviation = x - x.mean(axis=-1, keepdims=True)
    return weight * deviation / np.sqrt(np.square(deviation).mean(axis=-1, keepdims=True) + 1e-5) + bias


def rectified(x: np.ndarray) -> np.ndarray:
    """ReLU."""
    return np.maximum(x, 0.0)


def post_norm(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    """Do what is asked for: add the sublayer's result to its input, and normalise the sum."""
    return norm(x + sublayer(x))


def norm_from(loaded: Loaded, name: str, normalise: Callable) -> Layer:
    return lambda x: normalise(x, loaded[f"{name}.weight"], loaded[f"{name}.bias"])


def feed_forward(loaded: Loaded, activate: Layer, finish: Layer = lambda x: x) -> Layer:
    (w_1, b_1), (w_2, b_2) = ((loaded[f"feed_forward.{n}.weight"].T, loaded[f"feed_forward.{n}.bias"]) for n in (0, 2))
    return lambda x: finish(activate(x @ w_1 + b_1) @ w_2 + b_2)


def heads(query, key, value, projections, n_heads, allowed, attend: Callable) -> Pair:
    def split(x: np.ndarray) -> np.ndarray:
        return x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads).swapaxes(-2, -3)

    inputs = (split(x @ w) for x, w in zip((query, key, value), projections[:3], strict=True))
    if allowed is not None:  # one mask for all heads; one that does not fit is an error, as in torch
        allowed = np.broadcast_to(allowed, (*query.shape[:-1], key.shape[-2]))[..., None, :, :]
    output, weights = attend(*inputs, allowed)
    lost = np.isnan(query).any(axis=-1)[..., None, :, None]  # whatever the mask says: NaN among scores spreads
    output, weights = (np.where(lost, np.nan, result) for result in (output, weights))
    merged = output.swapaxes(-2, -3)
    return merged.reshape(*merged.shape[:-2], projections[3].shape[0]) @ projections[3], weights


def margins(block: Callable, **arguments) -> tuple[float, float, tuple[np.ndarray, ...]]:
    """Return a token's least spread before a norm, the least |hidden unit| before the ReLU, and the block's results."""
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
    if isinstance(value, tuple):
        return tuple(_nudged(item, rng) for item in value)
    if not isinstance(value, np.ndarray) or value.dtype != np.float64:
        return value
    return value * (1 + _NUDGE * rng.choice([-1.0, 1.0], size=value.shape))


def pre_norm(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return x + sublayer(norm(x))


def pre_norm_in_both(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return norm(x) + sublayer(norm(x))


def no_residual(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return norm(sublayer(x))


def no_norm(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return x + sublayer(x)


def norm_of_sublayer(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return x + norm(sublayer(x))


def norm_alone(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return norm(x)


def nothing(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return x


SKIPS = (norm_alone, nothing)


def _wraps(wrong: Callable, n: int) -> tuple[dict, ...]:
    """One way to wrap a sublayer instead of the right one, around any of them."""
    return tuple({"wraps": ways} for ways in product((wrong, post_norm), repeat=n) if wrong in ways)


def wrapped(n: int) -> dict[str, tuple[dict, ...]]:
    return {
        "pre-norm": (*_wraps(pre_norm, n), *_wraps(pre_norm_in_both, n)),
        "no-residual": _wraps(no_residual, n),
        "no-norm": _wraps(no_norm, n),
        "norm-of-sublayer": _wraps(norm_of_sublayer, n),
    }


ACTIVATIONS = {
    "feed-forward-linear": ({"activate": lambda x: x},),
    "relu-after-both": ({"finish": rectified},),
    "another-nonlinearity": (
        {"activate": lambda x: 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))},
        {"activate": np.tanh},
        {"activate": lambda x: 1 / (1 + np.exp(-x))},
    ),
}

# Mistakes of attention itself, in the block's own: where a block is written without the module.
IN_ATTENTION: dict[str, tuple[Callable, ...]] = {
    "softmax-over-queries": tuple(partial(attend, weigh=way) for way in softmax_along(-2)),
    **{name: ATTENTION_MISTAKES[name] for name in ("no-scale", "scale-multiplied", *MASK_MISTAKES)},
}


def from_start(run: Callable, n: int, places: Collection[int], change: Callable) -> Callable:
    """Return the block with some of its n sublayers wrapped in a way that goes back to what the block was given."""

    def compute(x, *args, **rest):
        def wrap(now: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
            return change(x, now, sublayer, norm)

        return run(x, *args, wraps=tuple(wrap if i in places else post_norm for i in range(n)), **rest)

    return compute


def residual_from_start(start, x, sublayer, norm) -> np.ndarray:
    return norm(start + sublayer(x))


def reads_start(start, x, sublayer, norm) -> np.ndarray:
    return norm(x + sublayer(start))
