"""Answers to `document_mask(documents)` of notebook 05."""

import numpy as np
import torch

from course_attention import causal_mask
from tests.corpus import change

def right__given_repaired(documents):
    n_tokens = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    past = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=documents.device).tril()
    return same & past

def right__tril(documents):
    return documents[..., :, None].eq(documents[..., None, :]).tril()

def right__positions(documents: torch.Tensor) -> torch.Tensor:
    position = torch.arange(documents.shape[-1], device=documents.device)
    same = documents.unsqueeze(-1) - documents.unsqueeze(-2) == 0
    return torch.logical_and(same, position[:, None] >= position)

def right__loops(documents):
    n_tokens = documents.shape[-1]
    allowed = torch.zeros(*documents.shape, n_tokens, dtype=torch.bool, device=documents.device)
    for i in range(n_tokens):
        for j in range(i + 1):
            allowed[..., i, j] = documents[..., i] == documents[..., j]
    return allowed

def right__rows(documents):
    rows = []
    for i in range(documents.shape[-1]):
        row = documents == documents[..., i : i + 1]
        row[..., i + 1 :] = False
        rows.append(row)
    return torch.stack(rows, dim=-2)

def right__earlier_helper(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & causal_mask(documents.shape[-1]).to(documents.device)

def right__future_removed(documents):
    n_tokens = documents.shape[-1]
    allowed = documents[..., None, :] == documents[..., None]
    future = torch.ones(n_tokens, n_tokens, device=documents.device).triu(1).bool()
    return allowed.masked_fill(future, False)

def odd__expanded(documents):
    """Two square views of the numbers."""
    square = documents.unsqueeze(-1).expand(*documents.shape, documents.shape[-1])
    return torch.tril(square == square.mT)

# The faults of the code that was given: two of three are repaired.
wrong__causal_upper__1 = change(right__given_repaired, (".tril()", ".triu()"))
wrong__causal_upper__2 = change(right__positions, ("[:, None] >=", "[:, None] <="))

def wrong__documents_in_pieces__1(documents):
    n_tokens = documents.shape[-1]
    begins = torch.zeros_like(documents, dtype=torch.bool)
    begins[..., 1:] = documents[..., 1:] != documents[..., :-1]
    document = begins.cumsum(dim=-1)
    same = document.unsqueeze(-1) == document.unsqueeze(-2)
    past = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=documents.device).tril()
    return same & past

def wrong__documents_in_pieces__2(documents):
    rows = []
    for i in range(documents.shape[-1]):
        row = documents == documents[..., i : i + 1]
        row[..., i + 1 :] = False
        # Backwards from i, until the document changes.
        rows.append(row[..., : i + 1].flip(-1).int().cumprod(-1).flip(-1).bool())
    width = documents.shape[-1]
    return torch.stack([torch.nn.functional.pad(row, (0, width - row.shape[-1])) for row in rows], dim=-2)

wrong__batch_as_sequence__1 = change(right__given_repaired, ("documents.shape[-1]", "len(documents)"))
wrong__batch_as_sequence__2 = change(right__positions, ("documents.shape[-1]", "documents.shape[0]"))
# The comparison is right for a single sequence, and compares the items of a batch.
wrong__batch_as_sequence__3 = change(
    right__given_repaired,
    ("documents.unsqueeze(-1) == documents.unsqueeze(-2)", "documents[:, None] == documents[None, :]"),
)
wrong__batch_as_sequence__4 = change(wrong__batch_as_sequence__3, ("documents.shape[-1]", "len(documents)"))
wrong__batch_as_sequence__5 = change(right__tril, ("..., :, None", ":, None"), ("..., None, :", "None, :"))
# Only the first axis is repaired.
wrong__causal_upper__3 = change(wrong__documents_in_pieces__1, (".tril()", ".triu()"))
# Only the pieces are.
wrong__causal_upper__4 = change(wrong__causal_upper__1, ("documents.shape[-1]", "len(documents)"))
# Only the direction is.
wrong__documents_in_pieces__3 = change(wrong__documents_in_pieces__1, ("documents.shape[-1]", "len(documents)"))
# None of them, in other words.
wrong__causal_upper__5 = change(
    wrong__documents_in_pieces__1,
    ("documents.shape[-1]", "documents.shape[0]"),
    ("device=documents.device).tril()", "device=documents.device).tril().mT"),
)
wrong__causal_strict__1 = change(right__tril, (".tril()", ".tril(-1)"))
wrong__causal_strict__2 = change(right__loops, ("range(i + 1)", "range(i)"))
wrong__causal_off_by_one__1 = change(right__tril, (".tril()", ".tril(1)"))
wrong__causal_off_by_one__2 = change(right__rows, ("i + 1 :] = False", "i + 2 :] = False"))
wrong__causality_lost__1 = change(right__tril, (".tril()", ""))
wrong__causality_lost__2 = change(right__given_repaired, ("same & past", "same"))
wrong__documents_ignored__1 = change(right__given_repaired, ("same & past", "past.expand(same.shape)"))
wrong__documents_ignored__2 = change(
    right__positions, ("- documents.unsqueeze(-2) == 0", "* 0 == documents.unsqueeze(-2) * 0")
)
wrong__documents_compared__1 = change(right__tril, (".eq(", ".ge("))
wrong__documents_compared__2 = change(right__loops, ("i] == documents", "i] <= documents"))
wrong__other_documents__1 = change(right__tril, (".eq(", ".ne("))
wrong__other_documents__2 = change(right__future_removed, ("None, :] ==", "None, :] !="))

def wrong__mask_first_item_for_all__1(documents):
    first = documents.reshape(-1, documents.shape[-1])[0]
    mask = (first[:, None] == first).tril()
    return mask.expand(*documents.shape, documents.shape[-1])

# A reshape that forgets the batch.
wrong__mask_first_item_for_all__2 = change(
    wrong__mask_first_item_for_all__1, ("(first[:, None] == first).tril()", "torch.tril(first.unsqueeze(1) == first)")
)
wrong__mask_inverted__1 = change(right__tril, ("return ", "return ~"))
wrong__mask_inverted__2 = change(right__given_repaired, ("same & past", "(same & past).logical_not()"))
# 0 and -inf, to be added to the scores.
wrong__mask_to_be_added__1 = change(
    right__given_repaired,
    (
        "return same & past",
        "zeros = torch.zeros(same.shape, device=same.device)\n    return zeros.masked_fill(~(same & past), -torch.inf)",
    ),
)
wrong__mask_to_be_added__2 = change(
    right__given_repaired, ("return same & past", "return (1.0 - (same & past).double()) * -1e9")
)
wrong__wrong_dtype__1 = change(right__given_repaired, ("same & past", "(same & past).float()"))
wrong__wrong_dtype__2 = change(right__tril, (").tril()", ").long().tril()"))
wrong__wrong_device__1 = change(right__given_repaired, (", device=documents.device", ""))
wrong__wrong_device__2 = change(right__earlier_helper, (".to(documents.device)", ""))
# The numbers of the documents are overwritten.
wrong__input_changed__1 = change(
    right__given_repaired, ("n_tokens = documents.shape[-1]", "n_tokens = documents.shape[-1]\n    documents += 1")
)
wrong__input_changed__2 = change(
    right__tril, ("return documents", "documents.sub_(documents.min())\n    return documents")
)

def extra__neighbours(documents):
    """A token sees the one before it, where that is of its document."""
    same = documents[..., 1:] == documents[..., :-1]
    return torch.diag_embed(same, -1) | torch.eye(documents.shape[-1], dtype=torch.bool, device=documents.device)

def extra__or(documents):
    """`|` where `&` was meant."""
    n_tokens = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same | torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=documents.device).tril()

def extra__numpy_array(documents):
    """A NumPy array, not a tensor."""
    numbers = documents.numpy()
    return np.tril(numbers[..., :, None] == numbers[..., None, :])

# Queries and keys of different items meet.
extra__transposed = change(right__given_repaired, ("documents.unsqueeze(-2)", "documents.unsqueeze(0)"))

double__other_documents__and_causal_strict = change(wrong__other_documents__1, (".tril()", ".tril(-1)"))
double__documents_compared__and_causal_off_by_one = change(wrong__documents_compared__1, (".tril()", ".tril(1)"))

# The numbers in a dtype that cannot hold them all.
wrong__numbers_misread__1 = change(
    right__tril,
    (
        "return documents[..., :, None].eq(documents[..., None, :])",
        "documents = documents.half()\n    return documents[..., :, None].eq(documents[..., None, :])",
    ),
)
# The numbers in 8 bits: 256 and 0 are the same.
wrong__numbers_misread__2 = change(wrong__numbers_misread__1, ("half()", "to(torch.int8)"))
# Numbers below 0 are taken for padding.
wrong__numbers_misread__3 = change(right__tril, (".tril()", ".tril() & (documents >= 0)[..., None]"))
# Document 0 is taken for padding.
wrong__numbers_misread__4 = change(right__tril, (".tril()", ".tril() & (documents != 0)[..., None]"))
# The products are compared with the squares.
wrong__numbers_misread__5 = change(
    right__tril,
    (
        "documents[..., :, None].eq(documents[..., None, :])",
        "(documents[..., :, None] * documents[..., None, :]).eq((documents**2)[..., None])",
    ),
)

def extra__buffer_of_64(documents):
    """A buffer of 64 × 64, cut to size."""
    past = torch.ones(64, 64, dtype=torch.bool, device=documents.device).tril()
    n = documents.shape[-1]
    return (documents[..., :, None] == documents[..., None, :]) & past[:n, :n]

# One number in 16 bits is another's name as well.
wrong__numbers_misread__6 = change(wrong__numbers_misread__1, ("half()", "to(torch.int16)"))
# Keys of document 0, and of those below, are taken for padding.
wrong__numbers_misread__7 = change(right__tril, (".tril()", ".tril() & (documents > 0)[..., None, :]"))
# `|` where `&` is meant.
wrong__either_suffices__1 = change(
    right__positions, ("torch.logical_and", "torch.logical_or")
)
