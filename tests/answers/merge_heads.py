"""Answers to `merge_heads(x)` of notebook 04."""

from __future__ import annotations

import torch

from tests.answers.gather import gather


def right__merge_heads__flatten(x):
    return x.transpose(-3, -2).flatten(-2)


def right__merge_heads__reshape(x):
    *batch, n_heads, n_tokens, d_head = x.shape
    return x.swapaxes(-2, -3).reshape(*batch, n_tokens, n_heads * d_head)


def right__merge_heads__view(x):
    x = x.transpose(-2, -3).contiguous()
    return x.view(*x.shape[:-2], -1)


def right__merge_heads__cat(x):
    return torch.cat(x.unbind(dim=-3), dim=-1)


def right__merge_heads__loop(x):
    merged = [x[..., h, :, :] for h in range(x.shape[-3])]
    return torch.concatenate(merged, dim=-1)


def right__merge_heads__einsum(x):
    return torch.einsum("...hnd->...nhd", x).flatten(start_dim=-2)


def right__merge_heads__movedim(x):
    return x.movedim(-3, -2).reshape(*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1])


def right__merge_heads__channels_first(x):
    return x.transpose(-2, -1).reshape(*x.shape[:-3], -1, x.shape[-2]).transpose(-2, -1)


def right__merge_heads__placement(x):
    n_heads, _, d_head = x.shape[-3:]
    eye = torch.eye(n_heads * d_head, dtype=x.dtype, device=x.device).unflatten(0, (n_heads, d_head))
    return torch.einsum("...hnd,hdc->...nc", x, eye)


def right__merge_heads__token_by_token(x):
    return torch.stack([x[..., i, :].flatten(-2) for i in range(x.shape[-2])], dim=-2)


def odd__merge_heads__filled(x):
    """An empty tensor filled head by head."""
    n_heads, n_tokens, d_head = x.shape[-3:]
    merged = x.new_empty(*x.shape[:-3], n_tokens, n_heads * d_head)
    for h in range(n_heads):
        merged[..., h * d_head : (h + 1) * d_head] = x.select(-3, h)
    return merged


def odd__merge_heads__renamed(heads):
    """An argument with a name of its own."""
    return torch.cat([head.squeeze(-3) for head in heads.split(1, dim=-3)], dim=-1)


def odd__merge_heads__dim_argument(x, dim=-3):
    """An argument more, with a default."""
    return torch.cat(torch.unbind(x, dim), dim=-1)


def wrong__merge_heads__merge_by_view__1(x):
    *batch, n_heads, n_tokens, d_head = x.shape
    return x.reshape(*batch, n_tokens, n_heads * d_head)


def wrong__merge_heads__merge_by_view__2(x):
    return x.contiguous().flatten(-3).unflatten(-1, (x.shape[-2], -1))


def wrong__merge_heads__merge_by_view__3(x):
    return x.contiguous().view(*x.shape[:-3], x.shape[-2], -1)


def wrong__merge_heads__heads_averaged__1(x):
    return x.mean(dim=-3)


def wrong__merge_heads__heads_averaged__2(x):
    total = x[..., 0, :, :]
    for h in range(1, x.shape[-3]):
        total = total + x[..., h, :, :]
    return total / x.shape[-3]


def wrong__merge_heads__heads_averaged__sum_1(x):
    return x.sum(dim=-3)


def wrong__merge_heads__heads_averaged__sum_2(x):
    return torch.einsum("...hnd->...nd", x)


def wrong__merge_heads__detached__1(x):
    return x.transpose(-3, -2).flatten(-2).detach()


def wrong__merge_heads__detached__2(x):
    merged = x.detach().double().cpu().numpy().swapaxes(-2, -3).reshape(*x.shape[:-3], x.shape[-2], -1)
    return torch.from_numpy(merged.copy()).to(x)


def wrong__merge_heads__detached__3(x):
    return torch.cat(x.data.unbind(-3), dim=-1)


def wrong__merge_heads__input_changed__1(x):
    return x.transpose_(-3, -2).flatten(-2)


def wrong__merge_heads__input_changed__2(x):
    merged = torch.cat(x.unbind(-3), dim=-1)
    x.zero_()
    return merged


def wrong__merge_heads__wrong_device__1(x):
    n_heads, n_tokens, d_head = x.shape[-3:]
    merged = torch.zeros(*x.shape[:-3], n_tokens, n_heads * d_head, dtype=x.dtype)
    for h in range(n_heads):
        merged[..., h * d_head : (h + 1) * d_head] = x[..., h, :, :]
    return merged


def wrong__merge_heads__wrong_device__2(x):
    n_heads, _, d_head = x.shape[-3:]
    eye = torch.eye(n_heads * d_head, dtype=x.dtype).unflatten(0, (n_heads, d_head))
    return torch.einsum("...hnd,hdc->...nc", x, eye)


def wrong__merge_heads__wrong_dtype__1(x):
    return x.transpose(-3, -2).flatten(-2).float()


def wrong__merge_heads__wrong_dtype__2(x):
    n_heads, n_tokens, d_head = x.shape[-3:]
    merged = torch.zeros(*x.shape[:-3], n_tokens, n_heads * d_head, device=x.device, dtype=torch.float32)
    for h in range(n_heads):
        merged[..., h * d_head : (h + 1) * d_head] = x[..., h, :, :]
    return merged


def natural__merge_heads__merge_by_view__1(x):
    n_heads, n_tokens, d_head = x.shape[-3:]
    batch = x.shape[:-3]
    return x.reshape(*batch, n_tokens, n_heads * d_head)


def extra__merge_heads__merge_interleaved(x):
    """Channels of the heads alternate."""
    return torch.stack(x.unbind(-3), dim=-1).flatten(-2)


def extra__merge_heads__heads_under_each_other(x):
    """Heads joined along the tokens."""
    return torch.cat(x.unbind(-3), dim=-2)


def extra__merge_heads__flattened_only(x):
    """Heads and tokens in one axis."""
    return x.flatten(-3, -2)


def extra__merge_heads__transposed_only(x):
    """The axes are put back, and the heads not joined."""
    return x.transpose(-3, -2)


def extra__merge_heads__wrong_transpose(x):
    """Tokens and channels exchanged before the reshape."""
    return x.transpose(-2, -1).reshape(*x.shape[:-3], x.shape[-2], -1)


def extra__merge_heads__head_and_channel_exchanged(x):
    """The first and last of the three axes are exchanged before the reshape."""
    return x.transpose(-3, -1).reshape(*x.shape[:-3], x.shape[-2], -1)


def extra__merge_heads__axis_one(x):
    """transpose(1, 2): right with one batch axis only."""
    return x.transpose(1, 2).reshape(*x.shape[:-3], x.shape[-2], -1)


def extra__merge_heads__four_axes_only(x):
    """An error without a batch axis and with two."""
    batch, n_heads, n_tokens, d_head = x.shape
    return x.transpose(1, 2).reshape(batch, n_tokens, n_heads * d_head)


def extra__merge_heads__batch_flattened(x):
    """All leading axes in one."""
    return x.transpose(-3, -2).reshape(-1, x.shape[-2], x.shape[-3] * x.shape[-1])


def extra__merge_heads__heads_reversed(x):
    """The last head first."""
    return torch.cat(x.unbind(-3)[::-1], dim=-1)


def extra__merge_heads__first_head(x):
    """The first head's output, once for each head."""
    return torch.cat([x[..., 0, :, :]] * x.shape[-3], dim=-1)


def extra__merge_heads__first_head_only(x):
    """The first head alone."""
    return x[..., 0, :, :]


def extra__merge_heads__heads_averaged__maximum(x):
    """The largest of the heads, channel by channel."""
    return x.amax(dim=-3)


def extra__merge_heads__heads_averaged__repeated(x):
    """The mean of the heads, repeated to the right width."""
    return torch.cat([x.mean(dim=-3)] * x.shape[-3], dim=-1)


def extra__merge_heads__channels_and_tokens(x):
    """The result transposed."""
    return torch.cat(x.unbind(-3), dim=-1).transpose(-2, -1)


def extra__merge_heads__view_fails(x):
    """`view` of a transposed tensor: an error where it is not contiguous."""
    return x.transpose(-3, -2).view(*x.shape[:-3], x.shape[-2], -1)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
