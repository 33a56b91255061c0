"""The measurement of what the tests run: it is kept whole, and its table says what a room has and when it fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData

from tools import coverage_by_room

ROOT = Path(__file__).resolve().parents[1]


def of(run: int, lines: int) -> dict:
    return {"summary": {"covered_lines": run, "num_statements": lines, "covered_branches": 1, "num_branches": 2}}


def test_rooms() -> None:
    """A folder is a room, one of the grader's too; a file that stands alone is one."""
    places = ("cli.py", "figures/a.py", "figures/b.py", "grading/run/a.py", "grading/terminal.py")
    files = {f"course_attention/{place}": of(3, 4) for place in places}
    one, two = (3, 4, 1, 2), (6, 8, 2, 4)
    expected = {"cli": one, "figures": two, "grading": one, "grading/run": one}
    assert coverage_by_room.by_room(files) == expected


@pytest.mark.parametrize(("run", "code"), [(95, 0), (94, 1)])
def test_too_little_fails(run: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    """At 95 % of the package's lines it passes, and below it fails and says so."""

    class Report:
        def combine(self) -> None: ...

        def json_report(self, outfile: str) -> None:
            Path(outfile).write_text(json.dumps({"files": {"course_attention/cli.py": of(run, 100)}}))

    monkeypatch.setattr(coverage_by_room, "Coverage", Report)
    assert coverage_by_room.main() == code
    printed = capsys.readouterr().out
    assert f"{run}.0 %" in printed and ("have to be" in printed) == bool(code)


def test_measurement_is_kept(tmp_path: Path) -> None:
    """What runs after a test that has taken the tracer away is measured all the same."""
    (tmp_path / "conftest.py").write_text(
        "from tests.coverage_kept import MeasurementKept\n"
        "def pytest_configure(config):\n"
        "    config.pluginmanager.register(MeasurementKept())\n"
    )
    (tmp_path / "test_it.py").write_text(
        "import sys\n"
        "def test_takes_the_tracer_away():\n"
        "    sys.settrace(None)\n"
        "def test_runs_something():\n"
        "    import measured\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "measured.py").write_text("ran = True\n")
    (tmp_path / ".coveragerc").write_text("[run]\nsource_pkgs = measured\ncore = ctrace\n")
    command = [sys.executable, "-m", "coverage", "run", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    here = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)])}
    for name in [name for name in here if name.startswith("COVERAGE_")]:
        del here[name]
    done = subprocess.run(command, cwd=tmp_path, env=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    data = CoverageData(str(tmp_path / ".coverage"))
    data.read()
    assert data.lines(str(tmp_path / "measured.py")) == [1]
