from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import attend, dot, largest
from course_attention.exercises.common.inputs import triple
from course_attention.exercises.common.masking import soften
from course_attention.exercises.common.variants import each
from course_attention.exercises.common.words import WORDS


def oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Σ_j φ(q)·φ(k_j) v_j / Σ_j φ(q)·φ(k_j), query by query."""
    query, key = elu(query) + 1, elu(key) + 1
    leading = np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    query, key, value = (np.broadcast_to(x, leading + x.shape[-2:]) for x in (query, key, value))
    output = np.empty((*leading, query.shape[-2], value.shape[-1]))
    for index in np.ndindex(output.shape[:-1]):
        *batch, _ = index
        keys, values = key[tuple(batch)], value[tuple(batch)]
        likenesses = [dot(query[index], k) for k in keys]
        output[index] = sum(a * v for a, v in zip(likenesses, values, strict=True)) / sum(likenesses)
    return output


def elu(x: np.ndarray) -> np.ndarray:
    """x above 0, exp(x) − 1 below."""
    return np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)


def linear(query, key, value, *, of_query=lambda q: elu(q) + 1, of_key=lambda k: elu(k) + 1, norm=None):
    """φ(Q) (φ(K)ᵀ V), divided by φ(Q) Σ φ(K) or by what `norm` makes of φ(Q) and φ(K)."""
    query, key = of_query(query), of_key(key)
    total = query @ key.sum(axis=-2)[..., None] if norm is None else norm(query, key)
    return query @ (key.swapaxes(-1, -2) @ value) / total


def _causal_linear(query, key, value) -> np.ndarray:
    likenesses = np.tril((elu(query) + 1) @ (elu(key) + 1).swapaxes(-1, -2))
    return likenesses @ value / likenesses.sum(axis=-1, keepdims=True)


def _plain(x: np.ndarray) -> np.ndarray:
    return x


def _other_feature(phi: Callable[[np.ndarray], np.ndarray]) -> Callable[..., np.ndarray]:
    return partial(linear, of_query=phi, of_key=phi)


def _selu(x: np.ndarray) -> np.ndarray:
    alpha, scale = 1.6732632423543772, 1.0507009873554805
    return scale * np.where(x > 0, x, alpha * elu(x))


def _key_shares(query: np.ndarray, key: np.ndarray, value: np.ndarray, axis: int) -> np.ndarray:
    """Divide φ of the keys by its sum, and nothing afterwards."""
    return linear(
        query, key, value, of_key=lambda k: (elu(k) + 1) / (elu(k) + 1).sum(axis=axis, keepdims=True), norm=_one
    )


def _without_axis(query: np.ndarray, key: np.ndarray) -> np.ndarray:
    return (query @ key.sum(axis=-2)[..., None])[..., 0]


def _one(query: np.ndarray, key: np.ndarray) -> float:
    return 1.0


def noise(query, key, value) -> tuple[float]:
    """elu(x) + 1 is exact to 1, however small it is, so that the error grows as φ(q)·Σ φ(k) shrinks."""
    query, key = elu(query) + 1, (elu(key) + 1).sum(axis=-2)[..., None]
    lost = (key.sum(axis=-2, keepdims=True) + key.shape[-2]) / (query @ key)
    return ((float(lost.max()) + query.shape[-1] + value.shape[-2]) * largest(value),)


LINEAR_BY_HAND = "2 queries, 3 keys, d_key 2, d_value 1"


def _cancels(query: np.ndarray, key: np.ndarray) -> bool:
    """Whether φ = elu, or no φ, would divide by next to nothing: in a coarse dtype that gives rounding alone."""

    def cancels_in(query: np.ndarray, key: np.ndarray) -> bool:
        divisor = (query @ key.swapaxes(-1, -2)).sum(axis=-1)
        largest = (np.abs(query) @ np.abs(key).swapaxes(-1, -2)).sum(axis=-1)
        return bool((np.abs(divisor) < 0.05 * largest).any())

    return cancels_in(elu(query), elu(key)) or cancels_in(query, key)


def cases(draw: Draw) -> list[Case]:
    """φ is never far from 0 or 1 here; one long sequence."""

    def case(title, name, batch, sizes, by_hand=False, gradient=False, limit=None, **kind) -> Case:
        n_queries, n_keys, d_key, d_value = sizes
        query, key = (*batch, n_queries, d_key), (*batch, n_keys, d_key)
        arguments = triple(draw, query, key, d_value, by_hand, **kind)
        while "dtype" in kind and _cancels(arguments["query"].values, arguments["key"].values):
            arguments = triple(draw, query, key, d_value, by_hand, **kind)
        return Case(title, name, arguments, gradient, limit=limit)

    small = (2, 3, 2, 1)
    return [
        case(LINEAR_BY_HAND, properties.VALUES, (), small, by_hand=True, gradient=True),
        case("4 queries, 5 keys, d_key 3, d_value 6", properties.VALUES, (), (4, 5, 3, 6)),
        case("more queries than keys", properties.VALUES, (), (5, 3, 2, 4), dtype="float32"),
        case("one query, one key", properties.VALUES, (), (1, 1, 3, 2), dtype="float32"),
        case("every size 3", properties.VALUES, (), (3, 3, 3, 3)),
        case("d_key 1", properties.VALUES, (), (3, 4, 1, 2)),
        case(f"batch 2, {LINEAR_BY_HAND}", properties.LEADING_DIMENSIONS, (2,), small, by_hand=True),
        case("batch 2, 3 queries, 5 keys", properties.LEADING_DIMENSIONS, (2,), (3, 5, 4, 6)),
        case("batch 4, every size 4", properties.LEADING_DIMENSIONS, (4,), (4, 4, 4, 4), dtype="float32"),
        case("two batch dimensions", properties.LEADING_DIMENSIONS, (2, 3), (4, 5, 2, 6), dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2,), (3, 4, 5, 6), strided=True),
        # φ(K)ᵀV holds 3·2 numbers; even a product for each key and channel is a tenth of 64·48.
        case("64 queries, 48 keys", properties.MEMORY, (), (64, 48, 3, 2), limit=64 * 48 // 3),
        case("2 queries, 5 keys", properties.DTYPES, (), (2, 5, 4, 3), dtype="bfloat16"),
        case("batch 2, in float32", properties.DTYPES, (2,), (3, 6, 4, 5), dtype="float32"),
    ]


EXERCISE = FunctionExercise(
    name="linear_attention",
    prompt="Attention with φ(q)·φ(k), φ(x) = elu(x) + 1, in place of the exponential, and no n × n tensor.",
    points=2,
    difficulty=2,
    minutes=15,
    hints=(
        "Write the output of one query as a fraction: Σ_j φ(q)·φ(k_j) v_j above, Σ_j φ(q)·φ(k_j) below. What can "
        "be taken out of both sums?",
        "Σ_j φ(k_j)ᵀ v_j is a matrix of (d_key, d_value), and Σ_j φ(k_j) a vector of d_key. Neither depends on the "
        "query.",
        "`F.elu` is elu. A matrix product of φ(K), its last two axes exchanged, with V makes the first sum.",
    ),
    oracle=oracle,
    cases=cases,
    noise=noise,
    returns=Returns(axes=("..., n_queries, d_value",)),
    words=WORDS,
    misconceptions={
        "linear-no-normaliser": Misconception(
            "The denominator is left out",
            "The likenesses φ(q)·φ(k) are positive but sum to anything. Divided by their sum over the "
            "keys they become weights that sum to 1.",
            (partial(linear, norm=_one),),
        ),
        "linear-no-plus-one": Misconception(
            "φ is elu, without the 1",
            "elu reaches down to −1, so likenesses may be negative and their sum 0. elu(x) + 1 is positive everywhere.",
            (partial(linear, of_query=elu, of_key=elu),),
        ),
        "linear-plus-one-inside": Misconception(
            "The 1 is added before elu, and not after it",
            "elu(x + 1) still reaches down to −1, so likenesses may be negative. elu(x) + 1 is never negative. Which "
            "of the two steps comes first?",
            (_other_feature(lambda x: elu(x + 1)),),
        ),
        "linear-other-feature": Misconception(
            "φ is another function than elu(x) + 1",
            "Here φ(x) is x + 1 where x is above 0, and exp(x) elsewhere. Other papers compare by other functions, "
            "such as relu, exp, or a softmax of the queries and one of the keys.",
            (
                _other_feature(lambda x: np.maximum(x, 0)),
                _other_feature(lambda x: np.maximum(x, 0) + 1),
                _other_feature(np.exp),
                _other_feature(lambda x: np.logaddexp(x, 0)),
                _other_feature(lambda x: 1 / (1 + np.exp(-x))),
                _other_feature(lambda x: _selu(x) + 1),
                partial(
                    linear, of_query=soften, of_key=lambda k: soften(k.swapaxes(-1, -2)).swapaxes(-1, -2), norm=_one
                ),
                partial(linear, of_query=soften, of_key=soften),
            ),
        ),
        "linear-no-feature-map": Misconception(
            "There is no φ: queries and keys are compared as they are",
            "Without the softmax the brackets can move, but q·k may be negative, and the sum of a query's likenesses "
            "may be 0. First φ makes queries and keys positive. Then each output is divided by the sum of its own "
            "likenesses φ(q)·φ(k).",
            (_other_feature(_plain), partial(linear, of_query=_plain, of_key=_plain, norm=_one)),
        ),
        "linear-one-sided": Misconception(
            "φ is applied to one side alone",
            "A likeness is φ(q)·φ(k): both sides go through φ, or it need not be positive.",
            (partial(linear, of_query=_plain), partial(linear, of_key=_plain)),
        ),
        "linear-other-normaliser": Misconception(
            "The outputs are divided by something else than the sum of their own likenesses",
            "Each query has a denominator of its own, the sum of φ(q)·φ(k) over all keys. Then, and only "
            "then, its weights sum to 1.",
            (
                partial(_key_shares, axis=-1),
                partial(_key_shares, axis=-2),
                *each(
                    linear,
                    "norm",
                    lambda query, key: key.shape[-2],
                    lambda query, key: key.sum(axis=(-2, -1))[..., None, None],
                    lambda query, key: query.sum(axis=-1, keepdims=True),
                    lambda query, key: (query @ key.swapaxes(-1, -2)).sum(axis=(-2, -1))[..., None, None],
                ),
            ),
        ),
        "keepdims-forgotten": Misconception(
            "The denominator has no axis of length 1 at its end",
            "The denominator has one number for each query. It needs an axis of length 1 at its end (`unsqueeze(-1)`) "
            "before you divide. Without it, broadcasting lays these numbers along the last axis of the output.",
            (partial(linear, norm=_without_axis),),
        ),
        "linear-values-too": Misconception(
            "φ is applied to the values too",
            "φ serves to compare query and key. The values are averaged as they are.",
            (lambda query, key, value: linear(query, key, elu(value) + 1),),
        ),
        "linear-causal": Misconception(
            "Each query sees the keys up to its own place only",
            "Running sums over the tokens make the causal form. Here every query attends to every key.",
            (_causal_linear,),
        ),
        "scale-added": (lambda query, key, value: linear(query / np.sqrt(query.shape[-1]), key, value),),
        "softmax-kept": Misconception(
            "There is a softmax all the same",
            "This attention compares by φ(q)·φ(k), which comes apart into two factors; exp(q·k) does not."
            " That is what lets keys and values meet before the queries.",
            (
                lambda query, key, value: attend(query, key, value)[0],
                lambda query, key, value: soften(query @ key.swapaxes(-1, -2)) @ value,
                lambda query, key, value: attend(elu(query) + 1, elu(key) + 1, value)[0],
                lambda query, key, value: soften((elu(query) + 1) @ (elu(key) + 1).swapaxes(-1, -2)) @ value,
            ),
        ),
    },
)
