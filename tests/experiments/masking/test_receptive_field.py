"""Sight through layers is what a count says."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.masking.receptive_field import (
    attention_stack,
    convolution_stack,
    layer_influence,
    lookback,
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


def test_attend_is_used(device: str):
    """The attention handed in is the one that runs, once for each layer, on the device of the sequence."""
    seen = []

    def attend(query, key, value, allowed):
        seen.append(query.device.type)
        return attention(query, key, value, allowed)

    layer_influence(attention_stack(None, 3, attend=attend), 2, device=device)
    assert seen == [device] * 3
