"""Answers to `split_heads(x, n_heads)` of notebook 04."""

import torch

from tests.corpus import change

def right__reshape(x, n_heads):
    *batch, n_tokens, width = x.shape
    return x.reshape(*batch, n_tokens, n_heads, width // n_heads).transpose(-3, -2)

def right__view(x, n_heads):
    return x.view(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3).contiguous()

def right__unflatten(x, n_heads):
    return x.unflatten(-1, (n_heads, x.size(-1) // n_heads)).movedim(-2, -3)

def right__chunk(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=-1), dim=-3)

def right__slices(x, n_heads):
    d_head = x.shape[-1] // n_heads
    return torch.stack([x[..., h * d_head : (h + 1) * d_head] for h in range(n_heads)], dim=-3)

def right__einsum(x, n_heads):
    return torch.einsum("...nhd->...hnd", x.reshape(*x.shape[:-1], n_heads, -1))

def right__channels_first(x, n_heads):
    return x.transpose(-2, -1).unflatten(-2, (n_heads, -1)).transpose(-2, -1)

def right__selection(x, n_heads):
    eye = torch.eye(x.shape[-1], dtype=x.dtype, device=x.device).unflatten(-1, (n_heads, -1))
    return torch.einsum("...nc,chd->...hnd", x, eye)

def right__permute(x, n_heads):
    parts = x.reshape(-1, x.shape[-2], n_heads, x.shape[-1] // n_heads).permute(0, 2, 1, 3)
    return parts.reshape(*x.shape[:-2], *parts.shape[1:])

def odd__filled(x, n_heads):
    """An empty tensor filled head by head."""
    d_head = x.shape[-1] // n_heads
    heads = x.new_empty(*x.shape[:-2], n_heads, x.shape[-2], d_head)
    for h in range(n_heads):
        heads[..., h, :, :] = x.narrow(-1, h * d_head, d_head)
    return heads

def odd__d_head_argument(x, n_heads, d_head=None):
    """An argument more, with a default."""
    d_head = d_head or x.shape[-1] // n_heads
    return x.reshape(*x.shape[:-1], n_heads, d_head).transpose(-2, -3)

def odd__keyword_only(x, *, n_heads):
    """The number of heads by name only."""
    return x.unflatten(-1, (n_heads, -1)).transpose(-2, -3)

# Arguments with names of its own.
odd__renamed = change(
    right__chunk, ("x, n_heads", "tokens, h"), ("x.chunk(n_heads, dim=-1)", "tokens.tensor_split(h, dim=-1)"),
)

def wrong__heads_by_view__2(x, n_heads):
    flat = x.contiguous().flatten(-2)
    return flat.unflatten(-1, (n_heads, x.shape[-2], -1))

def wrong__heads_by_view__3(x, n_heads):
    d_head = x.shape[-1] // n_heads
    return x.contiguous().view(*x.shape[:-2], n_heads, -1, d_head)

def wrong__heads_interleaved__2(x, n_heads):
    return torch.einsum("...ndh->...hnd", x.unflatten(-1, (-1, n_heads)))

def wrong__detached__2(x, n_heads):
    heads = x.detach().double().cpu().numpy().reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3)
    return torch.from_numpy(heads.copy()).to(x)

def wrong__input_changed__2(x, n_heads):
    heads, d_head = [], x.shape[-1] // n_heads
    for h in range(n_heads):
        part = x[..., h * d_head : (h + 1) * d_head]
        heads.append(part.clone())
        part.zero_()
    return torch.stack(heads, dim=-3)

def wrong__wrong_device__2(x, n_heads):
    order = torch.arange(x.shape[-1]).reshape(n_heads, -1)
    return torch.stack([x.index_select(-1, channels) for channels in order], dim=-3)

wrong__heads_by_view__1 = change(
    right__reshape, ("n_tokens, n_heads", "n_heads, n_tokens"), (".transpose(-3, -2)", ""),
)
wrong__heads_interleaved__1 = change(
    right__chunk, ("x.chunk(n_heads, dim=-1)", "[x[..., h::n_heads] for h in range(n_heads)]"),
)
wrong__detached__1 = change(odd__keyword_only, ("*, n_heads", "n_heads"), ("(-2, -3)", "(-3, -2).detach()"))
wrong__detached__3 = change(right__chunk, ("x.", "x.data."))
wrong__input_changed__1 = change(right__channels_first, ("x.transpose", "x.transpose_"))
wrong__wrong_device__1 = change(
    odd__filled, ("x.new_empty", "torch.zeros"), ("[-2], d_head", "[-2], d_head, dtype=x.dtype"),
    ("x.narrow(-1, h * d_head, d_head)", "x[..., h * d_head : (h + 1) * d_head]"),
)
wrong__wrong_dtype__1 = change(
    odd__keyword_only, ("*, n_heads", "n_heads"), ("return x", "return x.float()"), ("(-2, -3)", "(-3, -2)"),
)
wrong__wrong_dtype__2 = change(wrong__wrong_device__1, ("dtype=x.dtype", "device=x.device, dtype=torch.float32"))
# (..., n_tokens, n_heads, d_head): the transpose forgotten.
wrong__heads_not_moved__1 = change(odd__keyword_only, ("*, n_heads", "n_heads"), (".transpose(-2, -3)", ""))
# The head axis before the batch.
wrong__heads_axis_first__1 = change(right__chunk, (", dim=-3", ""))
# transpose(0, 1): right without a batch axis only.
wrong__axes_from_the_front__1 = change(odd__keyword_only, ("*, n_heads", "n_heads"), ("(-2, -3)", "(0, 1)"))
# transpose(1, 2): right with one batch axis only.
wrong__axes_from_the_front__2 = change(odd__keyword_only, ("*, n_heads", "n_heads"), ("(-2, -3)", "(1, 2)"))
wrong__axes_from_the_front__3 = change(right__view, ("swapaxes(-2, -3)", "movedim(1, 0)"))
# (..., n_tokens, d_head, n_heads).
wrong__other_axes_exchanged__1 = change(
    odd__keyword_only, ("*, n_heads", "n_heads"), ("(-2, -3)", "(-2, -1)"),
)
# (..., d_head, n_heads, n_tokens).
wrong__other_axes_exchanged__2 = change(right__view, ("(-2, -3).contiguous()", "(-1, -3)"))
natural__heads_by_view__1 = change(
    wrong__heads_by_view__1,
    ("*batch, n_tokens, width = x.shape", "n_tokens, d_model = x.shape[-2:]", "batch = x.shape[:-2]"),
    ("width //", "d_model //"),
)

def extra__three_axes_only(x, n_heads):
    """An error without a batch axis and with two."""
    batch, n_tokens, d_model = x.shape
    return x.reshape(batch, n_tokens, n_heads, d_model // n_heads).transpose(1, 2)

def extra__batch_merged(x, n_heads):
    """Heads and batch in one axis."""
    heads = x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    return heads.reshape(-1, *heads.shape[-2:])

def extra__copies(x, n_heads):
    """Every head sees all channels."""
    return x.unsqueeze(-3).expand(*x.shape[:-2], n_heads, *x.shape[-2:])

def extra__transposed_then_viewed(x, n_heads):
    """Tokens and channels exchanged, then read off in that order."""
    return x.transpose(-2, -1).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)

# n_heads taken as d_head: as many heads as channels per head.
extra__sizes_exchanged = change(
    odd__keyword_only, ("*, n_heads", "n_heads"), ("n_heads, -1", "-1, n_heads"), ("(-2, -3)", "(-3, -2)"),
)
# The tokens are dealt out, not the channels: an error unless they divide.
extra__tokens_split = change(
    odd__keyword_only, ("*, n_heads", "n_heads"), ("1,", "2,"), (".transpose(-2, -3)", ""),
)
# Every head gets the first head's channels.
extra__first_head = change(
    right__slices,
    ("[x[..., h * d_head : (h + 1) * d_head] for h in range(n_heads)]", "[x[..., :d_head]] * n_heads"),
)
# The last channels to the first head.
extra__heads_reversed = change(right__chunk, (", dim=-3", "[::-1], dim=-3"))
# A list of heads in place of a tensor.
extra__list = change(right__chunk, ("torch.stack", "list"), (", dim=-3", ""))
# (..., n_heads, d_head, n_tokens).
extra__head_transposed = change(right__channels_first, (").transpose(-2, -1)", ")"))
# Divided by the root of d_head already.
extra__scaled = change(extra__batch_merged, (".reshape(-1, *heads.shape[-2:])", " / heads.shape[-1] ** 0.5"))
