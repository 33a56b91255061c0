"""Answers to the practice `convolution(x, kernel)` of notebook 07."""

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__sum(x, kernel):
    n_tokens, kernel_size = len(x), len(kernel)
    half = (kernel_size - 1) // 2
    padded = F.pad(x, (0, 0, half, half))
    output = 0
    for i in range(kernel_size):
        output = output + padded[i : i + n_tokens] @ kernel[i]
    return output

def right__zeros(x, kernel):
    half = kernel.shape[0] // 2
    zeros = torch.zeros(half, x.shape[1], dtype=x.dtype, device=x.device)
    padded = torch.cat([zeros, x, zeros])
    parts = [padded[i : len(padded) - 2 * half + i] @ matrix for i, matrix in enumerate(kernel)]
    return torch.stack(parts).sum(0)

def right__unfolded(x, kernel):
    half = len(kernel) // 2
    windows = F.pad(x, (0, 0, half, half)).unfold(0, len(kernel), 1)  # (n_tokens, d_in, kernel_size)
    return windows.permute(0, 2, 1).flatten(1) @ kernel.flatten(0, 1)

wrong__convolution_flipped__1 = change(right__sum, ("kernel[i]", "kernel[-1 - i]"))
wrong__convolution_shifted__1 = change(right__sum, ("(0, 0, half, half)", "(0, 0, 2 * half, 0)"))
wrong__convolution_shifted__2 = change(right__sum, ("(0, 0, half, half)", "(0, 0, 0, 2 * half)"))
wrong__convolution_ends__1 = change(
    right__sum, ("padded = F.pad(x, (0, 0, half, half))", ""), ("padded[i : i + n_tokens]", "x.roll(half - i, dims=0)")
)
wrong__convolution_too_short__1 = change(right__unfolded, ("F.pad(x, (0, 0, half, half))", "x"))
wrong__convolution_neighbours_ignored__1 = change(right__sum, ("padded[i : i + n_tokens]", "x"))
wrong__convolution_not_summed__1 = change(right__zeros, (".sum(0)", ""))
wrong__convolution_device__1 = change(right__zeros, (", device=x.device", ""))

# The mean over the matrices.
extra__mean = change(right__zeros, (".sum(0)", ".mean(0)"))
# Channels and tokens have changed places.
extra__channels_padded = change(right__sum, ("(0, 0, half, half)", "(half, half)"))
