"""A bag's question needs no positions, an order's does, and a causal mask gives some away."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.positions.token_order import (
    LETTERS,
    WordClassifier,
    answer,
    draw_words,
    train_classifier,
)


@pytest.mark.parametrize("task", ["bag", "order"])
def test_words(task: str) -> None:
    """Each word has one a and one b, and about half of the answers are yes."""
    words, answers = draw_words(task, 2000, 11, torch.Generator().manual_seed(0))
    assert (words == 0).sum(1).eq(1).all() and (words == 1).sum(1).eq(1).all()
    assert 0.45 < answers.mean() < 0.55


def test_answers() -> None:
    """The bag's answer stays when a word is turned round, the order's changes."""
    words, _ = draw_words("bag", 100, 11, torch.Generator().manual_seed(0))
    assert torch.equal(answer("bag", words), answer("bag", words.flip(1)))
    assert torch.equal(answer("order", words), 1 - answer("order", words.flip(1)))


@pytest.mark.parametrize(("positions", "causal"), [("none", True), ("added", False), ("appended", False)])
def test_blind_without_positions(positions: str, causal: bool) -> None:
    """Without positions a word read backwards gives the same logits; with any of the three, others."""
    words = torch.tensor([[LETTERS.index(letter) for letter in "acdbd"]])
    blind, seeing = WordClassifier(), WordClassifier(positions, causal)
    torch.testing.assert_close(blind(words), blind(words.flip(1)))
    assert (seeing(words) - seeing(words.flip(1))).abs().max() > 1e-3


def test_learned() -> None:
    """In sixty steps the bag is learned without positions, the order is not; in a hundred it is, with the mask."""
    assert train_classifier("bag", n_steps=60).final.min() > 0.95
    assert train_classifier("order", n_steps=60).final.max() < 0.6
    assert train_classifier("order", causal=True, n_steps=100).final.min() > 0.9


def test_functions_are_used() -> None:
    """The encoding handed in is the one that is used."""
    silent = WordClassifier("added", encode=lambda n, d: torch.zeros(n, d))
    words = torch.tensor([[0, 1, 2]])
    torch.testing.assert_close(silent(words), WordClassifier()(words))


def test_seeds_do_not_mix() -> None:
    """The answers of one seed depend on its own parameters alone."""
    words, _ = draw_words("bag", 5, 7, torch.Generator().manual_seed(0))
    reader = WordClassifier(n_seeds=3)
    reader(words)[0].sum().backward()
    assert all(parameter.grad[0].abs().sum() > 0 for parameter in reader.parameters)
    assert all(parameter.grad[1:].abs().sum() == 0 for parameter in reader.parameters)
