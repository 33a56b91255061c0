"""One submission, from its file to its result, in the sandbox."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace

import psutil
import pytest

from course_attention.course import helper_source
from course_attention.course.cells import asking_stems, course_notebook
from course_attention.exercises import CATALOGUE
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.results import verdict_record
from course_attention.grading.run.results.submission_record import is_incomplete
from course_attention.grading.run.submission import submission_run
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.notebook_setup import notebook_setup
from course_attention.grading.sandbox.remote_runner import run_cell
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.grading.sandbox.session import Lost
from tests.grading.conftest import FIRST, SECOND, needs_bubblewrap

pytestmark = needs_bubblewrap

WRONG = "def attention_output(distribution, memory):\n    return memory.sum(dim=-2)"
ADDITIVE_BY_OWN = (
    "def attend_and_concat(state, memory, allowed=None):\n"
    "    distribution = attention_distribution(attention_scores(state, memory), allowed)\n"
    "    return torch.cat([attention_output(distribution, memory), state], dim=-1), distribution"
)


def entries(result: dict) -> dict[str, dict]:
    return {entry["name"]: entry for entry in result["exercises"]}


@pytest.mark.parametrize("stem", asking_stems())
def test_course_passes(stem: str, graded: Callable[..., dict]) -> None:
    """The course's own answers get every point, and are known as the course's."""
    result = graded(stem)
    assert result["status"] == "graded" and result["score"] == result["max_score"] > 0
    called = [name for name in course_notebook(stem).exercises if CATALOGUE[name].kind != "value"]
    assert all(
        any(note.startswith(f"{name}: the answer is the course's own") for note in result["notes"]) for name in called
    )


def test_code_is_kept(graded: Callable[..., dict]) -> None:
    """Beside what it earned, an exercise's entry holds the student's own source; a stub is kept as it is."""
    found = entries(graded(SECOND, {"attention_output": WRONG, "attention_scores": None}))
    assert found["attention_output"]["code"] == WRONG
    assert found["attention_scores"]["status"] == "not_attempted" and found["attention_scores"]["code"]
    credit = found["attention_output"]["details"]["credit"]
    assert ["values", 6.0, 0.0] in credit
    assert found["attention_output"]["score"] == pytest.approx(
        sum(weight * part for _, weight, part in credit) / sum(weight for _, weight, _ in credit), abs=1e-5
    )


def test_an_answer_is_given_a_model(graded: Callable[..., dict]) -> None:
    """The model that `greedy_decode` gets is a function in the sandbox too, and shows which prefix it has read."""
    source = helper_source.own_source("greedy_decode").replace("step(tokens)", "step(tokens[:, -1:])")
    result = entries(graded("08_transformer", {"greedy_decode": source}))["greedy_decode"]
    assert (result["status"], result["misconception"]) == ("failed", "only-last-token-read")


def _depth(process: psutil.Process) -> int:
    """How many processes it is in; -1 where it has ended meanwhile, as those do that only set up the sandbox."""
    try:
        return len(process.parents())
    except psutil.NoSuchProcess:
        return -1


@pytest.mark.parametrize("whose", ["its own", "its guardian", "the sandbox"])
def test_ended_from_outside(whose: str, sandbox: Sandbox) -> None:
    """A process that the system ends, as it does where memory runs out, is told from one that ended by itself."""
    with sandbox.open(notebook_setup(course_notebook(FIRST))) as session:
        # The innermost process runs the answer. Numbers of processes start again from below: the highest may be old.
        own = max(psutil.Process(sandbox.pid).children(recursive=True), key=_depth)
        guardian, _, first, *_ = own.parents()  # between them is the notebook's
        {"its own": own, "its guardian": guardian, "the sandbox": first}[whose].kill()
        with pytest.raises(Lost) as lost:
            run_cell(session, "import time; time.sleep(15)", 20.0)
    assert lost.value.end == "crashed" and lost.value.from_outside
    with sandbox.open(notebook_setup(course_notebook(FIRST))) as session, pytest.raises(Lost) as lost:
        run_cell(session, "import os; os._exit(9)", 20.0)
    assert lost.value.end == "crashed" and not lost.value.from_outside


def test_blank(graded: Callable[..., dict]) -> None:
    """Stubs are not attempted, which is graded, with nothing."""
    result = graded(SECOND, dict.fromkeys(course_notebook(SECOND).exercises))
    assert (result["status"], result["score"]) == ("graded", 0.0)
    assert {entry["status"] for entry in result["exercises"]} == {"not_attempted"}


def test_nothing_to_judge(graded: Callable[..., dict], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a notebook without exercises, as a course of one's own may have, nothing runs, and the note says why."""
    without = replace(course_notebook(FIRST), cells=tuple(c for c in course_notebook(FIRST).cells if not c.name))
    monkeypatch.setattr("course_attention.grading.run.submission.grader.course_notebook", lambda stem: without)
    result = graded(FIRST)
    assert (result["status"], result["score"], result["exercises"]) == ("graded", 0, [])
    assert result["notes"] == ["nothing in this notebook is judged"]


def test_one_mistake_is_paid_once(graded: Callable[..., dict]) -> None:
    """A later answer that calls an earlier, wrong one gets the course's helper in its place."""
    result = entries(graded(SECOND, {"attention_output": WRONG, "attend_and_concat": ADDITIVE_BY_OWN}))
    assert result["attention_output"]["misconception"] == "memory-summed"
    assert 0 < result["attention_output"]["score"] < 1
    assert result["attend_and_concat"]["status"] == "passed"


def test_own_function_where_it_passed(graded: Callable[..., dict]) -> None:
    """A later answer calls the student's own function where that one passed."""
    own = "calls = 0\ndef attention_scores(state, memory):\n    global calls\n    calls += 1\n"
    own += "    return torch.einsum('...d,...nd->...n', state, memory)"
    counting = ADDITIVE_BY_OWN.replace("    distribution", "    before = calls\n    distribution", 1)
    counting = counting.replace("    return", "    assert calls == before + 1\n    return")
    result = entries(graded(SECOND, {"attention_scores": own, "attend_and_concat": counting}))
    assert result["attend_and_concat"]["status"] == "passed", result["attend_and_concat"]["message"]


def test_added_cells(graded: Callable[..., dict]) -> None:
    """A cell of the student's own is run in its place; one that fails, or ends the process, is left out and noted."""
    added = {
        "attention_scores": "import torch as my_torch\ndef dot(a, b):\n    return (a.unsqueeze(-2) * b).sum(-1)",
        "attention_distribution": "1 / 0",
        "attention_output": "import os\nos._exit(0)",
    }
    answers = {"attention_scores": "def attention_scores(state, memory):\n    return dot(state, memory)"}
    result = graded(SECOND, answers, added)
    assert result["score"] == result["max_score"]
    notes = [note for note in result["notes"] if note.startswith("added")]
    assert notes == [
        "added 2 was left out: it raised ZeroDivisionError",
        "added 3 was left out: its process ended",
    ]


def test_lost_exercise_costs_itself(graded: Callable[..., dict]) -> None:
    """An answer that ends its process costs its own points; what is judged is not judged again."""
    result = graded(SECOND, {"attention_output": "import os\ndef attention_output(d, m):\n    os._exit(0)"})
    statuses = {name: entry["status"] for name, entry in entries(result).items()}
    assert statuses.pop("attention_output") == "crashed" and set(statuses.values()) == {"passed"}
    assert result["status"] == "graded"


def test_everything_lost(graded: Callable[..., dict]) -> None:
    """Where nothing could be judged, the submission says how it was lost."""
    result = graded(FIRST, {"softmax": "import os\nos.abort()"})
    assert (result["status"], result["score"]) == ("crashed", 0.0)


def test_forbidden(graded: Callable[..., dict]) -> None:
    """What is found only while it runs is refused as well, and named; a cell of one's own may compare."""
    hidden = "import importlib\ndef softmax(scores, axis=-1):\n"
    hidden += "    return getattr(importlib.import_module('course_' + 'attention'), 'soft' + 'max')(scores, axis)"
    (entry,) = graded(FIRST, {"softmax": hidden})["exercises"]
    assert (entry["status"], entry["score"]) == ("forbidden", 0.0)
    assert "course_attention.softmax" in entry["message"]
    result = graded(FIRST, added={"softmax": "import scipy.special, course_attention\nprint(course_attention.softmax)"})
    assert result["score"] == result["max_score"]


@pytest.mark.parametrize(
    "source",
    [
        "from course_attention import softmax",
        "from course_attention.mechanisms.softmax import softmax",
        "from course_attention import *",
        "import course_attention\nsoftmax = getattr(course_attention, 'soft' + 'max')",
    ],
)
def test_imported_answer(source: str, graded: Callable[..., dict]) -> None:
    """The course's own helper as the answer is forbidden and named, however it was imported."""
    (entry,) = graded(FIRST, {"softmax": source})["exercises"]
    assert (entry["status"], entry["score"]) == ("forbidden", 0.0)
    assert "course_attention.softmax" in entry["message"]


def test_answer_with_a_shape_that_raises(graded: Callable[..., dict]) -> None:
    """An object that raises when it is looked at is a wrong answer; it does not end the process."""
    source = "class Odd:\n    @property\n    def shape(self):\n        raise RuntimeError\nsoftmax = Odd()"
    (entry,) = graded(FIRST, {"softmax": source})["exercises"]
    assert entry["status"] == "failed" and "Odd" in entry["message"]


class Surprise(Exception):
    """A fault that nobody has thought of."""


@pytest.mark.parametrize(
    "broken",
    ["judge", *(pytest.param(n, marks=pytest.mark.exhaustive) for n in ("describe", "found_in", "entry"))],
)
def test_grader_that_fails_at_an_exercise(
    broken: str, graded: Callable[..., dict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It costs that exercise its score, which is not 0, and nothing else; the notes say so."""
    name = "attention_output"

    def fail(*arguments: object, **_: object) -> None:
        if name in arguments or getattr(arguments[0], "name", "") == name:
            raise Surprise

    def then(own: Callable) -> Callable:
        return lambda *arguments, **named: (fail(*arguments), own(*arguments, **named))[1]

    if broken == "judge":
        monkeypatch.setattr(type(CATALOGUE[name]), "judge", then(type(CATALOGUE[name]).judge))
    elif broken == "entry":  # which no file could hold
        own = verdict_record.judged
        monkeypatch.setattr(
            verdict_record,
            "judged",
            lambda exercise, verdict: {
                **own(exercise, verdict),
                **({"score": math.nan} if exercise.name == name else {}),
            },
        )
    else:
        monkeypatch.setattr(submission_run, broken, then(getattr(submission_run, broken)))
    result = graded(SECOND, dict.fromkeys(["additive_parameters"]))
    found = entries(result)
    assert (found[name]["status"], found[name]["score"]) == ("not_judged", None)
    statuses = {other: entry["status"] for other, entry in found.items() if other != name}
    assert statuses.pop("additive_parameters") == "not_attempted" and set(statuses.values()) == {"passed"}
    points = sum(CATALOGUE[other].points for other in statuses)
    assert (result["status"], result["score"]) == ("graded", points)
    fault = "ValueError" if broken == "entry" else "Surprise"
    assert f"{name} was not judged: the grader itself failed with {fault}; please report it" in result["notes"]
    assert is_incomplete(result)


def test_grader_that_fails_at_everything(graded: Callable[..., dict], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it fails at the only exercise, the submission has no score either."""
    monkeypatch.setattr(submission_run, "describe", lambda *_: 1 / 0)
    result = graded(FIRST)
    assert (result["status"], result["score"]) == ("not_judged", None)


def test_value_of_any_type(graded: Callable[..., dict]) -> None:
    """A number may be an int, a NumPy scalar, a tensor without axes; a text is none, and is told so."""
    for number in ("4128", "__import__('numpy').int64(4128)", "torch.tensor(4128.0)"):
        assert (
            entries(graded(SECOND, {"additive_parameters": f"additive_parameters = {number}"}))["additive_parameters"][
                "status"
            ]
            == "passed"
        )
    entry = entries(graded(SECOND, {"additive_parameters": "additive_parameters = 'many'"}))["additive_parameters"]
    assert entry["status"] == "failed" and "It is a str" in entry["message"]


def test_same_result_twice(graded: Callable[..., dict]) -> None:
    """The same submission and seed give the same result, to the byte, but for the seconds."""
    answers = {
        "attention_output": WRONG,
        "attention_scores": "def attention_scores(state, memory):\n    raise ValueError(memory)",
    }
    first, second = (json.dumps({**graded(SECOND, answers), "seconds": 0}) for _ in range(2))
    assert first == second


def test_malformed(sandbox: Sandbox) -> None:
    """What is no notebook has no score, rather than 0."""
    submission = Submission.made_here("ada", FIRST)
    result = Grader(sandbox, 0).grade(submission, b"%PDF-1.7")
    assert (result["status"], result["score"], result["exercises"]) == ("malformed", None, [])
    assert result["notes"]
