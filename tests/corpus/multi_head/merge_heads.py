"""Answers to `merge_heads(x)` of notebook 04."""

import torch

from tests.corpus import change

def right__flatten(x):
    return x.transpose(-3, -2).flatten(-2)

def right__reshape(x):
    *batch, n_heads, n_tokens, d_head = x.shape
    return x.swapaxes(-2, -3).reshape(*batch, n_tokens, n_heads * d_head)

def right__view(x):
    x = x.transpose(-2, -3).contiguous()
    return x.view(*x.shape[:-2], -1)

right__cat = change(right__flatten, ("x.transpose(-3, -2).flatten(-2)", "torch.cat(x.unbind(dim=-3), dim=-1)"))

def right__loop(x):
    merged = [x[..., h, :, :] for h in range(x.shape[-3])]
    return torch.concatenate(merged, dim=-1)

right__einsum = change(
    right__cat, (".cat(x.unbind(dim=-3), dim=-1)", '.einsum("...hnd->...nhd", x).flatten(start_dim=-2)'),
)

def right__movedim(x):
    return x.movedim(-3, -2).reshape(*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1])

def right__channels_first(x):
    return x.transpose(-2, -1).reshape(*x.shape[:-3], -1, x.shape[-2]).transpose(-2, -1)

def right__placement(x):
    n_heads, _, d_head = x.shape[-3:]
    eye = torch.eye(n_heads * d_head, dtype=x.dtype, device=x.device).unflatten(0, (n_heads, d_head))
    return torch.einsum("...hnd,hdc->...nc", x, eye)

def right__token_by_token(x):
    return torch.stack([x[..., i, :].flatten(-2) for i in range(x.shape[-2])], dim=-2)

def odd__filled(x):
    """An empty tensor filled head by head."""
    n_heads, n_tokens, d_head = x.shape[-3:]
    merged = x.new_empty(*x.shape[:-3], n_tokens, n_heads * d_head)
    for h in range(n_heads):
        merged[..., h * d_head : (h + 1) * d_head] = x.select(-3, h)
    return merged

def odd__renamed(heads):
    """An argument with a name of its own."""
    return torch.cat([head.squeeze(-3) for head in heads.split(1, dim=-3)], dim=-1)

# An argument more, with a default.
odd__dim_argument = change(right__cat, ("(x)", "(x, dim=-3)"), ("x.unbind(dim=-3)", "torch.unbind(x, dim)"))

def wrong__merge_by_view__2(x):
    return x.contiguous().flatten(-3).unflatten(-1, (x.shape[-2], -1))

def wrong__heads_averaged__2(x):
    total = x[..., 0, :, :]
    for h in range(1, x.shape[-3]):
        total = total + x[..., h, :, :]
    return total / x.shape[-3]

def wrong__detached__2(x):
    merged = x.detach().double().cpu().numpy().swapaxes(-2, -3).reshape(*x.shape[:-3], x.shape[-2], -1)
    return torch.from_numpy(merged.copy()).to(x)

wrong__merge_by_view__1 = change(right__reshape, ("x.swapaxes(-2, -3)", "x"))
wrong__merge_by_view__3 = change(
    right__movedim, ("x.movedim(-3, -2).reshape", "x.contiguous().view"), ("x.shape[-3] * x.shape[-1]", "-1"),
)
wrong__heads_averaged__1 = change(right__flatten, ("x.transpose(-3, -2).flatten(-2)", "x.mean(dim=-3)"))
wrong__heads_averaged__sum_1 = change(right__flatten, ("x.transpose(-3, -2).flatten(-2)", "x.sum(dim=-3)"))
wrong__heads_averaged__sum_2 = change(
    right__flatten, ("x.transpose(-3, -2).flatten(-2)", 'torch.einsum("...hnd->...nd", x)'),
)
wrong__detached__1 = change(right__flatten, ("(-2)", "(-2).detach()"))
wrong__detached__3 = change(right__cat, ("x.unbind(dim=-3)", "x.data.unbind(-3)"))
wrong__input_changed__1 = change(right__flatten, ("x.transpose", "x.transpose_"))
wrong__input_changed__2 = change(
    right__flatten,
    (
        "return x.transpose(-3, -2).flatten(-2)",
        "merged = torch.cat(x.unbind(-3), dim=-1)",
        "x.zero_()",
        "return merged",
    ),
)
wrong__wrong_device__1 = change(
    odd__filled, ("x.new_empty", "torch.zeros"), ("n_heads * d_head", "n_heads * d_head, dtype=x.dtype"),
    ("x.select(-3, h)", "x[..., h, :, :]"),
)
wrong__wrong_device__2 = change(right__placement, (", device=x.device", ""))
wrong__wrong_dtype__1 = change(right__flatten, ("(-2)", "(-2).float()"))
wrong__wrong_dtype__2 = change(wrong__wrong_device__1, ("dtype=x.dtype", "device=x.device, dtype=torch.float32"))
# Channels of the heads alternate.
wrong__merge_interleaved__1 = change(right__flatten, ("x.transpose(-3, -2)", "torch.stack(x.unbind(-3), dim=-1)"))
# Heads and tokens in one axis.
wrong__heads_along_tokens__1 = change(
    right__flatten, ("x.transpose(-3, -2).flatten(-2)", "x.flatten(-3, -2)"),
)
# transpose(0, 1): right without a batch axis only.
wrong__axes_from_the_front__1 = change(right__flatten, ("(-3, -2)", "(0, 1)"))
# transpose(1, 2): right with one batch axis only.
wrong__axes_from_the_front__2 = change(right__flatten, ("(-3, -2)", "(1, 2)"))
# Tokens and channels exchanged before the reshape.
wrong__other_axes_exchanged__1 = change(
    right__flatten, ("(-3, -2).flatten(-2)", "(-2, -1).reshape(*x.shape[:-3], x.shape[-2], -1)"),
)
# The first and last of the three axes are exchanged before the reshape.
wrong__other_axes_exchanged__2 = change(wrong__other_axes_exchanged__1, ("(-2, -1)", "(-3, -1)"))
wrong__other_axes_exchanged__3 = change(right__flatten, ("(-3, -2)", "(-2, -1)"))
wrong__other_axes_exchanged__4 = change(right__flatten, ("(-3, -2)", "(-3, -1)"))
natural__merge_by_view__1 = change(
    wrong__merge_by_view__1, ("*batch, n_heads", "n_heads"),
    ("= x.shape", "= x.shape[-3:]", "batch = x.shape[:-3]"),
)

def extra__four_axes_only(x):
    """An error without a batch axis and with two."""
    batch, n_heads, n_tokens, d_head = x.shape
    return x.transpose(1, 2).reshape(batch, n_tokens, n_heads * d_head)

# Heads joined along the tokens.
extra__heads_under_each_other = change(right__cat, ("(dim=-3), dim=-1", "(-3), dim=-2"))
# The axes are put back, and the heads not joined.
extra__transposed_only = change(right__flatten, (".flatten(-2)", ""))
# All leading axes in one.
extra__batch_flattened = change(
    right__flatten, (".flatten(-2)", ".reshape(-1, x.shape[-2], x.shape[-3] * x.shape[-1])"),
)
# The last head first.
extra__heads_reversed = change(right__cat, ("(dim=-3)", "(-3)[::-1]"))
# The first head's output, once for each head.
extra__first_head = change(right__cat, ("x.unbind(dim=-3)", "[x[..., 0, :, :]] * x.shape[-3]"))
# The first head alone.
extra__first_head_only = change(extra__transposed_only, ("x.transpose(-3, -2)", "x[..., 0, :, :]"))
# The largest of the heads, channel by channel.
extra__heads_averaged__maximum = change(right__flatten, ("x.transpose(-3, -2).flatten(-2)", "x.amax(dim=-3)"))
# The mean of the heads, repeated to the right width.
extra__heads_averaged__repeated = change(right__cat, ("x.unbind(dim=-3)", "[x.mean(dim=-3)] * x.shape[-3]"))
# The result transposed.
extra__channels_and_tokens = change(right__cat, ("(dim=-3), dim=-1)", "(-3), dim=-1).transpose(-2, -1)"))
# `view` of a transposed tensor: an error where it is not contiguous.
extra__view_fails = change(right__flatten, (".flatten(-2)", ".view(*x.shape[:-3], x.shape[-2], -1)"))
