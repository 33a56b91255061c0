from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np

from course_attention.authoring import (
    Array,
    Case,
    Draw,
    FunctionExercise,
    Misconception,
    Returns,
    TorchAttention,
    properties,
)
from course_attention.exercises.multi_head.heads import NAMES


def oracle(torch_attention: TorchAttention) -> tuple[np.ndarray, ...]:
    """Query, key and value one below another, then the output."""
    joined, d_model = torch_attention.weights["in_proj_weight"].values, torch_attention.embed_dim
    blocks = (joined[part * d_model : (part + 1) * d_model] for part in range(3))
    return (*blocks, torch_attention.weights["out_proj.weight"].values)


def _reordered(order: tuple[int, ...]) -> Callable:
    def compute(torch_attention: TorchAttention) -> tuple[np.ndarray, ...]:
        *blocks, out = oracle(torch_attention)
        return (*(blocks[part] for part in order), out)

    return compute


def _transposed(which: tuple[bool, ...]) -> Callable:
    def compute(torch_attention: TorchAttention) -> tuple[np.ndarray, ...]:
        parts = oracle(torch_attention)
        return tuple(part.T if turn else part for part, turn in zip(parts, which, strict=True))

    return compute


def _interleaved(torch_attention: TorchAttention) -> tuple[np.ndarray, ...]:
    joined = torch_attention.weights["in_proj_weight"].values
    blocks = (joined[part::3] for part in range(3))
    return (*blocks, torch_attention.weights["out_proj.weight"].values)


def _by_head(torch_attention: TorchAttention) -> tuple[np.ndarray, ...]:
    joined, d_model = torch_attention.weights["in_proj_weight"].values, torch_attention.embed_dim
    heads = joined.reshape(torch_attention.num_heads, 3, -1, d_model)
    blocks = (heads[:, part].reshape(d_model, d_model) for part in range(3))
    return (*blocks, torch_attention.weights["out_proj.weight"].values)


def cases(draw: Draw) -> list[Case]:
    """Layers of several sizes; in each, every number is another one."""

    def case(title, name, d_model, n_heads, halves=False, **kind) -> Case:
        make = draw.halves if halves else draw.normal
        weights = {
            "in_proj_weight": make(3 * d_model, d_model, **kind),
            "out_proj.weight": make(d_model, d_model, **kind),
        }
        return Case(title, name, {"torch_attention": TorchAttention(d_model, n_heads, weights)})

    return [
        case("d_model 2, 1 head", properties.VALUES, 2, 1, halves=True),
        case("d_model 4, 2 heads", properties.VALUES, 4, 2, halves=True),
        case("d_model 6, 3 heads", properties.VALUES, 6, 3, dtype="float32"),
        case("d_model 6, 2 heads", properties.VALUES, 6, 2),
        case("d_model 4, 2 heads", properties.DTYPES, 4, 2, dtype="bfloat16"),
    ]


def _torch_attention_for_mutants(inputs: Any) -> TorchAttention:
    d_model = inputs.multiple("n_heads")
    shapes = {"in_proj_weight": (3 * d_model, d_model), "out_proj.weight": (d_model, d_model)}
    weights = {name: Array(inputs.floats(*shape).values, inputs.dtype) for name, shape in shapes.items()}
    return TorchAttention(d_model, inputs.of("n_heads"), weights)


EXERCISE = FunctionExercise(
    name="transplant",
    prompt="Take the weights out of an nn.MultiheadAttention, by the names of your own module.",
    points=2,
    difficulty=2,
    minutes=10,
    hints=(
        "`torch_attention.state_dict()` shows what there is: in_proj_weight and out_proj.weight. What are their "
        "shapes?",
        "in_proj_weight holds three matrices of (d_model, d_model), one below another: query, key, value. "
        "`chunk` cuts a tensor into equal parts.",
        "Both modules hold weights as nn.Linear does. Nothing is transposed.",
    ),
    returns=Returns(names=NAMES, mapping=True, differentiable=False, axes=("d_model, d_model",) * 4),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"torch_attention": _torch_attention_for_mutants},
    misconceptions={
        "transplant-order": Misconception(
            "The blocks are taken in another order",
            "PyTorch stacks query, key and value, in this order, along the rows of in_proj_weight.",
            tuple(_reordered(order) for order in permutations(range(3)) if order != (0, 1, 2)),
        ),
        "transplant-transposed": Misconception(
            "The weights are transposed",
            "Both modules hold a weight as nn.Linear does, (d_out, d_in), so it is copied as it is. All "
            "four are square: nothing but the numbers tells a transposed one.",
            (
                _transposed((True, True, True, True)),
                _transposed((True, True, True, False)),
                _transposed((False, False, False, True)),
            ),
        ),
        "transplant-interleaved": Misconception(
            "The rows are dealt out in turn",
            "in_proj_weight holds all rows of the query, then all of the key, then all of the value. Here"
            " every third row goes to each.",
            (_interleaved,),
        ),
        "transplant-by-head": Misconception(
            "Query, key and value are taken head by head",
            "Some libraries store the three of one head together. PyTorch stores all heads' queries, then"
            " all keys, then all values.",
            (_by_head,),
        ),
    },
)
