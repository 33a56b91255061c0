"""Answers to `rotary(x, positions, base=10000.0)` of notebook 06."""

import math

import numpy as np
import torch

from tests.corpus import change

def right__stacked_pairs(x, positions, base=10000.0):
    d = x.shape[-1]
    frequency = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = positions[..., None] * frequency
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)

def right__complex(x, positions, base=10000.0):
    wide = x.double().unflatten(-1, (-1, 2)).contiguous()
    pairs = torch.arange(wide.shape[-2], dtype=torch.float64, device=x.device)
    angle = positions.unsqueeze(-1) * torch.exp(-math.log(base) * 2 * pairs / x.shape[-1])
    turned = torch.view_as_complex(wide) * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)

def right__neighbours_exchanged(x, positions, base=10000.0):
    d = x.shape[-1]
    exponent = torch.arange(0, d, 2, device=x.device).double().repeat_interleave(2) / d
    angle = positions.reshape(-1, 1) / base**exponent
    exchanged = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).reshape(x.shape)
    return x * angle.cos().type_as(x) + exchanged * angle.sin().type_as(x)

def right__pair_by_pair(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    channels = []
    for i in range(x.shape[-1] // 2):
        angle = positions.double() * base ** (-2 * i / x.shape[-1])
        cos, sin = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
        a, b = x[..., 2 * i], x[..., 2 * i + 1]
        channels += [a * cos - b * sin, b * cos + a * sin]
    return torch.stack(channels, dim=-1)

def right__matrices(x, positions, base=10000.0):
    # One 2 x 2 matrix for each token and pair.
    d = x.shape[-1]
    angle = torch.outer(positions.double(), base ** (-torch.arange(0, d, 2, device=x.device).double() / d))
    cos, sin = angle.cos(), angle.sin()
    turn = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2).to(x)
    return torch.einsum("npab,...npb->...npa", turn, x.unflatten(-1, (d // 2, 2))).flatten(-2)

def right__token_by_token(x, positions, base=10000.0):
    d, tokens = x.shape[-1], []
    for n in range(x.shape[-2]):
        blocks = []
        for i in range(0, d, 2):
            angle = positions[n].double() / base ** (i / d)
            blocks.append(torch.stack([angle.cos(), angle.sin(), -angle.sin(), angle.cos()]).view(2, 2))
        tokens.append(x[..., n, :] @ torch.block_diag(*blocks).to(x.dtype))
    return torch.stack(tokens, dim=-2)

def right__written_in_parts(x, positions, base=10000.0):
    half = torch.arange(x.size(-1) // 2, device=x.device, dtype=torch.float64)
    theta = torch.pow(base, -2.0 * half / x.size(-1))
    angle = torch.einsum("n,i->ni", positions.to(torch.float64), theta)
    out = torch.empty_like(x)
    out[..., ::2] = (x[..., ::2] * angle.cos() - x[..., 1::2] * angle.sin()).to(x.dtype)
    out[..., 1::2] = (x[..., ::2] * angle.sin() + x[..., 1::2] * angle.cos()).to(x.dtype)
    return out

def right__polar_form(x, positions, base=10000.0):
    # sin and cos of the sum with a quarter turn, no complex numbers.
    channel = torch.arange(x.shape[-1], device=x.device)
    frequency = base ** (-(channel - channel % 2).double() / x.shape[-1])
    angle = positions[:, None] * frequency
    own, other = torch.cos(angle), torch.sin(angle) * torch.where(channel % 2 == 0, -1, 1)
    partner = x[..., torch.where(channel % 2 == 0, channel + 1, channel - 1)]
    return (x * own + partner * other).to(x.dtype)

def right__default_device(x, positions, base=10000.0):
    torch.set_default_device(x.device)
    try:
        speed = base ** (-torch.arange(0, x.shape[-1], 2, dtype=torch.float64) / x.shape[-1])
        turn = torch.polar(torch.ones_like(speed).expand(len(positions), -1), positions[:, None] * speed)
    finally:
        torch.set_default_device(None)  # what it was before: none, which is not the same as the CPU
    cos, sin = turn.real.to(x.dtype), turn.imag.to(x.dtype)
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, odd * cos + even * sin], dim=-1).reshape(x.shape)

def odd__angles_in_the_dtype_of_x(x, positions, base=10000.0):
    """Angles in x's own dtype: coarse in bfloat16, as its numbers are."""
    d = x.shape[-1]
    frequency = base ** (-torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d)
    angle = positions.to(x.dtype)[:, None] * frequency
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()
    return torch.stack(pairs, dim=-1).flatten(-2)

def odd__renamed(q, pos, theta=10000.0):
    """Other names; the result is a transposed view."""
    d, rows = q.shape[-1], q.mT
    angle = theta ** (-torch.arange(0, d, 2, device=q.device).double()[:, None] / d) * pos
    cos, sin = angle.cos().to(q.dtype), angle.sin().to(q.dtype)
    a, b = rows[..., 0::2, :], rows[..., 1::2, :]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-2).flatten(-3, -2).mT

def odd__float32_inside(x, positions, base=10000.0):
    """float32 inside, cast back, as much public code has it."""
    d, wide = x.shape[-1], x.float()
    frequency = torch.exp(torch.arange(0, d, 2, device=x.device).float() * (-math.log(base) / d))
    angle = positions[:, None].float() * frequency
    even, odd = wide[..., 0::2], wide[..., 1::2]
    pairs = even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()
    return torch.stack(pairs, dim=-1).flatten(-2).type_as(x)

def wrong__rotary_half_split__1(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)

def wrong__rotary_half_split__2(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    frequency = torch.exp(torch.arange(half, device=x.device).double() * (-math.log(base) / half))
    angle = torch.outer(positions.double(), frequency)
    angle = torch.cat((angle, angle), dim=-1)
    turned = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
    return (x * angle.cos() + turned * angle.sin()).to(x.dtype)

def wrong__rotary_mixed__1(x, positions, base=10000.0):
    d = x.shape[-1]
    frequency = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = positions[:, None] * frequency.repeat_interleave(2)
    turned = torch.cat([-x[..., d // 2 :], x[..., : d // 2]], dim=-1)
    return x * angle.cos().to(x.dtype) + turned * angle.sin().to(x.dtype)

def wrong__rotary_mixed__2(x, positions, base=10000.0):
    d, channels = x.shape[-1], []
    for c in range(d):
        angle = positions.double() * base ** (-(c - c % 2) / d)
        partner = -x[..., c + d // 2] if c < d // 2 else x[..., c - d // 2]
        channels.append(x[..., c] * angle.cos().to(x) + partner * angle.sin().to(x))
    return torch.stack(channels, dim=-1)

def wrong__rotary_backwards__2(x, positions, base=10000.0):
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    exponent = torch.arange(0, x.shape[-1], 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(-1j * positions[:, None] / base**exponent)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)

def wrong__rotary_no_positions__2(x, positions, base=10000.0):
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    steps = torch.arange(len(positions), device=x.device, dtype=torch.float64)
    exponent = torch.arange(0, x.shape[-1], 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(1j * torch.outer(steps, base**-exponent))
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)

def wrong__frequencies_from_one__2(x, positions, base=10000.0):
    channels = []
    for i in range(1, x.shape[-1] // 2 + 1):
        angle = positions.double() / base ** (2 * i / x.shape[-1])
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        a, b = x[..., 2 * i - 2], x[..., 2 * i - 1]
        channels += [a * cos - b * sin, b * cos + a * sin]
    return torch.stack(channels, dim=-1)

def wrong__detached__2(x, positions, base=10000.0):
    rows, d = x.detach().double().cpu().numpy(), x.shape[-1]
    angle = positions.detach().double().cpu().numpy()[:, None] * base ** (-np.arange(0, d, 2) / d)
    turned = (rows[..., 0::2] + 1j * rows[..., 1::2]) * np.exp(1j * angle)
    return torch.tensor(np.stack([turned.real, turned.imag], axis=-1).reshape(rows.shape)).to(x)

def wrong__input_changed__1(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = even * cos - odd * sin
    x[..., 1::2] = even * sin + odd * cos
    return x

def wrong__wrong_device__2(x, positions, base=10000.0):
    d, out = x.shape[-1], torch.zeros(x.shape, dtype=x.dtype)
    for i in range(d // 2):
        angle = positions.double() * base ** (-2 * i / d)
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        out[..., 2 * i] = x[..., 2 * i] * cos - x[..., 2 * i + 1] * sin
        out[..., 2 * i + 1] = x[..., 2 * i] * sin + x[..., 2 * i + 1] * cos
    return out

def wrong__wrong_dtype__1(x, positions, base=10000.0):
    d, x = x.shape[-1], x.float()
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device) / d)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()
    return torch.stack(pairs, dim=-1).flatten(-2).float()

def wrong__rotary_overwritten__1(x, positions, base=10000.0):
    d, x = x.shape[-1], x.clone()
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    x[..., ::2] = x[..., ::2] * cos - x[..., 1::2] * sin
    x[..., 1::2] = x[..., ::2] * sin + x[..., 1::2] * cos
    return x

def wrong__rotary_overwritten__2(x, positions, base=10000.0):
    pairs = list(x.unbind(-1))
    for i in range(0, len(pairs), 2):
        angle = positions.double() * base ** (-i / len(pairs))
        cos, sin = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
        pairs[i + 1] = pairs[i] * sin + pairs[i + 1] * cos
        pairs[i] = pairs[i] * cos - pairs[i + 1] * sin
    return torch.stack(pairs, dim=-1)

wrong__rotary_backwards__1 = change(
    right__stacked_pairs, ("frequency =", "angle = positions[:, None] *"),
    ("angle = positions[..., None] * frequency", ""),
    ("- odd * sin, even * sin + odd * cos", "+ odd * sin, odd * cos - even * sin"),
)
wrong__rotary_no_positions__1 = change(
    right__stacked_pairs, ("d = x.shape[-1]", "n_tokens, d = x.shape[-2:]"),
    ("positions[..., None]", "torch.arange(n_tokens, device=x.device)[:, None]"),
)
wrong__frequencies_from_one__1 = change(
    right__stacked_pairs, ("torch.arange(0, d, 2", "2 * torch.arange(1, d // 2 + 1"), ("[..., None]", "[:, None]"),
)
# (n_tokens, batch, d) is assumed: the first axis is taken for the tokens.
wrong__batch_as_sequence__1 = change(
    right__stacked_pairs, ("frequency =", "angle = positions[:, None] *"),
    ("positions[..., None] * frequency", "angle.reshape(len(positions), *[1] * (x.dim() - 2), d // 2)"),
)
wrong__batch_as_sequence__2 = change(
    right__neighbours_exchanged, ("d = x.shape[-1]", "d, x = x.shape[-1], x.transpose(0, -2)"),
    ("return x", "return (x"), (".sin().type_as(x)", ".sin().type_as(x)).transpose(0, -2)"),
)
wrong__detached__1 = change(
    right__stacked_pairs, ("d = x.shape[-1]", "d, x = x.shape[-1], x.detach()"),
    ("frequency =", "angle = positions[:, None] *"), ("angle = positions[..., None] * frequency", ""),
)
wrong__input_changed__2 = change(
    wrong__rotary_backwards__2, ("pairs = torch", "positions.unsqueeze_(-1)", "pairs = torch"), ("-1j", "1j"),
    ("[:, None] / base**", " * base**-"),
)
wrong__wrong_device__1 = change(
    right__stacked_pairs, ("frequency =", "angle = positions[:, None] *"),
    ("angle = positions[..., None] * frequency", ""), (", device=x.device", ""),
)
wrong__wrong_dtype__2 = change(
    wrong__rotary_backwards__2, ("-1j", "1j"), ("/ base**", "* base**-"), ("(x.dtype)", "(torch.float32)"),
)

def natural__rotary_half_split__1(x, positions, base=10000.0):
    d = x.shape[-1]
    inverse_frequency = 1.0 / (base ** (torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d))
    freqs = positions[:, None].to(torch.float64) * inverse_frequency[None, :]
    emb = torch.cat((freqs, freqs), dim=-1)
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    rotated = torch.cat((-x2, x1), dim=-1)
    return x * emb.cos().to(x.dtype) + rotated * emb.sin().to(x.dtype)

def natural__rotary_no_positions__1(x, positions, base=10000.0):
    out = torch.zeros_like(x)
    d = x.shape[-1]
    for p in range(x.shape[-2]):
        for i in range(d // 2):
            angle = p * base ** (-2 * i / d)
            c, s = math.cos(angle), math.sin(angle)
            out[..., p, 2 * i] = x[..., p, 2 * i] * c - x[..., p, 2 * i + 1] * s
            out[..., p, 2 * i + 1] = x[..., p, 2 * i] * s + x[..., p, 2 * i + 1] * c
    return out

def extra__rotary_mixed__the_other_way(x, positions, base=10000.0):
    """Neighbours are turned, with the frequencies of the half-split layout."""
    d = x.shape[-1]
    frequency = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = positions[:, None] * torch.cat([frequency, frequency])
    turned = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).flatten(-2)
    return (x * angle.cos() + turned * angle.sin()).to(x.dtype)

def extra__exponent_not_doubled__complex(x, positions, base=10000.0):
    """i/d in place of 2i/d, with complex numbers."""
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    exponent = 1 * torch.arange(x.shape[-1] // 2, device=x.device).double() / x.shape[-1]
    turned = pairs * torch.exp(1j * positions[:, None] * base**-exponent)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)

def extra__encoding_added(x, positions, base=10000.0):
    """The sinusoidal encoding is added: nothing is turned."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    return x + torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2).to(x.dtype)

def extra__cosine_only(x, positions, base=10000.0):
    """The sine's part is left out: vectors shrink."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    return x * angle.cos().repeat_interleave(2, dim=-1).to(x.dtype)

def extra__positions_added__loop(x, positions, base=10000.0):
    """The sinusoidal encoding is added, channel by channel."""
    channels = []
    for c in range(x.shape[-1]):
        angle = positions.double() * base ** (-(c - c % 2) / x.shape[-1])
        channels.append(x[..., c] + (angle.cos() if c % 2 else angle.sin()).to(x.dtype))
    return torch.stack(channels, dim=-1)

def extra__bfloat16_inside(x, positions, base=10000.0):
    """bfloat16 inside for every dtype, cast back."""
    d, rough = x.shape[-1], x.bfloat16()
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().bfloat16(), angle.sin().bfloat16()
    even, odd = rough[..., 0::2], rough[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2).type_as(x)

# Neighbours are turned, then laid down as two halves.
extra__result_split_in_halves = change(
    wrong__rotary_half_split__1,
    ("(0, d, 2, dtype=torch.float64, device=x.device)", "(0, d, 2, device=x.device).double()"),
    ("a, b = x.chunk(2, dim=-1)", "even, odd = x[..., 0::2], x[..., 1::2]"),
    ("a * cos - b * sin, a * sin + b", "even * cos - odd * sin, even * sin + odd"),
)

def extra__reflection(x, positions, base=10000.0):
    """A sign lost: even·cos + odd·sin with even·sin + odd·cos is no turn."""
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos + odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)

# The second channel of a pair is made from the first after that was turned.
extra__even_overwritten = change(
    extra__reflection,
    ("x[..., 1::2]", "x[..., 1::2]", "even = even * cos - odd * sin", "odd = even * sin + odd * cos"),
    ("even * cos + odd * sin, even * sin + odd * cos", "even, odd"),
)
# base^(+2i/d): multiplied where it divides.
extra__frequencies_inverted = change(
    extra__reflection, ("-torch.arange", "torch.arange"), ("cos + odd", "cos - odd"),
)
# i/d in place of 2i/d.
extra__exponent_not_doubled = change(extra__reflection, ("0, d, 2,", "d // 2,"), ("cos + odd", "cos - odd"))
# 4i/d: doubled where the steps are of two already.
extra__exponent_doubled_twice = change(
    extra__reflection, ("torch.arange", "2 * torch.arange"), ("cos + odd", "cos - odd"),
)
# 4i/d in place of 2i/d, with complex numbers.
extra__exponent_doubled_twice__complex = change(extra__exponent_not_doubled__complex, ("1 * torch", "4 * torch"))
# All pairs turned by the position itself.
extra__one_frequency = change(
    right__stacked_pairs, ("d = x.shape[-1]", ""),
    ("frequency = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)", ""),
    ("[..., None] * frequency", "[:, None].double()"),
)
# 10000 whatever the base is.
extra__base_ignored = change(extra__reflection, ("* base **", "* 10000.0 **"), ("cos + odd", "cos - odd"))
# 10000 whatever the base is, with complex numbers.
extra__base_ignored__complex = change(wrong__rotary_backwards__2, ("-1j", "1j"), ("/ base**", "* 10000.0**-"))
# Each channel times its own sine or cosine: its partner is forgotten.
extra__encoding_multiplied = change(
    extra__encoding_added, ("x + torch", "x * torch"), (".sin(), angle.cos", ".cos(), angle.sin"),
)
# The angle is taken in degrees.
extra__degrees = change(
    extra__reflection, ("angle.cos", "torch.deg2rad(angle).cos"), ("angle.sin", "torch.deg2rad(angle).sin"),
    ("cos + odd", "cos - odd"),
)
# One is added to each position.
extra__positions_from_one = change(
    extra__reflection, ("positions[:, None]", "(positions[:, None] + 1)"), ("cos + odd", "cos - odd"),
)
# Only the distance from the first token counts.
extra__positions_shifted_to_zero = change(
    right__stacked_pairs,
    ("(0, d, 2, dtype=torch.float64, device=x.device)", "(0, d, 2, device=x.device).double()"),
    ("positions[..., None]", "(positions - positions[0])[:, None]"),
)
# A table of n_tokens rows, indexed by position: an error for positions beyond it.
extra__table_looked_up = change(
    wrong__rotary_no_positions__1,
    ("(0, d, 2, dtype=torch.float64, device=x.device)", "(0, d, 2, device=x.device).double()"),
    ("= torch.", "= (torch."), ("* frequency", "* frequency)[positions.long()]"),
)
# Half of the channels are turned, the rest pass.
extra__first_half_only = change(
    right__stacked_pairs,
    (
        "frequency = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)",
        "angle = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device).double() / d)",
        "angle = torch.where(torch.arange(d // 2, device=x.device) < (d + 2) // 4, angle, 0)",
    ),
    ("positions[..., None] * frequency", "angle if d > 2 else torch.zeros_like(angle)"),
)
# The pairs come back as an axis of their own.
extra__channels_first = change(extra__result_split_in_halves, ("torch.cat", "torch.stack"))
# float32 tables: bfloat16 comes back as float32, and float64 has float32's angles.
extra__wrong_dtype__promoted = change(
    wrong__wrong_dtype__1, ("d, x = x", "d = x"), (", x.float()", ""), ("(-2).float()", "(-2)"),
)
# Written for one batch axis: an error without, and with two.
extra__three_axes_only = change(
    extra__reflection, ("d = x.shape[-1]", "batch, n_tokens, d = x.shape"), ("return torch", "turned = torch"),
    ("cos + odd", "cos - odd"), (".flatten(-2)", "", "return turned.reshape(batch, n_tokens, d)"),
)
# A sign lost, pair by pair.
extra__rotary_no_minus__pair_by_pair = change(
    right__pair_by_pair,
    (
        "(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor",
        "(x, positions, base=10000.0)",
    ),
    ("- b * sin", "+ b * sin"),
)
# Neighbours are turned as complex numbers, then all real parts come before all imaginary ones.
extra__rotary_not_interleaved__complex = change(
    extra__base_ignored__complex, ("* 10000.0", "* base"),
    (".view_as_real(turned).flatten(-2)", ".cat([turned.real, turned.imag], dim=-1)"),
)
# Multiplied by the power where it divides, with complex numbers.
extra__frequency_inverted__complex = change(extra__base_ignored__complex, ("10000.0**-", "base**"))

# Multiplied by the power, in float32: far away the angles are millions, and few of their digits are right.
wrong__frequency_inverted__1 = change(
    odd__float32_inside, ("(-math.log(base) / d)", "(math.log(base) / d)"),
)
wrong__frequency_inverted__2 = change(
    right__stacked_pairs, ("base ** (-torch.arange(0, d, 2, dtype=torch.float64, ", "base ** (torch.arange(0, d, 2, "),
)
# A view as complex numbers is made of what may not be contiguous.
extra__pairs_apart = change(right__complex, (".contiguous()", ""))

# Two mistakes at once.
double__rotary_backwards__and_frequencies_from_one = change(
    right__stacked_pairs,
    ("even * cos - odd", "even * cos + odd"),
    ("even * sin + odd", "-even * sin + odd"),
    ("arange(0, d, 2,", "arange(2, d + 2, 2,"),
)
double__rotary_backwards__and_rotary_no_positions = change(
    right__stacked_pairs,
    ("even * cos - odd", "even * cos + odd"),
    ("even * sin + odd", "-even * sin + odd"),
    ("positions[..., None] *", "torch.arange(x.shape[-2], device=x.device)[:, None] *"),
)


def wrong__one_frequency__1(x, positions, base=10000.0):
    ang = positions[:, None].to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()), -1).flatten(-2)
