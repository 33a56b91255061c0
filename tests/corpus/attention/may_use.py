"""Answers to the practice `may_use(n_points)` of notebook 02."""

import torch

from tests.corpus import change

def right__turned_around(n_points):
    return ~torch.eye(n_points).bool()

def right__compared(n_points):
    place = torch.arange(n_points)
    return place[:, None] != place

def right__loop(n_points):
    allowed = torch.ones(n_points, n_points, dtype=torch.bool)
    for i in range(n_points):
        allowed[i, i] = False
    return allowed

wrong__each_sees_itself__1 = change(right__loop, ("= False", "= True"))
wrong__each_sees_itself_alone__1 = change(right__compared, ("!=", "=="))
wrong__earlier_ones_alone__1 = change(right__compared, ("!=", ">"))
wrong__mask_of_numbers__1 = change(right__turned_around, ("~torch.eye(n_points).bool()", "1 - torch.eye(n_points)"))

# One row in place of a matrix.
extra__one_row = change(right__loop, ("torch.ones(n_points, n_points,", "torch.ones(1, n_points,"))
