"""Answers to the practice `fine_tuning_step(model, optimizer, batch)` of notebook 10."""

import torch
import torch.nn.functional as F
from torch import nn

from tests.corpus import change

def right__cleared_first(model, optimizer, batch):
    optimizer.zero_grad()
    questions, answers = batch[:, :-1], batch[:, 1:]
    logits = model(questions)[0]
    loss = F.cross_entropy(logits.transpose(1, 2), answers)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()

def right__returns_the_loss(model, optimizer, batch):
    logits, _ = model(batch[:, :-1])
    n_tokens = logits.shape[-1]
    loss = F.cross_entropy(logits.reshape(-1, n_tokens), batch[:, 1:].reshape(-1))
    model.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(list(model.parameters()), 1)
    optimizer.step()
    return loss.item()

wrong__fine_tuning_not_limited__1 = change(
    right__returns_the_loss, ("nn.utils.clip_grad_norm_(list(model.parameters()), 1)", "")
)
wrong__fine_tuning_not_limited__2 = change(
    right__returns_the_loss,
    ("nn.utils.clip_grad_norm_(list(model.parameters()), 1)", ""),
    ("optimizer.step()", "optimizer.step()", "nn.utils.clip_grad_norm_(list(model.parameters()), 1)"),
)
wrong__fine_tuning_values_limited__1 = change(right__returns_the_loss, ("clip_grad_norm_", "clip_grad_value_"))
wrong__fine_tuning_gradients_kept__1 = change(right__cleared_first, ("optimizer.zero_grad()", ""))
wrong__fine_tuning_nothing_moves__1 = change(right__cleared_first, ("optimizer.step()", ""))
wrong__fine_tuning_no_shift__1 = change(right__cleared_first, ("batch[:, 1:]", "batch[:, :-1]"))
wrong__fine_tuning_no_shift__2 = change(right__cleared_first, ("batch[:, :-1], batch[:, 1:]", "batch, batch"))
wrong__fine_tuning_uphill__1 = change(right__cleared_first, ("loss.backward()", "(-loss).backward()"))
wrong__fine_tuning_twice__1 = change(right__cleared_first, ("optimizer.step()", "optimizer.step()", "optimizer.step()"))

# The loss is summed.
extra__summed = change(right__cleared_first, (", answers)", ', answers, reduction="sum") * 0.001'))
# The shift goes the other way.
extra__backwards = change(right__cleared_first, ("questions, answers", "answers, questions"))
