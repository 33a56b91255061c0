"""Answers to `gaussian_scores(query, key, width)` of notebook 02."""

from __future__ import annotations

import math

import torch

from tests.answers.gather import gather


def right__gaussian_scores__differences(query, key, width):
    difference = query.unsqueeze(-2) - key.unsqueeze(-3)
    return -(difference**2).sum(-1) / (2 * width**2)


def right__gaussian_scores__scaled_first(query, key, width):
    difference = (query[..., :, None, :] - key[..., None, :, :]) / width
    return -0.5 * difference.square().sum(dim=-1)


def right__gaussian_scores__einsum(query, key, width):
    d = query.unsqueeze(-2) - key.unsqueeze(-3)
    return torch.einsum("...qkd,...qkd->...qk", d, d) * (-1 / (2 * width * width))


def right__gaussian_scores__expanded(query, key, width):
    wide = torch.float64
    q, k = query.to(wide), key.to(wide)
    squared = q.pow(2).sum(-1)[..., :, None] + k.pow(2).sum(-1)[..., None, :] - 2 * q @ k.mT
    return (-squared / (2 * width**2)).to(query.dtype)


def right__gaussian_scores__loop_over_keys(query, key, width):
    columns = []
    for j in range(key.shape[-2]):
        difference = query - key[..., j : j + 1, :]
        columns.append(-(difference * difference).sum(-1) / 2 / width**2)
    return torch.stack(columns, -1)


def right__gaussian_scores__loop_over_channels(
    query: torch.Tensor, key: torch.Tensor, width: float
) -> torch.Tensor:
    total = torch.zeros_like(query[..., :, None, 0] - key[..., None, :, 0])
    for c in range(query.shape[-1]):
        total = total + (query[..., c].unsqueeze(-1) - key[..., c].unsqueeze(-2)) ** 2
    return -total / (2 * width**2)


def right__gaussian_scores__dot_of_differences(query, key, width):
    d = query.unsqueeze(-2) - key.unsqueeze(-3)
    return -torch.linalg.vecdot(d, d).div(2 * width**2)


def odd__gaussian_scores__renamed(q, k, sigma):
    """Arguments with short names."""
    return -(q.unsqueeze(-2) - k.unsqueeze(-3)).pow(2).sum(-1) / (2 * sigma**2)


def odd__gaussian_scores__cdist(query, key, width):
    """`torch.cdist`, which knows no bfloat16, and the square of its root."""
    wide = torch.promote_types(query.dtype, torch.float32)
    distance = torch.cdist(query.to(wide), key.to(wide), compute_mode="donot_use_mm_for_euclid_dist")
    return (-distance.square() / (2 * width**2)).to(query.dtype)


def odd__gaussian_scores__expanded_as_it_is(query, key, width):
    """|q|² + |k|² - 2 q·k in the inputs' own dtype: right, and less exact where q and k are near."""
    squared = query.pow(2).sum(-1, keepdim=True) + key.pow(2).sum(-1).unsqueeze(-2) - 2 * query @ key.mT
    return -squared / (2 * width**2)


def wrong__gaussian_scores__gaussian_no_half__1(query, key, width):
    return -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / width**2


def wrong__gaussian_scores__gaussian_no_half__2(query, key, width):
    return -(((query[..., :, None, :] - key[..., None, :, :]) / width) ** 2).sum(-1)


def wrong__gaussian_scores__gaussian_width_not_squared__1(query, key, width):
    return -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / (2 * width)


def wrong__gaussian_scores__gaussian_width_not_squared__2(query, key, width):
    d = query[..., :, None, :] - key[..., None, :, :]
    return -0.5 * torch.einsum("...d,...d->...", d, d) / width


def wrong__gaussian_scores__gaussian_sign__1(query, key, width):
    return (query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / (2 * width**2)


def wrong__gaussian_scores__gaussian_sign__2(query, key, width):
    d = (query[..., :, None, :] - key[..., None, :, :]) / width
    return 0.5 * torch.einsum("...d,...d->...", d, d)


def wrong__gaussian_scores__gaussian_not_squared__1(query, key, width):
    return -(query.unsqueeze(-2) - key.unsqueeze(-3)).norm(dim=-1) / (2 * width**2)


def wrong__gaussian_scores__gaussian_not_squared__2(query, key, width):
    d = query[..., :, None, :] - key[..., None, :, :]
    return -d.square().sum(-1).sqrt() / (2 * width**2)


def wrong__gaussian_scores__gaussian_exponentiated__1(query, key, width):
    return torch.exp(-(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / (2 * width**2))


def wrong__gaussian_scores__gaussian_exponentiated__2(query, key, width):
    d = (query[..., :, None, :] - key[..., None, :, :]) / width
    return (-0.5 * (d * d).sum(-1)).exp()


def wrong__gaussian_scores__detached__1(query, key, width):
    with torch.no_grad():
        return -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / (2 * width**2)


def wrong__gaussian_scores__detached__2(query, key, width):
    q, k = (x.detach().double().cpu().numpy() for x in (query, key))
    return torch.from_numpy(-((q[..., :, None, :] - k[..., None, :, :]) ** 2).sum(-1) / (2 * width**2)).to(
        query
    )


def wrong__gaussian_scores__input_changed__1(query, key, width):
    query /= width
    return -0.5 * (query.unsqueeze(-2) - (key / width).unsqueeze(-3)).pow(2).sum(-1)


def wrong__gaussian_scores__input_changed__2(query, key, width):
    return -(query.unsqueeze_(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / (2 * width**2)


def wrong__gaussian_scores__wrong_device__1(query, key, width):
    scores = torch.zeros(query.shape[-2], key.shape[-2], dtype=query.dtype)
    return scores - (query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / (2 * width**2)


def wrong__gaussian_scores__wrong_device__2(query, key, width):
    factor = torch.full((query.shape[-1],), -1 / (2 * width**2), dtype=query.dtype)
    return (query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2) @ factor


def wrong__gaussian_scores__wrong_dtype__1(query, key, width):
    return -(query.float().unsqueeze(-2) - key.float().unsqueeze(-3)).pow(2).sum(-1) / (2 * width**2)


def wrong__gaussian_scores__wrong_dtype__2(query, key, width):
    d = query[..., :, None, :] - key[..., None, :, :]
    return -(d * d).sum(-1, dtype=torch.float32) / (2 * width**2)


def extra__gaussian_scores__precedence(query, key, width):
    """/ 2 * width² divides by 2 and multiplies by width²."""
    return -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / 2 * width**2


def extra__gaussian_scores__width_inside_the_square(query, key, width):
    """(2·width)² in place of 2·width²."""
    return -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / (2 * width) ** 2


def extra__gaussian_scores__width_ignored(query, key, width):
    """The width is not used."""
    return -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / 2


def extra__gaussian_scores__mean_of_squares(query, key, width):
    """The mean of the squares in place of their sum."""
    return -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).mean(-1) / (2 * width**2)


def extra__gaussian_scores__city_block(query, key, width):
    """Absolute differences in place of squares."""
    return -(query.unsqueeze(-2) - key.unsqueeze(-3)).abs().sum(-1) / (2 * width**2)


def extra__gaussian_scores__sum_squared(query, key, width):
    """The differences are summed before they are squared."""
    return -(query.unsqueeze(-2) - key.unsqueeze(-3)).sum(-1).pow(2) / (2 * width**2)


def extra__gaussian_scores__not_summed(query, key, width):
    """One number per channel: the squares are never summed."""
    return -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2) / (2 * width**2)


def extra__gaussian_scores__axes_swapped(query, key, width):
    """(n_keys, n_queries) comes back."""
    return -(query.unsqueeze(-3) - key.unsqueeze(-2)).pow(2).sum(-1) / (2 * width**2)


def extra__gaussian_scores__no_new_axes(query, key, width):
    """Query i is compared with key i only: an error unless the numbers agree."""
    return -(query - key).pow(2).sum(-1) / (2 * width**2)


def extra__gaussian_scores__softmax_already(query, key, width):
    """The softmax is applied here already: Nadaraya-Watson's weights."""
    return (-(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / (2 * width**2)).softmax(-1)


def extra__gaussian_scores__log_density(query, key, width):
    """The normal distribution's log density, with its constant."""
    scores = -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / (2 * width**2)
    return scores - math.log(width * math.sqrt(2 * math.pi))


def extra__gaussian_scores__cross_term_single(query, key, width):
    """|q|² + |k|² - q·k: the 2 of the cross term is lost."""
    squared = query.pow(2).sum(-1, keepdim=True) + key.pow(2).sum(-1).unsqueeze(-2) - query @ key.mT
    return -squared / (2 * width**2)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
