"""The record of the notebooks that have passed: what counts as a change, and when a notebook is executed again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.notebooks import passed
from tests.notebooks.passed import fingerprint
from tools import computes_with as imports
from tools.computes_with import PACKAGE, ROOT, code_of, computes_with

pytest_plugins = "pytester"
NOTEBOOKS = ROOT / "notebooks"
CONFTEST = """
from tests.notebooks.passed import PassedNotebooks

def pytest_addoption(parser):
    parser.addoption("--exhaustive", action="store_true")
    parser.addoption("--leave-out-passed", action="store_true")

def pytest_configure(config):
    config.pluginmanager.register(PassedNotebooks(config))
"""


def written(path: Path, *sources: str) -> Path:
    cells = [{"cell_type": "code", "id": f"c{i}", "source": s} for i, s in enumerate(sources)]
    cells = [cell | {"metadata": {}, "outputs": [], "execution_count": 1} for cell in cells]
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return path


def test_what_it_computes_with() -> None:
    """What a notebook imports counts, also by the name of a helper, and inside functions; the grader does not."""
    files = {
        file.relative_to(PACKAGE).as_posix()
        for file in computes_with(code_of(NOTEBOOKS / "01_seq2seq_attention.ipynb"))
    }
    imported = {"lesson/check.py", "experiments/seq2seq/__init__.py", "figures/alignment.py", "__init__.py"}
    by_name = {
        "mechanisms/seq2seq.py",
        "exercises/seq2seq/attention_scores.py",
        "exercises/seq2seq/decoder_state.py",
    }
    inside_functions = {"execution/local.py", "mechanisms/contracts.py"}
    assert imported | by_name | inside_functions <= files
    assert not [file for file in files if file.startswith(("grading/", "own_course/", "exercises/linear"))]


def test_what_changes_the_fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of the notebook, of a module that another one imports, of what is installed, of the device."""
    notebook = written(tmp_path / "a.ipynb", "import ours.a")
    (tmp_path / "conftest.py").touch()
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "a.py").write_text("import ours.b\n")
    (tmp_path / "ours" / "b.py").touch()
    for module in (passed, imports):
        monkeypatch.setattr(module, "ROOT", tmp_path)
        monkeypatch.setattr(module, "PACKAGE", tmp_path / "ours")
    seen = []

    def look() -> None:
        for function in (imports._imported, imports._files, passed._data):
            function.cache_clear()
        seen.append(fingerprint(notebook))

    look()
    look()
    assert seen[0] == seen.pop()
    written(notebook, "import ours.a", "1")
    look()
    (tmp_path / "ours" / "b.py").write_text("x = 1\n")
    look()
    monkeypatch.setenv("COURSE_ATTENTION_DEVICE", "a device")
    look()
    monkeypatch.setattr(passed, "installed", lambda: ["another library 1.0"])
    look()
    assert len(set(seen)) == 5
    (tmp_path / "ours" / "c.py").write_text("nothing imports this")
    look()
    assert seen[-1] == seen[-2]


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Return a folder with two notebooks, of which the second fails."""
    monkeypatch.delenv("CI", raising=False)
    # Each run is a process of its own: what other tests have done to this one, such as to its path, would count.
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    written(pytester.path / "notebooks" / "good.ipynb", "x = 1", "assert x")
    written(pytester.path / "notebooks" / "bad.ipynb", "x = 0", "assert x")
    pytester.makeconftest(CONFTEST)
    return pytester


class Asked:
    """What pytest's configuration says of a run, as far as the plugin asks."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.rootpath, self._options = folder, options

    def getoption(self, name: str) -> bool:
        return name in self._options


def test_what_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notebook that passed as it is, where that is asked for; never in CI, and never where all are wanted."""
    monkeypatch.delenv("CI", raising=False)
    good = written(tmp_path / "notebooks" / "good.ipynb", "x = 1")
    written(tmp_path / "notebooks" / "bad.ipynb", "x = 0")
    record = tmp_path / ".cache" / "passed_notebooks"
    record.mkdir(parents=True)
    (record / "good").write_text(fingerprint(good))

    def left_out(*options: str) -> list[str]:
        return passed.PassedNotebooks(Asked(tmp_path, *options))._left_out

    assert left_out("--leave-out-passed") == ["good"]
    assert left_out() == left_out("--leave-out-passed", "--exhaustive") == []
    monkeypatch.setenv("CI", "true")
    assert left_out("--leave-out-passed") == []
    monkeypatch.delenv("CI")
    written(good, "x = 2")
    assert left_out("--leave-out-passed") == []


@pytest.mark.journey
def test_only_what_has_not_passed_runs(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """What passed is left out and named; what failed or has changed runs again, and so does all where all is wanted."""

    def asked(*options: str) -> set[str]:
        found = project.runpytest_subprocess("--nbval", "--collect-only", "-q", "notebooks", *options).outlines
        return {Path(line.partition("::")[0]).stem for line in found if "::" in line}

    # One cell of a notebook is not the notebook.
    project.runpytest_subprocess("--nbval", "notebooks", "-k", "Cell and 0").assert_outcomes(passed=2, deselected=2)
    assert asked("--leave-out-passed") == {"bad", "good"}
    project.runpytest_subprocess("--nbval", "-n", "1", "notebooks").assert_outcomes(passed=3, failed=1)
    assert asked() == asked("--leave-out-passed", "--exhaustive") == {"bad", "good"}
    assert asked("--leave-out-passed") == {"bad"}
    again = project.runpytest_subprocess("--nbval", "-n", "1", "notebooks", "--leave-out-passed")
    again.assert_outcomes(passed=1, failed=1)
    again.stdout.fnmatch_lines(["*notebooks left out*", "1 passed on this machine*: good"])
    written(project.path / "notebooks" / "good.ipynb", "x = 2", "assert x")
    assert asked("--leave-out-passed") == {"bad", "good"}
    written(project.path / "notebooks" / "good.ipynb", "x = 1", "assert x")
    monkeypatch.setenv("CI", "true")
    assert asked("--leave-out-passed") == {"bad", "good"}
