"""Answers to the practice `grows_with_values(formula, values)` of notebook 09."""

import torch

from tests.corpus import change


def right__in_steps(formula, values):
    once = formula(values)
    tenfold = formula(10 * values)
    return torch.allclose(tenfold, 10 * once)


def right__divided(formula, values):
    return torch.allclose(formula(values * 10) / 10, formula(values))


def right__difference(formula, values):
    difference = formula(10 * values) - 10 * formula(values)
    return bool(difference.abs().max() < 1e-5)


def right__all_of_isclose(formula, values):
    return torch.isclose(formula(10.0 * values), 10.0 * formula(values)).all().item()


# Another factor would do as well.
right__doubled = change(right__in_steps, ("formula(10 * values)", "formula(2 * values)"), ("10 * once", "2 * once"))

# The factor is missing on the right.
wrong__growth_stays__1 = change(right__in_steps, ("10 * once", "once"))
wrong__growth_larger__1 = change(
    right__in_steps, ("torch.allclose(tenfold, 10 * once)", "bool((tenfold > once).all())")
)
wrong__growth_larger__2 = change(
    right__in_steps, ("torch.allclose(tenfold, 10 * once)", "(tenfold >= once).all().item()")
)
wrong__growth_differs__1 = change(
    right__in_steps, ("torch.allclose(tenfold, 10 * once)", "not torch.allclose(tenfold, once)")
)
wrong__growth_last_digit__1 = change(right__in_steps, ("torch.allclose", "torch.equal"))
wrong__growth_last_digit__2 = change(
    right__in_steps, ("torch.allclose(tenfold, 10 * once)", "bool((tenfold == 10 * once).all())")
)
# The row sums, of which the text speaks.
wrong__growth_sum__1 = change(right__in_steps, ("tenfold, 10 * once", "tenfold.sum(dim=-1), 10 * once.sum(dim=-1)"))
wrong__growth_one_number__1 = change(right__all_of_isclose, (".all()", ".any()"))
wrong__growth_inverted__1 = change(right__difference, ("< 1e-5", "> 1e-5"))
# Shapes are always equal.
wrong__growth_everything__1 = change(
    right__in_steps, ("torch.allclose(tenfold, 10 * once)", "tenfold.shape == once.shape")
)
# The formula gets the values as they are, both times.
wrong__growth_nothing__1 = change(right__in_steps, ("formula(10 * values)", "formula(values)"))
# The factor is on both sides of the same output.
wrong__growth_nothing__2 = change(right__divided, ("/ 10", "* 10"))
wrong__growth_each_number__1 = change(right__all_of_isclose, (".all().item()", ""))
# The values themselves are written over.
wrong__input_changed__1 = change(
    right__in_steps, ("tenfold = formula(10 * values)", "values *= 10; tenfold = formula(values)")
)
# The values are compared with the output.
extra__values = change(right__in_steps, ("10 * once", "10 * values"))
# It is printed, and not returned.
extra__printed = change(
    right__in_steps, ("return torch.allclose(tenfold, 10 * once)", "print(torch.allclose(tenfold, 10 * once))")
)
