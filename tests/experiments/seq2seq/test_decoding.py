"""A reader's decoding loop goes on where it is right; where it is not, the course's goes on, and the text says why."""

from __future__ import annotations

import re

import pytest
import torch

from course_attention.experiments.common.pairs import START
from course_attention.experiments.seq2seq.decoding import tried
from course_attention.experiments.seq2seq.translator import Translator, decode


@pytest.fixture(scope="module")
def setting():
    """Return an untrained model whose choices change from step to step, and three texts."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        model = Translator(9, 7, d_embedding=4, d_hidden=6)
    source = torch.tensor([[3, 4, 5, 6], [5, 6, 7, 0], [8, 0, 0, 0]])
    return model, source, source != 0, 5


def loop(feed=lambda logits, symbol: logits.argmax(dim=-1), start=START, keep_state=True):
    """Return a decoding loop; what it feeds to the next step can be exchanged."""

    def own(model, source, allowed, n_steps):
        memory, state = model.encode(source, allowed)
        symbol = torch.full_like(source[:, 0], start)
        symbols, alignment = [], []
        for _ in range(n_steps):
            logits, new_state, distribution = model.step(symbol, state, memory, allowed)
            state = new_state if keep_state else state
            symbols.append(logits.argmax(dim=-1))
            alignment.append(distribution)
            symbol = feed(logits, symbol)
        return torch.stack(symbols, dim=1), alignment

    return own


def test_right(setting):
    """A right loop is handed back, and so is one that keeps gradients."""
    own = loop()
    function, remark = tried(own, *setting)
    assert function is own
    assert remark.startswith("All 15 symbols agree")


def test_not_written(setting):
    """A stub is no mistake."""

    def stub(model, source, allowed, n_steps):
        raise NotImplementedError

    function, remark = tried(stub, *setting)
    assert function is decode and remark.startswith("Not written yet.")


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (loop(feed=lambda logits, symbol: symbol), "the first difference is at step 2"),
        (loop(start=3), "the first difference is at step 1"),
        (loop(keep_state=False), "the first difference is at step 2"),
        (
            lambda *a: (decode(*a)[0][:, :-1], decode(*a)[1]),
            r"symbols must have the shape \(3, 5\); got \(3, 4\)",
        ),
        (lambda *a: ("text", decode(*a)[1]), r"shape \(3, 5\); got str"),
        (lambda *a: None, "raised TypeError"),
        (lambda *a: 1 / 0, "raised ZeroDivisionError: division by zero"),
    ],
    ids=[
        "feeds the start again",
        "another start",
        "state kept",
        "a step short",
        "no tensor",
        "nothing",
        "raises",
    ],
)
def test_wrong(setting, own, said):
    """A wrong loop is told apart, at the step where it first differs; the course's loop goes on."""
    function, remark = tried(own, *setting)
    assert function is decode
    assert re.search(said, remark), remark
    assert "until yours does the same" in remark
