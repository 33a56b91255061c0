"""Answers to `shift_right(tokens, start_token)` of notebook 08."""

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change

def right__cat(tokens, start_token):
    start = torch.full_like(tokens[..., :1], start_token)
    return torch.cat([start, tokens[..., :-1]], dim=-1)

def right__roll(tokens, start_token):
    shifted = tokens.roll(1, dims=-1)
    shifted[..., 0] = start_token
    return shifted

def right__empty_like(tokens: torch.Tensor, start_token: int) -> torch.Tensor:
    shifted = torch.empty_like(tokens)
    shifted[..., 1:] = tokens[..., :-1]
    shifted[..., :1] = start_token
    return shifted

def right__pad(tokens, start_token):
    return F.pad(tokens, (1, 0), value=start_token)[..., :-1]

def right__gather(tokens, start_token):
    positions = torch.arange(tokens.shape[-1], device=tokens.device)
    before = tokens.index_select(-1, (positions - 1).clamp(min=0))
    return torch.where(positions == 0, start_token, before)

def right__lists(tokens, start_token):
    rows = tokens.reshape(-1, tokens.shape[-1]).tolist()
    shifted = [[start_token, *row[:-1]] for row in rows]
    return torch.tensor(shifted, dtype=tokens.dtype, device=tokens.device).reshape(tokens.shape)

def right__new_full(tokens, start_token):
    shifted = tokens.new_full(tokens.shape, start_token)
    shifted[..., 1:].copy_(tokens[..., :-1])
    return shifted

def right__stacked(tokens, start_token):
    columns = [torch.zeros_like(tokens[..., 0]) + start_token, *tokens.unbind(-1)]
    return torch.stack(columns[:-1], dim=-1)

def odd__numpy(tokens, start_token):
    """NumPy inserts the start and takes the last away."""
    shifted = np.insert(tokens.cpu().numpy(), 0, start_token, axis=-1)[..., :-1]
    return torch.from_numpy(shifted.copy()).to(tokens.device)

def odd__unfolded(y, bos):
    """Other names; a view whose rows overlap nothing but are not contiguous."""
    longer = torch.cat([torch.full_like(y[..., :1], bos), y], dim=-1)
    return longer.unfold(-1, y.size(-1), 1)[..., 0, :]

def odd__matrix(tokens, start_token):
    """A product with a shift matrix of whole numbers, one token at a time."""
    n = tokens.shape[-1]
    shift = torch.ones(n, n, dtype=tokens.dtype, device=tokens.device).triu(1).tril(1)
    first = torch.zeros(n, dtype=tokens.dtype, device=tokens.device)
    first[0] = start_token
    return (tokens.unsqueeze(-1) * shift).sum(-2, dtype=tokens.dtype) + first

# Rolled without an axis: rows run into each other just where the start is written.
odd__rolled_flat = change(right__roll, ("1, dims=-1", "1"))

def wrong__shift_left__1(tokens, start_token):
    # The other way: every token a place earlier, the start at the end.
    return torch.cat([tokens[..., 1:], torch.full_like(tokens[..., :1], start_token)], dim=-1)

def wrong__not_shifted__1(tokens, start_token):
    return tokens

def wrong__not_shifted__2(tokens, start_token):
    longer = torch.cat([torch.full_like(tokens[..., :1], start_token), tokens], dim=-1)
    return longer[..., 1:]

def wrong__input_changed__1(tokens, start_token):
    tokens[..., 1:] = tokens[..., :-1].clone()
    tokens[..., 0] = start_token
    return tokens

def wrong__wrong_dtype__1(tokens, start_token):
    shifted = torch.full(tokens.shape, float(start_token), device=tokens.device)
    shifted[..., 1:] = tokens[..., :-1]
    return shifted

def wrong__wrong_dtype__2(tokens, start_token):
    start = torch.ones_like(tokens[..., :1], dtype=torch.float32) * start_token
    return torch.cat([start, tokens[..., :-1]], dim=-1)

wrong__first_overwritten__2 = change(right__cat, ("[..., :-1]", "[..., 1:]"))
wrong__first_overwritten__1 = change(right__roll, (".roll(1, dims=-1)", ".clone()"))
wrong__shift_left__2 = change(
    odd__rolled_flat, ("tokens.roll(1)", "torch.roll(tokens, shifts=-1, dims=-1)"), ("[..., 0]", "[..., -1]"),
)
wrong__start_prepended__1 = change(wrong__not_shifted__2, ("longer =", "return"), ("return longer[..., 1:]", ""))
wrong__start_prepended__2 = change(right__pad, ("[..., :-1]", ""))
# The result is right and new, the caller's last token is gone.
wrong__input_changed__2 = change(
    wrong__not_shifted__1, ("return tokens", "tokens[..., -1] = start_token", "return tokens.roll(1, dims=-1)"),
)
wrong__wrong_device__1 = change(
    right__cat, (".full_like(tokens[..., :1], start_token)",
                 ".full((*tokens.shape[:-1], 1), start_token, dtype=tokens.dtype)"),
)
wrong__wrong_device__2 = change(
    right__roll, ("tokens.roll(1, dims=-1)", "torch.empty(tokens.shape, dtype=tokens.dtype)"),
    ("return", "shifted[..., 1:] = tokens[..., :-1].cpu()", "return"),
)
# Shifted along the first axis.
wrong__batch_as_sequence__1 = change(
    wrong__start_prepended__1, ("[..., :1]", "[:1]"), ("], dim=-1", "[:-1]], dim=0"),
)
natural__start_prepended__1 = change(
    right__new_full,
    (".new_full(tokens.shape, start_token)", ".new_zeros(*tokens.shape[:-1], tokens.shape[-1] + 1)"),
    (".copy_(tokens[..., :-1])", " = tokens", "shifted[..., 0] += start_token"),
)
# The start is put in front and cut off again.
natural__not_shifted__1 = change(right__pad, ("[..., :-1]", "[..., 1 : tokens.shape[-1] + 1].clone()"))

def odd__batched_only(tokens, start_token):
    """Takes exactly one batch axis, as the docstring says."""
    start = torch.full((tokens.shape[0], 1), start_token, dtype=tokens.dtype, device=tokens.device)
    return torch.cat([start, tokens[:, :-1]], dim=1)

# Rolled: the last token comes first, the start nowhere.
extra__wraps = change(wrong__not_shifted__1, ("return tokens", "return tokens.roll(1, dims=-1)"))
# The last token dropped, no start put in.
extra__dropped_only = change(right__pad, ("F.pad(tokens, (1, 0), value=start_token)", "tokens"))
# The first token dropped, no start put in.
extra__first_dropped_only = change(wrong__not_shifted__1, ("return tokens", "return tokens[..., 1:]"))
# The start put at the end, one token too long.
extra__start_last = change(
    wrong__start_prepended__1, ("torch.full_like", "tokens, torch.full_like"), (", tokens", ""),
)
# The start in the last place, nothing moved.
extra__last_replaced = change(
    wrong__start_prepended__1, ("torch.full_like", "tokens[..., :-1], torch.full_like"), (", tokens", ""),
)
# Token 0 for the start, whatever was asked for.
extra__zero_for_start = change(right__pad, (", value=start_token", ""))
# Token 1 for the start, whatever was asked for.
extra__one_for_start = change(right__pad, ("=start_token", "=1"))
# Only the first sequence gets its start.
extra__start_once = change(
    wrong__first_overwritten__1, ("= tokens", "= F.pad(tokens, (1, 0))[..., :-1]"), ("[..., 0]", ".view(-1)[0]"),
)
# Shifted by two.
extra__two_starts = change(right__pad, (", (1, 0)", ", (2, 0)"), ("[..., :-1]", "[..., :-2]"))
# Copied forwards in place, one at a time: the first token fills the row.
extra__overlapping_copy = change(
    right__roll,
    (
        ".roll(1, dims=-1)",
        ".clone()",
        "for i in range(1, tokens.shape[-1]):",
        "    shifted[..., i] = shifted[..., i - 1]",
    ),
)
# Every token's number raised by the start.
extra__added = change(wrong__not_shifted__1, ("return tokens", "return tokens + start_token"))
# Nothing but starts.
extra__all_starts = change(extra__added, ("tokens + start_token", "torch.full_like(tokens, start_token)"))
# The sequence turned round behind the start.
extra__reversed = change(wrong__start_prepended__1, (", tokens", ", tokens.flip(-1)[..., 1:]"))
# A NumPy array, not a tensor.
extra__numpy_array = change(
    right__pad,
    (
        "return F.pad(tokens, (1, 0), value=start_token)",
        "return np.insert(tokens.cpu().numpy(), 0, start_token, axis=-1)",
    ),
)
# Nested lists, not a tensor.
extra__list = change(right__pad, ("[..., :-1]", "[..., :-1].tolist()"))
# int64 out for int32 in: what a sum of whole numbers gives.
wrong__wrong_dtype__3 = change(odd__matrix, ("-2, dtype=tokens.dtype", "-2"))
# int32 out for int64 in.
extra__int32 = change(right__pad, ("[..., :-1]", "[..., :-1].int()"))
# One-hot vectors, an axis too many.
extra__one_hot = change(
    right__pad, ("return F", "shifted = F"), ("[..., :-1]", "[..., :-1]", "return F.one_hot(shifted)"),
)
# Inputs and targets, a pair.
extra__pair = change(right__pad, ("[..., :-1]", "[..., :-1], tokens"))
# The first index is taken for the first place.
wrong__start_fills_an_item__1 = change(right__roll, ("[..., 0]", "[0]"))
# Copied within one tensor, which torch refuses.
extra__overlapping_slices = change(
    wrong__first_overwritten__1, ("[..., 0] =", "[:, 1:] = shifted[:, :-1]\n    shifted[..., 0] ="),
)
# A plain number among tensors.
extra__number_joined = change(right__cat, ("[start, ", "[start_token, "))
