from collections.abc import Callable
from itertools import permutations

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import largest

Three = tuple[np.ndarray, np.ndarray, np.ndarray]


def oracle(weight: np.ndarray, n_heads: int) -> Three:
    """Head h owns 3·d_head columns: d_head of its query, then of its key, then of its value."""
    d_model, n_columns = weight.shape
    d_head = n_columns // (3 * n_heads)
    parts = np.empty((3, d_model, n_heads * d_head))
    for part in range(3):
        for head in range(n_heads):
            for channel in range(d_head):
                parts[part, :, head * d_head + channel] = weight[:, (3 * head + part) * d_head + channel]
    return parts[0], parts[1], parts[2]


# The computation in a few lines. In "dhpc" the weight has an axis for each of: row, head, part (query, key or value),
# channel within the head. `columns` says in which order the columns are taken to count the last three.


def _cut(weight: np.ndarray, n_heads: int, *, columns: str = "hpc", kept: str = "dhc") -> Three:
    sizes = {"h": n_heads, "p": 3, "c": weight.shape[1] // (3 * n_heads)}
    axes = weight.reshape(len(weight), *(sizes[axis] for axis in columns))
    query, key, value = np.einsum(f"d{columns}->p{kept}", axes)
    return query, key, value


def _merged(parts: Three, n_rows: int) -> Three:
    query, key, value = (part.reshape(n_rows, -1) for part in parts)
    return query, key, value


def _columns_as(order: str) -> Callable[..., Three]:
    return lambda weight, n_heads: _merged(_cut(weight, n_heads, columns=order), len(weight))


def _in_order(order: tuple[int, ...]) -> Callable[..., tuple[np.ndarray, ...]]:
    return lambda weight, n_heads: tuple(oracle(weight, n_heads)[part] for part in order)


def _turned(weight: np.ndarray, n_heads: int) -> tuple[np.ndarray, ...]:
    return tuple(part.T for part in oracle(weight, n_heads))


def _cut_rows(weight: np.ndarray, n_heads: int) -> Three:
    """As nn.Linear stores a weight: (n_heads·3·d_head, d_model)."""
    heads = weight.reshape(n_heads, 3, -1, weight.shape[1])
    query, key, value = (heads[:, part].reshape(-1, weight.shape[1]) for part in range(3))
    return query, key, value


def _cut_rows_and_turned(weight: np.ndarray, n_heads: int) -> tuple[np.ndarray, ...]:
    return tuple(part.T for part in _cut_rows(weight, n_heads))


def _rows_in_thirds(weight: np.ndarray, n_heads: int) -> Three:
    """As `chunk` does it: where the rows do not come out even, the last part has fewer, or there is none."""
    size = -(-len(weight) // 3)
    query, key, value = (weight[at : at + size] for at in range(0, len(weight), size))
    return query, key, value


def _one_head(head: int) -> Callable[..., tuple[np.ndarray, ...]]:
    def compute(weight: np.ndarray, n_heads: int) -> tuple[np.ndarray, ...]:
        return tuple(np.split(part, n_heads, axis=1)[head] for part in oracle(weight, n_heads))

    return compute


def _overlapping(weight: np.ndarray, n_heads: int) -> tuple[np.ndarray, ...]:
    d_head = weight.shape[1] // (3 * n_heads)
    return tuple(weight[:, part * d_head : (part + n_heads) * d_head] for part in range(3))


def cases(draw: Draw) -> list[Case]:
    """Rows, heads and d_head different, and such that other weights would be as large."""

    def case(title, name, d_model, n_heads, d_head, **kind) -> Case:
        weight = draw.normal(d_model, n_heads * 3 * d_head, **kind)
        return Case(title, name, {"weight": weight, "n_heads": n_heads})

    by_hand = {"weight": draw.halves(1, 6), "n_heads": 2}
    two_rows = {"weight": draw.halves(3, 12), "n_heads": 2}
    return [
        Case("d_model 1, 2 heads, d_head 1", properties.VALUES, by_hand, gradient=True),
        Case("d_model 3, 2 heads, d_head 2", properties.VALUES, two_rows),
        case("d_model 5, 2 heads, d_head 3", properties.VALUES, 5, 2, 3),
        case("d_model 4, 3 heads, d_head 2", properties.VALUES, 4, 3, 2, dtype="float32"),
        case("d_model 6, 4 heads, d_head 4", properties.VALUES, 6, 4, 4, dtype="float32"),
        case("a square weight: d_model 12, 2 heads, d_head 2", properties.VALUES, 12, 2, 2),
        case("one head", properties.EDGES, 5, 1, 3),
        case("d_head 1", properties.EDGES, 4, 5, 1, dtype="float32"),
        case("d_model 257, 3 heads, d_head 2", properties.EDGES, 257, 3, 2, dtype="float32"),
        case("a weight that is not contiguous", properties.STRIDES, 5, 3, 4, strided=True),
        case("d_model 2, 3 heads, d_head 2", properties.DTYPES, 2, 3, 2, dtype="bfloat16"),
        case("d_model 3, 2 heads, d_head 4", properties.DTYPES, 3, 2, 4, dtype="float16"),
    ]


EXERCISE = FunctionExercise(
    name="split_fused",
    prompt="Take a stored projection apart into the weights of query, key and value.",
    points=2,
    difficulty=2,
    minutes=10,
    hints=(
        "Write down the columns for 2 heads and d_head 1. To whom does each of the six belong?",
        "The columns count three things at once: the head, then whether it is query, key or value, then the channel. "
        "Give each of them an axis of its own.",
        "With the axes (d_model, n_heads, 3, d_head), `unbind` takes the axis of 3 apart. In each part the two axes "
        "that are left over are joined again, in the order in which they come.",
    ),
    returns=Returns(names=("w_query", "w_key", "w_value"), axes=("d_model, n_heads·d_head",) * 3),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"d_fused": lambda inputs: 3 * inputs.multiple("n_heads")},
    noise=lambda weight, n_heads: (largest(weight),) * 3,
    misconceptions={
        "fused-in-thirds": Misconception(
            "The weight is cut into thirds",
            "GPT-2 stores all queries first, then all keys, then all values. Here each head keeps its own three "
            "together, so a third of the columns holds queries, keys and values of some heads, and of others nothing.",
            (_columns_as("phc"),),
        ),
        "fused-channel-by-channel": Misconception(
            "Every third column goes to the query",
            "Within a head, all d_head columns of the query come first, then all of the key, then all of the value. "
            "Here they are dealt out in turn, one column to each.",
            (_columns_as("hcp"),),
        ),
        "fused-order": Misconception(
            "Query, key and value are taken in another order",
            "Each head holds query, key and value in this order, and they are returned in it.",
            tuple(_in_order(order) for order in permutations(range(3)) if order != (0, 1, 2)),
        ),
        "heads-interleaved": Misconception(
            "The heads' channels are dealt out in turn",
            "In each result the columns of head 0 stand together, then those of head 1, as they do in the weights of "
            "your own module. Here column 0 of every head comes first.",
            (lambda weight, n_heads: _merged(_cut(weight, n_heads, kept="dch"), len(weight)),),
        ),
        "fused-by-view": Misconception(
            "The heads are joined by a reshape while they stand in front of the rows",
            "A reshape keeps the numbers in their order. With the heads in front, a row of the result gets numbers of "
            "several rows of the weight. Leave the rows in front, or move them back before you join the heads.",
            (lambda weight, n_heads: _merged(_cut(weight, n_heads, kept="hdc"), len(weight)),),
        ),
        "fused-rows-wound-up": Misconception(
            "The whole weight is reshaped, its rows as well",
            "A row of the weight belongs to one input channel. A reshape to (3, d_model, …) gives the query the first "
            "third of the rows, not a share of every row. Only the last axis is to be cut.",
            (lambda weight, n_heads: tuple(weight.reshape(3, len(weight), -1)),),
        ),
        "fused-rows-cut": Misconception(
            "The rows are cut, where the columns should be",
            "nn.Linear stores a weight as (d_out, d_in), and there the rows would be cut. Here the weight is applied "
            "as x @ weight, so its columns belong to the heads.",
            (_cut_rows, _cut_rows_and_turned, _rows_in_thirds),
        ),
        "fused-transposed": Misconception(
            "The three weights are transposed",
            "They are applied as x @ w, as the weight itself is. Each has a row for every channel of the token.",
            (_turned,),
        ),
        "fused-heads-left": Misconception(
            "The heads still have an axis of their own",
            "A weight has two axes, (d_model, n_heads·d_head). Join the head and the channel again.",
            (_cut, lambda weight, n_heads: _cut(weight, n_heads, kept="hdc")),
        ),
        "head-sizes-exchanged": Misconception(
            "n_heads is taken for d_head",
            "There are n_heads heads of d_head channels each. Here there are d_head heads of n_heads channels.",
            (lambda weight, n_heads: oracle(weight, weight.shape[1] // (3 * n_heads)),),
        ),
        "fused-one-head": Misconception(
            "Only one head is taken",
            "Every head has a query, a key and a value. Each result holds those of all heads side by side.",
            (_one_head(0), _one_head(-1)),
        ),
        "fused-heads-overlap": Misconception(
            "The next head is looked for d_head columns further on",
            "One head fills 3·d_head columns, so the next one begins 3·d_head further to the right.",
            (_overlapping,),
        ),
    },
)
