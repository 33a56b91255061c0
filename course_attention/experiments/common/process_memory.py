"""Measures the memory of a computation from outside, in a process of its own: scratch memory is in it."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

PROGRAM = """
import json, sys
import torch
from course_attention.experiments.common.process_memory import forget_peak, most_memory

torch.set_num_threads(1)
given = json.load(sys.stdin)
names = {}
exec(given["setup"], names)
code = compile(given["statement"], "<statement>", "exec")
exec(code, names | {"n": 8})  # what a first call needs once, libraries above all
forget_peak()
before, most = most_memory(), []
for n in given["sizes"]:
    exec(code, names | {"n": n})
    most.append(most_memory() - before)
print(json.dumps(most))
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
        statement: run once for each size, which it finds in the name `n`.
        setup: run once before, to import and to define.
        sizes: in rising order, since a process does not forget its peak.

    Returns:
        Bytes, (n_sizes,).

    Raises:
        ValueError: the sizes do not rise, or the program failed; the message ends with its error.

    Example:
        >>> mebibytes = peaks("torch.ones(n, 2**18)", "import torch", [64]) / 2**20
        >>> bool(60 < mebibytes[0] < 70)
        True
    """
    if list(sizes) != sorted(sizes):
        raise ValueError(f"sizes must rise, since a process does not forget its peak; got {list(sizes)}")
    given = json.dumps({"statement": statement, "setup": setup, "sizes": list(map(int, sizes))})
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
    return np.array(json.loads(ended.stdout))
