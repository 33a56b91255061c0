"""Attention to the same states in another order: the weights move with the states, and the context stays."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.mechanisms.seq2seq import attend_and_concat
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.seq2seq.states_of_texts import one_text, two_texts


def reordered(state, memory, allowed):
    """One step of attention to the states in reverse order, each with its own place in the mask."""
    return attend_and_concat(state, memory.flip(1), allowed.flip(1))


def moved_back(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory.flip(1), allowed.flip(1))
    return joined, distribution.flip(1)


def mask_left_behind(state, memory, allowed):
    return attend_and_concat(state, memory.flip(1), allowed)


def mask_left_behind_rolled(state, memory, allowed):
    return attend_and_concat(state, memory.roll(1, dims=1), allowed)


def mask_alone(state, memory, allowed):
    return attend_and_concat(state, memory, allowed.flip(1))


def texts_reordered(state, memory, allowed):
    return attend_and_concat(state, memory.flip(0), allowed.flip(0))


def numbers_reordered(state, memory, allowed):
    return attend_and_concat(state, memory.flip(-1), allowed)


def numbers_and_mask_reordered(state, memory, allowed):
    return attend_and_concat(state, memory.flip(-1), allowed.flip(-1))


def no_mask(state, memory, allowed):
    return attend_and_concat(state, memory.flip(1))


def _with_weights_by_size(answer: Callable[..., Any], state: Tensor, memory: Tensor, allowed: Tensor) -> Any:
    """Return what any order has to leave as it is, and whether the weights have moved: each order is a right one."""
    returned = answer(state, memory, allowed)
    if not (isinstance(returned, tuple) and len(returned) == 2):
        return returned
    joined, weights = returned
    _, before = attend_and_concat(state, memory, allowed)
    stayed = weights.shape == before.shape and torch.allclose(weights, before, atol=1e-6)
    return joined, weights.sort(dim=-1).values, "as they were" if stayed else "in another order"


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one text, with numbers that can be followed, and two texts without padding and with it."""
    yield Trial(
        "one text of two characters and a padding",
        one_text(),
        (
            torch.tensor([[0.8807971, 0.4768117, 2.0, 0.0]]),
            torch.tensor([[0.0, 0.1192029, 0.8807971]]),
            "in another order",
        ),
        _with_weights_by_size,
        says="The same states with the same weights give the same context, in whatever order they are. The states are "
        "along axis 1 of `memory`, and `allowed` has to move with them along its own axis 1.",
    )
    for title, arguments in two_texts(generator):
        yield Trial(
            title,
            arguments,
            run=_with_weights_by_size,
            says="The states are along axis 1 of `memory`, and `allowed` has to move with them along its own axis 1.",
        )


PRACTICE = Practice(
    name="reordered",
    prompt="What `attend_and_concat` gives when the encoder states come in another order, and the mask with them.",
    minutes=5,
    hints=(
        "The states are the rows of `memory`: axis 0 goes over the texts, axis 1 over the states, and the last axis "
        "over the numbers of one state.",
        "`memory.flip(1)` puts the states into reverse order. Any other order will do as well.",
        "`allowed` says for each place whether it is padding. When a state moves, its entry has to move with it, along "
        "axis 1 too.",
    ),
    given=reordered,
    trials=trials,
    returns=("joined", "the weights by size", "the weights"),
    misconceptions={
        "order-unchanged": Misconception(
            "The states are in the order in which they were",
            "The weights come out in their old places. Put the rows of `memory` into another order before the "
            "attention, not what it returns.",
            (moved_back,),
        ),
        "order-mask-left-behind": Misconception(
            "The states move, and the mask does not",
            "`allowed` still blocks the old places of the padding, so some padding gets a weight, and a real state "
            "gets none.",
            (mask_left_behind, mask_left_behind_rolled),
        ),
        "order-mask-alone": Misconception(
            "The mask moves, and the states do not",
            "`allowed` now blocks real states and lets padding through. Both have to move together.",
            (mask_alone,),
        ),
        "order-of-texts": Misconception(
            "The texts of the batch change places, not the states of a text",
            "Axis 0 goes over the texts, so each decoder state now reads the memory of another text. The states of one "
            "text are along axis 1.",
            (texts_reordered,),
        ),
        "order-of-numbers": Misconception(
            "The numbers within each state are reordered, not the states",
            "The last axis goes over the numbers of one state. The states are along axis 1.",
            (numbers_reordered, numbers_and_mask_reordered),
        ),
        "order-no-mask": Misconception(
            "The mask is left out",
            "Without `allowed`, the padding gets a weight. Hand it to `attend_and_concat`, in the order of the states.",
            (no_mask,),
        ),
    },
    start="""
def reordered(state, memory, allowed):
    return attend_and_concat(state, memory, allowed)
""",
)
