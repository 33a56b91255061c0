"""Grades a large class that is made up: how long it takes, whether memory stays flat, how fast the report opens.

    python benchmarks/large_class.py --submissions 10000 --workers 2
    python benchmarks/large_class.py --submissions 600 --dask 1 2 4

Students after the first hundred hand in what one of the first hundred did, under another name. Memory is that of the
process that queues submissions and writes results and views. Its workers are counted beside it, and what they share
(PyTorch, above all) is counted once for each of them. With --dask the same class is graded once more on Dask clusters
of so many workers on this machine. Their results must be the same, byte for byte but for the seconds. The speed-up is
taken from the second half of each run, when all sandboxes stand.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from course_attention.grading import grade, report
from course_attention.grading.simulation import write_class

SEED = 0
DIFFERENT = 100  # students with files of their own
CHROMIUM = Path("/usr/bin/chromium")
SHOWN = (0.1, 0.25, 0.5, 0.75, 1.0)  # parts of the class at which memory is printed
MEGABYTE = 2**20


@dataclass
class Run:
    """One run, as its progress tells it: when each share of the class was done, and the memory then."""

    total: int = 0
    began: float = field(default_factory=time.perf_counter)
    seconds: dict[int, float] = field(default_factory=dict)
    memory: dict[int, tuple[float, float]] = field(default_factory=dict)

    def watch(self, done: int, total: int) -> None:
        """Take down the time, and now and then the memory of this process and of those that it has started."""
        self.total = total
        self.seconds[done] = time.perf_counter() - self.began
        if done in {round(part * total) for part in SHOWN}:
            own = psutil.Process()
            others = sum(_memory(one) for one in own.children(recursive=True))
            self.memory[done] = (_memory(own) / MEGABYTE, others / MEGABYTE)

    @property
    def second_half(self) -> float:
        """How long the second half of the class took."""
        return self.seconds[self.total] - self.seconds[self.total // 2]


def _memory(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:  # it has just ended
        return 0


def hand_in(folder: Path, submissions: int) -> None:
    """Write a class with exactly so many submissions."""
    first = folder / "first"
    students = min(DIFFERENT, max(1, submissions // 5))  # a student hands in ten notebooks or so
    write_class(first, students, SEED)
    own = [sorted(one.glob("*.ipynb")) for one in sorted(first.iterdir()) if one.is_dir()]
    left, times = submissions, 0
    while left:
        times += 1
        for files in own:
            for file in files[:left]:
                # The first hundred may be called "Ada 2": their copies need names that none of them has.
                to = folder / "in" / (file.parent.name if times == 1 else f"{file.parent.name} copy {times}")
                to.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, to)
            left -= min(left, len(files))


def results(folder: Path) -> dict[str, bytes]:
    """All result files, without what tells how long grading took."""
    return {
        str(path.relative_to(folder)): re.sub(rb'"seconds": [0-9.e-]+', b"", path.read_bytes())
        for path in folder.rglob("*.json")
    }


def opening(page: Path) -> str:
    """How long a browser takes to open the report."""
    if not CHROMIUM.exists():
        return f"not opened: there is no {CHROMIUM}"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        tab = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]).new_page()
        start = time.perf_counter()
        tab.goto(page.resolve().as_uri(), wait_until="load")
        return f"{time.perf_counter() - start:.2f} s until a browser has loaded it"


def large_class(folder: Path, workers: int | None) -> None:
    """Grade the class on this machine, and print what it took."""
    run = Run()
    done = grade(folder / "in", folder / "local", seed=SEED, workers=workers, on_progress=run.watch)
    whole = time.perf_counter() - run.began
    print(f"{done.submissions} submissions: {dict(done.statuses)}")
    print(f"{whole:.0f} s: {run.seconds[1]:.0f} s to the first result, and the views at the end")
    print(f"{run.total / 2 / run.second_half:.1f} submissions a second in the second half")
    print("\n  done   this process   its workers")
    for number, (own, others) in run.memory.items():
        print(f"{number:6}   {own:9.0f} MB   {others:8.0f} MB")
    start = time.perf_counter()
    page = report(folder / "local").report
    print(f"\n{time.perf_counter() - start:.1f} s to write every view again")
    print(f"report.html: {page.stat().st_size / MEGABYTE:.2f} MB, {opening(page)}")


def on_dask(folder: Path, numbers: list[int]) -> None:
    """Grade the class on clusters of several sizes, and print their speed as a ratio to the first."""
    from distributed import LocalCluster

    expected, first = results(folder / "local" / "results"), 0.0
    print("\nDask workers   second half    times   results")
    for number in numbers:
        run, out = Run(), folder / f"dask {number}"
        with LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address=None) as cluster:
            grade(
                folder / "in",
                out,
                seed=SEED,
                scheduler=cluster.scheduler_address,
                on_progress=run.watch,
            )
        first = first or run.second_half
        same = results(out / "results") == expected
        ratio = first / run.second_half
        print(f"{number:12} {run.second_half:11.1f} s {ratio:8.2f}   {'the same' if same else 'DIFFERENT'}")
        if not same:
            sys.exit("a cluster gives other results than this machine alone")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--submissions", type=int, default=300, metavar="N", help="300 unless given")
    parser.add_argument("--workers", type=int, metavar="N", help="one for each core unless given")
    parser.add_argument("--dask", type=int, nargs="+", default=[], metavar="N", help="sizes of clusters to compare")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hand_in(folder, options.submissions)
        large_class(folder, options.workers)
        if options.dask:
            on_dask(folder, options.dask)


if __name__ == "__main__":
    main()
