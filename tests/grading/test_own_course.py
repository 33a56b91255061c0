"""A class is graded in a course of one's own: its points, its exercises, and the wall around its author's files."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from course_attention.active_course import Course
from course_attention.grading.sandbox import bubblewrap
from tests.active_course.courses import course, exercise, notebook, printed, run
from tests.grading.conftest import needs_bubblewrap

GRADE = """
import json, sys
from pathlib import Path
from course_attention.course.answer_key import solved
from course_attention.course.filling import as_bytes, fill
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.sandbox import Sandbox
records = []
with Sandbox() as sandbox:
    for stem, answers in json.loads(sys.argv[1]):
        notebook = solved(stem)
        fill(notebook, answers)
        submission = Submission.made_here("ada", stem)
        records.append(Grader(sandbox, 1).grade(submission, as_bytes(notebook)))
print(json.dumps(records))
"""
# Each head's own term, by the whole layer with the other heads' rows of w_out at 0.
WITH_THE_LAYER = """\
def head_outputs(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    rows, terms = len(w_out) // n_heads, []
    for head in range(n_heads):
        own = torch.zeros_like(w_out)
        own[head * rows : (head + 1) * rows] = w_out[head * rows : (head + 1) * rows]
        terms.append(multi_head_attention(x, w_query, w_key, w_value, own, n_heads, allowed)[0])
    return torch.stack(terms, dim=-3)
"""
FINDS_THE_FILE = """\
import pathlib
found = [str(path) for root in {roots} for path in pathlib.Path(root).rglob("*secret_name*")]
if found:
    raise ValueError(f"found {{found}}")
"""
SOLUTION = """\
def opening(x, width):
    parts = np.lib.stride_tricks.sliding_window_view(x, width, axis=-1)
    return parts.mean(axis=-1)
"""

pytestmark = needs_bubblewrap


def graded(own: Path, *submissions: tuple[str, dict[str, str]]) -> list[dict]:
    """Give the results of solved notebooks in which some answers are others, all from one sandbox."""
    done = run("-c", GRADE, json.dumps(submissions), of=own)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def entries(record: dict) -> dict[str, dict]:
    return {entry["name"]: entry for entry in record["exercises"]}


def test_left_out_helper_builds_on_answers(tmp_path: Path) -> None:
    """The helper of what is left out is free, and uses the student's own answers where these passed."""
    own = course(tmp_path / "c", 'leave_out = ["multi_head_attention"]\n[points]\nhead_outputs = 5')
    (record,) = graded(own, ("04_multi_head_attention", {"head_outputs": WITH_THE_LAYER}))
    assert "multi_head_attention" not in entries(record)
    assert {entry["status"] for entry in record["exercises"]} == {"passed"}, record["exercises"]
    assert (entries(record)["head_outputs"]["points"], record["score"]) == (5, record["max_score"])


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a course from nothing: a notebook asks two exercises, a second a third, and the last refuses a shortcut."""
    files = {f"secret_name_{name}": exercise(name) for name in ("opening", "closing", "later")}
    files["mine"] = exercise("mine").replace(
        'library="numpy",', 'library="numpy",\n        ready_made=("numpy.convolve",),'
    )
    notebooks = {"01_a": notebook("opening", "closing"), "02_b": notebook("later"), "03_c": notebook("mine")}
    settings = 'title = "Own"\nnotebooks = ["01_a", "02_b", "03_c"]'
    return course(tmp_path_factory.mktemp("own") / "c", settings, notebooks, files)


USES_AN_EARLIER_ONE = "from course_attention import opening as later"
READY_MADE = "import numpy as np\ndef mine(x, width):\n    return np.convolve(x, np.ones(width) / width, 'valid')"


def ways_to_the_solution(own: Path) -> list[str]:
    return [
        "from course_attention import opening",
        "from course_attention import closing\ndef opening(x, width):\n    return closing(x, width)",
        "from course_attention import later\nopening = later",
        "import course_attention.mechanisms.own_secret_name_opening as m\nopening = m.opening",
        "import own_exercises.secret_name_opening as m\nopening = m.opening",
        "from course_attention.active_course import choose\nimport pathlib\n"
        f"choose(pathlib.Path({str(own)!r}))\nfrom course_attention import opening",
    ]


@pytest.fixture(scope="module")
def results(own: Path) -> dict[str, list[dict]]:
    """Give the results of the submissions below: one sandbox runs them all, for each takes seconds to start."""
    roots = ["/tmp", "/course", "/usr/local", "/home", "/root", "/work", str(own)]
    handed_in = {
        "solved": [("01_a", {}), ("02_b", {"later": USES_AN_EARLIER_ONE})],
        "solution": [("01_a", {"opening": answer}) for answer in ways_to_the_solution(own)],
        "files": [("01_a", {"opening": FINDS_THE_FILE.format(roots=roots) + SOLUTION})],
        "ready-made": [("03_c", {"mine": READY_MADE})],
    }
    records = iter(graded(own, *itertools.chain.from_iterable(handed_in.values())))
    return {name: [next(records) for _ in submissions] for name, submissions in handed_in.items()}


def test_solved(results: dict[str, list[dict]]) -> None:
    """The reference solutions earn every point, and an earlier notebook's are free in a later one."""
    one, other = results["solved"]
    assert one["score"] == 4 and other["score"] == 2, (one, other)


def test_solution_is_withheld(own: Path, results: dict[str, list[dict]]) -> None:
    """No answer gets at the reference solution of its exercise, or of one that is asked later."""
    for answer, record in zip(ways_to_the_solution(own), results["solution"], strict=True):
        opening = entries(record)["opening"]
        assert opening["status"] in ("forbidden", "errored", "crashed"), (answer, opening)
        assert opening["score"] == 0


def test_files_are_invisible(results: dict[str, list[dict]]) -> None:
    """A submission that walks the file system finds no file of the author's."""
    (record,) = results["files"]
    assert entries(record)["opening"]["status"] == "passed", entries(record)["opening"]["message"]


def test_ready_made_is_refused(results: dict[str, list[dict]]) -> None:
    """What the author names as ready-made is refused."""
    (record,) = results["ready-made"]
    mine = entries(record)["mine"]
    assert (mine["status"], mine["score"]) == ("forbidden", 0), mine


def test_folder_among_what_is_shown_is_hidden(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A course that lies among the files that a submission may read is covered there, wherever it is seen."""
    at = tmp_path / "library" / "courses" / "mine"
    monkeypatch.setattr(bubblewrap, "active", lambda: Course(at))
    hidden = bubblewrap._of_author({tmp_path / "library": Path("/course/library")})
    assert hidden == [Path("/course/library/courses/mine")]
    monkeypatch.setattr(bubblewrap, "active", lambda: Course(Path("/usr/share/mine")))
    assert bubblewrap._of_author({}) == [Path("/usr/share/mine")]
    monkeypatch.setattr(bubblewrap, "active", lambda: Course(tmp_path / "elsewhere"))
    assert bubblewrap._of_author({tmp_path / "library": tmp_path}) == []


@pytest.mark.journey
def test_command(own: Path, tmp_path: Path) -> None:
    """`answer-key` and `grade` with --course: the whole class, by its own points, with nothing of the package's."""
    command = ("-m", "course_attention.cli")
    key = run(*command, "answer-key", "--course", own, tmp_path / "in" / "ada")
    assert key.returncode == 0, key.stderr
    out = tmp_path / "out"
    done = run(*command, "grade", tmp_path / "in", "--course", own, "--out", out, "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert "3 submissions, 3 of them graded now: 3 graded" in done.stdout
    grades = (out / "grades.csv").read_text(encoding="utf-8")
    assert "01_a" in grades and "softmax" not in grades
    with (own / "course.toml").open("a", encoding="utf-8") as settings:
        settings.write("\n[drop]\nlowest = 1\n")
    assert run(*command, "report", out).returncode == 0  # the results know their course
    assert "dropped" in (out / "grades.csv").read_text(encoding="utf-8")


def test_fingerprints(tmp_path: Path) -> None:
    """A mark is current while the files stay that decided it: those of its own exercise, and parts of them."""
    ask = (
        "from course_attention.grading.run.results.fingerprint import of_exercise as f\n"
        "print(f('opening'), f('softmax'))"
    )
    notebooks, files = (
        {"13_a": notebook("opening", "closing")},
        {name: exercise(name) for name in ("opening", "closing")},
    )
    own = course(tmp_path / "c", "", notebooks, files)
    before, softmax = printed(ask, of=own).split()
    (own / "exercises" / "closing.py").write_text(exercise("closing") + "# more\n", encoding="utf-8")
    assert printed(ask, of=own).split() == [before, softmax]
    (own / "exercises" / "opening.py").write_text(exercise("opening") + "# more\n", encoding="utf-8")
    changed, same = printed(ask, of=own).split()
    assert changed != before and same == softmax
    (own / "course.toml").write_text("partial_credit = false", encoding="utf-8")
    assert softmax not in printed(ask, of=own)


def test_made_up_class(own: Path, tmp_path: Path) -> None:
    """A made-up class answers an author's exercises rightly: nothing wrong is known of them."""
    made = run("-m", "course_attention.cli", "simulate-class", "--course", own, tmp_path / "class", "--students", "3")
    assert made.returncode == 0, made.stderr
    answers = json.loads((tmp_path / "class" / "truth.json").read_text(encoding="utf-8"))
    assert "passed" in json.dumps(answers) and "failed" not in json.dumps(answers)
