"""What notebook 01 says about equal weights is what the script gets: its function, and the shipped runs."""

from __future__ import annotations

import torch

from course_attention.experiments.common.long_runs import long_run
from tools.long_runs import equal_weights as script


def test_mean_of_the_states():
    """Each text gets the mean of its own states, without the padding, and its decoder's state unchanged."""
    memory = torch.tensor([[[1.0, 3.0], [3.0, 5.0], [90.0, 90.0]], [[1.0, 0.0], [2.0, 0.0], [3.0, 6.0]]])
    allowed = torch.tensor([[True, True, False], [True, True, True]])
    state = torch.tensor([[7.0, 8.0], [9.0, 10.0]])
    joined, distribution = script.equal_weights(state, memory, allowed)
    assert torch.allclose(joined, torch.tensor([[2.0, 4.0, 7.0, 8.0], [2.0, 2.0, 9.0, 10.0]]))
    assert torch.allclose(distribution, torch.tensor([[1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]))


def test_saved():
    """The seeds and the learning rate are those of the runs that the notebook compares with."""
    runs, others = long_run("seq2seq", "equal_weights"), long_run("seq2seq", "date_steps")
    same = {row["seed"] for row in runs if row["rate"] == 5e-3}
    assert same == {row["seed"] for row in others if row["attends"] and row["rate"] == 5e-3}
    for row in runs:
        assert (row["rate"], row["seed"], tuple(row["steps"])) in script.RUNS
        assert len(row["accuracy"]) == len(row["steps"])
        assert all(0 <= share <= 1 for share in row["accuracy"])
