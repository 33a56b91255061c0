"""Measures the judge: `python -m tests.mutants [NAMES]` looks at all mutants and writes docs/mutants.md.

Each exercise's result is saved when it is done, in artifacts/mutants/. Stopped and started again with --resume, it goes
on where it was.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from course_attention.mutants.other_cases import DRAWN
from tests.mutants.corpus_answers import CALLED, all_mutants
from tests.mutants.table import RESULTS, write
from tests.mutants.workers import fates


def measure(exercise: str, every: int = 1) -> None:
    """Find the fates of an exercise's mutants, or of every so many, and save them as a file."""
    start, texts = time.monotonic(), all_mutants(exercise)
    numbers = range(0, len(texts), every)
    survivors, counts = [], dict.fromkeys(("killed", "equivalent", "survived"), 0)
    for number, found, where in fates(exercise, numbers):
        counts[found] += 1
        if found == "survived":
            right, mutant = texts[number]
            survivors.append({"base": right.label, "change": mutant.change, "where": where})
    result = {"exercise": exercise, "every": every, "mutants": len(numbers), **counts, "survivors": survivors}
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{exercise}.json").write_text(json.dumps(result, indent=1, ensure_ascii=False))
    took = time.monotonic() - start
    print(f"{exercise}: {counts} in {took:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="of exercises; all of them by default")
    parser.add_argument("--resume", action="store_true", help="leave out what has a result already")
    parser.add_argument("--every", type=int, default=1, help="look at every so many of the mutants only")
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    done = {path.stem for path in RESULTS.glob("*.json")} if asked.resume else set()
    names = [name for name in asked.names or CALLED if name not in done]
    with ThreadPoolExecutor(asked.workers) as pool:
        for _ in pool.map(lambda name: measure(name, asked.every), names):
            pass
    write(Path("docs/mutants.md"), DRAWN)


if __name__ == "__main__":
    main()
