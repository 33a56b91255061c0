"""One step of fine-tuning: forward pass, loss, backward pass, a limit on the gradient, and a move of the weights."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_attention.practice.authoring import Misconception, Practice, Trial


def fine_tuning_step(model, optimizer, batch):
    """Predict each token from those before it, and move along a gradient whose length is at most 1."""
    logits, _ = model(batch[:, :-1])
    loss = F.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def _loss(model, batch):
    return F.cross_entropy(model(batch[:, :-1])[0].flatten(0, 1), batch[:, 1:].flatten())


def not_limited(model, optimizer, batch):
    loss = _loss(model, batch)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def each_number_limited(model, optimizer, batch):
    loss = _loss(model, batch)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(model.parameters(), 1.0)
    optimizer.step()


def gradients_kept(model, optimizer, batch):
    _loss(model, batch).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def nothing_moves(model, optimizer, batch):
    _loss(model, batch).backward()


def one_step_late(model, optimizer, batch):
    loss = _loss(model, batch)
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)


def without_shift(model, optimizer, batch):
    loss = F.cross_entropy(model(batch[:, :-1])[0].flatten(0, 1), batch[:, :-1].flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def without_shift_of_all(model, optimizer, batch):
    loss = F.cross_entropy(model(batch)[0].flatten(0, 1), batch.flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def uphill(model, optimizer, batch):
    loss = -_loss(model, batch)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def two_steps_in_one(model, optimizer, batch):
    fine_tuning_step(model, optimizer, batch)
    optimizer.step()


class SteepTable(nn.Module):
    """A model whose logits for the next token are a row of a table, many times as large; it has no caches."""

    def __init__(self, table: Tensor, times: float) -> None:
        super().__init__()
        self.table = nn.Parameter(table)
        self.times = times

    def forward(self, tokens: Tensor, caches: None = None) -> tuple[Tensor, None]:
        """Read tokens (batch, n). Returns logits (batch, n, n_tokens) and no caches."""
        return self.times * self.table[tokens], None


def _after_steps(answer: Callable[..., Any], model: SteepTable, batches: list[Tensor], rate: float) -> Tensor:
    """Return the table after a step of gradient descent on each batch."""
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for batch in batches:
        answer(model, optimizer, batch)
    return model.table.detach()


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one step whose gradient is too long, then steps with long gradients and with short ones."""
    root = 0.5**0.5
    yield Trial(
        "two tokens, 0 and 1; the logits are 4 times a table of zeros; gradient descent with rate 1",
        {"model": SteepTable(torch.zeros(2, 2), 4.0), "batches": [torch.tensor([[0, 1]])], "rate": 1.0},
        torch.tensor([[-root, root], [0.0, 0.0]]),
        _after_steps,
        says="Both tokens are equally probable after 0, so the gradient at row 0 is 4 · (½, −½) = (2, −2). Its length "
        "is 2.83. Limited to the length 1 it is (0.707, −0.707), and that is subtracted.",
        changes=("model",),
        tolerance=1e-4,
    )
    for times, n_steps in ((0.5, 2), (6.0, 3)):
        yield Trial(
            f"{n_steps} steps on random tokens, the logits are {times:g} times a table",
            {
                "model": SteepTable(torch.randn(5, 5, generator=generator), times),
                "batches": list(torch.randint(5, (n_steps, 2, 4), generator=generator)),
                "rate": 0.5,
            },
            run=_after_steps,
            says="Each token is predicted from those before it. Only a gradient longer than 1 is shortened.",
            changes=("model",),
            tolerance=1e-4,
        )


PRACTICE = Practice(
    name="fine_tuning_step",
    prompt="One step on a batch: each token is predicted from those before it.",
    minutes=5,
    hints=(
        "The inputs are `batch[:, :-1]`, and the targets `batch[:, 1:]`. The model returns logits and caches.",
        "`F.cross_entropy` takes the logits as (n_questions, n_tokens), so flatten the first two axes: "
        "`logits.flatten(0, 1)`. Then come the calls of notebook 05: zero_grad, backward, step.",
        "`nn.utils.clip_grad_norm_(model.parameters(), 1.0)` comes after `backward`, when there is a gradient, and "
        "before `step`, which uses it.",
    ),
    given=fine_tuning_step,
    trials=trials,
    returns=("table",),
    misconceptions={
        "fine-tuning-not-limited": Misconception(
            "The length of the gradient is not limited",
            "The direction is right, and the step is too long. `clip_grad_norm_` belongs between the backward pass and "
            "the update: before it there is no gradient, and after it the weights have moved already.",
            (not_limited,),
        ),
        "fine-tuning-values-limited": Misconception(
            "Each number of the gradient is limited on its own",
            "That changes the direction of the gradient. `clip_grad_norm_` shortens it and keeps its direction.",
            (each_number_limited,),
        ),
        "fine-tuning-gradients-kept": Misconception(
            "The gradients of earlier steps are still there",
            "The first step is right. In the second, PyTorch adds the new gradient to the old one. Clear the old "
            "gradients in each step: `optimizer.zero_grad()`.",
            (gradients_kept,),
        ),
        "fine-tuning-nothing-moves": Misconception(
            "No step moves the weights",
            "The weights are where they were at first. Either `optimizer.step()` is missing, or it finds no gradient, "
            "because `zero_grad()` has just cleared it.",
            (nothing_moves,),
        ),
        "fine-tuning-one-late": Misconception(
            "Each step moves along the gradient of the step before",
            "`optimizer.step()` comes before `loss.backward()` has computed the new gradient.",
            (one_step_late,),
        ),
        "fine-tuning-no-shift": Misconception(
            "The model is asked for the token that it has just read",
            "The answer to the question at place i is the token at place i + 1: the targets are `batch[:, 1:]`.",
            (without_shift, without_shift_of_all),
        ),
        "fine-tuning-uphill": Misconception(
            "The loss grows",
            "The weights move along the gradient and not against it. An optimizer makes the loss *smaller*: give it "
            "the loss with its own sign.",
            (uphill,),
        ),
        "fine-tuning-twice": Misconception(
            "The weights move twice in each step",
            "Call `optimizer.step()` once in each step.",
            (two_steps_in_one,),
        ),
    },
)
