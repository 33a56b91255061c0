"""Texts are nested, and the task asks each bracket for its partner's mark."""

from __future__ import annotations

import torch

from course_attention.experiments.self_attention.bracket_matching import (
    D_MODEL,
    SYMBOLS,
    draw_task,
    draw_text,
)


def test_texts_are_nested():
    """Every text has each symbol once, and closes brackets in the order in which they can be closed."""
    generator = torch.Generator().manual_seed(0)
    texts = [draw_text(generator) for _ in range(200)]
    for text in texts:
        opened = []
        for symbol in text:
            if symbol in "([{<":
                opened.append(symbol)
            else:
                assert SYMBOLS[SYMBOLS.index(opened.pop()) + 1] == symbol
        assert sorted(text) == sorted(SYMBOLS)
    assert len(set(texts)) > 100  # of 336


def test_the_mark_asked_for_is_the_partners():
    """A token is its symbol's channel and its mark, no more; what is asked for is the mark of its partner."""
    x, partner_marks = draw_task(20, torch.Generator().manual_seed(0))
    assert x.shape == (20, 8, D_MODEL) and (x[..., :8].sum(-1) == 1).all()
    for tokens, asked_for in zip(x, partner_marks, strict=True):
        marks = {SYMBOLS[token[:8].argmax()]: token[8:] for token in tokens}
        for token, mark in zip(tokens, asked_for, strict=True):
            symbol = SYMBOLS.index(SYMBOLS[token[:8].argmax()])
            partner = SYMBOLS[symbol + 1 if symbol % 2 == 0 else symbol - 1]
            assert torch.equal(mark, marks[partner])


def test_repeats():
    """The same seed gives the same task, another seed another; the global generator is left alone."""
    before = torch.random.get_rng_state()
    first, second, other = (draw_task(3, torch.Generator().manual_seed(seed))[0] for seed in (0, 0, 1))
    assert torch.equal(first, second) and not torch.equal(first, other)
    assert torch.equal(torch.random.get_rng_state(), before)
