"""The seven scores read the same data, and differ as the notebook says."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.experiments.attention.score_functions import (
    all_weights,
    draw_pairs,
    parity_gaps,
    seven_scores,
    shortest_key,
    weights_of_longer_key,
)
from course_attention.mechanisms.attention import additive_scores


@pytest.fixture(scope="module", params=range(3))
def drawn(request):
    pairs = draw_pairs(seed=request.param)
    return pairs, seven_scores(pairs)


def test_seven_names(drawn):
    """There are seven, and all but the non-local mean give rows that sum to 1."""
    weights = all_weights(drawn[1], drawn[0])
    sums = {name: np.allclose(numbers.sum(1), 1) for name, numbers in weights.items()}
    assert len(sums) == 7
    assert [name for name, one in sums.items() if not one] == ["non-local mean"]


def test_learned_find_their_key(drawn):
    """The fitted scores, and the Gaussian, give the largest weight of each row to its own key."""
    weights = all_weights(drawn[1], drawn[0])
    for name in ("bilinear", "additive", "Gaussian"):
        assert (weights[name].argmax(1) == np.arange(6)).all(), name


def test_cosine_is_never_sharp(drawn):
    """Six keys and a cosine: no weight can be above e²/(e² + 5) = 0.596."""
    assert all_weights(drawn[1], drawn[0])["cosine"].max() < 0.596


def test_parameters(drawn):
    """Only bilinear and additive learn, d² and (2d + 1)·d_hidden numbers; only they take d_query ≠ d_key."""
    learned = {score.name: score.n_parameters for score in drawn[1] if score.n_parameters}
    assert learned == {"bilinear": 64, "additive": 2 * 8 * 16 + 16}
    assert {score.name for score in drawn[1] if not score.same_width} == set(learned)


def test_a_key_three_times_as_long(drawn):
    """The key's own query: dot products rise, cosine stays, the mean triples, the Gaussian loses the key."""
    own = shortest_key(drawn[0])
    change = weights_of_longer_key(drawn[1], drawn[0], own)
    assert change["dot product"].after[own] > change["dot product"].before[own]
    assert np.allclose(change["cosine"].after, change["cosine"].before)
    assert np.allclose(change["non-local mean"].after, 3 * change["non-local mean"].before)
    assert change["Gaussian"].after[own] < 0.1 < 0.5 < change["Gaussian"].before[own]


def test_takes_the_students_function():
    """A score handed in is the one used."""
    pairs = draw_pairs()
    scores = seven_scores(pairs, gaussian=lambda query, key, width: query @ key.mT * 0)
    assert np.allclose(all_weights(scores, pairs)["Gaussian"], 1 / 6)


def test_additive_is_odd():
    """Without biases the additive score changes sign with its inputs; a dot product does not."""
    pairs = draw_pairs()
    weights = torch.randn(8, 5).double(), torch.randn(8, 5).double(), torch.randn(5).double()
    even, odd = parity_gaps(lambda query, key: additive_scores(query, key, *weights), pairs)
    assert odd < 1e-12 < even
