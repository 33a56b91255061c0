"""Sight through layers, and the cost of a window, are what a count says."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.common.cost_counters import multiply_adds
from course_attention.experiments.common.random_tensors import standard_normal
from course_attention.experiments.masking.receptive_field import (
    attention_stack,
    convolution_stack,
    layer_influence,
    lookback,
    windowed_attention,
)
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.masking import causal_mask, window_mask


@pytest.mark.parametrize("n_layers", [1, 2, 4])
@pytest.mark.parametrize("width", [1, 2, 4])
def test_reach_grows_by_the_layer(width: int, n_layers: int):
    """L layers of windows of width w see L(w − 1) places back and none forwards: as convolutions do."""
    n = 14
    expected = window_mask(n, n_layers * (width - 1) + 1)
    by_attention = layer_influence(attention_stack(window_mask(n, width), n_layers), n) != 0
    by_convolution = layer_influence(convolution_stack(width, n_layers), n) != 0
    if width > 1:  # over a single key the weight is 1, whatever the query: nothing is left out either way
        assert torch.equal(by_attention, expected)
    assert torch.equal(by_convolution, expected)
    assert lookback(by_attention) == n_layers * (width - 1)


def test_leak_grows_by_the_layer():
    """A bound one place too far lets one more place of the future through with each layer."""
    allowed = causal_mask(9)[1:, :-1]
    for n_layers in (1, 2, 3):
        future = layer_influence(attention_stack(allowed, n_layers), 8) != 0
        assert torch.equal(future, torch.ones(8, 8, dtype=torch.bool).tril(n_layers))


@pytest.mark.parametrize("width", [1, 3, 8, 11])
def test_windowed_attention(width: int):
    """It gives what attention gives under the window mask, windows wider than the sequence included."""
    query, key, value = standard_normal(8, 4), standard_normal(8, 4, seed=1), standard_normal(8, 3, seed=2)
    right, _ = attention(query, key, value, window_mask(8, width))
    torch.testing.assert_close(windowed_attention(query, key, value, width), right)


def test_mask_saves_nothing():
    """Attention multiplies as much with a mask as without; the gathered window n/width times less."""
    query, key, value = standard_normal(32, 4), standard_normal(32, 4), standard_normal(32, 3)
    whole = multiply_adds(lambda: attention(query, key, value))
    assert whole == 32 * 32 * (4 + 3)
    assert multiply_adds(lambda: attention(query, key, value, window_mask(32, 4))) == whole
    assert multiply_adds(lambda: windowed_attention(query, key, value, 4)) == 32 * 4 * (4 + 3)


def test_attend_is_used(device: str):
    """The attention handed in is the one that runs, once for each layer, on the device of the sequence."""
    seen = []

    def attend(query, key, value, allowed):
        seen.append(query.device.type)
        return attention(query, key, value, allowed)

    layer_influence(attention_stack(None, 3, attend=attend), 2, device=device)
    assert seen == [device] * 3
