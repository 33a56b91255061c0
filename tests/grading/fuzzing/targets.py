"""What the fuzzer tries: each part of the judge's own side, with what must hold whatever comes.

A target is given a `Random`, and returns the input, to be called when it is to be shown, and a check of that input.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import course_attention
from course_attention.course import helper_source
from course_attention.course.cell_source import facts
from course_attention.course.cells import course_notebook
from course_attention.course.workspace import course_notebooks
from course_attention.execution.local import LocalRunner
from course_attention.exercises import CATALOGUE
from course_attention.grading.policy import introspection
from course_attention.grading.policy.copied import same_source
from course_attention.grading.policy.forbidden import found_in
from course_attention.grading.reading.limited import Reader
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.reading.submitted_notebook import Added, Reading
from course_attention.grading.run.results import result_files
from course_attention.grading.run.results.submission_record import STATUSES, graded
from course_attention.grading.run.results.verdict_record import LOST
from course_attention.grading.run.submission.submission_run import SubmissionRun
from course_attention.grading.sandbox.channel import Channel, ChannelClosed, Refused, TooLate
from course_attention.grading.sandbox.limits import Limits
from course_attention.grading.sandbox.messages import call_from_plain, outcome_from_plain, outcome_to_plain
from course_attention.grading.sandbox.session import Lost
from course_attention.grading.views import write_all
from tests.grading.fuzzing import mutation

STEMS = ("00_start_here", "02_queries_keys_values", "04_multi_head_attention")
EXERCISE_STATUSES = {"passed", "failed", "errored", "not_attempted", "forbidden", *LOST}


@cache
def real_notebook(stem: str) -> bytes:
    """Give a notebook of the course with the right answers, without its pictures."""
    path = next(path for path in course_notebooks() if path.stem == stem)
    notebook = json.loads(path.read_bytes())
    for cell in notebook["cells"]:
        nbgrader = cell["metadata"].get("nbgrader", {})
        if nbgrader.get("solution"):
            cell["source"] = helper_source.own_source(nbgrader["grade_id"])
        if "outputs" in cell:
            cell["outputs"] = cell["outputs"][:1] if len(str(cell["outputs"])) < 2_000 else []
    return json.dumps(notebook).encode()


_reader = Reader()


def read_notebook(rng: Random) -> tuple[Callable[[], bytes], Callable[[], None]]:
    """Try the reader: any bytes are read, or malformed with a reason."""
    stem = rng.choice(STEMS)
    content = mutation.notebook(real_notebook(stem), rng)

    def check() -> None:
        reading = _reader.read(content, stem)
        assert reading.malformed != "the file cannot be read as a notebook", "an exception was caught"
        assert "ended before" not in reading.malformed, reading.malformed
        if len(content) < 20_000_000:  # a larger file may meet a limit, and is told so
            assert "takes more than" not in reading.malformed, reading.malformed
        assert all(len(note) < 500 for note in (*reading.notes, reading.malformed)), "a long note"
        assert sum(map(len, reading.answers.values())) < 2_000_000

    return lambda: content, check


def check_source(rng: Random) -> tuple[Callable[[], bytes], Callable[[], None]]:
    """Try the checks of an answer's source: what it defines, whether it is forbidden or copied."""
    name = rng.choice(list(CATALOGUE))
    helper = helper_source.own_source(name)
    answer, *added = (mutation.source(helper, rng) for _ in range(rng.choice([1, 2, 4])))
    if rng.random() < 0.5:  # else most are not looked into
        answer += "\n# softmax scaled_dot_product_attention course_attention"

    def check() -> None:
        found = facts(answer)
        assert found.runs or found.problem
        assert isinstance(found_in(name, answer, added), str)
        assert same_source(answer, helper) in (True, False)
        assert isinstance(introspection.named_in(answer), str)

    return lambda: json.dumps([name, answer, *added]).encode(), check


@cache
def _answer(name: str) -> Any:
    return getattr(course_attention, name)


@cache
def _outcome(name: str) -> Any:
    """Give the outcome of a right answer in its first case, as a worker sends it."""
    from course_attention.judging.drawn_cases import drawn_cases

    exercise = CATALOGUE[name].exercise
    call = drawn_cases(exercise, 0)[0].case.call("cpu")
    return outcome_to_plain(LocalRunner(_answer(name), exercise.library).observe(call))


def receive_message(rng: Random) -> tuple[Callable[[], bytes], Callable[[], None]]:
    """Try the channel: any bytes are a message, or refused."""
    here, there = socket.socketpair()
    with here, there:
        here.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**21)
        Channel(here).send({"outcome": _outcome(rng.choice(["softmax", "attention"])), "used": []})
        frame = there.recv(2**20)
    text, body = (
        frame[8 : 8 + struct.unpack("!I", frame[:4])[0]],
        frame[8 + struct.unpack("!I", frame[:4])[0] :],
    )
    text = mutation.changed_bytes(text, rng) if rng.random() < 0.8 else rng.choice([b"[", b"{}", b"[],"]) * 10**6
    lengths = rng.choice([(len(text), len(body))] * 8 + [(2**32 - 1, 0), (len(text), 2**31), (len(text) // 2, 5)])
    content = struct.pack("!II", *lengths) + text + body

    def check() -> None:
        with tempfile.TemporaryFile() as file:  # what a socket would hold back is waited for by nobody
            file.write(content)
            file.seek(0)
            with contextlib.suppress(Refused, ChannelClosed, TooLate, ValueError):
                message = Channel(_FileSocket(file)).receive(seconds=5.0)
                outcome_from_plain(message.get("outcome") if isinstance(message, dict) else message)

    return lambda: content, check


class _FileSocket:
    """A file in the place of a socket."""

    def __init__(self, file: Any) -> None:
        self.recv, self.close = file.read, file.close

    def settimeout(self, seconds: float | None) -> None: ...


class _ForgingSession:
    """A worker's replies to the judge, some of them forged. It stands in the place of a session and its sandbox."""

    limits = Limits(seconds=60.0)
    device = "cpu"
    limited_by = "counting"

    def __init__(self, rng: Random) -> None:
        self._rng, self._share = rng, rng.choice([0.02, 0.3, 1.0])
        self.said: list[Any] = []

    def open(self, *_: object) -> _ForgingSession:
        return self

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        reply = self._reply(message)
        if self._rng.random() < self._share:
            reply = mutation.changed_data(reply, self._rng)
            self.said.append(reply)
            if not isinstance(reply, dict):
                raise Lost("crashed", "what it sent is not a reply")
        return reply

    def _reply(self, message: Mapping[str, Any]) -> Any:
        if message["do"] == "describe":
            kind = CATALOGUE[message["name"]].exercise.kind
            number = {"number": 1.0} if kind == "value" else {"shape": [2, 3]}
            return {
                "kind": {"module": "class", "value": "number"}.get(kind, "function"),
                "type": "T",
                **number,
            }
        if message["do"] == "call":
            runner = LocalRunner(_answer(message["name"]), message["library"])
            return {"outcome": outcome_to_plain(runner.observe(call_from_plain(message["call"]))), "used": []}
        return {"error": None}

    def close(self) -> None: ...

    def __enter__(self) -> _ForgingSession:
        return self

    def __exit__(self, *_: object) -> None: ...


def judge_submission(rng: Random) -> tuple[Callable[[], bytes], Callable[[], None]]:
    """Judge, result writer and views: whatever a worker sends, each exercise has a status, in a file that is small."""
    stem = rng.choice(STEMS)
    notebook = course_notebook(stem)
    answered = rng.sample(notebook.exercises, k=min(2, len(notebook.exercises)))
    sources = {name: helper_source.own_source(name) for name in answered}
    added = Added(mutation.source("x = 1", rng), notebook.cells[0].id)
    session = _ForgingSession(rng)
    name = mutation.changed_text("Ada", rng, longest=50).replace("/", "").replace("\0", "").strip(".") or "Ada"
    student = name.encode("utf-8", "backslashreplace").decode()[:60]

    def check() -> None:
        run = SubmissionRun(session, notebook, Reading(sources, (added,), (), "", ""), rng.randrange(3))
        run.to_the_end()
        assert list(run.entries) and set(run.entries) == set(notebook.exercises)
        assert {entry["status"] for entry in run.entries.values()} <= EXERCISE_STATUSES
        assert all(0.0 <= entry["score"] <= 1.0 for entry in run.entries.values())
        submission = Submission.made_here(student, stem)
        entries = [run.entries[name] for name in notebook.exercises]
        record = graded(submission, 0, "", entries, run.notes, 0.0)
        assert record["status"] in STATUSES
        with tempfile.TemporaryDirectory() as folder:
            path = result_files.path_of(Path(folder), submission)
            result_files.write(path, record)
            assert path.stat().st_size <= result_files.LARGEST
            assert result_files.read(path) is not None
            write_all(Path(folder))
            written = [one for one in Path(folder).rglob("*") if one.is_file()]
            assert all(one.stat().st_size < 4 * result_files.LARGEST for one in written)

    return lambda: repr((stem, student, session.said)).encode("utf-8", "backslashreplace"), check


TARGETS: dict[str, Callable[[Random], tuple[Callable[[], bytes], Callable[[], None]]]] = {
    "reader": read_notebook,
    "source": check_source,
    "channel": receive_message,
    "judge": judge_submission,
}
