"""The answer makes weights, and is judged by where attention looks with them."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from course_attention.authoring import (
    Array,
    Case,
    DesignCase,
    DesignExercise,
    Draw,
    Misconception,
    Undivided,
    properties,
)

# The attention that is asked for, one weight at a time.


def oracle(n_features: int, asks: int, finds: int, tokens: np.ndarray) -> np.ndarray:
    """Let a token that asks share its weight among those that it finds; every other token, among all."""
    n_tokens = len(tokens)
    weights = np.zeros((n_tokens, n_tokens))
    for i, j in np.ndindex(weights.shape):
        found = [k for k in range(n_tokens) if tokens[k] == finds]
        attended = found if tokens[i] == asks and found else range(n_tokens)
        weights[i, j] = (j in attended) / len(attended)
    return weights


def attends(n_features: int, asks: int, finds: int, tokens: np.ndarray) -> tuple[np.ndarray, None]:
    return np.eye(n_features)[tokens], None


# Weights that hold a relation. Each column of the two matrices is one pair of features, or of groups of them.

Column = tuple[dict[int, float], dict[int, float]]


def _weights(n_features, asks, finds, columns, strength=30.0) -> tuple[np.ndarray, np.ndarray]:
    chosen = columns(n_features, asks, finds)
    w_query, w_key = np.zeros((2, n_features, len(chosen)))
    for column, (query, key) in enumerate(chosen):
        for w, entries in ((w_query, query), (w_key, key)):
            for feature, number in entries.items():
                w[feature, column] = number * strength**0.5
    return w_query, w_key


def _relation(n: int, a: int, f: int) -> list[Column]:
    return [({a: 1.0}, {f: 1.0})]


def _with_other_columns(n: int, a: int, f: int) -> list[Column]:
    return [*_relation(n, a, f), *[({}, {})] * (n - 1)]


def _wrong(*all_columns: Callable[[int, int, int], Sequence[Column]]) -> tuple[Callable, ...]:
    return tuple(partial(_weights, columns=columns) for columns in all_columns)


def _another(n: int, a: int, f: int) -> int:
    return next(feature for feature in (*range(n), a) if feature not in (a, f) or n <= 2)


def cases(draw: Draw) -> list[Case]:
    """Sequences with one token to find, several and none; few features and many; short ones and long ones."""

    def case(property, n_features, asks, finds, tokens) -> Case:
        title = f"{len(tokens)} token{'s' * (len(tokens) > 1)}, {n_features} features"
        arguments = {"n_features": n_features, "asks": asks, "finds": finds}
        return DesignCase(title, property, arguments, sequence={"tokens": Array(np.array(tokens), "int64")})

    def features(n_features: int) -> list[int]:
        return [int(feature) for feature in draw.rng.permutation(n_features)]

    def long(n_tokens: int, n_features: int) -> Case:
        """One token to find among as many others as there can be."""
        asks, finds, *others = features(n_features)
        tokens = draw.rng.permutation([finds, asks, *draw.rng.choice([asks, *others], n_tokens - 2)])
        return case(properties.LONG_SEQUENCES, n_features, asks, finds, tokens)

    a, f, o = features(3)
    c, d = features(2)
    b, g, o1, o2, *_ = features(5)
    s, other, *_ = features(4)
    many = features(7)
    return [
        case(properties.VALUES, 3, a, f, draw.rng.permutation([a, f, o])),
        case(properties.VALUES, 2, c, d, [c, d]),
        case(properties.VALUES, 3, a, f, [f, o, a, f, a]),
        case(properties.VALUES, 2, 0, 1, [0]),
        case(properties.VALUES, 7, many[0], many[1], draw.rng.permutation([*many, *many[:4]])),
        case(properties.NOTHING_TO_FIND, 3, a, f, [o, a, o]),
        case(properties.NOTHING_TO_FIND, 3, a, f, [o, a, f]),
        case(properties.NOTHING_TO_FIND, 2, c, d, [c, c]),
        case(properties.NOTHING_TO_FIND, 5, b, g, [o1, b, o2, b]),
        case(properties.NOTHING_TO_FIND, 5, b, g, [g, o1, g, o2]),
        case(properties.ONE_FEATURE, 4, s, s, [other, s]),
        case(properties.ONE_FEATURE, 4, s, s, [s, other, s, other, other]),
        long(12, 5),
        long(32, 9),
        long(64, 12),
        long(64, 24),
    ]


EXERCISE = DesignExercise(
    name="relation_weights",
    prompt="Set the weights of queries and keys by hand, so that tokens with one feature attend to those with another.",
    points=3,
    difficulty=3,
    minutes=20,
    hints=(
        "Row f of w_query is the query of every token with feature f, and row f of w_key its key. Which rows have "
        "something to say, and which stay 0?",
        "Scores that are all equal give equal weights. So every score should be 0, except the score of a token that "
        "asks with a token that it should find.",
        "One column is enough, d_key = 1. How large must the one score be, so that one token outweighs 63 others? "
        "e¹⁰ is about 22,000.",
    ),
    oracle=oracle,
    attends=attends,
    cases=cases,
    tolerance=0.01,
    misconceptions={
        "no-scale": Misconception(
            "Without the division by √d_key the weights would be sharp enough",
            "Attention divides every score by √d_key, so the larger your d_key is, the larger the weights"
            " have to be. As they are, too much weight stays with the other tokens.",
            (Undivided(partial(_weights, columns=_with_other_columns, strength=12.0)),),
        ),
        "weights-not-sharp": Misconception(
            "The right tokens are found, but too much weight stays with the others",
            "A token with a score of 0 has e⁰ = 1 in the softmax, and there may be 63 of them. The score "
            "of the token that is found has to outweigh them all together, after the division by √d_key.",
            (partial(_weights, columns=_relation, strength=1.0),),
        ),
        "relation-reversed": Misconception(
            "The relation runs the other way round",
            "The tokens with `finds` attend to those with `asks`. w_query decides which tokens ask, and "
            "w_key which tokens are found.",
            _wrong(lambda n, a, f: [({f: 1.0}, {a: 1.0})]),
        ),
        "relation-both-ways": Misconception(
            "The relation runs both ways",
            "A token with `finds` asks as well, and should spread its weight evenly. Which rows of w_query are not 0?",
            _wrong(
                lambda n, a, f: [({a: 1.0}, {f: 1.0}), ({f: 1.0}, {a: 1.0})],
                lambda n, a, f: [({a: 1.0, f: 1.0}, {a: 1.0, f: 1.0})],
            ),
        ),
        "relation-negative": Misconception(
            "The tokens that should be found are avoided",
            "A low score means little weight. What sign does the product of this query and this key have?",
            _wrong(lambda n, a, f: [({a: -1.0}, {f: 1.0})]),
        ),
        "everyone-asks": Misconception(
            "Every token asks",
            "Only the tokens with `asks` look for something. The query of every other token gives the "
            "same score with every key.",
            _wrong(lambda n, a, f: [(dict.fromkeys(range(n), 1.0), {f: 1.0})]),
        ),
        "self-match": Misconception(
            "Tokens find their own kind",
            "A query that equals the token's own key finds tokens with the same feature. The query of a "
            "token with `asks` has to meet the key of a token with `finds`.",
            _wrong(
                lambda n, a, f: [({a: 1.0}, {a: 1.0})],
                lambda n, a, f: [({k: 1.0}, {k: 1.0}) for k in range(n)],
                lambda n, a, f: [({a: 1.0}, {a: 1.0, f: 1.0})],
            ),
        ),
        "others-avoid": Misconception(
            "The tokens that do not ask avoid those with `finds`",
            "Their scores with these tokens are lower than with the others, so their weight is not even. "
            "A query that has no preference is 0, not the opposite.",
            _wrong(
                lambda n, a, f: [(dict.fromkeys(range(n), -1.0) | {a: 1.0}, dict.fromkeys(range(n), -1.0) | {f: 1.0})]
            ),
        ),
        "others-match-themselves": Misconception(
            "The tokens that do not ask attend to their own kind",
            "They should spread their weight evenly over all tokens, and for that all their scores have to be equal.",
            _wrong(lambda n, a, f: [({a: 1.0}, {f: 1.0}), *(({k: 1.0}, {k: 1.0}) for k in range(n) if k != a)]),
        ),
        "fallback-pulls": Misconception(
            "Where there is nothing to find, another feature is found instead",
            "A token that asks and finds nothing spreads its weight evenly over all tokens. Then no key "
            "may fit its query better than another.",
            _wrong(
                lambda n, a, f: [({a: 1.0}, {a: 0.5, f: 1.0})],
                lambda n, a, f: [({a: 1.0}, {_another(n, a, f): 0.5, f: 1.0})],
            ),
        ),
        "relation-nowhere": Misconception(
            "No token attends to any other more than to the rest",
            "All scores are equal. The score of a token is the product of row f of w_query and row g of "
            "w_key, where f and g are the features of the two tokens.",
            _wrong(lambda n, a, f: [({}, {})]),
        ),
        "one-feature-forgotten": Misconception(
            "It fails where `asks` equals `finds`",
            "A token may look for tokens of its own kind. It is one of them itself.",
            _wrong(lambda n, a, f: _relation(n, a, f) if a != f else [({}, {})]),
        ),
    },
)
