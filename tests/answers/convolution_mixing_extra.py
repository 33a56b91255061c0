"""Wrong answers beyond the table to `convolution_mixing(kernel, n_tokens)` of notebook 03."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__convolution_mixing__kernel_not_centred__window_ends(kernel, n_tokens):
    """The window ends at i: a causal convolution."""
    i = torch.arange(n_tokens, device=kernel.device)
    t = i[None, :] - i[:, None] + len(kernel) - 1
    inside = (t >= 0) & (t < len(kernel))
    return torch.where(inside, kernel[t.clamp(0, len(kernel) - 1)], 0)


def extra__convolution_mixing__kernel_not_centred__off_by_one(kernel, n_tokens):
    """Half the length rounded up."""
    i = torch.arange(n_tokens, device=kernel.device)
    t = i[None, :] - i[:, None] + (len(kernel) + 1) // 2
    inside = (t >= 0) & (t < len(kernel))
    return torch.where(inside, kernel[t.clamp(0, len(kernel) - 1)], 0)


def extra__convolution_mixing__kernel_wraps__written_over(kernel, n_tokens):
    """Circular, and entries that meet overwrite each other."""
    matrix = kernel.new_zeros(n_tokens, n_tokens)
    for i in range(n_tokens):
        for t in range(len(kernel)):
            matrix[i, (i + t - len(kernel) // 2) % n_tokens] = kernel[t]
    return matrix


def extra__convolution_mixing__negative_index(kernel, n_tokens):
    """Only the right border is looked at: a negative index counts from the end."""
    matrix = kernel.new_zeros(n_tokens, n_tokens)
    for i in range(n_tokens):
        for t in range(len(kernel)):
            j = i + t - len(kernel) // 2
            if j < n_tokens:
                matrix[i, j] = kernel[t]
    return matrix


def extra__convolution_mixing__borders_repeated(kernel, n_tokens):
    """Replicate padding: the first and last token stand in for what is outside."""
    matrix = kernel.new_zeros(n_tokens, n_tokens)
    for i in range(n_tokens):
        for t in range(len(kernel)):
            matrix[i, min(max(i + t - len(kernel) // 2, 0), n_tokens - 1)] += kernel[t]
    return matrix


def extra__convolution_mixing__rows_renormalised(kernel, n_tokens):
    """Rows at the border are made to sum to what the kernel sums to."""
    i = torch.arange(n_tokens, device=kernel.device)
    t = i[None, :] - i[:, None] + len(kernel) // 2
    inside = (t >= 0) & (t < len(kernel))
    matrix = torch.where(inside, kernel[t.clamp(0, len(kernel) - 1)], 0)
    return matrix / matrix.sum(-1, keepdim=True) * kernel.sum()


def extra__convolution_mixing__kernel_normalised(kernel, n_tokens):
    """The kernel is divided by its sum, as a moving average is."""
    kernel = kernel / kernel.sum()
    i = torch.arange(n_tokens, device=kernel.device)
    t = i[None, :] - i[:, None] + len(kernel) // 2
    inside = (t >= 0) & (t < len(kernel))
    return torch.where(inside, kernel[t.clamp(0, len(kernel) - 1)], 0)


def extra__convolution_mixing__kernel_normalised__rows(kernel, n_tokens):
    """Each row is divided by its sum."""
    i = torch.arange(n_tokens, device=kernel.device)
    t = i[None, :] - i[:, None] + len(kernel) // 2
    inside = (t >= 0) & (t < len(kernel))
    matrix = torch.where(inside, kernel[t.clamp(0, len(kernel) - 1)], 0)
    return matrix / matrix.sum(-1, keepdim=True)


def extra__convolution_mixing__softmax_added(kernel, n_tokens):
    """Rows through a softmax, as attention has them."""
    i = torch.arange(n_tokens, device=kernel.device)
    t = i[None, :] - i[:, None] + len(kernel) // 2
    inside = (t >= 0) & (t < len(kernel))
    return torch.where(inside, kernel[t.clamp(0, len(kernel) - 1)], -torch.inf).softmax(-1)


def extra__convolution_mixing__valid_only(kernel, n_tokens):
    """No padding: fewer rows than tokens."""
    eye = torch.eye(n_tokens, dtype=kernel.dtype, device=kernel.device)
    return F.conv1d(eye[:, None, :], kernel[None, None, :]).squeeze(1).T


def extra__convolution_mixing__padded_columns_kept(kernel, n_tokens):
    """The columns of the padding are left on."""
    matrix = kernel.new_zeros(n_tokens, n_tokens + len(kernel) - 1)
    for i in range(n_tokens):
        matrix[i, i : i + len(kernel)] = kernel
    return matrix


def extra__convolution_mixing__long_kernel_fails(kernel, n_tokens):
    """An error where the kernel is longer than the sequence."""
    matrix = kernel.new_zeros(n_tokens, n_tokens)
    half = len(kernel) // 2
    for t in range(len(kernel)):
        count = n_tokens - abs(t - half)
        matrix = matrix + torch.diag(kernel[t].repeat(count), t - half)
    return matrix


def extra__convolution_mixing__flat(kernel, n_tokens):
    """The kernel written at each row's start: no window moves."""
    row = F.pad(kernel, (0, max(0, n_tokens - len(kernel))))[:n_tokens]
    return row.repeat(n_tokens, 1)


def extra__convolution_mixing__three_wide_only(kernel, n_tokens):
    """Only kernels of three numbers are thought of."""
    ones = kernel.new_ones(n_tokens)
    return (
        torch.diag(kernel[0] * ones[1:], -1)
        + torch.diag(kernel[1] * ones)
        + torch.diag(kernel[-1] * ones[1:], 1)
    )


def extra__convolution_mixing__applied(kernel, n_tokens):
    """The kernel convolved with ones: a vector, not the matrix."""
    ones = kernel.new_ones(1, 1, n_tokens)
    return F.conv1d(ones, kernel[None, None], padding=len(kernel) // 2)[0, 0]


def extra__convolution_mixing__gradient_misses_sides(kernel, n_tokens):
    """All but the middle of the kernel is cut from the graph."""
    matrix, half = kernel.new_zeros(n_tokens, n_tokens), len(kernel) // 2
    for i in range(n_tokens):
        for j in range(n_tokens):
            if abs(j - i) <= half:
                matrix[i, j] = kernel[half] if i == j else kernel[j - i + half].item()
    return matrix


def extra__convolution_mixing__float64_rounded(kernel, n_tokens):
    """float32 inside and cast back."""
    i = torch.arange(n_tokens, device=kernel.device)
    t = i[None, :] - i[:, None] + len(kernel) // 2
    inside = (t >= 0) & (t < len(kernel))
    return torch.where(inside, kernel.float()[t.clamp(0, len(kernel) - 1)], 0).to(kernel.dtype)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
