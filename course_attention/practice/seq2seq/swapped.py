"""The two halves of what attention hands on, in the other order: [s_t; a_t]."""

from collections.abc import Iterator

import torch

from course_attention.mechanisms.seq2seq import attend_and_concat
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.seq2seq.states_of_texts import one_text, two_texts


def swapped(state, memory, allowed):
    """One step of attention, with the decoder's state in front of the context."""
    joined, distribution = attend_and_concat(state, memory, allowed)
    context, own = joined.chunk(2, dim=-1)
    return torch.cat([own, context], dim=-1), distribution


def unchanged(state, memory, allowed):
    return attend_and_concat(state, memory, allowed)


def second_half_twice(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory, allowed)
    return torch.cat([joined.chunk(2, dim=-1)[1]] * 2, dim=-1), distribution


def first_half_twice(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory, allowed)
    return torch.cat([joined.chunk(2, dim=-1)[0]] * 2, dim=-1), distribution


def turned_round(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory, allowed)
    return joined.flip(-1), distribution


def texts_exchanged(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory, allowed)
    return torch.cat(joined.chunk(2, dim=0)[::-1], dim=0), distribution


def second_half_alone(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory, allowed)
    return joined.chunk(2, dim=-1)[1], distribution


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one text, with numbers that can be followed, and two texts without padding and with it."""
    yield Trial(
        "one text of two characters and a padding",
        one_text(),
        (
            torch.tensor([[2.0, 0.0, 0.8807971, 0.4768117]]),
            torch.tensor([[0.8807971, 0.1192029, 0.0]]),
        ),
        says="The state (2, 0) comes first, and the context after it, each in its own order.",
    )
    for title, arguments in two_texts(generator):
        yield Trial(title, arguments)


PRACTICE = Practice(
    name="swapped",
    prompt="What `attend_and_concat` returns, with the second half of `joined` in front of the first.",
    minutes=4,
    hints=(
        "`joined` is [a_t; s_t], and both halves are equally long. Cut it in the middle of its last axis.",
        "`first, second = joined.chunk(2, dim=-1)` makes the cut.",
        "`torch.cat([…], dim=-1)` joins them again, in the order in which they are in the list.",
    ),
    given=swapped,
    trials=trials,
    returns=("joined", "distribution"),
    misconceptions={
        "swap-nothing-moved": Misconception(
            "The two halves are still in their places",
            "What is returned is [a_t; s_t], as before. The decoder's state s_t is to come first.",
            (unchanged,),
        ),
        "swap-one-half-twice": Misconception(
            "One half is there twice, and the other is lost",
            "A slice is a view: whoever writes into `joined` changes the half that was cut out as well. Make a new "
            "tensor of both halves, with `torch.cat`.",
            (second_half_twice, first_half_twice),
        ),
        "swap-turned-round": Misconception(
            "Every single number is turned round, not the halves",
            "`flip` reverses the whole axis. Each half should keep its own order.",
            (turned_round,),
        ),
        "swap-texts": Misconception(
            "The texts of the batch change places, not the halves",
            "Axis 0 goes over the texts. The two halves are next to each other along the last axis.",
            (texts_exchanged,),
        ),
        "swap-half-alone": Misconception(
            "One half is returned alone",
            "The output layer reads both halves. Join the first half to the end of the second.",
            (second_half_alone,),
        ),
    },
    start="""
def swapped(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory, allowed)
    return joined, distribution
""",
)
