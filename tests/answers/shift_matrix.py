"""Answers to `shift_matrix(offset, d_model, base=10000.0)` of notebook 06."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers.gather import gather


def right__shift_matrix__loop(offset, d_model, base=10000.0):
    matrix = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = offset / base ** (2 * i / d_model)
        s, c = 2 * i, 2 * i + 1
        matrix[s, s] = matrix[c, c] = math.cos(angle)
        matrix[c, s] = math.sin(angle)
        matrix[s, c] = -math.sin(angle)
    return matrix


def right__shift_matrix__block_diag(offset, d_model, base=10000.0):
    blocks = []
    for exponent in torch.arange(0, d_model, 2) / d_model:
        angle = offset * base**-exponent
        blocks.append(torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()]).view(2, 2))
    return torch.block_diag(*blocks)


def right__shift_matrix__indexed(offset: int, d_model: int, base: float = 10000.0) -> torch.Tensor:
    even = torch.arange(0, d_model, 2)
    angle = offset * torch.exp(even * (-math.log(base) / d_model))
    matrix = torch.zeros(d_model, d_model)
    matrix[even, even] = angle.cos()
    matrix[even + 1, even + 1] = angle.cos()
    matrix[even, even + 1] = -angle.sin()
    matrix[even + 1, even] = angle.sin()
    return matrix


def right__shift_matrix__diagonals(offset, d_model, base=10000.0):
    angle = (offset / base ** (np.arange(0, d_model, 2) / d_model)).repeat(2)
    beside = np.where(np.arange(d_model - 1) % 2 == 0, np.sin(angle[:-1]), 0)
    matrix = np.diag(np.cos(angle)) + np.diag(beside, -1) - np.diag(beside, 1)
    return torch.from_numpy(matrix).float()


def right__shift_matrix__matrix_exponential(offset, d_model, base=10000.0):
    # The turning of all pairs at once is the exponential of a skew matrix.
    frequency = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    turn = torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=torch.float64)
    return torch.matrix_exp(offset * torch.kron(torch.diag(frequency), turn)).float()


def right__shift_matrix__power_of_one_step(offset, d_model, base=10000.0):
    one = torch.zeros(d_model, d_model, dtype=torch.float64)
    for i in range(0, d_model, 2):
        w = base ** (-i / d_model)
        one[i : i + 2, i : i + 2] = torch.tensor([[math.cos(w), -math.sin(w)], [math.sin(w), math.cos(w)]])
    one = one if offset >= 0 else one.T
    return torch.linalg.matrix_power(one, abs(offset)).float()


def right__shift_matrix__complex(offset, d_model, base=10000.0):
    # Channels (sin, cos) are the number cos + i·sin; times exp(i·angle), for each vector of the basis.
    angle = offset * base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    basis = torch.eye(d_model, dtype=torch.float64).reshape(d_model, d_model // 2, 2)
    turned = torch.complex(basis[..., 1], basis[..., 0]) * torch.polar(torch.ones_like(angle), angle)
    return torch.stack([turned.imag, turned.real], dim=-1).reshape(d_model, d_model).to(torch.float32)


def right__shift_matrix__einsum(offset, d_model, base=10000.0):
    pairs = d_model // 2
    angle = torch.tensor([offset / base ** (2 * i / d_model) for i in range(pairs)])
    still, turn = torch.eye(2), torch.tensor([[0.0, -1.0], [1.0, 0.0]])
    blocks = angle.cos()[:, None, None] * still + angle.sin()[:, None, None] * turn
    return torch.einsum("pab,pq->paqb", blocks, torch.eye(pairs)).reshape(d_model, d_model)


def odd__shift_matrix__float64(offset, d_model, base=10000.0):
    """float64: accepted where no tensor comes in."""
    matrix = np.zeros((d_model, d_model))
    for i in range(0, d_model, 2):
        c, s = np.cos(offset * base ** (-i / d_model)), np.sin(offset * base ** (-i / d_model))
        matrix[i : i + 2, i : i + 2] = [[c, -s], [s, c]]
    return torch.tensor(matrix)


def odd__shift_matrix__view(k, d, b=10000.0, device="cpu"):
    """Other names, a keyword of its own, and a transposed view of the opposite shift's transpose."""
    rows = [[0.0] * d for _ in range(d)]
    for i in range(0, d, 2):
        angle = k * b ** (-i / d)
        rows[i][i] = rows[i + 1][i + 1] = math.cos(angle)
        rows[i][i + 1], rows[i + 1][i] = math.sin(angle), -math.sin(angle)
    return torch.tensor(rows, device=device).T


def odd__shift_matrix__least_squares(offset, d_model, base=10000.0):
    """Fitted to many positions: the definition, solved."""

    def encoding(first):
        positions = torch.arange(400, dtype=torch.float64)[:, None] + first
        angle = positions * base ** (-torch.arange(0, d_model, 2).double() / d_model)
        return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)

    return torch.linalg.lstsq(encoding(0), encoding(offset)).solution.float()


def odd__shift_matrix__float64_of_float32(offset, d_model, base=10000.0):
    """float64 with angles of float32: as exact as what was asked for."""
    angle = (offset * base ** (-torch.arange(0, d_model, 2) / d_model)).double()
    return torch.block_diag(*[torch.stack([a.cos(), -a.sin(), a.sin(), a.cos()]).view(2, 2) for a in angle])


def wrong__shift_matrix__shift_backwards__1(offset, d_model, base=10000.0):
    matrix = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = offset / base ** (2 * i / d_model)
        s, c = 2 * i, 2 * i + 1
        matrix[s, s] = matrix[c, c] = math.cos(angle)
        matrix[c, s] = -math.sin(angle)
        matrix[s, c] = math.sin(angle)
    return matrix


def wrong__shift_matrix__shift_backwards__2(offset, d_model, base=10000.0):
    # The matrix for M @ PE(p), a column, in place of PE(p) @ M, a row.
    frequency = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    turn = torch.tensor([[0.0, 1.0], [-1.0, 0.0]], dtype=torch.float64)
    return torch.matrix_exp(offset * torch.kron(torch.diag(frequency), turn)).float()


def natural__shift_matrix__shift_backwards__1(offset, d_model, base=10000.0):
    blocks = []
    for i in range(0, d_model, 2):
        c, s = math.cos(offset / base ** (i / d_model)), math.sin(offset / base ** (i / d_model))
        blocks.append(torch.tensor([[c, s], [-s, c]]))
    return torch.block_diag(*blocks)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
