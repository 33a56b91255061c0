from course_attention.authoring import Array, Case, Draw, FunctionExercise, Returns, properties
from course_attention.exercises.common.attention import Pair
from course_attention.exercises.common.inputs import LOWEST, nothing_for
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import made
from course_attention.exercises.multi_head.heads import heads_oracle, multi_head_in_parts, multi_head_noise
from course_attention.exercises.multi_head.inputs import (
    BY_HAND,
    HEADS_DIVIDE,
    SQUARE_BY_HAND,
    drawn_weights,
    large_inputs,
)
from course_attention.exercises.multi_head.mistakes import MISTAKES
from course_attention.exercises.multi_head.words import WORDS


def oracle(x, w_query, w_key, w_value, w_out, n_heads, allowed=None) -> Pair:
    """Make queries, keys and values from x."""
    return heads_oracle(x, x, x, (w_query, w_key, w_value, w_out), n_heads, allowed)


def _function(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None, *, compute=multi_head_in_parts, **parts
) -> Pair:
    return compute(x, x, x, (w_query, w_key, w_value, w_out), n_heads, allowed, **parts)


def noise(x, w_query, w_key, w_value, w_out, n_heads, allowed=None) -> tuple[float, float]:
    return multi_head_noise(x, x, x, (w_query, w_key, w_value, w_out), n_heads)


BATCH_BY_HAND = f"batch 2, {BY_HAND}"

WEIGHTS = ("w_query", "w_key", "w_value", "w_out")


def cases(draw: Draw) -> list[Case]:
    """Plain, batched, square, masked, with nothing allowed, large, not contiguous, in three dtypes."""

    def arguments(batch, n, d_model, n_heads, sizes, allowed=None, strided=False, **kind) -> dict[str, object]:
        plain = {
            "x": draw.normal(*batch, n, d_model, strided=strided, **kind),
            **drawn_weights(draw, d_model, n_heads, *sizes, **kind),
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
    large = {**large_inputs(), "n_heads": 2}
    full, blind = draw.allowed(2, 5, 5), f"{BY_HAND}, nothing allowed for token 0"
    several, mask = properties.LEADING_DIMENSIONS, properties.MASK
    return [
        Case(BY_HAND, properties.VALUES, by_hand(), gradient=True),
        Case("2 tokens, 2 heads, d_key 2, d_value 1", properties.VALUES, small_scale),
        Case("5 tokens, 3 heads, d_key 2, d_value 4", properties.VALUES, arguments((), 5, 6, 3, (2, 4, 7))),
        Case("one head", properties.VALUES, arguments((), 3, 4, 1, (5, 2, 6))),
        Case("one token", properties.VALUES, arguments((), 1, 4, 2, (3, 5, 6), dtype="float32")),
        Case(BATCH_BY_HAND, several, by_hand(2)),
        Case("batch 2, 5 tokens, 3 heads", several, arguments((2,), 5, 6, 3, (4, 7, 8))),
        Case(
            "batch 3, 3 tokens, 3 heads, d_key 3",
            several,
            arguments((3,), 3, 9, 3, cube[1:], dtype="float32"),
        ),
        Case(
            "batch 4, 4 tokens, 4 heads, d_key 2",
            several,
            arguments((4,), 4, 8, 4, (2, 2, 8), dtype="float32"),
        ),
        Case("two batch dimensions", several, arguments((2, 3), 4, 5, 2, (3, 1, 6), dtype="float32")),
        Case(
            "inputs that are not contiguous",
            properties.STRIDES,
            arguments((2,), 4, 6, 3, (2, 5, 7), strided=True),
        ),
        Case(f"{BY_HAND}, masked", mask, by_hand(allowed=draw.allowed(3, 3)), gradient=True),
        Case(f"{SQUARE_BY_HAND}, masked", mask, by_hand(n=2, allowed=draw.allowed(2, 2))),
        Case("batch 2, a mask for each item", mask, arguments((2,), 5, 6, 3, (2, 4, 7), full)),
        Case(f"{BATCH_BY_HAND}, key padding (batch, 1, n_tokens)", mask, by_hand(2, allowed=draw.padded(2, 3))),
        Case(
            "batch 2, one mask for all",
            mask,
            arguments((2,), 4, 5, 3, (2, 3, 6), draw.allowed(4, 4), dtype="float32"),
        ),
        Case(
            "two batch dimensions, a mask for each item",
            mask,
            arguments((2, 3), 4, 5, 2, (3, 1, 6), draw.allowed(2, 3, 4, 4), dtype="float32"),
        ),
        Case(
            "batch 3, 3 tokens, 3 heads, masked",
            mask,
            arguments((3,), 3, 9, 3, cube[1:], draw.allowed(3, 3, 3)),
        ),
        Case("4 tokens, 4 heads, masked", mask, arguments((), 4, 8, 4, (2, 2, 8), draw.allowed(4, 4))),
        Case(
            "batch 3, 4 tokens, 3 heads, key padding",
            mask,
            arguments((3,), 4, 6, 3, (2, 2, 6), draw.padded(3, 4)),
        ),
        Case(blind, properties.NOTHING_ALLOWED, by_hand(allowed=nothing_for(0, 3, 3)), gradient=True),
        Case(
            "batch 2, nothing allowed for token 1",
            properties.NOTHING_ALLOWED,
            arguments((2,), 4, 5, 3, (2, 6, 7), nothing_for(1, 4, 4), dtype="float32"),
        ),
        Case("scores near ±10,000", properties.LARGE_SCORES, large),
        Case("scores near ±10,000, masked", properties.LARGE_SCORES, {**large, "allowed": LOWEST}),
        Case(
            "2 tokens, 3 heads, masked",
            properties.DTYPES,
            arguments((), 2, 5, 3, (2, 4, 3), draw.allowed(2, 2), dtype="bfloat16"),
        ),
        Case("batch 2, in float32", properties.DTYPES, arguments((2,), 5, 6, 3, (4, 2, 7), dtype="float32")),
    ]


EXERCISE = FunctionExercise(
    name="multi_head_attention",
    prompt="Self-attention with several heads: project, split, attend, merge, project.",
    points=4,
    difficulty=3,
    minutes=20,
    hints=(
        "Five steps, each with a function that you have: three projections, `split_heads` on each, `attention`, "
        "`merge_heads`, and one projection more. Write down the shape after each.",
        "`attention` takes any leading axes: with (…, n_heads, n_tokens, d_key) it treats a head like an item of a "
        "batch, and divides by the √d_key of one head.",
        "`allowed` has no axis for the heads, but the scores have one, right before their last two. An axis of "
        "size 1 there serves every head. Count from the end.",
    ),
    ready_made=ATTENTION,
    returns=Returns(names=("output", "weights"), axes=("..., n_tokens, d_out", "..., n_heads, n_tokens, n_tokens")),
    oracle=oracle,
    cases=cases,
    mutant_inputs=HEADS_DIVIDE,
    noise=noise,
    words=WORDS,
    misconceptions=made(_function, MISTAKES),
)
