"""Texts in which names are set again and again ask for the latest digits."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.linear.overwritten import NOT_SET, draw_set_once, draw_texts
from course_attention.mechanisms.linear import delta_rule


@pytest.mark.parametrize("n_gone", [0, 2])
def test_answers(n_gone: int) -> None:
    """The answer of a name is the digit of its last line in the last part, and its age the lines since then."""
    texts = draw_texts(0, n_gone=n_gone, n_names=5, n_times=3, n_texts=6)
    n_lines = int(texts.writes[0].sum())
    first = int(texts.begins[0].argmax())
    assert n_lines == 15 + (9 if n_gone else 0) and first == (15 if n_gone else 0)
    asked = texts.key[:, n_lines:]
    for key, value, questions, answers, age in zip(
        texts.key, texts.value, asked, texts.answers, texts.age, strict=True
    ):
        for name, answer, since in zip(questions, answers.tolist(), age.tolist(), strict=True):
            lines = [i for i in range(n_lines) if torch.equal(key[i], name)]
            assert n_lines - 1 - lines[-1] == since
            assert answer == (int(value[lines[-1]].argmax()) if lines[-1] >= first else NOT_SET)


def test_keys_overlap() -> None:
    """Keys have length 1, and none is orthogonal to another."""
    key = draw_texts(0, n_texts=4).key[:, -12:]
    products = key @ key.mT
    torch.testing.assert_close(products.diagonal(dim1=-2, dim2=-1), torch.ones(4, 12))
    assert products.abs().min() > 0


def test_keys_of_ones_own() -> None:
    """Keys that are given are the names' keys in every text; lines, digits and questions stay as they were drawn."""
    drawn, own = (draw_texts(3, n_names=4, n_times=2, d_key=4, n_texts=5, keys=keys) for keys in (None, torch.eye(4)))
    assert torch.equal(own.key[:, -4:], torch.eye(4).expand(5, -1, -1))
    assert torch.equal(own.value, drawn.value) and torch.equal(own.answers, drawn.answers)
    of_lines = drawn.key @ drawn.key[:, -4:].mT  # 1 where a token has the key of a name
    assert torch.equal(own.key.argmax(dim=-1), of_lines.argmax(dim=-1))


def test_set_once() -> None:
    """The name that is asked for is set in the first line alone, and the other lines set every other name."""
    texts = draw_set_once(0, n_names=3, n_after=40, n_texts=5)
    asked = (texts.key @ texts.key[:, -1:].mT).squeeze(-1) > 0.9999
    assert asked[:, [0, -1]].all() and not asked[:, 1:-1].any()
    assert torch.equal(texts.answers, texts.value[:, :1].argmax(dim=-1)) and (texts.age == 40).all()
    assert all(len(key.unique(dim=0)) == 3 for key in texts.key)
    assert torch.equal(texts.writes, texts.value.sum(dim=-1))


def test_right() -> None:
    """A memory that holds each pair is right about all names; below the limit, an answer is “not set”."""
    texts = draw_texts(0, n_names=3, n_times=1, d_key=512, n_texts=20)
    output = delta_rule(texts.key, texts.key, texts.value, texts.writes)
    assert texts.right(output).all()
    assert not texts.right(output, least=2.0).any()
    gone = draw_texts(0, n_gone=1, n_names=3, n_times=1, n_texts=20)
    assert (gone.right(torch.zeros_like(gone.value), least=0.5) == (gone.answers == NOT_SET)).all()
