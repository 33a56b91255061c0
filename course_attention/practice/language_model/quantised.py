"""Quantisation: every number of a matrix is rounded to one of a few evenly spaced values, row by row."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

from course_attention.practice.authoring import Misconception, Practice, Trial


def quantised(model, n_bits):
    """Round each row to whole multiples of its own step, and put the numbers back."""
    model = copy.deepcopy(model)
    steps = 2 ** (n_bits - 1) - 1
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() == 2:
                scale = weight.abs().amax(dim=1, keepdim=True) / steps
                weight.copy_((weight / scale).round() * scale)
    return model


def _rounded(model, n_bits, steps, extreme=lambda w: w.abs().amax(dim=1, keepdim=True), to_whole=torch.round, least=2):
    model = copy.deepcopy(model)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() >= least:
                scale = extreme(weight) / steps
                weight.copy_(to_whole(weight / scale) * scale)
    return model


def one_scale_for_the_matrix(model, n_bits):
    return _rounded(model, n_bits, 2 ** (n_bits - 1) - 1, lambda w: w.abs().max())


def one_scale_for_a_column(model, n_bits):
    return _rounded(model, n_bits, 2 ** (n_bits - 1) - 1, lambda w: w.abs().amax(dim=0, keepdim=True))


def largest_without_sign(model, n_bits):
    return _rounded(model, n_bits, 2 ** (n_bits - 1) - 1, lambda w: w.amax(dim=1, keepdim=True))


def one_value_too_many(model, n_bits):
    return _rounded(model, n_bits, 2 ** (n_bits - 1))


def twice_the_values(model, n_bits):
    return _rounded(model, n_bits, 2**n_bits - 1)


def n_bits_steps(model, n_bits):
    return _rounded(model, n_bits, n_bits)


def cut_off(model, n_bits):
    return _rounded(model, n_bits, 2 ** (n_bits - 1) - 1, to_whole=torch.trunc)


def rounded_down(model, n_bits):
    return _rounded(model, n_bits, 2 ** (n_bits - 1) - 1, to_whole=torch.floor)


def whole_numbers(model, n_bits):
    model, steps = copy.deepcopy(model), 2 ** (n_bits - 1) - 1
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() == 2:
                weight.copy_((weight / weight.abs().amax(dim=1, keepdim=True) * steps).round())
    return model


def vectors_too(model, n_bits):
    model, steps = copy.deepcopy(model), 2 ** (n_bits - 1) - 1
    with torch.no_grad():
        for weight in model.parameters():
            scale = weight.abs().amax(dim=-1, keepdim=True) / steps
            weight.copy_((weight / scale).round() * scale)
    return model


def nothing_written(model, n_bits):
    return copy.deepcopy(model)


def _weights(answer: Callable[..., Any], model: nn.Linear, n_bits: int) -> Any:
    found = answer(model, n_bits)
    return found.weight.detach(), found.bias.detach()


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two rows to round by hand, then drawn matrices and other numbers of bits."""
    layer = nn.Linear(3, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[7.0, 3.4, -1.7], [-0.7, 0.26, 0.0]]))
        layer.bias.copy_(torch.tensor([0.5, 0.26]))
    yield Trial(
        "the rows are (7, 3.4, −1.7) and (−0.7, 0.26, 0); 4 bits",
        {"model": layer, "n_bits": 4},
        (torch.tensor([[7.0, 3.0, -2.0], [-0.7, 0.3, 0.0]]), torch.tensor([0.5, 0.26])),
        _weights,
        says="With 4 bits there are 15 values, from −m to m in steps of m/7. The first row has m = 7, so its steps are "
        "1. The second has m = 0.7, so its steps are 0.1. The bias is no matrix and stays as it is.",
        tolerance=1e-5,
    )
    for n_out, n_in, n_bits in ((4, 5, 3), (3, 3, 2), (3, 6, 8)):
        layer = nn.Linear(n_in, n_out)
        with torch.no_grad():
            layer.weight.copy_(torch.randn(n_out, n_in, generator=generator))
            layer.bias.copy_(torch.randn(n_out, generator=generator))
        yield Trial(
            f"a matrix of {n_out} rows and {n_in} columns, {n_bits} bits",
            {"model": layer, "n_bits": n_bits},
            run=_weights,
            says=f"With {n_bits} bits, each row is rounded to multiples of m/{2 ** (n_bits - 1) - 1}, where m is its "
            "largest absolute value.",
            tolerance=1e-5,
        )


PRACTICE = Practice(
    name="quantised",
    prompt="A copy of a model whose matrices have n_bits for each number, and one scale for each row.",
    minutes=8,
    hints=(
        "From 0 to m there are 2^(b − 1) − 1 steps: with 4 bits seven of them. How long is a step?",
        "`weight.abs().amax(dim=1, keepdim=True)` is m for each row. Divided by the number of steps, it is the length "
        "of a step.",
        "A number divided by the step, rounded to a whole number, and multiplied by the step again, is the nearest "
        "value. `weight.copy_(…)` puts the result into the matrix.",
    ),
    given=quantised,
    trials=trials,
    returns=("weight", "bias"),
    misconceptions={
        "quantised-one-scale": Misconception(
            "All rows have the same scale",
            "The largest value of the whole matrix decides. Then the small numbers of the other rows become 0. Each "
            "row has a largest value of its own.",
            (one_scale_for_the_matrix,),
        ),
        "quantised-columns": Misconception(
            "Each column has a scale, and not each row",
            "A row is `weight[i]`, so the largest value is taken along `dim=1`.",
            (one_scale_for_a_column,),
        ),
        "quantised-sign": Misconception(
            "The largest value is taken with its sign",
            "In a row with large negative numbers, the largest *absolute* value counts: `weight.abs()`.",
            (largest_without_sign,),
        ),
        "quantised-levels": Misconception(
            "The number of steps is wrong",
            "With b bits there are 2^b − 1 values from −m to m: 0, and 2^(b − 1) − 1 on either side of it. With 4 bits "
            "a step is m/7.",
            (one_value_too_many, twice_the_values, n_bits_steps),
        ),
        "quantised-cut-off": Misconception(
            "The numbers are cut off, not rounded",
            "Each number goes to the *nearest* of the values: `.round()`.",
            (cut_off, rounded_down),
        ),
        "quantised-whole-numbers": Misconception(
            "The matrix holds the numbers of the steps",
            "Rounded, a number says how many steps it is from 0. Multiply by the length of a step again.",
            (whole_numbers,),
        ),
        "quantised-vectors-too": Misconception(
            "Vectors are rounded as well",
            "Only the matrices are rounded, the parameters with two axes.",
            (vectors_too,),
        ),
        "quantised-nothing": Misconception(
            "The matrices are as they were",
            "A new value for the name `weight` does not change the model. `weight.copy_(…)` writes into the matrix.",
            (nothing_written,),
        ),
    },
)
