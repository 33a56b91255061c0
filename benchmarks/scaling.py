"""Measures how the cost of attention grows with the length, against the formulas; `--device cuda` for a GPU.

First, the formulas of notebook 07 are compared with torch's counter of operations. Then exponents are fitted to
times, n from 512 to 8192, of all pairs, windows of 64, and linear attention. On the CPU one thread is timed by its
own clock, so that other programs don't count. All pairs are computed into memory that has been allocated before,
since the time for allocating new memory grows faster than the work.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Callable

import torch

from course_attention import (
    attention_multiply_adds,
    convolution_multiply_adds,
    dense_multiply_adds,
    fit_exponent,
    linear_attention,
    recurrent_multiply_adds,
    self_attention_multiply_adds,
)
from course_attention.experiments.common.cost_counters import multiply_adds
from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.common.timing import seconds
from course_attention.experiments.complexity import layers
from course_attention.experiments.complexity.sliding_window import sliding_window_attention

LENGTHS = (512, 1024, 2048, 4096, 8192)
D_HEAD = 64
BATCH = {"cpu": 1, "cuda": 32}  # a GPU has to be kept busy at the shortest length, too
NEAR = 0.15
ROUNDS = 3


def formulas_agree() -> tuple[int, int]:
    """How many of the counts agree with torch's to the last multiply–add, and how many there are."""
    agree = total = 0
    for n, d_in, d_out, d_key, kernel in itertools.product(
        (1, 7, 512, 8192), (3, 64), (5, 64), (8, 64), (1, 3, 5)
    ):
        sizes = layers.Sizes(d_in, d_out, d_key, kernel)
        pairs = (
            (layers.attention_alone, attention_multiply_adds(n, n, d_key, d_out)),
            (layers.self_attention, self_attention_multiply_adds(n, d_in, d_key, d_out)),
            (layers.convolution, convolution_multiply_adds(n, kernel, d_in, d_out)),
            (layers.dense, dense_multiply_adds(n, d_in, d_out)),
            *(((layers.recurrent, recurrent_multiply_adds(n, d_in, d_out)),) if n <= 512 else ()),
        )
        for layer, formula in pairs:
            agree += multiply_adds(layer(n, sizes, "meta")) == formula
            total += 1
    return agree, total


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
    agree, total = formulas_agree()
    print(f"formulas that agree with torch's counter to the last multiply–add: {agree} of {total}")
    print(
        f"\nexponents of the time, n {LENGTHS[0]}–{LENGTHS[-1]}, d {D_HEAD}, batch {BATCH[device]}, {device}, float32"
    )
    print("           fitted (median and range of 3)   analytic   within 0.15   ms at the ends")
    for name, (analytic, way) in WAYS.items():
        rounds = [times(way, device) for _ in range(ROUNDS)]
        low, middle, high = sorted(fit_exponent(LENGTHS, found) for found in rounds)
        near = "yes" if abs(middle - analytic) <= NEAR else "NO"
        first, last = (1000 * min(found[i] for found in rounds) for i in (0, -1))
        print(
            f"{name:9} {middle:8.2f}   {low:.2f}–{high:.2f} {analytic:22} {near:>11} {first:12.2f} {last:8.2f}"
        )


if __name__ == "__main__":
    with one_thread(), torch.no_grad():
        main()
