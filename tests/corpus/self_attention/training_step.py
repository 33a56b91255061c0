"""Answers to the practice `training_step(loss, optimizer)` of notebook 03."""

from tests.corpus import change

def right__in_order(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# The gradients are forgotten as soon as they have been used.
right__forgets_last = change(
    right__in_order, ("optimizer.zero_grad()", ""), ("optimizer.step()", "optimizer.step()", "optimizer.zero_grad()")
)
# Zeros instead of None.
right__zeros = change(right__in_order, ("zero_grad()", "zero_grad(set_to_none=False)"))

wrong__step_gradients_kept__1 = change(right__in_order, ("optimizer.zero_grad()", ""))
# The brackets are missing: nothing is called.
wrong__step_gradients_kept__2 = change(right__in_order, ("zero_grad()", "zero_grad"))
wrong__step_nothing_moves__1 = change(right__in_order, ("optimizer.step()", ""))
wrong__step_nothing_moves__2 = change(right__in_order, ("loss.backward()", ""))

def wrong__step_nothing_moves__3(loss, optimizer):
    """What has just been computed is forgotten."""
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()

def wrong__step_one_late__1(loss, optimizer):
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()

wrong__step_one_late__2 = change(wrong__step_one_late__1, ("optimizer.zero_grad()", ""))
wrong__step_twice__1 = change(right__in_order, ("optimizer.step()", "optimizer.step()", "optimizer.step()"))

# `backward` is a method of the loss.
extra__backward_of_optimizer = change(right__in_order, ("loss.backward()", "optimizer.backward()"))
