"""Shows an answer of the corpus: `python -m tests.corpus softmax wrong__axis_ignored__1` prints it and its verdict.

With an exercise alone it lists the answers to that exercise. Many are stored as changes of others; here they are whole.
"""

from __future__ import annotations

import argparse
import os
import sys
from difflib import get_close_matches

from pygments import highlight
from pygments.formatters import TerminalFormatter
from pygments.lexers import PythonLexer

from course_attention.answer_corpus.answer_value import value_of
from course_attention.answer_corpus.corpus import answers
from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.exercises import CATALOGUE
from course_attention.grading.policy.forbidden import found_in
from course_attention.judging.verdict import Verdict
from course_attention.lesson.naming import NoSuchExercise, task_named
from course_attention.practice import PRACTICE
from course_attention.practice.judge import judge
from course_attention.presentation.card import verdict_card
from tests.answer_objects import practised_answers
from tests.practice.notebook_names import notebook_names


def shown(answer: Answer, seed: int, in_colour: bool) -> str:
    """Return what is known of an answer, its code as it stands in a student's cell, and the card that it gets."""
    code = f"{answer.cell}\n"
    card = verdict_card(verdict_on(answer, seed))
    forbidden = found_in(answer.exercise, answer.cell) if answer.exercise in CATALOGUE else ""
    return "\n".join(
        [
            *(f"# {line}".rstrip() for line in (answer.label, *answer.note.splitlines())),
            "",
            highlight(code, PythonLexer(), TerminalFormatter()) if in_colour else code,
            *([f"The grader refuses this answer: it uses {forbidden}.", ""] if forbidden else []),
            f"At seed {seed} the judge says:",
            "",
            str(card),
        ]
    )


def verdict_on(answer: Answer, seed: int) -> Verdict:
    """Judge an answer to an exercise or to practice."""
    if answer.exercise in CATALOGUE:
        return CATALOGUE[answer.exercise].judge(value_of(answer), seed)
    task = PRACTICE[answer.exercise]
    return judge(task, value_of(answer), seed, "cpu", notebook_names(task))


def known(name: str) -> tuple[Answer, ...]:
    """Return all answers to an exercise or to practice."""
    return answers(name) if name in CATALOGUE else practised_answers(name)


def listed(exercise: str) -> str:
    """Return a line for each answer to an exercise: its name, and the first line of the note about it."""
    found = known(exercise)
    width = max(len(answer.label) for answer in found)
    lines = (f"{one.label:{width}}  {one.note.partition(chr(10))[0]}".rstrip() for one in found)
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """Print what the command line asks for.

    Raises:
        SystemExit: it asks for an exercise or an answer that is not there.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tests.corpus", description="Show an answer of the corpus and the verdict on it."
    )
    parser.add_argument("exercise", help="its name, or that of practice, such as softmax")
    parser.add_argument("answer", nargs="?", help="its name in the exercise's file; without it, list them all")
    parser.add_argument("--seed", type=int, default=0, help="from which the judge draws its cases (default: 0)")
    asked = parser.parse_args(arguments)
    try:
        by_label = {answer.label: answer for answer in known(task_named(asked.exercise, parser.prog))}
    except NoSuchExercise as error:
        parser.error(str(error))
    if asked.answer is None:
        print(listed(asked.exercise))
    elif asked.answer not in by_label:
        near = get_close_matches(asked.answer, by_label)
        lists = f"`{parser.prog} {asked.exercise}` lists those that there are"
        instead = f"did you mean {' or '.join(near)}?" if near else lists
        parser.error(f"{asked.exercise} has no answer named {asked.answer!r}; {instead}")
    else:
        in_colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        print(shown(by_label[asked.answer], asked.seed, in_colour))


if __name__ == "__main__":
    main()
