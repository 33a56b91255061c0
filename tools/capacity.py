"""Trains the models of notebook 01's experiment on capacity, and writes what they can copy as package data.

    python tools/capacity.py             all that the file does not have yet; it can be stopped and goes on
    python tools/capacity.py --again     all of them anew

A model takes 20 seconds to some minutes of one core, and there are 18. The file is written after each of them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from itertools import product
from pathlib import Path

import torch

from course_attention.experiments.seq2seq import capacity

FILE = Path(capacity.__file__).with_suffix(".json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--again", action="store_true", help="forget what the file has")
    options = parser.parse_args()
    known = [] if options.again or not FILE.exists() else capacity.saved_runs()
    runs = {(run.seed, run.d_hidden, run.attends): run for run in known}
    for seed, d_hidden, attends in product(capacity.SEEDS, capacity.SIZES, (True, False)):
        if (seed, d_hidden, attends) in runs:
            continue
        began = time.process_time()
        run = capacity.train_to_plateau(d_hidden, attends, seed)
        runs[seed, d_hidden, attends] = run
        write(list(runs.values()))
        print(f"{run}  {time.process_time() - began:.0f} s", flush=True)


def write(runs: list[capacity.Run]) -> None:
    """Write all runs, with what they were made with; the file is there whole or not at all."""
    made_with = {"torch": torch.__version__, "python": platform.python_version()}
    data = {
        "made_with": made_with,
        "lengths": capacity.LENGTHS,
        "runs": [capacity.as_data(run) for run in runs],
    }
    text = json.dumps(data, indent=1)
    part = FILE.with_suffix(".part")
    part.write_text(text + "\n", encoding="utf-8")
    os.replace(part, FILE)


if __name__ == "__main__":
    main()
