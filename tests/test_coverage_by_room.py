"""The table of `make coverage`: what belongs to a room, and from which share on it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import coverage_by_room


def of(run: int, lines: int) -> dict:
    return {
        "summary": {"covered_lines": run, "num_statements": lines, "covered_branches": 1, "num_branches": 2}
    }


def test_rooms() -> None:
    """A folder is a room, one of the grader's too; a file that stands alone is one."""
    places = ("cli.py", "figures/a.py", "figures/b.py", "grading/run/a.py", "grading/terminal.py")
    files = {f"course_attention/{place}": of(3, 4) for place in places}
    one, two = (3, 4, 1, 2), (6, 8, 2, 4)
    expected = {"cli": one, "figures": two, "grading": one, "grading/run": one}
    assert coverage_by_room.by_room(files) == expected


@pytest.mark.parametrize(("run", "code"), [(95, 0), (94, 1)])
def test_too_little_fails(
    run: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """At 95 % of the package's lines it passes, and below it fails and says so."""

    class Report:
        def combine(self) -> None: ...

        def json_report(self, outfile: str) -> None:
            Path(outfile).write_text(json.dumps({"files": {"course_attention/cli.py": of(run, 100)}}))

    monkeypatch.setattr(coverage_by_room, "Coverage", Report)
    assert coverage_by_room.main() == code
    printed = capsys.readouterr().out
    assert f"{run}.0 %" in printed and ("have to be" in printed) == bool(code)
