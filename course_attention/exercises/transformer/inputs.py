"""Weights and cases of blocks: cases in which no norm divides by next to nothing."""

from collections.abc import Callable

import numpy as np

from course_attention.authoring import Array, Case, Draw
from course_attention.exercises.transformer.sublayers import margins

# Three channels: a norm over two leaves nothing but the signs.
BY_HAND = {"d_model": 3, "n_heads": 1, "d_hidden": 2}

WIDE = {"d_model": 6, "n_heads": 3, "d_hidden": 4}

# Two numbers too close together turn into large ones by a norm, and a gradient taken over a kink is not one.
LEAST_SPREAD, LEAST_FROM_KINK, LEAST_SHARED = 0.3, 1e-3, 0.1

Number = Callable[..., Array]


def attention_weights(name: str, d_model: int, number: Number) -> dict[str, Array]:
    names = ("w_query", "w_key", "w_value", "w_out")
    return {f"{name}.{weight}.weight": number(d_model, d_model) for weight in names}


def norm_weights(name: str, d_model: int, number: Number) -> dict[str, Array]:
    return {f"{name}.weight": number(d_model), f"{name}.bias": number(d_model)}


def feed_forward_weights(d_model: int, d_hidden: int, number: Number) -> dict[str, Array]:
    return {
        "feed_forward.0.weight": number(d_hidden, d_model),
        "feed_forward.0.bias": number(d_hidden),
        "feed_forward.2.weight": number(d_model, d_hidden),
        "feed_forward.2.bias": number(d_model),
    }


def _healthy(case: Case, block: Callable) -> bool:
    spread, from_kink, (_, *weights) = margins(block, **case.plain())
    # Weights of 0 and 1 have no gradient: in some row the second largest must count.
    apart = all(len(np.unique(rows, axis=0)) == len(rows) for rows in _sequences(case))
    shared = not (case.gradient and weights) or np.sort(weights[0])[..., -2].max() > LEAST_SHARED
    return spread > LEAST_SPREAD and from_kink > LEAST_FROM_KINK and apart and shared


def _sequences(case: Case) -> list[np.ndarray]:
    """Return the tokens of x and of the memory: no two alike, or taking one for the other would not show."""
    arrays = [case.arguments[name].values for name in ("x", "memory") if name in case.arguments]
    return [a.reshape(-1, a.shape[-1]) for a in arrays]


def maker(draw: Draw, block: Callable, weights_of: Callable, names: tuple[str, ...]) -> Callable[..., Case]:
    def case(title, name, shapes, settings=BY_HAND, masks=None, gradient=False, dtype="float64", strided=False) -> Case:
        """Draw until no norm has next to nothing to divide by."""

        def number(*shape: int) -> Array:
            return draw.halves(*shape, dtype=dtype) if settings is BY_HAND else draw.normal(*shape, dtype=dtype)

        while True:
            arguments: dict[str, object] = {
                n: Array(number(*shape).values, dtype, strided) for n, shape in shapes.items()
            }
            if masks:
                arguments |= {n: masks.get(n) for n in names}
            weights = weights_of(settings["d_model"], settings["d_hidden"], number)
            drawn = Case(title, name, arguments, gradient, dict(settings), weights)
            if _healthy(drawn, block):
                return drawn

    return case


# Scores near ±10,000, far enough apart that rounding does not decide which token wins.
SPREAD = np.array([[1.0, 0.0, 0.5], [-1.0, 0.5, 0.0], [1.0, 1.0, -0.5]])

_LARGE = {
    "w_query": 140 * np.eye(3),
    "w_key": 140 * np.eye(3),
    "w_value": np.array([[1.0, 0.5, 0.0], [0.0, -1.0, 0.5], [0.5, 0.0, 1.0]]),
    "w_out": np.array([[1.0, 0.0, -0.5], [0.5, 1.0, 0.0], [0.0, 0.5, 1.0]]),
}


def large_weights_for(weights_of: Callable, draw: Draw) -> dict[str, Array]:
    weights = weights_of(3, 2, lambda *shape: draw.halves(*shape, dtype="float32"))
    fixed = {n: Array(values, "float32") for n in weights for w, values in _LARGE.items() if f".{w}." in n}
    return weights | fixed
