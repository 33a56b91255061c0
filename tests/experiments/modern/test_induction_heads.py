"""The induction head: two layers learn to continue a new pattern, one cannot, and either head is needed."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from course_attention.experiments.modern.induction_heads import (
    Trained,
    ablate_head,
    measure,
    predict_next,
    train,
)
from course_attention.experiments.modern.repeated_patterns import N_TOKENS
from course_attention.mechanisms.multi_head import MultiHeadAttention


@pytest.fixture(scope="module", params=[0, pytest.param(1, marks=pytest.mark.exhaustive)])
def two_layers(request: pytest.FixtureRequest) -> Trained:
    return train(seed=request.param)


def test_two_layers_can(two_layers: Trained) -> None:
    """What can be known is predicted, what cannot is not, and the second layer looks where the answer stands."""
    measured = measure(two_layers.model)
    assert measured.accuracy > 0.97 and measured.unknown > 2.5
    assert measured.on_source[1][0] > 0.8 and measured.on_previous[0][0] > 0.7


def test_all_at_once(two_layers: Trained) -> None:
    """A plateau, then a fall: most of the loss goes within a fifth of the training."""
    loss = two_layers.curve(lambda measured: measured.loss)
    window = len(loss) // 5
    assert (loss[:-window] - loss[window:]).max() > 0.55 * (loss[0] - loss[-1])
    assert loss[5] > 0.8 * loss[0] and len(two_layers.steps) == len(loss)


@pytest.mark.parametrize("n_steps", [150, pytest.param(350, marks=pytest.mark.exhaustive)])
def test_one_layer_cannot(n_steps: int) -> None:
    """One layer, with as many heads, never gets there."""
    assert measure(train((2,), n_steps).model).accuracy < 0.4


def test_removal(two_layers: Trained) -> None:
    """Without either head the skill is gone; without the first, the second no longer finds its place."""
    first, second = (measure(ablate_head(two_layers.model, layer, 0)) for layer in range(2))
    assert first.accuracy < 0.3 and second.accuracy < 0.15
    assert first.on_source[1][0] < 0.3
    assert measure(two_layers.model).accuracy > 0.97  # the model itself is as it was


def test_predicts_typed_letters(two_layers: Trained) -> None:
    """It continues a string of letters that somebody types."""
    weights, predicted = predict_next("fourscandyfourscandy", two_layers.model)
    assert predicted[10:] == "ourscandyf"
    assert [layer.shape for layer in weights] == [(1, 20, 20)] * 2
    np.testing.assert_allclose(weights[0].sum(-1), 1, atol=1e-5)
    assert np.triu(weights[1][0], 1).max() == 0


@pytest.mark.parametrize("text", ["", "a" * (N_TOKENS + 1), "Ab"])
def test_refuses(text: str) -> None:
    """What it has no letter or no place for is refused."""
    with pytest.raises(ValueError, match="letters from a to z"):
        predict_next(text, train(n_steps=1).model)


def test_layer_is_used() -> None:
    """The layers are made by what is handed in, and training leaves the caller's random numbers alone."""
    made = []

    def layer(d_model: int, n_heads: int) -> nn.Module:
        made.append((d_model, n_heads))
        return MultiHeadAttention(d_model, n_heads)

    torch.manual_seed(0)
    before = torch.random.get_rng_state()
    train((2, 1), n_steps=2, layer=layer)
    assert made == [(48, 2), (48, 1)] and torch.equal(before, torch.random.get_rng_state())
