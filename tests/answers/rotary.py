"""Right answers to `rotary(x, positions, base=10000.0)` of notebook 06."""

from __future__ import annotations

import math

import torch

from tests.answers.gather import gather


def right__rotary__stacked_pairs(x, positions, base=10000.0):
    d = x.shape[-1]
    frequency = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = positions[..., None] * frequency
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def right__rotary__complex(x, positions, base=10000.0):
    wide = x.double().unflatten(-1, (-1, 2)).contiguous()
    pairs = torch.arange(wide.shape[-2], dtype=torch.float64, device=x.device)
    angle = positions.unsqueeze(-1) * torch.exp(-math.log(base) * 2 * pairs / x.shape[-1])
    turned = torch.view_as_complex(wide) * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


def right__rotary__neighbours_exchanged(x, positions, base=10000.0):
    d = x.shape[-1]
    exponent = torch.arange(0, d, 2, device=x.device).double().repeat_interleave(2) / d
    angle = positions.reshape(-1, 1) / base**exponent
    exchanged = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).reshape(x.shape)
    return x * angle.cos().type_as(x) + exchanged * angle.sin().type_as(x)


def right__rotary__pair_by_pair(
    x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0
) -> torch.Tensor:
    channels = []
    for i in range(x.shape[-1] // 2):
        angle = positions.double() * base ** (-2 * i / x.shape[-1])
        cos, sin = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
        a, b = x[..., 2 * i], x[..., 2 * i + 1]
        channels += [a * cos - b * sin, b * cos + a * sin]
    return torch.stack(channels, dim=-1)


def right__rotary__matrices(x, positions, base=10000.0):
    # One 2 x 2 matrix for each token and pair.
    d = x.shape[-1]
    angle = torch.outer(positions.double(), base ** (-torch.arange(0, d, 2, device=x.device).double() / d))
    cos, sin = angle.cos(), angle.sin()
    turn = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2).to(x)
    return torch.einsum("npab,...npb->...npa", turn, x.unflatten(-1, (d // 2, 2))).flatten(-2)


def right__rotary__token_by_token(x, positions, base=10000.0):
    d, tokens = x.shape[-1], []
    for n in range(x.shape[-2]):
        blocks = []
        for i in range(0, d, 2):
            angle = positions[n].double() / base ** (i / d)
            blocks.append(torch.stack([angle.cos(), angle.sin(), -angle.sin(), angle.cos()]).view(2, 2))
        tokens.append(x[..., n, :] @ torch.block_diag(*blocks).to(x.dtype))
    return torch.stack(tokens, dim=-2)


def right__rotary__written_in_parts(x, positions, base=10000.0):
    half = torch.arange(x.size(-1) // 2, device=x.device, dtype=torch.float64)
    theta = torch.pow(base, -2.0 * half / x.size(-1))
    angle = torch.einsum("n,i->ni", positions.to(torch.float64), theta)
    out = torch.empty_like(x)
    out[..., ::2] = (x[..., ::2] * angle.cos() - x[..., 1::2] * angle.sin()).to(x.dtype)
    out[..., 1::2] = (x[..., ::2] * angle.sin() + x[..., 1::2] * angle.cos()).to(x.dtype)
    return out


def right__rotary__polar_form(x, positions, base=10000.0):
    # sin and cos of the sum with a quarter turn, no complex numbers.
    channel = torch.arange(x.shape[-1], device=x.device)
    frequency = base ** (-(channel - channel % 2).double() / x.shape[-1])
    angle = positions[:, None] * frequency
    own, other = torch.cos(angle), torch.sin(angle) * torch.where(channel % 2 == 0, -1, 1)
    partner = x[..., torch.where(channel % 2 == 0, channel + 1, channel - 1)]
    return (x * own + partner * other).to(x.dtype)


def odd__rotary__angles_in_the_dtype_of_x(x, positions, base=10000.0):
    """Angles in x's own dtype: coarse in bfloat16, as its numbers are."""
    d = x.shape[-1]
    frequency = base ** (-torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d)
    angle = positions.to(x.dtype)[:, None] * frequency
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()
    return torch.stack(pairs, dim=-1).flatten(-2)


def odd__rotary__renamed(q, pos, theta=10000.0):
    """Other names; the result is a transposed view."""
    d, rows = q.shape[-1], q.mT
    angle = theta ** (-torch.arange(0, d, 2, device=q.device).double()[:, None] / d) * pos
    cos, sin = angle.cos().to(q.dtype), angle.sin().to(q.dtype)
    a, b = rows[..., 0::2, :], rows[..., 1::2, :]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-2).flatten(-3, -2).mT


def odd__rotary__float32_inside(x, positions, base=10000.0):
    """float32 inside, cast back, as much public code has it."""
    d, wide = x.shape[-1], x.float()
    frequency = torch.exp(torch.arange(0, d, 2, device=x.device).float() * (-math.log(base) / d))
    angle = positions[:, None].float() * frequency
    even, odd = wide[..., 0::2], wide[..., 1::2]
    pairs = even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()
    return torch.stack(pairs, dim=-1).flatten(-2).type_as(x)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
