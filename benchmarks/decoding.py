"""Times the generation of 1024 tokens, with a key–value cache and by recomputing all; `--device cuda` for a GPU.

The model is a causal Transformer with random weights. It draws each token from its prediction, in float64 and with the
same random numbers for both, so that a cache with any mistake gives another text. Recomputing uses PyTorch's own
attention, the fastest there is, so that the comparison is fair. On the CPU one thread is timed by its own clock, so
that other programs don't count.
"""

from __future__ import annotations

import argparse

import torch
import torch.nn.functional as F

from course_attention.experiments.modern.decoding import CausalTransformer, generate
from course_attention.mechanisms.modern import cached_attention

N_TOKENS = 1024


def fused(i: int, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """PyTorch's causal attention, with an axis for the batch, since it is slower without one."""
    return F.scaled_dot_product_attention(query[None], key[None], value[None], is_causal=True)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    device = parser.parse_args().device
    writer = CausalTransformer(n_layers=2, d_model=128, n_heads=4, device=device)
    for step in (cached_attention, None):
        generate(8, writer, step, mix=fused)  # the first calls load libraries
    cached, recomputed = (generate(N_TOKENS, writer, step, mix=fused) for step in (cached_attention, None))
    same = (cached.tokens == recomputed.tokens).sum()
    fast, slow = cached.seconds.sum(), recomputed.seconds.sum()
    print(f"{N_TOKENS} tokens, 2 layers, d_model 128, 4 heads, float64, {device}, one thread")
    print(f"same tokens: {same} of {N_TOKENS}")
    print(f"with the cache {fast:.2f} s, recomputing {slow:.2f} s: {slow / fast:.0f} times faster")


if __name__ == "__main__":
    main()
