"""Measures the memory of a computation from outside, in a process of its own: scratch memory is in it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

PROGRAM = """
import json, multiprocessing, sys
import torch
from course_attention.experiments.common.process_memory import forget_peak, most_memory

torch.set_num_threads(1)
given = json.load(sys.stdin)
names = {}
exec(given["setup"], names)

def measure(statement, sizes):
    code = compile(statement, "<statement>", "exec")
    # What a first call needs once: libraries, and buffers for products (on some processors 4 MiB, but not for n = 8).
    exec(code, names | {"n": 64})
    forget_peak()
    before, most = most_memory(), []
    for n in sizes:
        exec(code, names | {"n": n})
        most.append(most_memory() - before)
    print(json.dumps(most), flush=True)

*others, last = given["programs"]
for program in others:  # each has a copy of this process, which has measured nothing yet
    copy = multiprocessing.get_context("fork").Process(target=measure, args=program)
    copy.start()
    copy.join()
    if copy.exitcode:
        sys.exit(1)
measure(*last)
"""


def most_memory() -> int:
    """Return the most memory, in bytes, that this process has ever had."""
    if sys.platform == "win32":
        import psutil

        return psutil.Process().memory_info().peak_wset
    if sys.platform == "linux":  # `getrusage` would begin with what the process had that started this one
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def forget_peak() -> None:
    """Begin anew with what is taken now. Only Linux can; elsewhere what importing took beyond that is missing."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peaks(statement: str, setup: str, sizes: Sequence[int]) -> np.ndarray:
    """Measure the memory that a statement adds to a fresh Python at its peak, for each size, as `timeit` does time.

    Args:
        statement: run once for each size, which it finds in the name `n`, and before that with `n = 64`, which is not
            counted.
        setup: run once before, to import and to define.
        sizes: in rising order, since a process does not forget its peak.

    Returns:
        Bytes, (n_sizes,).

    Raises:
        ValueError: the sizes do not rise, or the program failed; the message ends with its error.

    Example:
        >>> mebibytes = peaks("torch.ones(n, 2**12)", "import torch", [4096]) / 2**20
        >>> bool(60 < mebibytes[0] < 70)
        True
    """
    return peaks_of_all({"": (statement, sizes)}, setup)[""]


def peaks_of_all(programs: Mapping[str, tuple[str, Sequence[int]]], setup: str) -> dict[str, np.ndarray]:
    """Measure several statements as `peaks` does. On Linux all begin from one import of torch, which takes seconds.

    Args:
        programs: statement and sizes, by name.
        setup: run once before, to import and to define.

    Returns:
        Bytes for each size, by name.

    Raises:
        ValueError: the sizes of a statement do not rise, or a program failed; the message ends with its error.
    """
    for _, sizes in programs.values():
        if list(sizes) != sorted(sizes):
            raise ValueError(f"sizes must rise, since a process does not forget its peak; got {list(sizes)}")
    given = [(statement, list(map(int, sizes))) for statement, sizes in programs.values()]
    if sys.platform == "linux":  # elsewhere a copy of a process may not run, or takes over its peak
        found = _measured(given, setup)
    else:
        found = [peak for program in given for peak in _measured([program], setup)]
    return dict(zip(programs, map(np.array, found), strict=True))


def _measured(programs: list[tuple[str, list[int]]], setup: str) -> list[list[int]]:
    """Return the peaks of the programs; all but the last are measured in copies of the process that measures it."""
    given = json.dumps({"programs": programs, "setup": setup})
    # glibc keeps freed pieces for itself unless they are mapped one by one: only what is in use is to be counted
    settings = os.environ | {"MALLOC_MMAP_THRESHOLD_": "65536"}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=given,
        capture_output=True,
        text=True,
        env=settings,
        check=False,
    )
    if ended.returncode:
        raise ValueError(f"the program that was measured failed: {ended.stderr.strip().splitlines()[-1]}")
    return [json.loads(line) for line in ended.stdout.splitlines()]
