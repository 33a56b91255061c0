"""Cases of notebook 04: every size different, or batch, heads and tokens alike, where wrong axes raise no error."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from course_attention.execution.protocol import Array, TorchAttention
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw

BY_HAND = "3 tokens, 2 heads, d_key 1, d_value 1"
BATCH_BY_HAND = f"batch 2, {BY_HAND}"
SQUARE_BY_HAND = "2 tokens, 2 heads, d_key 1, d_value 1"  # a mask without a batch lines up with the heads
WEIGHTS = ("w_query", "w_key", "w_value", "w_out")


def split_cases(draw: Draw) -> list[Case]:
    """Heads, tokens and d_head different, and pairwise the same."""

    def case(title: str, name: str, shape: tuple[int, ...], n_heads: int, **kind) -> Case:
        return Case(title, name, {"x": draw.normal(*shape, **kind), "n_heads": n_heads})

    by_hand = {"x": draw.halves(2, 4), "n_heads": 2}
    three = {"x": draw.halves(2, 6), "n_heads": 3}
    batch = {"x": draw.halves(2, 2, 4), "n_heads": 2}
    return [
        Case("2 tokens, 2 heads, d_head 2", "values", by_hand, gradient=True),
        Case("2 tokens, 3 heads, d_head 2", "values", three),
        case("one head", "values", (3, 4), 1),
        case("d_head 1", "values", (3, 4), 4, dtype="float32"),
        case("one token", "values", (1, 9), 3, dtype="float32"),
        Case("batch 2, 2 tokens, 2 heads, d_head 2", "leading dimensions", batch),
        case("batch 2, 5 tokens, 3 heads, d_head 4", "leading dimensions", (2, 5, 12), 3),
        case("batch 3, 3 tokens, 3 heads, d_head 3", "leading dimensions", (3, 3, 9), 3, dtype="float32"),
        case("two batch dimensions", "leading dimensions", (2, 3, 5, 8), 4, dtype="float32"),
        case("not contiguous", "leading dimensions", (2, 5, 12), 4, strided=True),
        case("2 tokens, 3 heads", "dtypes", (2, 6), 3, dtype="bfloat16"),
    ]


def merge_cases(draw: Draw) -> list[Case]:
    """The same, from the other side."""

    def case(title: str, name: str, shape: tuple[int, ...], **kind) -> Case:
        return Case(title, name, {"x": draw.normal(*shape, **kind)})

    return [
        Case("2 heads, 2 tokens, d_head 2", "values", {"x": draw.halves(2, 2, 2)}, gradient=True),
        Case("3 heads, 2 tokens, d_head 2", "values", {"x": draw.halves(3, 2, 2)}),
        case("one head", "values", (1, 3, 4)),
        case("d_head 1", "values", (4, 3, 1), dtype="float32"),
        case("one token", "values", (3, 1, 4), dtype="float32"),
        Case("batch 2, 2 heads, 2 tokens, d_head 2", "leading dimensions", {"x": draw.halves(2, 2, 2, 2)}),
        case("batch 2, 3 heads, 5 tokens, d_head 4", "leading dimensions", (2, 3, 5, 4)),
        case("batch 3, 3 heads, 3 tokens, d_head 3", "leading dimensions", (3, 3, 3, 3), dtype="float32"),
        case("two batch dimensions", "leading dimensions", (2, 3, 4, 5, 6), dtype="float32"),
        case("not contiguous", "leading dimensions", (2, 3, 5, 4), strided=True),
        case("3 heads, 2 tokens", "dtypes", (3, 2, 4), dtype="bfloat16"),
    ]


def _weights(draw: Draw, d_model: int, n_heads: int, d_key: int, d_value: int, d_out: int, **kind) -> dict:
    return {
        "w_query": draw.normal(d_model, n_heads * d_key, **kind),
        "w_key": draw.normal(d_model, n_heads * d_key, **kind),
        "w_value": draw.normal(d_model, n_heads * d_value, **kind),
        "w_out": draw.normal(n_heads * d_value, d_out, **kind),
    }


def _nothing_for(n_queries: int, n_keys: int, query: int) -> Array:
    mask = np.ones((n_queries, n_keys), dtype=bool)
    mask[np.arange(n_queries), np.arange(n_queries) % n_keys] = False
    mask[query] = False
    return Array(mask, "bool")


def _large() -> dict[str, Array]:
    """Scores near ±10,000, far enough apart that rounding does not decide which token wins; in head 1 turned round."""
    numbers = {
        "x": [[103.0], [-106.0], [100.0]],
        "w_query": [[1.0, -1.0]],
        "w_key": [[1.0, 1.0]],
        "w_value": [[1.0, -0.5]],
        "w_out": [[1.0, 0.5], [-0.5, 2.0]],
    }
    return {name: Array(np.array(values), "float32") for name, values in numbers.items()}


# Allows only the lowest score of each token in head 0: a fill that is not low enough shows.
_LOWEST = Array(np.array([[False, True, False], [True, False, False], [False, True, False]]), "bool")


def function_cases(draw: Draw) -> list[Case]:
    """Plain, batched, square, masked, with nothing allowed, large, not contiguous, in three dtypes."""

    def arguments(
        batch: tuple[int, ...],
        n: int,
        d_model: int,
        n_heads: int,
        sizes: tuple[int, int, int],
        allowed: Array | None = None,
        strided: bool = False,
        **kind,
    ) -> dict[str, object]:
        plain = {
            "x": draw.normal(*batch, n, d_model, strided=strided, **kind),
            **_weights(draw, d_model, n_heads, *sizes, **kind),
            "n_heads": n_heads,
        }
        return plain if allowed is None else {**plain, "allowed": allowed}

    def by_hand(*batch: int, n: int = 3, allowed: Array | None = None) -> dict[str, object]:
        plain = {"x": draw.halves(*batch, n, 2), **{w: draw.halves(2, 2) for w in WEIGHTS}, "n_heads": 2}
        return plain if allowed is None else {**plain, "allowed": allowed}

    small_scale = {
        "x": draw.halves(2, 3),
        "w_query": draw.halves(3, 4),
        "w_key": draw.halves(3, 4),
        "w_value": draw.halves(3, 2),
        "w_out": draw.halves(2, 1),
        "n_heads": 2,
    }
    # n_heads · d_value = d_out = d_model: whoever leaves out a projection gets the right shape.
    cube = (3, 3, 3, 9)
    large = {**_large(), "n_heads": 2}
    full, blind = draw.allowed(2, 5, 5), f"{BY_HAND}, nothing allowed for token 0"
    return [
        Case(BY_HAND, "values", by_hand(), gradient=True),
        Case("2 tokens, 2 heads, d_key 2, d_value 1", "values", small_scale),
        Case("5 tokens, 3 heads, d_key 2, d_value 4", "values", arguments((), 5, 6, 3, (2, 4, 7))),
        Case("one head", "values", arguments((), 3, 4, 1, (5, 2, 6))),
        Case("one token", "values", arguments((), 1, 4, 2, (3, 5, 6), dtype="float32")),
        Case(BATCH_BY_HAND, "leading dimensions", by_hand(2)),
        Case("batch 2, 5 tokens, 3 heads", "leading dimensions", arguments((2,), 5, 6, 3, (4, 7, 8))),
        Case(
            "batch 3, 3 tokens, 3 heads, d_key 3",
            "leading dimensions",
            arguments((3,), 3, 9, 3, cube[1:], dtype="float32"),
        ),
        Case(
            "batch 4, 4 tokens, 4 heads, d_key 2",
            "leading dimensions",
            arguments((4,), 4, 8, 4, (2, 2, 8), dtype="float32"),
        ),
        Case(
            "two batch dimensions",
            "leading dimensions",
            arguments((2, 3), 4, 5, 2, (3, 1, 6), dtype="float32"),
        ),
        Case("not contiguous", "leading dimensions", arguments((2,), 4, 6, 3, (2, 5, 7), strided=True)),
        Case(f"{BY_HAND}, masked", "mask", by_hand(allowed=draw.allowed(3, 3)), gradient=True),
        Case(f"{SQUARE_BY_HAND}, masked", "mask", by_hand(n=2, allowed=draw.allowed(2, 2))),
        Case("batch 2, a mask for each item", "mask", arguments((2,), 5, 6, 3, (2, 4, 7), full)),
        Case(
            f"{BATCH_BY_HAND}, key padding (batch, 1, n_tokens)",
            "mask",
            by_hand(2, allowed=draw.padded(2, 3)),
        ),
        Case(
            "batch 2, one mask for all",
            "mask",
            arguments((2,), 4, 5, 3, (2, 3, 6), draw.allowed(4, 4), dtype="float32"),
        ),
        Case(
            "two batch dimensions, a mask for each item",
            "mask",
            arguments((2, 3), 4, 5, 2, (3, 1, 6), draw.allowed(2, 3, 4, 4), dtype="float32"),
        ),
        Case(
            "batch 3, 3 tokens, 3 heads, masked",
            "mask",
            arguments((3,), 3, 9, 3, cube[1:], draw.allowed(3, 3, 3)),
        ),
        Case("4 tokens, 4 heads, masked", "mask", arguments((), 4, 8, 4, (2, 2, 8), draw.allowed(4, 4))),
        Case(
            "batch 3, 4 tokens, 3 heads, key padding",
            "mask",
            arguments((3,), 4, 6, 3, (2, 2, 6), draw.padded(3, 4)),
        ),
        Case(blind, "nothing allowed", by_hand(allowed=_nothing_for(3, 3, 0)), gradient=True),
        Case(
            "batch 2, nothing allowed for token 1",
            "nothing allowed",
            arguments((2,), 4, 5, 3, (2, 6, 7), _nothing_for(4, 4, 1), dtype="float32"),
        ),
        Case("scores near ±10,000", "large scores", large),
        Case("scores near ±10,000, masked", "large scores", {**large, "allowed": _LOWEST}),
        Case(
            "2 tokens, 3 heads, masked",
            "dtypes",
            arguments((), 2, 5, 3, (2, 4, 3), draw.allowed(2, 2), dtype="bfloat16"),
        ),
        Case("batch 2, in float32", "dtypes", arguments((2,), 5, 6, 3, (4, 2, 7), dtype="float32")),
    ]


def _loaded(weights: Mapping[str, Array]) -> dict[str, Array]:
    """As `nn.Linear` holds them: (d_out, d_in), by the names of a state_dict."""
    return {f"{n}.weight": Array(np.ascontiguousarray(w.values.T), w.dtype) for n, w in weights.items()}


def module_cases(draw: Draw) -> list[Case]:
    """Self-attention with one argument, key without value, all three; sizes given and left out."""

    def case(
        title: str,
        name: str,
        shapes: Mapping[str, tuple[int, ...]],
        n_heads: int,
        d_key: int | None = None,
        d_value: int | None = None,
        allowed: Array | None = None,
        gradient: bool = False,
        d_model: int | None = None,
        **kind,
    ) -> Case:
        by_hand = BY_HAND in title or SQUARE_BY_HAND in title
        d_model = d_model or shapes["query"][-1]
        sizes = (d_key or d_model // n_heads, d_value or d_model // n_heads, d_model)
        weights = _weights(draw, d_model, n_heads, *sizes, dtype=kind.get("dtype", "float64"))
        if by_hand:
            weights = {n: draw.halves(*w.values.shape) for n, w in weights.items()}
        inputs = {n: draw.halves(*s) if by_hand else draw.normal(*s, **kind) for n, s in shapes.items()}
        if allowed is not None:
            inputs = {n: inputs.get(n) for n in ("query", "key", "value")} | {"allowed": allowed}
        settings = {"d_model": d_model, "n_heads": n_heads}
        settings |= {n: s for n, s in (("d_key", d_key), ("d_value", d_value)) if s is not None}
        return Case(title, name, inputs, gradient, settings, _loaded(weights))

    def alone(*shape: int) -> dict[str, tuple[int, ...]]:
        return {"query": shape}

    def pair(query: tuple[int, ...], key: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
        return {"query": query, "key": key}

    def three(query: tuple[int, ...], key: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
        return {"query": query, "key": key, "value": key}

    large = _large()
    large_weights = {**large, "w_out": Array(np.array([[1.0], [-0.5]]), "float32")}
    large_case = {"query": large_weights.pop("x")}
    large_settings = {"d_model": 1, "n_heads": 2, "d_key": 1, "d_value": 1}
    blind = f"{BY_HAND}, nothing allowed for query 0"
    full = draw.allowed(2, 5, 4)
    return [
        case(BY_HAND, "values", alone(3, 2), 2, gradient=True),
        case("5 tokens, 3 heads, d_key 2, d_value 2", "values", alone(5, 6), 3),
        case("d_key 4, d_value 2", "values", alone(4, 3), 2, 4, 2),
        case("d_key 2, d_value left out", "values", alone(3, 6), 3, d_key=4),
        case("one head", "values", alone(3, 4), 1),
        case("one token", "values", alone(1, 4), 2, dtype="float32"),
        case(f"{BY_HAND}: 2 queries, 3 keys", "other sequence", pair((2, 2), (3, 2)), 2, gradient=True),
        case(f"{BY_HAND}: 2 queries, 3 keys, 3 values", "other sequence", three((2, 2), (3, 2)), 2),
        case("batch 2, 4 queries, 5 keys", "other sequence", three((2, 4, 6), (2, 5, 6)), 3, 4, 7),
        case("3 queries, 3 keys, key given alone", "other sequence", pair((3, 4), (3, 4)), 2),
        case("batch 3, as many keys as queries", "other sequence", three((3, 4, 6), (3, 4, 6)), 2),
        case(f"batch 2, {BY_HAND}", "leading dimensions", alone(2, 3, 2), 2),
        case("batch 2, 5 tokens, 3 heads", "leading dimensions", alone(2, 5, 6), 3, 4, 7),
        case("batch 3, 3 tokens, 3 heads", "leading dimensions", alone(3, 3, 9), 3, dtype="float32"),
        case("batch 4, 4 tokens, 4 heads", "leading dimensions", alone(4, 4, 8), 4, dtype="float32"),
        case("two batch dimensions", "leading dimensions", alone(2, 3, 4, 6), 2, dtype="float32"),
        case("not contiguous", "leading dimensions", alone(2, 4, 6), 3, strided=True),
        case(f"{BY_HAND}, masked", "mask", alone(3, 2), 2, allowed=draw.allowed(3, 3), gradient=True),
        case(f"{SQUARE_BY_HAND}, masked", "mask", alone(2, 2), 2, allowed=draw.allowed(2, 2)),
        case("batch 2, a mask for each item", "mask", pair((2, 5, 6), (2, 4, 6)), 3, allowed=full),
        case(
            f"batch 2, {BY_HAND}, key padding (batch, 1, n_keys)",
            "mask",
            alone(2, 3, 2),
            2,
            allowed=draw.padded(2, 3),
        ),
        case("batch 2, one mask for all", "mask", alone(2, 4, 6), 3, allowed=draw.allowed(4, 4)),
        case("batch 3, 3 tokens, 3 heads, masked", "mask", alone(3, 3, 9), 3, allowed=draw.allowed(3, 3, 3)),
        case("4 tokens, 4 heads, masked", "mask", alone(4, 8), 4, allowed=draw.allowed(4, 4)),
        case("batch 3, 4 tokens, 3 heads, key padding", "mask", alone(3, 4, 6), 3, allowed=draw.padded(3, 4)),
        case(blind, "nothing allowed", alone(3, 2), 2, allowed=_nothing_for(3, 3, 0), gradient=True),
        case(
            "batch 2, nothing allowed for query 1",
            "nothing allowed",
            pair((2, 4, 6), (2, 5, 6)),
            3,
            allowed=_nothing_for(4, 5, 1),
            dtype="float32",
        ),
        Case(
            "scores near ±10,000", "large scores", large_case, False, large_settings, _loaded(large_weights)
        ),
        Case(
            "scores near ±10,000, masked",
            "large scores",
            {**large_case, "key": None, "value": None, "allowed": _LOWEST},
            False,
            large_settings,
            _loaded(large_weights),
        ),
        case(
            "2 tokens, 3 heads, masked",
            "dtypes",
            alone(2, 6),
            3,
            allowed=draw.allowed(2, 2),
            dtype="bfloat16",
        ),
        case("batch 2, in float32", "dtypes", alone(2, 5, 6), 3, dtype="float32"),
    ]


def transplant_cases(draw: Draw) -> list[Case]:
    """Layers of several sizes; in each, every number is another one."""

    def case(title: str, name: str, d_model: int, n_heads: int, halves: bool = False, **kind) -> Case:
        make = draw.halves if halves else draw.normal
        weights = {
            "in_proj_weight": make(3 * d_model, d_model, **kind),
            "out_proj.weight": make(d_model, d_model, **kind),
        }
        return Case(title, name, {"torch_attention": TorchAttention(d_model, n_heads, weights)})

    return [
        case("d_model 2, 1 head", "values", 2, 1, halves=True),
        case("d_model 4, 2 heads", "values", 4, 2, halves=True),
        case("d_model 6, 3 heads", "values", 6, 3, dtype="float32"),
        case("d_model 6, 2 heads", "values", 6, 2),
        case("d_model 4, 2 heads", "dtypes", 4, 2, dtype="bfloat16"),
    ]
