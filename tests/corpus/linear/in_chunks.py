"""Answers to the practice `in_chunks(query, key, value, size)` of notebook 12."""

import torch

from tests.corpus import change

def right__slices(query, key, value, size):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=key.dtype)
    outputs = []
    for start in range(0, len(query), size):
        part = slice(start, start + size)
        scores = query[part] @ key[part].T
        outputs.append(query[part] @ memory + torch.tril(scores) @ value[part])
        memory = memory + key[part].T @ value[part]
    return torch.cat(outputs)

def right__memories_first(query, key, value, size):
    chunks = list(zip(query.split(size), key.split(size), value.split(size)))
    memories = [key.new_zeros(key.shape[-1], value.shape[-1])]
    for _, k, v in chunks[:-1]:
        memories.append(memories[-1] + k.mT @ v)
    output = []
    for memory, (q, k, v) in zip(memories, chunks):
        later = torch.ones(len(q), len(q)).triu(1).bool()
        inside = (q @ k.mT).masked_fill(later, 0.0)
        output += [q @ memory + inside @ v]
    return torch.cat(output, dim=0)

def wrong__chunks_all_scores__1(query, key, value, size):
    n = len(query)
    earlier = torch.arange(n)[:, None] >= torch.arange(n)
    return (query @ key.mT * earlier) @ value

wrong__chunks_not_causal__1 = change(right__slices, ("torch.tril(scores)", "scores"))
wrong__chunks_not_causal__2 = change(
    right__slices,
    ("scores = query[part] @ key[part].T", "memory = memory + key[part].T @ value[part]"),
    (" + torch.tril(scores) @ value[part]", ""),
    (")\n        memory = memory + key[part].T @ value[part]\n    return", ")\n    return"),
)
wrong__chunks_without_itself__1 = change(right__memories_first, ("triu(1)", "triu(0)"))
wrong__chunks_no_memory__1 = change(right__slices, ("query[part] @ memory + ", ""))
wrong__chunks_no_scores__1 = change(right__slices, (" + torch.tril(scores) @ value[part]", ""))
wrong__chunks_own_twice__1 = change(
    right__slices,
    ("scores = query", "memory = memory + key[part].T @ value[part]\n        scores = query"),
    (")\n        memory = memory + key[part].T @ value[part]\n    return", ")\n    return"),
)
wrong__chunks_one_back__1 = change(right__slices, ("memory = memory + key", "memory = key"))
wrong__chunks_softmax__1 = change(
    right__memories_first,
    ("masked_fill(later, 0.0)", 'masked_fill(later, float("-inf")).softmax(dim=-1)'),
)
# The future is read in place of the past.
extra__upper = change(right__slices, ("torch.tril(scores)", "torch.triu(scores)"))
