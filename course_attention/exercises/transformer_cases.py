"""Cases of notebook 08: blocks with a mask, with two and with none; tokens and losses with padding and without."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.transformer_parts import decoder, encoder, margins
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw

# Three channels: a norm over two leaves nothing but the signs.
BY_HAND = {"d_model": 3, "n_heads": 1, "d_hidden": 2}
WIDE = {"d_model": 6, "n_heads": 3, "d_hidden": 4}
# Two numbers too close together turn into large ones by a norm, and a gradient taken over a kink is not one.
LEAST_SPREAD, LEAST_FROM_KINK, LEAST_SHARED = 0.3, 1e-3, 0.1

Number = Callable[..., Array]


def _attention(name: str, d_model: int, number: Number) -> dict[str, Array]:
    names = ("w_query", "w_key", "w_value", "w_out")
    return {f"{name}.{weight}.weight": number(d_model, d_model) for weight in names}


def _norm(name: str, d_model: int, number: Number) -> dict[str, Array]:
    return {f"{name}.weight": number(d_model), f"{name}.bias": number(d_model)}


def _feed_forward(d_model: int, d_hidden: int, number: Number) -> dict[str, Array]:
    return {
        "feed_forward.0.weight": number(d_hidden, d_model),
        "feed_forward.0.bias": number(d_hidden),
        "feed_forward.2.weight": number(d_model, d_hidden),
        "feed_forward.2.bias": number(d_model),
    }


def _encoder_weights(d_model: int, d_hidden: int, number: Number) -> dict[str, Array]:
    return {
        **_attention("attention", d_model, number),
        **_norm("norm_1", d_model, number),
        **_feed_forward(d_model, d_hidden, number),
        **_norm("norm_2", d_model, number),
    }


def _decoder_weights(d_model: int, d_hidden: int, number: Number) -> dict[str, Array]:
    return {
        **_attention("self_attention", d_model, number),
        **_norm("norm_1", d_model, number),
        **_attention("cross_attention", d_model, number),
        **_norm("norm_2", d_model, number),
        **_feed_forward(d_model, d_hidden, number),
        **_norm("norm_3", d_model, number),
    }


def _healthy(case: Case, block: Callable) -> bool:
    spread, from_kink, (_, *weights) = margins(block, **case.plain())
    # Weights of 0 and 1 have no gradient: in some row the second largest must count.
    apart = all(len(np.unique(rows, axis=0)) == len(rows) for rows in _sequences(case))
    shared = not (case.gradient and weights) or np.sort(weights[0])[..., -2].max() > LEAST_SHARED
    return spread > LEAST_SPREAD and from_kink > LEAST_FROM_KINK and apart and shared


def _sequences(case: Case) -> list[np.ndarray]:
    """The tokens of x, and of the memory: no two alike, or taking one for the other would not show."""
    arrays = [case.arguments[name].values for name in ("x", "memory") if name in case.arguments]
    return [a.reshape(-1, a.shape[-1]) for a in arrays]


def _maker(draw: Draw, block: Callable, weights_of: Callable, names: tuple[str, ...]) -> Callable[..., Case]:
    def case(
        title: str,
        name: str,
        shapes: Mapping[str, tuple[int, ...]],
        settings: Mapping[str, int] = BY_HAND,
        masks: Mapping[str, Array] | None = None,
        gradient: bool = False,
        dtype: str = "float64",
        strided: bool = False,
    ) -> Case:
        """Draw until no norm has next to nothing to divide by."""

        def number(*shape: int) -> Array:
            return (
                draw.halves(*shape, dtype=dtype) if settings is BY_HAND else draw.normal(*shape, dtype=dtype)
            )

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


def _nothing_for(query: int, n_queries: int, n_keys: int) -> Array:
    mask = np.ones((n_queries, n_keys), dtype=bool)
    mask[np.arange(n_queries), np.arange(n_queries) % n_keys] = False
    mask[query] = False
    return Array(mask, "bool")


# Scores near ±10,000, far enough apart that rounding does not decide which token wins.
_SPREAD = np.array([[1.0, 0.0, 0.5], [-1.0, 0.5, 0.0], [1.0, 1.0, -0.5]])
_LARGE = {
    "w_query": 140 * np.eye(3),
    "w_key": 140 * np.eye(3),
    "w_value": np.array([[1.0, 0.5, 0.0], [0.0, -1.0, 0.5], [0.5, 0.0, 1.0]]),
    "w_out": np.array([[1.0, 0.0, -0.5], [0.5, 1.0, 0.0], [0.0, 0.5, 1.0]]),
}
# Each token may attend to the one with its lowest score: a fill that is not low enough shows.
_LOWEST = Array(np.array([[False, True, False], [True, False, False], [False, True, False]]), "bool")


def _large_weights(weights_of: Callable, draw: Draw) -> dict[str, Array]:
    weights = weights_of(3, 2, lambda *shape: draw.halves(*shape, dtype="float32"))
    fixed = {n: Array(values, "float32") for n in weights for w, values in _LARGE.items() if f".{w}." in n}
    return weights | fixed


def encoder_cases(draw: Draw) -> list[Case]:
    """Plain, batched, masked, with nothing allowed, large, not contiguous, in three dtypes."""
    case = _maker(draw, encoder, _encoder_weights, ("allowed",))

    def alone(*shape: int) -> dict[str, tuple[int, ...]]:
        return {"x": shape}

    def masked(allowed: Array) -> dict[str, Array]:
        return {"allowed": allowed}

    two_heads = {"d_model": 4, "n_heads": 2, "d_hidden": 5}
    large = {"x": Array(_SPREAD, "float32")}
    large_weights = _large_weights(_encoder_weights, draw)
    return [
        case("2 tokens, d_model 3, 1 head, d_hidden 2", "values", alone(2, 3), gradient=True),
        case("3 tokens, d_model 4, 2 heads, d_hidden 5", "values", alone(3, 4), two_heads),
        case("one token", "values", alone(1, 6), WIDE),
        case("batch 2, 5 tokens, 3 heads", "leading dimensions", alone(2, 5, 6), WIDE),
        case("batch 3, 3 tokens, 3 heads", "leading dimensions", alone(3, 3, 6), WIDE, dtype="float32"),
        case("two batch dimensions", "leading dimensions", alone(2, 3, 4, 6), WIDE, dtype="float32"),
        case("not contiguous", "leading dimensions", alone(2, 4, 6), WIDE, strided=True),
        case("2 tokens, masked", "mask", alone(2, 3), masks=masked(draw.allowed(2, 2))),
        case("batch 2, a mask for each item", "mask", alone(2, 5, 6), WIDE, masked(draw.allowed(2, 5, 5))),
        case(
            "batch 2, key padding (batch, 1, n_tokens)",
            "mask",
            alone(2, 4, 6),
            WIDE,
            masked(draw.padded(2, 4)),
        ),
        case("batch 2, one mask for all", "mask", alone(2, 4, 6), WIDE, masked(draw.allowed(4, 4))),
        case(
            "2 tokens, nothing allowed for token 0",
            "nothing allowed",
            alone(2, 3),
            masks=masked(_nothing_for(0, 2, 2)),
            gradient=True,
        ),
        case(
            "batch 2, nothing allowed for token 1",
            "nothing allowed",
            alone(2, 4, 6),
            WIDE,
            masked(_nothing_for(1, 4, 4)),
            dtype="float32",
        ),
        Case("scores near ±10,000", "large scores", large, False, dict(BY_HAND), large_weights),
        Case(
            "scores near ±10,000, masked",
            "large scores",
            {**large, "allowed": _LOWEST},
            False,
            dict(BY_HAND),
            large_weights,
        ),
        case("in bfloat16", "dtypes", alone(2, 6), WIDE, masked(draw.allowed(2, 2)), dtype="bfloat16"),
    ]


def decoder_cases(draw: Draw) -> list[Case]:
    """Two sequences, of one length and of two; either mask, both, and none."""
    case = _maker(draw, decoder, _decoder_weights, ("allowed", "memory_allowed"))

    def two(x: tuple[int, ...], n_keys: int) -> dict[str, tuple[int, ...]]:
        return {"x": x, "memory": (*x[:-2], n_keys, x[-1])}

    def masked(allowed: Array | None = None, memory_allowed: Array | None = None) -> dict[str, Array | None]:
        return {"allowed": allowed, "memory_allowed": memory_allowed}

    causal = Array(np.tril(np.ones((4, 4), dtype=bool)), "bool")
    large = {
        "x": Array(_SPREAD, "float32"),
        "memory": Array(np.array([[2.0, -1.0, 0.5], [-1.5, 1.0, 2.0], [0.5, -2.0, -1.0]]), "float32"),
    }
    large_weights = _large_weights(_decoder_weights, draw)
    for norm in ("norm_1", "norm_2", "norm_3"):
        large_weights[f"{norm}.weight"] = Array(np.array([1.0, 1.5, 0.5]), "float32")
        large_weights[f"{norm}.bias"] = Array(np.array([0.5, -0.5, 1.0]), "float32")
    return [
        case("2 queries, 2 keys, d_model 3, 1 head", "values", two((2, 3), 2)),
        case("2 queries, 3 keys, d_model 3, 1 head", "values", two((2, 3), 3)),
        case("4 queries, 5 keys, 3 heads", "values", two((4, 6), 5), WIDE),
        case("one query, one key", "values", two((1, 6), 1), WIDE),
        case("batch 2, 4 queries, 5 keys", "leading dimensions", two((2, 4, 6), 5), WIDE),
        case("two batch dimensions", "leading dimensions", two((2, 3, 3, 6), 4), WIDE, dtype="float32"),
        case("not contiguous", "leading dimensions", two((2, 4, 6), 3), WIDE, strided=True),
        case("2 queries, 2 keys, allowed given", "mask", two((2, 3), 2), masks=masked(draw.allowed(2, 2))),
        case(
            "2 queries, 2 keys, memory_allowed given",
            "mask",
            two((2, 3), 2),
            masks=masked(None, draw.allowed(2, 2)),
        ),
        case(
            "batch 2, 4 queries, 4 keys, both masks, one for each item",
            "mask",
            two((2, 4, 6), 4),
            WIDE,
            masked(draw.allowed(2, 4, 4), draw.allowed(2, 4, 4)),
        ),
        case(
            "batch 2, causal mask, key padding (batch, 1, n_keys) in the memory",
            "mask",
            two((2, 4, 6), 5),
            WIDE,
            masked(causal, draw.padded(2, 5)),
        ),
        case(
            "2 queries, 3 keys, nothing in the memory allowed for query 0",
            "nothing allowed",
            two((2, 3), 3),
            masks=masked(None, _nothing_for(0, 2, 3)),
            gradient=True,
        ),
        case(
            "batch 2, nothing allowed for token 1, and nothing in the memory for token 2",
            "nothing allowed",
            two((2, 4, 6), 5),
            WIDE,
            masked(_nothing_for(1, 4, 4), _nothing_for(2, 4, 5)),
            dtype="float32",
        ),
        Case("scores near ±10,000", "large scores", large, False, dict(BY_HAND), large_weights),
        Case(
            "scores near ±10,000, masked",
            "large scores",
            {**large, "allowed": _LOWEST, "memory_allowed": _LOWEST},
            False,
            dict(BY_HAND),
            large_weights,
        ),
        case(
            "in bfloat16",
            "dtypes",
            two((2, 6), 3),
            WIDE,
            masked(draw.allowed(2, 2), draw.allowed(2, 3)),
            dtype="bfloat16",
        ),
    ]


def shift_cases(draw: Draw) -> list[Case]:
    """Tokens from 3 on, so that neither 0 nor the start token is among them."""

    def case(title: str, name: str, shape: tuple[int, ...], start_token: int, strided: bool = False) -> Case:
        rows = np.stack(
            [draw.rng.permutation(np.arange(3, 3 + shape[-1])) for _ in range(int(np.prod(shape[:-1])))]
        )
        tokens = Array(rows.reshape(shape), "int64", strided)
        return Case(title, name, {"tokens": tokens, "start_token": start_token})

    return [
        case("batch 1, 3 tokens", "values", (1, 3), 1),
        case("batch 2, 4 tokens", "values", (2, 4), 2),
        case("batch 3, 3 tokens", "values", (3, 3), 1),
        case("batch 3, 5 tokens, start token 0", "values", (3, 5), 0),
        case("batch 2, one token", "edges", (2, 1), 2),
        case("no batch", "leading dimensions", (4,), 1),
        case("two batch dimensions", "leading dimensions", (2, 3, 4), 2),
        case("not contiguous", "leading dimensions", (3, 4), 1, strided=True),
    ]


def loss_cases(draw: Draw) -> list[Case]:
    """No padding, padding of different lengths, a class that is the padding's, classes as many as tokens."""

    def targets(batch: tuple[int, ...], n: int, n_classes: int, pad_token: int, padded: bool) -> Array:
        classes = [c for c in range(n_classes) if c != pad_token]
        drawn = draw.rng.choice(classes, size=(*batch, n))
        if padded:
            # A different number of targets in each item, and at least one.
            lengths = (draw.rng.permutation(int(np.prod(batch))) % (n - 1) + 1).reshape(batch)
            drawn[np.arange(n) >= lengths[..., None]] = pad_token
        return Array(drawn, "int64")

    def case(
        title: str,
        name: str,
        batch: tuple[int, ...],
        n: int,
        n_classes: int,
        pad_token: int = 0,
        padded: bool = True,
        gradient: bool = False,
        by_hand: bool = False,
        **kind,
    ) -> Case:
        make = draw.halves if by_hand else draw.normal
        arguments = {
            "logits": make(*batch, n, n_classes, **kind),
            "targets": targets(batch, n, n_classes, pad_token, padded),
            "pad_token": pad_token,
        }
        return Case(title, name, arguments, gradient)

    large = {
        "logits": Array(np.array([[[1e4, -1e4, 0.0], [-1e4, 0.0, 1e4], [0.0, 1e4, -1e4]]]), "float32"),
        "targets": Array(np.array([[1, 2, 0]]), "int64"),
        "pad_token": 0,
    }
    return [
        case("batch 1, 2 tokens, 3 classes", "values", (1,), 2, 3, padded=False, by_hand=True, gradient=True),
        case("batch 2, 4 tokens, 5 classes", "values", (2,), 4, 5, padded=False),
        case("batch 2, 3 tokens, 3 classes, padded", "padding", (2,), 3, 3, by_hand=True, gradient=True),
        case("batch 3, 4 tokens, 5 classes, padded", "padding", (3,), 4, 5),
        case("the last class is the padding's", "padding", (3,), 4, 6, pad_token=5),
        case("a class in the middle is the padding's", "padding", (3,), 4, 5, pad_token=2),
        case("no batch, padded", "leading dimensions", (), 5, 4),
        case("two batch dimensions, padded", "leading dimensions", (2, 2), 4, 5, pad_token=2),
        case("not contiguous", "leading dimensions", (2,), 4, 5, strided=True),
        Case("logits of ±10,000", "large scores", large),
        case("batch 2, in float32", "dtypes", (2,), 5, 7, dtype="float32"),
        case("batch 2, in bfloat16", "dtypes", (2,), 3, 4, dtype="bfloat16"),
    ]
