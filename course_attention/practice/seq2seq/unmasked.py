"""Attention without the mask: the padding gets a share as well."""

from collections.abc import Iterator

import torch

from course_attention.mechanisms.seq2seq import attend_and_concat
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.seq2seq.states_of_texts import one_text, two_texts


def unmasked(state, memory, allowed):
    """One step of attention to all states, those in the padding included."""
    return attend_and_concat(state, memory)


def mask_still_there(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory, allowed & True)
    return joined, distribution


def mask_turned_round(state, memory, allowed):
    return attend_and_concat(state, memory, ~allowed)


def nothing_allowed(state, memory, allowed):
    return attend_and_concat(state, memory, torch.zeros_like(allowed))


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one text, with numbers that can be followed, and two texts without padding and with it."""
    text = one_text()
    text["memory"] = torch.tensor([[[1.0, 0.0], [0.0, 4.0], [1.0, 8.0]]])
    yield Trial(
        "one text of two characters and a padding",
        text,
        (
            torch.tensor([[0.9366211, 4.0, 2.0, 0.0]]),
            torch.tensor([[0.4683105, 0.0633789, 0.4683105]]),
        ),
        says="The third place is padding. Its state has the score 2, as the first one has, so it gets an equal weight.",
    )
    for title, arguments in two_texts(generator):
        yield Trial(title, arguments)


PRACTICE = Practice(
    name="unmasked",
    prompt="What `attend_and_concat` gives when it may attend to the padding as well.",
    minutes=2,
    hints=(
        "`allowed` says which places are no padding. Without it, every place may be attended to.",
        "The docstring of `attend_and_concat` says what its third argument means when it is left out.",
    ),
    given=unmasked,
    trials=trials,
    returns=("joined", "distribution"),
    misconceptions={
        "unmasked-not-yet": Misconception(
            "The mask is still there",
            "The padding has a weight of 0, as before. Call `attend_and_concat` such that it knows nothing "
            "of the padding.",
            (mask_still_there,),
        ),
        "unmasked-turned-round": Misconception(
            "Only the padding may be attended to",
            "`~allowed` exchanges True and False, so that the characters are blocked. Without a mask, every place may "
            "be attended to.",
            (mask_turned_round,),
        ),
        "unmasked-nothing-allowed": Misconception(
            "Nothing may be attended to",
            "A mask that is False everywhere blocks all places. Everything is allowed where the mask is True "
            "everywhere, or where there is none.",
            (nothing_allowed,),
        ),
    },
    start="""
def unmasked(state, memory, allowed):
    return attend_and_concat(state, memory, allowed)
""",
)
