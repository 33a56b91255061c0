from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.attention.inputs import large_inputs
from course_attention.exercises.common.attention import (
    ATTENTION_MISTAKES,
    Pair,
    attend,
    attention_oracle,
    largest,
    product_noise,
)
from course_attention.exercises.common.inputs import of
from course_attention.exercises.common.masking import MASK_MISTAKES
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.positions.angles import BASE
from course_attention.exercises.positions.rotary import oracle as rotary_oracle
from course_attention.exercises.positions.rotary import turned
from course_attention.exercises.positions.words import WORDS


def oracle(query, key, value, query_positions, key_positions, allowed=None, base=BASE) -> Pair:
    """Attention of turned queries to turned keys; the values as they are."""
    query, key = rotary_oracle(query, query_positions, base), rotary_oracle(key, key_positions, base)
    return attention_oracle(query, key, value, allowed)


Turn = Callable[..., np.ndarray]


def _by_query(x, query_positions, key_positions, base) -> np.ndarray:
    return turned(x, query_positions, base)


def _by_key(x, query_positions, key_positions, base) -> np.ndarray:
    return turned(x, key_positions, base)


def _by_first_keys(x, query_positions, key_positions, base) -> np.ndarray:
    return turned(x, key_positions[: x.shape[-2]], base)


def _not_at_all(x, query_positions, key_positions, base) -> np.ndarray:
    return x


def _counted(x, query_positions, key_positions, base) -> np.ndarray:
    return turned(x, np.arange(x.shape[-2]), base)


def _backwards(positions: Turn) -> Turn:
    return lambda x, query_positions, key_positions, base: positions(x, -query_positions, -key_positions, base)


def _always_10000(positions: Turn) -> Turn:
    return lambda x, query_positions, key_positions, base: positions(x, query_positions, key_positions, BASE)


def _function(
    query,
    key,
    value,
    query_positions,
    key_positions,
    allowed=None,
    base=BASE,
    turn_query: Turn = _by_query,
    turn_key: Turn = _by_key,
    turn_value: Turn = _not_at_all,
    attend: Callable[..., Pair] = attend,
) -> Pair:
    places = query_positions, key_positions, base
    return attend(turn_query(query, *places), turn_key(key, *places), turn_value(value, *places), allowed)


def _in_attention(*names: str) -> dict[str, tuple]:
    return {name: tuple(partial(_function, attend=way) for way in ATTENTION_MISTAKES[name]) for name in names}


def noise(query, key, value, query_positions, key_positions, allowed=None, base=BASE) -> tuple[float, float]:
    units = 2.0 + largest(query_positions) + largest(key_positions)
    weights = product_noise(query, key) / np.sqrt(key.shape[-1]) * units + key.shape[-2]
    return weights * largest(value), weights


_LOWEST = [[False, True, False], [True, False, False]]


def cases(draw: Draw) -> list[Case]:
    """Positions in order, out of order and different for queries and keys; batched; masked; in three dtypes."""

    def case(title, name, batch, at, d_key, d_value, by_hand=False, allowed=None, **kind) -> Case:
        more: dict[str, object] = {} if allowed is None else {"allowed": allowed}
        if "base" in kind:
            more = {"allowed": allowed, "base": kind.pop("base")}
        kind = {"dtype": "float64" if by_hand else "float32", **kind}
        make = draw.halves if by_hand else draw.normal
        n_queries, n_keys = map(len, at)
        arguments = {
            "query": make(*batch, n_queries, d_key, **kind),
            "key": make(*batch, n_keys, d_key, **kind),
            "value": make(*batch, n_keys, d_value, **kind),
            "query_positions": Array(np.array(at[0]), "int64"),
            "key_positions": Array(np.array(at[1]), "int64"),
            **more,
        }
        gradient = by_hand and name in (properties.VALUES, blocked)
        return Case(title, name, arguments, gradient)

    two, three = [0, 1], [0, 1, 2]
    nothing = Array(np.array([[False, False], [True, False]]), "bool")
    at_0 = {"query_positions": of([0, 0], "int64"), "key_positions": of([0, 0, 0], "int64")}
    large = {**large_inputs(), **at_0}
    several = properties.LEADING_DIMENSIONS
    mask, blocked = properties.MASK, properties.NOTHING_ALLOWED
    return [
        case("2 queries, 2 keys, d_key 2", properties.VALUES, (), (two, two), 2, 2, by_hand=True),
        case("2 queries, 3 keys, d_key 4", properties.VALUES, (), (two, three), 4, 2, by_hand=True),
        case("4 queries, 4 keys, d_key 6", properties.VALUES, (), ([0, 1, 2, 3], [0, 1, 2, 3]), 6, 4),
        case("1 query at position 3, 4 keys", properties.POSITIONS, (), ([3], [0, 1, 2, 3]), 2, 2, by_hand=True),
        case("2 queries at 5 and 2, 2 keys at 7 and 0", properties.POSITIONS, (), ([5, 2], [7, 0]), 4, 6),
        case("batch 2, 2 queries, 2 keys", several, (2,), ([1, 0], [2, 5]), 2, 2, by_hand=True),
        case("batch 2, 3 queries, 5 keys", several, (2,), ([2, 3, 4], [0, 1, 2, 3, 4]), 6, 4),
        case("batch 3, every size 3 or 4", several, (3,), (three, three), 4, 4),
        case("two batch dimensions", several, (2, 3), ([3, 8], three), 4, 2),
        case("3 tokens, base 100", properties.BASE, (), ([0, 4, 2], three), 4, 2, base=100.0),
        case("2 queries, masked", mask, (), ([3, 1], two), 2, 2, by_hand=True, allowed=draw.allowed(2, 2)),
        case("batch 2, masked", mask, (2,), ([4, 5, 6], three), 4, 6, allowed=draw.allowed(2, 3, 3)),
        case("nothing allowed for query 0", blocked, (), ([1, 2], two), 2, 2, by_hand=True, allowed=nothing),
        # bfloat16 does not hold every whole number from 256 on, nor float16 from 2048 on.
        case(
            "2 queries at 257 and 2051, 3 keys",
            properties.POSITIONS,
            (),
            ([257, 2051], [257, 2049, 70]),
            4,
            2,
        ),
        case("2 queries, one mask for both", mask, (), ([3, 1], three), 2, 2, allowed=draw.allowed(1, 3)),
        case("batch 2, key padding", mask, (2,), ([4, 5, 6], three), 4, 2, allowed=draw.padded(2, 3)),
        case(
            "two batch dimensions, a mask for each item",
            mask,
            (2, 3),
            ([4, 1], three),
            4,
            2,
            allowed=draw.allowed(2, 3, 2, 3),
        ),
        Case("scores near ±10,000", properties.LARGE_SCORES, large),
        Case("scores near ±10,000, masked", properties.LARGE_SCORES, {**large, "allowed": of(_LOWEST, "bool")}),
        case("2 queries, 3 keys", properties.DTYPES, (), ([1, 2], three), 4, 2, dtype="bfloat16"),
        case(
            "batch 2, 3 queries, 4 keys",
            properties.DTYPES,
            (2,),
            ([4, 0, 2], [1, 2, 3, 4]),
            6,
            2,
            dtype="float64",
        ),
        case("inputs that are not contiguous", properties.STRIDES, (2,), ([2, 0], three), 4, 6, strided=True),
    ]


EXERCISE = FunctionExercise(
    name="rotary_attention",
    prompt="Attend with queries and keys that are turned by their positions; the values stay as they are.",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        "Two functions that you have do all the work: `rotary` and `attention`.",
        "Queries are turned by `query_positions`, and keys by `key_positions`. The values stay as they are, because "
        "the output should not depend on where they were found.",
    ),
    ready_made=ATTENTION,
    returns=Returns(
        names=("output", "weights"),
        float32_is_enough=True,
        axes=("..., n_queries, d_value", "..., n_queries, n_keys"),
    ),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "d_key": lambda inputs: inputs.even(),
        "query_positions": lambda inputs: inputs.integers(500, "n_queries"),
        "key_positions": lambda inputs: inputs.integers(500, "n_keys"),
    },
    noise=noise,
    words=WORDS,
    misconceptions={
        **_in_attention("no-scale", "scale-multiplied", "softmax-over-queries", "softmax-overflows", *MASK_MISTAKES),
        "values-turned": Misconception(
            "The values are turned as well",
            "Only the product of a query and a key needs the positions. A value that is turned arrives as"
            " another vector than the one that was stored.",
            (partial(_function, turn_value=_by_key),),
        ),
        "only-one-turned": Misconception(
            "Only one of query and key is turned",
            "The score then depends on one position alone. With both turned, it depends on the difference of the two.",
            (partial(_function, turn_key=_not_at_all), partial(_function, turn_query=_not_at_all)),
        ),
        "rotary-forgotten": Misconception(
            "The scores are as if nothing were turned",
            "This is attention without positions. Is what `rotary` returns used? And does each token have its own "
            "position? Where all are turned by the same angle, no score changes.",
            (partial(_function, turn_query=_not_at_all, turn_key=_not_at_all),),
        ),
        "same-positions": Misconception(
            "Queries and keys are turned by the same positions",
            "Queries and keys have positions of their own. While a model generates text, for example, "
            "there is one query, and it stands at the end of the keys.",
            (partial(_function, turn_key=_by_query), partial(_function, turn_query=_by_key)),
        ),
        "positions-exchanged": Misconception(
            "The positions of queries and keys are exchanged",
            "Queries are to be turned by `query_positions`, and keys by `key_positions`. With as many "
            "queries as keys, no error message shows that they were exchanged.",
            (
                partial(_function, turn_query=_by_key, turn_key=_by_query),
                partial(_function, turn_query=_by_first_keys, turn_key=_by_query),
            ),
        ),
        "rotary-no-positions": Misconception(
            "The positions are not used",
            "Tokens need not stand at 0, 1, 2 …: a single query, for example, may stand at the end of the keys.",
            (partial(_function, turn_query=_counted, turn_key=_counted),),
        ),
        "rotary-opposite": Misconception(
            "Queries and keys are turned in opposite directions",
            "The score then depends on the sum of the two positions. It should depend on their difference.",
            (
                partial(_function, turn_key=_backwards(_by_key)),
                partial(_function, turn_query=_backwards(_by_query)),
            ),
        ),
        "rotary-backwards": Misconception(
            "Both are turned the other way",
            "The score then depends on j − i in place of i − j, so what lies before a token looks as if it lay behind.",
            (partial(_function, turn_query=_backwards(_by_query), turn_key=_backwards(_by_key)),),
        ),
        "base-ignored": (partial(_function, turn_query=_always_10000(_by_query), turn_key=_always_10000(_by_key)),),
    },
)
