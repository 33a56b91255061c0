from course_attention.authoring import Case, Draw, FunctionExercise, Returns, properties
from course_attention.exercises.attention.inputs import (
    BATCH_BY_HAND,
    BY_HAND,
    inputs_by_hand,
    large_inputs,
    triple,
)
from course_attention.exercises.attention.words import WORDS
from course_attention.exercises.common.attention import ATTENTION_MISTAKES, attention_noise, attention_oracle
from course_attention.exercises.common.inputs import nothing_for, nothing_in_one_item, of
from course_attention.exercises.common.ready_made import ATTENTION

# Allows only the lowest score of each query: a fill that is not low enough shows.
_LOWEST = of([[False, True, False], [True, False, False]], "bool")


def cases(draw: Draw) -> list[Case]:
    """Plain, batched, square, masked, with nothing allowed, large, not contiguous, in three dtypes."""
    by_hand = inputs_by_hand(draw)
    masked = {**inputs_by_hand(draw), "allowed": draw.allowed(2, 3)}
    full = {**triple(draw, (2,), 3, 5, 4, 6), "allowed": draw.allowed(2, 3, 5)}
    padded = {**inputs_by_hand(draw, 2), "allowed": draw.padded(2, 3)}
    shared = {**triple(draw, (3, 2), 3, 4, 5, 2), "allowed": draw.allowed(3, 4)}
    square = {**triple(draw, (3,), 3, 3, 3, 3), "allowed": draw.allowed(3, 3, 3)}
    square_padded = {**triple(draw, (3,), 4, 4, 4, 4), "allowed": draw.padded(3, 4)}
    blind = {**inputs_by_hand(draw), "allowed": nothing_for(0, 2, 3)}
    blind_batch = {**triple(draw, (2,), 3, 4, 5, 6, dtype="float32"), "allowed": nothing_for(1, 3, 4)}
    blind_items = {**triple(draw, (2,), 3, 4, 5, 6), "allowed": nothing_in_one_item(3, 4)}
    all_or_nothing = {**triple(draw, (), 3, 4, 2, 2), "allowed": of([[True], [False], [True]], "bool")}
    lone = {**triple(draw, (), 2, 1, 3, 2), "allowed": of([[False], [True]], "bool")}
    more_queries = {**triple(draw, (), 5, 3, 2, 4), "allowed": None}
    each = {**triple(draw, (3, 2), 2, 4, 3, 5), "allowed": draw.allowed(3, 2, 2, 4)}
    halved = {**triple(draw, (), 2, 3, 4, 5, dtype="bfloat16"), "allowed": draw.allowed(2, 3)}
    several = properties.LEADING_DIMENSIONS
    return [
        Case(BY_HAND, properties.VALUES, by_hand, gradient=True),
        Case("more queries than keys", properties.VALUES, more_queries),
        Case("one query, one key", properties.VALUES, triple(draw, (), 1, 1, 3, 4, dtype="float32")),
        Case(BATCH_BY_HAND, several, inputs_by_hand(draw, 2)),
        Case("batch 2, 3 queries, 5 keys", several, triple(draw, (2,), 3, 5, 4, 6)),
        Case("3 queries, 3 keys, d_key 3, batch 3", several, triple(draw, (3,), 3, 3, 3, 3)),
        Case("two batch dimensions", several, triple(draw, (2, 3), 4, 5, 2, 6, dtype="float32")),
        Case("inputs that are not contiguous", properties.STRIDES, triple(draw, (2,), 3, 4, 5, 6, strided=True)),
        Case(f"{BY_HAND}, masked", properties.MASK, masked, gradient=True),
        Case("batch 2, a mask for each item", properties.MASK, full),
        Case(f"{BATCH_BY_HAND}, key padding (batch, 1, n_keys)", properties.MASK, padded),
        Case("two batch dimensions, one mask for all", properties.MASK, shared),
        Case("two batch dimensions, a mask for each item", properties.MASK, each),
        Case("3 queries, 3 keys, batch 3, masked", properties.MASK, square),
        Case("4 queries, 4 keys, key padding", properties.MASK, square_padded),
        Case(f"{BY_HAND}, nothing allowed for query 0", properties.NOTHING_ALLOWED, blind, gradient=True),
        Case("batch 2, nothing allowed for query 1", properties.NOTHING_ALLOWED, blind_batch),
        Case(
            "batch 2, a mask for each item, nothing allowed for one query",
            properties.NOTHING_ALLOWED,
            blind_items,
        ),
        Case("a mask (n_queries, 1), nothing allowed for query 1", properties.NOTHING_ALLOWED, all_or_nothing),
        Case("2 queries, one key, nothing allowed for query 0", properties.NOTHING_ALLOWED, lone),
        Case("scores near ±10,000", properties.LARGE_SCORES, large_inputs()),
        Case("scores near ±10,000, masked", properties.LARGE_SCORES, {**large_inputs(), "allowed": _LOWEST}),
        Case("2 queries, 3 keys, masked", properties.DTYPES, halved),
        Case("batch 2, in float32", properties.DTYPES, triple(draw, (2,), 3, 5, 4, 6, dtype="float32")),
    ]


EXERCISE = FunctionExercise(
    name="attention",
    prompt="Compute softmax(Q Kᵀ / √d_key) V, with an optional mask, and give the output and the weights.",
    points=4,
    difficulty=2,
    minutes=20,
    hints=(
        "Four steps: scores, scale, softmax, average. Write down the shape after each.",
        "The scores are (…, n_queries, n_keys): a product of the query with the key, its last two axes exchanged. "
        "`.mT` exchanges them whatever comes before.",
        "The softmax runs over the keys, the last axis. A blocked score is −∞ before it. A query that may attend "
        "to nothing would have only −∞: find such rows with `allowed.any`, and give them weights of 0.",
    ),
    ready_made=ATTENTION,
    returns=Returns(names=("output", "weights"), axes=("..., n_queries, d_value", "..., n_queries, n_keys")),
    oracle=attention_oracle,
    cases=cases,
    noise=attention_noise,
    words=WORDS,
    misconceptions=ATTENTION_MISTAKES,
)
