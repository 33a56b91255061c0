"""A class is graded to its end, whatever happens to the workers, and goes on where it was stopped."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

import pytest
from distributed.scheduler import KilledWorker

from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.results import fingerprint, result_files
from course_attention.grading.run.results.submission_record import not_judged, unread
from course_attention.grading.run.scheduling import tasks
from course_attention.grading.run.scheduling.cohort import Cohort
from course_attention.grading.run.scheduling.executors import CannotRun
from course_attention.grading.run.scheduling.tasks import GradingSettings, Task
from course_attention.grading.run.submission.grader import GradingOutcome
from course_attention.grading.sandbox.bubblewrap import NoSandbox
from tests.grading.conftest import FIRST, filled


def handed_in(folder: Path, students: list[str]) -> list[Submission]:
    """Make a class of notebooks that are there, each of one byte."""
    found = []
    for student in students:
        path = folder / student / f"{FIRST}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(student.encode())
        found.append(Submission(student, FIRST, path, "", FIRST, "", ""))
    return found


class Workers(Executor):
    """Runs a task at once; at some students' the worker dies, so many times, and takes what else it has with it."""

    deaths: Counter[str]
    seen: list[str]
    late: dict[str, int]  # how often a student's submission takes too much time
    ended: Counter[str]  # how often the system ends its process
    error: Exception = BrokenProcessPool()

    def submit(self, function, task: Task) -> Future:
        future: Future = Future()
        student = task.submission.student
        self.seen.append(student)
        if self.deaths[student] > 0:
            self.deaths[student] -= 1
            future.set_exception(self.error)
        else:
            digest = hashlib.sha256(task.content).hexdigest()
            record = {**unread(task.submission, 0, "", digest), "status": "graded"}
            late = self.late.pop(student, 0)
            ended = self.ended[student] > 0
            self.ended[student] -= ended
            future.set_result(GradingOutcome(record, timed_out=late > 0, ended_from_outside=ended))
            if late > 1:
                self.late[student] = late - 1
        return future


@pytest.fixture
def workers() -> type[Workers]:
    return type("OwnWorkers", (Workers,), {"deaths": Counter(), "seen": [], "late": {}, "ended": Counter()})


def run(folder: Path, workers: type[Workers], students: list[str], **options) -> dict[str, tuple[str, bool]]:
    cohort = Cohort(folder / "out", GradingSettings(seed=options.pop("seed", 0)), workers, **options)
    return {
        one.student: (record["status"], now) for one, record, now in cohort.grade(handed_in(folder / "in", students))
    }


STUDENTS = [f"student {n}" for n in range(20)]


def test_each_once(tmp_path: Path, workers: type[Workers]) -> None:
    """Each submission is graded once and its result stands in a file; a second run finds them all."""
    assert run(tmp_path, workers, STUDENTS) == dict.fromkeys(STUDENTS, ("graded", True))
    assert sorted(workers.seen) == sorted(STUDENTS)
    assert sorted(record["student"] for record in result_files.read_all(tmp_path / "out")) == sorted(STUDENTS)
    assert run(tmp_path, workers, STUDENTS) == dict.fromkeys(STUDENTS, ("graded", False))
    assert len(workers.seen) == len(STUDENTS)


def test_what_has_changed_is_graded_again(tmp_path: Path, workers: type[Workers]) -> None:
    """Another source, another seed, a damaged result, or --force; nothing else."""
    run(tmp_path, workers, STUDENTS)
    workers.seen.clear()
    students = handed_in(tmp_path / "in", STUDENTS)
    students[3].path.write_bytes(b"changed")
    result_files.path_of(tmp_path / "out", students[5]).write_text("{")
    cohort = Cohort(tmp_path / "out", GradingSettings(seed=0), workers)
    assert [one.student for one, _, now in cohort.grade(students) if now] == ["student 3", "student 5"]
    assert all(now for _, now in run(tmp_path, workers, STUDENTS, seed=1).values())
    assert all(now for _, now in run(tmp_path, workers, STUDENTS, seed=1, force=True).values())


@pytest.mark.parametrize("deaths", [1, 2])
@pytest.mark.parametrize(
    "error",
    [
        pytest.param(BrokenProcessPool(), id="local"),
        pytest.param(KilledWorker("run", None, 3), id="cluster"),
        pytest.param(CancelledError(), id="connection"),
    ],
)
def test_a_worker_that_dies_loses_nothing(
    tmp_path: Path, workers: type[Workers], deaths: int, error: Exception
) -> None:
    """What a dead worker had is graded by another."""
    workers.deaths["student 7"], workers.error = deaths, error
    assert run(tmp_path, workers, STUDENTS) == dict.fromkeys(STUDENTS, ("graded", True))


def test_a_submission_that_kills_its_workers(tmp_path: Path, workers: type[Workers]) -> None:
    """It is given up in the end, with a note; the others are graded."""
    workers.deaths["student 7"] = 100
    found = run(tmp_path, workers, STUDENTS)
    assert found.pop("student 7") == ("not_judged", True)
    assert set(found.values()) == {("graded", True)}
    record = result_files.read(tmp_path / "out" / "results" / "student 7" / f"{FIRST}.json")
    assert "the grader's own process ended 3 times" in record["notes"][0]
    assert record["score"] is None and {entry["score"] for entry in record["exercises"]} == {None}


@pytest.mark.parametrize("error", [NoSandbox("no sandbox"), ModuleNotFoundError("no module")])
def test_a_worker_that_cannot_grade(tmp_path: Path, workers: type[Workers], error: Exception) -> None:
    """Where no submission can be graded, the run stops with the reason, and no result says anything else."""
    workers.deaths["student 7"], workers.error = 1, error
    with pytest.raises((NoSandbox, CannotRun), match=str(error)):
        run(tmp_path, workers, STUDENTS)
    assert "student 7" not in {record["student"] for record in result_files.read_all(tmp_path / "out")}


def test_handed_in_again(tmp_path: Path, workers: type[Workers]) -> None:
    """The same notebook handed in later is not graded again, and its result tells the new time."""
    (one,) = handed_in(tmp_path / "in", ["ada"])
    cohort = Cohort(tmp_path / "out", GradingSettings(seed=0), workers)
    list(cohort.grade([one]))
    ((_, record, now),) = cohort.grade([replace(one, submitted="later")])
    assert (record["submitted"], now, workers.seen) == ("later", False, ["ada"])
    assert list(result_files.read_all(tmp_path / "out")) == [record]


def test_another_fingerprint(tmp_path: Path, workers: type[Workers], monkeypatch: pytest.MonkeyPatch) -> None:
    """A result is current only where what decided it is still the same; a version number says nothing of that."""
    (one,) = handed_in(tmp_path / "in", ["ada"])
    cohort = Cohort(tmp_path / "out", GradingSettings(seed=0), workers)
    list(cohort.grade([one]))
    ((_, record, now),) = cohort.grade([one])
    assert not now and record["fingerprint"] == fingerprint.of_notebook(one.notebook)
    monkeypatch.setattr(fingerprint, "of_notebook", lambda stem: "of a repaired judge")
    assert [now for _, _, now in cohort.grade([one])] == [True]
    older = {name: value for name, value in record.items() if name != "fingerprint"}
    result_files.write(result_files.path_of(tmp_path / "out", one), older)
    assert [now for _, _, now in cohort.grade([one])] == [True]


def test_suspects_go_alone(tmp_path: Path) -> None:
    """After a death, those who were with the dead worker are tried one by one: an innocent one is not given up."""
    tried: list[list[str]] = []

    class Together(Executor):
        """Three tasks at once, until they end together: well, or by the one that kills."""

        def __init__(self) -> None:
            self.held: list[tuple[Future, Task]] = []
            tried.append([])

        def submit(self, function, task: Task) -> Future:
            self.held.append((Future(), task))
            tried[-1].append(task.submission.student)
            if len(self.held) == 3 or len(tried) > 1:
                for future, own in self.held:
                    if "student 2" in tried[-1]:
                        future.set_exception(BrokenProcessPool())
                    else:
                        future.set_result(GradingOutcome({**unread(own.submission, 0, ""), "status": "graded"}))
            future = self.held[-1][0]
            if len(tried) > 1:
                self.held.clear()
            return future

    cohort = Cohort(tmp_path / "out", GradingSettings(seed=0), Together, in_flight=3)
    found = {one.student: r["status"] for one, r, _ in cohort.grade(handed_in(tmp_path / "in", STUDENTS[:3]))}
    assert found == {"student 0": "graded", "student 1": "graded", "student 2": "not_judged"}
    assert tried == [
        ["student 0", "student 1", "student 2"],
        ["student 0", "student 1", "student 2"],
        ["student 2"],
    ]


@pytest.mark.parametrize(("at_once", "times"), [(2, 2), (1, 1)])
def test_too_much_time_counts_only_alone(tmp_path: Path, workers: type[Workers], at_once: int, times: int) -> None:
    """What took too much time beside others is graded again, when they are done, and then that counts."""
    workers.late = {"student 3": 2}
    assert run(tmp_path, workers, STUDENTS, at_once=at_once) == dict.fromkeys(STUDENTS, ("graded", True))
    assert workers.seen.count("student 3") == times
    assert times == 1 or workers.seen[-1] == "student 3"
    assert len(workers.seen) == len(STUDENTS) + times - 1


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("at_once", [1, 2])
def test_ended_by_the_system(tmp_path: Path, workers: type[Workers], at_once: int, times: int) -> None:
    """A submission whose process the system has ended is graded again, alone and once, when the others are done."""
    workers.ended["student 3"] = times
    assert run(tmp_path, workers, STUDENTS, at_once=at_once) == dict.fromkeys(STUDENTS, ("graded", True))
    assert workers.seen.count("student 3") == 2 and workers.seen[-1] == "student 3"
    assert len(workers.seen) == len(STUDENTS) + 1


def test_nothing_is_beside_the_only_one(tmp_path: Path, workers: type[Workers]) -> None:
    """A submission that had the machine to itself is not graded twice."""
    workers.late = {"ada": 1}
    assert run(tmp_path, workers, ["ada"], at_once=2) == {"ada": ("graded", True)}
    assert workers.seen == ["ada"]


def test_not_judged_is_tried_again(tmp_path: Path, workers: type[Workers]) -> None:
    """What the grader itself failed at is graded anew by the next run: it may be mended."""
    (one,) = handed_in(tmp_path / "in", ["ada"])
    record = {**not_judged(one, 0, "a fault"), "source_sha256": hashlib.sha256(b"ada").hexdigest()}
    result_files.write(result_files.path_of(tmp_path / "out", one), record)
    assert run(tmp_path, workers, ["ada"]) == {"ada": ("graded", True)}
    assert workers.seen == ["ada"]


def test_few_are_held_at_once(tmp_path: Path) -> None:
    """However large the class, only so many submissions are in memory."""
    futures: list[Future] = []
    held: list[int] = []  # at each submission, with it; counted in one thread, so that nothing is missed

    class Slow(ThreadPoolExecutor):
        def submit(self, function, task: Task) -> Future:
            def graded() -> GradingOutcome:
                time.sleep(0.005)
                return GradingOutcome({**unread(task.submission, 0, ""), "status": "graded"})

            futures.append(super().submit(graded))
            held.append(1 + sum(not one.done() for one in futures[:-1]))
            return futures[-1]

    cohort = Cohort(tmp_path / "out", GradingSettings(seed=0), Slow, in_flight=5)
    assert sum(1 for _ in cohort.grade(handed_in(tmp_path / "in", [f"s{n}" for n in range(200)]))) == 200
    assert max(held) <= 5


def test_unreadable_needs_no_worker(tmp_path: Path, workers: type[Workers]) -> None:
    """What cannot be read is malformed, without a worker being asked."""
    (one,) = handed_in(tmp_path / "in", ["ada"])
    one.path.unlink()
    one.path.symlink_to("/etc/passwd")
    cohort = Cohort(tmp_path / "out", GradingSettings(seed=0), workers)
    ((_, record, now),) = cohort.grade([one])
    assert record["status"] == "malformed" and record["score"] is None and now
    assert list(cohort.grade([one])) == [(one, record, False)] and workers.seen == []


def test_result_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that is cut off leaves the old result; temporary files are no results."""
    path = tmp_path / "results" / "ada" / "x.json"
    result_files.write(path, {"schema": 1, "student": "ada", "score": 1})
    before = path.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("power cut")))
    with pytest.raises(OSError, match="power cut"):
        result_files.write(path, {"schema": 1, "student": "ada", "score": 2})
    assert path.read_bytes() == before
    (path.parent / ".x.json.123.tmp").write_bytes(b"{")
    (path.parent / "y.json").write_text('{"schema": 99}')
    assert [record["score"] for record in result_files.read_all(tmp_path)] == [1]


def test_odd_names_are_written(tmp_path: Path) -> None:
    """Names of any script, and what cannot be encoded, end up in a result that can be read."""
    record = {"schema": 1, "student": "Żółć, 'O\"=Брат", "message": "half a pair \ud800"}
    result_files.write(tmp_path / "results" / "a" / "b.json", record)
    (read,) = result_files.read_all(tmp_path)
    assert read["student"] == record["student"] and "half a pair" in json.dumps(read)


def test_long_names(tmp_path: Path, workers: type[Workers]) -> None:
    """A folder's name whose bytes are no text is longer once it can be shown: each still has a result of its own."""
    (one,) = handed_in(tmp_path / "in", ["ada"])
    students = [replace(one, student="\\xff" * 200 + end) for end in ("a", "b")]
    list(Cohort(tmp_path / "out", GradingSettings(seed=0), workers).grade(students))
    found = [record["student"] for record in result_files.read_all(tmp_path / "out")]
    assert sorted(found) == [two.student for two in students]


def test_another_version(tmp_path: Path) -> None:
    """A worker on another machine that has another version of the course grades nothing."""
    (one,) = handed_in(tmp_path, ["ada"])
    with pytest.raises(tasks.OtherCourse, match=r"fingerprint \w{32}, the one here other"):
        tasks.run(Task(one, b"", GradingSettings(seed=0, course="other")))


def test_content_is_graded(tmp_path: Path, workers: type[Workers]) -> None:
    """The bytes that were read are what is graded: the file is not looked at again."""
    contents = []

    class Look(workers):
        def submit(self, function, task: Task) -> Future:
            contents.append(task.content)
            return super().submit(function, task)

    (one,) = handed_in(tmp_path / "in", ["ada"])
    one.path.write_bytes(filled(FIRST))
    list(Cohort(tmp_path / "out", GradingSettings(seed=0), Look).grade([one]))
    assert contents == [filled(FIRST)]
