"""The arguments belong together: `_forward` makes what the forward pass keeps of queries, keys and values."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from course_attention.authoring import (
    EPSILON,
    Array,
    Case,
    Draw,
    FunctionExercise,
    Misconception,
    Returns,
    properties,
    rounded,
)
from course_attention.exercises.common.attention import dot, largest, product_noise
from course_attention.exercises.common.inputs import of, triple
from course_attention.exercises.common.masking import soften
from course_attention.exercises.long_context.in_blocks import blocks
from course_attention.exercises.long_context.words import WORDS

Gradients = tuple[np.ndarray, np.ndarray, np.ndarray]


def oracle(query, key, value, output, logsumexp, grad_output, block_size: int) -> Gradients:
    """∂loss/∂s_ij = p_ij (∂loss/∂p_ij − Σ_k p_ik ∂loss/∂p_ik), and s_ij = q_i·k_j / √d_key."""
    root = query.shape[-1] ** 0.5
    grad_query, grad_key, grad_value = np.zeros(query.shape), np.zeros(key.shape), np.zeros(value.shape)
    for batch in np.ndindex(query.shape[:-2]):
        q, k, v, upstream = query[batch], key[batch], value[batch], grad_output[batch]
        for i in range(len(q)):
            mean_change = dot(upstream[i], output[batch][i])  # Σ_k p_ik ∂loss/∂p_ik, as output_i = Σ_k p_ik v_k
            for j in range(len(k)):
                weight = np.exp(dot(q[i], k[j]) / root - logsumexp[batch][i])
                grad_score = weight * (dot(upstream[i], v[j]) - mean_change)
                grad_query[batch][i] += grad_score * k[j] / root
                grad_key[batch][j] += grad_score * q[i] / root
                grad_value[batch][j] += weight * upstream[i]
    return grad_query, grad_key, grad_value


Size = Callable[[np.ndarray, np.ndarray, np.ndarray], float]


def _root_of_d_key(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> float:
    return np.sqrt(query.shape[-1])


def _backward(
    query,
    key,
    value,
    output,
    logsumexp,
    grad_output,
    block_size,
    *,
    scale=_root_of_d_key,
    scale_query=_root_of_d_key,
    scale_key=_root_of_d_key,
    weigh=lambda scores, block, logsumexp: np.exp(scores[..., block] - logsumexp),
    over_row=np.sum,
    mean_change=lambda weights, change, given: given,
    change_scores=lambda weights, change, mean: weights * (change - mean),
    whole_only=False,
    last_only=False,
    to_values=lambda output, grad_output: grad_output,
) -> Gradients:
    """Compute the three gradients, one block of keys at a time."""
    sizes = query, key, value
    scores = query @ key.swapaxes(-1, -2) / scale(*sizes)
    given = over_row(grad_output * output, axis=-1, keepdims=True)
    grad_query, grad_key, grad_value = np.zeros(query.shape), np.zeros(key.shape), np.zeros(value.shape)
    for block in blocks(key.shape[-2], block_size, whole_only):
        weights = weigh(scores, block, logsumexp[..., None])
        change = grad_output @ value[..., block, :].swapaxes(-1, -2)
        grad_scores = change_scores(weights, change, mean_change(weights, change, given))
        own = grad_scores @ key[..., block, :] / scale_query(*sizes)
        grad_query = own if last_only else grad_query + own
        grad_key[..., block, :] = grad_scores.swapaxes(-1, -2) @ query / scale_key(*sizes)
        grad_value[..., block, :] = weights.swapaxes(-1, -2) @ to_values(output, grad_output)
    return grad_query, grad_key, grad_value


_SIZES: dict[str, tuple[Size, ...]] = {
    "no-scale": (lambda query, key, value: 1.0,),
    "scale-by-d": (lambda query, key, value: query.shape[-1],),
    "scale-multiplied": (lambda query, key, value: query.shape[-1] ** -0.5,),
    "scale-wrong-axis": (
        lambda query, key, value: np.sqrt(key.shape[-2]),
        lambda query, key, value: np.sqrt(value.shape[-1]),
        lambda query, key, value: np.sqrt(query.shape[-2]),
    ),
}


def _one(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> float:
    return 1.0


def _scaled_alike(size: Size) -> tuple[dict[str, Any], ...]:
    """Scale the gradients rightly, and as the scores are."""
    return {}, {"scale_query": size, "scale_key": size}


def _weighing(*ways: Callable[..., np.ndarray]) -> tuple[Callable, ...]:
    return tuple(partial(_backward, weigh=way) for way in ways)


def noise(query, key, value, output, logsumexp, grad_output, block_size) -> tuple[float, float, float]:
    """Of the gradients; a weight is off by as much as its score and the logsumexp are, and the mean change with it.

    An answer may also compute the logsumexp or the mean change again. They then differ from what was kept by its
    rounding, which is counted in the finest dtype that has one to speak of.
    """
    n_queries, n_keys, root = query.shape[-2], key.shape[-2], query.shape[-1] ** 0.5
    p = np.exp(query @ key.swapaxes(-1, -2) / root - logsumexp[..., None])
    means = (p * (grad_output @ value.swapaxes(-1, -2))).sum(axis=-1)
    coarse = EPSILON["float16"]
    weight = product_noise(query, key) / root + largest(logsumexp) + n_keys
    weight += largest(p.sum(axis=-1) - 1) / coarse
    change = 2 * weight * product_noise(grad_output, value)
    change += largest(means - (grad_output * output).sum(axis=-1)) / coarse
    return (
        change * largest(key) / root,
        n_queries * change * largest(query) / root,
        n_queries * weight * largest(grad_output),
    )


def _forward(query: Array, key: Array, value: Array, upstream: Array, block_size: int) -> dict[str, object]:
    """Return the arguments, with what the forward pass keeps of these queries, keys and values."""
    scores = query.values @ key.values.swapaxes(-1, -2) / np.sqrt(query.values.shape[-1])
    top = scores.max(axis=-1, keepdims=True)
    logsumexp = (top + np.log(np.exp(scores - top).sum(axis=-1, keepdims=True)))[..., 0]

    def kept(values: np.ndarray) -> Array:
        return Array(rounded(values, query.dtype), query.dtype, query.strided)

    return {
        "query": query,
        "key": key,
        "value": value,
        "output": kept(soften(scores) @ value.values),
        "logsumexp": kept(logsumexp),
        "grad_output": upstream,
        "block_size": block_size,
    }


def cases(draw: Draw) -> list[Case]:
    """Blocks that come out even and that do not, scores that differ widely, and a long sequence of queries."""

    def case(title, name, batch, sizes, block_size, by_hand=False, limit=None, **kind) -> Case:
        n_queries, n_keys, d_key, d_value = sizes
        query, key = (*batch, n_queries, d_key), (*batch, n_keys, d_key)
        given = triple(draw, query, key, d_value, by_hand, **kind)
        make = draw.halves if by_hand else draw.normal
        upstream = make(*batch, n_queries, d_value, **kind)
        return Case(title, name, _forward(**given, upstream=upstream, block_size=block_size), limit=limit)

    # The two best keys of the first query are equally good, and stand in different blocks.
    large = _forward(
        of([[120.0, 0.0], [0.0, -120.0]], "float64"),
        of([[118.0, 108.0], [-115.0, -100.0], [118.0, 120.0], [-120.0, -119.0]], "float64"),
        of([[1.0, -2.0, 0.5], [3.0, 1.0, -1.0], [-0.5, 2.0, 4.0], [2.0, -1.0, 1.0]], "float64"),
        of([[1.0, 0.5, -1.0], [-0.5, 1.0, 2.0]], "float64"),
        2,
    )
    by_hand = "2 queries, 3 keys, d_key 2, d_value 1, blocks of 2"
    return [
        case(
            "1 query, 2 keys, d_key 2, d_value 1, blocks of 1",
            properties.VALUES,
            (),
            (1, 2, 2, 1),
            1,
            by_hand=True,
        ),
        case(
            "2 queries, 4 keys, d_key 2, d_value 1, blocks of 2",
            properties.VALUES,
            (),
            (2, 4, 2, 1),
            2,
            by_hand=True,
        ),
        case("4 queries, 6 keys, blocks of 3", properties.VALUES, (), (4, 6, 5, 2), 3),
        case("blocks of 1", properties.VALUES, (), (3, 4, 2, 5), 1),
        case("every size 4, blocks of 2", properties.VALUES, (), (4, 4, 4, 4), 2),
        case("one query, one key", properties.VALUES, (), (1, 1, 3, 2), 1),
        case(by_hand, properties.LAST_BLOCK, (), (2, 3, 2, 1), 2, by_hand=True),
        case("5 queries, 7 keys, blocks of 3", properties.LAST_BLOCK, (), (5, 7, 4, 6), 3),
        case("2 queries, 3 keys, one block of 5", properties.LAST_BLOCK, (), (2, 3, 4, 2), 5),
        case("more queries than keys", properties.LAST_BLOCK, (), (7, 5, 2, 3), 2),
        case(f"batch 2, {by_hand}", properties.LEADING_DIMENSIONS, (2,), (2, 3, 2, 1), 2, by_hand=True),
        case("batch 2, 3 queries, 5 keys", properties.LEADING_DIMENSIONS, (2,), (3, 5, 4, 6), 2),
        case("batch 4, every size 4", properties.LEADING_DIMENSIONS, (4,), (4, 4, 4, 4), 2),
        case("two batch dimensions", properties.LEADING_DIMENSIONS, (2, 3), (4, 5, 2, 6), 3, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2,), (3, 4, 5, 6), 2, strided=True),
        Case("scores near ±10,000", properties.LARGE_SCORES, large),
        case("40 queries, 24 keys, blocks of 4", properties.MEMORY, (), (40, 24, 3, 2), 4, limit=40 * 4),
        # A block of queries with all keys at once is too much here; a copy of all keys is not.
        case("24 queries, 40 keys, blocks of 4", properties.MEMORY, (), (24, 40, 2, 2), 4, limit=24 * 4),
        case("2 queries, 5 keys", properties.DTYPES, (), (2, 5, 4, 3), 2, dtype="bfloat16"),
        case("batch 2, in float32", properties.DTYPES, (2,), (3, 6, 4, 5), 4, dtype="float32"),
    ]


def _kept_by_forward(inputs: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the output and the logsumexp that belong to the queries, keys and values of a mutant's input."""
    query, key, value = (inputs.of(name).values for name in ("query", "key", "value"))
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    logsumexp = np.logaddexp.reduce(scores, axis=-1)
    return np.exp(scores - logsumexp[..., None]) @ value, logsumexp


EXERCISE = FunctionExercise(
    name="attention_backward",
    prompt="The backward pass of attention without the n_queries × n_keys matrix: one block of keys at a time.",
    points=4,
    difficulty=3,
    minutes=25,
    hints=(
        "The forward pass threw the weights away. For a block of keys you can make them again: the scaled scores, "
        "and the logsumexp that turns them into weights without a second look at the other blocks.",
        "Go backwards through output = weights @ values, then through the softmax, then through the scores. The "
        "derivative of the softmax subtracts from the gradient of each weight the mean of these gradients under the "
        "weights of its query, and that mean runs over all keys. Which row sum of what you are given is equal to it?",
        "grad_key and grad_value are complete for each block: put the blocks side by side. grad_query sums over the "
        "blocks. The scores contain the scale 1/√d_key, and so do the gradients of both their factors.",
    ),
    returns=Returns(
        names=("grad_query", "grad_key", "grad_value"),
        differentiable=False,
        axes=("..., n_queries, d_key", "..., n_keys, d_key", "..., n_keys, d_value"),
    ),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "output": lambda inputs: inputs.array(_kept_by_forward(inputs)[0]),
        "logsumexp": lambda inputs: inputs.array(_kept_by_forward(inputs)[1]),
    },
    noise=noise,
    words=WORDS,
    misconceptions={
        **{
            name: tuple(partial(_backward, scale=size, **others) for size in sizes for others in _scaled_alike(size))
            for name, sizes in _SIZES.items()
        },
        "gradient-not-scaled": Misconception(
            "The scale is missing in a gradient",
            "The scores are q·k/√d_key. The derivative of a score with respect to q is k/√d_key, and with"
            " respect to k it is q/√d_key: the division stays in both.",
            (
                partial(_backward, scale_query=_one, scale_key=_one),
                partial(_backward, scale_key=_one),
                partial(_backward, scale_query=_one),
            ),
        ),
        "logsumexp-forgotten": Misconception(
            "The exponentials of the scores are used as weights",
            "They are not divided by anything yet. The logsumexp was kept for that: subtract it before exp.",
            _weighing(lambda scores, block, logsumexp: np.exp(scores[..., block])),
        ),
        "logsumexp-as-sum": Misconception(
            "The exponentials are divided by the logsumexp",
            "It is the logarithm of their sum, not the sum. Subtracted from the scores before the "
            "exponential, it does the division, and nothing overflows.",
            _weighing(lambda scores, block, logsumexp: np.exp(scores[..., block]) / logsumexp),
        ),
        "maximum-for-logsumexp": Misconception(
            "The largest score is subtracted, where the logsumexp is needed",
            "That keeps the exponential from overflowing, but does not make the weights of a query sum to"
            " 1. The logsumexp does both.",
            _weighing(
                lambda scores, block, logsumexp: np.exp(scores[..., block] - scores.max(axis=-1, keepdims=True)),
                lambda scores, block, logsumexp: np.exp(
                    scores[..., block] - scores[..., block].max(axis=-1, keepdims=True)
                ),
            ),
        ),
        "softmax-of-block": Misconception(
            "Each block has a softmax of its own",
            "The weights of a query sum to 1 over all keys, not over the keys of one block.",
            _weighing(lambda scores, block, logsumexp: soften(scores[..., block])),
        ),
        "mean-change-forgotten": Misconception(
            "The changes of the weights are not brought to a mean of 0",
            "A softmax does not change when all scores of a query rise by the same amount. So the "
            "gradients of its scores sum to 0, and something has to be subtracted that makes them do so.",
            (partial(_backward, mean_change=lambda weights, change, given: np.zeros_like(given)),),
        ),
        "mean-change-added": Misconception(
            "The mean change is added, not subtracted",
            "When all weights of a query would gain equally, nothing is gained at all, because they still"
            " sum to 1. Check: the gradients of the scores of a query sum to 0.",
            (partial(_backward, mean_change=lambda weights, change, given: -given),),
        ),
        "mean-change-averaged": Misconception(
            "The row sum of grad_output * output is divided by d_value",
            "The mean change is a mean over the keys, and the weights in it already sum to 1. It is equal to the dot "
            "product of grad_output and output, which is a plain sum over their d_value numbers, as of `.sum(-1)`.",
            (partial(_backward, over_row=np.mean),),
        ),
        "mean-change-outside": Misconception(
            "The mean change is subtracted from the product with the weights",
            "The weight multiplies the whole difference, ∂/∂p_ij less the mean change. `p * a - b` takes b from the "
            "product. What is subtracted first needs brackets.",
            (partial(_backward, change_scores=lambda weights, change, mean: weights * change - mean),),
        ),
        "mean-change-unweighted": Misconception(
            "The mean change is a mean in which all keys count the same",
            "Each key counts by its weight p_ik, and the sum runs over all keys. The row sum of grad_output * output "
            "is equal to it.",
            (partial(_backward, mean_change=lambda weights, change, given: change.mean(axis=-1, keepdims=True)),),
        ),
        "mean-change-of-block": Misconception(
            "The mean change is taken within the block",
            "The softmax runs over all keys, and so does the mean. The row sums of grad_output * output "
            "are equal to it, so no other pass over the blocks is needed.",
            (
                partial(
                    _backward,
                    mean_change=lambda weights, change, given: (weights * change).sum(axis=-1, keepdims=True),
                ),
            ),
        ),
        "keepdims-forgotten": (
            *_weighing(lambda scores, block, logsumexp: np.exp(scores[..., block] - logsumexp[..., 0])),
            partial(_backward, over_row=lambda products, axis, keepdims: products.sum(axis=axis)),
        ),
        "weights-forgotten": Misconception(
            "The gradient of the scores does not contain the weights",
            "A score whose weight is nearly 0 can hardly change anything: its gradient is in proportion to its weight.",
            (partial(_backward, change_scores=lambda weights, change, mean: change - mean),),
        ),
        "softmax-one-by-one": Misconception(
            "The softmax is differentiated one weight at a time",
            "p(1 − p) is what a score does to its own weight. It also takes weight from all the others.",
            (partial(_backward, change_scores=lambda weights, change, mean: weights * (1 - weights) * change),),
        ),
        "output-for-its-gradient": Misconception(
            "The values get the output, where they should get its gradient",
            "A value's gradient is a sum over the queries: the weight that the query gives it, times the "
            "gradient of the loss with respect to that query's output.",
            (partial(_backward, to_values=lambda output, grad_output: output),),
        ),
        "online-last-block": (partial(_backward, whole_only=True),),
        "online-only-last-block": (partial(_backward, last_only=True),),
    },
)
