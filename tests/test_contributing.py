"""CONTRIBUTING.md keeps its word: its two examples are followed in a copy of the repository, and the judge is asked.

A comment above a block of the page says what to do with it, which readers do with their hands.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from course_attention import topics
from course_attention.answer_corpus import corpus_file
from course_attention.answer_corpus.answer_value import value_of
from course_attention.judging import judge
from course_attention.mechanisms import attention as mechanisms
from course_attention.topics import TOPICS
from tools import new_exercise

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PARTS = ("course_attention", "notebooks", "tests", "tools", "Makefile", "pyproject.toml", "requirements.lock")
BLOCK = re.compile(r"^<!-- (\w+)(?: ([^\n]*?))? -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
JUDGE = """
import json, sys
from course_attention.exercises import CATALOGUE
from course_attention.topics import topic_of
for answer in json.load(sys.stdin):
    names = {}
    exec(answer, names)
    verdict = CATALOGUE[sys.argv[1]].judge(names[sys.argv[1]], seed=3)
    print(verdict.status, verdict.misconception, verdict.points, topic_of(sys.argv[1]).name)
"""


def section(heading: str) -> list[tuple[str, str, str]]:
    """Return what a section of the page tells to do: (verb, to what, block), in its order."""
    text = re.search(rf"^## {heading}\n(.*?)(?=^## )", PAGE, re.DOTALL | re.MULTILINE)[1]
    assert len(BLOCK.findall(text)) == text.count("<!-- ")
    return BLOCK.findall(text)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the repository, without its history and its environment.

    What Python has compiled comes along: it knows by a file's time and size which of it still holds.
    """
    ignored = shutil.ignore_patterns(".*", "*.pyc.*")  # the latter another Python is writing just now
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, tmp_path / part, ignore=ignored)
        else:
            shutil.copy(source, tmp_path / part)
    return tmp_path


def run(copy: Path, *command: str, stdin: str = "") -> str:
    """Return the output of a command that works on the copy, with the tools of this environment."""
    environment = os.environ | {"PYTHONPATH": str(copy)}
    done = subprocess.run(command, cwd=copy, env=environment, input=stdin, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def follow(copy: Path, heading: str) -> list[str]:
    """Do what a section tells, and return what its commands print."""
    printed = []
    for verb, target, block in section(heading):
        if verb == "apply":
            run(copy, "git", "apply", "--recount", "-C1", "-", stdin=block)
        elif verb == "append":
            with (copy / target).open("a", encoding="utf-8", newline="\n") as file:
                file.write(block)
        elif verb == "write":
            assert (copy / target).is_file(), "make new-exercise left a skeleton here"
            (copy / target).write_text(block, encoding="utf-8", newline="\n")
        elif verb == "replace":
            path, start = re.fullmatch(r'(\S+) from "(.*)"', target).groups()
            before = (copy / path).read_text(encoding="utf-8")
            (copy / path).write_text(before[: before.index(start)] + block, encoding="utf-8", newline="\n")
        elif verb == "answer":
            _write_answer_cell(copy, block)
        elif verb == "run":
            printed += [_command(copy, line) for line in block.splitlines()]
        else:
            raise AssertionError(f"the page says {verb!r}, which this test cannot do")
    return printed


def _command(copy: Path, line: str) -> str:
    """Run a line of shell: the page's environment is the one that runs this test."""
    if line.startswith("make "):
        here = f"BIN={Path(sys.executable).parent.as_posix()}"
        done = [f"-o{stamp}" for stamp in (".venv/lint", f"{here[4:]}/python")]  # nothing is to be installed
        return run(copy, "make", *done, here, *line.split()[1:])
    assert line.startswith(".venv/bin/pytest ")
    arguments = re.findall(r'"([^"]*)"|(\S+)', line.removeprefix(".venv/bin/pytest "))
    return run(copy, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map("".join, arguments))


def _write_answer_cell(copy: Path, block: str) -> None:
    name = re.search(r"^def (\w+)", block, re.MULTILINE)[1]
    (path,) = (p for p in (copy / "notebooks").glob("*.ipynb") if f'"check-{name}"' in p.read_text("utf-8"))
    notebook = json.loads(path.read_text(encoding="utf-8"))
    (cell,) = (c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == name)
    cell["source"] = block.rstrip().splitlines(keepends=True)
    text = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")


def passed(output: str) -> int:
    """How many tests pytest says have passed."""
    return int(re.search(r"(\d+) passed", output)[1])


def judged(copy: Path, exercise: str, *answers: str) -> list[list[str]]:
    """Status, misconception, points and topic of each answer."""
    told = run(copy, sys.executable, "-c", JUDGE, exercise, stdin=json.dumps(answers))
    return [line.split() for line in told.splitlines()]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed: apt install git")
def test_the_change_of_the_page_applies():
    """What the page adds to an exercise fits the exercise as it is; the test below follows every step."""
    changes = [block for verb, _, block in section("A new misconception") if verb == "apply"]
    assert changes
    for change in changes:
        command = ["git", "apply", "--check", "--recount", "-C1", "-"]
        done = subprocess.run(command, cwd=ROOT, input=change, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.journey
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed: apt install git")
def test_a_new_misconception(copy):
    """Who follows the section has a misconception that the judge names, at every seed, and two changed files."""
    wrong = """
import numpy as np
def softmax(scores, axis=-1):
    weights = np.exp(scores / np.max(scores, axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)
"""
    right = wrong.replace("scores / np.max", "scores - np.max")
    ((*before, _, _),) = judged(copy, "softmax", wrong)
    assert before == ["failed", "None"]
    (output,) = follow(copy, "A new misconception")
    assert passed(output) >= 1
    after = [told[:2] for told in judged(copy, "softmax", wrong, right)]
    assert after == [["failed", "divided-by-largest"], ["passed", "None"]]


def test_the_exercise_of_the_page(tmp_path, monkeypatch):
    """Its helper and its right answers pass, and each wrong one is named; the test below follows every step."""
    blocks = {target.split(" ")[0]: block for _, target, block in section("A new exercise")}
    names, around = {}, dict(vars(mechanisms))
    exec(blocks["course_attention/exercises/attention/cosine_scores.py"], names)
    exec(blocks["course_attention/mechanisms/attention.py"], around)
    exercise = names["EXERCISE"]
    assert judge(exercise, around["cosine_scores"]).status == "passed"
    answers = tmp_path / "cosine_scores.py"
    answers.write_text(blocks["tests/corpus/attention/cosine_scores.py"], encoding="utf-8")
    monkeypatch.setattr(corpus_file, "CATALOGUE", {exercise.name: exercise})
    told = {answer: judge(exercise, value_of(answer)) for answer in corpus_file.read_answers(answers)}
    assert {answer.kind for answer in told} == {"right", "wrong"}
    for answer, verdict in told.items():
        expected = ("passed", None) if answer.kind == "right" else ("failed", answer.idea)
        assert (verdict.status, verdict.misconception) == expected, answer.name


@pytest.mark.journey
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed: apt install make")
def test_a_new_exercise(copy):
    """Who follows the section has an exercise whose right answers pass and whose misconceptions are named."""
    started, tested = follow(copy, "A new exercise")
    assert "TODO" in started
    stub = (copy / "course_attention" / "__init__.pyi").read_text(encoding="utf-8")
    assert "cosine_scores as cosine_scores" in stub
    assert passed(tested) >= 20
    left = [str(path) for path in copy.rglob("*cosine_scores*.py") if "TODO" in path.read_text("utf-8")]
    assert left == []

    right = """
import torch
def cosine_scores(query, key):
    return torch.nn.functional.cosine_similarity(query[..., :, None, :], key[..., None, :, :], dim=-1)
"""
    wrong = "def cosine_scores(query, key):\n    return query @ key.mT"
    passes, fails = judged(copy, "cosine_scores", right, wrong)
    assert passes == ["passed", "None", "1", "attention"]
    assert fails[:2] == ["failed", "lengths-left-in"]


@pytest.mark.parametrize(
    ("name", "topic", "message"),
    [
        ("cosine_scores", "cosines", "TOPIC is one of softmax, seq2seq, attention,"),
        ("attention", "attention", "NAME is new; there is a 'attention' already"),
        ("influence", "masking", "NAME is new; there is a 'influence' already"),
        ("two words", "attention", "NAME is the name of a function"),
        ("with__underscores", "attention", "NAME is the name of a function"),
    ],
)
def test_a_wrong_start_is_refused(name, topic, message, tmp_path, monkeypatch):
    """A name that is taken or is none, and a topic that is none, write nothing, and one line says why."""
    monkeypatch.setattr(new_exercise, "ROOT", tmp_path)
    monkeypatch.setattr(new_exercise, "PACKAGE", tmp_path / "course_attention")
    with pytest.raises(new_exercise.Refused, match=re.escape(message)):
        new_exercise.start(name, topic)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("topic", [one for one in TOPICS if one.exercises], ids=lambda topic: topic.name)
def test_every_topic_takes_a_further_exercise(topic):
    """The registry with a further exercise is Python, and differs by that exercise alone."""
    source = Path(topics.__file__).read_text(encoding="utf-8")
    names: dict = {"__name__": "with_one_more"}
    exec(new_exercise.registered(source, "one_more", topic), names)
    expected = [one.exercises + (("one_more",) if one == topic else ()) for one in TOPICS]
    assert [one.exercises for one in names["TOPICS"]] == expected
    assert [one.helpers for one in names["TOPICS"]] == [one.helpers for one in TOPICS]
