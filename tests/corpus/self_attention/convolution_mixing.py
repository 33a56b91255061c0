"""Answers to `convolution_mixing(kernel, n_tokens)` of notebook 03."""

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__loops(kernel, n_tokens):
    matrix = torch.zeros(n_tokens, n_tokens, dtype=kernel.dtype, device=kernel.device)
    for i in range(n_tokens):
        for t in range(len(kernel)):
            j = i + t - len(kernel) // 2
            if 0 <= j < n_tokens:
                matrix[i, j] = kernel[t]
    return matrix

def right__indexed(kernel, n_tokens):
    i = torch.arange(n_tokens, device=kernel.device)
    t = i[None, :] - i[:, None] + len(kernel) // 2
    inside = (t >= 0) & (t < len(kernel))
    return torch.where(inside, kernel[t.clamp(0, len(kernel) - 1)], 0)

def right__conv1d_of_identity(kernel, n_tokens):
    eye = torch.eye(n_tokens, dtype=kernel.dtype, device=kernel.device)
    columns = F.conv1d(eye[:, None, :], kernel[None, None, :], padding=len(kernel) // 2)
    return columns.squeeze(1).T

def right__diagonals(kernel, n_tokens):
    matrix = kernel.new_zeros(n_tokens, n_tokens)
    for t, number in enumerate(kernel):
        offset = t - kernel.numel() // 2
        if abs(offset) < n_tokens:
            matrix = matrix + torch.diag(number.repeat(n_tokens - abs(offset)), offset)
    return matrix

def right__unfolded(kernel, n_tokens):
    padded = F.pad(kernel, (n_tokens - 1, n_tokens - 1))
    half = kernel.shape[0] // 2
    return padded.unfold(0, n_tokens, 1)[half : half + n_tokens].flip(0)

def right__rows_sliced(kernel, n_tokens):
    zeros, half = kernel.new_zeros(n_tokens), len(kernel) // 2
    padded = torch.cat([zeros, kernel, zeros])
    starts = [n_tokens + half - i for i in range(n_tokens)]
    return torch.stack([padded[start : start + n_tokens] for start in starts])

def right__shift_matrices(kernel, n_tokens):
    wide = torch.eye(n_tokens + len(kernel) - 1, dtype=kernel.dtype, device=kernel.device)
    half, rows = len(kernel) // 2, []
    for t in range(len(kernel)):
        rows.append(kernel[t] * wide[t : t + n_tokens, half : half + n_tokens])
    return torch.stack(rows).sum(0)

def right__einsum(kernel, n_tokens):
    i = torch.arange(n_tokens, device=kernel.device)
    t = torch.arange(len(kernel), device=kernel.device)
    meets = i[:, None, None] + t[None, None, :] - len(kernel) // 2 == i[None, :, None]
    return torch.einsum("ijt,t->ij", meets.to(kernel.dtype), kernel)

def right__padded_product(kernel, n_tokens):
    matrix = kernel.new_zeros(n_tokens, n_tokens + len(kernel) - 1)
    for i in range(n_tokens):
        matrix[i, i : i + len(kernel)] = kernel
    half = len(kernel) // 2
    return matrix[:, half : half + n_tokens].contiguous()

def right__added_to_diagonals(kernel, n_tokens):
    mixing, half = kernel.new_zeros((n_tokens, n_tokens)), len(kernel) // 2
    for t in range(len(kernel)):
        if abs(t - half) < n_tokens:
            mixing.diagonal(t - half).add_(kernel[t])
    return mixing

def odd__renamed(w, n):
    """Arguments with names of its own."""
    half = len(w) // 2
    pick = [
        [w[j - i + half] if -half <= j - i <= half else w.new_zeros(()) for j in range(n)] for i in range(n)
    ]
    return torch.stack([torch.stack(row) for row in pick])

def odd__padding_argument(kernel, n_tokens, padding=0.0):
    """An argument more, with a default."""
    i = torch.arange(n_tokens, device=kernel.device)
    t = i - i[:, None] + kernel.size(0) // 2
    inside = (t >= 0) & (t < kernel.size(0))
    return kernel[t * inside].masked_fill(~inside, padding)

def odd__by_gradient(kernel, n_tokens):
    """The Jacobian of the convolution itself."""

    def convolve(x):
        return F.conv1d(x[None, None], kernel[None, None], padding=len(kernel) // 2)[0, 0]

    x = kernel.new_zeros(n_tokens)
    return torch.autograd.functional.jacobian(convolve, x, create_graph=True)

def wrong__kernel_flipped__3(kernel, n_tokens):
    # The transpose forgotten: the outputs stand as rows.
    eye = torch.eye(n_tokens, dtype=kernel.dtype, device=kernel.device)
    return F.conv1d(eye[:, None, :], kernel[None, None, :], padding=len(kernel) // 2).squeeze(1)

def wrong__kernel_wraps__2(kernel, n_tokens):
    eye, half = torch.eye(n_tokens, dtype=kernel.dtype, device=kernel.device), len(kernel) // 2
    shifted = [kernel[t] * eye.roll(t - half, dims=1) for t in range(len(kernel))]
    return torch.stack(shifted).sum(0)

def wrong__detached__2(kernel, n_tokens):
    half, numbers = len(kernel) // 2, kernel.tolist()
    rows = [
        [numbers[j - i + half] if abs(j - i) <= half else 0.0 for j in range(n_tokens)]
        for i in range(n_tokens)
    ]
    return torch.tensor(rows, dtype=kernel.dtype, device=kernel.device)

def wrong__input_changed__1(kernel, n_tokens):
    matrix = kernel.new_zeros(n_tokens, n_tokens)
    for t in range(len(kernel)):
        offset = t - len(kernel) // 2
        if abs(offset) < n_tokens:
            matrix = matrix + torch.diag(kernel[t].repeat(n_tokens - abs(offset)), offset)
        kernel[t] = 0
    return matrix

def wrong__input_changed__2(kernel, n_tokens):
    eye = torch.eye(n_tokens, dtype=kernel.dtype, device=kernel.device)
    kernel.unsqueeze_(0).unsqueeze_(0)
    return F.conv1d(eye[:, None, :], kernel, padding=kernel.shape[-1] // 2).squeeze(1).T

wrong__kernel_flipped__1 = change(right__loops, ("i + t - len", "i - t + len"))
wrong__kernel_flipped__2 = change(right__conv1d_of_identity, (", kernel", ", kernel.flip(0)"))
wrong__kernel_not_centred__1 = change(
    right__loops, ("j = i + t - len(kernel) // 2", ""), ("if 0 <= j", "if i + t"), ("[i, j] =", "[i, i + t] ="),
)
wrong__kernel_not_centred__2 = change(right__indexed, ("[:, None] + len(kernel) // 2", "[:, None]"))
wrong__kernel_wraps__1 = change(
    right__loops,
    ("j = i + t - len(kernel) // 2", "matrix[i, (i + t - len(kernel) // 2) % n_tokens] += kernel[t]"),
    ("if 0 <= j < n_tokens:", ""), ("matrix[i, j] = kernel[t]", ""),
)
wrong__detached__1 = change(right__indexed, ("- 1)], 0)", "- 1)], 0).detach()"))
wrong__wrong_device__1 = change(right__loops, (", device=kernel.device", ""))
wrong__wrong_device__2 = change(right__indexed, (", device=kernel.device", ""))
wrong__wrong_dtype__1 = change(right__loops, ("kernel.dtype", "torch.float32"))
wrong__wrong_dtype__2 = change(
    right__conv1d_of_identity, ("dtype=kernel.dtype, device", "device"), (", kernel", ", kernel.float()"),
)
# Replicate padding: the first and last token stand in for what is outside.
wrong__edges_repeated__1 = change(
    wrong__kernel_wraps__1, ("torch.zeros", "kernel.new_zeros"), (", dtype=kernel.dtype, device=kernel.device", ""),
    ("(i + t - len(kernel) // 2) % n_tokens", "min(max(i + t - len(kernel) // 2, 0), n_tokens - 1)"),
)

def natural__kernel_not_centred__1(kernel, n_tokens):
    k = kernel.shape[0]
    M = torch.zeros((n_tokens, n_tokens + k), dtype=kernel.dtype, device=kernel.device)
    for i in range(n_tokens):
        M[i, i : i + k] = kernel
    return M[:, :n_tokens]

def extra__valid_only(kernel, n_tokens):
    """No padding: fewer rows than tokens."""
    eye = torch.eye(n_tokens, dtype=kernel.dtype, device=kernel.device)
    return F.conv1d(eye[:, None, :], kernel[None, None, :]).squeeze(1).T

def extra__flat(kernel, n_tokens):
    """The kernel written at each row's start: no window moves."""
    row = F.pad(kernel, (0, max(0, n_tokens - len(kernel))))[:n_tokens]
    return row.repeat(n_tokens, 1)

def extra__three_wide_only(kernel, n_tokens):
    """Only kernels of three numbers are thought of."""
    ones = kernel.new_ones(n_tokens)
    return (
        torch.diag(kernel[0] * ones[1:], -1)
        + torch.diag(kernel[1] * ones)
        + torch.diag(kernel[-1] * ones[1:], 1)
    )

def extra__applied(kernel, n_tokens):
    """The kernel convolved with ones: a vector, not the matrix."""
    ones = kernel.new_ones(1, 1, n_tokens)
    return F.conv1d(ones, kernel[None, None], padding=len(kernel) // 2)[0, 0]

def extra__gradient_misses_sides(kernel, n_tokens):
    """All but the middle of the kernel is cut from the graph."""
    matrix, half = kernel.new_zeros(n_tokens, n_tokens), len(kernel) // 2
    for i in range(n_tokens):
        for j in range(n_tokens):
            if abs(j - i) <= half:
                matrix[i, j] = kernel[half] if i == j else kernel[j - i + half].item()
    return matrix

# The window ends at i: a causal convolution.
extra__kernel_not_centred__window_ends = change(right__indexed, ("(kernel) // 2", "(kernel) - 1"))
# Half the length rounded up.
extra__kernel_not_centred__off_by_one = change(right__indexed, ("len(kernel) //", "(len(kernel) + 1) //"))
# Circular, and entries that meet overwrite each other.
extra__kernel_wraps__written_over = change(
    wrong__kernel_wraps__1, ("torch.zeros", "kernel.new_zeros"), (", dtype=kernel.dtype, device=kernel.device", ""),
    ("+= kernel", "= kernel"),
)
# Only the right border is looked at: a negative index counts from the end.
extra__negative_index = change(
    right__loops, ("torch.zeros", "kernel.new_zeros"), (", dtype=kernel.dtype, device=kernel.device", ""),
    ("if 0 <= j", "if j"),
)
# Rows at the border are made to sum to what the kernel sums to.
extra__rows_renormalised = change(
    right__indexed, ("return torch", "matrix = torch"),
    ("- 1)], 0)", "- 1)], 0)", "return matrix / matrix.sum(-1, keepdim=True) * kernel.sum()"),
)
# The kernel is divided by its sum, as a moving average is.
extra__kernel_normalised = change(right__indexed, ("i = torch", "kernel = kernel / kernel.sum()", "i = torch"))
# Each row is divided by its sum.
extra__kernel_normalised__rows = change(
    right__indexed, ("return torch", "matrix = torch"),
    ("- 1)], 0)", "- 1)], 0)", "return matrix / matrix.sum(-1, keepdim=True)"),
)
# Rows through a softmax, as attention has them.
extra__softmax_added = change(right__indexed, ("- 1)], 0)", "- 1)], -torch.inf).softmax(-1)"))
# The columns of the padding are left on.
extra__padded_columns_kept = change(
    right__padded_product, ("half = len(kernel) // 2", "return matrix"),
    ("return matrix[:, half : half + n_tokens].contiguous()", ""),
)
# An error where the kernel is longer than the sequence.
extra__long_kernel_fails = change(
    extra__padded_columns_kept,
    ("(n_tokens, n_tokens + len(kernel) - 1)", "(n_tokens, n_tokens)", "half = len(kernel) // 2"),
    ("for i in range(n_tokens):", "for t in range(len(kernel)):", "    count = n_tokens - abs(t - half)"),
    ("[i, i : i + len(kernel)] = kernel", " = matrix + torch.diag(kernel[t].repeat(count), t - half)"),
)
# float32 inside and cast back.
extra__float64_rounded = change(
    right__indexed, (", kernel", ", kernel.float()"), ("- 1)], 0)", "- 1)], 0).to(kernel.dtype)"),
)
