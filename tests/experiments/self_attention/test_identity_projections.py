"""With Q = K = V = X each token finds itself, the more so the more channels it has."""

from __future__ import annotations

import numpy as np
import torch

from course_attention.experiments.self_attention.identity_projections import self_weights


def test_own_weight_grows():
    """The weight on itself grows with d_model from little more than an even share to nearly all, at every seed."""
    own = self_weights((1, 16, 256))
    assert own.shape == (20, 3)
    assert (np.diff(own, axis=1) > 0).all()
    assert (own[:, 0] < 0.3).all() and (own[:, 2] > 0.99).all()


def test_attend_is_used():
    """It is the attention handed over that is measured."""

    def even(query, key, value):
        return value, torch.full((len(query), len(key)), 1 / len(key))

    assert np.allclose(self_weights((4,), n_tokens=8, attend=even), 1 / 8)
