from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import (
    ATTENTION_MISTAKES,
    SCALED,
    Pair,
    attend,
    attention_noise,
    attention_oracle,
)
from course_attention.exercises.common.inputs import nothing_for, of, triple
from course_attention.exercises.common.masking import soften, weigh
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import each
from course_attention.exercises.common.words import WORDS

Choose = Callable[[np.ndarray, int, "np.ndarray | None"], np.ndarray]
"""From index scores, k and a mask: which keys each query attends to."""


def oracle(query, key, value, index_scores, k, allowed=None) -> Pair:
    """For each query, the allowed keys one after another by index score; attention to the first k of them."""
    allowed = np.broadcast_to(True if allowed is None else allowed, index_scores.shape)
    chosen = np.zeros(index_scores.shape, dtype=bool)
    for row in np.ndindex(index_scores.shape[:-1]):
        left = [place for place in range(index_scores.shape[-1]) if allowed[row][place]]
        left.sort(key=index_scores[row].__getitem__, reverse=True)  # a sort keeps equal ones in their order
        chosen[row][left[:k]] = True
    return attention_oracle(query, key, value, chosen)


def first_of(scores: np.ndarray, k: int, axis: int = -1) -> np.ndarray:
    """Mark the k largest along an axis, of equal ones the first."""
    rank = np.argsort(np.argsort(-scores, axis=axis, kind="stable"), axis=axis)
    return rank < k


def choose(index_scores: np.ndarray, k: int, allowed: np.ndarray | None) -> np.ndarray:
    """Choose among the allowed keys."""
    if allowed is None:
        return first_of(index_scores, k)
    allowed = np.broadcast_to(allowed, index_scores.shape)
    return first_of(np.where(allowed, index_scores, -np.inf), k) & allowed


def top_k(query, key, value, index_scores, k, allowed=None, *, choose: Choose = choose, attend=attend) -> Pair:
    """Attention to the chosen keys."""
    return attend(query, key, value, choose(index_scores, k, allowed))


def _blocked_kept(index_scores, k, allowed):
    chosen = first_of(index_scores, k)
    return chosen if allowed is None else chosen & allowed


def _blocked_as_zero(index_scores, k, allowed, kept=False):
    if allowed is None:
        return first_of(index_scores, k)
    chosen = first_of(np.where(allowed, index_scores, 0.0), k)
    return chosen if kept else chosen & allowed


def _threshold(index_scores, k, allowed):
    among = index_scores if allowed is None else np.where(allowed, index_scores, -np.inf)
    lowest = -np.sort(-among, axis=-1)[..., min(k, among.shape[-1]) - 1, None]
    return (among >= lowest) & (True if allowed is None else np.broadcast_to(allowed, among.shape))


def _above_threshold(index_scores, k, allowed):
    """Take those above the k-th alone."""
    among = index_scores if allowed is None else np.where(allowed, index_scores, -np.inf)
    return among > -np.sort(-among, axis=-1)[..., min(k, among.shape[-1]) - 1, None]


def _last_of_equal(index_scores, k, allowed):
    turned = choose(
        index_scores[..., ::-1], k, None if allowed is None else np.broadcast_to(allowed, index_scores.shape)[..., ::-1]
    )
    return turned[..., ::-1]


def _off_by(step: int) -> Choose:
    return lambda index_scores, k, allowed: choose(index_scores, k + step, allowed)


def _all_but_k(index_scores, k, allowed):
    left = np.broadcast_to(True if allowed is None else allowed, index_scores.shape)
    return left & ~choose(index_scores, k, allowed)


def _over_queries(index_scores, k, allowed):
    """For each key, the k queries with the largest index scores."""
    if allowed is None:
        return first_of(index_scores, k, axis=-2)
    allowed = np.broadcast_to(allowed, index_scores.shape)
    return first_of(np.where(allowed, index_scores, -np.inf), k, axis=-2) & allowed


def _one_choice(combine: Callable) -> Choose:
    """Choose the same keys for all queries, by the index scores of all together."""

    def chosen(index_scores, k, allowed):
        together = combine(index_scores, axis=-2, keepdims=True)
        return choose(np.broadcast_to(together, index_scores.shape), k, allowed)

    return chosen


def _first_keys(index_scores, k, allowed):
    return choose(np.zeros(index_scores.shape), k, None) & (True if allowed is None else allowed)


def _scaled_by_k(query, key, value, index_scores, k, allowed=None) -> Pair:
    """Divide by the root of the number of keys that are chosen."""
    scores = SCALED(query, key, value) * (query.shape[-1] / k) ** 0.5
    weights = weigh(scores, choose(index_scores, k, allowed))
    return weights @ value, weights


def _smallest(index_scores, k, allowed):
    return choose(-index_scores, k, allowed)


def _by_size(index_scores, k, allowed):
    return choose(np.abs(index_scores), k, allowed)


def _read_as(change: Callable[[np.ndarray], np.ndarray | None]) -> tuple[Callable[..., Pair], ...]:
    """Read the mask as another one, in the choice and in the softmax, with what may become of rows of nothing."""

    def chosen(index_scores, k, allowed):
        return choose(index_scores, k, None if allowed is None else change(allowed))

    return tuple(partial(top_k, choose=chosen, attend=partial(attend, weigh=way)) for way in (weigh, _nan, _even))


def _nan(scores, chosen):
    return soften(np.where(chosen, scores, -np.inf))


def _even(scores, chosen):
    return soften(np.where(chosen, scores, -1e30))


def _over_all(query, key, value, index_scores, k, allowed=None, *, among_allowed=True) -> Pair:
    """Take the softmax over all keys, and set the weights of the others to 0."""
    weights = weigh(SCALED(query, key, value), allowed if among_allowed else None)
    weights = np.where(choose(index_scores, k, allowed), weights, 0.0)
    return weights @ value, weights


def _mask_at_the_end(query, key, value, index_scores, k, allowed=None) -> Pair:
    """Choose among all keys, and set blocked weights to 0 after the softmax."""
    weights = weigh(SCALED(query, key, value), first_of(index_scores, k))
    weights = weights if allowed is None else weights * allowed
    return weights @ value, weights


def _by_attention(query, key, value, index_scores, k, allowed=None) -> Pair:
    return top_k(query, key, value, SCALED(query, key, value), k, allowed)


def _index_as_scores(query, key, value, index_scores, k, allowed=None) -> Pair:
    weights = weigh(index_scores, choose(index_scores, k, allowed))
    return weights @ value, weights


def _index_added(query, key, value, index_scores, k, allowed=None) -> Pair:
    weights = weigh(SCALED(query, key, value) + index_scores, choose(index_scores, k, allowed))
    return weights @ value, weights


def _nothing_as(filler: Callable[..., np.ndarray]) -> Callable[..., Pair]:
    """Give a row of nothing other weights than 0."""

    def compute(query, key, value, index_scores, k, allowed=None):
        output, weights = top_k(query, key, value, index_scores, k, allowed)
        if allowed is None:
            return output, weights
        some = np.broadcast_to(allowed, index_scores.shape).any(axis=-1, keepdims=True)
        weights = np.where(some, weights, filler(SCALED(query, key, value), index_scores, k))
        return weights @ value, weights

    return compute


def _everything(query, key, value, index_scores, k, allowed=None) -> Pair:
    return attend(query, key, value, allowed)


def noise(query, key, value, index_scores, k, allowed=None) -> tuple[float, float]:
    """Of output and weights."""
    return attention_noise(query, key, value, allowed)


SMALL = "2 queries, 3 keys, k 2, d_key 2, d_value 1"


def cases(draw: Draw) -> list[Case]:
    """One key and all of them, equal index scores, fewer allowed than k, and indices that contradict the scores."""

    def case(title, name, batch, sizes, k, allowed=None, by_hand=False, gradient=False, index=None, **kind) -> Case:
        n_queries, n_keys, d_key, d_value = sizes
        query, key = (*batch, n_queries, d_key), (*batch, n_keys, d_key)
        arguments = triple(draw, query, key, d_value, by_hand, **kind)
        shape, dtype = (*batch, n_queries, n_keys), arguments["query"].dtype
        # Each row is another order of as many numbers, so that no two are equal; some are negative.
        ranks = draw.rng.permuted(np.broadcast_to(np.arange(n_keys) - n_keys // 2, shape), axis=-1)
        numbers = ranks / 2 if index is None else np.broadcast_to(index, shape)
        strided = kind.get("strided", False)
        arguments["index_scores"] = Array(np.array(numbers, dtype=float), dtype, strided, wants_gradient=False)
        return Case(title, name, arguments | {"k": k, "allowed": allowed}, gradient)

    small = (2, 3, 2, 1)
    equal = np.array([[1.0, 2.0, 1.0, 1.0, 0.0], [-1.0, -1.0, -1.0, -2.0, -1.0]])
    wide = draw.rng.integers(0, 3, size=(3, 40)).astype(float)
    below_zero = np.array([[-1.0, -2.0, -3.0, -4.0], [-4.0, -3.0, -2.0, -1.0]])
    few = of([[True, False, False, True], [False, True, False, False]], "bool")
    large = {
        "query": of([[100.0, 0.0], [0.0, -100.0]]),
        "key": of([[150.0, 0.0], [0.0, 150.0], [100.0, 100.0]]),
        "value": of([[1.0, -2.0], [3.0, 1.0], [-1.0, 4.0]]),
        "index_scores": Array(np.array([[0.0, 1.0, 0.5], [1.0, 0.5, 0.0]]), "float32", wants_gradient=False),
        "k": 2,
        "allowed": None,
    }
    lowest = {
        "query": of([[-100.0, 0.0], [0.0, -100.0]]),
        "index_scores": Array(np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0]]), "float32", wants_gradient=False),
        "k": 1,
    }
    several, masked, far = properties.LEADING_DIMENSIONS, properties.MASK, properties.LONG_SEQUENCES
    ties = properties.EQUAL_INDEX_SCORES
    return [
        case(SMALL, properties.VALUES, (), small, 2, by_hand=True, gradient=True),
        case("2 queries, 3 keys, k 1", properties.VALUES, (), small, 1, by_hand=True),
        case("4 queries, 5 keys, k 3", properties.VALUES, (), (4, 5, 3, 2), 3),
        case("5 queries, 4 keys, k 2", properties.VALUES, (), (5, 4, 3, 2), 2, dtype="float32"),
        case("4 queries, 4 keys, k 3, every size 4", properties.VALUES, (), (4, 4, 4, 4), 3),
        case("3 keys, k 3", properties.VALUES, (), small, 3, by_hand=True),
        case("3 keys, k 7", properties.VALUES, (), (2, 3, 2, 4), 7),
        case("equal index scores, k 3", ties, (), (2, 5, 2, 1), 3, index=equal, by_hand=True),
        case("40 keys, k 9, many equal index scores", ties, (), (3, 40, 2, 2), 9, index=wide),
        case(f"batch 2, {SMALL}", several, (2,), small, 2, by_hand=True),
        case("batch 3, 3 queries, 3 keys, k 2", several, (3,), (3, 3, 3, 3), 2),
        # k is larger than any axis but the last, so that a limit read from another axis shows.
        case("two batch dimensions, k 4", several, (2, 3), (2, 5, 3, 2), 4, dtype="float32"),
        case("257 keys, k 130", far, (), (2, 257, 2, 1), 130, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2,), (3, 5, 4, 2), 2, strided=True),
        case("2 queries, 4 keys, k 2, masked", masked, (), (2, 4, 2, 1), 2, draw.allowed(2, 4), True, True),
        case("fewer allowed than k", masked, (), (2, 4, 2, 1), 3, few, by_hand=True),
        case("negative index scores, masked, k 2", masked, (), (2, 4, 2, 1), 2, draw.allowed(2, 4), index=below_zero),
        case("batch 2, a mask for each item, k 2", masked, (2,), (3, 5, 4, 2), 2, draw.allowed(2, 3, 5)),
        case("batch 2, key padding (batch, 1, n_keys), k 2", masked, (2,), (3, 4, 2, 2), 2, draw.padded(2, 4)),
        case("3 queries, 3 keys, batch 3, masked, k 2", masked, (3,), (3, 3, 3, 3), 2, draw.allowed(3, 3, 3)),
        case(
            "nothing allowed for query 0",
            properties.NOTHING_ALLOWED,
            (),
            (2, 3, 2, 1),
            2,
            nothing_for(0, 2, 3),
            by_hand=True,
            gradient=True,
        ),
        case("4 queries, nothing for query 2", properties.NOTHING_ALLOWED, (2,), (4, 5, 3, 2), 3, nothing_for(2, 4, 5)),
        Case("scores of ±15,000", properties.LARGE_SCORES, large),
        Case("the lowest score of ±15,000 is chosen", properties.LARGE_SCORES, large | lowest),
        case("batch 2, in float32", properties.DTYPES, (2,), (3, 5, 4, 2), 2, dtype="float32"),
        case(
            "2 queries, 4 keys, k 2, masked",
            properties.DTYPES,
            (),
            (2, 4, 3, 2),
            2,
            draw.allowed(2, 4),
            dtype="bfloat16",
        ),
    ]


def _with_scores(name: str) -> tuple[Callable[..., Pair], ...]:
    """Make a mistake of attention, on the chosen keys."""
    return tuple(partial(top_k, attend=wrong) for wrong in ATTENTION_MISTAKES[name])


EXERCISE = FunctionExercise(
    name="top_k_attention",
    prompt="Let each query attend only to the k allowed keys with the largest index scores.",
    points=3,
    difficulty=3,
    minutes=20,
    hints=(
        "There are two kinds of scores. The index scores choose the keys, and nothing else. The softmax runs over the "
        "scores of `attention`, on the chosen keys. So build a mask of the chosen keys, and you know the rest.",
        "Only allowed keys may be chosen, so block the others before you choose: give them an index score of −∞. Where "
        "fewer than k are allowed, blocked ones are among the first k all the same, and have to go afterwards.",
        "Of equal index scores the first count. `sort(dim=-1, descending=True, stable=True)` keeps equal ones in their "
        "order, which `topk` does not promise. The first k of its indices become a mask with `scatter`.",
    ),
    ready_made=ATTENTION,
    oracle=oracle,
    cases=cases,
    noise=noise,
    mutant_inputs={"k": lambda inputs: int(inputs.rng.integers(1, 5))},
    returns=Returns(names=("output", "weights"), axes=("..., n_queries, d_value", "..., n_queries, n_keys")),
    words=WORDS,
    misconceptions={
        "top-k-of-attention-scores": Misconception(
            "The keys are chosen by the scores of attention, and not by the index",
            "The index exists so that the scores of attention need not be computed for all keys. It decides, even "
            "where it is wrong.",
            (_by_attention,),
        ),
        "top-k-blocked-kept": Misconception(
            "The k largest are chosen before the mask, and blocked ones are dropped afterwards",
            "Then fewer than k keys are left, though more are allowed. Block first, and choose then.",
            each(top_k, "choose", _blocked_kept),
        ),
        "top-k-blocked-as-zero": Misconception(
            "A blocked key gets an index score of 0",
            "Index scores may be negative, and then 0 is the largest: the blocked key is chosen. Which number is "
            "smaller than every index score?",
            each(top_k, "choose", _blocked_as_zero, partial(_blocked_as_zero, kept=True)),
        ),
        "top-k-threshold": Misconception(
            "Every key that is not below the k-th is taken",
            "Where several keys have the index score of the k-th, this is more than k keys. Of equal ones the first "
            "are taken.",
            each(top_k, "choose", _threshold),
        ),
        "top-k-above-threshold": Misconception(
            "Only keys above the k-th are taken",
            "The k-th largest belongs to the k largest.",
            each(top_k, "choose", _above_threshold),
        ),
        "top-k-last-of-equal": Misconception(
            "Of equal index scores the last are taken",
            "An ascending sort that is read from its end turns the order of equal keys around. The first count.",
            each(top_k, "choose", _last_of_equal),
        ),
        "top-k-not-renormalised": Misconception(
            "The softmax runs over all keys, and the others are set to 0 afterwards",
            "Then the weights of the chosen keys do not sum to 1. A key that is not chosen is blocked: it has no part "
            "in the sum.",
            (_over_all, partial(_over_all, among_allowed=False)),
        ),
        "top-k-others-kept": Misconception(
            "A key that is not chosen keeps a weight",
            "Its score becomes an ordinary number, and exp of that is not 0. Among scores that are lower still it even "
            "wins. Which score has exp = 0?",
            tuple(
                variant
                for name in ("mask-scores-to-zero", "mask-tiny-fill", "mask-added-as-01")
                for variant in _with_scores(name)
            ),
        ),
        "top-k-smallest": Misconception(
            "The keys with the smallest index scores are taken",
            "In which order does your sort leave them? The largest index scores are asked for.",
            each(top_k, "choose", _smallest),
        ),
        "top-k-by-size": Misconception(
            "Keys are chosen by the size of the index score, without its sign",
            "A very negative index score says that this key does not matter.",
            each(top_k, "choose", _by_size),
        ),
        "top-k-rest": Misconception(
            "The chosen keys are blocked, and the others are kept",
            "A mask of the course is True where a query may attend, so True belongs to the chosen keys.",
            each(top_k, "choose", _all_but_k),
        ),
        "top-k-off-by-one": Misconception(
            "One key too many or too few is taken",
            "Count the weights in a row that are not 0: there should be k, where as many are allowed.",
            each(top_k, "choose", _off_by(1), _off_by(-1)),
        ),
        "top-k-over-queries": Misconception(
            "For each key the k largest queries are chosen",
            "Rows are queries. Each query chooses among the keys, along the last axis.",
            each(top_k, "choose", _over_queries),
        ),
        "top-k-one-choice": Misconception(
            "All queries share one choice of keys",
            "Each query has a row of index scores of its own, and chooses its own keys.",
            each(top_k, "choose", _one_choice(np.mean), _one_choice(np.max)),
        ),
        "top-k-first-keys": Misconception(
            "The first k keys are taken, whatever their index scores are",
            "A sort gives the scores in a new order, and the places that they came from. Which of the two says where "
            "the chosen keys stand?",
            each(top_k, "choose", _first_keys),
        ),
        "top-k-index-as-scores": Misconception(
            "The weights are the softmax of the index scores",
            "The index chooses. How much each chosen key counts is decided by q·k / √d_key.",
            (_index_as_scores,),
        ),
        "top-k-index-added": Misconception(
            "The index scores are added to the scores of attention",
            "The scores are those of `attention`. The index has done its work when the keys are chosen.",
            (_index_added,),
        ),
        "top-k-ignored": Misconception(
            "Every allowed key is attended to",
            "This is attention without a choice. k and the index scores have no effect.",
            (_everything,),
        ),
        "scale-wrong-axis": (*_with_scores("scale-wrong-axis"), _scaled_by_k),
        "mask-inverted": _read_as(np.logical_not),
        "mask-ignored": _read_as(lambda allowed: None),
        "mask-after-softmax": (_mask_at_the_end,),
        "mask-fully-nan": (_nothing_as(lambda scores, index_scores, k: np.full(scores.shape, np.nan)),),
        "mask-fully-uniform": (
            _nothing_as(lambda scores, index_scores, k: np.full(scores.shape, 1 / scores.shape[-1])),
            _nothing_as(lambda scores, index_scores, k: weigh(scores, first_of(np.zeros(scores.shape), k))),
            _nothing_as(lambda scores, index_scores, k: weigh(scores, first_of(index_scores, k))),
            _nothing_as(lambda scores, index_scores, k: soften(scores)),
            _nothing_as(
                lambda scores, index_scores, k: soften(np.where(first_of(np.zeros(scores.shape), k), 0.0, -np.inf))
            ),
        ),
        **{
            name: _with_scores(name)
            for name in (
                "no-scale",
                "scale-by-d",
                "scale-multiplied",
                "softmax-over-queries",
                "softmax-over-everything",
                "softmax-overflows",
                "softmax-missing",
                "key-reshaped",
                "weights-times-keys",
            )
        },
    },
)
