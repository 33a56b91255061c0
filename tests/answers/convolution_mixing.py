"""Answers to `convolution_mixing(kernel, n_tokens)` of notebook 03."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__convolution_mixing__loops(kernel, n_tokens):
    matrix = torch.zeros(n_tokens, n_tokens, dtype=kernel.dtype, device=kernel.device)
    for i in range(n_tokens):
        for t in range(len(kernel)):
            j = i + t - len(kernel) // 2
            if 0 <= j < n_tokens:
                matrix[i, j] = kernel[t]
    return matrix


def right__convolution_mixing__indexed(kernel, n_tokens):
    i = torch.arange(n_tokens, device=kernel.device)
    t = i[None, :] - i[:, None] + len(kernel) // 2
    inside = (t >= 0) & (t < len(kernel))
    return torch.where(inside, kernel[t.clamp(0, len(kernel) - 1)], 0)


def right__convolution_mixing__conv1d_of_identity(kernel, n_tokens):
    eye = torch.eye(n_tokens, dtype=kernel.dtype, device=kernel.device)
    columns = F.conv1d(eye[:, None, :], kernel[None, None, :], padding=len(kernel) // 2)
    return columns.squeeze(1).T


def right__convolution_mixing__diagonals(kernel, n_tokens):
    matrix = kernel.new_zeros(n_tokens, n_tokens)
    for t, number in enumerate(kernel):
        offset = t - kernel.numel() // 2
        if abs(offset) < n_tokens:
            matrix = matrix + torch.diag(number.repeat(n_tokens - abs(offset)), offset)
    return matrix


def right__convolution_mixing__unfolded(kernel, n_tokens):
    padded = F.pad(kernel, (n_tokens - 1, n_tokens - 1))
    half = kernel.shape[0] // 2
    return padded.unfold(0, n_tokens, 1)[half : half + n_tokens].flip(0)


def right__convolution_mixing__rows_sliced(kernel, n_tokens):
    zeros, half = kernel.new_zeros(n_tokens), len(kernel) // 2
    padded = torch.cat([zeros, kernel, zeros])
    starts = [n_tokens + half - i for i in range(n_tokens)]
    return torch.stack([padded[start : start + n_tokens] for start in starts])


def right__convolution_mixing__shift_matrices(kernel, n_tokens):
    wide = torch.eye(n_tokens + len(kernel) - 1, dtype=kernel.dtype, device=kernel.device)
    half, rows = len(kernel) // 2, []
    for t in range(len(kernel)):
        rows.append(kernel[t] * wide[t : t + n_tokens, half : half + n_tokens])
    return torch.stack(rows).sum(0)


def right__convolution_mixing__einsum(kernel, n_tokens):
    i = torch.arange(n_tokens, device=kernel.device)
    t = torch.arange(len(kernel), device=kernel.device)
    meets = i[:, None, None] + t[None, None, :] - len(kernel) // 2 == i[None, :, None]
    return torch.einsum("ijt,t->ij", meets.to(kernel.dtype), kernel)


def right__convolution_mixing__padded_product(kernel, n_tokens):
    matrix = kernel.new_zeros(n_tokens, n_tokens + len(kernel) - 1)
    for i in range(n_tokens):
        matrix[i, i : i + len(kernel)] = kernel
    half = len(kernel) // 2
    return matrix[:, half : half + n_tokens].contiguous()


def odd__convolution_mixing__renamed(w, n):
    """Arguments with names of its own."""
    half = len(w) // 2
    pick = [
        [w[j - i + half] if -half <= j - i <= half else w.new_zeros(()) for j in range(n)] for i in range(n)
    ]
    return torch.stack([torch.stack(row) for row in pick])


def odd__convolution_mixing__padding_argument(kernel, n_tokens, padding=0.0):
    """An argument more, with a default."""
    i = torch.arange(n_tokens, device=kernel.device)
    t = i - i[:, None] + kernel.size(0) // 2
    inside = (t >= 0) & (t < kernel.size(0))
    return kernel[t * inside].masked_fill(~inside, padding)


def odd__convolution_mixing__by_gradient(kernel, n_tokens):
    """The Jacobian of the convolution itself."""

    def convolve(x):
        return F.conv1d(x[None, None], kernel[None, None], padding=len(kernel) // 2)[0, 0]

    x = kernel.new_zeros(n_tokens)
    return torch.autograd.functional.jacobian(convolve, x, create_graph=True)


def wrong__convolution_mixing__kernel_flipped__1(kernel, n_tokens):
    matrix = torch.zeros(n_tokens, n_tokens, dtype=kernel.dtype, device=kernel.device)
    for i in range(n_tokens):
        for t in range(len(kernel)):
            j = i - t + len(kernel) // 2
            if 0 <= j < n_tokens:
                matrix[i, j] = kernel[t]
    return matrix


def wrong__convolution_mixing__kernel_flipped__2(kernel, n_tokens):
    eye = torch.eye(n_tokens, dtype=kernel.dtype, device=kernel.device)
    columns = F.conv1d(eye[:, None, :], kernel.flip(0)[None, None, :], padding=len(kernel) // 2)
    return columns.squeeze(1).T


def wrong__convolution_mixing__kernel_flipped__3(kernel, n_tokens):
    # The transpose forgotten: the outputs stand as rows.
    eye = torch.eye(n_tokens, dtype=kernel.dtype, device=kernel.device)
    return F.conv1d(eye[:, None, :], kernel[None, None, :], padding=len(kernel) // 2).squeeze(1)


def wrong__convolution_mixing__kernel_not_centred__1(kernel, n_tokens):
    matrix = torch.zeros(n_tokens, n_tokens, dtype=kernel.dtype, device=kernel.device)
    for i in range(n_tokens):
        for t in range(len(kernel)):
            if i + t < n_tokens:
                matrix[i, i + t] = kernel[t]
    return matrix


def wrong__convolution_mixing__kernel_not_centred__2(kernel, n_tokens):
    i = torch.arange(n_tokens, device=kernel.device)
    t = i[None, :] - i[:, None]
    inside = (t >= 0) & (t < len(kernel))
    return torch.where(inside, kernel[t.clamp(0, len(kernel) - 1)], 0)


def wrong__convolution_mixing__kernel_wraps__1(kernel, n_tokens):
    matrix = torch.zeros(n_tokens, n_tokens, dtype=kernel.dtype, device=kernel.device)
    for i in range(n_tokens):
        for t in range(len(kernel)):
            matrix[i, (i + t - len(kernel) // 2) % n_tokens] += kernel[t]
    return matrix


def wrong__convolution_mixing__kernel_wraps__2(kernel, n_tokens):
    eye, half = torch.eye(n_tokens, dtype=kernel.dtype, device=kernel.device), len(kernel) // 2
    shifted = [kernel[t] * eye.roll(t - half, dims=1) for t in range(len(kernel))]
    return torch.stack(shifted).sum(0)


def wrong__convolution_mixing__detached__1(kernel, n_tokens):
    i = torch.arange(n_tokens, device=kernel.device)
    t = i[None, :] - i[:, None] + len(kernel) // 2
    inside = (t >= 0) & (t < len(kernel))
    return torch.where(inside, kernel[t.clamp(0, len(kernel) - 1)], 0).detach()


def wrong__convolution_mixing__detached__2(kernel, n_tokens):
    half, numbers = len(kernel) // 2, kernel.tolist()
    rows = [
        [numbers[j - i + half] if abs(j - i) <= half else 0.0 for j in range(n_tokens)]
        for i in range(n_tokens)
    ]
    return torch.tensor(rows, dtype=kernel.dtype, device=kernel.device)


def wrong__convolution_mixing__input_changed__1(kernel, n_tokens):
    matrix = kernel.new_zeros(n_tokens, n_tokens)
    for t in range(len(kernel)):
        offset = t - len(kernel) // 2
        if abs(offset) < n_tokens:
            matrix = matrix + torch.diag(kernel[t].repeat(n_tokens - abs(offset)), offset)
        kernel[t] = 0
    return matrix


def wrong__convolution_mixing__input_changed__2(kernel, n_tokens):
    eye = torch.eye(n_tokens, dtype=kernel.dtype, device=kernel.device)
    kernel.unsqueeze_(0).unsqueeze_(0)
    return F.conv1d(eye[:, None, :], kernel, padding=kernel.shape[-1] // 2).squeeze(1).T


def wrong__convolution_mixing__wrong_device__1(kernel, n_tokens):
    matrix = torch.zeros(n_tokens, n_tokens, dtype=kernel.dtype)
    for i in range(n_tokens):
        for t in range(len(kernel)):
            j = i + t - len(kernel) // 2
            if 0 <= j < n_tokens:
                matrix[i, j] = kernel[t]
    return matrix


def wrong__convolution_mixing__wrong_device__2(kernel, n_tokens):
    i = torch.arange(n_tokens)
    t = i[None, :] - i[:, None] + len(kernel) // 2
    inside = (t >= 0) & (t < len(kernel))
    return torch.where(inside, kernel[t.clamp(0, len(kernel) - 1)], 0)


def wrong__convolution_mixing__wrong_dtype__1(kernel, n_tokens):
    matrix = torch.zeros(n_tokens, n_tokens, dtype=torch.float32, device=kernel.device)
    for i in range(n_tokens):
        for t in range(len(kernel)):
            j = i + t - len(kernel) // 2
            if 0 <= j < n_tokens:
                matrix[i, j] = kernel[t]
    return matrix


def wrong__convolution_mixing__wrong_dtype__2(kernel, n_tokens):
    eye = torch.eye(n_tokens, device=kernel.device)
    columns = F.conv1d(eye[:, None, :], kernel.float()[None, None, :], padding=len(kernel) // 2)
    return columns.squeeze(1).T


def natural__convolution_mixing__kernel_not_centred__1(kernel, n_tokens):
    k = kernel.shape[0]
    M = torch.zeros((n_tokens, n_tokens + k), dtype=kernel.dtype, device=kernel.device)  # noqa: N806 - the contract's letter
    for i in range(n_tokens):
        M[i, i : i + k] = kernel
    return M[:, :n_tokens]


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
