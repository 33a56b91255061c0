"""Runs all four choices of every question that `defend` can ask, and writes docs/defend.md.

Usage: python tools/defend_questions.py [--drawn N] [NAMES]

The questions are those about the course's own answers and about right answers of tests/corpus, which are written in
other styles. Each was drawn with three seeds; here its four properties are looked at with two others. Each exercise's
result is saved when it is done, in artifacts/defend/, and a second run goes on where the first was stopped. It takes
hours on one core. With --drawn 6, it looks only at the first 6 questions that a student is asked about the course's own
answer to an exercise, which takes minutes; without it, such an exercise is measured anew.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from course_attention.exercises import CATALOGUE
from course_attention.mutants.endless_loops import ends_loops
from course_attention.mutants.questions import SEEDS, Question, Questions, can_be_asked
from course_attention.mutants.right_answer import RightAnswer
from course_attention.mutants.what_breaks import NotComparable, is_so, what_breaks
from tests.mutants.corpus_answers import right_answers

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "artifacts" / "defend"
PAGE = ROOT / "docs" / "defend.md"
OTHER_SEEDS = range(max(SEEDS) + 1, max(SEEDS) + 3)
STYLES = 2  # right answers of the corpus, beside the course's own
SECONDS = 60.0


def right_choices(right: RightAnswer, question: Question) -> list[str]:
    """Return the choices of a question that are right at every other seed, by running all four.

    A choice that is right at one of these seeds and not at another has a question mark.
    """
    answer = right.built(question.mutant.source)
    try:
        with ends_loops(SECONDS):
            held = [what_breaks(right.exercise, answer, seed) for seed in OTHER_SEEDS]
    except NotComparable:
        return ["not comparable at another seed"]
    found = {one.name if one else "nothing": [is_so(one, at) for at in held] for one in (*question.choices, None)}
    return [name if all(so) else f"{name}?" for name, so in found.items() if any(so)]


def measure(name: str, drawn: int | None) -> dict[str, Any]:
    """Look at the questions about an exercise: how many there are, and which have not exactly the right choice."""
    counts: Counter[str] = Counter()
    wrong, seen = [], set()
    for right, question in _questions(name, drawn):
        if question.mutant.source in seen:
            continue
        seen.add(question.mutant.source)
        counts[question.right.name if question.right else "nothing"] += 1
        found = right_choices(right, question)
        if found != [question.right.name if question.right else "nothing"]:
            wrong.append({"answer": right.label, "change": question.mutant.change, "found": found})
    total = sum(counts.values())
    return {"exercise": name, "questions": total, "right": dict(counts), "wrong": wrong, "drawn": drawn}


def _questions(name: str, drawn: int | None) -> Iterator[tuple[RightAnswer, Question]]:
    """Yield every question about the answers, or the first that are drawn about the course's own."""
    if drawn is None:
        for right in answers(name):
            yield from ((right, question) for question in Questions(right).every())
        return
    right = answers(name)[0]
    questions, asked = Questions(right), []
    for number in range(drawn):
        if (question := questions.draw(number, asked)) is None:
            return
        asked.append(question.mutant.change)
        yield right, question


def answers(name: str) -> list[RightAnswer]:
    """Return the course's own answer and some of the corpus, far from each other in its order."""
    *others, own = right_answers(name)
    step = max(1, len(others) // STYLES)
    return [own, *others[::step][:STYLES]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--drawn", type=int, metavar="N", help="only the first N questions about the course's own answer"
    )
    parser.add_argument("names", nargs="*", metavar="NAMES")
    options = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name in options.names or [name for name in CATALOGUE if can_be_asked(name)]:
        file = RESULTS / f"{name}.json"
        if not file.exists() or (options.drawn is None and json.loads(file.read_text()).get("drawn")):
            start = time.process_time()
            result = measure(name, options.drawn)
            file.write_text(json.dumps(result, indent=1, ensure_ascii=False))
            print(f"{name}: {result['questions']} questions, {len(result['wrong'])} wrong,", end=" ")
            print(f"{time.process_time() - start:.0f} s", flush=True)
            write_page()


def write_page() -> None:
    """Write the page from the results that are saved."""
    asked = [name for name in CATALOGUE if can_be_asked(name)]
    results = [json.loads(file.read_text()) for name in asked if (file := RESULTS / f"{name}.json").exists()]
    lines = [_HEAD]
    for one in results:
        kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(one["right"].items(), key=lambda item: -item[1]))
        good = one["questions"] - len(one["wrong"])
        which = "drawn" if one.get("drawn") else "all"
        lines.append(f"| `{one['exercise']}` | {one['questions']} | {which} | {good} | {kinds} |")
    total, wrong = sum(one["questions"] for one in results), sum(len(one["wrong"]) for one in results)
    lines.append(f"| **{len(results)} exercises** | {total:,} | | {total - wrong:,} | |")
    if left := [f"`{name}`" for name in asked if name not in {one["exercise"] for one in results}]:
        lines += [
            "",
            f"{len(left)} of the {len(asked)} exercises that can be defended are not counted yet: {', '.join(left)}.",
        ]
    PAGE.write_text("\n".join(lines) + "\n")


_HEAD = f"""# The questions of `defend`

`defend("attention")` changes one small thing in an answer that passed, and asks what it breaks: which of four
properties, or nothing. A change is drawn only where exactly one choice is right. The judge decides that at
{len(SEEDS)} seeds when the question is drawn. This page counts questions for each exercise, and how many of them have
exactly one right choice when all four properties are looked at once more, at {len(OTHER_SEEDS)} other seeds.
What fails for the reason of another property alone, such as leading dimensions where each of their cases has a mask and
the mask has no effect, is neither right nor offered. Where that leaves few, as in a mask, the choice is between three.

Where the third column says *all*, these are all questions that can be drawn about the course's own answer and about
{STYLES} other right answers. Where it says *drawn*, they are the first that a student is asked about the course's own
answer. The last column says what is right how often. When a question is drawn, the kinds have weights, so that wrong
numbers are not right nearly always. After two questions with the same right choice, the next one has another, where
the answer has a change that breaks something else.

`python tools/defend_questions.py` writes this page, and with `--drawn 6` it counts the drawn ones.

| exercise | questions | which | one right choice | what is right |
|---|---|---|---|---|"""


if __name__ == "__main__":
    main()
