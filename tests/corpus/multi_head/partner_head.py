"""Answers to the practice `partner_head(letters, places)` of notebook 04."""

import torch

from course_attention.experiments.multi_head.partner_sentences import LETTER, PLACE
from tests.corpus import change

def right__minus_in_the_key(letters, places):
    w_query, w_key = torch.zeros(44, 4), torch.zeros(44, 4)
    w_query[LETTER, :2] = 300 * letters
    w_key[LETTER, :2] = 300 * letters
    w_query[PLACE, 2:] = 20 * places
    w_key[PLACE, 2:] = -20 * places
    return w_query, w_key

def right__places_first(letters, places):
    """The columns are in another order, and the rows are put together."""
    payload = torch.zeros(8, 4)
    rows = torch.cat([torch.zeros(26, 2), 250 * letters], 1), torch.cat([25 * places, torch.zeros(10, 2)], 1)
    w_key = torch.cat([*rows, payload])
    w_query = torch.cat([rows[0], -rows[1], payload])
    return w_query, w_key

wrong__partner_and_itself__1 = change(
    right__minus_in_the_key,
    ("w_query[PLACE, 2:] = 20 * places", ""),
    ("w_key[PLACE, 2:] = -20 * places", ""),
)
wrong__partner_is_itself__1 = change(right__minus_in_the_key, ("-20 * places", "20 * places"))

# The letters are too short to decide.
extra__short = change(
    right__minus_in_the_key,
    ("w_query[LETTER, :2] = 300 * letters", "w_query[LETTER, :2] = letters"),
    ("w_key[LETTER, :2] = 300 * letters", "w_key[LETTER, :2] = letters"),
)
# The rows of the letters alone.
extra__rows_of_letters = change(
    right__minus_in_the_key, ("return w_query, w_key", "return w_query[LETTER], w_key[LETTER]")
)
# One matrix for both.
extra__one_matrix = change(right__minus_in_the_key, ("return w_query, w_key", "return w_query"))
