"""The layers of the tables compute what their names say, and have the parameters that the tables give them."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from course_attention import attention, convolution_mixing
from course_attention.experiments.complexity import layers

SIZES = layers.Sizes(d_in=4, d_out=3, d_key=2, kernel_size=5)
ALL = [layers.self_attention, layers.attention_alone, layers.recurrent, layers.convolution, layers.dense]


@pytest.mark.parametrize("layer", ALL, ids=lambda layer: layer.__name__)
@pytest.mark.parametrize("place", ["here", "meta"])
def test_shapes(layer, place: str, device: str) -> None:
    """Every layer gives (n_tokens, d_out), finite, on its device; on "meta" there are no numbers."""
    where = device if place == "here" else "meta"
    output = layer(7, SIZES, where)()
    assert output.shape == (7, 3) and output.device.type == where
    assert place == "meta" or output.isfinite().all()


def test_self_attention():
    """It is attention of the projected tokens, and trains three matrices."""
    layer = layers.self_attention(7, SIZES)
    x = layers.filled(7, 4, device="cpu")
    assert torch.equal(layer(), attention(*(x @ w for w in layer.weights))[0])
    assert layer.parameters == 4 * (2 + 2 + 3)


def test_convolution():
    """It mixes tokens as the matrix of its kernel does, zeros beyond the ends."""
    layer = layers.convolution(7, SIZES)
    mixed = convolution_mixing(layer.weights[0][0, 0], 7) @ layers.filled(1, 4, 7, device="cpu")[0].mT
    torch.testing.assert_close(layer()[:, 0], mixed.sum(dim=-1))
    assert layer.parameters == 5 * 4 * 3


@pytest.mark.parametrize(("cell", "pairs"), [(nn.RNN, 1), (nn.GRU, 3), (nn.LSTM, 4)])
def test_recurrent(cell: type[nn.Module], pairs: int) -> None:
    """A cell has a pair of matrices for each gate and the candidate; the global random state is left alone."""
    state = torch.random.get_rng_state()
    layer = layers.recurrent(7, SIZES, cell=cell)
    assert torch.equal(torch.random.get_rng_state(), state)
    assert layer().shape == (7, 3)
    assert layer.parameters == pairs * (4 * 3 + 3 * 3)


def test_dense():
    """Every number that goes out is a sum over every number that comes in."""
    layer = layers.dense(7, SIZES)
    torch.testing.assert_close(layer(), layer.weights[0].sum(dim=0).reshape(7, 3) / 28)
    assert layer.parameters == 7 * 4 * 7 * 3
