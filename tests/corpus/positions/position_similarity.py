"""Answers to `position_similarity(encoding)` of notebook 06."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change

def right__matmul(encoding):
    return encoding @ encoding.transpose(-2, -1)

def right__einsum(encoding):
    return torch.einsum("...id,...jd->...ij", encoding, encoding)

def right__products_summed(encoding: torch.Tensor) -> torch.Tensor:
    return (encoding.unsqueeze(-2) * encoding.unsqueeze(-3)).sum(dim=-1)

def right__loops(encoding):
    rows = []
    for i in range(encoding.shape[-2]):
        row = [
            torch.linalg.vecdot(encoding[..., i, :], encoding[..., j, :]) for j in range(encoding.shape[-2])
        ]
        rows.append(torch.stack(row, dim=-1))
    return torch.stack(rows, dim=-2)

def right__row_by_row(encoding):
    rows = [(encoding * encoding[..., p : p + 1, :]).sum(-1) for p in range(encoding.shape[-2])]
    return torch.stack(rows, -2)

def right__outer_products(encoding):
    # One channel at a time.
    channels = encoding.unbind(-1)
    return sum(channel[..., :, None] * channel[..., None, :] for channel in channels)

def right__tensordot(encoding):
    if encoding.dim() == 2:
        return torch.tensordot(encoding, encoding, dims=([1], [1]))
    items = encoding.reshape(-1, *encoding.shape[-2:])
    products = torch.stack([item.matmul(item.T) for item in items])
    return products.reshape(*encoding.shape[:-1], encoding.shape[-2])

def right__cosine_times_norms(encoding):
    norms = encoding.norm(dim=-1)
    cosines = F.cosine_similarity(encoding.unsqueeze(-2), encoding.unsqueeze(-3), dim=-1)
    return cosines * norms[..., :, None] * norms[..., None, :]

def right__half_and_mirrored(encoding):
    products = encoding @ encoding.mT
    return products.tril() + products.tril(-1).mT

def odd__double_inside(encoding):
    """Computed in float64 and brought back."""
    wide = encoding.to(torch.float64)
    return torch.matmul(wide, wide.mT).to(encoding.dtype)

def odd__renamed(pe):
    """Another name; the second factor is a copy."""
    return pe @ pe.clone().mT.contiguous()

def odd__polarisation(encoding):
    """2 a·b = |a|² + |b|² - |a - b|²."""
    norms = encoding.square().sum(-1)
    apart = (encoding[..., :, None, :] - encoding[..., None, :, :]).square().sum(-1)
    return (norms[..., :, None] + norms[..., None, :] - apart) / 2

# Written for one encoding, without leading axes: no others are asked for.
odd__two_axes = change(right__matmul, (".transpose(-2, -1)", ".T"))

def wrong__similarity_normalised__1(encoding):
    unit = F.normalize(encoding, dim=-1)
    return unit @ unit.transpose(-2, -1)

def wrong__similarity_normalised__2(encoding):
    norms = torch.linalg.vector_norm(encoding, dim=-1, keepdim=True)
    return torch.einsum("...id,...jd->...ij", encoding, encoding) / (norms * norms.mT)

def wrong__similarity_normalised__3(encoding):
    return F.cosine_similarity(encoding[..., :, None, :], encoding[..., None, :, :], dim=-1)

def wrong__detached__2(encoding):
    rows = encoding.detach().double().cpu().numpy()
    return torch.tensor(rows @ np.swapaxes(rows, -1, -2)).to(encoding)

def wrong__detached__3(encoding):
    with torch.no_grad():
        return torch.einsum("...id,...jd->...ij", encoding, encoding)

def wrong__input_changed__2(encoding):
    before = encoding.clone()
    return before @ encoding.transpose_(-2, -1)

def wrong__wrong_device__1(encoding):
    n = encoding.shape[-2]
    out = torch.zeros(*encoding.shape[:-2], n, n, dtype=encoding.dtype)
    for i in range(n):
        for j in range(n):
            out[..., i, j] = (encoding[..., i, :] * encoding[..., j, :]).sum(-1)
    return out

def wrong__wrong_device__2(encoding):
    metric = torch.eye(encoding.shape[-1], dtype=encoding.dtype)
    return encoding @ metric @ encoding.mT

def wrong__wrong_dtype__2(encoding):
    products = encoding[..., :, None, :] * encoding[..., None, :, :]
    return products.sum(-1, dtype=torch.float32)

wrong__detached__1 = change(odd__two_axes, ("encoding @ encoding.T", "(encoding @ encoding.mT).detach()"))
wrong__input_changed__1 = change(right__matmul, (":", ":", "    encoding *= 2"), ("(-2, -1)", "(-2, -1) / 4"))
wrong__wrong_dtype__1 = change(right__matmul, ("return", "encoding = encoding.float()", "return"))
# Divided by the root of the width, as scores are.
wrong__scale_added__1 = change(right__matmul, (".transpose(-2, -1)", ".mT / math.sqrt(encoding.shape[-1])"))
# Channels are compared, by einsum.
wrong__similarity_of_channels__1 = change(right__einsum, ('"...id,...jd->...ij"', '"...pi,...pj->...ij"'))

def natural__similarity_normalised__1(encoding):
    norms = (encoding**2).sum(dim=-1, keepdim=True).sqrt()
    return (encoding / norms) @ (encoding / norms).mT

def extra__negative_distances(encoding):
    """Minus the distance."""
    return -torch.cdist(encoding.double(), encoding.double()).to(encoding.dtype)

def extra__reshaped(encoding):
    """Reshaped in place of transposed."""
    return encoding @ encoding.reshape(*encoding.shape[:-2], encoding.shape[-1], encoding.shape[-2])

def extra__diagonal_zero(encoding):
    """A position is not compared with itself."""
    n = encoding.shape[-2]
    return (encoding @ encoding.mT).masked_fill(torch.eye(n, dtype=torch.bool, device=encoding.device), 0)

def extra__scale_added__first(encoding):
    """Each factor is divided by the fourth root of the width."""
    scaled = encoding * encoding.shape[-1] ** -0.25
    return scaled @ scaled.mT

# The mean of the products, not their sum.
extra__divided_by_width = change(
    odd__two_axes, ("encoding @ encoding.T", "(encoding.unsqueeze(-2) * encoding.unsqueeze(-3)).mean(-1)"),
)
# Weights in place of dot products.
extra__softmaxed = change(odd__two_axes, ("encoding @ encoding.T", "(encoding @ encoding.mT).softmax(-1)"))
# Squared distances: near is small.
extra__distances = change(
    odd__two_axes,
    ("encoding @ encoding.T", "(encoding.unsqueeze(-2) - encoding.unsqueeze(-3)).square().sum(-1)"),
)
# Dot products of the channels: (d, d).
extra__channels = change(right__matmul, ("encoding @ encoding.transpose(-2, -1)", "encoding.mT @ encoding"))
# One row: the products with position 0.
extra__with_the_first = change(right__matmul, (".transpose(-2, -1)", "[..., 0, :, None]"))
# One number for each position: its product with itself.
extra__own_norms = change(odd__two_axes, ("encoding @ encoding.T", "(encoding * encoding).sum(-1)"))
# Products with the next position, wrapped around.
extra__neighbours = change(right__matmul, (".transpose(-2, -1)", ".roll(-1, dims=-2).mT"))
# An error unless there are as many positions as channels.
wrong__not_transposed__1 = change(right__matmul, (".transpose(-2, -1)", ""))
# The absolute value: similarity without a sign.
extra__magnitude = change(right__matmul, ("encoding @", "(encoding @"), (".transpose(-2, -1)", ".mT).abs()"))
# The products squared.
extra__squared = change(right__matmul, ("encoding @", "(encoding @"), (".transpose(-2, -1)", ".mT) ** 2"))
# Each pair once, the rest 0.
extra__upper_half = change(extra__magnitude, (".abs", ".triu"))
# Divided by the largest product.
extra__similarity_normalised__by_the_largest = change(
    right__half_and_mirrored, (".tril() + products.tril(-1).mT", " / products.amax((-2, -1), keepdim=True)"),
)
# One of the two factors is cut from the graph: half of the gradient.
extra__half_detached = change(right__matmul, (".transpose(-2, -1)", ".detach().mT"))
