"""Derivatives of a recurrent network's last states, against finite differences and against what is known of them."""

from __future__ import annotations

import numpy as np
import torch

from course_attention.experiments.seq2seq.sensitivity import sensitivity_of_last_state


def gru(seed: int = 0, both_ways: bool = True) -> torch.nn.GRU:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return torch.nn.GRU(3, 4, batch_first=True, bidirectional=both_ways)


def texts(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, 3, generator=torch.Generator().manual_seed(1))


def test_gradient():
    """The norm is that of the Jacobian, taken here by finite differences."""
    encoder, embedded = gru().double(), texts(1, 3).double()
    found = sensitivity_of_last_state(encoder, embedded)
    jacobian = np.zeros((2, 4, 3, 3))
    for place in np.ndindex(3, 3):
        step = torch.zeros_like(embedded)
        step[(0, *place)] = 1e-5
        ends = [encoder(embedded + sign * step)[1][:, 0].detach().numpy() for sign in (1, -1)]
        jacobian[(slice(None), slice(None), *place)] = (ends[0] - ends[1]) / 2e-5
    assert np.allclose(found, np.sqrt((jacobian**2).sum(axis=(1, 3))), atol=1e-7)


def test_mean_over_the_texts():
    """Several texts give the mean of what each gives alone."""
    encoder, embedded = gru(), texts(2, 5)
    alone = [sensitivity_of_last_state(encoder, embedded[i : i + 1]) for i in (0, 1)]
    assert np.allclose(sensitivity_of_last_state(encoder, embedded), np.mean(alone, axis=0), atol=1e-6)


def test_favours_recent():
    """Before training, each direction depends most on what it read last."""
    for seed in range(5):
        forwards, backwards = sensitivity_of_last_state(gru(seed), texts(50, 6))
        assert (np.diff(forwards) > 0).all()
        assert (np.diff(backwards) < 0).all()
