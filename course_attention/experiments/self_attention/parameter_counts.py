"""Counts the parameters of self-attention, as each source defines it, and of the layers that it is compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn

from course_attention.mechanisms.self_attention import SelfAttention


def count_parameters(module: nn.Module) -> int:
    """How many numbers a module trains.

    Example:
        >>> count_parameters(nn.Linear(3, 2, bias=False))
        6
    """
    return sum(parameter.numel() for parameter in module.parameters())


def counts_by_source(
    d_model: int, d_key: int, make: Callable[[int, int, int], nn.Module] = SelfAttention
) -> dict[str, int]:
    """The parameters of self-attention in the sizes of each source; where a source leaves d_value open, it is d_key.

    Example:
        >>> counts_by_source(d_model=8, d_key=2)
        {'000': 96, '001': 48, '002': 192, '003': 48, '004': 48}
    """
    return {
        "000": count_parameters(make(d_model, d_key, d_model)),  # W_V is D × D
        "001": count_parameters(make(d_model, d_key, d_key)),  # all three are d × d_k
        "002": count_parameters(
            make(d_model, d_model, d_model)
        ),  # three linear maps of the feature space, scaled by √d
        "003": count_parameters(make(d_model, d_key, d_key)),  # d_q = d_k, and d_v of its own
        "004": count_parameters(make(d_model, d_key, d_key)),  # d × d_k twice, d × d_v
    }


@dataclass(frozen=True)
class ParameterCounts:
    """Parameters of layers that take d_model channels and give d_value.

    Attributes:
        attention: self-attention.
        convolution: kernel size → a convolution.
        dense: a dense layer from the whole sequence to the whole sequence.
    """

    attention: int
    convolution: dict[int, int]
    dense: int


def compare_layers(
    d_model: int,
    d_key: int,
    d_value: int,
    n_tokens: int = 100,
    kernels: tuple[int, ...] = (1, 3, 5),
    make: Callable[[int, int, int], nn.Module] = SelfAttention,
) -> ParameterCounts:
    """Count the parameters of the layers, none with biases.

    Example:
        >>> compare_layers(d_model=4, d_key=2, d_value=3, n_tokens=2)
        ParameterCounts(attention=28, convolution={1: 12, 3: 36, 5: 60}, dense=48)
    """
    attention = count_parameters(make(d_model, d_key, d_value))
    # on "meta" there are shapes and no numbers: a dense layer of a long sequence would not fit in memory
    with torch.device("meta"):
        convolution = {
            size: count_parameters(nn.Conv1d(d_model, d_value, size, bias=False)) for size in kernels
        }
        dense = count_parameters(nn.Linear(n_tokens * d_model, n_tokens * d_value, bias=False))
    return ParameterCounts(attention, convolution, dense)
