"""Wrong answers to `rotary(x, positions, base=10000.0)` of notebook 06, each with one of the mistakes of the table."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers.gather import gather


def wrong__rotary__rotary_half_split__1(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def wrong__rotary__rotary_half_split__2(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    frequency = torch.exp(torch.arange(half, device=x.device).double() * (-math.log(base) / half))
    angle = torch.outer(positions.double(), frequency)
    angle = torch.cat((angle, angle), dim=-1)
    turned = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
    return (x * angle.cos() + turned * angle.sin()).to(x.dtype)


def wrong__rotary__rotary_mixed__1(x, positions, base=10000.0):
    d = x.shape[-1]
    frequency = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = positions[:, None] * frequency.repeat_interleave(2)
    turned = torch.cat([-x[..., d // 2 :], x[..., : d // 2]], dim=-1)
    return x * angle.cos().to(x.dtype) + turned * angle.sin().to(x.dtype)


def wrong__rotary__rotary_mixed__2(x, positions, base=10000.0):
    d, channels = x.shape[-1], []
    for c in range(d):
        angle = positions.double() * base ** (-(c - c % 2) / d)
        partner = -x[..., c + d // 2] if c < d // 2 else x[..., c - d // 2]
        channels.append(x[..., c] * angle.cos().to(x) + partner * angle.sin().to(x))
    return torch.stack(channels, dim=-1)


def wrong__rotary__rotary_backwards__1(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos + odd * sin, odd * cos - even * sin], dim=-1).flatten(-2)


def wrong__rotary__rotary_backwards__2(x, positions, base=10000.0):
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    exponent = torch.arange(0, x.shape[-1], 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(-1j * positions[:, None] / base**exponent)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


def wrong__rotary__rotary_no_positions__1(x, positions, base=10000.0):
    n_tokens, d = x.shape[-2:]
    frequency = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = torch.arange(n_tokens, device=x.device)[:, None] * frequency
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def wrong__rotary__rotary_no_positions__2(x, positions, base=10000.0):
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    steps = torch.arange(len(positions), device=x.device, dtype=torch.float64)
    exponent = torch.arange(0, x.shape[-1], 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(1j * torch.outer(steps, base**-exponent))
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


def wrong__rotary__frequencies_from_one__1(x, positions, base=10000.0):
    d = x.shape[-1]
    frequency = base ** (-2 * torch.arange(1, d // 2 + 1, dtype=torch.float64, device=x.device) / d)
    angle = positions[:, None] * frequency
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def wrong__rotary__frequencies_from_one__2(x, positions, base=10000.0):
    channels = []
    for i in range(1, x.shape[-1] // 2 + 1):
        angle = positions.double() / base ** (2 * i / x.shape[-1])
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        a, b = x[..., 2 * i - 2], x[..., 2 * i - 1]
        channels += [a * cos - b * sin, b * cos + a * sin]
    return torch.stack(channels, dim=-1)


def wrong__rotary__batch_as_sequence__1(x, positions, base=10000.0):
    # (n_tokens, batch, d) is assumed: the first axis is taken for the tokens.
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = angle.reshape(len(positions), *[1] * (x.dim() - 2), d // 2)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def wrong__rotary__batch_as_sequence__2(x, positions, base=10000.0):
    d, x = x.shape[-1], x.transpose(0, -2)
    exponent = torch.arange(0, d, 2, device=x.device).double().repeat_interleave(2) / d
    angle = positions.reshape(-1, 1) / base**exponent
    exchanged = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).reshape(x.shape)
    return (x * angle.cos().type_as(x) + exchanged * angle.sin().type_as(x)).transpose(0, -2)


def wrong__rotary__detached__1(x, positions, base=10000.0):
    d, x = x.shape[-1], x.detach()
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def wrong__rotary__detached__2(x, positions, base=10000.0):
    rows, d = x.detach().double().cpu().numpy(), x.shape[-1]
    angle = positions.detach().double().cpu().numpy()[:, None] * base ** (-np.arange(0, d, 2) / d)
    turned = (rows[..., 0::2] + 1j * rows[..., 1::2]) * np.exp(1j * angle)
    return torch.tensor(np.stack([turned.real, turned.imag], axis=-1).reshape(rows.shape)).to(x)


def wrong__rotary__input_changed__1(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = even * cos - odd * sin
    x[..., 1::2] = even * sin + odd * cos
    return x


def wrong__rotary__input_changed__2(x, positions, base=10000.0):
    positions.unsqueeze_(-1)
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    exponent = torch.arange(0, x.shape[-1], 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(1j * positions * base**-exponent)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


def wrong__rotary__wrong_device__1(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def wrong__rotary__wrong_device__2(x, positions, base=10000.0):
    d, out = x.shape[-1], torch.zeros(x.shape, dtype=x.dtype)
    for i in range(d // 2):
        angle = positions.double() * base ** (-2 * i / d)
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        out[..., 2 * i] = x[..., 2 * i] * cos - x[..., 2 * i + 1] * sin
        out[..., 2 * i + 1] = x[..., 2 * i] * sin + x[..., 2 * i + 1] * cos
    return out


def wrong__rotary__wrong_dtype__1(x, positions, base=10000.0):
    d, x = x.shape[-1], x.float()
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device) / d)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()
    return torch.stack(pairs, dim=-1).flatten(-2).float()


def wrong__rotary__wrong_dtype__2(x, positions, base=10000.0):
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    exponent = torch.arange(0, x.shape[-1], 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(1j * positions[:, None] * base**-exponent)
    return torch.view_as_real(turned).flatten(-2).to(torch.float32)


def natural__rotary__rotary_half_split__1(x, positions, base=10000.0):
    d = x.shape[-1]
    inverse_frequency = 1.0 / (base ** (torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d))
    freqs = positions[:, None].to(torch.float64) * inverse_frequency[None, :]
    emb = torch.cat((freqs, freqs), dim=-1)
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    rotated = torch.cat((-x2, x1), dim=-1)
    return x * emb.cos().to(x.dtype) + rotated * emb.sin().to(x.dtype)


def natural__rotary__rotary_no_positions__1(x, positions, base=10000.0):
    out = torch.zeros_like(x)
    d = x.shape[-1]
    for p in range(x.shape[-2]):
        for i in range(d // 2):
            angle = p * base ** (-2 * i / d)
            c, s = math.cos(angle), math.sin(angle)
            out[..., p, 2 * i] = x[..., p, 2 * i] * c - x[..., p, 2 * i + 1] * s
            out[..., p, 2 * i + 1] = x[..., p, 2 * i] * s + x[..., p, 2 * i + 1] * c
    return out


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
