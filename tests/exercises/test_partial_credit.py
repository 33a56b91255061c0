"""What typical answers earn: as a teacher would say, the formula first, the mask next, the edges last."""

from __future__ import annotations

import pytest

from course_attention.answer_corpus.answer_value import value_of
from course_attention.answer_corpus.corpus import answers
from course_attention.exercises import CATALOGUE

# exercise, answer of the corpus, and between which shares of the exercise it earns
EARNED = [
    # The formula is wrong and the rest is right: little.
    ("attention", "wrong__scale_by_d__1", 0.1, 0.35),
    ("attention", "wrong__no_scale__1", 0.1, 0.35),
    ("attention", "wrong__softmax_over_queries__1", 0.1, 0.35),
    ("attention", "wrong__key_not_transposed__1", 0.0, 0.35),
    ("rotary", "wrong__rotary_backwards__1", 0.0, 0.35),
    ("causal_mask", "wrong__causal_strict__1", 0.0, 0.35),
    ("attention_distribution", "wrong__softmax_over_batch__1", 0.0, 0.35),
    ("sink_mask", "wrong__causality_lost__1", 0.2, 0.35),
    ("sink_mask", "wrong__causal_strict__1", 0.2, 0.35),
    ("sink_mask", "wrong__window_not_yet_full__1", 0.2, 0.35),
    # The window is right and the sinks are not, where the exercise is about the sinks: a third.
    ("sink_mask", "wrong__sinks_forgotten__1", 0.2, 0.4),
    # The formula is wrong, and so is the mask: next to nothing.
    ("attention", "double__scale_by_d__and_mask_ignored", 0.0, 0.1),
    ("self_attention", "double__no_scale__and_mask_ignored", 0.0, 0.1),
    # Every number is wrong, and the shape is right: nothing.
    ("attention", "extra__return_order_swapped", 0.0, 0.0),
    ("attention_scores", "wrong__scale_added__4", 0.0, 0.1),
    # The formula is right and the mask is wrong: more than half.
    ("attention", "wrong__mask_ignored__1", 0.5, 0.75),
    ("attention", "wrong__mask_inverted__2", 0.5, 0.75),
    ("EncoderBlock", "wrong__mask_ignored__1", 0.5, 0.75),
    ("sequence_loss", "wrong__loss_counts_padding__1", 0.5, 0.75),
    ("causal_mask", "wrong__causal_top_left__1", 0.5, 0.75),
    # Where the exercise is about the mask, that is worth less.
    ("masked_softmax", "wrong__mask_ignored__1", 0.1, 0.4),
    # Right for one sequence, wrong for two.
    ("MultiHeadAttention", "wrong__cross_ignores_context__1", 0.4, 0.75),
    # Wrong at an edge alone: nearly everything.
    ("attention", "wrong__mask_fully_nan__1", 0.875, 0.99),
    ("attention", "wrong__mask_fully_uniform__1", 0.875, 0.99),
    ("masked_softmax", "wrong__mask_fully_nan__1", 0.875, 0.99),
    ("EncoderBlock", "wrong__mask_fully_nan__1", 0.875, 0.99),
    ("sinusoidal_encoding", "wrong__odd_dimension__1", 0.8, 0.99),
    # For one number of axes alone, and otherwise right.
    ("attention", "extra__three_axes_only", 0.8, 0.99),
    # Right without a batch axis only, where the exercise is about the axes: two thirds.
    ("split_heads", "wrong__axes_from_the_front__1", 0.5, 0.75),
    # Right with one batch axis only, which the plain cases do not have: little.
    ("split_heads", "wrong__axes_from_the_front__2", 0.1, 0.35),
    # Right numbers, and a rule of the contract broken.
    ("attention", "wrong__detached__2", 0.85, 0.99),
    ("attention", "wrong__input_changed__1", 0.85, 0.99),
    ("attention", "wrong__wrong_dtype__2", 0.9, 0.99),
    ("attention", "wrong__wrong_device__1", 0.9, 0.99),
    ("attention", "extra__gradient_of_nan", 0.875, 0.99),
    # Rounded to float32 on the way: as with another dtype.
    ("attention", "extra__root_in_float32", 0.9, 0.99),
    ("attention", "extra__softmax_in_float32", 0.9, 0.99),
    # Wrong with inputs that are not contiguous, and otherwise right.
    ("rotary", "extra__pairs_apart", 0.9, 0.99),
]


@pytest.mark.parametrize(("name", "label", "least", "most"), EARNED, ids=[f"{n}-{a}" for n, a, *_ in EARNED])
def test_what_is_earned(name: str, label: str, least: float, most: float, seeds: int) -> None:
    """A typical answer earns what a teacher would give it, at every seed."""
    answer = next(answer for answer in answers(name) if answer.label == label)
    for seed in range(min(seeds, 10)):
        verdict = CATALOGUE[name].judge(value_of(answer), seed=seed)
        assert verdict.status != "passed" and least <= verdict.score <= most, (seed, verdict.message)
