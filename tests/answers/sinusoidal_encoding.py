"""Answers to `sinusoidal_encoding(n_positions, d_model, base=10000.0)` of notebook 06."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers.gather import gather


def right__sinusoidal_encoding__power(n_positions, d_model, base=10000.0):
    positions = torch.arange(n_positions)[:, None]
    angles = positions / base ** (torch.arange(0, d_model, 2) / d_model)
    encoding = torch.zeros(n_positions, d_model)
    encoding[:, 0::2] = torch.sin(angles)
    encoding[:, 1::2] = torch.cos(angles)[:, : d_model // 2]
    return encoding


def right__sinusoidal_encoding__exp_of_log(n_positions, d_model, base=10000.0):
    position = torch.arange(n_positions, dtype=torch.float).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(base) / d_model))
    angles = position * frequency
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def right__sinusoidal_encoding__loops(n_positions: int, d_model: int, base: float = 10000.0) -> torch.Tensor:
    encoding = torch.empty(n_positions, d_model)
    for p in range(n_positions):
        for channel in range(d_model):
            pair = channel // 2
            angle = p / base ** (2 * pair / d_model)
            encoding[p, channel] = math.sin(angle) if channel % 2 == 0 else math.cos(angle)
    return encoding


def right__sinusoidal_encoding__where_on_parity(n_positions, d_model, base=10000.0):
    channel = torch.arange(d_model)
    angles = torch.outer(
        torch.arange(n_positions).double(), base ** (-(channel - channel % 2) / d_model).double()
    )
    return torch.where(channel % 2 == 0, angles.sin(), angles.cos()).float()


def right__sinusoidal_encoding__complex(n_positions, d_model, base=10000.0):
    pairs = (d_model + 1) // 2
    angles = np.arange(n_positions)[:, None] * base ** (-2 * np.arange(pairs) / d_model)
    turned = torch.polar(torch.ones(n_positions, pairs, dtype=torch.float64), torch.from_numpy(angles))
    cos_sin = torch.view_as_real(turned)
    return cos_sin.flip(-1).reshape(n_positions, 2 * pairs)[:, :d_model].float()


def right__sinusoidal_encoding__phase(n_positions, d_model, base=10000.0):
    # cos(x) = sin(x + π/2)
    channel = torch.arange(d_model, dtype=torch.float64)
    frequency = torch.exp2(-math.log2(base) * 2 * torch.floor(channel / 2) / d_model)
    positions = torch.arange(n_positions, dtype=torch.float64)
    angles = torch.einsum("p,c->pc", positions, frequency) + (channel % 2) * math.pi / 2
    return torch.sin(angles).to(torch.float32)


def right__sinusoidal_encoding__turned_step_by_step(n_positions, d_model, base=10000.0):
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


def right__sinusoidal_encoding__repeat_interleave(n_positions, d_model, base=10000.0):
    exponents = torch.arange(0, d_model, 2).repeat_interleave(2)[:d_model] / d_model
    encoding = torch.arange(n_positions).reshape(-1, 1) * torch.pow(torch.tensor(base), -exponents)
    encoding[:, 0::2].sin_()
    encoding[:, 1::2].cos_()
    return encoding


def odd__sinusoidal_encoding__float64(n_positions, d_model, base=10000.0):
    """float64, by NumPy: accepted where no tensor comes in."""
    angles = np.arange(n_positions)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    encoding = np.zeros((n_positions, d_model))
    encoding[:, 0::2], encoding[:, 1::2] = np.sin(angles), np.cos(angles[:, : d_model // 2])
    return torch.from_numpy(encoding)


def odd__sinusoidal_encoding__parameter(n, d, base=10000.0):
    """A parameter that is not trained; other names."""
    rows = [
        [(math.cos if c % 2 else math.sin)(p / base ** (c // 2 * 2 / d)) for c in range(d)] for p in range(n)
    ]
    return torch.nn.Parameter(torch.tensor(rows), requires_grad=False)


def odd__sinusoidal_encoding__transposed_view(n_positions, d_model, base=10000.0):
    """Channels down and positions across, turned at the end."""
    rows = []
    for channel in range(d_model):
        angle = torch.arange(n_positions, dtype=torch.float64) / base ** ((channel - channel % 2) / d_model)
        rows.append(angle.cos() if channel % 2 else angle.sin())
    return torch.stack(rows).T


def odd__sinusoidal_encoding__float64_of_float32(n_positions, d_model, base=10000.0):
    """float64 with frequencies of float32: as exact as what was asked for."""
    frequency = base ** (-torch.arange(0, d_model, 2) / d_model)
    angles = torch.arange(n_positions).double()[:, None] * frequency
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def wrong__sinusoidal_encoding__cosine_own_index__1(n_positions, d_model, base=10000.0):
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(d_model) / d_model)
    angles[:, 0::2] = torch.sin(angles[:, 0::2])
    angles[:, 1::2] = torch.cos(angles[:, 1::2])
    return angles


def wrong__sinusoidal_encoding__cosine_own_index__2(n_positions, d_model, base=10000.0):
    encoding = torch.empty(n_positions, d_model)
    for p in range(n_positions):
        for channel in range(d_model):
            angle = p / base ** (channel / d_model)
            encoding[p, channel] = math.cos(angle) if channel % 2 else math.sin(angle)
    return encoding


def wrong__sinusoidal_encoding__exponent_not_doubled__1(n_positions, d_model, base=10000.0):
    pair = torch.arange((d_model + 1) // 2)
    angles = torch.arange(n_positions)[:, None] / base ** (pair / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def wrong__sinusoidal_encoding__exponent_not_doubled__2(n_positions, d_model, base=10000.0):
    encoding = torch.empty(n_positions, d_model)
    for p in range(n_positions):
        for channel in range(d_model):
            angle = p * math.exp(-math.log(base) * (channel // 2) / d_model)
            encoding[p, channel] = math.cos(angle) if channel % 2 else math.sin(angle)
    return encoding


def wrong__sinusoidal_encoding__sin_cos_halves__1(n_positions, d_model, base=10000.0):
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.cat([angles.sin(), angles.cos()[:, : d_model // 2]], dim=-1)


def wrong__sinusoidal_encoding__sin_cos_halves__2(n_positions, d_model, base=10000.0):
    sines = (d_model + 1) // 2
    encoding = torch.empty(n_positions, d_model)
    for p in range(n_positions):
        for i in range(sines):
            angle = p / base ** (2 * i / d_model)
            encoding[p, i] = math.sin(angle)
            if sines + i < d_model:
                encoding[p, sines + i] = math.cos(angle)
    return encoding


def wrong__sinusoidal_encoding__frequencies_from_one__1(n_positions, d_model, base=10000.0):
    pair = torch.arange(1, (d_model + 1) // 2 + 1)
    angles = torch.arange(n_positions)[:, None] / base ** (2 * pair / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def wrong__sinusoidal_encoding__frequencies_from_one__2(n_positions, d_model, base=10000.0):
    encoding = torch.empty(n_positions, d_model)
    for p in range(n_positions):
        for channel in range(d_model):
            angle = p / base ** (2 * (channel // 2 + 1) / d_model)
            encoding[p, channel] = math.cos(angle) if channel % 2 else math.sin(angle)
    return encoding


def wrong__sinusoidal_encoding__positions_from_one__1(n_positions, d_model, base=10000.0):
    angles = torch.arange(1, n_positions + 1)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def wrong__sinusoidal_encoding__positions_from_one__2(n_positions, d_model, base=10000.0):
    encoding = torch.empty(n_positions, d_model)
    for p in range(n_positions):
        for channel in range(d_model):
            angle = (p + 1) / base ** (channel // 2 * 2 / d_model)
            encoding[p, channel] = math.cos(angle) if channel % 2 else math.sin(angle)
    return encoding


def wrong__sinusoidal_encoding__odd_dimension__1(n_positions, d_model, base=10000.0):
    # The last sine is dropped.
    angles = torch.arange(n_positions)[:, None] / base ** (2 * torch.arange(d_model // 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def wrong__sinusoidal_encoding__odd_dimension__2(n_positions, d_model, base=10000.0):
    rows = []
    for p in range(n_positions):
        angles = [p / base ** (2 * i / d_model) for i in range(d_model // 2)]
        rows.append([f(angle) for angle in angles for f in (math.sin, math.cos)])
    return torch.tensor(rows).reshape(n_positions, d_model // 2 * 2)


def natural__sinusoidal_encoding__cosine_own_index__1(n_positions, d_model, base=10000.0):
    table = np.array([[p / base ** (i / d_model) for i in range(d_model)] for p in range(n_positions)])
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return torch.tensor(table, dtype=torch.float32)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
