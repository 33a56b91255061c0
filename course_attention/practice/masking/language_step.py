"""One step in the training of a language model: the loss of a batch, its gradients, and a move of the weights."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.masking.next_word_loss import NextWordTable, next_word_loss


def language_step(model, optimizer, batch, allowed):
    """Compute the loss, clear the old gradients, compute the new ones, and move the weights."""
    loss = next_word_loss(model, batch, allowed)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def gradients_kept(model, optimizer, batch, allowed):
    loss = next_word_loss(model, batch, allowed)
    loss.backward()
    optimizer.step()
    return loss.item()


def nothing_moves(model, optimizer, batch, allowed):
    return next_word_loss(model, batch, allowed).item()


def one_step_late(model, optimizer, batch, allowed):
    loss = next_word_loss(model, batch, allowed)
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


def two_steps_in_one(model, optimizer, batch, allowed):
    loss = language_step(model, optimizer, batch, allowed)
    optimizer.step()
    return loss


def loss_after_the_step(model, optimizer, batch, allowed):
    language_step(model, optimizer, batch, allowed)
    return next_word_loss(model, batch, allowed).item()


def with_its_graph(model, optimizer, batch, allowed):
    loss = next_word_loss(model, batch, allowed)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def nothing_returned(model, optimizer, batch, allowed):
    language_step(model, optimizer, batch, allowed)


def _after_steps(answer: Callable[..., Any], model: nn.Module, batches: list[Tensor], rate: float) -> Any:
    """Return the losses that the steps report, the form of the last one, and the table that is left."""
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    losses = []
    for batch in batches:
        n_questions = batch.shape[1] - 1
        allowed = torch.ones(n_questions, n_questions, device=batch.device).tril().bool()
        losses.append(answer(model, optimizer, batch, allowed))
    has_graph = isinstance(losses[-1], Tensor) and losses[-1].requires_grad
    return losses, "a tensor that carries a gradient" if has_graph else "a number", model.table.detach()


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one step that can be computed by hand, then several on random words."""
    after = torch.zeros(3, 3)
    after[1] = torch.tensor([-1.0, -1.0, 2.0])
    yield Trial(
        "one text, 1 and 2; a table of zeros; gradient descent with rate 3",
        {"model": NextWordTable(torch.zeros(3, 3)), "batches": [torch.tensor([[1, 2]])], "rate": 3.0},
        ([torch.tensor(3.0).log()], "a number", after),
        _after_steps,
        says="All three words are equally probable, so the loss is ln 3. Its gradient at row 1 of the table is "
        "(1/3, 1/3, −2/3), and three times that is subtracted.",
        changes=("model",),
        tolerance=1e-5,
    )
    for n_steps, n_texts in ((2, 1), (3, 4)):
        yield Trial(
            f"{n_steps} steps, each on {n_texts} random texts of 5 words".replace("1 random texts", "1 random text"),
            {
                "model": NextWordTable(torch.randn(7, 7, generator=generator), 0.5),
                "batches": list(torch.randint(1, 7, (n_steps, n_texts, 5), generator=generator)),
                "rate": 0.5,
            },
            run=_after_steps,
            says="Every step computes the loss of its own batch, and moves along the gradient of that loss.",
            changes=("model",),
            tolerance=1e-4,
        )


PRACTICE = Practice(
    name="language_step",
    prompt="One step of training on a batch. It returns the loss before the step, as a number.",
    minutes=4,
    hints=(
        "Your `next_word_loss` gives the loss. Then come the three calls that you know from notebook 03.",
        "`optimizer.zero_grad()`, `loss.backward()`, `optimizer.step()`, in this order.",
        "`loss.item()` is the loss as a number of Python. It keeps nothing of the model alive.",
    ),
    given=language_step,
    trials=trials,
    returns=("loss", "form of the loss", "table"),
    misconceptions={
        "language-step-gradients-kept": Misconception(
            "The gradients of earlier steps are still there",
            "The first step is right. In the second, PyTorch adds the new gradient to the old one, and the weights "
            "move along their sum. Clear the old gradients in each step.",
            (gradients_kept,),
        ),
        "language-step-nothing-moves": Misconception(
            "No step moves the weights",
            "The weights are where they were at first. Either one of the three calls is missing, or "
            "`optimizer.step()` finds no gradient, because `zero_grad()` has just cleared it.",
            (nothing_moves,),
        ),
        "language-step-one-late": Misconception(
            "Each step moves along the gradient of the step before",
            "The first step moves nothing, since `optimizer.step()` comes before `loss.backward()` has computed a "
            "gradient.",
            (one_step_late,),
        ),
        "language-step-twice": Misconception(
            "The weights move twice in each step",
            "Call `optimizer.step()` once in each step.",
            (two_steps_in_one,),
        ),
        "language-step-loss-after": Misconception(
            "The loss after the step is returned",
            "It costs a second forward pass. The loss before the step is there already: the step was computed from it.",
            (loss_after_the_step,),
        ),
        "language-step-keeps-graph": Misconception(
            "The loss is returned with its graph",
            "The loop keeps all losses, and each would keep its whole computation alive and could not be plotted. "
            "`loss.item()` is the number alone.",
            (with_its_graph,),
        ),
    },
)
