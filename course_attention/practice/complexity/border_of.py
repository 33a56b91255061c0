"""The border: the length from which pairs of tokens cost as much as all that is done for single tokens."""

from collections.abc import Iterator

import torch

from course_attention.mechanisms.complexity import attention_multiply_adds, block_multiply_adds
from course_attention.practice.authoring import Misconception, Practice, Trial


def border_of(d_model):
    """Try one length after the other, until scores and mixing cost half of the block."""
    for n_tokens in range(1, 100_001):
        if 2 * work_for_pairs(n_tokens, d_model) >= block_multiply_adds(n_tokens, d_model, 4 * d_model):
            return n_tokens
    return None


def work_for_pairs(n_tokens: int, d_model: int) -> int:
    """Return the multiply–adds of scores and mixing, of all heads together, as the notebook has it."""
    return int(attention_multiply_adds(n_tokens, n_tokens, d_model, d_model))


def none(d_model):
    return None if d_model else 0


def more_than_half(d_model):
    return 6 * d_model + 1


def half_as_long(d_model):
    return 3 * d_model


def one_too_short(d_model):
    return 6 * d_model - 1


def twice_as_long(d_model):
    return 12 * d_model


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield blocks of several widths; their border is 6 d_model."""
    yield Trial(
        "d_model = 8",
        {"d_model": 8},
        48,
        says="With n tokens, scores and mixing cost 2 · n² · 8 = 16 n². The rest of the block costs 768 n. At n "
        "= 48 both are 36,864, so the pairs are half of the block.",
    )
    for d_model in (1, 25, int(torch.randint(30, 60, (), generator=generator))):
        yield Trial(
            f"d_model = {d_model}",
            {"d_model": d_model},
            says="`block_multiply_adds(n_tokens, d_model, 4 * d_model)` counts the whole block. The pairs are part "
            "of it.",
        )


PRACTICE = Practice(
    name="border_of",
    prompt="The smallest number of tokens at which the pairs cost at least half of a block.",
    minutes=6,
    hints=(
        "A loop over the lengths 1, 2, 3, … returns the first length at which the condition holds.",
        "The condition: `work_for_pairs(n_tokens, d_model)` is at least half of `block_multiply_adds(n_tokens, "
        "d_model, 4 * d_model)`.",
        "Write it without a division: `2 * work_for_pairs(…) >= block_multiply_adds(…)`.",
    ),
    given=border_of,
    trials=trials,
    returns=("n_tokens",),
    misconceptions={
        "border-none": Misconception(
            "No length is found",
            "None comes back. Either the return is missing, or the pairs are compared with the *whole* block: they are "
            "a part of it, so they never cost as much. Compare them with half of it.",
            (none,),
        ),
        "border-more-than-half": Misconception(
            "The border is one token too long",
            "At the border the pairs cost *at least* half of the block: `>=` and not `>`.",
            (more_than_half,),
        ),
        "border-one-too-short": Misconception(
            "The border is one token too short",
            "At this length the pairs still cost less than half. `range(1, …)` begins with 1, and the number of tokens "
            "is the length itself and not its place in a list.",
            (one_too_short,),
        ),
        "border-half-as-long": Misconception(
            "The border is half as long as it should be",
            "Two mistakes lead here. The pairs should cost half of the *whole* block, and not half of the rest. And "
            "the feed-forward network has d_hidden = 4 · d_model, not d_model.",
            (half_as_long,),
        ),
        "border-twice-as-long": Misconception(
            "The border is twice as long as it should be",
            "At this length the pairs cost two thirds of the block. Half of it is enough.",
            (twice_as_long,),
        ),
    },
)
