"""Fuzzes the grader's own side: reader, checks of sources, channel, judge, result files and views.

    python tools/fuzz_grader.py --seconds 600 --seed 3
    python tools/fuzz_grader.py --seed 3 --target judge --only 1234    one input again

An input that raised an error, or took too much time or memory, is written to a file, whose name is printed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.grading.fuzzing.fuzzer import TRIED, fuzz
from tests.grading.fuzzing.targets import TARGETS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=0, help="draws the inputs")
    parser.add_argument("--target", choices=TARGETS, help="only this part of the grader")
    parser.add_argument("--only", type=int, help="only the input of this number")
    asked = parser.parse_args()
    folder, faults = Path(tempfile.mkdtemp(prefix="fuzz-grader-")), 0
    targets = (asked.target,) if asked.target else tuple(TARGETS)
    numbers = None if asked.only is None else (asked.only,)
    for fault in fuzz(asked.seconds, asked.seed, targets, numbers):
        faults += 1
        path = folder / f"{fault.target}-{asked.seed}-{fault.number}"
        path.write_bytes(fault.content)
        print(f"{path}\n{fault.what}\n", flush=True)
    tried = ", ".join(f"{target} {number}" for target, number in TRIED.items())
    print(f"{faults} faults; inputs tried: {tried}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
