"""Layers whose costs are compared, ready to run over any length and on any device.

On the device "meta" tensors have shapes and no numbers, so that a layer's cost can be counted there at lengths that
would not fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_attention.mechanisms.attention import attention

Device: TypeAlias = torch.device | str


@dataclass(frozen=True)
class Sizes:
    """Sizes of a layer: channels that come in and go out, channels of queries and keys, tokens in a kernel."""

    d_in: int = 64
    d_out: int = 64
    d_key: int = 64
    kernel_size: int = 3


SIZES = Sizes()


@dataclass(frozen=True)
class Layer:
    """A layer with its input: calling it runs it once and gives (n_tokens, d_out)."""

    run: Callable[[], Tensor]
    weights: tuple[Tensor, ...] = ()

    def __call__(self) -> Tensor:
        return self.run()

    @property
    def parameters(self) -> int:
        """How many numbers the layer trains."""
        return sum(weight.numel() for weight in self.weights)


def filled(*shape: int, device: Device) -> Tensor:
    """A tensor to run a layer on; its numbers have no influence on the cost.

    Example:
        >>> filled(1, 2, device="cpu")
        tensor([[0.5000, 0.5000]])
    """
    return torch.full(shape, 1 / shape[-1], device=device)


def self_attention(n_tokens: int, sizes: Sizes = SIZES, device: Device = "cpu") -> Layer:
    """Self-attention with one head and its three projections.

    Example:
        >>> layer = self_attention(5, Sizes(d_in=4, d_out=3, d_key=2))
        >>> tuple(layer().shape), layer.parameters
        ((5, 3), 28)
    """
    x = filled(n_tokens, sizes.d_in, device=device)
    weights = tuple(filled(sizes.d_in, d, device=device) for d in (sizes.d_key, sizes.d_key, sizes.d_out))
    return Layer(lambda: attention(*(x @ weight for weight in weights))[0], weights)


def attention_alone(n_tokens: int, sizes: Sizes = SIZES, device: Device = "cpu") -> Layer:
    """Attention without projections: scores, softmax and mixing of given queries, keys and values."""
    query, key, value = (filled(n_tokens, d, device=device) for d in (sizes.d_key, sizes.d_key, sizes.d_out))
    return Layer(lambda: attention(query, key, value)[0])


def recurrent(
    n_tokens: int, sizes: Sizes = SIZES, device: Device = "cpu", cell: type[nn.Module] = nn.RNN
) -> Layer:
    """A recurrent layer; `cell` may be `nn.GRU` or `nn.LSTM` as well."""
    x = filled(1, n_tokens, sizes.d_in, device=device)
    with torch.random.fork_rng(devices=[]):
        layer = cell(sizes.d_in, sizes.d_out, bias=False, batch_first=True).to(device)
    return Layer(lambda: layer(x)[0][0], tuple(layer.parameters()))


def convolution(n_tokens: int, sizes: Sizes = SIZES, device: Device = "cpu") -> Layer:
    """A convolution along the sequence, with zeros beyond its ends; its kernel has an odd size."""
    x = filled(1, sizes.d_in, n_tokens, device=device)
    kernel = filled(sizes.d_out, sizes.d_in, sizes.kernel_size, device=device)
    return Layer(lambda: F.conv1d(x, kernel, padding=sizes.kernel_size // 2)[0].mT, (kernel,))


def dense(n_tokens: int, sizes: Sizes = SIZES, device: Device = "cpu") -> Layer:
    """A dense layer from the whole sequence to the whole sequence."""
    x = filled(1, n_tokens * sizes.d_in, device=device)
    weight = filled(n_tokens * sizes.d_in, n_tokens * sizes.d_out, device=device)
    return Layer(lambda: (x @ weight).unflatten(-1, (n_tokens, sizes.d_out))[0], (weight,))
