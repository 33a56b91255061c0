"""Times a computation on the CPU or on a GPU."""

import sys
import time
from collections.abc import Callable

import numpy as np
import torch

FEWEST = 3  # tries of each computation, however long it takes
# Windows counts a thread's time in steps of 16 milliseconds.
clock = time.perf_counter if sys.platform == "win32" else time.thread_time


@torch.no_grad()
def seconds(
    compute: Callable[[], object], device: torch.device | str, n_tries: int = 10, enough: float = 1.0
) -> np.ndarray:
    """Time a computation: the least of several tries and their median, in seconds, (2,).

    On a GPU CUDA events are used, which the GPU records itself. On the CPU the time counts for which this thread had
    the processor, so that other programs don't count. They can still make a try longer through memory and caches, but
    never shorter. The least is therefore the best estimate.

    Args:
        compute: what is timed.
        device: where it runs.
        n_tries: how many tries are made, after one that warms up.
        enough: seconds after which no further try is made, once there have been three.

    Example:
        >>> least, median = seconds(lambda: torch.ones(1000) + 1, "cpu", n_tries=4)
        >>> bool(0 < least <= median)
        True
    """
    timed = _by_events if torch.device(device).type == "cuda" else _by_processor
    timed(compute)
    tries: list[float] = []
    while len(tries) < n_tries and (len(tries) < FEWEST or sum(tries) < enough):
        tries.append(timed(compute))
    return np.array([min(tries), np.median(tries)])


def _by_processor(compute: Callable[[], object]) -> float:
    began = clock()
    compute()
    return clock() - began


def _by_events(compute: Callable[[], object]) -> float:
    began, ended = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    began.record()
    compute()
    ended.record()
    torch.cuda.synchronize()
    return began.elapsed_time(ended) / 1000  # it gives milliseconds
