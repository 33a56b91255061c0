"""Training to a plateau ends where it says, and the script that does it for all models can be stopped and goes on."""

from __future__ import annotations

import json
import math
import sys

import pytest
import torch

from course_attention.experiments.seq2seq import capacity
from tools import capacity as script


def test_repeats():
    """The same seed gives the same run, another seed another; the global random state is left alone."""
    state = torch.random.get_rng_state()
    runs = [capacity.train_to_plateau(8, True, seed, max_steps=3) for seed in (0, 0, 1)]
    assert torch.equal(state, torch.random.get_rng_state())
    assert runs[0] == runs[1] and runs[0].loss != runs[2].loss
    assert runs[0].steps == 3 and not runs[0].plateau
    assert len(runs[0].exact) == len(capacity.LENGTHS)


@pytest.mark.parametrize(
    ("losses", "steps", "plateau"),
    [
        ([1.0] * 20, 7, True),  # the first measurement, three without progress, and three more
        ([1.0, 0.5, 0.4, 0.3] + [0.299] * 9, 10, True),  # 0.3% less is no progress
        ([0.5**i for i in range(20)], 12, False),  # still falling when it is stopped
    ],
    ids=["level", "falls, then level", "falls"],
)
def test_plateau(monkeypatch, losses, steps, plateau):
    """The second plateau ends the training; a loss that still falls is not called a plateau."""
    given = iter([*losses, *[losses[-1]] * 9])
    monkeypatch.setattr(capacity, "CHECK_EVERY", 1)
    monkeypatch.setattr(capacity, "validation_loss", lambda model, held_out: next(given))
    monkeypatch.setattr(capacity, "exact_share", lambda model, *strings: 0.0)
    run = capacity.train_to_plateau(4, False, 0, max_steps=12)
    assert (run.steps, run.plateau) == (steps, plateau)


def test_saved():
    """No saved run is there twice, two sizes at least can be compared, and the shares are between 0 and 1."""
    runs = capacity.saved_runs()
    models = [(run.d_hidden, run.attends, run.seed) for run in runs]
    assert len(set(models)) == len(models)
    assert {(size, attends) for size in (16, 64) for attends in (True, False)} <= {model[:2] for model in models}
    assert {model[0] for model in models} <= set(capacity.SIZES)
    for run in runs:
        assert len(run.exact) == len(capacity.LENGTHS) and all(0 <= share <= 1 for share in run.exact)
        assert run.loss < math.log(capacity.N_SYMBOLS)  # better than a guess


def test_script_goes_on(monkeypatch, tmp_path):
    """Stopped after two models, the script trains the others only, and keeps what it had."""
    file = tmp_path / "capacity.json"
    trained = []

    def train(d_hidden, attends, seed):
        if len(trained) == 2 and not file.with_suffix(".stopped").exists():
            file.with_suffix(".stopped").touch()
            raise KeyboardInterrupt
        trained.append((d_hidden, attends, seed))
        return capacity.Run(d_hidden, attends, seed, 1, True, 0.12345, (1.0,) * len(capacity.LENGTHS))

    monkeypatch.setattr(script, "FILE", file)
    monkeypatch.setattr(capacity, "train_to_plateau", train)
    monkeypatch.setattr(
        capacity, "saved_runs", lambda: [capacity.Run(**r) for r in json.loads(file.read_text())["runs"]]
    )
    monkeypatch.setattr(sys, "argv", ["capacity.py"])
    with pytest.raises(KeyboardInterrupt):
        script.main()
    assert len(json.loads(file.read_text())["runs"]) == 2
    script.main()
    written = json.loads(file.read_text())
    assert len(trained) == len(set(trained)) == len(written["runs"]) == 18
    assert written["made_with"]["torch"] == torch.__version__
    assert written["runs"][0]["loss"] == 0.1234 or written["runs"][0]["loss"] == 0.1235
