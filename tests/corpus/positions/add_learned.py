"""Answers to the practice `add_learned(x, table)` of notebook 06."""

import torch

from tests.corpus import change

def right__embedding(x, table):
    return x + torch.nn.functional.embedding(torch.arange(x.shape[1]), table)

def right__loop(x, table):
    out = x.clone()
    for position in range(x.shape[1]):
        out[:, position] += table[position]
    return out

def right__sizes(x, table):
    batch, n_tokens, d_model = x.shape
    return x + table[0:n_tokens].unsqueeze(0).expand(batch, n_tokens, d_model)

wrong__learned_last_rows__1 = change(right__sizes, ("table[0:n_tokens]", "table[-n_tokens:]"))
wrong__learned_one_row__1 = change(right__loop, ("table[position]", "table[0]"))
wrong__learned_row_of_the_text__1 = change(
    right__sizes, ("table[0:n_tokens].unsqueeze(0).expand", "table[0:batch].unsqueeze(1).expand")
)
wrong__learned_from_one__1 = change(
    right__embedding,
    ("torch.nn.functional.embedding(torch.arange(x.shape[1]), table)", "table[1 : x.shape[1] + 1]"),
)
wrong__learned_without_tokens__1 = change(right__sizes, ("return x + table", "return table"))
wrong__learned_multiplied__1 = change(right__embedding, ("x + torch", "x * torch"))
# The whole table does not fit, and the error names both sizes.
extra__whole_table = change(
    right__embedding, ("torch.nn.functional.embedding(torch.arange(x.shape[1]), table)", "table")
)
wrong__input_changed__1 = change(right__loop, ("x.clone()", "x"))
