"""Sentences have the relations that they are said to have."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.multi_head.partner_sentences import (
    D_PAYLOAD,
    LETTER,
    PAYLOAD,
    PLACE,
    Sentences,
    draw_sentences,
    typed_words,
)


def test_sentences() -> None:
    """Every word but the first has a word before it, and every word one partner with the same first letter."""
    drawn = draw_sentences(50, torch.Generator().manual_seed(0))
    before, partner = drawn.related.unbind(dim=1)
    assert before[0].nonzero().tolist() == [[i, i - 1] for i in range(1, 10)]
    assert (partner.sum(-1) == 1).all() and torch.equal(partner, partner.mT)
    letters = drawn.x[..., LETTER].argmax(-1)
    assert torch.equal(letters, (partner.float() @ letters.unsqueeze(-1).float()).squeeze(-1).long())
    payload = drawn.x[..., PAYLOAD]
    of_before, of_partner = drawn.wanted.split(D_PAYLOAD, dim=-1)
    assert torch.equal(of_before[:, 1:], payload[:, :-1])
    assert of_before[:, 0].eq(0).all()
    assert torch.equal(of_partner, partner.float() @ payload)


def test_counted() -> None:
    """A word counts if it has a word before it, and this word is not its partner as well."""
    related = torch.zeros(1, 2, 3, 3, dtype=torch.bool)
    related[0, 0, 1, 0] = related[0, 0, 2, 1] = True  # the words before words 1 and 2
    related[0, 1, 1, 0] = related[0, 1, 2, 0] = True  # word 0 is the partner of both
    assert Sentences(torch.zeros(1, 3, 44), related).counted.tolist() == [[False, False, True]]


def test_typed_words() -> None:
    """A typed word has its letter and its place, and its own payload wherever it stands."""
    x = typed_words(["Six", "dogs", "six"])
    assert x[:, LETTER].argmax(-1).tolist() == [18, 3, 18] and x[:, PLACE].argmax(-1).tolist() == [0, 1, 2]
    assert torch.equal(x[0, PAYLOAD], x[2, PAYLOAD]) and not torch.equal(x[0, PAYLOAD], x[1, PAYLOAD])


@pytest.mark.parametrize(
    ("words", "message"),
    [([], "1 to 10 words; got 0"), (["a"] * 11, "got 11"), (["a", "4th"], "got '4th'"), (["élan"], "a to z")],
)
def test_refuses(words: list[str], message: str) -> None:
    """What there is no vector for is refused, and it says why."""
    with pytest.raises(ValueError, match=message):
        typed_words(words)
