"""After a change only the exercises concerned are judged again, and the result is that of grading everything again."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from course_attention.course.cells import course_notebook
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.results import fingerprint, result_files
from course_attention.grading.run.results.submission_record import graded as graded_record
from course_attention.grading.run.scheduling.cohort import Cohort
from course_attention.grading.run.scheduling.regrading import JOURNAL, Regrading
from course_attention.grading.run.scheduling.tasks import GradingSettings, Task
from course_attention.grading.run.submission import submission_run
from course_attention.grading.run.submission.former_result import FormerResult
from course_attention.grading.run.submission.grader import Grader, GradingOutcome
from course_attention.grading.sandbox.sandbox import Sandbox
from tests.grading.conftest import SECOND, SEED, filled, needs_bubblewrap

CLASS = ("ada", "bob", "eve")
EXERCISES = course_notebook(SECOND).exercises
WRONG = "def attention_output(distribution, memory):\n    return memory.sum(dim=-2)"
CRASHES = "import os\ndef attention_scores(state, memory):\n    os._exit(0)"
BY_OWN = (
    "def attend_and_concat(state, memory, allowed=None):\n"
    "    distribution = attention_distribution(attention_scores(state, memory), allowed)\n"
    "    return torch.cat([attention_output(distribution, memory), state], dim=-1), distribution"
)
ANSWERS = {"attention_scores": CRASHES, "attention_output": WRONG, "attend_and_concat": BY_OWN}
ADDED = {"attention_distribution": "1 / 0"}


class OfOneSubmission:
    """Grades one notebook, and counts what is judged."""

    def __init__(self, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
        self.judged: list[str] = []
        self._grader = Grader(sandbox, SEED)
        self._content = filled(SECOND, ANSWERS, ADDED)
        own = submission_run.SubmissionRun._judged

        def count(run: Any, session: Any, name: str, cell: Any) -> dict:
            self.judged.append(name)
            return own(run, session, name, cell)

        monkeypatch.setattr(submission_run.SubmissionRun, "_judged", count)

    def __call__(self, former: FormerResult | None = None) -> dict:
        self.judged.clear()
        submission = Submission.made_here("ada", SECOND)
        record = self._grader.run(submission, self._content, former).record
        return json.loads(json.dumps({**record, "seconds": 0}))


@pytest.fixture(scope="module")
def grade(sandbox: Sandbox) -> Iterator[OfOneSubmission]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield OfOneSubmission(sandbox, monkeypatch)


@pytest.fixture(scope="module")
def whole(grade: OfOneSubmission) -> dict:
    record = grade()
    assert {*grade.judged} == {*EXERCISES}
    return record


def former(record: dict, *again: str, **changed: dict) -> FormerResult:
    """Give what stays of a result, some of its entries changed."""
    entries = {entry["name"]: {**entry, **changed.get(entry["name"], {})} for entry in record["exercises"]}
    return FormerResult(entries, frozenset(entries) - {*again} - {"attention_scores"})


@needs_bubblewrap
class TestOneSubmission:
    """A submission with an answer that crashes, a wrong one, one that calls others, and an added cell that fails."""

    # Every day two of them.
    @pytest.mark.parametrize(
        "again",
        [pytest.param(name, marks=[pytest.mark.exhaustive] if i > 1 else []) for i, name in enumerate(EXERCISES)],
    )
    def test_same_result(self, again: str, grade: OfOneSubmission, whole: dict) -> None:
        """Judging one exercise again gives, byte for byte, the result of judging all: entries, notes and score."""
        assert grade(former(whole, again)) == whole
        assert {*grade.judged} == {again, "attention_scores"}  # what was lost has no verdict that could stay

    def test_what_follows(self, grade: OfOneSubmission, whole: dict) -> None:
        """Where an answer passed before and does not now, those behind it run with another function: judged again."""
        stays = former(whole, "attention_output", attention_output={"status": "passed"})
        assert grade(stays) == whole
        place = EXERCISES.index("attention_output")
        assert grade.judged == ["attention_scores", *EXERCISES[place:]]

    def test_kept_fingerprint(self, grade: OfOneSubmission, whole: dict) -> None:
        """A verdict that stays says what decided it then, and the result's fingerprint is of no single judge."""
        older = {"fingerprint": "older", "decided_by": {"judge": "older"}, "points": 100}
        record = grade(former(whole, "attention_output", additive_parameters=older))
        entries = {entry["name"]: entry for entry in record["exercises"]}
        assert entries["additive_parameters"]["fingerprint"] == "older"
        assert record["fingerprint"] != whole["fingerprint"] == fingerprint.of_notebook(SECOND)
        assert record["max_score"] == sum(entry["points"] for entry in entries.values())


class Judge(Executor):
    """Judges at once, without a sandbox; keeps for each submission what was judged."""

    def __init__(self) -> None:
        self.judged: dict[str, list[str]] = {}
        self.status = "passed"

    def submit(self, function: object, task: Task) -> Future:  # type: ignore[override]
        one, kept = task.submission, task.former
        again = [name for name in EXERCISES if name not in kept.kept]
        self.judged[one.student] = again
        entries = [
            kept.entries[name]
            if name not in again
            else {"name": name, "points": 1.0, "status": self.status, "score": 1.0, "misconception": None}
            | {"message": "", "details": None}
            for name in EXERCISES
        ]
        digest = hashlib.sha256(task.content).hexdigest()
        future: Future = Future()
        future.set_result(GradingOutcome(graded_record(one, task.settings.seed, digest, entries, [], 0.0)))
        return future


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def again(tmp_path: Path, judge: Judge) -> Callable[..., dict[str, list[str]]]:
    """Grades a class of three again, and returns what was judged of each."""
    submissions = []
    for student in CLASS:
        path = tmp_path / "in" / student / f"{SECOND}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(student)
        submissions.append(Submission(student, SECOND, path, "", SECOND, "", ""))

    def grade(stop_after: int | None = None, seed: int = 0, **options: Any) -> dict[str, list[str]]:
        judge.judged = {}
        cohort = Cohort(tmp_path / "out", GradingSettings(seed), lambda: judge, in_flight=1, **options)
        graded: Iterator = cohort.grade(submissions)
        for number, _ in enumerate(graded, start=1):
            if number == stop_after:
                graded.close()
        return judge.judged

    return grade


Again = Callable[..., dict[str, list[str]]]
ALL, NONE = [*EXERCISES], {}


def changed(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """As if the files of some exercises had changed since."""
    own = fingerprint.parts_of_exercise
    fingerprint.of_exercise.cache_clear()
    fingerprint.of_notebook.cache_clear()
    monkeypatch.setattr(
        fingerprint,
        "parts_of_exercise",
        lambda name: {**own(name), "exercise": "changed"} if name in names else own(name),
    )


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    fingerprint.of_exercise.cache_clear()
    fingerprint.of_notebook.cache_clear()


def test_only_what_has_changed(again: Again, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a class with current results nothing is judged; after a change in one exercise, that one alone."""
    assert again() == dict.fromkeys(CLASS, ALL)
    assert again() == NONE
    changed(monkeypatch, "attention_output")
    assert again() == {one: ["attention_output"] for one in CLASS}
    assert again() == NONE


def test_other_changes_concern_all(again: Again, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another file, another seed, or another way to find the answers: nothing of the result stays."""
    again()
    (tmp_path / "in" / "bob" / f"{SECOND}.ipynb").write_text("handed in again")
    assert again() == {"bob": ALL}
    assert again(seed=1) == dict.fromkeys(CLASS, ALL)
    fingerprint.of_notebook.cache_clear()
    monkeypatch.setattr(fingerprint, "parts_of_notebook", lambda stem: {"reading": "changed"})
    assert again(seed=1) == dict.fromkeys(CLASS, ALL)


def test_not_judged_and_lost(again: Again, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be judged is tried at every run; what was lost, whenever its notebook runs."""
    judge.status = "not_judged"
    again()
    judge.status = "timeout"
    assert again() == dict.fromkeys(CLASS, ALL)
    assert again() == NONE
    changed(monkeypatch, "attention_output")
    assert again()["ada"] == ALL


def test_by_hand(again: Again, monkeypatch: pytest.MonkeyPatch) -> None:
    """--only judges the exercises named, current or not; all others stay, until a run without it."""
    again()
    assert again(only=["attention_output"]) == {one: ["attention_output"] for one in CLASS}
    changed(monkeypatch, "attention_output", "attention_scores")
    assert again(only=["attention_output"])["eve"] == ["attention_output"]
    assert again(only=["softmax"]) == NONE
    assert again()["eve"] == ["attention_scores"]
    assert again() == NONE


@pytest.mark.parametrize("options", [{"force": True}, {"only": ["attention_output"]}])
def test_goes_on_where_it_was(options: dict, again: Again, tmp_path: Path) -> None:
    """A regrading that was stopped does not begin again with what it has done; once it has ended, the next one does."""
    again()
    assert [*again(stop_after=2, **options)] == ["ada", "bob"]
    journal = tmp_path / "out" / JOURNAL
    assert os.name == "nt" or stat.S_IMODE(journal.stat().st_mode) == 0o600  # it names students
    assert again() == NONE  # all results are current, and stay so
    assert Regrading(tmp_path / "out", GradingSettings(0), **options).done_before == 2
    assert [*again(**options)] == ["eve"]
    assert not journal.exists()
    assert [*again(**options)] == [*CLASS]


def test_another_regrading_begins_anew(again: Again, tmp_path: Path) -> None:
    """With other exercises, another seed or a journal that is cut off in its first line, everything is done again."""
    again()
    again(stop_after=2, force=True)
    assert [*again(stop_after=1, only=["attention_output"])] == ["ada"]
    assert [*again(stop_after=2, force=True)] == ["ada", "bob"]
    journal = tmp_path / "out" / JOURNAL
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-3])  # the machine went off while the last line was written
    assert [*again(force=True)] == ["bob", "eve"]
    journal.write_bytes(whole[:20])
    assert [*again(force=True)] == [*CLASS]


def test_changed_while_it_was_stopped(again: Again, tmp_path: Path) -> None:
    """What was handed in anew since is graded, although the regrading had done it."""
    again()
    again(stop_after=2, force=True)
    (tmp_path / "in" / "ada" / f"{SECOND}.ipynb").write_text("handed in again")
    assert [*again(force=True)] == ["ada", "eve"]


def test_results_are_read(again: Again, tmp_path: Path) -> None:
    """What stays is what the result file says."""
    again()
    path = tmp_path / "out" / "results" / "ada" / f"{SECOND}.json"
    record = result_files.read(path)
    record["exercises"][0]["message"] = "said before"
    result_files.write(path, record)
    again(only=["attention_output"])
    assert result_files.read(path)["exercises"][0]["message"] == "said before"
