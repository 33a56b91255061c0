"""The output of a cell that nbval does not compare stays as it was saved, until something that makes it changes."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path

import pytest

from tools import notebooks, saved_outputs
from tools.saved_outputs import TAG, digest, keep_outputs, what_it_shares_with


def cell(id: str, source: str, printed: str = "", *tags: str) -> dict:
    outputs = [{"output_type": "stream", "name": "stdout", "text": printed}] if printed else []
    return {"cell_type": "code", "id": id, "source": source, "outputs": outputs, "metadata": {"tags": [*tags]}}


def notebook(loss: str, unrelated: str = "b = 2", steps: int = 10) -> dict:
    return {
        "cells": [
            cell("a", f"steps = {steps}"),
            cell("b", unrelated),
            cell("c", "print(train(steps))", loss, TAG),
            cell("d", "print(b)", loss),
        ]
    }


def test_an_output_stays() -> None:
    """A second run writes no other number; a cell that nbval compares always has what came."""
    saved = notebook("0.31")
    keep_outputs(saved, {"cells": []})
    again = notebook("0.29", unrelated="b = 3")
    keep_outputs(again, copy.deepcopy(saved))
    assert [one["outputs"][0]["text"] for one in again["cells"][2:]] == ["0.31", "0.29"]


def test_an_output_is_written_anew() -> None:
    """It is, where a cell that it shares a variable with has changed, and where there was none."""
    saved = notebook("0.31")
    keep_outputs(saved, {"cells": []})
    other = notebook("0.29", steps=20)
    keep_outputs(other, copy.deepcopy(saved))
    assert other["cells"][2]["outputs"][0]["text"] == "0.29"
    saved["cells"][2]["outputs"] = []
    first = notebook("0.30")
    keep_outputs(first, saved)
    assert first["cells"][2]["outputs"][0]["text"] == "0.30"


def test_an_output_stays_in_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notebook's file has its texts in lines; a second run, which prints another number, leaves it as it was."""
    path = tmp_path / "00.ipynb"
    path.write_text(notebooks.written(notebook("")), encoding="utf-8")
    monkeypatch.setattr(notebooks, "FOLDER", tmp_path)
    monkeypatch.setattr(sys, "argv", ["notebooks.py"])
    saved = []
    for loss in ("loss\n0.31\n", "loss\n0.29\n"):
        monkeypatch.setattr(notebooks, "executed", lambda _, loss=loss: notebook(loss))
        assert notebooks.main() == 0
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        saved.append(["".join(one["outputs"][0]["text"]) for one in cells[2:]])
    assert saved == [["loss\n0.31\n", "loss\n0.31\n"], ["loss\n0.31\n", "loss\n0.29\n"]]


def test_a_module_counts_with_its_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the cell imports counts from where something is computed, and so do the data beside it."""
    sources = ["from course_attention.experiments.seq2seq.capacity import x", "print(x)"]
    for room in ("experiments", "judging"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "a.py").write_text("1")
    monkeypatch.setattr(saved_outputs, "PACKAGE", tmp_path)
    monkeypatch.setattr(saved_outputs, "computes_with", lambda _: set(tmp_path.glob("*/a.py")))
    seen = []
    for changed in ("", "judging/a.py", "experiments/a.py", "experiments/a.json"):
        if changed:
            (tmp_path / changed).write_text("2")
        saved_outputs._content.cache_clear()
        seen.append(digest(sources))
    assert seen[0] == seen[1]
    assert len(set(seen[1:])) == 3


def test_what_is_shared_goes_over_others() -> None:
    """What sets a variable, what changes it and the imports that they need count; a loop over another does not."""
    sources = ["import torch", "x = torch.zeros(2)", "x += 1", "for i in range(3):\n    print(i)", "%time\ny = x", "y"]
    assert what_it_shares_with(sources) == [one for one in sources if not one.startswith("for")]
