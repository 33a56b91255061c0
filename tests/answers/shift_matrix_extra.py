"""Wrong answers beyond the table to `shift_matrix(offset, d_model, base=10000.0)` of notebook 06."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers.gather import gather


def extra__shift_matrix__identity(offset, d_model, base=10000.0):
    """Nothing is shifted."""
    return torch.eye(d_model)


def extra__shift_matrix__tokens_rolled(offset, d_model, base=10000.0):
    """A permutation that moves channels, as if they were positions."""
    return torch.eye(d_model).roll(offset, dims=1)


def extra__shift_matrix__reflection(offset, d_model, base=10000.0):
    """A sign lost: each pair is mirrored, not turned."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        c, s = math.cos(offset / base ** (i / d_model)), math.sin(offset / base ** (i / d_model))
        matrix[i : i + 2, i : i + 2] = torch.tensor([[c, s], [s, c]])
    return matrix


def extra__shift_matrix__mirror(offset, d_model, base=10000.0):
    """cos and -cos on the diagonal."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        c, s = math.cos(offset / base ** (i / d_model)), math.sin(offset / base ** (i / d_model))
        matrix[i : i + 2, i : i + 2] = torch.tensor([[c, s], [s, -c]])
    return matrix


def extra__shift_matrix__frequencies_from_one(offset, d_model, base=10000.0):
    """i counted from 1."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = offset / base ** (2 * (i + 1) / d_model)
        c, s = math.cos(angle), math.sin(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix


def extra__shift_matrix__exponent_not_doubled(offset, d_model, base=10000.0):
    """i / d_model in place of 2i / d_model."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = offset / base ** (i / d_model)
        c, s = math.cos(angle), math.sin(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix


def extra__shift_matrix__half_split(offset, d_model, base=10000.0):
    """Pairs (i, i + d/2), for an encoding with all sines first."""
    angle = offset / base ** (torch.arange(0, d_model, 2) / d_model)
    c, s = torch.diag(angle.cos()), torch.diag(angle.sin())
    return torch.cat([torch.cat([c, -s], dim=1), torch.cat([s, c], dim=1)])


def extra__shift_matrix__one_angle(offset, d_model, base=10000.0):
    """All pairs turned by the offset: one frequency."""
    c, s = math.cos(offset), math.sin(offset)
    return torch.block_diag(*[torch.tensor([[c, -s], [s, c]])] * (d_model // 2))


def extra__shift_matrix__base_ignored(offset, d_model, base=10000.0):
    """10000 whatever the base is."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        c, s = math.cos(offset / 10000 ** (i / d_model)), math.sin(offset / 10000 ** (i / d_model))
        matrix[i : i + 2, i : i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix


def extra__shift_matrix__forwards_always(offset, d_model, base=10000.0):
    """A negative offset shifts forwards all the same."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        angle = abs(offset) / base ** (i / d_model)
        c, s = math.cos(angle), math.sin(angle)
        matrix[i : i + 2, i : i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix


def extra__shift_matrix__one_step(offset, d_model, base=10000.0):
    """The shift by one, whatever the offset is."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        c, s = math.cos(base ** (-i / d_model)), math.sin(base ** (-i / d_model))
        matrix[i : i + 2, i : i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix


def extra__shift_matrix__step_multiplied(offset, d_model, base=10000.0):
    """The shift by one, multiplied by the offset in place of repeated."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        c, s = math.cos(base ** (-i / d_model)), math.sin(base ** (-i / d_model))
        matrix[i : i + 2, i : i + 2] = offset * torch.tensor([[c, -s], [s, c]])
    return matrix


def extra__shift_matrix__blocks_not_joined(offset, d_model, base=10000.0):
    """The 2 x 2 blocks, stacked."""
    angle = offset / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()], dim=-1).view(-1, 2, 2)


def extra__shift_matrix__encoding_of_the_offset(offset, d_model, base=10000.0):
    """A vector to be added, not a matrix: no such vector serves every position."""
    angle = offset / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten()


def extra__shift_matrix__fitted_to_one_position(offset, d_model, base=10000.0):
    """Right for position 1 alone: fitted to a single pair of encodings."""

    def encoding(p):
        angle = p / base ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
        return torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(1, d_model)

    return (torch.linalg.pinv(encoding(1)) @ encoding(1 + offset)).float()


def extra__shift_matrix__numpy_array(offset, d_model, base=10000.0):
    """A NumPy array, not a tensor."""
    matrix = np.zeros((d_model, d_model), dtype=np.float32)
    for i in range(0, d_model, 2):
        c, s = np.cos(offset * base ** (-i / d_model)), np.sin(offset * base ** (-i / d_model))
        matrix[i : i + 2, i : i + 2] = [[c, -s], [s, c]]
    return matrix


def extra__shift_matrix__exponent_doubled_twice(offset, d_model, base=10000.0):
    """2i where i already steps by two."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        c, s = math.cos(offset / base ** (2 * i / d_model)), math.sin(offset / base ** (2 * i / d_model))
        matrix[i : i + 2, i : i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix


def extra__shift_matrix__frequency_inverted(offset, d_model, base=10000.0):
    """Multiplied by the power where it divides."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        c, s = math.cos(offset * base ** (i / d_model)), math.sin(offset * base ** (i / d_model))
        matrix[i : i + 2, i : i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix


def extra__shift_matrix__wrong_dtype__half(offset, d_model, base=10000.0):
    """float16 comes back."""
    matrix = torch.zeros(d_model, d_model, dtype=torch.half)
    for i in range(0, d_model, 2):
        c, s = math.cos(offset * base ** (-i / d_model)), math.sin(offset * base ** (-i / d_model))
        matrix[i : i + 2, i : i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix


def extra__shift_matrix__wrong_dtype__complex(offset, d_model, base=10000.0):
    """Right numbers, as complex ones."""
    matrix = torch.zeros(d_model, d_model, dtype=torch.complex64)
    for i in range(0, d_model, 2):
        c, s = math.cos(offset * base ** (-i / d_model)), math.sin(offset * base ** (-i / d_model))
        matrix[i : i + 2, i : i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix


def extra__shift_matrix__shift_one_angle__loop(offset, d_model, base=10000.0):
    """The frequency is forgotten, in a loop."""
    matrix = math.cos(offset) * torch.eye(d_model)
    for i in range(0, d_model, 2):
        matrix[i, i + 1], matrix[i + 1, i] = -math.sin(offset), math.sin(offset)
    return matrix


def extra__shift_matrix__sin_cos_halves__loop(offset, d_model, base=10000.0):
    """Pairs (i, i + d/2), in a loop."""
    matrix, half = torch.zeros(d_model, d_model), d_model // 2
    for i in range(half):
        angle = offset / base ** (2 * i / d_model)
        matrix[i, i] = matrix[i + half, i + half] = math.cos(angle)
        matrix[i, i + half], matrix[i + half, i] = -math.sin(angle), math.sin(angle)
    return matrix


def extra__shift_matrix__exponent_not_doubled__matrix_exponential(offset, d_model, base=10000.0):
    """i / d_model, under the matrix exponential."""
    pair = torch.arange(d_model // 2, dtype=torch.float64)
    turn = torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=torch.float64)
    return torch.matrix_exp(offset * torch.kron(torch.diag(base ** (-pair / d_model)), turn)).float()


def extra__shift_matrix__exponent_doubled_twice__matrix_exponential(offset, d_model, base=10000.0):
    """4i / d_model, under the matrix exponential."""
    pair = torch.arange(d_model // 2, dtype=torch.float64)
    turn = torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=torch.float64)
    return torch.matrix_exp(offset * torch.kron(torch.diag(base ** (-4 * pair / d_model)), turn)).float()


def extra__shift_matrix__frequencies_from_one__matrix_exponential(offset, d_model, base=10000.0):
    """i counted from 1, under the matrix exponential."""
    pair = torch.arange(d_model // 2, dtype=torch.float64)
    turn = torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=torch.float64)
    return torch.matrix_exp(
        offset * torch.kron(torch.diag(base ** (-2 * (pair + 1) / d_model)), turn)
    ).float()


def extra__shift_matrix__base_ignored__matrix_exponential(offset, d_model, base=10000.0):
    """10000 whatever the base is, under the matrix exponential."""
    pair = torch.arange(d_model // 2, dtype=torch.float64)
    turn = torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=torch.float64)
    return torch.matrix_exp(offset * torch.kron(torch.diag(10000.0 ** (-2 * pair / d_model)), turn)).float()


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
