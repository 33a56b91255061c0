"""Answers to `sinusoidal_encoding(n_positions, d_model, base=10000.0)` of notebook 06."""

import math

import numpy as np
import torch

from tests.corpus import change

def right__power(n_positions, d_model, base=10000.0):
    positions = torch.arange(n_positions)[:, None]
    angles = positions / base ** (torch.arange(0, d_model, 2) / d_model)
    encoding = torch.zeros(n_positions, d_model)
    encoding[:, 0::2] = torch.sin(angles)
    encoding[:, 1::2] = torch.cos(angles)[:, : d_model // 2]
    return encoding

def right__exp_of_log(n_positions, d_model, base=10000.0):
    position = torch.arange(n_positions, dtype=torch.float).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(base) / d_model))
    angles = position * frequency
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

def right__loops(n_positions: int, d_model: int, base: float = 10000.0) -> torch.Tensor:
    encoding = torch.empty(n_positions, d_model)
    for p in range(n_positions):
        for channel in range(d_model):
            pair = channel // 2
            angle = p / base ** (2 * pair / d_model)
            encoding[p, channel] = math.sin(angle) if channel % 2 == 0 else math.cos(angle)
    return encoding

def right__where_on_parity(n_positions, d_model, base=10000.0):
    channel = torch.arange(d_model)
    angles = torch.outer(
        torch.arange(n_positions).double(), base ** (-(channel - channel % 2) / d_model).double()
    )
    return torch.where(channel % 2 == 0, angles.sin(), angles.cos()).float()

def right__complex(n_positions, d_model, base=10000.0):
    pairs = (d_model + 1) // 2
    angles = np.arange(n_positions)[:, None] * base ** (-2 * np.arange(pairs) / d_model)
    turned = torch.polar(torch.ones(n_positions, pairs, dtype=torch.float64), torch.from_numpy(angles))
    cos_sin = torch.view_as_real(turned)
    return cos_sin.flip(-1).reshape(n_positions, 2 * pairs)[:, :d_model].float()

def right__phase(n_positions, d_model, base=10000.0):
    # cos(x) = sin(x + π/2)
    channel = torch.arange(d_model, dtype=torch.float64)
    frequency = torch.exp2(-math.log2(base) * 2 * torch.floor(channel / 2) / d_model)
    positions = torch.arange(n_positions, dtype=torch.float64)
    angles = torch.einsum("p,c->pc", positions, frequency) + (channel % 2) * math.pi / 2
    return torch.sin(angles).to(torch.float32)

def right__turned_step_by_step(n_positions, d_model, base=10000.0):
    # Each position is the one before, turned by the pair's frequency.
    step = [base ** (-2 * i / d_model) for i in range((d_model + 1) // 2)]
    sines, cosines, rows = [0.0] * len(step), [1.0] * len(step), []
    for _ in range(n_positions):
        rows.append([x for pair in zip(sines, cosines, strict=True) for x in pair][:d_model])
        turned = [
            (s * math.cos(a) + c * math.sin(a), c * math.cos(a) - s * math.sin(a))
            for s, c, a in zip(sines, cosines, step, strict=True)
        ]
        sines, cosines = [s for s, _ in turned], [c for _, c in turned]
    return torch.tensor(rows)

def right__repeat_interleave(n_positions, d_model, base=10000.0):
    exponents = torch.arange(0, d_model, 2).repeat_interleave(2)[:d_model] / d_model
    encoding = torch.arange(n_positions).reshape(-1, 1) * torch.pow(torch.tensor(base), -exponents)
    encoding[:, 0::2].sin_()
    encoding[:, 1::2].cos_()
    return encoding

def odd__float64(n_positions, d_model, base=10000.0):
    """float64, by NumPy: accepted where no tensor comes in."""
    angles = np.arange(n_positions)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    encoding = np.zeros((n_positions, d_model))
    encoding[:, 0::2], encoding[:, 1::2] = np.sin(angles), np.cos(angles[:, : d_model // 2])
    return torch.from_numpy(encoding)

def odd__parameter(n, d, base=10000.0):
    """A parameter that is not trained; other names."""
    rows = [
        [(math.cos if c % 2 else math.sin)(p / base ** (c // 2 * 2 / d)) for c in range(d)] for p in range(n)
    ]
    return torch.nn.Parameter(torch.tensor(rows), requires_grad=False)

def odd__transposed_view(n_positions, d_model, base=10000.0):
    """Channels down and positions across, turned at the end."""
    rows = []
    for channel in range(d_model):
        angle = torch.arange(n_positions, dtype=torch.float64) / base ** ((channel - channel % 2) / d_model)
        rows.append(angle.cos() if channel % 2 else angle.sin())
    return torch.stack(rows).T

def odd__float64_of_float32(n_positions, d_model, base=10000.0):
    """float64 with frequencies of float32: as exact as what was asked for."""
    frequency = base ** (-torch.arange(0, d_model, 2) / d_model)
    angles = torch.arange(n_positions).double()[:, None] * frequency
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

def wrong__cosine_own_index__1(n_positions, d_model, base=10000.0):
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(d_model) / d_model)
    angles[:, 0::2] = torch.sin(angles[:, 0::2])
    angles[:, 1::2] = torch.cos(angles[:, 1::2])
    return angles

def wrong__cosine_own_index__2(n_positions, d_model, base=10000.0):
    encoding = torch.empty(n_positions, d_model)
    for p in range(n_positions):
        for channel in range(d_model):
            angle = p / base ** (channel / d_model)
            encoding[p, channel] = math.cos(angle) if channel % 2 else math.sin(angle)
    return encoding

def wrong__exponent_not_doubled__1(n_positions, d_model, base=10000.0):
    pair = torch.arange((d_model + 1) // 2)
    angles = torch.arange(n_positions)[:, None] / base ** (pair / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

def wrong__sin_cos_halves__1(n_positions, d_model, base=10000.0):
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.cat([angles.sin(), angles.cos()[:, : d_model // 2]], dim=-1)

def wrong__sin_cos_halves__2(n_positions, d_model, base=10000.0):
    sines = (d_model + 1) // 2
    encoding = torch.empty(n_positions, d_model)
    for p in range(n_positions):
        for i in range(sines):
            angle = p / base ** (2 * i / d_model)
            encoding[p, i] = math.sin(angle)
            if sines + i < d_model:
                encoding[p, sines + i] = math.cos(angle)
    return encoding

def wrong__frequencies_from_one__1(n_positions, d_model, base=10000.0):
    pair = torch.arange(1, (d_model + 1) // 2 + 1)
    angles = torch.arange(n_positions)[:, None] / base ** (2 * pair / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

def wrong__positions_from_one__1(n_positions, d_model, base=10000.0):
    angles = torch.arange(1, n_positions + 1)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

def wrong__odd_dimension__1(n_positions, d_model, base=10000.0):
    # The last sine is dropped.
    angles = torch.arange(n_positions)[:, None] / base ** (2 * torch.arange(d_model // 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

def wrong__odd_dimension__2(n_positions, d_model, base=10000.0):
    rows = []
    for p in range(n_positions):
        angles = [p / base ** (2 * i / d_model) for i in range(d_model // 2)]
        rows.append([f(angle) for angle in angles for f in (math.sin, math.cos)])
    return torch.tensor(rows).reshape(n_positions, d_model // 2 * 2)

def wrong__exponent_doubled_twice__1(n_positions, d_model, base=10000.0):
    """2i where i already steps by two."""
    angles = torch.arange(n_positions)[:, None] / base ** (2 * torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

wrong__exponent_not_doubled__2 = change(
    wrong__cosine_own_index__2,
    ("p / base ** (channel / d_model)", "p * math.exp(-math.log(base) * (channel // 2) / d_model)"),
)
wrong__frequencies_from_one__2 = change(wrong__cosine_own_index__2, ("channel /", "2 * (channel // 2 + 1) /"))
wrong__positions_from_one__2 = change(
    wrong__cosine_own_index__2, ("p / base", "(p + 1) / base"), ("channel /", "channel // 2 * 2 /"),
)

def natural__cosine_own_index__1(n_positions, d_model, base=10000.0):
    table = np.array([[p / base ** (i / d_model) for i in range(d_model)] for p in range(n_positions)])
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return torch.tensor(table, dtype=torch.float32)

def extra__cosine_own_index__doubled(n_positions, d_model, base=10000.0):
    """Each channel c with exponent 2c / d_model."""
    angles = torch.arange(n_positions)[:, None] / base ** (2 * torch.arange(d_model) / d_model)
    return torch.where(torch.arange(d_model) % 2 == 0, angles.sin(), angles.cos())

def extra__all_sines(n_positions, d_model, base=10000.0):
    """No cosines."""
    channel = torch.arange(d_model)
    return torch.sin(torch.arange(n_positions)[:, None] / base ** ((channel - channel % 2) / d_model))

def extra__base_ignored__loops(n_positions, d_model, base=10000.0):
    """10000 whatever the base is, in loops."""
    rows = [[p / 10000 ** (c // 2 * 2 / d_model) for c in range(d_model)] for p in range(n_positions)]
    return torch.tensor([[(math.cos if c % 2 else math.sin)(a) for c, a in enumerate(row)] for row in rows])

def extra__frequency_inverted(n_positions, d_model, base=10000.0):
    """Multiplied by the power where it divides."""
    angles = torch.arange(n_positions)[:, None] * base ** (torch.arange(0, d_model, 2).double() / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model].float()

# The same in float32, where large angles have few right digits.
wrong__frequency_inverted__1 = change(extra__frequency_inverted, (".double()", ""), (".float()", ""))

def extra__full_turns(n_positions, d_model, base=10000.0):
    """2π times the angle."""
    angles = (
        2 * math.pi * torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    )
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

def extra__odd_dimension__zero_last(n_positions, d_model, base=10000.0):
    """The last channel of an odd d_model is left at 0."""
    angles = torch.arange(n_positions)[:, None] / base ** (2 * torch.arange(d_model // 2) / d_model)
    encoding = torch.zeros(n_positions, d_model)
    encoding[:, : d_model // 2 * 2] = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return encoding

def extra__odd_dimension__error(n_positions, d_model, base=10000.0):
    """An odd d_model is an error: one cosine too many to fit."""
    position = torch.arange(n_positions, dtype=torch.float).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(base) / d_model))
    encoding = torch.zeros(n_positions, d_model)
    encoding[:, 0::2] = torch.sin(position * frequency)
    encoding[:, 1::2] = torch.cos(position * frequency)
    return encoding

def extra__odd_dimension__error_in_loop(n_positions, d_model, base=10000.0):
    """An odd d_model is an error: there is no channel i + 1 at the end."""
    pe = torch.zeros(n_positions, d_model)
    for p in range(n_positions):
        for i in range(0, d_model, 2):
            pe[p, i] = math.sin(p / base ** (i / d_model))
            pe[p, i + 1] = math.cos(p / base ** (i / d_model))
    return pe

def extra__numpy_array(n_positions, d_model, base=10000.0):
    """A NumPy array, not a tensor."""
    channel = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / base ** ((channel - channel % 2) / d_model)
    return np.where(channel % 2 == 0, np.sin(angles), np.cos(angles)).astype(np.float32)

def extra__cosine_first__loops(n_positions, d_model, base=10000.0):
    """The cosine on the even channels, in loops."""
    rows = [[p / base ** ((c - c % 2) / d_model) for c in range(d_model)] for p in range(n_positions)]
    return torch.tensor([[(math.sin if c % 2 else math.cos)(a) for c, a in enumerate(row)] for row in rows])

# The cosine on the even channels.
extra__sin_cos_exchanged = change(
    wrong__exponent_doubled_twice__1, ("2 * torch", "torch"), (".sin(), angles.cos", ".cos(), angles.sin"),
)
# 10000 whatever the base is.
extra__base_ignored = change(wrong__exponent_doubled_twice__1, ("base ** (2 * torch", "10000.0 ** (torch"))
# Multiplied by the power where it divides, in loops.
extra__frequency_inverted__loops = change(
    extra__base_ignored__loops, ("p / 10000 ** (c // 2 * 2 / d_model)", "p * base ** ((c - c % 2) / d_model)"),
)
# 2i // d_model is 0 throughout: one frequency for all pairs.
extra__integer_division = change(extra__base_ignored, ("10000.0 **", "base **"), ("/ d_model", "// d_model"))
# An odd d_model is made even for the frequencies too.
extra__odd_dimension__rounded = change(
    wrong__exponent_not_doubled__1, ("pair = torch.arange((d_model + 1) // 2)", "even = d_model + d_model % 2"),
    ("pair / d_model", "torch.arange(0, even, 2) / even"),
)
# d_model + 1 channels for an odd d_model.
extra__odd_dimension__one_too_many = change(
    wrong__exponent_doubled_twice__1, ("2 * torch", "torch"), ("[:, :d_model]", ""),
)
# An odd d_model ends on a cosine.
extra__odd_dimension__cosine_last = change(
    extra__frequency_inverted, ("* base **", "/ base **"), (".double()", ""), ("return torch", "encoding = torch"),
    (".float()", "", "if d_model % 2:", "    encoding[:, -1] = angles[:, -1].cos()", "return encoding"),
)
# Exponents from 0 to 1, both ends included: i / (pairs - 1), as in some libraries.
extra__last_frequency_is_one_over_base = change(
    wrong__exponent_not_doubled__1, ("pair = torch.arange((d_model + 1) // 2)", "pairs = (d_model + 1) // 2"),
    ("(pair / d_model)", "(torch.arange(pairs) / max(pairs - 1, 1))"),
)
# (d_model, n_positions).
extra__transposed = change(extra__odd_dimension__one_too_many, ("(1)", "(1)[:, :d_model].T"))
# A batch axis that nobody asked for.
extra__batch_axis_added = change(extra__odd_dimension__one_too_many, ("(1)", "(1)[None, :, :d_model]"))
# The angles themselves.
extra__angles_returned = change(extra__all_sines, ("torch.sin(", ""), ("d_model))", "d_model)"))
# float16 comes back.
extra__wrong_dtype__half = change(extra__odd_dimension__one_too_many, ("(1)", "(1)[:, :d_model].half()"))
# Each row brought to length 1.
extra__scaled_to_length_one = change(
    extra__odd_dimension__one_too_many, ("return torch", "encoding = torch"),
    ("(1)", "(1)[:, :d_model]", "return encoding / encoding.norm(dim=-1, keepdim=True).clamp(min=1e-12)"),
)
# 2c / d_model for the even channel c = 2i, in loops.
extra__exponent_doubled_twice__loops = change(
    extra__base_ignored__loops, ("10000 ** (c // 2 * 2 / d_model)", "base ** (2 * (c - c % 2) / d_model)"),
)

# Two mistakes at once.
double__positions_from_one__and_cosine_own_index = change(
    right__power,
    ("torch.arange(n_positions)", "torch.arange(1, n_positions + 1)"),
    ("torch.cos(angles)", "torch.cos(positions / base ** ((torch.arange(0, d_model, 2) + 1) / d_model))"),
)
double__exponent_not_doubled__and_positions_from_one = change(
    right__power,
    ("torch.arange(n_positions)", "torch.arange(1, n_positions + 1)"),
    ("torch.arange(0, d_model, 2) /", "torch.arange((d_model + 1) // 2) /"),
)

# Read as cards by somebody who had not seen the misconceptions.
def wrong__frequency_inverted__2(n_tokens, d_model, base=10000.0):
    """The minus in the exponent is forgotten."""
    pos = torch.arange(n_tokens).unsqueeze(1)
    i = torch.arange(0, d_model, 2)
    angle = pos * base ** (i / d_model)
    pe = torch.zeros(n_tokens, d_model)
    pe[:, 0::2] = torch.sin(angle)
    pe[:, 1::2] = torch.cos(angle)[:, : d_model // 2]
    return pe

def wrong__another_logarithm__1(n_tokens, d_model, base=10000.0):
    """log2 inside of exp."""
    pos = torch.arange(n_tokens).unsqueeze(1)
    div = torch.exp(torch.arange(0, d_model, 2) * (-math.log2(base) / d_model))
    pe = torch.zeros(n_tokens, d_model)
    pe[:, 0::2] = torch.sin(pos * div)
    pe[:, 1::2] = torch.cos(pos * div)[:, : d_model // 2]
    return pe

def extra__half_d_model(n_tokens, d_model, base=10000.0):
    """d_model // 2 in the exponent, which an odd d_model makes smaller."""
    pos = torch.arange(n_tokens).unsqueeze(1)
    div = base ** (-torch.arange(0, d_model, 2) / (d_model // 2))
    pe = torch.zeros(n_tokens, d_model)
    pe[:, 0::2] = torch.sin(pos * div)
    pe[:, 1::2] = torch.cos(pos * div)[:, : d_model // 2]
    return pe

def wrong__positions_scaled__1(n_tokens, d_model, base=10000.0):
    """Positions from 0 to nearly 1."""
    pos = torch.arange(n_tokens).unsqueeze(1) / n_tokens
    div = base ** (-torch.arange(0, d_model, 2) / d_model)
    pe = torch.zeros(n_tokens, d_model)
    pe[:, 0::2] = torch.sin(pos * div)
    pe[:, 1::2] = torch.cos(pos * div)[:, : d_model // 2]
    return pe
