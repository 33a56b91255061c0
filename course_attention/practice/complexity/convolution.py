"""A convolution over tokens: each output is made from a few neighbouring tokens."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.complexity.counted import with_count


def convolution(x, kernel):
    """Let each matrix of the kernel serve all tokens at once, and add up what they give."""
    half = len(kernel) // 2
    padded = F.pad(x, (0, 0, half, half))
    return sum(padded[i : i + len(x)] @ kernel[i] for i in range(len(kernel)))


def kernel_turned_round(x, kernel):
    return convolution(x, kernel.flip(0))


def causal(x, kernel):
    padded = F.pad(x, (0, 0, len(kernel) - 1, 0))
    return sum(padded[i : i + len(x)] @ kernel[i] for i in range(len(kernel)))


def anticausal(x, kernel):
    padded = F.pad(x, (0, 0, 0, len(kernel) - 1))
    return sum(padded[i : i + len(x)] @ kernel[i] for i in range(len(kernel)))


def around_the_ends(x, kernel):
    half = len(kernel) // 2
    return sum(x.roll(half - i, 0) @ kernel[i] for i in range(len(kernel)))


def ends_repeated(x, kernel):
    half = len(kernel) // 2
    padded = torch.cat([x[:1].expand(half, -1), x, x[-1:].expand(half, -1)])
    return sum(padded[i : i + len(x)] @ kernel[i] for i in range(len(kernel)))


def inner_tokens_alone(x, kernel):
    n = len(x) - len(kernel) + 1
    return sum(x[i : i + n] @ kernel[i] for i in range(len(kernel)))


def kernel_added_up(x, kernel):
    return x @ kernel.sum(dim=0)


def middle_alone(x, kernel):
    return x @ kernel[len(kernel) // 2]


def each_matrix(x, kernel):
    half = len(kernel) // 2
    padded = F.pad(x, (0, 0, half, half))
    return torch.stack([padded[i : i + len(x)] @ kernel[i] for i in range(len(kernel))])


def padding_on_the_cpu(x, kernel):
    zeros = torch.zeros(len(kernel) // 2, x.shape[1], dtype=x.dtype)
    padded = torch.cat([zeros, x, zeros])
    return sum(padded[i : i + len(x)] @ kernel[i] for i in range(len(kernel)))


def _outputs_and_work(answer: Callable[..., Any], x: Tensor, kernel: Tensor) -> Any:
    return with_count(answer, convolution, (x, kernel), len(x) * kernel.numel())


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield three tokens of one number, then drawn ones and kernels of several sizes."""
    yield Trial(
        "three tokens, 1, 2 and 3; the kernel is 10, 1, 100",
        {"x": torch.tensor([[1.0], [2.0], [3.0]]), "kernel": torch.tensor([[[10.0]], [[1.0]], [[100.0]]])},
        (torch.tensor([[201.0], [312.0], [23.0]]), "as many as expected"),
        _outputs_and_work,
        says="The token before counts 10 times, the token itself once, and the token after it 100 times. So the second "
        "output is 10 + 2 + 300. Before the first token and behind the last one there are zeros.",
    )
    for n_tokens, kernel_size, d_in, d_out in ((6, 3, 3, 4), (7, 5, 2, 3), (3, 1, 2, 2)):
        x = torch.randn(n_tokens, d_in, generator=generator, dtype=torch.float64)
        kernel = torch.randn(kernel_size, d_in, d_out, generator=generator, dtype=torch.float64)
        yield Trial(
            f"{n_tokens} tokens of length {d_in}, a kernel of {kernel_size}",
            {"x": x, "kernel": kernel},
            run=_outputs_and_work,
            says="Each matrix of the kernel is multiplied with n_tokens rows: products with zeros count, too.",
        )


PRACTICE = Practice(
    name="convolution",
    prompt="Each output is made from the k tokens around its own.",
    minutes=10,
    hints=(
        "With h = k // 2, `F.pad(x, (0, 0, h, h))` puts h rows of zeros before the tokens and h rows behind them.",
        "In the padded text, the tokens that `kernel[0]` reads are the rows 0 to n_tokens − 1. `kernel[1]` reads the "
        "rows from 1 on.",
        "Add up `padded[i : i + len(x)] @ kernel[i]` over all i.",
    ),
    given=convolution,
    trials=trials,
    returns=("outputs", "multiply–adds"),
    misconceptions={
        "convolution-flipped": Misconception(
            "The kernel is turned round",
            "`kernel[0]` belongs to the token farthest *before* token t, and the last matrix to the farthest one after "
            "it.",
            (kernel_turned_round,),
        ),
        "convolution-shifted": Misconception(
            "Token t is not in the middle",
            "Each output is made from h tokens before its own and h tokens after it: h rows of zeros on either side.",
            (causal, anticausal),
        ),
        "convolution-ends": Misconception(
            "Beyond the ends there are tokens instead of zeros",
            "The outputs in the middle are right. Before the first token and behind the last one there "
            "should be zeros.",
            (around_the_ends, ends_repeated),
        ),
        "convolution-too-short": Misconception(
            "The outputs at the ends are missing",
            "There is an output for each token. Where a neighbour is missing, zeros take its place.",
            (inner_tokens_alone,),
        ),
        "convolution-neighbours-ignored": Misconception(
            "Each output depends on its own token only",
            "Each matrix of the kernel reads another neighbour.",
            (kernel_added_up, middle_alone),
        ),
        "convolution-not-summed": Misconception(
            "What the matrices give is not added up",
            "An output is the sum over all matrices of the kernel, (n_tokens, d_out).",
            (each_matrix,),
        ),
        "convolution-device": Misconception(
            "A new tensor is on the CPU",
            "The outputs are right. But this notebook also counts on the device “meta”, where nothing is computed: "
            "make new tensors with `device=x.device`. `F.pad` does so by itself.",
            (padding_on_the_cpu,),
        ),
    },
)
