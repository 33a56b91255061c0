from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import (
    Array,
    Case,
    Draw,
    FunctionExercise,
    Misconception,
    Returns,
    properties,
    rounded,
)
from course_attention.exercises.common.masking import overflowing, overflowing_clamped, overflowing_logarithm
from course_attention.exercises.common.variants import changed
from course_attention.exercises.common.words import WORDS


def oracle(logits: np.ndarray, temperature: float = 1.0, top_k=None, top_p=None) -> np.ndarray:
    """One row after another: its tokens from the most probable to the least, and how many of them stay."""
    probabilities = np.zeros(logits.shape)
    for row in np.ndindex(logits.shape[:-1]):
        ranked = sorted(range(logits.shape[-1]), key=lambda token: (-logits[row][token], token))
        if temperature == 0:
            probabilities[(*row, ranked[0])] = 1.0
            continue
        largest = logits[row][ranked[0]]
        exponentials = {token: np.exp((logits[row][token] - largest) / temperature) for token in ranked}
        kept = ranked if top_k is None else ranked[:top_k]
        total, reached = sum(exponentials[token] for token in kept), 0.0
        for place, token in enumerate(kept):
            reached += exponentials[token] / total
            if top_p is not None and reached >= top_p:
                kept = kept[: place + 1]
                break
        total = sum(exponentials[token] for token in kept)
        for token in kept:
            probabilities[(*row, token)] = exponentials[token] / total
    return probabilities


# The computation in a few lines, each part exchangeable for a wrong one. A filter says which tokens stay.

Filter = Callable[[np.ndarray, float], np.ndarray]


def _exponential(logits: np.ndarray, temperature: float) -> np.ndarray:
    scaled = logits / temperature
    return np.exp(scaled - scaled.max(axis=-1, keepdims=True))


def _shares(exponentials: np.ndarray, axis: int | None = -1) -> np.ndarray:
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _order(probabilities: np.ndarray) -> np.ndarray:
    return np.argsort(-probabilities, axis=-1, kind="stable")


def _rank(probabilities: np.ndarray) -> np.ndarray:
    return np.argsort(_order(probabilities), axis=-1, kind="stable")


def _most_probable(probabilities: np.ndarray, k: float) -> np.ndarray:
    return _rank(probabilities) < k


def _until_reached(probabilities: np.ndarray, p: float, more: int = 0) -> np.ndarray:
    """Keep the fewest tokens whose sum reaches p, and some more, or fewer."""
    ordered = np.take_along_axis(probabilities, _order(probabilities), axis=-1)
    count = (ordered.cumsum(axis=-1) < p).sum(axis=-1, keepdims=True) + 1 + more
    return _rank(probabilities) < count


def _least_dropped(probabilities: np.ndarray, p: float) -> np.ndarray:
    """Drop from the least probable token up, as long as the sum is no more than p; the most probable one stays."""
    backwards = _order(probabilities)[..., ::-1]
    ordered = np.take_along_axis(probabilities, backwards, axis=-1)
    dropped = (ordered.cumsum(axis=-1) <= p).sum(axis=-1, keepdims=True)
    rank_from_below = probabilities.shape[-1] - 1 - _rank(probabilities)
    return (rank_from_below >= dropped) | (_rank(probabilities) == 0)


def _order_not_undone(probabilities: np.ndarray, p: float) -> np.ndarray:
    """Take what is said of the first, second … in order for the first, second … of the vocabulary."""
    return np.take_along_axis(_until_reached(probabilities, p), _order(probabilities), axis=-1)


def _one_hot(logits: np.ndarray) -> np.ndarray:
    return np.arange(logits.shape[-1]) == logits.argmax(axis=-1)[..., None]


def _kept(probabilities: np.ndarray, stays: np.ndarray) -> np.ndarray:
    return _shares(np.where(stays, probabilities, 0.0))


def _in_turn(probabilities: np.ndarray, top_k, top_p, by_k: Filter, by_p: Filter, keep=_kept) -> np.ndarray:
    if top_k is not None:
        probabilities = keep(probabilities, by_k(probabilities, top_k))
    if top_p is not None:
        probabilities = keep(probabilities, by_p(probabilities, top_p))
    return probabilities


def _p_first(probabilities, top_k, top_p, by_k: Filter, by_p: Filter, keep=_kept) -> np.ndarray:
    return _in_turn(_in_turn(probabilities, None, top_p, by_k, by_p, keep), top_k, None, by_k, by_p, keep)


def _only_k(probabilities, top_k, top_p, by_k: Filter, by_p: Filter, keep=_kept) -> np.ndarray:
    return _in_turn(probabilities, top_k, top_p if top_k is None else None, by_k, by_p, keep)


def _only_p(probabilities, top_k, top_p, by_k: Filter, by_p: Filter, keep=_kept) -> np.ndarray:
    return _in_turn(probabilities, top_k if top_p is None else None, top_p, by_k, by_p, keep)


def _sampled(
    logits,
    temperature=1.0,
    top_k=None,
    top_p=None,
    *,
    greedy: Callable | None = _one_hot,
    soften: Callable = lambda logits, temperature: _shares(_exponential(logits, temperature)),
    combine: Callable = _in_turn,
    by_k: Filter = _most_probable,
    by_p: Filter = _until_reached,
    keep: Callable = _kept,
) -> np.ndarray:
    if temperature == 0 and greedy is not None:
        return greedy(logits).astype(float)
    return combine(soften(logits, temperature), top_k, top_p, by_k, by_p, keep)


def _chosen_before_temperature(logits, temperature=1.0, top_k=None, top_p=None) -> np.ndarray:
    """Show the filters the probabilities of temperature 1."""
    if temperature == 0:
        return _one_hot(logits).astype(float)
    stays = _sampled(logits, 1.0, top_k, top_p) > 0
    return _kept(_shares(_exponential(logits, temperature)), stays)


def _returned_in_order(logits, temperature=1.0, top_k=None, top_p=None) -> np.ndarray:
    return -np.sort(-_sampled(logits, temperature, top_k, top_p), axis=-1)


def _greedy_without_filters(logits, temperature=1.0, top_k=None, top_p=None) -> np.ndarray:
    if temperature == 0 and (top_k is not None or top_p is not None):
        return np.full(logits.shape, np.nan)
    return _sampled(logits, temperature, top_k, top_p)


def _shared_among_equals(logits: np.ndarray) -> np.ndarray:
    return _shares((logits == logits.max(axis=-1, keepdims=True)).astype(float))


def _multiplied(logits: np.ndarray, temperature: float) -> np.ndarray:
    return _shares(_exponential(logits * temperature, 1.0))


def _softmax_again(probabilities: np.ndarray, stays: np.ndarray) -> np.ndarray:
    """Take a softmax of what is kept, and of the zeros beside it."""
    return _shares(_exponential(np.where(stays, probabilities, 0.0), 1.0))


def _logits_to_zero_by_k(logits, temperature=1.0, top_k=None, top_p=None) -> np.ndarray:
    """Set the logits that top_k drops to 0, and let top_p drop probabilities."""
    if temperature == 0:
        return _one_hot(logits).astype(float)
    from_k = None if top_k is None else _logits_to_zero(logits, temperature, top_k)
    probabilities = _shares(_exponential(logits, temperature)) if from_k is None else from_k
    return _in_turn(probabilities, None, top_p, _most_probable, _until_reached)


def _logits_to_zero(logits, temperature=1.0, top_k=None, top_p=None) -> np.ndarray:
    """Set a blocked logit to 0, which is a logit like any other."""
    if temperature == 0:
        return _one_hot(logits).astype(float)
    scaled = logits / temperature
    for number, filter in ((top_k, _most_probable), (top_p, _until_reached)):
        if number is not None:
            scaled = np.where(filter(_shares(_exponential(scaled, 1.0)), number), scaled, 0.0)
    return _shares(_exponential(scaled, 1.0))


def _ways(part: str, *ways: object) -> tuple[Callable[..., np.ndarray], ...]:
    return tuple(partial(_sampled, **{part: way}) for way in ways)  # type: ignore[arg-type] # any part


def _softened(*ways: Callable[[np.ndarray, float], np.ndarray]) -> tuple[Callable[..., np.ndarray], ...]:
    return _ways("soften", *ways)


def noise(logits: np.ndarray, temperature: float = 1.0, top_k=None, top_p=None) -> tuple[float]:
    return (float(np.abs(logits).max()) / (temperature or 1.0) + logits.shape[-1],)


LEAST_GAP, LEAST_MARGIN = 0.2, 0.03


def cases(draw: Draw) -> list[Case]:
    """Each number alone, all together, temperature 0, several rows, large logits; nothing close to p."""

    def given(logits: Array, **more) -> dict:
        """Return the arguments up to the last one asked for, so that a caller may also give them by position."""
        defaults = {"temperature": 1.0, "top_k": None, "top_p": None}
        last = max((place for place, name in enumerate(defaults) if name in more), default=-1)
        return {"logits": logits, **{n: more.get(n, v) for n, v in list(defaults.items())[: last + 1]}}

    def clear(row: np.ndarray, temperature: float = 1.0, top_k=None, top_p=None) -> bool:
        """Whether rounding decides nothing in a row of logits: they lie apart, and top_p keeps some, and drops some."""
        if np.diff(np.sort(row)).min() < LEAST_GAP:
            return False
        if top_p is None:
            return True
        sums = np.sort(oracle(row, temperature, top_k))[::-1].cumsum()
        most = min(len(row), top_k or len(row))
        return bool(np.abs(sums - top_p).min() > LEAST_MARGIN and 1 < (sums < top_p).sum() + 1 < most)

    def case(title, name, shape, gradient=False, **more) -> Case:
        dtype, strided = more.pop("dtype", "float64" if gradient else "float32"), more.pop("strided", False)
        rows: list[np.ndarray] = []
        while len(rows) < np.prod(shape[:-1], dtype=int):
            row = 2.0 * draw.normal(shape[-1], dtype=dtype).values
            rows += [row] if clear(row, **more) else []
        logits = Array(np.stack(rows).reshape(shape), dtype, strided)
        return Case(title, name, given(logits, **more), gradient)

    def of(values: list | np.ndarray, dtype: str = "float32") -> Array:
        return Array(rounded(np.array(values), dtype), dtype)

    several = properties.LEADING_DIMENSIONS
    equal = [[0.5, 2.0, 2.0], [1.0, 1.0, -1.0]]
    return [
        case("3 tokens", properties.VALUES, (3,), gradient=True),
        case("3 tokens, temperature 2", properties.VALUES, (3,), temperature=2.0, gradient=True),
        case("4 tokens, temperature 0.5", properties.VALUES, (4,), temperature=0.5),
        case("4 tokens, top_k 2", properties.TOP_K, (4,), top_k=2, gradient=True),
        case("5 tokens, top_k 3, temperature 2", properties.TOP_K, (5,), temperature=2.0, top_k=3),
        case("4 tokens, top_k 1", properties.TOP_K, (4,), top_k=1),
        case("4 tokens, top_k 4", properties.EDGES, (4,), top_k=4),
        # The two most probable tokens are needed; in the vocabulary they do not come first.
        Case(
            "3 tokens, top_p 0.7",
            properties.TOP_P,
            given(of(np.log([0.2, 0.3, 0.5]), "float64"), top_p=0.7),
            gradient=True,
        ),
        case("5 tokens, top_p 0.8", properties.TOP_P, (5,), temperature=2.0, top_p=0.8),
        case("6 tokens, top_p 0.9, temperature 3", properties.TOP_P, (6,), temperature=3.0, top_p=0.9),
        Case(
            "3 tokens, the first of which reaches top_p 0.4",
            properties.TOP_P,
            given(of(np.log([0.3, 0.6, 0.1])), top_p=0.4),
        ),
        # Of the smaller ones 0.15 alone is no more than p: what begins there keeps three tokens.
        Case(
            "4 tokens, the most probable of which reaches top_p 0.3",
            properties.TOP_P,
            given(of(np.log([0.2, 0.4, 0.15, 0.25])), top_p=0.3),
        ),
        # In float32 the sum of a row may stay below 1.
        Case(
            "30 rows of 16 tokens, top_p 1",
            properties.EDGES,
            given(draw.normal(30, 16, dtype="float32"), top_p=1.0),
        ),
        # Of 0.4, 0.3, 0.2 and 0.1 top_k leaves 4/9, 3/9 and 2/9, and two of these reach 0.72; 0.4 + 0.3 does not.
        Case(
            "4 tokens, top_k 3, top_p 0.72",
            properties.TOP_K_AND_TOP_P,
            given(of(np.log([0.1, 0.3, 0.2, 0.4])), top_k=3, top_p=0.72),
        ),
        # Three tokens reach 0.85, and only two may stay.
        Case(
            "4 tokens, top_k 2, top_p 0.85",
            properties.TOP_K_AND_TOP_P,
            given(of(np.log([0.1, 0.3, 0.2, 0.4])), top_k=2, top_p=0.85),
        ),
        case("6 tokens, all three", properties.TOP_K_AND_TOP_P, (6,), temperature=2.0, top_k=4, top_p=0.85),
        case("4 tokens, temperature 0", properties.GREEDY, (4,), temperature=0),
        case("2 rows of 5 tokens, temperature 0", properties.GREEDY, (2, 5), temperature=0.0),
        Case(
            "3 tokens, temperature 0, top_k 2",
            properties.GREEDY,
            given(of([0.5, 2.0, -1.0]), temperature=0, top_k=2),
        ),
        Case(
            "2 of 3 tokens equally probable, temperature 0",
            properties.GREEDY,
            given(of(equal), temperature=0),
        ),
        case("2 rows of 3 tokens", several, (2, 3)),
        case("3 rows of 3 tokens, temperature 2", several, (3, 3), temperature=2.0),
        case("2 rows of 4 tokens, top_k 2", several, (2, 4), top_k=2),
        case("2 rows of 5 tokens, top_p 0.8", several, (2, 5), temperature=2.0, top_p=0.8),
        case("3 axes, all three", several, (2, 3, 6), temperature=2.0, top_k=4, top_p=0.8),
        Case(
            "logits near ±10,000",
            properties.LARGE_SCORES,
            given(of([[1e4, -1e4, 9998.0], [-1e4, -1e4 - 1, -9999.0]]), temperature=2.0),
        ),
        # Drawn numbers may be equal in bfloat16, and which of two equal tokens top_k keeps is open.
        Case(
            "2 rows of 4 tokens, top_k 2, in bfloat16",
            properties.DTYPES,
            given(of([[0.5, 2.0, -1.0, 1.0], [1.5, -0.5, 0.25, 3.0]], "bfloat16"), top_k=2),
        ),
        # float16 holds no −10⁹, with which some fill what is dropped.
        Case(
            "2 rows of 4 tokens, top_k 3, top_p 0.72, in float16",
            properties.DTYPES,
            given(of(np.log([[0.1, 0.3, 0.2, 0.4], [0.4, 0.1, 0.3, 0.2]]), "float16"), top_k=3, top_p=0.72),
        ),
        case("2 rows of 4 tokens, temperature 0", properties.DTYPES, (2, 4), temperature=0, dtype="float64"),
        case(
            "inputs that are not contiguous",
            properties.STRIDES,
            (2, 5),
            temperature=2.0,
            top_p=0.8,
            strided=True,
        ),
    ]


EXERCISE = FunctionExercise(
    name="next_token_probabilities",
    prompt="Turn logits into the probabilities that the next token is drawn from.",
    points=2,
    difficulty=2,
    minutes=20,
    hints=(
        "There are three steps, one after the other, and each works on what the one before has left: temperature, "
        "top_k, top_p. Temperature 0 is a case of its own, because nothing can be divided by 0.",
        "A token that is dropped gets the logit −∞. The softmax at the end then gives it 0, and scales the others.",
        "For top_p, sort the probabilities from the largest down and take their running sum. A token stays as long "
        "as the sum of those *before* it is less than p. Then bring the decision back into the order of the "
        "vocabulary, with `scatter` or with a second `argsort`.",
    ),
    returns=Returns(names=("probabilities",), axes=("..., n_vocabulary",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "temperature": lambda inputs: inputs.one_of(0.0, 0.5, 1.0, 2.0),
        "top_k": lambda inputs: inputs.one_of(None, 1, 2, 3),
        "top_p": lambda inputs: inputs.one_of(None, 0.3, 0.7, 0.9),
    },
    noise=noise,
    words=WORDS,
    misconceptions={
        "temperature-ignored": Misconception(
            "The temperature changes nothing",
            "It divides the logits. Probabilities that are divided by a number and scaled to sum to 1 "
            "again are the same as before.",
            _softened(lambda logits, t: _shares(_exponential(logits, 1.0))),
        ),
        "temperature-after-softmax": Misconception(
            "The temperature is applied after the softmax",
            "It divides the logits. What the softmax has made already sums to 1, and it would no longer do so.",
            (
                *_softened(
                    lambda logits, t: _shares(_exponential(logits, 1.0)) / t,
                    lambda logits, t: _shares(_exponential(_shares(_exponential(logits, 1.0)), t)),
                ),
            ),
        ),
        "temperature-multiplied": Misconception(
            "The logits are multiplied by the temperature",
            "A low temperature makes the differences between the logits larger, and a high one makes them smaller. "
            "Multiplied by 0, all logits are equal.",
            # Temperature 0 is then a temperature like any other: all logits become 0.
            changed(_sampled, {"soften": _multiplied}, {"soften": _multiplied, "greedy": None}),
        ),
        "temperature-last": Misconception(
            "The tokens are chosen before the temperature is applied",
            "A high temperature makes the probabilities more equal, so that more tokens are needed to "
            "reach p. Which comes first changes which tokens stay.",
            (_chosen_before_temperature,),
        ),
        "temperature-zero-divides": Misconception(
            "Temperature 0 is divided by",
            "A number divided by 0 is infinite or NaN. Temperature 0 stands for the limit: all of the "
            "probability goes to the largest logit.",
            (*_ways("greedy", None, lambda logits: np.full(logits.shape, np.nan)), _greedy_without_filters),
        ),
        "temperature-zero-shared": Misconception(
            "At temperature 0 equal tokens share the probability",
            "All of it goes to one token, so that the model writes the same every time. Of equal tokens "
            "it is the first.",
            _ways("greedy", _shared_among_equals),
        ),
        "temperature-zero-ignored": Misconception(
            "Temperature 0 is taken for no temperature",
            "0 is a number that was asked for; in Python it counts as false. At temperature 0 the most "
            "probable token gets everything.",
            (lambda logits, temperature=1.0, **filters: _sampled(logits, temperature or 1.0, **filters),),
        ),
        "top-k-ignored": Misconception(
            "top_k changes nothing",
            "The k most probable tokens stay, and the others get 0. Is the result of the step used?",
            _ways("by_k", lambda probabilities, k: np.ones(probabilities.shape, dtype=bool)),
        ),
        "top-k-off-by-one": Misconception(
            "One token too many is kept, or one too few",
            "With top_k = 2 two tokens stay. Count them in the smallest case.",
            _ways("by_k", lambda p, k: _most_probable(p, k + 1), lambda p, k: _most_probable(p, max(k - 1, 1))),
        ),
        "top-k-of-the-last": Misconception(
            "The k least probable tokens are kept",
            "Which end of the sorted numbers do you take? `torch.sort` begins with the smallest.",
            _ways("by_k", lambda p, k: _rank(p) >= p.shape[-1] - k),
        ),
        "top-p-ignored": Misconception(
            "top_p changes nothing",
            "The fewest most probable tokens stay whose sum reaches p. Is the result of the step used?",
            _ways("by_p", lambda probabilities, p: np.ones(probabilities.shape, dtype=bool)),
        ),
        "top-p-excludes-crossing": Misconception(
            "The token that reaches p is left out",
            "The sum of the tokens kept must reach p, so the one that takes it there belongs to them. "
            "Without it a very probable first token would leave nothing at all.",
            _ways(
                "by_p",
                lambda q, p: _until_reached(q, p, more=-1),
                lambda q, p: _until_reached(q, p, more=-1) | (_rank(q) == 0),
            ),
        ),
        "top-p-one-too-many": Misconception(
            "One token more than needed is kept",
            "The fewest tokens are asked for whose sum reaches p. How large is the sum before the last of yours?",
            _ways("by_p", partial(_until_reached, more=1)),
        ),
        "top-p-not-sorted": Misconception(
            "The running sum goes through the vocabulary, not from the most probable token down",
            "Which tokens stay must not depend on where they stand in the vocabulary.",
            _ways("by_p", lambda probabilities, p: probabilities.cumsum(axis=-1) - probabilities < p),
        ),
        "top-p-order-not-undone": Misconception(
            "The decision is made in sorted order and used in the order of the vocabulary",
            "The first entry speaks of the most probable token, which stands anywhere in the vocabulary. "
            "The way back is needed too.",
            _ways("by_p", _order_not_undone),
        ),
        "top-p-as-threshold": Misconception(
            "p is compared with single probabilities",
            "p is for their sum: tokens are added, from the most probable down, until together they reach p.",
            _ways("by_p", lambda q, p: q >= p, lambda q, p: (q >= p) | (_rank(q) == 0)),
        ),
        "top-p-from-the-least": Misconception(
            "The running sum begins with the least probable token",
            "The tokens that stay are counted from the most probable down, until their sum reaches p. From the other "
            "end, those may go whose sum is no more than 1 − p, and not p.",
            _ways("by_p", _least_dropped),
        ),
        "top-p-before-top-k": Misconception(
            "top_p adds up the probabilities from before top_k",
            "top_k comes first, and what it leaves is scaled to sum to 1. Then fewer tokens may reach p.",
            _ways("combine", _p_first),
        ),
        "one-filter-only": Misconception(
            "Only one of top_k and top_p is used where both are given",
            "An `elif` leaves out the second. Both may be given, one after the other.",
            _ways("combine", _only_k, _only_p),
        ),
        "not-scaled": Misconception(
            "What is kept is not scaled to sum to 1",
            "These are to be probabilities. What the dropped tokens had goes to the others, in proportion.",
            _ways("keep", lambda probabilities, stays: np.where(stays, probabilities, 0.0)),
        ),
        "dropped-logits-to-zero": Misconception(
            "The logits of dropped tokens are set to 0",
            "A logit of 0 is a logit like any other, and its exponential is 1. Which logit has the exponential 0?",
            (_logits_to_zero, _logits_to_zero_by_k),
        ),
        "softmax-again": Misconception(
            "A second softmax is taken of what is kept",
            "Probabilities are no logits. exp of 0 is 1, so the dropped tokens come back. What is kept is divided by "
            "its sum, and keeps its proportions.",
            _ways("keep", _softmax_again),
        ),
        "returned-in-order": Misconception(
            "The probabilities are returned from the largest to the smallest",
            "Entry i is to be the probability of token i. Sorted, nobody can tell whose it is.",
            (_returned_in_order,),
        ),
        "softmax-over-rows": Misconception(
            "The softmax runs over another axis, or over the whole array",
            "The vocabulary is the last axis. Each row sums to 1 by itself.",
            _softened(
                lambda logits, t: _shares(np.exp(logits / t - (logits / t).max(axis=0)), axis=0),
                lambda logits, t: _shares(np.exp((logits - logits.max()) / t), axis=None),
            ),
        ),
        "softmax-overflows": _softened(
            *(lambda logits, t, way=way: way(logits / t) for way in (overflowing, overflowing_logarithm)),
            lambda logits, t: overflowing_clamped(logits / t),
        ),
    },
)
