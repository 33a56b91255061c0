"""Wrong answers beyond the table to `sinusoidal_encoding(n_positions, d_model, base=10000.0)` of notebook 06."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers.gather import gather


def extra__sinusoidal_encoding__exponent_doubled_twice(n_positions, d_model, base=10000.0):
    """2i where i already steps by two."""
    angles = torch.arange(n_positions)[:, None] / base ** (2 * torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def extra__sinusoidal_encoding__cosine_own_index__doubled(n_positions, d_model, base=10000.0):
    """Each channel c with exponent 2c / d_model."""
    angles = torch.arange(n_positions)[:, None] / base ** (2 * torch.arange(d_model) / d_model)
    return torch.where(torch.arange(d_model) % 2 == 0, angles.sin(), angles.cos())


def extra__sinusoidal_encoding__sin_cos_exchanged(n_positions, d_model, base=10000.0):
    """The cosine on the even channels."""
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)[:, :d_model]


def extra__sinusoidal_encoding__all_sines(n_positions, d_model, base=10000.0):
    """No cosines."""
    channel = torch.arange(d_model)
    return torch.sin(torch.arange(n_positions)[:, None] / base ** ((channel - channel % 2) / d_model))


def extra__sinusoidal_encoding__base_ignored(n_positions, d_model, base=10000.0):
    """10000 whatever the base is."""
    angles = torch.arange(n_positions)[:, None] / 10000.0 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def extra__sinusoidal_encoding__frequency_inverted(n_positions, d_model, base=10000.0):
    """Multiplied by the power where it divides."""
    angles = torch.arange(n_positions)[:, None] * base ** (torch.arange(0, d_model, 2).double() / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model].float()


def extra__sinusoidal_encoding__integer_division(n_positions, d_model, base=10000.0):
    """2i // d_model is 0 throughout: one frequency for all pairs."""
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) // d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def extra__sinusoidal_encoding__full_turns(n_positions, d_model, base=10000.0):
    """2π times the angle."""
    angles = (
        2 * math.pi * torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    )
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def extra__sinusoidal_encoding__odd_dimension__rounded(n_positions, d_model, base=10000.0):
    """An odd d_model is made even for the frequencies too."""
    even = d_model + d_model % 2
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(0, even, 2) / even)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def extra__sinusoidal_encoding__odd_dimension__one_too_many(n_positions, d_model, base=10000.0):
    """d_model + 1 channels for an odd d_model."""
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def extra__sinusoidal_encoding__odd_dimension__zero_last(n_positions, d_model, base=10000.0):
    """The last channel of an odd d_model is left at 0."""
    angles = torch.arange(n_positions)[:, None] / base ** (2 * torch.arange(d_model // 2) / d_model)
    encoding = torch.zeros(n_positions, d_model)
    encoding[:, : d_model // 2 * 2] = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return encoding


def extra__sinusoidal_encoding__odd_dimension__cosine_last(n_positions, d_model, base=10000.0):
    """An odd d_model ends on a cosine."""
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    encoding = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]
    if d_model % 2:
        encoding[:, -1] = angles[:, -1].cos()
    return encoding


def extra__sinusoidal_encoding__last_frequency_is_one_over_base(n_positions, d_model, base=10000.0):
    """Exponents from 0 to 1, both ends included: i / (pairs - 1), as in some libraries."""
    pairs = (d_model + 1) // 2
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(pairs) / max(pairs - 1, 1))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


def extra__sinusoidal_encoding__transposed(n_positions, d_model, base=10000.0):
    """(d_model, n_positions)."""
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model].T


def extra__sinusoidal_encoding__batch_axis_added(n_positions, d_model, base=10000.0):
    """A batch axis that nobody asked for."""
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[None, :, :d_model]


def extra__sinusoidal_encoding__angles_returned(n_positions, d_model, base=10000.0):
    """The angles themselves."""
    channel = torch.arange(d_model)
    return torch.arange(n_positions)[:, None] / base ** ((channel - channel % 2) / d_model)


def extra__sinusoidal_encoding__wrong_dtype__half(n_positions, d_model, base=10000.0):
    """float16 comes back."""
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model].half()


def extra__sinusoidal_encoding__numpy_array(n_positions, d_model, base=10000.0):
    """A NumPy array, not a tensor."""
    channel = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / base ** ((channel - channel % 2) / d_model)
    return np.where(channel % 2 == 0, np.sin(angles), np.cos(angles)).astype(np.float32)


def extra__sinusoidal_encoding__scaled_to_length_one(n_positions, d_model, base=10000.0):
    """Each row brought to length 1."""
    angles = torch.arange(n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    encoding = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]
    return encoding / encoding.norm(dim=-1, keepdim=True).clamp(min=1e-12)


def extra__sinusoidal_encoding__odd_dimension__error(n_positions, d_model, base=10000.0):
    """An odd d_model is an error: one cosine too many to fit."""
    position = torch.arange(n_positions, dtype=torch.float).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(base) / d_model))
    encoding = torch.zeros(n_positions, d_model)
    encoding[:, 0::2] = torch.sin(position * frequency)
    encoding[:, 1::2] = torch.cos(position * frequency)
    return encoding


def extra__sinusoidal_encoding__odd_dimension__error_in_loop(n_positions, d_model, base=10000.0):
    """An odd d_model is an error: there is no channel i + 1 at the end."""
    pe = torch.zeros(n_positions, d_model)
    for p in range(n_positions):
        for i in range(0, d_model, 2):
            pe[p, i] = math.sin(p / base ** (i / d_model))
            pe[p, i + 1] = math.cos(p / base ** (i / d_model))
    return pe


def extra__sinusoidal_encoding__base_ignored__loops(n_positions, d_model, base=10000.0):
    """10000 whatever the base is, in loops."""
    rows = [[p / 10000 ** (c // 2 * 2 / d_model) for c in range(d_model)] for p in range(n_positions)]
    return torch.tensor([[(math.cos if c % 2 else math.sin)(a) for c, a in enumerate(row)] for row in rows])


def extra__sinusoidal_encoding__exponent_doubled_twice__loops(n_positions, d_model, base=10000.0):
    """2c / d_model for the even channel c = 2i, in loops."""
    rows = [[p / base ** (2 * (c - c % 2) / d_model) for c in range(d_model)] for p in range(n_positions)]
    return torch.tensor([[(math.cos if c % 2 else math.sin)(a) for c, a in enumerate(row)] for row in rows])


def extra__sinusoidal_encoding__cosine_first__loops(n_positions, d_model, base=10000.0):
    """The cosine on the even channels, in loops."""
    rows = [[p / base ** ((c - c % 2) / d_model) for c in range(d_model)] for p in range(n_positions)]
    return torch.tensor([[(math.sin if c % 2 else math.cos)(a) for c, a in enumerate(row)] for row in rows])


def extra__sinusoidal_encoding__frequency_inverted__loops(n_positions, d_model, base=10000.0):
    """Multiplied by the power where it divides, in loops."""
    rows = [[p * base ** ((c - c % 2) / d_model) for c in range(d_model)] for p in range(n_positions)]
    return torch.tensor([[(math.cos if c % 2 else math.sin)(a) for c, a in enumerate(row)] for row in rows])


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
