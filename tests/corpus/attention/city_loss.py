"""Answers to the practice `city_loss(look_up, asked, entries, there, wanted)` of notebook 02."""

import torch.nn.functional as F

from tests.corpus import change

def right__two_lines(look_up, asked, entries, there, wanted):
    output, _ = look_up(asked, entries, there)
    return ((output - wanted) ** 2).mean()

def right__functional(look_up, asked, entries, there, wanted):
    return F.mse_loss(look_up(asked, entries, there)[0], wanted)

def right__written_out(look_up, asked, entries, there, wanted):
    found = look_up(asked, entries, there)[0]
    total = sum(((one - other) ** 2).sum() for one, other in zip(found, wanted))
    return total / (2 * len(wanted))

wrong__loss_roles_exchanged__1 = change(right__functional, ("(asked, entries, there)", "(entries, asked, there)"))
# Each entry gets an average of the places that were wanted, and is compared with its own place.
wrong__loss_roles_exchanged__2 = change(
    right__two_lines, ("(asked, entries, there)", "(entries, asked, wanted)"), ("- wanted)", "- there)")
)
wrong__loss_roles_exchanged__3 = change(right__two_lines, ("(asked, entries, there)", "(entries, asked, wanted)"))
wrong__loss_values_wanted__1 = change(right__functional, ("(asked, entries, there)", "(asked, entries, wanted)"))
# An error unless there are as many calls as entries.
wrong__loss_values_wanted__2 = change(
    right__functional, ("(asked, entries, there)[0], wanted", "(asked, entries, wanted)[0], there")
)
wrong__loss_of_weights__1 = change(right__functional, ("there)[0]", "there)[1]"))
# The results come in another order than the names.
wrong__loss_of_weights__2 = change(right__two_lines, ("output, _ =", "_, output ="))
wrong__loss_against_entries__1 = change(right__two_lines, ("(output - wanted)", "(output - there)"))
wrong__loss_summed__1 = change(right__two_lines, (".mean()", ".sum()"))
wrong__loss_summed__2 = change(right__written_out, ("(2 * len(wanted))", "len(wanted)"))
wrong__loss_not_squared__1 = change(right__two_lines, ("((output - wanted) ** 2)", "(output - wanted).abs()"))
wrong__loss_not_squared__2 = change(right__two_lines, ("((output - wanted) ** 2)", "(output - wanted)"))
wrong__loss_square_of_mean__1 = change(
    right__two_lines, ("((output - wanted) ** 2).mean()", "(output - wanted).mean() ** 2")
)
wrong__loss_root__1 = change(right__two_lines, (".mean()", ".mean().sqrt()"))
wrong__loss_cut_off__1 = change(right__two_lines, (".mean()", ".mean().item()"))
wrong__loss_cut_off__2 = change(right__functional, ("there)[0]", "there)[0].detach()"))

# Both results are taken for the output.
extra__tuple = change(right__functional, ("there)[0]", "there)"))
