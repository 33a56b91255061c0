"""Answers to `alibi_bias(n_heads, n_queries, n_keys)` of notebook 06."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers.gather import gather


def right__alibi_bias__broadcast(n_heads, n_queries, n_keys):
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_queries)[:, None] - torch.arange(n_keys)[None, :]).abs()
    return -slopes[:, None, None] * distance


def right__alibi_bias__loops(n_heads, n_queries, n_keys):
    bias = torch.zeros(n_heads, n_queries, n_keys)
    for h in range(1, n_heads + 1):
        for i in range(n_queries):
            for j in range(n_keys):
                bias[h - 1, i, j] = -(2 ** (-8 * h / n_heads)) * abs(i - j)
    return bias


def right__alibi_bias__einsum(n_heads: int, n_queries: int, n_keys: int) -> torch.Tensor:
    slopes = torch.exp2(torch.linspace(-8 / n_heads, -8, n_heads))
    i, j = torch.meshgrid(torch.arange(n_queries), torch.arange(n_keys), indexing="ij")
    return torch.einsum("h,qk->hqk", -slopes, (j - i).abs().float())


def right__alibi_bias__geometric_series(n_heads, n_queries, n_keys):
    ratio = 2 ** (-8 / n_heads)
    slopes = torch.full((n_heads,), ratio, dtype=torch.float64).cumprod(0)
    positions = torch.arange(max(n_queries, n_keys)).double()
    distance = torch.cdist(positions[:n_queries, None], positions[:n_keys, None], p=1)
    return slopes.neg().view(-1, 1, 1).mul(distance).float()


def right__alibi_bias__max_minus_min(n_heads, n_queries, n_keys):
    i, j = torch.arange(n_queries).unsqueeze(-1), torch.arange(n_keys).unsqueeze(0)
    nearer = torch.minimum(i, j) - torch.maximum(i, j)
    return torch.stack([nearer * math.exp(-8 * math.log(2) * (h + 1) / n_heads) for h in range(n_heads)])


def right__alibi_bias__two_triangles(n_heads, n_queries, n_keys):
    ahead = torch.arange(n_keys) - torch.arange(n_queries)[:, None]
    distance = ahead.triu() - ahead.tril()
    slopes = torch.logspace(-8 / n_heads, -8, n_heads, base=2.0)
    return torch.outer(-slopes, distance.flatten().float()).reshape(n_heads, n_queries, n_keys)


def right__alibi_bias__halved_roots(n_heads, n_queries, n_keys):
    # 1/256 for one head; twice the heads, square roots in between.
    slopes = [2.0**-8]
    while len(slopes) < n_heads:
        first = math.sqrt(slopes[0])
        slopes = [first ** (k + 1) for k in range(2 * len(slopes))]
    rows = [[[-s * abs(i - j) for j in range(n_keys)] for i in range(n_queries)] for s in slopes]
    return torch.tensor(rows)


def right__alibi_bias__toeplitz(n_heads, n_queries, n_keys):
    n = n_queries + n_keys
    line = -torch.arange(-n, n + 1).abs()
    index = torch.arange(n_keys) - torch.arange(n_queries).view(-1, 1) + n
    return line[index] * torch.pow(2, -8 * torch.arange(1, n_heads + 1) / n_heads)[:, None, None]


def odd__alibi_bias__float64(n_heads, n_queries, n_keys):
    """float64, by NumPy: accepted where no tensor comes in."""
    distance = np.abs(np.subtract.outer(np.arange(n_queries), np.arange(n_keys)))
    return torch.from_numpy(np.multiply.outer(-(2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)), distance))


def odd__alibi_bias__heads_moved(h, n, m, *, max_bias=8.0, device=None):
    """Other names, keywords of its own, heads last on the way."""
    slopes = 2 ** (-max_bias * torch.arange(1, h + 1, device=device) / h)
    distance = torch.arange(n, device=device)[:, None] - torch.arange(m, device=device)
    return (distance.abs().unsqueeze(-1) * -slopes).movedim(-1, 0)


def odd__alibi_bias__start_and_ratio(n_heads, n_queries, n_keys):
    """Slopes by nested powers, whose first is their ratio too."""
    start = 2 ** (-(2 ** -(math.log2(n_heads) - 3)))
    slopes = torch.tensor([start * start**k for k in range(n_heads)])
    return slopes.reshape(-1, 1, 1) * -(torch.arange(n_queries).view(-1, 1) - torch.arange(n_keys)).abs()


def odd__alibi_bias__float64_of_float32(n_heads, n_queries, n_keys):
    """float64 with slopes of float32: as exact as what was asked for."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_queries).double()[:, None] - torch.arange(n_keys)).abs()
    return -slopes[:, None, None] * distance


def wrong__alibi_bias__alibi_sign__1(n_heads, n_queries, n_keys):
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_queries)[:, None] - torch.arange(n_keys)[None, :]).abs()
    return slopes[:, None, None] * distance


def wrong__alibi_bias__alibi_sign__2(n_heads, n_queries, n_keys):
    slopes = [2 ** (-8 * h / n_heads) for h in range(1, n_heads + 1)]
    rows = [[[s * abs(i - j) for j in range(n_keys)] for i in range(n_queries)] for s in slopes]
    return torch.tensor(rows)


def wrong__alibi_bias__alibi_exponent__1(n_heads, n_queries, n_keys):
    slopes = 2.0 ** (-8.0 * torch.arange(n_heads) / n_heads)
    distance = (torch.arange(n_queries)[:, None] - torch.arange(n_keys)[None, :]).abs()
    return -slopes[:, None, None] * distance


def wrong__alibi_bias__alibi_exponent__2(n_heads, n_queries, n_keys):
    bias = torch.zeros(n_heads, n_queries, n_keys)
    for h in range(n_heads):
        for i in range(n_queries):
            for j in range(n_keys):
                bias[h, i, j] = -abs(i - j) * math.exp(-8 * math.log(2) * h / n_heads)
    return bias


def wrong__alibi_bias__alibi_not_absolute__1(n_heads, n_queries, n_keys):
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)[None, :]
    return -slopes[:, None, None] * distance


def wrong__alibi_bias__alibi_not_absolute__2(n_heads, n_queries, n_keys):
    slopes = [2 ** (-8 * h / n_heads) for h in range(1, n_heads + 1)]
    rows = [[[s * (j - i) for j in range(n_keys)] for i in range(n_queries)] for s in slopes]
    return torch.tensor(rows)


def natural__alibi_bias__alibi_exponent__1(n_heads, n_queries, n_keys):
    slopes = torch.tensor([2 ** (-8 * h / n_heads) for h in range(n_heads)])
    i = torch.arange(n_queries).unsqueeze(1)
    j = torch.arange(n_keys).unsqueeze(0)
    return -slopes.view(n_heads, 1, 1) * torch.abs(i - j).unsqueeze(0)


def natural__alibi_bias__alibi_not_absolute__1(n_heads, n_queries, n_keys):
    # As in the paper, where only the past is seen.
    slopes = torch.tensor([2 ** (-8 * (h + 1) / n_heads) for h in range(n_heads)])
    relative = torch.arange(n_keys)[None, :] - torch.arange(n_queries)[:, None]
    return slopes[:, None, None] * relative[None]


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
