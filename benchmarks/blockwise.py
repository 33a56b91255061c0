"""Peak memory and time of blockwise attention and of attention with the whole matrix; `--device cuda` for a GPU.

Each kind runs in a process of its own to measure its memory. That is the most that the process holds beyond what it
held before, or on a GPU the most that torch has allocated, so that a kernel's own workspace counts as well. To
measure time, all kinds run in turns in one process; the figure is the median over the rounds. By default one thread
of the CPU is timed by its own clock, so that other programs don't count.
"""

from __future__ import annotations

import argparse
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as F

from course_attention import attention, blockwise_attention

N_TOKENS, D_HEAD, BLOCK_SIZE, ROUNDS = 16384, 64, 512, 5
MIB = 2**20
WAYS: dict[str, Callable] = {
    "whole": lambda query, key, value: attention(query, key, value)[0],
    "blocks": lambda query, key, value: blockwise_attention(query, key, value, BLOCK_SIZE),
    # asked with the axes of a batch and of heads, since it takes another, slower way without them
    "torch": lambda *inputs: F.scaled_dot_product_attention(*(x[None, None] for x in inputs))[0, 0],
}


def draw(n_tokens: int, device: str) -> list[torch.Tensor]:
    """Return the same query, key and value in every process, float32."""
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(n_tokens, D_HEAD, generator=generator).to(device) for _ in range(3)]


def held(device: str) -> int:
    """Return the most bytes that this process has held so far."""
    if device == "cuda":
        return torch.cuda.max_memory_allocated()
    status = Path("/proc/self/status")
    if status.exists():  # Linux hands ru_maxrss on from the process that started this one
        return 1024 * int(re.search(r"VmHWM:\s*(\d+) kB", status.read_text())[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS


def peak_of_this_process(way: str, device: str) -> int:
    """Return the bytes that one call needs beyond its inputs."""
    WAYS[way](*draw(BLOCK_SIZE, device))  # libraries are loaded at the first call
    inputs = draw(N_TOKENS, device)
    before = held(device)
    WAYS[way](*inputs)
    return held(device) - before


def peak(way: str, device: str, threads: int) -> int:
    """Return the bytes that one call needs, measured in a new process."""
    command = [sys.executable, __file__, "--peak", way, "--device", device, "--threads", str(threads)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def seconds(way: str, inputs: list[torch.Tensor]) -> float:
    """How long one call takes."""
    alone = not inputs[0].is_cuda and torch.get_num_threads() == 1
    clock = time.thread_time if alone else time.perf_counter
    start = clock()
    WAYS[way](*inputs)
    if inputs[0].is_cuda:
        torch.cuda.synchronize()
    return clock() - start


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--peak", choices=tuple(WAYS), help=argparse.SUPPRESS)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    if given.peak:
        print(peak_of_this_process(given.peak, given.device))
        return
    peaks = {way: peak(way, given.device, given.threads) for way in WAYS}
    inputs = draw(N_TOKENS, given.device)
    outputs = {way: compute(*inputs) for way, compute in WAYS.items()}
    apart = max(float((output - outputs["whole"]).abs().max()) for output in outputs.values())
    del outputs
    times: dict[str, list[float]] = {way: [] for way in WAYS}
    for turn in range(ROUNDS):
        for way in list(WAYS)[:: 1 if turn % 2 else -1]:
            times[way].append(seconds(way, inputs))
    middle = {way: statistics.median(all_times) for way, all_times in times.items()}
    print(f"n = {N_TOKENS}, d = {D_HEAD}, float32, {given.device}, blocks of {BLOCK_SIZE}, {given.threads} thread(s)")
    print(f"outputs differ by at most {apart:.1e}")
    print("          peak memory   of whole      time   of whole")
    for way in WAYS:
        share, ratio = peaks[way] / peaks["whole"], middle[way] / middle["whole"]
        print(f"{way:8} {peaks[way] / MIB:8.0f} MiB {share:10.4f} {middle[way]:7.2f} s {ratio:10.2f}")


if __name__ == "__main__":
    main()
