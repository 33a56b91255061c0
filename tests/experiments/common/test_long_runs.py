"""The figures of long runs: what a script has written is what a notebook reads, and a run that was stopped goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from course_attention.experiments.common import long_runs
from tools.long_runs import store

WITH_ROWS = [file for file in store.EXPERIMENTS.glob("*/*.json") if "script" in json.loads(file.read_text())]


def test_what_is_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows come back as they were added, with the script and its versions; settings that come again replace a row."""
    monkeypatch.setattr(long_runs, "files", lambda package: tmp_path)
    (tmp_path / "masking").mkdir()
    kept = store.Store("masking", "/somewhere/race.py", ("rate", "seed"), folder=tmp_path)
    kept.add(rate=0.1, seed=0, accuracy=0.5)
    kept.add(rate=0.1, seed=1, accuracy=0.6)
    kept.add(rate=0.1, seed=0, accuracy=0.7)
    assert long_runs.long_run("masking", "race") == [
        {"rate": 0.1, "seed": 1, "accuracy": 0.6},
        {"rate": 0.1, "seed": 0, "accuracy": 0.7},
    ]
    assert long_runs.made_by("masking", "race").startswith("tools/long_runs/race.py, Python 3")
    again = store.Store("masking", "/somewhere/race.py", ("rate", "seed"), folder=tmp_path)
    assert again.has(rate=0.1, seed=1) and not again.has(rate=0.2, seed=1)
    assert [file.name for file in (tmp_path / "masking").iterdir()] == ["race.json"]


def test_what_is_missing(tmp_path: Path) -> None:
    """Settings come in their order and once; a later one may be chosen by the rows of those before it."""
    (tmp_path / "masking").mkdir()
    kept = store.Store("masking", "/somewhere/race.py", ("rate", "seed"), folder=tmp_path)
    kept.add(rate=0.1, seed=0, steps=100, loss=0.5)

    def settings() -> Iterator[dict]:
        for rate in (0.1, 0.2):
            yield {"rate": rate, "seed": 0, "steps": 100}
        best = min((row for row in kept.rows if row["seed"] == 0), key=lambda row: row["loss"])
        for seed in (0, 1):
            yield {"rate": best["rate"], "seed": seed, "steps": 200}  # the steps are no key of the store

    for setting in kept.missing(settings()):
        kept.add(**setting, loss=0.4)
    assert kept.rows[1:] == [
        {"rate": 0.2, "seed": 0, "steps": 100, "loss": 0.4},
        {"rate": 0.2, "seed": 1, "steps": 200, "loss": 0.4},
    ]
    assert list(kept.missing(settings())) == []


@pytest.mark.parametrize("file", WITH_ROWS, ids=lambda file: file.stem)
def test_shipped(file: Path) -> None:
    """The script that a file names is there, and all its rows have the same keys."""
    data = json.loads(file.read_text(encoding="utf-8"))
    assert (Path(__file__).parents[3] / data["script"]).is_file()
    assert len({tuple(sorted(row)) for row in data["rows"]}) == 1
