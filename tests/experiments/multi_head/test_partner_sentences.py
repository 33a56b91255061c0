"""Sentences have the relations that they are said to have."""

from __future__ import annotations

import torch

from course_attention.experiments.multi_head.partner_sentences import D_PAYLOAD, draw_sentences


def test_sentences() -> None:
    """Every word but the first has a word before it, and every word one partner with the same first letter."""
    drawn = draw_sentences(50, torch.Generator().manual_seed(0))
    before, partner = drawn.related.unbind(dim=1)
    assert before[0].nonzero().tolist() == [[i, i - 1] for i in range(1, 10)]
    assert (partner.sum(-1) == 1).all() and torch.equal(partner, partner.mT)
    letters = drawn.x[..., :26].argmax(-1)
    assert torch.equal(letters, (partner.float() @ letters.unsqueeze(-1).float()).squeeze(-1).long())
    payload = drawn.x[..., -D_PAYLOAD:]
    assert torch.equal(drawn.wanted[:, 1:, 0], payload[:, :-1])
    assert drawn.wanted[:, 0, 0].eq(0).all()
