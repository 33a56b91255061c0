"""Answers to `linear_attention(query, key, value)` of notebook 09, right, and wrong in the ways of the table."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__linear_attention__elu(query, key, value):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def right__linear_attention__einsum(query, key, value):
    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))

    q, k = phi(query), phi(key)
    mixed = torch.einsum("...qd,...dv->...qv", q, torch.einsum("...kd,...kv->...dv", k, value))
    total = torch.einsum("...qd,...d->...q", q, k.sum(-2))
    return mixed / total[..., None]


def right__linear_attention__ones_beside_the_values(query, key, value):
    # The normaliser is one more channel of what is mixed.
    q, k = (F.relu(x) + torch.exp(-F.relu(-x)) for x in (query, key))
    both = q @ (k.mT @ torch.cat([value, torch.ones_like(value[..., :1])], dim=-1))
    return both[..., :-1] / both[..., -1:]


def right__linear_attention__key_by_key(query, key, value):
    # The state of a recurrent network, grown by one token at a time.
    q, k = torch.nn.functional.elu(query) + 1.0, torch.nn.functional.elu(key) + 1.0
    state = value.new_zeros(*k.shape[:-2], k.shape[-1], value.shape[-1])
    total = torch.zeros_like(k[..., 0, :])
    for j in range(k.shape[-2]):
        state = state + k[..., j, :, None] * value[..., j, None, :]
        total = total + k[..., j, :]
    return (q @ state) / (q @ total.unsqueeze(-1))


def right__linear_attention__bmm(query, key, value):
    batch, d_key = query.shape[:-2], query.shape[-1]
    phi = torch.nn.ELU()
    q = phi(query).add(1).reshape(-1, query.shape[-2], d_key)
    k = phi(key).add(1).reshape(-1, key.shape[-2], d_key)
    v = value.reshape(-1, *value.shape[-2:])
    output = torch.bmm(q, torch.bmm(k.permute(0, 2, 1), v))
    output = output.div(torch.bmm(q, k.sum(1).unsqueeze(2)))
    return output.reshape(*batch, *output.shape[1:])


def right__linear_attention__normalised_first(query, key, value):
    # Each query is divided before it meets the state.
    q, k = 1 + F.elu(query), 1 + F.elu(key)
    q = q / (q * k.sum(-2, keepdim=True)).sum(-1, keepdim=True)
    return torch.matmul(q, torch.matmul(k.swapaxes(-1, -2), value))


def right__linear_attention__in_float32(query, key, value):
    wide = torch.promote_types(query.dtype, torch.float32)
    q, k, v = query.to(wide), key.to(wide), value.to(wide)
    q, k = torch.maximum(q, q.new_zeros(())) + q.clamp(max=0).exp(), k.clamp(min=0) + k.clamp(max=0).exp()
    output = q @ (k.mT @ v) / (q * k.sum(-2, keepdim=True)).sum(-1, keepdim=True)
    return output.to(query.dtype)


def odd__linear_attention__renamed(q, k, v, eps=0.0):
    """Other names, and an argument more."""
    q, k = F.elu(q) + 1, F.elu(k) + 1
    return (q @ (k.mT @ v)) / (q @ k.sum(-2).unsqueeze(-1) + eps)


def odd__linear_attention__queries_in_pieces(query, key, value):
    """The queries a few at a time."""
    k = F.elu(key) + 1
    state, total = k.mT @ value, k.sum(-2, keepdim=True).mT
    pieces = (F.elu(rows) + 1 for rows in query.split(3, dim=-2))
    return torch.cat([rows @ state / (rows @ total) for rows in pieces], dim=-2)


def odd__linear_attention__running_sums(query, key, value):
    """Running sums, of which the last is taken: d_key numbers a token, channel of the values by channel."""
    q, k = F.elu(query) + 1, F.elu(key) + 1
    total = k.cumsum(-2)[..., -1:, :]
    channels = []
    for c in range(value.shape[-1]):
        state = (k * value[..., c : c + 1]).cumsum(-2)[..., -1:, :]
        channels.append((q * state).sum(-1) / (q * total).sum(-1))
    return torch.stack(channels, dim=-1)


odd__linear_attention__lambda = lambda *args, **kwargs: right__linear_attention__elu(*args, **kwargs)  # noqa: E731 - the case


def wrong__linear_attention__linear_no_normaliser__1(query, key, value):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    return query @ state


def wrong__linear_attention__linear_no_normaliser__2(query, key, value):
    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))

    q, k = phi(query), phi(key)
    mixed = torch.einsum("...qd,...dv->...qv", q, torch.einsum("...kd,...kv->...dv", k, value))
    return mixed


def wrong__linear_attention__linear_no_plus_one__1(query, key, value):
    query, key = F.elu(query), F.elu(key)
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def wrong__linear_attention__linear_no_plus_one__2(query, key, value):
    def phi(x):
        return torch.where(x > 0, x, torch.expm1(x.clamp(max=0)))

    q, k = phi(query), phi(key)
    mixed = torch.einsum("...qd,...dv->...qv", q, torch.einsum("...kd,...kv->...dv", k, value))
    total = torch.einsum("...qd,...d->...q", q, k.sum(-2))
    return mixed / total[..., None]


def wrong__linear_attention__detached__1(query, key, value):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return (query @ state / normaliser).detach()


def wrong__linear_attention__detached__2(query, key, value):
    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))

    q, k = phi(query.data), phi(key.data)
    mixed = torch.einsum("...qd,...dv->...qv", q, torch.einsum("...kd,...kv->...dv", k, value.data))
    total = torch.einsum("...qd,...d->...q", q, k.sum(-2))
    return mixed / total[..., None]


@torch.no_grad()
def wrong__linear_attention__detached__3(query, key, value):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def wrong__linear_attention__input_changed__1(query, key, value):
    query, key = F.elu(query, inplace=True) + 1, F.elu(key, inplace=True) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def wrong__linear_attention__input_changed__2(query, key, value):
    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))

    q, k = phi(query), key.copy_(phi(key))
    mixed = torch.einsum("...qd,...dv->...qv", q, torch.einsum("...kd,...kv->...dv", k, value))
    total = torch.einsum("...qd,...d->...q", q, k.sum(-2))
    return mixed / total[..., None]


def wrong__linear_attention__input_changed__3(query, key, value):
    query, key = F.elu_(query).add_(1), F.elu_(key).add_(1)
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def wrong__linear_attention__wrong_device__1(query, key, value):
    q, k = F.elu(query) + 1, F.elu(key) + 1
    state = torch.zeros(*k.shape[:-2], k.shape[-1], value.shape[-1], dtype=k.dtype)
    for j in range(k.shape[-2]):
        state += k[..., j, :, None] * value[..., j, None, :]
    return q @ state / (q @ k.sum(-2).unsqueeze(-1))


def wrong__linear_attention__wrong_device__2(query, key, value):
    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))

    q, k = phi(query), phi(key)
    ones = torch.ones(key.shape[-2], dtype=k.dtype)
    mixed = torch.einsum("...qd,...dv->...qv", q, torch.einsum("...kd,...kv->...dv", k, value))
    total = torch.einsum("...qd,...d->...q", q, ones @ k)
    return mixed / total[..., None]


def wrong__linear_attention__wrong_dtype__1(query, key, value):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return (query @ state / normaliser).float()


def wrong__linear_attention__wrong_dtype__2(query, key, value):
    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))

    q, k = phi(query.float()), phi(key.float())
    mixed = torch.einsum("...qd,...dv->...qv", q, torch.einsum("...kd,...kv->...dv", k, value.float()))
    total = torch.einsum("...qd,...d->...q", q, k.sum(-2))
    return mixed / total[..., None]


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
