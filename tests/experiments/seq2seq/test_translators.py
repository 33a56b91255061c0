"""A stack of translators computes and learns what each of them would by itself."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from course_attention.experiments.seq2seq import capacity
from course_attention.experiments.seq2seq.translator import Translator
from course_attention.experiments.seq2seq.translators import Adam, Translators
from course_attention.mechanisms.seq2seq import attend_and_concat


@pytest.mark.parametrize("attend", [attend_and_concat, None], ids=["attention", "none"])
def test_as_each_alone(attend):
    """After ten steps of Adam with clipped gradients, the logits are those of models that were trained one by one."""
    torch.manual_seed(0)
    n_symbols, rates = capacity.N_SYMBOLS, (0.02, 0.01)
    alone = [Translator(n_symbols, n_symbols, attend, d_hidden=8).double() for _ in rates]
    stack = Translators(alone)
    together = Adam(stack, rates)
    optimizers = [torch.optim.Adam(model.parameters(), lr=rate) for model, rate in zip(alone, rates, strict=True)]
    generator = torch.Generator().manual_seed(0)
    for _ in range(10):
        texts = [capacity.digit_strings(4, 5, generator) for _ in rates]
        source, target = (torch.stack([text[part] for text in texts]) for part in (0, 2))
        capacity.losses(stack, source, target).sum().backward()
        together.step()
        for model, optimizer, (one, allowed, right) in zip(alone, optimizers, texts, strict=True):
            optimizer.zero_grad()
            F.cross_entropy(model(one, allowed, right).flatten(0, 1), right.flatten()).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
    logits = stack.logits(source, target)
    for i, (model, (one, allowed, right)) in enumerate(zip(alone, texts, strict=True)):
        torch.testing.assert_close(logits[i], model(one, allowed, right))
        torch.testing.assert_close(stack.model(i)(one, allowed, right), logits[i])


def test_models_stay():
    """The models that a stack begins with are not trained with it."""
    model = Translator(5, 5, None, d_hidden=4)
    before = [weight.clone() for weight in model.parameters()]
    stack = Translators([model])
    source = torch.tensor([[[3, 4]]])
    stack.logits(source, source).sum().backward()
    Adam(stack, [0.1]).step()
    assert all(torch.equal(*pair) for pair in zip(before, model.parameters(), strict=True))
    assert not torch.equal(next(stack.model(0).parameters()), before[0])
