"""Training to a plateau ends where it says, and the script that does it for all models can be stopped and goes on."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import pytest
import torch

from course_attention.experiments.common.long_runs import long_run
from course_attention.experiments.seq2seq import capacity
from tools.long_runs import capacity as script
from tools.long_runs.store import Store


def test_repeats():
    """The same seed gives the same run, another seed another; the global random state is left alone."""
    state = torch.random.get_rng_state()
    runs = capacity.train_to_plateau(8, True, (0, 0, 1), [0.01] * 3, max_steps=3)
    assert torch.equal(state, torch.random.get_rng_state())
    assert runs[0] == runs[1] and runs[0]["loss"] != runs[2]["loss"]
    (alone,) = capacity.train_to_plateau(8, True, [0], [0.01], max_steps=3)
    assert alone["loss"] == pytest.approx(runs[0]["loss"], abs=2e-4)
    assert runs[0]["steps"] == 3 and not runs[0]["plateau"]
    assert len(runs[0]["exact"]) == len(capacity.LENGTHS)


@pytest.mark.parametrize(
    ("losses", "steps", "plateau"),
    [
        ([1.0] * 20, 7, True),  # the first measurement, three without progress, and three more
        ([1.0, 0.5, 0.4, 0.3] + [0.299] * 9, 10, True),  # 0.3% less is no progress
        ([0.5**i for i in range(20)], 12, False),  # still falling when it is stopped
        ([0.5**i for i in range(8)] + [0.5**7] * 4, 11, True),  # falls for two thirds, and is divided then
    ],
    ids=["level", "falls, then level", "falls", "falls for two thirds"],
)
def test_plateau(monkeypatch, losses, steps, plateau):
    """The second plateau ends the training; a loss that still falls is not called a plateau."""
    monkeypatch.setattr(capacity, "PATIENCE", 3)
    progress = capacity.Progress()
    factors = [progress.measured(loss, step, max_steps=12) for step, loss in enumerate(losses[:12], start=1)]
    assert (progress.steps or 12, progress.steps > 0) == (steps, plateau)
    assert factors.count(0.2) == 1 and factors[:steps].count(0.0) == plateau


def test_saved():
    """The shipped runs have the sizes that the notebook compares, and what each gives can be right."""
    runs = long_run("seq2seq", "capacity")
    models = {(run["d_hidden"], run["attends"]) for run in runs}
    assert {(size, attends) for size in (16, 64) for attends in (True, False)} <= models
    for run in runs:
        assert len(run["exact"]) == len(capacity.LENGTHS) and all(0 <= share <= 1 for share in run["exact"])
        assert len(run["ten_digits"]) == sum(step <= run["steps"] for step in capacity.LOOKS)
        assert run["loss"] < math.log(capacity.N_SYMBOLS)  # better than a guess
        assert run["plateau"] or run["steps"] == capacity.MAX_STEPS


def test_script_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Stopped after two stacks, the script trains the others only, and keeps what it had."""
    (tmp_path / "seq2seq").mkdir()
    trained = []

    def train(d_hidden, attends, seeds, rates):
        if len(trained) == 2:
            trained.append("stopped")
            raise KeyboardInterrupt
        trained.append((d_hidden, attends))
        return [{"loss": 0.1} for _ in zip(seeds, rates, strict=True)]

    monkeypatch.setattr(script, "Store", partial(Store, folder=tmp_path))
    monkeypatch.setattr(capacity, "train_to_plateau", train)
    with pytest.raises(KeyboardInterrupt):
        script.main()
    script.main()
    trained.remove("stopped")
    rows = Store("seq2seq", script.__file__, (), folder=tmp_path).rows
    assert trained == list(script.STACKS)
    models = {(row["d_hidden"], row["attends"], row["rate"], row["seed"]) for row in rows}
    assert len(models) == len(rows) == 3 * sum(map(len, script.STACKS.values()))
