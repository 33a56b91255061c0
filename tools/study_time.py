"""Counts how long each notebook takes, and writes it where readers look before they begin.

    python tools/study_time.py            write it under each notebook's title and into the README
    python tools/study_time.py --table    only print what was counted

A reader needs a minute for 180 words, a minute and a half for a prediction, two minutes for ten lines of code that are
in view, and for each task the minutes that its author gives it. The lines of a task do not count twice. The core is
counted in the same way, without the sections headed "Deeper".
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to count this copy, also where another is installed

from course_attention.active_course.route import asked_in, in_core
from course_attention.exercises import CATALOGUE
from course_attention.practice import PRACTICE
from course_attention.topics import TOPICS
from tools.notebooks import FOLDER, written

README = FOLDER.parent / "README.md"
WORDS_A_MINUTE = 180
MINUTES_A_PREDICTION = 1.5
MINUTES_A_LINE = 0.2
MINUTES_AN_HOUR = 60
TOLD_APART = 10  # a core that is shorter by fewer minutes is not worth a sentence
SHORT = {30: "half an hour", 60: "an hour", 90: "an hour and a half"}
NUMBERS = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
BADGE = "[![Open in Colab]"
TIME = re.compile(r"\*\*Time:\*\* [^\n]*\n\n")  # what this program writes; it does not count itself
START, END = "<!-- study time: tools/study_time.py writes this table -->\n", "<!-- end of the table -->\n"


@dataclass(frozen=True)
class Counted:
    """What a notebook asks of its reader.

    Attributes:
        words: of its text, without formulas, code and addresses.
        predictions: questions that are asked before the answer is shown.
        lines: of code in view, without the cells of tasks.
        task_minutes: of its exercises and its practice.
    """

    words: int
    predictions: int
    lines: int
    task_minutes: int

    @property
    def minutes(self) -> float:
        """The time that all of it takes."""
        reading = self.words / WORDS_A_MINUTE + self.lines * MINUTES_A_LINE
        return reading + self.predictions * MINUTES_A_PREDICTION + self.task_minutes

    @property
    def rounded(self) -> int:
        """The same to the next five minutes below an hour, and to the next half hour above it."""
        to_fives = max(5, 5 * round(self.minutes / 5))
        return to_fives if to_fives < MINUTES_AN_HOUR else 30 * round(self.minutes / 30)


def counted(cells: Sequence[Mapping[str, Any]]) -> Counted:
    """Count a notebook, or a part of one.

    Args:
        cells: as nbformat has them.
    """
    text = TIME.sub("", "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown"))
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    asked = asked_in(cells)
    shown = [
        cell["source"]
        for cell in code
        if not cell["metadata"].get("jupyter", {}).get("source_hidden")
        and not {"nbgrader", "practice"}.intersection(cell["metadata"])
    ]
    return Counted(
        words=words(text),
        predictions=sum(len(re.findall(r"\bpredict\(", cell["source"])) for cell in code),
        lines=sum(bool(line.strip()) for source in shown for line in source.splitlines()),
        task_minutes=sum((CATALOGUE[name].exercise if name in CATALOGUE else PRACTICE[name]).minutes for name in asked),
    )


def words(text: str) -> int:
    """Count the words of a text in Markdown; a formula or a piece of code counts as one.

    Example:
        >>> words("See [the *paper*](https://example.org/a-b), where $a + b = c$ and `x = 1`.")
        7
    """
    text = re.sub(r"```.*?```|\$\$.*?\$\$", " formula ", text, flags=re.DOTALL)
    text = re.sub(r"\$[^$]+\$|`[^`]+`", " formula ", text)
    text = re.sub(r"\]\([^)]*\)|</?\w[^<>]*>", "] ", text)
    return len(re.findall(r"[^\W_]+(?:[-’'.,][^\W_]+)*", text))


def in_words(minutes: int) -> str:
    """Say a time: in minutes below an hour, from there on in hours, to the half.

    Example:
        >>> in_words(30), in_words(45), in_words(60)
        ('half an hour', '45 minutes', 'an hour')
        >>> in_words(90), in_words(180), in_words(270)
        ('an hour and a half', 'three hours', 'four and a half hours')
    """
    if minutes in SHORT:
        return SHORT[minutes]
    if minutes < MINUTES_AN_HOUR:
        return f"{minutes} minutes"
    hours, rest = divmod(minutes, MINUTES_AN_HOUR)
    return f"{NUMBERS[hours]}{' and a half' if rest else ''} hours"


def said(whole: Counted, core: Counted) -> str:
    """Return the line that tells how long a notebook takes, and its core where that is clearly shorter.

    Example:
        >>> notebook = Counted(words=0, predictions=0, lines=0, task_minutes=44)
        >>> said(notebook, notebook)
        '**Time:** about 45 minutes.'
    """
    line = f"**Time:** about {in_words(whole.rounded)}."
    if core.rounded == whole.rounded or whole.minutes - core.minutes < TOLD_APART:
        return line
    return f"{line} The core, without the sections headed “Deeper”, takes about {in_words(core.rounded)}."


def opening(source: str, time: str) -> str:
    """Return the first cell of a notebook with its time above the badge.

    Raises:
        ValueError: the cell has no badge.
    """
    if BADGE not in source:
        raise ValueError(f"the first text of a notebook has a badge, {BADGE}…; here there is none:\n{source}")
    text, badge = source.split(BADGE, 1)
    return f"{TIME.sub('', text)}{time}\n\n{BADGE}{badge}"


def table(rows: Sequence[tuple[str, str, Counted, Counted]]) -> str:
    """Return the README's table.

    Args:
        rows: the stem and the question of each notebook, and what was counted in it and in its core.
    """
    lines = [
        f"| [{stem}](notebooks/{stem}.ipynb) | {question} | {whole.minutes / 60:.1f} | {core.minutes / 60:.1f} |\n"
        for stem, question, whole, core in rows
    ]
    hours, core_hours = (sum(row[i].minutes for row in rows) / 60 for i in (2, 3))
    total = f"| together | | {hours:.0f} | {core_hours:.0f} |\n"
    return "".join(["| notebook | its question | hours | hours of its core |\n", "|---|---|---|---|\n", *lines, total])


def main(arguments: Sequence[str]) -> int:
    """Count all notebooks, and write or print."""
    rows = []
    for topic in TOPICS:
        path = FOLDER / f"{topic.notebook}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        found, core = counted(notebook["cells"]), counted(in_core(notebook["cells"]))
        if "--table" in arguments:
            print(f"{topic.notebook:<26}{found.words:>6} words{found.predictions:>4} predictions", end="")
            print(
                f"{found.lines:>6} lines{found.task_minutes:>5} minutes of tasks{found.minutes / 60:>7.1f} hours",
                end="",
            )
            print(f"{core.minutes / 60:>7.1f} hours of its core")
            continue
        first = next(cell for cell in notebook["cells"] if cell["cell_type"] == "markdown")
        first["source"] = opening(first["source"], said(found, core))
        path.write_text(written(notebook), encoding="utf-8", newline="\n")
        question = re.search(r"^\*\*(.+?)\*\*$", first["source"], re.MULTILINE)
        assert question is not None, f"{topic.notebook} opens with a question in bold"
        rows.append((topic.notebook, question[1], found, core))
    if rows:
        before, rest = README.read_text(encoding="utf-8").split(START)
        README.write_text(f"{before}{START}{table(rows)}{END}{rest.split(END)[1]}", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
