"""A time for each length and each way, and the recurrent one grows with the length."""

from __future__ import annotations

import torch

from course_attention.experiments.seq2seq.recurrence_time import time_against_length


def test_shapes(device):
    """One time for each length and each of the three, none of them zero; the global random state is left alone."""
    state = torch.random.get_rng_state()
    waiting = time_against_length((4, 8, 16), d_hidden=4, device=device, n_tries=1)
    assert torch.equal(state, torch.random.get_rng_state())
    assert waiting.lengths.tolist() == [4, 8, 16]
    for seconds in (waiting.recurrent, waiting.product, waiting.attention):
        assert seconds.shape == (3,)
        assert (seconds > 0).all()


def test_recurrence_waits():
    """A GRU needs more than four times as long for sixty-four times as many steps."""
    waiting = time_against_length((16, 1024), d_hidden=8)
    assert waiting.recurrent[1] > 4 * waiting.recurrent[0]
