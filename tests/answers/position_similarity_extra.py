"""Wrong answers beyond the table to `position_similarity(encoding)` of notebook 06."""

from __future__ import annotations

import math

import torch

from tests.answers.gather import gather


def extra__position_similarity__scaled(encoding):
    """Divided by the root of the width, as scores are."""
    return encoding @ encoding.mT / math.sqrt(encoding.shape[-1])


def extra__position_similarity__divided_by_width(encoding):
    """The mean of the products, not their sum."""
    return (encoding.unsqueeze(-2) * encoding.unsqueeze(-3)).mean(-1)


def extra__position_similarity__softmaxed(encoding):
    """Weights in place of dot products."""
    return (encoding @ encoding.mT).softmax(-1)


def extra__position_similarity__distances(encoding):
    """Squared distances: near is small."""
    return (encoding.unsqueeze(-2) - encoding.unsqueeze(-3)).square().sum(-1)


def extra__position_similarity__negative_distances(encoding):
    """Minus the distance."""
    return -torch.cdist(encoding.double(), encoding.double()).to(encoding.dtype)


def extra__position_similarity__channels(encoding):
    """Dot products of the channels: (d, d)."""
    return encoding.mT @ encoding


def extra__position_similarity__with_the_first(encoding):
    """One row: the products with position 0."""
    return encoding @ encoding[..., 0, :, None]


def extra__position_similarity__own_norms(encoding):
    """One number for each position: its product with itself."""
    return (encoding * encoding).sum(-1)


def extra__position_similarity__neighbours(encoding):
    """Products with the next position, wrapped around."""
    return encoding @ encoding.roll(-1, dims=-2).mT


def extra__position_similarity__not_transposed(encoding):
    """An error unless there are as many positions as channels."""
    return encoding @ encoding


def extra__position_similarity__reshaped(encoding):
    """Reshaped in place of transposed."""
    return encoding @ encoding.reshape(*encoding.shape[:-2], encoding.shape[-1], encoding.shape[-2])


def extra__position_similarity__magnitude(encoding):
    """The absolute value: similarity without a sign."""
    return (encoding @ encoding.mT).abs()


def extra__position_similarity__squared(encoding):
    """The products squared."""
    return (encoding @ encoding.mT) ** 2


def extra__position_similarity__upper_half(encoding):
    """Each pair once, the rest 0."""
    return (encoding @ encoding.mT).triu()


def extra__position_similarity__diagonal_zero(encoding):
    """A position is not compared with itself."""
    n = encoding.shape[-2]
    return (encoding @ encoding.mT).masked_fill(torch.eye(n, dtype=torch.bool, device=encoding.device), 0)


def extra__position_similarity__similarity_normalised__by_the_largest(encoding):
    """Divided by the largest product."""
    products = encoding @ encoding.mT
    return products / products.amax((-2, -1), keepdim=True)


def extra__position_similarity__half_detached(encoding):
    """One of the two factors is cut from the graph: half of the gradient."""
    return encoding @ encoding.detach().mT


def extra__position_similarity__similarity_of_channels__einsum(encoding):
    """Channels are compared, by einsum."""
    return torch.einsum("...pi,...pj->...ij", encoding, encoding)


def extra__position_similarity__scale_added__first(encoding):
    """Each factor is divided by the fourth root of the width."""
    scaled = encoding * encoding.shape[-1] ** -0.25
    return scaled @ scaled.mT


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
