"""Attention without a softmax, in another order of products: no matrix of all pairs is made."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.execution.largest_tensor import LargestTensor
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.leaves import differences

SMALL = "no matrix of all pairs"


def regrouped(query, key, value):
    """The output of mean_attention, with Kᵀ V first."""
    return query @ (key.mT @ value) / len(key)


def all_pairs(query, key, value):
    return query @ key.mT / len(key) @ value


def not_divided(query, key, value):
    return query @ (key.mT @ value)


def divided_by_queries(query, key, value):
    return query @ (key.mT @ value) / len(query)


def scaled(query, key, value):
    return query @ (key.mT @ value) / query.shape[-1] ** 0.5


def with_softmax(query, key, value):
    return query @ (key.mT @ value).softmax(dim=-1) / len(key)


def _output_and_size(answer: Callable[..., Any], query: Tensor, key: Tensor, value: Tensor) -> Any:
    """Return the output, and where it is right, how large a tensor was made on the way."""
    with LargestTensor() as largest:
        output = answer(query, key, value)
    enough = max(query.numel(), key.numel(), value.numel(), len(query) * value.shape[-1])
    if differences(all_pairs(query, key, value), output, tolerance=1e-3) or largest.numbers <= enough:
        return output, SMALL
    return output, f"a tensor of {largest.numbers:,} numbers, where {enough:,} are enough"


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a product by hand, others at random, and one with so many keys that the matrix would be large."""
    yield Trial(
        "one query, two keys",
        {
            "query": torch.tensor([[2.0]]),
            "key": torch.tensor([[1.0], [3.0]]),
            "value": torch.tensor([[5.0], [1.0]]),
        },
        torch.tensor([[8.0]]),
        says="The weights would be 2·1/2 = 1 and 2·3/2 = 3, so the output is 1·5 + 3·1 = 8.",
    )
    for n_queries, n_keys in ((5, 7), (4, 4)):
        shapes = {"query": (n_queries, 3), "key": (n_keys, 3), "value": (n_keys, 2)}
        arguments = {name: torch.randn(*shape, generator=generator) for name, shape in shapes.items()}
        yield Trial(f"{n_queries} queries, {n_keys} keys", arguments, tolerance=1e-4)
    shapes = {"query": (300, 3), "key": (200, 3), "value": (200, 2)}
    yield Trial(
        "300 queries, 200 keys: the output, and what is made on the way",
        {name: torch.randn(*shape, generator=generator) for name, shape in shapes.items()},
        run=_output_and_size,
        says="The output is right. On the way, a tensor was made with a number for each query and each key.",
        tolerance=1e-3,
    )


PRACTICE = Practice(
    name="regrouped",
    prompt="The output of mean_attention without a matrix of (n_queries, n_keys).",
    minutes=5,
    hints=(
        "The output is a product of three matrices, Q Kᵀ V, divided by a number. A product of three matrices may be "
        "computed from either end.",
        "Kᵀ V has the shape (d_key, d_value), whatever the number of keys.",
        "Multiply the query with that product, and divide by the number of keys.",
    ),
    given=regrouped,
    trials=trials,
    returns=("output", "on the way"),
    misconceptions={
        "regrouped-all-pairs": Misconception(
            "The matrix of all pairs is still made",
            "The output is right. But `query @ key.mT` comes first, and it has a number for each query and each key. "
            "Brackets decide which product is computed first.",
            (all_pairs,),
        ),
        "regrouped-not-divided": Misconception(
            "The division is missing",
            "The weights of mean_attention are dot products divided by the number of keys.",
            (not_divided,),
        ),
        "regrouped-queries-counted": Misconception(
            "Divided by the number of queries",
            "Each query takes a mean over the keys, so their number divides.",
            (divided_by_queries,),
        ),
        "regrouped-scaled": Misconception(
            "Divided by √d_key",
            "That is the scale of attention with a softmax. Here the number of keys divides.",
            (scaled,),
        ),
        "regrouped-softmax": Misconception(
            "There is a softmax in it",
            "A softmax between the products would not let them change places. mean_attention has none.",
            (with_softmax,),
        ),
    },
)
