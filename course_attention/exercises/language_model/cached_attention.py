from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import (
    SCALES,
    Pair,
    attend,
    attention_noise,
    attention_oracle,
    largest,
)
from course_attention.exercises.common.inputs import of, triple
from course_attention.exercises.common.mistakes import UNMASKED
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import changed, each, variants
from course_attention.exercises.common.words import WORDS

Cache = tuple[np.ndarray, np.ndarray] | None

Step = tuple[np.ndarray, np.ndarray, np.ndarray]


def oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, cache: Cache = None) -> Step:
    """Attention of the newest token over the longer cache."""
    keys, values = joined(cache, key, value)
    return attention_oracle(query, keys, values)[0], keys, values


def joined(cache: Cache, key: np.ndarray, value: np.ndarray, axis: int = -2) -> tuple[np.ndarray, np.ndarray]:
    """Put the newest token behind the cache."""
    if cache is None:
        return key, value
    return np.concatenate([cache[0], key], axis), np.concatenate([cache[1], value], axis)


def cached(
    query,
    key,
    value,
    cache: Cache = None,
    *,
    seen: Callable[..., tuple[np.ndarray, np.ndarray]] = joined,
    kept: Callable[..., tuple[np.ndarray, np.ndarray]] = joined,
    attend: Callable[..., Pair] = attend,
) -> Step:
    """One step: what is attended to, and what is handed on."""
    return attend(query, *seen(cache, key, value))[0], *kept(cache, key, value)


def _newest_first(of_keys: bool, of_values: bool) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    def join(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        keys, values = joined(cache, key, value)
        return np.roll(keys, int(of_keys), axis=-2), np.roll(values, int(of_values), axis=-2)

    return join


def _old(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return (key, value) if cache is None else cache


def _old_or_empty(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return (key[..., :0, :], value[..., :0, :]) if cache is None else cache


def _old_or_error(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    keys, values = cache  # type: ignore[misc] # that it raises for None is the mistake
    return keys, values


def _newest(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return key, value


def _oldest_only(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    keys, values = joined(cache, key, value)
    return keys[..., :1, :], values[..., :1, :]


def _query_for_key(query, key, value, cache: Cache = None, *, attended: bool, first: bool) -> Step:
    """Put the query behind the keys: in the cache that is handed on, and perhaps for the first token, and at once."""
    if cache is None and not first:
        return cached(query, key, value)
    kept = cached(query, query, value, cache)
    return kept if attended else (cached(query, key, value, cache)[0], *kept[1:])


def _apart(query, key, value, cache: Cache = None, *, share: float) -> Step:
    """Attend to the cache alone, and add the newest value, whose weight would be 1 by itself."""
    if cache is None:
        return cached(query, key, value)
    past = attend(query, *cache)[0]
    return share * (past + value), *joined(cache, key, value)


def _attend_or_zero(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> Pair:
    """Attention to nothing at all is 0."""
    if key.shape[-2] == 0:
        return np.zeros((*query.shape[:-1], value.shape[-1])), np.zeros((*query.shape[:-1], 0))
    return attend(query, key, value)


def noise(query, key, value, cache: Cache = None) -> tuple[float, float, float]:
    """Of the output; keys and values are copied."""
    keys, values = joined(cache, key, value)
    return attention_noise(query, keys, values)[0], largest(keys), largest(values)


STEP_BY_HAND = "2 tokens in the cache, d_key 2, d_value 1"


def cases(draw: Draw) -> list[Case]:
    """Draw the first token, the second and a later one; no batch and several; scores near ±10,000."""

    def case(title, name, batch, n_past, d_key, d_value, by_hand=False, gradient=False, **kind) -> Case:
        newest = triple(draw, (*batch, 1, d_key), (*batch, 1, d_key), d_value, by_hand, **kind)
        if n_past is None:
            return Case(title, name, {**newest, "cache": None}, gradient)
        past = triple(draw, (), (*batch, n_past, d_key), d_value, by_hand, **kind)
        return Case(title, name, {**newest, "cache": (past["key"], past["value"])}, gradient)

    # The largest score of one item is far from that of the other: each needs a maximum of its own.
    large = {
        "query": of([[[120.0, 0.0]], [[90.0, 0.0]]]),
        "key": of([[[108.0, -50.0]]] * 2),
        "value": of([[[1.0, -2.0, 0.5]]] * 2),
        "cache": (
            of([[[-118.0, 3.0], [120.0, 40.0], [-120.0, 60.0]]] * 2),
            of([[[3.0, 1.0, -1.0], [-0.5, 2.0, 4.0], [2.0, -1.0, 1.0]]] * 2),
        ),
    }
    several = properties.LEADING_DIMENSIONS
    return [
        case(STEP_BY_HAND, properties.VALUES, (), 2, 2, 1, by_hand=True, gradient=True),
        case("1 token in the cache, d_key 2, d_value 1", properties.VALUES, (), 1, 2, 1, by_hand=True),
        case("5 tokens in the cache, d_key 4, d_value 3", properties.VALUES, (), 5, 4, 3),
        case("2 tokens in the cache, d_key 3, d_value 3", properties.VALUES, (), 2, 3, 3),
        case("the first token: no cache", properties.FIRST_TOKEN, (), None, 2, 1, by_hand=True, gradient=True),
        case("the first tokens of a batch of 2: no cache", properties.FIRST_TOKEN, (2,), None, 3, 4),
        case("the first token, in float32", properties.FIRST_TOKEN, (3,), None, 2, 5, dtype="float32"),
        case(f"batch 2, {STEP_BY_HAND}", several, (2,), 2, 2, 1, by_hand=True),
        case("batch 3, 4 tokens in the cache", several, (3,), 4, 5, 2),
        case("batch 3, every size 3", several, (3,), 3, 3, 3, dtype="float32"),
        case("batch (1, 1), 1 token in the cache", several, (1, 1), 1, 2, 3),
        case("batch 2, 3 heads, 4 tokens in the cache", several, (2, 3), 4, 5, 6, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2,), 4, 5, 3, strided=True),
        Case("scores near ±10,000", properties.LARGE_SCORES, large),
        case("3 tokens in the cache", properties.DTYPES, (), 3, 4, 5, dtype="bfloat16"),
        case("batch 2, in float32", properties.DTYPES, (2,), 3, 4, 5, dtype="float32"),
        case("257 tokens in the cache", properties.LONG_SEQUENCES, (), 257, 3, 2, dtype="float32"),
    ]


EXERCISE = FunctionExercise(
    name="cached_attention",
    prompt="Decode one token: add its key and value to the cache, and let its query attend to all of it.",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        "Two things are asked for: keys and values that are one token longer, and one row of attention over them.",
        "`torch.cat` joins tensors along an axis. Tokens are the last axis but one. Without a cache the newest key "
        "and value are all there is.",
        "No mask is needed: what is not written yet is not in the cache. Give back (output, (keys, values)), with "
        "the longer keys and values.",
    ),
    ready_made=ATTENTION,
    returns=Returns(
        names=("output", "keys", "values"),
        groups=(0, 2),
        axes=("..., 1, d_value", "..., n_past + 1, d_key", "..., n_past + 1, d_value"),
    ),
    oracle=oracle,
    cases=cases,
    weights={properties.LONG_SEQUENCES: 0.5},
    noise=noise,
    words=WORDS,
    misconceptions={
        **variants(cached, "attend", UNMASKED),
        # An axis of one query: √n_queries is 1, which is `no-scale`.
        "scale-wrong-axis": each(cached, "attend", *each(attend, "score", *SCALES["scale-wrong-axis"][:2])),
        "cache-order": Misconception(
            "The newest token is put first",
            "A cache is in the order of the sequence: the newest key and value come behind the others. Where both are "
            "put first, the output does not show it, since attention does not ask for an order; whatever reads "
            "positions off the cache does. Where only one of them is put first, keys meet the values of other tokens.",
            tuple(
                partial(cached, seen=way, kept=way)
                for way in (_newest_first(True, True), _newest_first(True, False), _newest_first(False, True))
            ),
        ),
        "cache-not-extended": Misconception(
            "The old cache is handed on",
            "The next step gets what this one returns. The newest key and value are not in it, so "
            "that no later token can ever attend to this one.",
            each(cached, "kept", _old, _old_or_empty, _old_or_error),
        ),
        "cache-excludes-self": Misconception(
            "The newest token is not attended to",
            "The diagonal of a causal mask is allowed: a token sees all before it, and itself. So "
            "its own key and value join the cache before the attention is computed.",
            tuple(partial(cached, seen=way, attend=_attend_or_zero) for way in (_old, _old_or_empty, _old_or_error)),
        ),
        "cache-ignored": Misconception(
            "Only the newest token is attended to",
            "With a single key, its weight is 1 whatever the query is, and the output is the newest "
            "value. The keys and values of the cache belong in front of it.",
            (partial(cached, seen=_newest), partial(cached, seen=_newest, kept=_newest)),
        ),
        "cache-only-newest": Misconception(
            "The new cache holds the newest token alone",
            "The output is right this time. The next step gets what this one returns, and all the "
            "earlier tokens are lost to it.",
            (partial(cached, kept=_newest),),
        ),
        "query-cached": Misconception(
            "The query is put into the cache, where the key should be",
            "Later tokens look for this one by its key. A query is needed once, in the step of its own token, and is "
            "not kept.",
            changed(_query_for_key, *({"attended": a, "first": b} for a in (True, False) for b in (True, False))),
        ),
        "cache-apart": Misconception(
            "The cache and the newest token have a softmax each",
            "All keys share out one weight of 1, those of the cache and the newest one. Attended to alone, the newest "
            "token gets a weight of 1, whatever its score is. Join the keys first, and attend once.",
            each(_apart, "share", 1.0, 0.5),
        ),
        "cache-wrong-axis": Misconception(
            "The new token is joined along an axis counted from the front",
            "Tokens are the last axis but one, whatever comes before. Counted from the front it is "
            "another axis as soon as there is one leading dimension more, or fewer.",
            tuple(partial(cached, seen=partial(joined, axis=axis), kept=partial(joined, axis=axis)) for axis in (0, 1)),
        ),
        "causal-top-left": Misconception(
            "A causal mask for one query is aligned at the top left",
            "The lower triangle of a single row is its first entry alone, so only the oldest token is seen. Here the "
            "query is the newest token: all that the cache holds lies in its past, and nothing needs a mask.",
            (partial(cached, seen=_oldest_only),),
        ),
    },
)
