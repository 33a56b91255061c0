from collections.abc import Callable

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import (
    SCALED,
    SCALES,
    Pair,
    attend,
    attention_noise,
    dot,
    largest,
    mixed,
    pairwise,
)
from course_attention.exercises.common.inputs import nothing_for, of, triple
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import changed, each, variants
from course_attention.exercises.long_context.sink_weights import (
    IN_THE_SUM,
    MASKED,
    OVERFLOWING,
    SUM_TO_ONE,
    WITH_COLUMN,
    WITHOUT_SOFTMAX,
    Weigh,
    along,
    weigh,
)
from course_attention.exercises.long_context.words import WORDS


def oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, sink: np.ndarray, allowed=None) -> Pair:
    """exp(s_ij) / (exp(sink) + Σ_j exp(s_ij)) over the allowed keys, row by row, and the average of the values."""
    scores = pairwise(query, key, lambda q, k: dot(q, k) / len(k) ** 0.5)
    allowed = np.ones(scores.shape, dtype=bool) if allowed is None else np.broadcast_to(allowed, scores.shape)
    sinks = np.broadcast_to(sink, scores.shape[:-2])
    weights = np.zeros(scores.shape)
    for row in np.ndindex(scores.shape[:-1]):
        own = float(sinks[row[:-1]])
        seen = np.flatnonzero(allowed[row])
        highest = max(own, *(scores[row][j] for j in seen)) if len(seen) else own
        total = np.exp(own - highest) + sum(np.exp(scores[row][j] - highest) for j in seen)
        for j in seen:
            weights[(*row, j)] = np.exp(scores[row][j] - highest) / total
    return mixed(weights, value), weights


Score = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
Place = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _for_each_head(sink: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return the sinks with an axis for the queries and one for the keys."""
    return sink[..., None, None]


def _with_sink(
    query,
    key,
    value,
    sink,
    allowed=None,
    *,
    score: Score = SCALED,
    place: Place = _for_each_head,
    weigh: Weigh = weigh,
    mix: Callable = lambda weights, key, value: weights @ value,
) -> Pair:
    scores = score(query, key, value)
    sink = place(sink, scores)
    scores = np.broadcast_to(scores, np.broadcast_shapes(scores.shape, sink.shape))  # a sink may bring an axis too many
    weights = weigh(scores, np.broadcast_to(sink, (*scores.shape[:-1], 1)), allowed)
    return mix(weights, key, value), weights


def _mix_columns(keys: slice) -> Callable[..., np.ndarray]:
    """Average the values with those columns of the weights that belong to keys."""
    return lambda weights, key, value: weights[..., keys] @ value


def _scaled_sink(query, key, value, sink, allowed=None) -> Pair:
    return _with_sink(query, key, value, sink / np.sqrt(key.shape[-1]), allowed)


def _scaled_up_sink(query, key, value, sink, allowed=None) -> Pair:
    return _with_sink(query, key, value, sink * np.sqrt(key.shape[-1]), allowed)


def _output_without(query, key, value, sink, allowed=None) -> Pair:
    """Take the output from the weights before the sink has its share of them."""
    return attend(query, key, value, allowed)[0], _with_sink(query, key, value, sink, allowed)[1]


def _weights_without(query, key, value, sink, allowed=None) -> Pair:
    return _with_sink(query, key, value, sink, allowed)[0], attend(query, key, value, allowed)[1]


def _by_queries(sink: np.ndarray, scores: np.ndarray) -> np.ndarray:
    return sink[..., None] if sink.ndim else sink


def _by_items(sink: np.ndarray, scores: np.ndarray) -> np.ndarray:
    return sink[..., None, None, None] if sink.ndim else sink


def _by_items_expanded(sink: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Do the same where the sinks are brought to the shape of the scores: without a batch it is an error."""
    return np.broadcast_to(_by_items(sink, scores), (*scores.shape[:-1], 1))


def _first(sink: np.ndarray, scores: np.ndarray) -> np.ndarray:
    return sink[..., :1, None, None] if sink.ndim else sink


def noise(query, key, value, sink, allowed=None) -> tuple[float, float]:
    """Of output and weights: as attention's own. A sum of exponentials may be taken through its logarithm."""
    weights = attention_noise(query, key, value)[1] + largest(sink)
    return weights * largest(value), weights


SMALL = "2 queries, 3 keys, d_key 2"
HEADS = "2 heads, 2 queries, 3 keys, d_key 1, d_value 1"


def cases(draw: Draw) -> list[Case]:
    """One head and several, masked and with nothing allowed, sinks far above and below the scores, in all dtypes."""

    def case(title, about, sizes, sink=(), allowed=None, by_hand=False, gradient=False, **kind) -> Case:
        *leading, n_queries, n_keys, d_key, d_value = sizes
        arguments = triple(draw, (*leading, n_queries, d_key), (*leading, n_keys, d_key), d_value, by_hand, **kind)
        arguments["sink"] = (draw.halves if by_hand else draw.normal)(*sink, **kind)
        if allowed is not None:
            arguments["allowed"] = allowed
        return Case(title, about, arguments, gradient)

    def far(title, sink, allowed=None, dtype="float64") -> Case:
        """Scores near ±10,000, of which the nearest of a row are half apart, and d_key 4."""
        query = [[[100.0, 0.0, 0.0, 0.0], [-100.0, 0.0, 0.0, 0.0]]] * 2
        key = [[[200.0, 1.0, -1.0, 0.5], [199.99, 0.5, 1.0, -1.0], [-200.0, -1.0, 0.5, 1.0]]] * 2
        if dtype == "float32":  # which holds 199.99 to three digits of the score only
            key = [[[200.0, 1.0, -1.0, 0.5], [199.0, 0.5, 1.0, -1.0], [-200.0, -1.0, 0.5, 1.0]]] * 2
        numbers = {"query": query, "key": key, "value": [[[1.0], [3.0], [-0.5]], [[2.0], [-1.0], [0.5]]], "sink": sink}
        arguments = {name: of(one, dtype) for name, one in numbers.items()}
        if allowed is not None:
            arguments["allowed"] = of(allowed, "bool")
        return Case(title, properties.LARGE_SCORES, arguments, gradient=dtype == "float64")

    def huge(title, sinks, allowed=None) -> Case:
        """Scores of a few units, and sinks that are ever so far from them."""
        arguments = triple(draw, (2, 2, 2), (2, 3, 2), 1, by_hand=True) | {"sink": of(sinks, "float64")}
        if allowed is not None:
            arguments["allowed"] = allowed
        return Case(title, properties.LARGE_SCORES, arguments, gradient=True)

    several, mask, nothing = properties.LEADING_DIMENSIONS, properties.MASK, properties.NOTHING_ALLOWED
    plain, small, cube = properties.VALUES, (2, 2, 3, 1, 1), (3, 3, 3, 3, 3, 3)
    padded = Array(draw.padded(2, 4).values[:, None], "bool")
    per_item = Array(np.stack([nothing_for(row, 3, 4).values for row in (0, 2)])[:, None], "bool")
    # The sinks weigh as much as some hundred keys.
    many = triple(draw, (2, 2, 3), (2, 257, 3), 2, dtype="float32") | {"sink": of([5.0, 6.5])}
    lowest = [[[False, False, True], [True, False, False]], [[False, True, False], [False, True, False]]]
    return [
        case("one head, 1 query, 2 keys, d_key 1, d_value 1", plain, (1, 2, 1, 1), by_hand=True, gradient=True),
        case(f"one head, {SMALL}, d_value 1", plain, (2, 3, 2, 1), by_hand=True, gradient=True),
        case(HEADS, plain, small, (2,), by_hand=True, gradient=True),
        case("one head, 3 queries, 5 keys", plain, (3, 5, 4, 6)),
        case("one head, more queries than keys", plain, (5, 3, 4, 2), dtype="float32"),
        case("one query, one key", plain, (1, 1, 3, 4), dtype="float32"),
        case("4 heads, 3 queries, 5 keys", plain, (4, 3, 5, 2, 6), (4,)),
        case("3 heads, every size 3", plain, (3, 3, 3, 3, 3), (3,)),
        case(f"batch 2, {HEADS}", several, (2, *small), (2,), by_hand=True),
        case("batch 2, 3 heads, 4 queries, 5 keys", several, (2, 3, 4, 5, 6, 7), (3,)),
        case("batch 3, 3 heads, every size 3", several, cube, (3,)),
        case("batch 2, 4 heads, one sink for all", several, (2, 4, 3, 5, 2, 6), dtype="float32"),
        case("batch 3, 2 heads, a sink for each item and head", several, (3, 2, 4, 5, 6, 7), (3, 2)),
        case("two batch axes, 4 heads", several, (2, 3, 4, 2, 5, 3, 6), (4,), dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2, 3, 4, 5, 6, 7), (3,), strided=True),
        case(f"one head, {SMALL}, masked", mask, (2, 3, 2, 1), (), draw.allowed(2, 3), by_hand=True, gradient=True),
        case(f"{HEADS}, masked", mask, small, (2,), draw.allowed(2, 3), by_hand=True, gradient=True),
        case("2 heads, a mask for each", mask, (2, 3, 4, 5, 6), (2,), draw.allowed(2, 3, 4)),
        case("3 heads, every size 3, masked", mask, (3, 3, 3, 3, 3), (3,), draw.allowed(3, 3)),
        case("batch 2, 3 heads, key padding", mask, (2, 3, 4, 4, 6, 5), (3,), padded),
        case("batch 2, 3 heads, a mask for each item", mask, (2, 3, 4, 5, 2, 6), (3,), draw.allowed(2, 1, 4, 5)),
        case("batch 3, 3 heads, every size 3, masked", mask, cube, (3,), draw.allowed(3, 1, 3, 3), dtype="float32"),
        case(
            f"one head, {SMALL}, nothing allowed for query 0",
            nothing,
            (2, 3, 2, 1),
            (),
            nothing_for(0, 2, 3),
            by_hand=True,
            gradient=True,
        ),
        case(
            f"{HEADS}, nothing allowed for query 1",
            nothing,
            small,
            (2,),
            nothing_for(1, 2, 3),
            by_hand=True,
            gradient=True,
        ),
        case("batch 2, nothing allowed for a query of each", nothing, (2, 3, 3, 4, 5, 6), (3,), per_item),
        # Broadcast over the keys: whoever widens the mask for a sink beside them has to widen it first.
        case("2 heads, a mask (n_queries, 1)", nothing, (2, 3, 4, 5, 6), (2,), of([[True], [False], [True]], "bool")),
        huge("2 heads, sinks of 10,000 and −10,000", [10000.0, -10000.0]),
        huge("2 heads, sinks of ±10,000, nothing allowed for query 0", [-10000.0, 10000.0], nothing_for(0, 2, 3)),
        far("scores near ±10,000, sinks among them", [10000.5, -9999.5]),
        far("scores near ±10,000, sinks among them, masked", [-10000.5, 9999.0], lowest),
        far("scores near ±10,000 in float32, sinks among them", [9999.0, -10001.0], dtype="float32"),
        Case("2 heads, 257 keys", properties.LONG_SEQUENCES, many),
        case("2 heads, 3 queries, 4 keys, masked", properties.DTYPES, (2, 3, 4, 5, 6), (2,), draw.allowed(3, 4)),
        case("batch 2, 4 heads", properties.DTYPES, (2, 4, 3, 5, 2, 6), (4,), dtype="float16"),
        case("2 heads, masked", properties.DTYPES, (2, 2, 3, 4, 5), (2,), draw.allowed(2, 3), dtype="bfloat16"),
    ]


def _sink_for_mutants(inputs) -> Array:
    leading = inputs.shape("...")
    return inputs.floats(*leading[inputs.whole(0, len(leading)) :])


EXERCISE = FunctionExercise(
    name="attention_with_sink",
    prompt="Compute attention in which a query may give a part of its weight to nothing, by a learned score.",
    points=3,
    difficulty=2,
    minutes=15,
    hints=(
        "Begin with the scaled and masked scores of `attention`. The sink is one more score in each row, which has a "
        "share of the softmax and no value.",
        "The sink is not a product of a query and a key, so it is not divided by √d_key. Which two axes are missing, "
        "so that the sink of a head lines up with the scores of all its queries?",
        "Attach the sink to the scores as one more column, take one softmax over all columns, and cut the column off "
        "again. What is left sums to less than 1 and stays so. `expand` gives the column its size.",
    ),
    ready_made=ATTENTION,
    returns=Returns(names=("output", "weights"), axes=("..., n_queries, d_value", "..., n_queries, n_keys")),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"sink": _sink_for_mutants},
    noise=noise,
    words=WORDS,
    misconceptions={
        "sink-with-a-value": Misconception(
            "There is no sink left: the weights of a query sum to 1",
            "The sink keeps its share of the weight, so what the keys get sums to less than 1. There are three ways "
            "to lose that share: the sink is in no sum, the weights are divided by their own sum afterwards, or the "
            "sink is added to every score, and a softmax does not see what all scores have in common.",
            each(_with_sink, "weigh", *SUM_TO_ONE),
        ),
        "sink-scaled": Misconception(
            "The sink is scaled by √d_key as well",
            "The division undoes the spread of a dot product. The sink is a learned number and no product: it enters "
            "the softmax as it is.",
            (_scaled_sink, _scaled_up_sink),
        ),
        "sink-not-exponentiated": Misconception(
            "The sink itself is added to the sum, not its exponential",
            "The sink is a score as the others are, and may be negative. What every score adds to the sum under the "
            "fraction is its exponential.",
            each(_with_sink, "weigh", *IN_THE_SUM["sink-not-exponentiated"]),
        ),
        "sink-taken-as-one": Misconception(
            "The sum has 1 added to it, whatever the sink is",
            "A 1 in the sum is the exponential of a score of 0. It belongs to a sink that is always 0, or always as "
            "large as the largest score where that is taken off first. Here each head has learned a sink of its own.",
            each(_with_sink, "weigh", *IN_THE_SUM["sink-taken-as-one"]),
        ),
        "sink-not-shifted": Misconception(
            "The largest score is taken off the scores, and not off the sink",
            "A softmax does not change when the same number is taken off all its scores. The sink is one of them, and "
            "the number has to be taken off it too.",
            each(_with_sink, "weigh", *IN_THE_SUM["sink-not-shifted"]),
        ),
        "sink-subtracted": Misconception(
            "The sink has the wrong sign",
            "The larger a sink, the less weight is left for the keys. So its exponential makes the sum under the "
            "fraction larger. Look for a minus before the sink, or before its exponential.",
            each(_with_sink, "weigh", *IN_THE_SUM["sink-subtracted"]),
        ),
        "sink-for-each-key": Misconception(
            "The sink is counted once for every key",
            "There is one sink for a query, however many keys it sees. When it is added before the sum over the keys "
            "is taken, the sum holds it n_keys times.",
            each(_with_sink, "weigh", *IN_THE_SUM["sink-for-each-key"]),
        ),
        "sink-share-exchanged": Misconception(
            "The keys get the share of the sink",
            "One share is e^sink of the whole sum, and the other is what the keys have of it. The keys were given the "
            "first.",
            each(_with_sink, "weigh", *IN_THE_SUM["sink-share-exchanged"]),
        ),
        "sink-as-gate": Misconception(
            "The sink takes the same share of every query",
            "A sigmoid of the sink knows nothing of the scores. The sink is one score more in each row, so its share "
            "is large where the scores of this row are low, and small where one of them is high.",
            each(_with_sink, "weigh", *IN_THE_SUM["sink-as-gate"]),
        ),
        "sink-at-other-end": Misconception(
            "A key was cut off, and the sink's weight was kept",
            "The column that is cut off after the softmax has to be the one that was attached before it. On which "
            "side of the scores is the sink?",
            each(_with_sink, "weigh", *IN_THE_SUM["sink-at-other-end"]),
        ),
        "sink-column-kept": Misconception(
            "The sink's weight is still among the weights",
            "The sink has no key, so the weights have no column for it: (…, n_queries, n_keys).",
            changed(_with_sink, *({"weigh": weigh, "mix": _mix_columns(keys)} for weigh, keys in WITH_COLUMN)),
        ),
        "sink-only-in-weights": Misconception(
            "The output is made without the sink",
            "The weights that come back are right, but the output was averaged with others, which sum to 1. The values "
            "are weighted by what is left after the sink has taken its share.",
            (_output_without,),
        ),
        "sink-only-in-output": Misconception(
            "The weights come back without the sink",
            "The output is right. The weights beside it should be those that the values were averaged with, which sum "
            "to less than 1.",
            (_weights_without,),
        ),
        "sink-on-queries": Misconception(
            "The sinks lie along the queries, not along the heads",
            "A head has one sink for all its queries. Where there are as many queries as heads, sinks with one axis "
            "too few behind them line up with the queries, and there is no error to tell.",
            each(_with_sink, "place", _by_queries),
        ),
        "sink-on-batch": Misconception(
            "The sinks lie along the batch, not along the heads",
            "The last axis of `sink` belongs to the axis just before the queries. With one axis too many behind them, "
            "the sinks line up with the one before.",
            each(_with_sink, "place", _by_items, _by_items_expanded),
        ),
        "sink-of-first-head": Misconception(
            "Every head uses the sink of head 0",
            "Each head has learned a sink of its own.",
            each(_with_sink, "place", _first),
        ),
        "softmax-over-queries": Misconception(
            "The softmax runs over the queries",
            "Each query shares out its attention over the keys and the sink, so the softmax runs along the last axis. "
            "Here each key shares itself out over the queries.",
            each(_with_sink, "weigh", *along(-2)),
        ),
        "softmax-over-batch": Misconception(
            "The softmax runs over the first axis",
            "Each query shares out its attention over the keys and the sink, so the softmax runs along the last axis. "
            "Over the first axis, one item of the batch changes another.",
            each(_with_sink, "weigh", *along(0)),
        ),
        "softmax-missing": Misconception(
            "The scores are used as weights, without a softmax",
            "Scores may be negative and sum to anything. Weights are positive, and those of a query and its sink sum "
            "to 1.",
            each(_with_sink, "weigh", *WITHOUT_SOFTMAX),
        ),
        **variants(
            _with_sink,
            "weigh",
            {
                "softmax-over-heads": along(-3),
                "softmax-overflows": OVERFLOWING,
                **MASKED,
            },
        ),
        **variants(_with_sink, "score", SCALES),
        "weights-times-keys": each(_with_sink, "mix", lambda weights, key, value: weights @ key),
        "mask-after-softmax": Misconception(
            "The mask is applied after the softmax",
            "The blocked weights are 0, but the others were computed with the blocked ones in the sum, so that they "
            "are too small.",
            each(_with_sink, "weigh", *MASKED["mask-after-softmax"]),
        ),
        "mask-fully-uniform": Misconception(
            "A query that may attend to nothing attends to blocked positions",
            "Such a query gets weights of 0 and an output of 0. The sink takes its whole weight, so the row needs no "
            "treatment of its own: its scores can be −∞ all of them.",
            each(_with_sink, "weigh", *MASKED["mask-fully-uniform"]),
        ),
        "mask-fully-nan": Misconception(
            "A query that may attend to nothing gives NaN",
            "Where the scores' own largest is −∞, or their own softmax is taken, the row holds −∞ − (−∞) or 0/0. With "
            "the sink among the scores, a row always has a finite one.",
            each(_with_sink, "weigh", *MASKED["mask-fully-nan"]),
        ),
    },
)
