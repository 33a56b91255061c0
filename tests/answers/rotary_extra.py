"""Wrong answers beyond the table to `rotary(x, positions, base=10000.0)` of notebook 06."""

from __future__ import annotations

import torch

from tests.answers.gather import gather


def extra__rotary__rotary_mixed__the_other_way(x, positions, base=10000.0):
    """Neighbours are turned, with the frequencies of the half-split layout."""
    d = x.shape[-1]
    frequency = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = positions[:, None] * torch.cat([frequency, frequency])
    turned = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).flatten(-2)
    return (x * angle.cos() + turned * angle.sin()).to(x.dtype)


def extra__rotary__result_split_in_halves(x, positions, base=10000.0):
    """Neighbours are turned, then laid down as two halves."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.cat([even * cos - odd * sin, even * sin + odd * cos], dim=-1)


def extra__rotary__reflection(x, positions, base=10000.0):
    """A sign lost: even·cos + odd·sin with even·sin + odd·cos is no turn."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos + odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def extra__rotary__even_overwritten(x, positions, base=10000.0):
    """The second channel of a pair is made from the first after that was turned."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    even = even * cos - odd * sin
    odd = even * sin + odd * cos
    return torch.stack([even, odd], dim=-1).flatten(-2)


def extra__rotary__frequencies_inverted(x, positions, base=10000.0):
    """base^(+2i/d): multiplied where it divides."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def extra__rotary__exponent_not_doubled(x, positions, base=10000.0):
    """i/d in place of 2i/d."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(d // 2, device=x.device).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def extra__rotary__exponent_doubled_twice(x, positions, base=10000.0):
    """4i/d: doubled where the steps are of two already."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-2 * torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def extra__rotary__one_frequency(x, positions, base=10000.0):
    """All pairs turned by the position itself."""
    angle = positions[:, None].double()
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def extra__rotary__base_ignored(x, positions, base=10000.0):
    """10000 whatever the base is."""
    d = x.shape[-1]
    angle = positions[:, None] * 10000.0 ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def extra__rotary__encoding_added(x, positions, base=10000.0):
    """The sinusoidal encoding is added: nothing is turned."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    return x + torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2).to(x.dtype)


def extra__rotary__encoding_multiplied(x, positions, base=10000.0):
    """Each channel times its own sine or cosine: its partner is forgotten."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    return x * torch.stack([angle.cos(), angle.sin()], dim=-1).flatten(-2).to(x.dtype)


def extra__rotary__cosine_only(x, positions, base=10000.0):
    """The sine's part is left out: vectors shrink."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    return x * angle.cos().repeat_interleave(2, dim=-1).to(x.dtype)


def extra__rotary__degrees(x, positions, base=10000.0):
    """The angle is taken in degrees."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = torch.deg2rad(angle).cos().to(x.dtype), torch.deg2rad(angle).sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def extra__rotary__positions_from_one(x, positions, base=10000.0):
    """One is added to each position."""
    d = x.shape[-1]
    angle = (positions[:, None] + 1) * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def extra__rotary__positions_shifted_to_zero(x, positions, base=10000.0):
    """Only the distance from the first token counts."""
    d = x.shape[-1]
    frequency = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = (positions - positions[0])[:, None] * frequency
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def extra__rotary__table_looked_up(x, positions, base=10000.0):
    """A table of n_tokens rows, indexed by position: an error for positions beyond it."""
    n_tokens, d = x.shape[-2:]
    frequency = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = (torch.arange(n_tokens, device=x.device)[:, None] * frequency)[positions.long()]
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def extra__rotary__first_half_only(x, positions, base=10000.0):
    """Half of the channels are turned, the rest pass."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = torch.where(torch.arange(d // 2, device=x.device) < (d + 2) // 4, angle, 0)
    angle = angle if d > 2 else torch.zeros_like(angle)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def extra__rotary__channels_first(x, positions, base=10000.0):
    """The pairs come back as an axis of their own."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)


def extra__rotary__wrong_dtype__promoted(x, positions, base=10000.0):
    """float32 tables: bfloat16 comes back as float32, and float64 has float32's angles."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device) / d)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()
    return torch.stack(pairs, dim=-1).flatten(-2)


def extra__rotary__three_axes_only(x, positions, base=10000.0):
    """Written for one batch axis: an error without, and with two."""
    batch, n_tokens, d = x.shape
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return turned.reshape(batch, n_tokens, d)


def extra__rotary__rotary_no_minus__pair_by_pair(x, positions, base=10000.0):
    """A sign lost, pair by pair."""
    channels = []
    for i in range(x.shape[-1] // 2):
        angle = positions.double() * base ** (-2 * i / x.shape[-1])
        cos, sin = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
        a, b = x[..., 2 * i], x[..., 2 * i + 1]
        channels += [a * cos + b * sin, b * cos + a * sin]
    return torch.stack(channels, dim=-1)


def extra__rotary__rotary_not_interleaved__complex(x, positions, base=10000.0):
    """Neighbours are turned as complex numbers, then all real parts come before all imaginary ones."""
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    exponent = torch.arange(0, x.shape[-1], 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(1j * positions[:, None] * base**-exponent)
    return torch.cat([turned.real, turned.imag], dim=-1).to(x.dtype)


def extra__rotary__positions_added__loop(x, positions, base=10000.0):
    """The sinusoidal encoding is added, channel by channel."""
    channels = []
    for c in range(x.shape[-1]):
        angle = positions.double() * base ** (-(c - c % 2) / x.shape[-1])
        channels.append(x[..., c] + (angle.cos() if c % 2 else angle.sin()).to(x.dtype))
    return torch.stack(channels, dim=-1)


def extra__rotary__base_ignored__complex(x, positions, base=10000.0):
    """10000 whatever the base is, with complex numbers."""
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    exponent = torch.arange(0, x.shape[-1], 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(1j * positions[:, None] * 10000.0**-exponent)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


def extra__rotary__frequency_inverted__complex(x, positions, base=10000.0):
    """Multiplied by the power where it divides, with complex numbers."""
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    exponent = torch.arange(0, x.shape[-1], 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(1j * positions[:, None] * base**exponent)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


def extra__rotary__bfloat16_inside(x, positions, base=10000.0):
    """bfloat16 inside for every dtype, cast back."""
    d, rough = x.shape[-1], x.bfloat16()
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().bfloat16(), angle.sin().bfloat16()
    even, odd = rough[..., 0::2], rough[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2).type_as(x)


def extra__rotary__exponent_not_doubled__complex(x, positions, base=10000.0):
    """i/d in place of 2i/d, with complex numbers."""
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    exponent = 1 * torch.arange(x.shape[-1] // 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(1j * positions[:, None] * base**-exponent)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


def extra__rotary__exponent_doubled_twice__complex(x, positions, base=10000.0):
    """4i/d in place of 2i/d, with complex numbers."""
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    exponent = 4 * torch.arange(x.shape[-1] // 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(1j * positions[:, None] * base**-exponent)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
