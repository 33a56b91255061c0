"""Answers to the practice `word_table(m, e_asking, e_asked)` of notebook 03."""

import torch

from tests.corpus import change

def right__product(m, e_asking, e_asked):
    return e_asking @ m @ e_asked.T

right__transposed = change(right__product, ("e_asking @ m @ e_asked.T", "(e_asked @ (e_asking @ m).T).T"))

def right__einsum(m, e_asking, e_asked):
    return torch.einsum("ic,cd,jd->ij", e_asking, m, e_asked)

def right__loops(m, e_asking, e_asked):
    table = m.new_zeros(len(e_asking), len(e_asked))
    for i, asking in enumerate(e_asking):
        for j, asked in enumerate(e_asked):
            table[i, j] = asking @ m @ asked
    return table

wrong__table_roles_exchanged__1 = change(right__product, ("@ m @", "@ m.T @"))
wrong__table_roles_exchanged__2 = change(right__loops, ("asking @ m @ asked", "asked @ m @ asking"))
wrong__table_asked_in_rows__1 = change(right__product, ("e_asking @ m @ e_asked.T", "(e_asking @ m @ e_asked.T).T"))
wrong__table_both_exchanged__1 = change(right__product, ("e_asking @ m @ e_asked.T", "e_asked @ m @ e_asking.T"))
wrong__table_without_m__1 = change(right__product, (" @ m", ""))
wrong__table_scaled__1 = change(right__product, ("e_asked.T", "e_asked.T / m.shape[1] ** 0.5"))
wrong__table_of_weights__1 = change(
    right__product, ("e_asking @ m @ e_asked.T", "(e_asking @ m @ e_asked.T).softmax(-1)")
)

# Nothing is transposed.
extra__no_transpose = change(right__product, ("e_asked.T", "e_asked"))
# The table of the words that ask among themselves.
extra__among_themselves = change(right__product, ("e_asked.T", "e_asking.T"))
