"""Times what a student waits for: the import, the command, and a verdict of each exercise.

Verdicts are timed as processor time, of right answers and of wrong ones: on a machine that does other things as well,
it varies less than what a clock shows. Use one thread, as in `OMP_NUM_THREADS=1 python benchmarks/waiting.py`.

    python benchmarks/waiting.py [exercises] [--wrong 24]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from course_attention.answer_corpus.answer_value import value_of
from course_attention.answer_corpus.corpus import answers
from course_attention.answer_corpus.corpus_answer import Answer

REPEATS = 5  # seeds for the right answer
SLOWEST, TYPICAL = 0.2, 0.005  # seconds that the slowest verdict and the median one should stay below


def of_command(*arguments: str) -> float:
    """Seconds of the fastest of five runs of Python with these arguments."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def processor_time(step: Callable[[], object]) -> float:
    """Seconds of processor time that a step takes."""
    start = time.process_time()
    step()
    return time.process_time() - start


def of_verdicts(names: list[str], number: int) -> None:
    """Print the times of verdicts, and which are slower than they should be."""
    import course_attention
    from course_attention.exercises import CATALOGUE

    print("\na verdict, CPU, torch loaded, cases drawn: of the package's own helper, and of wrong answers")
    print(" median   worst |  median   worst")
    all_right: list[float] = []
    for name in names or CATALOGUE:
        exercise, helper = CATALOGUE[name], getattr(course_attention, name)
        exercise.judge(helper)  # loads torch
        right = []
        for seed in range(REPEATS):
            exercise.judge(helper, seed=seed)  # draws the cases
            right.append(processor_time(lambda e=exercise, h=helper, s=seed: e.judge(h, seed=s)))
        wrong = {}
        for answer in some_wrong(name, number):
            given = value_of(answer)
            exercise.judge(given)  # imports what its errors need, and works out the wrong computations
            wrong[answer.label] = processor_time(lambda e=exercise, g=given: e.judge(g))
        slowest = max(wrong, key=wrong.__getitem__)
        all_right += right
        late = f"  {slowest}" if max(max(right), wrong[slowest]) > SLOWEST else ""
        print(
            f"{statistics.median(right):7.3f} {max(right):7.3f} |{statistics.median(wrong.values()):8.3f} "
            f"{wrong[slowest]:7.3f} s  {name}{late}",
            flush=True,
        )
    middle = statistics.median(all_right)
    print(f"{middle:7.3f} {max(all_right):7.3f} s  all right ones; below {TYPICAL} and {SLOWEST} s is asked for")


def some_wrong(name: str, number: int) -> list[Answer]:
    """Return about so many wrong answers of the corpus, spread evenly over them."""
    wrong = [answer for answer in answers(name) if answer.kind in ("wrong", "extra")]
    return wrong[:: max(1, len(wrong) // number)]


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
