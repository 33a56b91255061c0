"""Answers to `append_positions(x, encoding)` of notebook 06."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__append_positions__expand(x, encoding):
    return torch.cat([x, encoding.expand(*x.shape[:-1], encoding.shape[-1])], dim=-1)


def right__append_positions__broadcast_to(x, encoding):
    repeated = torch.broadcast_to(encoding, (*x.shape[:-1], encoding.size(-1)))
    return torch.concatenate((x, repeated), dim=x.dim() - 1)


def right__append_positions__zeros_added(x, encoding):
    return torch.cat([x, x.new_zeros(*x.shape[:-1], encoding.shape[-1]) + encoding], -1)


def right__append_positions__padded_and_added(x: torch.Tensor, encoding: torch.Tensor) -> torch.Tensor:
    return F.pad(x, (0, encoding.shape[-1])) + F.pad(encoding, (x.shape[-1], 0))


def right__append_positions__written_in_parts(x, encoding):
    d_model, d_pos = x.shape[-1], encoding.shape[-1]
    out = torch.empty(*x.shape[:-1], d_model + d_pos, dtype=x.dtype, device=x.device)
    out[..., :d_model] = x
    out[..., d_model:] = encoding
    return out


def right__append_positions__item_by_item(x, encoding):
    items = x.reshape(-1, *x.shape[-2:])
    joined = torch.stack([torch.hstack([item, encoding]) for item in items])
    return joined.reshape(*x.shape[:-1], -1)


def right__append_positions__repeat(x, encoding):
    copies = encoding.repeat(*x.shape[:-2], 1, 1) if x.dim() > 2 else encoding
    return torch.cat((x, copies), dim=-1)


def right__append_positions__token_by_token(x, encoding):
    tokens = []
    for p in range(x.shape[-2]):
        position = torch.ones_like(x[..., p, :1]) * encoding[p]
        tokens.append(torch.cat([x[..., p, :], position], dim=-1))
    return torch.stack(tokens, dim=-2)


def right__append_positions__identity_matrices(x, encoding):
    # x goes to the first channels, the encoding to the last.
    d_model, d_pos = x.shape[-1], encoding.shape[-1]
    eye = torch.eye(d_model + d_pos, dtype=x.dtype, device=x.device)
    return x @ eye[:d_model] + encoding @ eye[d_model:]


def right__append_positions__cast_to_x(x, encoding):
    encoding = encoding.to(x).expand(x.shape[:-1] + encoding.shape[-1:])
    return torch.cat([x, encoding], dim=-1)


def odd__append_positions__channels_first(x, encoding):
    """Stacked along the tokens' axis of the transposes; the result is a view."""
    turned = encoding.mT.expand(*x.shape[:-2], -1, -1)
    return torch.cat([x.mT, turned], dim=-2).mT


def odd__append_positions__renamed(tokens, pe, dim=-1):
    """Other names and an argument more."""
    return torch.cat([tokens, pe.expand(*tokens.shape[:-1], -1)], dim=dim)


def wrong__append_positions__concat_added__1(x, encoding):
    return x + encoding


def wrong__append_positions__concat_added__2(x, encoding):
    return torch.stack([x, encoding.expand_as(x)]).sum(0)


def wrong__append_positions__encoding_first__1(x, encoding):
    return torch.cat([encoding.expand(*x.shape[:-1], encoding.shape[-1]), x], dim=-1)


def wrong__append_positions__encoding_first__2(x, encoding):
    return F.pad(x, (encoding.shape[-1], 0)) + F.pad(encoding, (0, x.shape[-1]))


def wrong__append_positions__detached__1(x, encoding):
    return torch.cat([x, encoding.expand(*x.shape[:-1], encoding.shape[-1])], dim=-1).detach()


def wrong__append_positions__detached__2(x, encoding):
    d_model = x.shape[-1]
    out = x.new_empty(*x.shape[:-1], d_model + encoding.shape[-1])
    out[..., :d_model], out[..., d_model:] = x.data, encoding.data
    return out


def wrong__append_positions__detached__3(x, encoding):
    a, b = x.detach().double().cpu().numpy(), encoding.detach().double().cpu().numpy()
    joined = np.concatenate([a, np.broadcast_to(b, (*a.shape[:-1], b.shape[-1]))], axis=-1)
    return torch.tensor(joined).to(x)


def wrong__append_positions__input_changed__1(x, encoding):
    for _ in x.shape[:-2]:
        encoding.unsqueeze_(0)
    return torch.cat([x, encoding.expand(*x.shape[:-1], encoding.shape[-1])], dim=-1)


def wrong__append_positions__input_changed__2(x, encoding):
    d_model = x.shape[-1]
    x *= 2
    return torch.cat([x, encoding.expand(*x.shape[:-1], -1)], dim=-1) * torch.tensor(
        [0.5] * d_model + [1.0] * encoding.shape[-1], dtype=x.dtype, device=x.device
    )


def wrong__append_positions__wrong_device__1(x, encoding):
    # The parts are copied into a tensor on the CPU, and that comes back.
    d_model = x.shape[-1]
    out = torch.empty(*x.shape[:-1], d_model + encoding.shape[-1], dtype=x.dtype)
    out[..., :d_model] = x
    out[..., d_model:] = encoding
    return out


def wrong__append_positions__wrong_device__2(x, encoding):
    return torch.cat([x, torch.zeros(*x.shape[:-1], encoding.shape[-1], dtype=x.dtype) + encoding], -1)


def wrong__append_positions__wrong_dtype__1(x, encoding):
    return torch.cat([x, encoding.expand(*x.shape[:-1], encoding.shape[-1])], dim=-1).float()


def wrong__append_positions__wrong_dtype__2(x, encoding):
    d_model = x.shape[-1]
    out = torch.zeros(*x.shape[:-1], d_model + encoding.shape[-1], device=x.device)
    out[..., :d_model] = x
    out[..., d_model:] = encoding
    return out


def natural__append_positions__concat_added__1(x, encoding):
    # As in the paper.
    return x + encoding[: x.shape[-2]]


def natural__append_positions__encoding_first__1(x, encoding):
    positions = torch.zeros(*x.shape[:-1], encoding.shape[-1], dtype=x.dtype, device=x.device)
    positions[...] = encoding
    return torch.cat((positions, x), dim=-1)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
