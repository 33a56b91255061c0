"""One step of training: forget the old gradients, compute the new ones, move the parameters."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

from course_attention.practice.authoring import Misconception, Practice, Trial


def training_step(loss, optimizer):
    """Forget the gradients of the last step, compute those of this loss, and move the parameters."""
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def gradients_kept(loss, optimizer):
    loss.backward()
    optimizer.step()


def nothing_moves(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()


def one_step_late(loss, optimizer):
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()


def one_step_late_and_kept(loss, optimizer):
    optimizer.step()
    loss.backward()


def two_steps_in_one(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    optimizer.step()


def _after_steps(answer: Callable[..., Any], w: float, n_steps: int, rate: float) -> float:
    """Return where w ends when w² is made smaller by gradient descent."""
    parameter = nn.Parameter(torch.tensor(w))
    optimizer = torch.optim.SGD([parameter], lr=rate)
    for _ in range(n_steps):
        answer(parameter**2, optimizer)
    return parameter.item()


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one step, two and three on the loss w², whose gradient is 2w."""
    for n_steps, expected in ((1, 0.8), (2, 0.64), (3, 0.512)):
        steps = "one step" if n_steps == 1 else f"{n_steps} steps"
        yield Trial(
            f"the loss is w², w is 1 at first; {steps} of gradient descent with rate 0.1",
            {"w": 1.0, "n_steps": n_steps, "rate": 0.1},
            expected,
            _after_steps,
            says="The gradient of w² is 2w. Each step takes a tenth of it from w, so w becomes 0.8 times as large.",
        )
    w = torch.rand((), generator=generator).item() + 2
    yield Trial(
        f"the same from {w:.2f}, 5 steps with rate 0.05",
        {"w": w, "n_steps": 5, "rate": 0.05},
        w * 0.9**5,
        _after_steps,
    )


PRACTICE = Practice(
    name="training_step",
    prompt="One step of training, after the forward pass: three calls.",
    minutes=3,
    hints=(
        "The docstring names the three parts in their order. Two of them are methods of the optimizer, and one is a "
        "method of the loss.",
        "PyTorch *adds* each new gradient to the one that is there. `optimizer.zero_grad()` takes the old one away.",
        "`loss.backward()` computes the gradients, and `optimizer.step()` moves the parameters along them.",
    ),
    given=training_step,
    trials=trials,
    returns=("w",),
    misconceptions={
        "step-gradients-kept": Misconception(
            "The gradients of earlier steps are still there",
            "The first step is right. In the second, PyTorch adds the new gradient to the old one, and w moves along "
            "their sum. The old gradients have to be forgotten in each step.",
            (gradients_kept,),
        ),
        "step-nothing-moves": Misconception(
            "No step moves the parameter",
            "w is where it was at first. Either one of the three calls is missing, or they come in such an order that "
            "`optimizer.step()` finds no gradient: it needs the one that `loss.backward()` has just computed.",
            (nothing_moves,),
        ),
        "step-one-late": Misconception(
            "Each step moves along the gradient of the step before",
            "The first step moves nothing, since `optimizer.step()` comes before `loss.backward()` has computed a "
            "gradient.",
            (one_step_late, one_step_late_and_kept),
        ),
        "step-twice": Misconception(
            "The parameter moves twice in each step",
            "`optimizer.step()` belongs into a step once.",
            (two_steps_in_one,),
        ),
    },
)
