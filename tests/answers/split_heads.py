"""Answers to `split_heads(x, n_heads)` of notebook 04."""

from __future__ import annotations

import torch

from tests.answers.gather import gather


def right__split_heads__reshape(x, n_heads):
    *batch, n_tokens, width = x.shape
    return x.reshape(*batch, n_tokens, n_heads, width // n_heads).transpose(-3, -2)


def right__split_heads__view(x, n_heads):
    return x.view(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3).contiguous()


def right__split_heads__unflatten(x, n_heads):
    return x.unflatten(-1, (n_heads, x.size(-1) // n_heads)).movedim(-2, -3)


def right__split_heads__chunk(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=-1), dim=-3)


def right__split_heads__slices(x, n_heads):
    d_head = x.shape[-1] // n_heads
    return torch.stack([x[..., h * d_head : (h + 1) * d_head] for h in range(n_heads)], dim=-3)


def right__split_heads__einsum(x, n_heads):
    return torch.einsum("...nhd->...hnd", x.reshape(*x.shape[:-1], n_heads, -1))


def right__split_heads__channels_first(x, n_heads):
    return x.transpose(-2, -1).unflatten(-2, (n_heads, -1)).transpose(-2, -1)


def right__split_heads__selection(x, n_heads):
    eye = torch.eye(x.shape[-1], dtype=x.dtype, device=x.device).unflatten(-1, (n_heads, -1))
    return torch.einsum("...nc,chd->...hnd", x, eye)


def right__split_heads__permute(x, n_heads):
    parts = x.reshape(-1, x.shape[-2], n_heads, x.shape[-1] // n_heads).permute(0, 2, 1, 3)
    return parts.reshape(*x.shape[:-2], *parts.shape[1:])


def odd__split_heads__filled(x, n_heads):
    """An empty tensor filled head by head."""
    d_head = x.shape[-1] // n_heads
    heads = x.new_empty(*x.shape[:-2], n_heads, x.shape[-2], d_head)
    for h in range(n_heads):
        heads[..., h, :, :] = x.narrow(-1, h * d_head, d_head)
    return heads


def odd__split_heads__renamed(tokens, h):
    """Arguments with names of its own."""
    return torch.stack(tokens.tensor_split(h, dim=-1), dim=-3)


def odd__split_heads__d_head_argument(x, n_heads, d_head=None):
    """An argument more, with a default."""
    d_head = d_head or x.shape[-1] // n_heads
    return x.reshape(*x.shape[:-1], n_heads, d_head).transpose(-2, -3)


def odd__split_heads__keyword_only(x, *, n_heads):
    """The number of heads by name only."""
    return x.unflatten(-1, (n_heads, -1)).transpose(-2, -3)


def wrong__split_heads__heads_by_view__1(x, n_heads):
    *batch, n_tokens, width = x.shape
    return x.reshape(*batch, n_heads, n_tokens, width // n_heads)


def wrong__split_heads__heads_by_view__2(x, n_heads):
    flat = x.contiguous().flatten(-2)
    return flat.unflatten(-1, (n_heads, x.shape[-2], -1))


def wrong__split_heads__heads_by_view__3(x, n_heads):
    d_head = x.shape[-1] // n_heads
    return x.contiguous().view(*x.shape[:-2], n_heads, -1, d_head)


def wrong__split_heads__heads_interleaved__1(x, n_heads):
    return torch.stack([x[..., h::n_heads] for h in range(n_heads)], dim=-3)


def wrong__split_heads__heads_interleaved__2(x, n_heads):
    return torch.einsum("...ndh->...hnd", x.unflatten(-1, (-1, n_heads)))


def wrong__split_heads__detached__1(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2).detach()


def wrong__split_heads__detached__2(x, n_heads):
    heads = x.detach().double().cpu().numpy().reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3)
    return torch.from_numpy(heads.copy()).to(x)


def wrong__split_heads__detached__3(x, n_heads):
    return torch.stack(x.data.chunk(n_heads, dim=-1), dim=-3)


def wrong__split_heads__input_changed__1(x, n_heads):
    return x.transpose_(-2, -1).unflatten(-2, (n_heads, -1)).transpose(-2, -1)


def wrong__split_heads__input_changed__2(x, n_heads):
    heads, d_head = [], x.shape[-1] // n_heads
    for h in range(n_heads):
        part = x[..., h * d_head : (h + 1) * d_head]
        heads.append(part.clone())
        part.zero_()
    return torch.stack(heads, dim=-3)


def wrong__split_heads__wrong_device__1(x, n_heads):
    d_head = x.shape[-1] // n_heads
    heads = torch.zeros(*x.shape[:-2], n_heads, x.shape[-2], d_head, dtype=x.dtype)
    for h in range(n_heads):
        heads[..., h, :, :] = x[..., h * d_head : (h + 1) * d_head]
    return heads


def wrong__split_heads__wrong_device__2(x, n_heads):
    order = torch.arange(x.shape[-1]).reshape(n_heads, -1)
    return torch.stack([x.index_select(-1, channels) for channels in order], dim=-3)


def wrong__split_heads__wrong_dtype__1(x, n_heads):
    return x.float().unflatten(-1, (n_heads, -1)).transpose(-3, -2)


def wrong__split_heads__wrong_dtype__2(x, n_heads):
    d_head = x.shape[-1] // n_heads
    heads = torch.zeros(*x.shape[:-2], n_heads, x.shape[-2], d_head, device=x.device, dtype=torch.float32)
    for h in range(n_heads):
        heads[..., h, :, :] = x[..., h * d_head : (h + 1) * d_head]
    return heads


def natural__split_heads__heads_by_view__1(x, n_heads):
    n_tokens, d_model = x.shape[-2:]
    batch = x.shape[:-2]
    return x.reshape(*batch, n_heads, n_tokens, d_model // n_heads)


def extra__split_heads__not_transposed(x, n_heads):
    """(..., n_tokens, n_heads, d_head): the transpose forgotten."""
    return x.unflatten(-1, (n_heads, -1))


def extra__split_heads__heads_last(x, n_heads):
    """(..., n_tokens, d_head, n_heads)."""
    return x.unflatten(-1, (n_heads, -1)).transpose(-2, -1)


def extra__split_heads__heads_first(x, n_heads):
    """The head axis before the batch."""
    return torch.stack(x.chunk(n_heads, dim=-1))


def extra__split_heads__sizes_exchanged(x, n_heads):
    """n_heads taken as d_head: as many heads as channels per head."""
    return x.unflatten(-1, (-1, n_heads)).transpose(-3, -2)


def extra__split_heads__tokens_split(x, n_heads):
    """The tokens are dealt out, not the channels: an error unless they divide."""
    return x.unflatten(-2, (n_heads, -1))


def extra__split_heads__axis_one(x, n_heads):
    """transpose(1, 2): right with one batch axis only."""
    return x.unflatten(-1, (n_heads, -1)).transpose(1, 2)


def extra__split_heads__three_axes_only(x, n_heads):
    """An error without a batch axis and with two."""
    batch, n_tokens, d_model = x.shape
    return x.reshape(batch, n_tokens, n_heads, d_model // n_heads).transpose(1, 2)


def extra__split_heads__batch_merged(x, n_heads):
    """Heads and batch in one axis."""
    heads = x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    return heads.reshape(-1, *heads.shape[-2:])


def extra__split_heads__copies(x, n_heads):
    """Every head sees all channels."""
    return x.unsqueeze(-3).expand(*x.shape[:-2], n_heads, *x.shape[-2:])


def extra__split_heads__first_head(x, n_heads):
    """Every head gets the first head's channels."""
    d_head = x.shape[-1] // n_heads
    return torch.stack([x[..., :d_head]] * n_heads, dim=-3)


def extra__split_heads__heads_reversed(x, n_heads):
    """The last channels to the first head."""
    return torch.stack(x.chunk(n_heads, dim=-1)[::-1], dim=-3)


def extra__split_heads__list(x, n_heads):
    """A list of heads in place of a tensor."""
    return list(x.chunk(n_heads, dim=-1))


def extra__split_heads__head_transposed(x, n_heads):
    """(..., n_heads, d_head, n_tokens)."""
    return x.transpose(-2, -1).unflatten(-2, (n_heads, -1))


def extra__split_heads__transposed_then_viewed(x, n_heads):
    """Tokens and channels exchanged, then read off in that order."""
    return x.transpose(-2, -1).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)


def extra__split_heads__scaled(x, n_heads):
    """Divided by the root of d_head already."""
    heads = x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    return heads / heads.shape[-1] ** 0.5


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
