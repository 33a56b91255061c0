"""Times our multi-head attention against PyTorch's, with the same weights; `--device cuda` for a GPU.

Both run forward and backward in turns, so that anything that slows the machine slows both. The figure is the median of
the ratios of neighbouring runs, with its quartiles. PyTorch's layer is asked for its weights, since ours always gives
them.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from torch import nn

from course_attention import MultiHeadAttention, transplant

SIZES = [(8, 128, 256), (2, 1024, 512), (1, 4096, 256)]  # (batch, n_tokens, d_model)
D_HEAD = 64
ROUNDS = 25


def seconds(step: Callable[[], None], device: str) -> float:
    """How long one step takes."""
    start = time.perf_counter()
    step()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - start


def there_and_back(layer: nn.Module, x: torch.Tensor, *inputs: torch.Tensor, **options: bool) -> None:
    """Forward and backward; the gradients are dropped."""
    output, _ = layer(*inputs, **options)
    output.sum().backward()
    layer.zero_grad()
    x.grad = None


def ratios(batch: int, n_tokens: int, d_model: int, device: str, rounds: int = ROUNDS) -> list[float]:
    """Our time divided by PyTorch's, once for each round."""
    n_heads = d_model // D_HEAD
    theirs = nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True).to(device)
    ours = MultiHeadAttention(d_model, n_heads).to(device)
    ours.load_state_dict(transplant(theirs))
    x = torch.randn(batch, n_tokens, d_model, device=device, requires_grad=True)
    steps = (
        lambda: there_and_back(ours, x, x),
        lambda: there_and_back(theirs, x, x, x, x, need_weights=True),
    )
    for step in (*steps, *steps):
        seconds(step, device)
    found = []
    for turn in range(rounds):
        order = steps if turn % 2 else steps[::-1]
        times = {step: seconds(step, device) for step in order}
        found.append(times[steps[0]] / times[steps[1]])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    device = parser.parse_args().device
    print(f"forward and backward, ours / nn.MultiheadAttention(need_weights=True), {device}, float32")
    print(" batch  n_tokens  d_model   median   quartiles")
    for size in SIZES:
        low, middle, high = statistics.quantiles(ratios(*size, device), n=4)
        print("{:6} {:9} {:8} {:8.2f}   {:.2f}–{:.2f}".format(*size, middle, low, high))


if __name__ == "__main__":
    main()
