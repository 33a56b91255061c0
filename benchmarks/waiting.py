"""Times what a student waits for: the import, the command, a verdict of each exercise."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

REPEATS = 20


def of_command(*arguments: str) -> float:
    """Seconds of the fastest of five runs of Python with these arguments."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    empty = of_command("-c", "pass")
    print(f"{of_command('-c', 'import course_attention') - empty:7.3f} s  import course_attention")
    print(f"{of_command('-m', 'course_attention.cli', '--version'):7.3f} s  course-attention --version")

    import course_attention
    from course_attention.exercises import CATALOGUE

    print("\na verdict on the package's own helper, CPU, torch loaded\n median   worst")
    for name, exercise in CATALOGUE.items():
        helper = getattr(course_attention, name)
        exercise.judge(helper)  # loads torch
        times = []
        for seed in range(REPEATS):
            start = time.perf_counter()
            exercise.judge(helper, seed=seed)
            times.append(time.perf_counter() - start)
        print(f"{statistics.median(times):7.3f} {max(times):7.3f} s  {name}")


if __name__ == "__main__":
    main()
