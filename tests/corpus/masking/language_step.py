"""Answers to the practice `language_step(model, optimizer, batch, allowed)` of notebook 05."""

import torch

from course_attention.practice.masking.next_word_loss import next_word_loss
from tests.corpus import change

def right__cleared_last(model, optimizer, batch, allowed):
    optimizer.zero_grad()
    loss = next_word_loss(model, batch, allowed)
    loss.backward()
    optimizer.step()
    return float(loss)

def right__cleared_behind(model, optimizer, batch, allowed):
    loss = next_word_loss(model, batch, allowed)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=False)
    return loss.detach()

def right__gradients_asked_for(model, optimizer, batch, allowed):
    loss = next_word_loss(model, batch, allowed)
    parameters = list(model.parameters())
    for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
        parameter.grad = gradient
    optimizer.step()
    return loss.item()

wrong__language_step_gradients_kept__1 = change(right__cleared_last, ("optimizer.zero_grad()", ""))
wrong__language_step_nothing_moves__1 = change(right__cleared_last, ("optimizer.step()", ""))
wrong__language_step_nothing_moves__2 = change(
    right__cleared_last, ("loss.backward()", "loss.backward()", "optimizer.zero_grad()")
)
wrong__language_step_one_late__1 = change(
    right__cleared_last,
    ("optimizer.zero_grad()", ""),
    ("loss.backward()\n    optimizer.step()", "optimizer.step()", "optimizer.zero_grad()", "loss.backward()"),
)
wrong__language_step_twice__1 = change(
    right__cleared_last, ("optimizer.step()", "optimizer.step()", "optimizer.step()")
)
wrong__language_step_loss_after__1 = change(
    right__cleared_last, ("float(loss)", "float(next_word_loss(model, batch, allowed))")
)
wrong__language_step_keeps_graph__1 = change(right__cleared_last, ("float(loss)", "loss"))

# Nothing is returned.
extra__no_return = change(right__cleared_last, ("return float(loss)", ""))
# The loss grows.
extra__uphill = change(right__cleared_last, ("loss.backward()", "(-loss).backward()"))
# The mask is forgotten.
extra__no_mask = change(right__cleared_last, ("loss(model, batch, allowed)", "loss(model, batch)"))
