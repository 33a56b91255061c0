"""Times what a student waits for: the import, the command, and a verdict of each exercise.

Verdicts are timed as processor time, of right answers and of wrong ones: on a machine that does other things as well,
it varies less than what a clock shows. Use one thread, as in `OMP_NUM_THREADS=1 python benchmarks/waiting.py`.

    python benchmarks/waiting.py [exercises] [--wrong 24]
"""

from __future__ import annotations

import argparse
import gc
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

import course_attention
from course_attention.answer_corpus.answer_value import value_of
from course_attention.answer_corpus.corpus import answers
from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.execution.local import LocalRunner
from course_attention.exercises import CATALOGUE, Entry

RIGHT = 5  # right answers of each exercise, each judged at a seed of its own
CALL = LocalRunner._call
SLOWEST, TYPICAL = 0.2, 0.005  # seconds that the slowest verdict and the median one should stay below


def of_command(*arguments: str) -> float:
    """Seconds of the fastest of five runs of Python with these arguments."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


class Verdict(NamedTuple):
    """What a verdict took, in seconds of processor time: all of it, and what the answer itself took of that."""

    whole: float
    answers_own: float

    @property
    def judges(self) -> float:
        return self.whole - self.answers_own


def timed(exercise: Entry, given: object, seed: int = 0) -> Verdict:
    """Judge an answer and time it. Its calls are timed where the judge makes them."""
    own = 0.0

    def call(runner: LocalRunner, *what: object) -> object:
        nonlocal own
        start = time.process_time()
        try:
            return CALL(runner, *what)
        finally:
            own += time.process_time() - start

    LocalRunner._call = call
    try:
        start = time.process_time()
        exercise.judge(given, seed=seed)
        return Verdict(time.process_time() - start, own)
    finally:
        LocalRunner._call = CALL


def of_verdicts(names: list[str], number: int) -> None:
    """Print the times of verdicts, and which are slower than they should be."""
    print("\na verdict, CPU, torch loaded, cases drawn: of right answers of the corpus, and of wrong ones")
    print(" median   worst |  median   worst    in brackets: what the answer itself takes of the worst")
    all_of_them: dict[str, list[Verdict]] = {"right": [], "wrong": []}
    for name in names or CATALOGUE:
        exercise = CATALOGUE[name]
        exercise.judge(getattr(course_attention, name))  # loads torch
        times: dict[str, dict[str, Verdict]] = {"right": {}, "wrong": {}}
        for seed, answer in enumerate(some(name, ("right",), RIGHT)):
            given = value_of(answer)
            exercise.judge(given, seed=seed)  # draws the cases
            times["right"][answer.label] = timed(exercise, given, seed)
        for answer in some(name, ("wrong", "extra"), number):
            given = value_of(answer)
            exercise.judge(given)  # imports what its errors need, and works out the wrong computations
            times["wrong"][answer.label] = timed(exercise, given)
        gc.freeze()  # a student's process does not hold the answers of all exercises, so no verdict has to search them
        columns, late = [], []
        for kind, of_kind in times.items():
            slowest = max(of_kind, key=lambda label, found=of_kind: found[label].whole)
            worst = of_kind[slowest]
            middle = statistics.median(verdict.whole for verdict in of_kind.values())
            columns.append(f"{middle:7.3f} {worst.whole:7.3f} ({worst.answers_own:5.3f})")
            late += [slowest] if worst.whole > SLOWEST else []
            all_of_them[kind] += of_kind.values()
        print(" | ".join(columns), name, *late, flush=True)
    print(f"\nbelow {TYPICAL} in the middle and {SLOWEST} at most is asked for")
    for kind, verdicts in all_of_them.items():
        for what, seconds in (
            ("whole", [v.whole for v in verdicts]),
            ("the judge's part", [v.judges for v in verdicts]),
        ):
            print(f"{statistics.median(seconds):7.3f} {max(seconds):7.3f} s  {len(seconds)} {kind} answers, {what}")


def some(name: str, kinds: tuple[str, ...], number: int) -> list[Answer]:
    """Return about so many answers of the corpus of these kinds, spread evenly over them."""
    found = [answer for answer in answers(name) if answer.kind in kinds]
    return found[:: max(1, len(found) // number)][:number]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exercises", nargs="*", help="whose verdicts are timed (default: all)")
    parser.add_argument("--wrong", type=int, default=24, help="how many wrong answers of each exercise (default: 24)")
    asked = parser.parse_args()
    if not asked.exercises:
        empty = of_command("-c", "pass")
        print(f"{of_command('-c', 'import course_attention') - empty:7.3f} s  import course_attention")
        print(f"{of_command('-m', 'course_attention.cli', '--version'):7.3f} s  course-attention --version")
    of_verdicts(asked.exercises, asked.wrong)


if __name__ == "__main__":
    main()
