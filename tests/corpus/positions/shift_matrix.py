"""Answers to `shift_matrix(offset, d_model, base=10000.0)` of notebook 06."""

import math

import numpy as np
import torch

from tests.corpus import change

def right__loop(offset, d_model, base=10000.0):
    matrix = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = offset / base ** (2 * i / d_model)
        s, c = 2 * i, 2 * i + 1
        matrix[s, s] = matrix[c, c] = math.cos(angle)
        matrix[c, s] = math.sin(angle)
        matrix[s, c] = -math.sin(angle)
    return matrix

def right__block_diag(offset, d_model, base=10000.0):
    blocks = []
    for exponent in torch.arange(0, d_model, 2) / d_model:
        angle = offset * base**-exponent
        blocks.append(torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()]).view(2, 2))
    return torch.block_diag(*blocks)

def right__indexed(offset: int, d_model: int, base: float = 10000.0) -> torch.Tensor:
    even = torch.arange(0, d_model, 2)
    angle = offset * torch.exp(even * (-math.log(base) / d_model))
    matrix = torch.zeros(d_model, d_model)
    matrix[even, even] = angle.cos()
    matrix[even + 1, even + 1] = angle.cos()
    matrix[even, even + 1] = -angle.sin()
    matrix[even + 1, even] = angle.sin()
    return matrix

def right__diagonals(offset, d_model, base=10000.0):
    angle = (offset / base ** (np.arange(0, d_model, 2) / d_model)).repeat(2)
    beside = np.where(np.arange(d_model - 1) % 2 == 0, np.sin(angle[:-1]), 0)
    matrix = np.diag(np.cos(angle)) + np.diag(beside, -1) - np.diag(beside, 1)
    return torch.from_numpy(matrix).float()

def right__matrix_exponential(offset, d_model, base=10000.0):
    # The turning of all pairs at once is the exponential of a skew matrix.
    frequency = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    turn = torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=torch.float64)
    return torch.matrix_exp(offset * torch.kron(torch.diag(frequency), turn)).float()

def right__power_of_one_step(offset, d_model, base=10000.0):
    one = torch.zeros(d_model, d_model, dtype=torch.float64)
    for i in range(0, d_model, 2):
        w = base ** (-i / d_model)
        one[i : i + 2, i : i + 2] = torch.tensor([[math.cos(w), -math.sin(w)], [math.sin(w), math.cos(w)]])
    one = one if offset >= 0 else one.T
    return torch.linalg.matrix_power(one, abs(offset)).float()

def right__complex(offset, d_model, base=10000.0):
    # Channels (sin, cos) are the number cos + i·sin; times exp(i·angle), for each vector of the basis.
    angle = offset * base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    basis = torch.eye(d_model, dtype=torch.float64).reshape(d_model, d_model // 2, 2)
    turned = torch.complex(basis[..., 1], basis[..., 0]) * torch.polar(torch.ones_like(angle), angle)
    return torch.stack([turned.imag, turned.real], dim=-1).reshape(d_model, d_model).to(torch.float32)

def right__einsum(offset, d_model, base=10000.0):
    pairs = d_model // 2
    angle = torch.tensor([offset / base ** (2 * i / d_model) for i in range(pairs)])
    still, turn = torch.eye(2), torch.tensor([[0.0, -1.0], [1.0, 0.0]])
    blocks = angle.cos()[:, None, None] * still + angle.sin()[:, None, None] * turn
    return torch.einsum("pab,pq->paqb", blocks, torch.eye(pairs)).reshape(d_model, d_model)

def odd__float64(offset, d_model, base=10000.0):
    """float64: accepted where no tensor comes in."""
    matrix = np.zeros((d_model, d_model))
    for i in range(0, d_model, 2):
        c, s = np.cos(offset * base ** (-i / d_model)), np.sin(offset * base ** (-i / d_model))
        matrix[i : i + 2, i : i + 2] = [[c, -s], [s, c]]
    return torch.tensor(matrix)

def odd__view(k, d, b=10000.0, device="cpu"):
    """Other names, a keyword of its own, and a transposed view of the opposite shift's transpose."""
    rows = [[0.0] * d for _ in range(d)]
    for i in range(0, d, 2):
        angle = k * b ** (-i / d)
        rows[i][i] = rows[i + 1][i + 1] = math.cos(angle)
        rows[i][i + 1], rows[i + 1][i] = math.sin(angle), -math.sin(angle)
    return torch.tensor(rows, device=device).T

def odd__least_squares(offset, d_model, base=10000.0):
    """Fitted to many positions: the definition, solved."""

    def encoding(first):
        positions = torch.arange(400, dtype=torch.float64)[:, None] + first
        angle = positions * base ** (-torch.arange(0, d_model, 2).double() / d_model)
        return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)

    return torch.linalg.lstsq(encoding(0), encoding(offset)).solution.float()

def odd__float64_of_float32(offset, d_model, base=10000.0):
    """float64 with angles of float32: as exact as what was asked for."""
    angle = (offset * base ** (-torch.arange(0, d_model, 2) / d_model)).double()
    return torch.block_diag(*[torch.stack([a.cos(), -a.sin(), a.sin(), a.cos()]).view(2, 2) for a in angle])

def wrong__shift_one_angle__1(offset, d_model, base=10000.0):
    """All pairs turned by the offset: one frequency."""
    c, s = math.cos(offset), math.sin(offset)
    return torch.block_diag(*[torch.tensor([[c, -s], [s, c]])] * (d_model // 2))

def wrong__exponent_doubled_twice__1(offset, d_model, base=10000.0):
    """2i where i already steps by two."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        c, s = math.cos(offset / base ** (2 * i / d_model)), math.sin(offset / base ** (2 * i / d_model))
        matrix[i : i + 2, i : i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix

def wrong__exponent_not_doubled__1(offset, d_model, base=10000.0):
    """i / d_model, under the matrix exponential."""
    pair = torch.arange(d_model // 2, dtype=torch.float64)
    turn = torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=torch.float64)
    return torch.matrix_exp(offset * torch.kron(torch.diag(base ** (-pair / d_model)), turn)).float()

wrong__shift_backwards__1 = change(right__loop, ("= math.sin", "= -math.sin"), ("-math.sin", "math.sin"))
# The matrix for M @ PE(p), a column, in place of PE(p) @ M, a row.
wrong__shift_backwards__2 = change(
    right__matrix_exponential, ("# The turning of all pairs at once is the exponential of a skew matrix.", ""),
    ("[0.0, -1.0], [1.0, 0.0]", "[0.0, 1.0], [-1.0, 0.0]"),
)

def natural__shift_backwards__1(offset, d_model, base=10000.0):
    blocks = []
    for i in range(0, d_model, 2):
        c, s = math.cos(offset / base ** (i / d_model)), math.sin(offset / base ** (i / d_model))
        blocks.append(torch.tensor([[c, s], [-s, c]]))
    return torch.block_diag(*blocks)

def extra__identity(offset, d_model, base=10000.0):
    """Nothing is shifted."""
    return torch.eye(d_model)

def extra__frequencies_from_one(offset, d_model, base=10000.0):
    """i counted from 1."""
    matrix = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = offset / base ** (2 * (i + 1) / d_model)
        c, s = math.cos(angle), math.sin(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix

def extra__frequencies_from_one__matrix_exponential(offset, d_model, base=10000.0):
    """i counted from 1, under the matrix exponential."""
    pair = torch.arange(d_model // 2, dtype=torch.float64)
    turn = torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=torch.float64)
    return torch.matrix_exp(
        offset * torch.kron(torch.diag(base ** (-2 * (pair + 1) / d_model)), turn)
    ).float()

def extra__half_split(offset, d_model, base=10000.0):
    """Pairs (i, i + d/2), for an encoding with all sines first."""
    angle = offset / base ** (torch.arange(0, d_model, 2) / d_model)
    c, s = torch.diag(angle.cos()), torch.diag(angle.sin())
    return torch.cat([torch.cat([c, -s], dim=1), torch.cat([s, c], dim=1)])

def extra__blocks_not_joined(offset, d_model, base=10000.0):
    """The 2 x 2 blocks, stacked."""
    angle = offset / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()], dim=-1).view(-1, 2, 2)

def extra__fitted_to_one_position(offset, d_model, base=10000.0):
    """Right for position 1 alone: fitted to a single pair of encodings."""

    def encoding(p):
        angle = p / base ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
        return torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(1, d_model)

    return (torch.linalg.pinv(encoding(1)) @ encoding(1 + offset)).float()

def extra__shift_one_angle__loop(offset, d_model, base=10000.0):
    """The frequency is forgotten, in a loop."""
    matrix = math.cos(offset) * torch.eye(d_model)
    for i in range(0, d_model, 2):
        matrix[i, i + 1], matrix[i + 1, i] = -math.sin(offset), math.sin(offset)
    return matrix

def extra__sin_cos_halves__loop(offset, d_model, base=10000.0):
    """Pairs (i, i + d/2), in a loop."""
    matrix, half = torch.zeros(d_model, d_model), d_model // 2
    for i in range(half):
        angle = offset / base ** (2 * i / d_model)
        matrix[i, i] = matrix[i + half, i + half] = math.cos(angle)
        matrix[i, i + half], matrix[i + half, i] = -math.sin(angle), math.sin(angle)
    return matrix

# A permutation that moves channels, as if they were positions.
extra__tokens_rolled = change(extra__identity, ("(d_model)", "(d_model).roll(offset, dims=1)"))
# A sign lost: each pair is mirrored, not turned.
extra__reflection = change(
    wrong__exponent_doubled_twice__1,
    ("2 * i / d_model)), math.sin(offset / base ** (2 * i", "i / d_model)), math.sin(offset / base ** (i"),
    ("[c, -s],", "[c, s],"),
)
# cos and -cos on the diagonal.
extra__mirror = change(extra__reflection, (", [s, c]", ", [s, -c]"))
# i / d_model in place of 2i / d_model.
extra__exponent_not_doubled = change(extra__frequencies_from_one, ("2 * (i + 1)", "i"))
# 10000 whatever the base is.
extra__base_ignored = change(
    wrong__exponent_doubled_twice__1,
    ("(offset / base ** (2 * i / d_model)),", "(offset / 10000 ** (i / d_model)),"),
    (".sin(offset / base ** (2 * i / d_model))", ".sin(offset / 10000 ** (i / d_model))"),
)
# 10000 whatever the base is, under the matrix exponential.
extra__base_ignored__matrix_exponential = change(
    wrong__exponent_not_doubled__1, ("base ** (-pair / d_model)", "10000.0 ** (-2 * pair / d_model)"),
)
# A negative offset shifts forwards all the same.
extra__forwards_always = change(
    extra__frequencies_from_one, ("d_model //", "0, d_model,"),
    ("offset / base ** (2 * (i + 1) / d_model)", "abs(offset) / base ** (i / d_model)"),
    ("2 * i : 2 * i + 2, 2 * i : 2 *", "i : i + 2, i :"),
)
# The shift by one, whatever the offset is.
extra__one_step = change(
    wrong__exponent_doubled_twice__1, ("(offset / base ** (2 * i / d_model)),", "(base ** (-i / d_model)),"),
    (".sin(offset / base ** (2 * i / d_model))", ".sin(base ** (-i / d_model))"),
)
# The shift by one, multiplied by the offset in place of repeated.
extra__step_multiplied = change(extra__one_step, ("torch.tensor", "offset * torch.tensor"))
# A vector to be added, not a matrix: no such vector serves every position.
extra__encoding_of_the_offset = change(
    extra__blocks_not_joined, ("angle.cos(), -angle.sin(), angle", "angle"), (".view(-1, 2, 2)", ".flatten()"),
)
# A NumPy array, not a tensor.
extra__numpy_array = change(
    odd__float64, ("(d_model, d_model)", "(d_model, d_model), dtype=np.float32"),
    ("torch.tensor(matrix)", "matrix"),
)
# Multiplied by the power where it divides.
extra__frequency_inverted = change(
    wrong__exponent_doubled_twice__1,
    ("(offset / base ** (2 * i / d_model)),", "(offset * base ** (i / d_model)),"),
    (".sin(offset / base ** (2 * i / d_model))", ".sin(offset * base ** (i / d_model))"),
)

def extra__wrong_dtype__half(offset, d_model, base=10000.0):
    """float16 comes back."""
    matrix = torch.zeros(d_model, d_model, dtype=torch.half)
    for i in range(0, d_model, 2):
        c, s = math.cos(offset * base ** (-i / d_model)), math.sin(offset * base ** (-i / d_model))
        matrix[i : i + 2, i : i + 2] = torch.tensor([[c, -s], [s, c]])
    return matrix

# Right numbers, as complex ones.
extra__wrong_dtype__complex = change(extra__wrong_dtype__half, ("torch.half", "torch.complex64"))
# 4i / d_model, under the matrix exponential.
extra__exponent_doubled_twice__matrix_exponential = change(
    wrong__exponent_not_doubled__1, ("pair / d_model", "4 * pair / d_model"),
)
# How far the offset moves, and not in which direction.
wrong__offset_without_sign__1 = change(right__loop, ("angle = offset /", "angle = abs(offset) /"))
