"""Repeated patterns: what can be known of them stands where it is said to stand."""

from __future__ import annotations

import torch

from course_attention.experiments.modern.repeated_patterns import LONGEST, N_TOKENS, SHORTEST, draw_patterns


def test_patterns() -> None:
    """A pattern has no letter twice before it repeats, and its source is where the next token stood before."""
    drawn = draw_patterns(50, torch.Generator().manual_seed(0))
    assert drawn.tokens.shape == (50, N_TOKENS) and set(drawn.period.flatten().tolist()) <= set(
        range(SHORTEST, LONGEST + 1)
    )
    for tokens, period, source, known in zip(
        drawn.tokens.tolist(),
        drawn.period.flatten().tolist(),
        drawn.source.tolist(),
        drawn.known.tolist(),
        strict=True,
    ):
        assert len(set(tokens[:period])) == period
        for place in range(N_TOKENS - 1):
            assert known[place] == (tokens[place] in tokens[:place])
            places = [j for j in range(N_TOKENS - 1) if source[place][j]]
            assert places == [j for j in range(1, place + 1) if tokens[j - 1] == tokens[place]]
            assert all(tokens[j] == tokens[place + 1] for j in places)
