"""The exercise `DecoderOnlyBlock`: oracle, cases and misconceptions."""

from __future__ import annotations

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.common.attention import attention_oracle, dot
from course_attention.exercises.language_model.block_in_parts import (
    EPSILON,
    VARIANTS,
    block,
    root_mean_square,
)
from course_attention.exercises.language_model.words import WORDS
from course_attention.exercises.multi_head.common import times
from course_attention.exercises.positions.rotary import oracle as rotary_oracle
from course_attention.exercises.transformer.common import backward_noise
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import ModuleExercise, Returns

# The right computation, one number at a time.


def oracle(x, cache=None, *, d_model, n_heads, n_groups, d_hidden, **loaded) -> tuple[np.ndarray, ...]:
    """Each head by itself; then each hidden unit."""
    d_head = d_model // n_heads

    def weight(name: str) -> np.ndarray:
        return loaded[f"{name}.weight"].T

    def heads(y: np.ndarray, name: str) -> list[np.ndarray]:
        return np.split(times(y, weight(name)), weight(name).shape[1] // d_head, axis=-1)

    n_past = 0 if cache is None else cache[0].shape[-2]
    positions = np.arange(n_past, n_past + x.shape[-2])
    y = norm_oracle(x, loaded["norm_1.weight"])
    keys = np.stack([rotary_oracle(head, positions) for head in heads(y, "w_key")], axis=-3)
    values = np.stack(heads(y, "w_value"), axis=-3)
    if cache is not None:
        keys, values = np.concatenate([cache[0], keys], axis=-2), np.concatenate([cache[1], values], axis=-2)
    allowed = np.array([[j <= i for j in range(keys.shape[-2])] for i in positions])
    outputs = []
    for head, query in enumerate(heads(y, "w_query")):
        group = head * n_groups // n_heads
        query = rotary_oracle(query, positions)
        outputs.append(attention_oracle(query, keys[..., group, :, :], values[..., group, :, :], allowed)[0])
    x = x + times(np.concatenate(outputs, axis=-1), weight("w_out"))
    y = norm_oracle(x, loaded["norm_2.weight"])
    gate, up = times(y, weight("w_gate")), times(y, weight("w_up"))
    return x + times(gate / (1.0 + np.exp(-gate)) * up, weight("w_down")), keys, values


def norm_oracle(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Each token over the root of its mean square."""
    result = np.empty_like(x)
    for token in np.ndindex(x.shape[:-1]):
        result[token] = weight * x[token] / (dot(x[token], x[token]) / len(x[token]) + EPSILON) ** 0.5
    return result


# The cases.

BY_HAND = {"d_model": 2, "n_heads": 1, "n_groups": 1, "d_hidden": 2}
SHARED = {"d_model": 8, "n_heads": 4, "n_groups": 2, "d_hidden": 3}
WIDE_HEADS = {"d_model": 8, "n_heads": 2, "n_groups": 1, "d_hidden": 5}
TWO_HEADS = {"d_model": 4, "n_heads": 2, "n_groups": 1, "d_hidden": 3}
LEAST_SIZE = 0.3  # a token that is close to 0 is made large by the norm, and its rounding errors with it


def block_weights(sizes: dict[str, int], number) -> dict[str, Array]:
    """A matrix for each linear layer, in the names that a `state_dict` has, and a vector for each norm."""
    d_model, d_hidden = sizes["d_model"], sizes["d_hidden"]
    d_shared = d_model // sizes["n_heads"] * sizes["n_groups"]
    shapes = {
        "norm_1": (d_model,),
        "w_query": (d_model, d_model),
        "w_key": (d_shared, d_model),
        "w_value": (d_shared, d_model),
        "w_out": (d_model, d_model),
        "norm_2": (d_model,),
        "w_gate": (d_hidden, d_model),
        "w_up": (d_hidden, d_model),
        "w_down": (d_model, d_hidden),
    }
    return {f"{name}.weight": number(*shape) for name, shape in shapes.items()}


def _healthy(case: Case) -> bool:
    """Whether no norm divides by next to nothing, and no two tokens are alike."""
    sizes: list[float] = []

    def watched(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
        sizes.append(float(np.sqrt(np.square(x).mean(axis=-1)).min()))
        return root_mean_square(x, weight)

    block(**case.plain(), normalise=watched)
    tokens = case.arguments["x"].values.reshape(-1, case.arguments["x"].values.shape[-1])
    return min(sizes) > LEAST_SIZE and len(np.unique(tokens, axis=0)) == len(tokens)


def cases(draw: Draw) -> list[Case]:
    """Without a cache and with one, one new token and several; groups of every size; large and small numbers."""

    def case(
        title: str,
        name: str,
        batch: tuple[int, ...],
        n_tokens: int,
        sizes: dict[str, int],
        n_past: int | None = None,
        gradient: bool = False,
        dtype: str = "",
        strided: bool = False,
    ) -> Case:
        dtype = dtype or ("float64" if sizes is BY_HAND else "float32")

        def number(*shape: int) -> Array:
            if sizes is BY_HAND:
                return draw.halves(*shape, dtype=dtype)
            return Array(draw.normal(*shape, dtype=dtype).values / 2, dtype)

        past = (*batch, sizes["n_groups"], n_past or 0, sizes["d_model"] // sizes["n_heads"])
        while True:
            x = Array(2 * number(*batch, n_tokens, sizes["d_model"]).values, dtype, strided)
            cache = None if n_past is None else (number(*past), number(*past))
            arguments = {"x": x} if cache is None else {"x": x, "cache": cache}
            drawn = Case(title, name, arguments, gradient, dict(sizes), block_weights(sizes, number))
            if _healthy(drawn):
                return drawn

    coarse = case("batch 2, 1 in the cache", "dtypes", (2,), 2, TWO_HEADS, 1, dtype="bfloat16")
    coarse.arguments["x"].values[:] *= 16  # no epsilon shows
    small = case("numbers near 0.001", "edges", (1,), 2, SHARED)
    small.arguments["x"].values[:] = small.arguments["x"].values / 1024
    several = "leading dimensions"
    return [
        case("2 tokens, d_model 2, 1 head", "values", (1,), 2, BY_HAND, gradient=True),
        case("3 tokens, 4 heads, 2 groups", "values", (1,), 3, SHARED),
        case("3 tokens, 2 heads of 4 channels, 1 group", "values", (1,), 3, WIDE_HEADS),
        case("batch 2, 5 tokens, 4 heads, 4 groups", "values", (2,), 5, {**SHARED, "n_groups": 4}),
        case("batch 4, 4 tokens, 4 heads, 2 groups", "values", (4,), 4, SHARED),
        case("one token", "first token", (1,), 1, BY_HAND),
        case("batch 3, one token", "first token", (3,), 1, SHARED),
        case("1 new token, 2 in the cache, 1 head", "cache", (1,), 1, BY_HAND, 2, gradient=True),
        case("2 new tokens, 1 in the cache, 1 head", "cache", (1,), 2, BY_HAND, 1),
        case("batch 2, 1 new token, 3 in the cache", "cache", (2,), 1, SHARED, 3),
        case("batch 2, 3 new tokens, 2 in the cache", "cache", (2,), 3, WIDE_HEADS, 2),
        case("batch 3, 3 new tokens, 3 in the cache", "cache", (3,), 3, SHARED, 3),
        case("no batch", several, (), 2, SHARED),
        case("no batch, 2 in the cache", several, (), 3, SHARED, 2),
        case("two batch dimensions, 2 in the cache", several, (2, 3), 2, SHARED, 2),
        case("inputs that are not contiguous", "strides", (2,), 4, SHARED, strided=True),
        large_scores(draw),
        small,
        coarse,
        case("batch 2, 1 in the cache", "dtypes", (2,), 2, TWO_HEADS, 1, dtype="float64"),
    ]


def large_scores(draw: Draw) -> Case:
    """Scores near ±10,000, far apart; those of the first token lie below whatever a blocked one may be filled with."""

    def of(values: object) -> Array:
        return Array(np.array(values, dtype=float), "float32")

    weights = block_weights(BY_HAND, lambda *shape: draw.halves(*shape, dtype="float32"))
    weights |= {f"{name}.weight": of([1.0, 1.0]) for name in ("norm_1", "norm_2")}
    weights |= {"w_query.weight": of(120 * np.eye(2)), "w_key.weight": of(-120 * np.eye(2))}
    x = of([[[1.0, 0.5], [-1.0, 0.5], [0.5, 1.0]]])
    cache = of([[[[86.0, -69.0], [110.0, -80.0]]]]), of([[[[1.0, -2.0], [0.5, 1.0]]]])
    return Case(
        "scores near ±10,000", "large scores", {"x": x, "cache": cache}, False, dict(BY_HAND), weights
    )


EXERCISE = ModuleExercise(
    name="DecoderOnlyBlock",
    prompt="The block of today's language models: rotary positions, shared keys, a cache, and a gated network.",
    points=4,
    difficulty=3,
    minutes=45,
    hints=(
        "The block has two branches of the same form: x = x + branch(norm(x)). Write the attention first, without a "
        "cache, and run the check: its first cases have none.",
        "Cut the projections into heads, and move the head axis before the tokens: queries into n_heads heads, keys "
        "and values into n_groups. `rotary` turns queries and keys by their positions, and then "
        "`grouped_query_attention` does the rest.",
        "With a cache of n_past tokens, the new ones stand at positions n_past, n_past + 1 … Turn the new keys, put "
        "them behind the cached ones, and hand on the longer pair. `causal_mask(n_queries, n_keys)` is aligned at the "
        "bottom right, which is what is needed here.",
        "The second branch is `w_down(F.silu(w_gate(y)) * w_up(y))` with y = norm_2(x). Here x already "
        "holds the sum that the first branch has made.",
    ),
    returns=Returns(
        names=("output", "keys", "values"),
        groups=(0, 2),
        axes=(
            "..., n_tokens, d_model",
            "..., n_groups, n_past + n_tokens, d_head",
            "..., n_groups, n_past + n_tokens, d_head",
        ),
    ),
    oracle=oracle,
    cases=cases,
    noise=backward_noise(block),
    variants=VARIANTS,
    words=WORDS,
)
