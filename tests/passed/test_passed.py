"""The record of the files that have passed: what counts as a change, and when a file runs again."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.passed import fingerprint as passed
from tests.passed import reads_as_said
from tests.passed.fingerprint import READS, fingerprint, may_read
from tests.passed.record import PassedFiles
from tools import computes_with as imports
from tools.computes_with import PACKAGE, ROOT, code_of, computes_with

pytest_plugins = "pytester"
NOTEBOOKS = ROOT / "notebooks"
CONFTEST = """
from pathlib import Path
from tests.passed import fingerprint
from tests.passed.record import PassedFiles

def pytest_addoption(parser):
    parser.addoption("--exhaustive", action="store_true")
    parser.addoption("--leave-out-passed", action="store_true")

def pytest_configure(config):
    fingerprint.ROOT = Path("{root}")
    fingerprint.PACKAGE = fingerprint.ROOT / "course_attention"
    config.pluginmanager.register(PassedFiles(config))
"""


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """Forget before and after a test what was found in files: some tests have a project of their own."""

    def forget() -> None:
        passed.look_again()
        imports._imported.cache_clear()
        imports._files.cache_clear()

    forget()
    yield
    forget()


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
    of_mine = {file.relative_to(PACKAGE).as_posix() for file in computes_with(['causal_mask = mine("causal_mask")'])}
    assert "mechanisms/masking.py" in of_mine and "exercises/masking/causal_mask.py" not in of_mine


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
        for function in (imports._imported, imports._files, passed._data, passed._content):
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


def test_what_changes_the_fingerprint_of_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package, and what the tests of a folder read; elsewhere, every file that git does not ignore."""
    for name in ("ours/a.py", "tests/judging/test_a.py", "tests/site/test_b.py", "tests/shared.py", "page.md", "out/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / ".gitignore").write_text("out/\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    monkeypatch.setattr(passed, "ROOT", tmp_path)
    monkeypatch.setattr(passed, "PACKAGE", tmp_path / "course_attention")
    monkeypatch.setattr(passed, "SHARED", ("ours",))

    def look() -> tuple[str, str]:
        passed.look_again()
        return tuple(fingerprint(tmp_path / name) for name in ("tests/judging/test_a.py", "tests/site/test_b.py"))

    changes = {"ours/a.py": (True, True), "tests/judging/test_a.py": (True, True), "tests/shared.py": (True, True)}
    changes |= {"page.md": (False, True), "tests/site/test_b.py": (False, True), "new.md": (False, True)}
    changes |= {"out/x": (False, False), "tests/judging/drawn.json": (True, True)}
    for name, expected in changes.items():
        before = look()
        (tmp_path / name).write_text("another text")
        assert tuple(a != b for a, b in zip(before, look(), strict=True)) == expected, name


def test_what_changes_the_fingerprint_of_a_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the tests of one exercise the others' files do not count, but for one that its own imports."""
    place = "course_attention/exercises/attention/{}.py".format
    names = ("attention", "softmax_variance", "additive_scores")
    files = {name: (place(name), f"tests/corpus/attention/{name}.py") for name in names}
    for name, text in zip(names, ("", "from course_attention.exercises.attention import attention", ""), strict=True):
        for file in files[name]:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    monkeypatch.setattr(passed, "SHARED", ("course_attention", "tests/corpus"))
    monkeypatch.setattr(passed, "_FILES", files)
    for module in (passed, imports):
        monkeypatch.setattr(module, "ROOT", tmp_path)

    def look() -> tuple[str, ...]:
        passed.look_again()
        for function in (imports._imported, imports._files):
            function.cache_clear()
        return tuple(fingerprint(tmp_path / "tests/exercises/test_a.py", task) for task in (*names, ""))

    changes = {
        place("attention"): (True, True, False, True),
        "tests/corpus/attention/attention.py": (True, True, False, True),
        place("additive_scores"): (False, False, True, True),
        "course_attention/judge.py": (True, True, True, True),
    }
    for name, expected in changes.items():
        before = look()
        (tmp_path / name).write_text("a = 1")
        assert tuple(a != b for a, b in zip(before, look(), strict=True)) == expected, name


def test_which_exercises_decide_over_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that a file of tests names, itself or over a file that it imports, and all where it may go through all."""
    texts = {
        "judging/test_none.py": "x = 'no exercise'",
        "judging/test_named.py": 'a = CATALOGUE["window_mask"]\nfrom course_attention.exercises import CATALOGUE',
        "judging/test_any.py": "from course_attention.exercises import CATALOGUE\na = CATALOGUE[name]",
        "judging/test_notebook.py": "graded('00_start_here')",
        "judging/test_over_another.py": "from tests.judging.helper import a",
        "judging/helper.py": "a = 'causal_mask'",
        "lesson/deep/test_fixtures.py": "def test_a(drawn): pass",
        "lesson/conftest.py": "def drawn(): return 'rotary'",
        "practice/test_by_task.py": "x = 'no exercise'",
    }
    for name, text in texts.items():
        (tmp_path / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tests" / name).write_text(text)
    for module in (passed, imports):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    every = set(passed._FILES)
    expected = {
        "judging/test_none.py": set(),
        "judging/test_named.py": {"window_mask"},
        "judging/test_any.py": every,
        "judging/test_notebook.py": {"softmax", "weights_at"},
        "judging/test_over_another.py": {"causal_mask"},
        "lesson/deep/test_fixtures.py": {"rotary"},
        "practice/test_by_task.py": every,
    }
    found = {name: passed._tasks_in(tmp_path / "tests" / name, f"tests/{name.split('/')[0]}") for name in expected}
    assert found == expected


def test_what_the_table_says_is_there() -> None:
    """Each folder of the table exists, and reads what exists; what its files import of other tests stands beside it."""
    for folder in READS:
        places = may_read(folder)
        assert all((ROOT / place).exists() for place in places)
        if folder == PACKAGE.name:
            continue
        for file in (ROOT / folder).rglob("*.py"):
            for module in re.findall(r"^from (tests\.\w+)", file.read_text(encoding="utf-8"), re.MULTILINE):
                place = ROOT / module.replace(".", "/")
                assert place.with_suffix(".py").exists() or place.relative_to(ROOT).as_posix() in places, file


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Return a folder with two notebooks and two files of tests, of which the second fails."""
    monkeypatch.delenv("CI", raising=False)
    # Each run is a process of its own: what other tests have done to this one, such as to its path, would count.
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    written(pytester.path / "notebooks" / "good.ipynb", "x = 1", "assert x")
    written(pytester.path / "notebooks" / "bad.ipynb", "x = 0", "assert x")
    (pytester.path / "tests").mkdir()
    (pytester.path / "tests" / "test_good.py").write_text("def test_a(): pass\ndef test_b(): pass\n")
    (pytester.path / "tests" / "test_bad.py").write_text("def test_a(): pass\ndef test_b(): assert False\n")
    pytester.makeconftest(CONFTEST.format(root=pytester.path))
    (pytester.path / ".gitignore").write_text(".*\n__pycache__\nrunpytest-*\nstd*\n")  # what a run writes
    subprocess.run(["git", "init", "-q"], cwd=pytester.path, check=True)
    return pytester


class Asked:
    """What pytest's configuration says of a run, as far as the plugin asks."""

    args = ("notebooks",)

    def __init__(self, folder: Path, *options: str) -> None:
        self.rootpath, self._options = folder, options

    def getoption(self, name: str, default: object = None) -> bool:
        return name in self._options


def test_what_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notebook that passed as it is, where that is asked for; never in CI, and never where all are wanted."""
    monkeypatch.delenv("CI", raising=False)
    good = written(tmp_path / "notebooks" / "good.ipynb", "x = 1")
    written(tmp_path / "notebooks" / "bad.ipynb", "x = 0")
    kept = tmp_path / ".cache" / "passed" / "notebooks" / "good.ipynb"
    kept.parent.mkdir(parents=True)
    kept.write_text(fingerprint(good))

    def left_out(*options: str) -> list[str]:
        passed.look_again()
        return PassedFiles(Asked(tmp_path, *options))._left_out

    assert left_out("--leave-out-passed") == ["notebooks/good.ipynb"]
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
        found = project.runpytest_subprocess("--nbval", "--collect-only", "-q", "notebooks", "tests", *options).outlines
        return {Path(line.partition("::")[0]).stem for line in found if "::" in line}

    everything = {"bad", "good", "test_bad", "test_good"}
    run = ["--nbval", "-n", "1", "notebooks", "tests"]
    # One cell of a notebook is not the notebook, and one test not its file.
    project.runpytest_subprocess("--nbval", "notebooks", "-k", "Cell and 0").assert_outcomes(passed=2, deselected=2)
    project.runpytest_subprocess("tests/test_good.py::test_a").assert_outcomes(passed=1)
    assert asked("--leave-out-passed") == everything
    project.runpytest_subprocess(*run).assert_outcomes(passed=6, failed=2)
    assert asked() == asked("--leave-out-passed", "--exhaustive") == everything
    assert asked("--leave-out-passed") == {"bad", "test_bad"}
    again = project.runpytest_subprocess(*run, "--leave-out-passed")
    again.assert_outcomes(passed=2, failed=2)
    again.stdout.fnmatch_lines(["*left out*", "2 files passed on this machine*: good, tests (1)"])
    written(project.path / "notebooks" / "good.ipynb", "x = 2", "assert x")  # the tests may read it
    assert asked("--leave-out-passed") == everything
    written(project.path / "notebooks" / "good.ipynb", "x = 1", "assert x")
    monkeypatch.setenv("CI", "true")
    assert asked("--leave-out-passed") == everything
    monkeypatch.delenv("CI")
    (project.path / "tests" / "test_bad.py").write_text("def test_b(): pass\n")
    written(project.path / "notebooks" / "bad.ipynb", "x = 1", "assert x")
    project.runpytest_subprocess(*run, "--leave-out-passed").assert_outcomes(passed=5)
    all_passed = project.runpytest_subprocess(*run, "--leave-out-passed")
    assert all_passed.ret == 0
    all_passed.stdout.fnmatch_lines(["4 files passed on this machine*: bad, good, tests (2)"])


@pytest.mark.journey
def test_the_tests_of_one_exercise_run_alone(project: pytest.Pytester) -> None:
    """After a change of one exercise's file, its tests run again, and those that may be about several."""
    tests = project.path / "tests" / "exercises" / "test_some.py"
    tests.parent.mkdir()
    tests.write_text(
        "import pytest\n@pytest.mark.parametrize('name', ['softmax-1', 'softmax-2', 'attention'])\n"
        "def test_one(name): pass\ndef test_all(): pass\n"
    )
    files = {name: project.path / places[0] for name, places in passed._FILES.items()}
    for file in (files["softmax"], files["attention"]):
        file.parent.mkdir(parents=True)
        file.touch()
    run = ["-n", "1", "--leave-out-passed", "tests/exercises"]
    project.runpytest_subprocess(*run).assert_outcomes(passed=4)
    project.runpytest_subprocess(*run).assert_outcomes()
    files["attention"].write_text("a = 1\n")
    again = project.runpytest_subprocess(*run)
    again.assert_outcomes(passed=2)
    again.stdout.fnmatch_lines(["tests/exercises/test_some.py: the same, the tests of 1 exercises or tasks*"])
    project.runpytest_subprocess(*run).assert_outcomes()
    files["softmax"].write_text("a = 1\n")
    tests.write_text(tests.read_text().replace("def test_all(): pass", "def test_all(): assert 0"))
    project.runpytest_subprocess(*run).assert_outcomes(passed=3, failed=1)
    project.runpytest_subprocess(*run).assert_outcomes(failed=1)


def test_who_reads_more_than_the_table_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The listener names a file of the project that a test opens and that its folder does not read."""
    monkeypatch.setattr(sys, "addaudithook", lambda hook: None)
    listener = reads_as_said.ReadsAsSaid()
    listener._allowed = may_read("tests/judging")
    for name in ("course_attention/topics.py", "tests/judging/x.json", "tests/conftest.py", ".git/HEAD", "README.md"):
        listener._heard("open", (str(ROOT / name), "r", 0))
    listener._heard("open", (str(tmp_path / "x"), "r", 0))
    listener._heard("import", (str(ROOT / "docs" / "x"),))
    assert listener._found == {"README.md"}
