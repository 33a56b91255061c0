"""Measures how the time of attention grows with the length, against the formulas; `--device cuda` for a GPU.

Exponents are fitted to times, n from 512 to 8192, of all pairs, windows of 64, and linear attention. On the CPU one
thread is timed by its own clock, so that other programs don't count. All pairs are computed into memory that has been
allocated before, since the time for allocating new memory grows faster than the work.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

import torch

from course_attention import fit_exponent, linear_attention
from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.common.timing import seconds
from course_attention.experiments.complexity.sliding_window import sliding_window_attention

LENGTHS = (512, 1024, 2048, 4096, 8192)
D_HEAD = 64
BATCH = {"cpu": 1, "cuda": 32}  # a GPU has to be kept busy at the shortest length, too
NEAR = 0.15
ROUNDS = 3


def all_pairs(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> Callable[[], object]:
    """Attention by its formula, each step into memory that has been allocated before."""
    weights = query @ key.mT
    output = weights @ value

    def run() -> None:
        torch.matmul(query, key.mT, out=weights)
        weights.div_(math.sqrt(query.shape[-1]))
        torch.softmax(weights, dim=-1, out=weights)
        torch.matmul(weights, value, out=output)

    return run


WAYS = {
    "scores": (2, all_pairs),
    "windowed": (1, lambda *qkv: lambda: sliding_window_attention(*qkv, width=64)),
    "linear": (1, lambda *qkv: lambda: linear_attention(*qkv)),
}


def times(way: Callable[..., Callable[[], object]], device: str) -> list[float]:
    """Seconds at each length, the least of several tries."""
    found = []
    for n in LENGTHS:
        query, key, value = (torch.randn(BATCH[device], n, D_HEAD, device=device) for _ in range(3))
        found.append(float(seconds(way(query, key, value), device, n_tries=20)[0]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    device = parser.parse_args().device
    print(f"exponents of the time, n {LENGTHS[0]}–{LENGTHS[-1]}, d {D_HEAD}, batch {BATCH[device]}, {device}, float32")
    print("           fitted (median and range of 3)   analytic   within 0.15   ms at the ends")
    for name, (analytic, way) in WAYS.items():
        rounds = [times(way, device) for _ in range(ROUNDS)]
        low, middle, high = sorted(fit_exponent(LENGTHS, found) for found in rounds)
        near = "yes" if abs(middle - analytic) <= NEAR else "NO"
        first, last = (1000 * min(found[i] for found in rounds) for i in (0, -1))
        print(f"{name:9} {middle:8.2f}   {low:.2f}–{high:.2f} {analytic:22} {near:>11} {first:12.2f} {last:8.2f}")


if __name__ == "__main__":
    with one_thread(), torch.no_grad():
        main()
