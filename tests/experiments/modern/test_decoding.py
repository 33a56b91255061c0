"""A cache writes the same text as recomputing everything; a cache that is wrong anywhere writes another."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.experiments.common.cost_counters import multiply_adds
from course_attention.experiments.modern.decoding import (
    N_WORDS,
    CausalTransformer,
    GeneratedText,
    generate,
    next_word_logits,
)
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.modern import cached_attention


@pytest.fixture(scope="module")
def anew():
    return generate(48, CausalTransformer(), None).tokens


def test_same_text(anew):
    """Every token is the same, and the text is no repetition of a few."""
    assert np.array_equal(generate(48, CausalTransformer(), cached_attention).tokens, anew)
    assert len(set(anew)) > 15 and anew.max() < N_WORDS


def test_luck_decides(anew):
    """Another seed draws other tokens."""
    assert not np.array_equal(generate(48, CausalTransformer(), seed=1).tokens, anew)


def forgets_itself(query, key, value, cache):
    output, extended = cached_attention(query, key, value, cache)
    return (output if cache is None else attention(query, *cache)[0]), extended


def loses_the_first(query, key, value, cache):
    output, (keys, values) = cached_attention(query, key, value, cache)
    return output, (keys[..., -30:, :], values[..., -30:, :])


def mixes_up_values(query, key, value, cache):
    output, (keys, values) = cached_attention(query, key, value, cache)
    return output, (keys, values.roll(1, dims=-2))


@pytest.mark.parametrize("step", [forgets_itself, loses_the_first, mixes_up_values])
def test_wrong_cache_shows(step, anew):
    """A token left out, lost or exchanged: the text is another."""
    assert not np.array_equal(generate(48, CausalTransformer(), step).tokens, anew)


def test_every_token_counts():
    """The prediction changes with the first token, and with the order of the others."""
    writer = CausalTransformer()
    one, other, turned = (
        next_word_logits(writer, tokens) for tokens in ([1, 2, 3, 4], [5, 2, 3, 4], [1, 3, 2, 4])
    )
    assert (one - other).abs().max() > 1e-3 and (one - turned).abs().max() > 1e-3


def test_cost_of_a_step():
    """With a cache, each token that is there costs a step its scores and their mixing; recomputing costs more."""
    writer = CausalTransformer(n_layers=1, d_model=8, n_heads=2)

    def step(n_past: int) -> int:
        past = torch.zeros(2, n_past, 4, dtype=torch.float64)
        cache = (past, past)
        return multiply_adds(
            lambda: writer.logits(
                torch.tensor([3]), n_past, lambda i, *parts: cached_attention(*parts, cache)[0]
            )
        )

    def recomputed(n: int) -> int:
        return multiply_adds(lambda: next_word_logits(writer, range(n)))

    assert step(20) - step(10) == 10 * (8 + 8)  # two heads of 4 are 8 for the scores, and 8 for the mixing
    assert recomputed(21) - recomputed(20) > recomputed(11) - recomputed(10) > step(20) - step(19)


def test_mix_is_used(anew):
    """What recomputes is the attention handed in: one that sees nothing of the past writes another text."""
    blind = generate(48, CausalTransformer(), None, mix=lambda i, query, key, value: value).tokens
    assert not np.array_equal(blind, anew)


def test_speed():
    """Tokens per second are medians of bins; what does not fill a bin is left out."""
    text = GeneratedText(np.zeros(7), np.array([1.0, 0.5, 0.25, 0.1, 0.1, 9.0, 5.0]))
    places, speed = text.tokens_per_second(every=3)
    assert places.tolist() == [1.5, 4.5] and speed == pytest.approx([2, 10])
