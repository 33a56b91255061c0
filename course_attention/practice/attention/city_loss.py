"""The loss of a lookup: how far its outputs lie from what the callers wanted."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from course_attention.mechanisms.attention import attention
from course_attention.practice.authoring import Misconception, Practice, Trial


def city_loss(look_up, asked, entries, there, wanted):
    """The mean squared difference between what is looked up and what is wanted."""
    output, _ = look_up(asked, entries, there)
    return (output - wanted).square().mean()


def roles_exchanged(look_up, asked, entries, there, wanted):
    return (look_up(entries, asked, there)[0] - wanted).square().mean()


def roles_exchanged_throughout(look_up, asked, entries, there, wanted):
    return (look_up(entries, asked, wanted)[0] - there).square().mean()


def wanted_brought_back(look_up, asked, entries, there, wanted):
    return (look_up(entries, asked, wanted)[0] - wanted).square().mean()


def values_wanted(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, wanted)[0] - wanted).square().mean()


def there_and_wanted_exchanged(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, wanted)[0] - there).square().mean()


def of_weights(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, there)[1] - wanted).square().mean()


def against_entries(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, there)[0] - there).square().mean()


def summed(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, there)[0] - wanted).square().sum()


def summed_for_each_call(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, there)[0] - wanted).square().sum(dim=-1).mean()


def not_squared(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, there)[0] - wanted).abs().mean()


def signs_cancel(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, there)[0] - wanted).mean()


def square_of_mean(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, there)[0] - wanted).mean().square()


def distance(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, there)[0] - wanted).norm(dim=-1).mean()


def root(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, there)[0] - wanted).square().mean().sqrt()


def cut_off(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, there)[0].detach() - wanted).square().mean()


def a_plain_number(look_up, asked, entries, there, wanted):
    return (look_up(asked, entries, there)[0] - wanted).square().mean().item()


def _loss(answer: Callable[..., Any], asked: Tensor, entries: Tensor, there: Tensor, wanted: Tensor) -> Any:
    return answer(attention, asked, entries, there, wanted)


def _gradient(
    answer: Callable[..., Any], asked: Tensor, entries: Tensor, there: Tensor, wanted: Tensor, w: Tensor
) -> Tensor | None:
    """Return the gradient that reaches a projection of the queries."""
    w_query = nn.Parameter(w)
    loss = answer(lambda query, key, value: attention(query @ w_query, key, value), asked, entries, there, wanted)
    if not (isinstance(loss, Tensor) and loss.requires_grad):
        return None
    loss.backward()
    return w_query.grad


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one call by hand, several calls, and the gradient."""
    yield Trial(
        "look_up is attention; one call that fits both entries equally well",
        {
            "asked": torch.zeros(1, 3),
            "entries": torch.tensor([[1.0, 0, 1], [0, 1, 0]]),
            "there": torch.tensor([[0.0, 0], [4, 2]]),
            "wanted": torch.tensor([[2.0, 3]]),
        },
        2.0,
        _loss,
        says="The two weights are equal, so the output is (2, 1). It differs from (2, 3) by 0 and by −2, and the mean "
        "of 0 and 4 is 2.",
    )
    for n_calls, n_entries in ((6, 4), (5, 5)):
        asked, entries = (torch.randn(n, 3, generator=generator) for n in (n_calls, n_entries))
        there = 5 * torch.randn(n_entries, 2, generator=generator)
        wanted = there[torch.randint(n_entries, (n_calls,), generator=generator)]
        arguments = {"asked": asked, "entries": entries, "there": there, "wanted": wanted}
        yield Trial(f"look_up is attention; {n_calls} calls, {n_entries} entries", arguments, run=_loss, tolerance=1e-4)
    yield Trial(
        "look_up projects the queries; the gradient of the loss",
        arguments | {"w": torch.randn(3, 3, generator=generator)},
        run=_gradient,
        says="The training follows the gradient of the loss back to the projection. Here none arrives, or another one.",
        tolerance=1e-3,
    )


PRACTICE = Practice(
    name="city_loss",
    prompt="The loss of a lookup: the mean squared difference between its outputs and the places that were wanted.",
    minutes=5,
    hints=(
        "Which of the tensors asks, which one is compared with the question, and which one is brought back? The lookup "
        "takes them in the order query, key, value.",
        "`output, weights = look_up(asked, entries, there)`. The loss compares the output with `wanted`.",
        "Take the difference of both, square each number of it, and return the mean of all of them: "
        "`.square().mean()`.",
    ),
    given=city_loss,
    trials=trials,
    returns=("loss",),
    misconceptions={
        "loss-roles-exchanged": Misconception(
            "The entries ask, and the calls are searched",
            "The query is what asks: here, what the caller typed. It is compared with the keys, which are the entries.",
            (roles_exchanged, roles_exchanged_throughout, wanted_brought_back),
        ),
        "loss-values-wanted": Misconception(
            "The lookup is handed the places that are wanted",
            "The values are what the entries hold, one for each entry. What is wanted is not in the directory: the "
            "output is compared with it afterwards.",
            (values_wanted, there_and_wanted_exchanged),
        ),
        "loss-of-weights": Misconception(
            "The weights are compared, not the output",
            "The lookup returns the output first and then the weights. Nobody says which entry was meant, so there is "
            "nothing to compare the weights with.",
            (of_weights,),
        ),
        "loss-against-entries": Misconception(
            "The output is compared with the entries' places",
            "There is an output for each call, and `wanted` holds the place that this call wants.",
            (against_entries,),
        ),
        "loss-summed": Misconception(
            "A sum takes the place of the mean",
            "The mean is over all numbers of the difference, over the calls and over the two coordinates. A sum grows "
            "with their number.",
            (summed, summed_for_each_call),
        ),
        "loss-not-squared": Misconception(
            "The differences are not squared",
            "A squared difference counts a large miss more than several small ones, and misses to either side do not "
            "cancel.",
            (not_squared, signs_cancel, distance),
        ),
        "loss-square-of-mean": Misconception(
            "The mean is taken before the square",
            "Differences to either side cancel in a mean. Square first, then take the mean.",
            (square_of_mean,),
        ),
        "loss-root": Misconception(
            "A root is taken at the end",
            "The mean of the squares is the loss. Its root has the same minimum, but other gradients.",
            (root,),
        ),
        "loss-cut-off": Misconception(
            "No gradient can go back from this loss",
            "`.detach()` and `.item()` give numbers that no longer know how they were computed. The training needs the "
            "tensor itself.",
            (cut_off, a_plain_number),
        ),
    },
)
