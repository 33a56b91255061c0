"""The model of the long runs is the notebook's, and its figures say what the notebook says about them."""

from __future__ import annotations

import json
import math

import pytest
import torch
from torch import nn

from course_attention.experiments.common.long_runs import long_run
from course_attention.experiments.masking import grammar, next_word
from course_attention.mechanisms.masking import causal_mask, masked_softmax
from tools.notebooks import FOLDER

CAUSAL = causal_mask(next_word.N_POSITIONS)


def in_the_notebook() -> type[nn.Module]:
    """Return the class that notebook 05 shows."""
    cells = json.loads((FOLDER / "05_masking.ipynb").read_text(encoding="utf-8"))["cells"]
    (source,) = ("".join(cell["source"]) for cell in cells if "class NextWord" in "".join(cell["source"]))
    names = {"math": math, "torch": torch, "nn": nn, "grammar": grammar}
    exec(source, names)
    return names["NextWord"]


def test_same_model_as_in_the_notebook():
    """From the same seed, both give the same logits."""
    tokens, _ = grammar.encode(grammar.draw_sentences(4, seed=0))
    logits = []
    for kind in (in_the_notebook(), next_word.NextWord):
        torch.manual_seed(0)
        logits.append(kind(masked_softmax)(tokens[:, :-1], CAUSAL))
    assert torch.equal(*logits)


@pytest.mark.parametrize(("weigh", "leaks"), [(masked_softmax, False), (next_word.zeroed_afterwards, True)])
def test_zeroing_afterwards_leaks(weigh, leaks):
    """An output changes with a later word where the weights are zeroed after the softmax, and only there."""
    torch.manual_seed(0)
    model = next_word.NextWord(weigh)
    first = torch.tensor([[1, 3, 5, 8, 16]])
    second = torch.tensor([[1, 3, 5, 8, 17]])
    with torch.no_grad():
        before, after = (model(tokens, CAUSAL[:5, :5])[:, :4] for tokens in (first, second))
    assert (not torch.equal(before, after)) is leaks


def test_training_and_generation():
    """A few steps lower the loss, and a generated sentence ends with its first full stop or is as long as can be."""
    tokens, _ = grammar.encode(grammar.draw_sentences(200, seed=0))
    torch.manual_seed(0)
    model = next_word.NextWord()
    before = next_word.next_word_loss(model, tokens, CAUSAL).item()
    next_word.train(model, tokens, CAUSAL, n_steps=20)
    assert next_word.next_word_loss(model, tokens, CAUSAL).item() < 0.8 * before
    texts = next_word.generated(model, CAUSAL, 20)
    assert len(texts) == 20
    assert all(text[-1] == "." or len(text) == grammar.LONGEST for text in texts)
    assert all("." not in text[:-1] for text in texts)


def test_what_the_long_runs_came_to():
    """Longer training leaves honest models at the entropy, and the others below it."""
    rows = [row for row in long_run("masking", "next_word") if (row["rate"], row["steps"]) == (0.01, 1600)]
    entropy = grammar.entropy_rate()
    losses = {kind: [row["loss"] for row in rows if row["kind"] == kind] for kind in {row["kind"] for row in rows}}
    assert {len(one) for one in losses.values()} == {5}
    assert all(0.97 < loss / entropy < 1.03 for loss in losses.pop("causal mask"))
    assert all(loss < 0.9 * entropy for one in losses.values() for loss in one)
