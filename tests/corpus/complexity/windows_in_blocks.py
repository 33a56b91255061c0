"""Answers to the practice `windows_in_blocks(query, key, value, width)` of notebook 07."""

import torch

from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.masking import window_mask
from tests.corpus import change

def right__slices(query, key, value, width):
    n_tokens, outputs = query.shape[0], []
    for start in range(0, n_tokens, width):
        end = min(start + width, n_tokens)
        first = max(start - (width - 1), 0)
        mask = window_mask(end - first, width)[-(end - start) :].to(query.device)
        outputs.append(attention(query[start:end], key[first:end], value[first:end], mask)[0])
    return torch.cat(outputs, dim=0)

def right__split(query, key, value, width):
    outputs, start = [], 0
    for block in query.split(width):
        queries = torch.arange(start, start + len(block), device=query.device)
        keys = torch.arange(max(start - width + 1, 0), start + len(block), device=query.device)
        distance = queries[:, None] - keys
        mask = (distance >= 0) & (distance < width)
        outputs.append(attention(block, key[keys], value[keys], mask)[0])
        start += len(block)
    return torch.cat(outputs)

wrong__blocks_one_by_one__1 = change(right__split, ("query.split(width)", "query.split(1)"))
wrong__blocks_all_pairs__1 = change(
    right__split,
    ("keys = torch.arange(max(start - width + 1, 0), start + len(block)", "keys = torch.arange(0, len(key)"),
)
wrong__blocks_no_mask__1 = change(right__slices, ("value[first:end], mask)", "value[first:end])"))
wrong__blocks_first_rows__1 = change(right__slices, ("[-(end - start) :]", "[: end - start]"))
wrong__blocks_own_keys__1 = change(right__slices, ("max(start - (width - 1), 0)", "start"))
wrong__blocks_causal__1 = change(right__split, (" & (distance < width)", ""))
wrong__blocks_last_lost__1 = change(
    right__slices, ("range(0, n_tokens, width)", "range(0, n_tokens - width + 1, width)")
)

# The windows reach into the future.
extra__future = change(right__split, ("(distance >= 0) & ", ""))
# The blocks come in the wrong order.
extra__order = change(right__split, ("torch.cat(outputs)", "torch.cat(outputs[::-1])"))
