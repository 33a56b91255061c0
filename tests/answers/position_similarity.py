"""Answers to `position_similarity(encoding)` of notebook 06."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__position_similarity__matmul(encoding):
    return encoding @ encoding.transpose(-2, -1)


def right__position_similarity__einsum(encoding):
    return torch.einsum("...id,...jd->...ij", encoding, encoding)


def right__position_similarity__products_summed(encoding: torch.Tensor) -> torch.Tensor:
    return (encoding.unsqueeze(-2) * encoding.unsqueeze(-3)).sum(dim=-1)


def right__position_similarity__loops(encoding):
    rows = []
    for i in range(encoding.shape[-2]):
        row = [
            torch.linalg.vecdot(encoding[..., i, :], encoding[..., j, :]) for j in range(encoding.shape[-2])
        ]
        rows.append(torch.stack(row, dim=-1))
    return torch.stack(rows, dim=-2)


def right__position_similarity__row_by_row(encoding):
    rows = [(encoding * encoding[..., p : p + 1, :]).sum(-1) for p in range(encoding.shape[-2])]
    return torch.stack(rows, -2)


def right__position_similarity__outer_products(encoding):
    # One channel at a time.
    channels = encoding.unbind(-1)
    return sum(channel[..., :, None] * channel[..., None, :] for channel in channels)


def right__position_similarity__tensordot(encoding):
    if encoding.dim() == 2:
        return torch.tensordot(encoding, encoding, dims=([1], [1]))
    items = encoding.reshape(-1, *encoding.shape[-2:])
    products = torch.stack([item.matmul(item.T) for item in items])
    return products.reshape(*encoding.shape[:-1], encoding.shape[-2])


def right__position_similarity__cosine_times_norms(encoding):
    norms = encoding.norm(dim=-1)
    cosines = F.cosine_similarity(encoding.unsqueeze(-2), encoding.unsqueeze(-3), dim=-1)
    return cosines * norms[..., :, None] * norms[..., None, :]


def right__position_similarity__half_and_mirrored(encoding):
    products = encoding @ encoding.mT
    return products.tril() + products.tril(-1).mT


def odd__position_similarity__double_inside(encoding):
    """Computed in float64 and brought back."""
    wide = encoding.to(torch.float64)
    return torch.matmul(wide, wide.mT).to(encoding.dtype)


def odd__position_similarity__renamed(pe):
    """Another name; the second factor is a copy."""
    return pe @ pe.clone().mT.contiguous()


def odd__position_similarity__two_axes(encoding):
    """Written for one encoding, without leading axes: no others are asked for."""
    return encoding @ encoding.T


def odd__position_similarity__polarisation(encoding):
    """2 a·b = |a|² + |b|² - |a - b|²."""
    norms = encoding.square().sum(-1)
    apart = (encoding[..., :, None, :] - encoding[..., None, :, :]).square().sum(-1)
    return (norms[..., :, None] + norms[..., None, :] - apart) / 2


def wrong__position_similarity__similarity_normalised__1(encoding):
    unit = F.normalize(encoding, dim=-1)
    return unit @ unit.transpose(-2, -1)


def wrong__position_similarity__similarity_normalised__2(encoding):
    norms = torch.linalg.vector_norm(encoding, dim=-1, keepdim=True)
    return torch.einsum("...id,...jd->...ij", encoding, encoding) / (norms * norms.mT)


def wrong__position_similarity__similarity_normalised__3(encoding):
    return F.cosine_similarity(encoding[..., :, None, :], encoding[..., None, :, :], dim=-1)


def wrong__position_similarity__detached__1(encoding):
    return (encoding @ encoding.mT).detach()


def wrong__position_similarity__detached__2(encoding):
    rows = encoding.detach().double().cpu().numpy()
    return torch.tensor(rows @ np.swapaxes(rows, -1, -2)).to(encoding)


def wrong__position_similarity__detached__3(encoding):
    with torch.no_grad():
        return torch.einsum("...id,...jd->...ij", encoding, encoding)


def wrong__position_similarity__input_changed__1(encoding):
    encoding *= 2
    return encoding @ encoding.transpose(-2, -1) / 4


def wrong__position_similarity__input_changed__2(encoding):
    before = encoding.clone()
    return before @ encoding.transpose_(-2, -1)


def wrong__position_similarity__wrong_device__1(encoding):
    n = encoding.shape[-2]
    out = torch.zeros(*encoding.shape[:-2], n, n, dtype=encoding.dtype)
    for i in range(n):
        for j in range(n):
            out[..., i, j] = (encoding[..., i, :] * encoding[..., j, :]).sum(-1)
    return out


def wrong__position_similarity__wrong_device__2(encoding):
    metric = torch.eye(encoding.shape[-1], dtype=encoding.dtype)
    return encoding @ metric @ encoding.mT


def wrong__position_similarity__wrong_dtype__1(encoding):
    encoding = encoding.float()
    return encoding @ encoding.transpose(-2, -1)


def wrong__position_similarity__wrong_dtype__2(encoding):
    products = encoding[..., :, None, :] * encoding[..., None, :, :]
    return products.sum(-1, dtype=torch.float32)


def natural__position_similarity__similarity_normalised__1(encoding):
    norms = (encoding**2).sum(dim=-1, keepdim=True).sqrt()
    return (encoding / norms) @ (encoding / norms).mT


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
