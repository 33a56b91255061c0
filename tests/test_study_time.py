"""How long a notebook takes is counted as the tool says, and what readers are told is what was counted."""

from __future__ import annotations

import nbformat
import pytest

from course_attention.active_course.route import in_core
from course_attention.exercises import CATALOGUE
from course_attention.practice import PRACTICE
from course_attention.topics import TOPICS, Topic
from tools import study_time
from tools.notebooks import FOLDER
from tools.study_time import Counted


def cell(kind: str, source: str, **metadata: object) -> dict:
    return {"cell_type": kind, "source": source, "metadata": metadata}


def test_what_counts() -> None:
    """Words of the text, predictions, lines in view and the minutes of tasks; a task's own lines do not."""
    cells = [
        cell("markdown", "# Four words of text\n\n$$\na + b\n$$"),
        cell("code", "guess = predict('?')\n\nshow(guess)"),
        cell("code", "plot()\nplot()", jupyter={"source_hidden": True}),
        cell("code", "def softmax(x):\n    ...", nbgrader={"grade_id": "softmax", "solution": True}),
        cell("code", "def entropy(weights):\n    ...", practice="entropy"),
    ]
    found = study_time.counted(cells)
    minutes = CATALOGUE["softmax"].exercise.minutes + PRACTICE["entropy"].minutes
    assert found == Counted(words=5, predictions=1, lines=2, task_minutes=minutes)
    assert found.minutes == pytest.approx(5 / 180 + 1.5 + 0.4 + minutes)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0, "5 minutes"),
        (31, "half an hour"),
        (44, "45 minutes"),
        (57, "55 minutes"),
        (58, "an hour"),
        (74, "an hour"),
        (76, "an hour and a half"),
        (200, "three and a half hours"),
    ],
)
def test_rounded(minutes: int, words: str) -> None:
    """Below an hour a time is told to the next five minutes, above it to the next half hour; no notebook takes none."""
    assert study_time.in_words(Counted(0, 0, 0, minutes).rounded) == words


def test_opening_is_written_once() -> None:
    """The time comes above the badge, and takes the place of an older one."""
    hour, more = Counted(0, 0, 0, 60), Counted(0, 0, 0, 150)
    first = study_time.opening("# 00\n\nText.\n\n[![Open in Colab](a)](b)", study_time.said(hour, hour))
    assert first == "# 00\n\nText.\n\n**Time:** about an hour.\n\n[![Open in Colab](a)](b)"
    second = study_time.opening(first, study_time.said(more, hour))
    assert second.count("**Time:**") == 1
    assert (
        "about two and a half hours. The core, without the sections headed “Deeper”, takes about an hour.\n" in second
    )
    with pytest.raises(ValueError, match="has a badge"):
        study_time.opening("# 00", "")


def test_core_of_about_the_same_time() -> None:
    """A core is told apart where it is shorter by ten minutes, and is said in other words."""

    def said(whole: int, core: int) -> str:
        return study_time.said(Counted(0, 0, 0, whole), Counted(0, 0, 0, core))

    assert said(50, 42) == "**Time:** about 50 minutes."
    assert said(88, 77) == "**Time:** about an hour and a half."
    assert said(50, 40).endswith("takes about 40 minutes.")


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_readers_are_told(topic: Topic) -> None:
    """Title and README say the time that is counted today (`python tools/study_time.py` writes both)."""
    cells = nbformat.read(FOLDER / f"{topic.notebook}.ipynb", as_version=4)["cells"]
    whole, core = study_time.counted(cells), study_time.counted(in_core(cells))
    assert f"{study_time.said(whole, core)}\n" in cells[0]["source"]
    readme = study_time.README.read_text(encoding="utf-8").splitlines()
    (row,) = (line for line in readme if f"(notebooks/{topic.notebook}.ipynb) |" in line)
    assert row.endswith(f"| {whole.minutes / 60:.1f} | {core.minutes / 60:.1f} |")
