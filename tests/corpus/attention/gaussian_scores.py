"""Answers to `gaussian_scores(query, key, width)` of notebook 02."""

import math

import torch

from tests.corpus import change

def right__differences(query, key, width):
    difference = query.unsqueeze(-2) - key.unsqueeze(-3)
    return -(difference**2).sum(-1) / (2 * width**2)

def right__scaled_first(query, key, width):
    difference = (query[..., :, None, :] - key[..., None, :, :]) / width
    return -0.5 * difference.square().sum(dim=-1)

def right__einsum(query, key, width):
    d = query.unsqueeze(-2) - key.unsqueeze(-3)
    return torch.einsum("...qkd,...qkd->...qk", d, d) * (-1 / (2 * width * width))

def right__expanded(query, key, width):
    wide = torch.float64
    q, k = query.to(wide), key.to(wide)
    squared = q.pow(2).sum(-1)[..., :, None] + k.pow(2).sum(-1)[..., None, :] - 2 * q @ k.mT
    return (-squared / (2 * width**2)).to(query.dtype)

def right__loop_over_keys(query, key, width):
    columns = []
    for j in range(key.shape[-2]):
        difference = query - key[..., j : j + 1, :]
        columns.append(-(difference * difference).sum(-1) / 2 / width**2)
    return torch.stack(columns, -1)

def right__loop_over_channels(query: torch.Tensor, key: torch.Tensor, width: float) -> torch.Tensor:
    total = torch.zeros_like(query[..., :, None, 0] - key[..., None, :, 0])
    for c in range(query.shape[-1]):
        total = total + (query[..., c].unsqueeze(-1) - key[..., c].unsqueeze(-2)) ** 2
    return -total / (2 * width**2)

def right__dot_of_differences(query, key, width):
    d = query.unsqueeze(-2) - key.unsqueeze(-3)
    return -torch.linalg.vecdot(d, d).div(2 * width**2)

def right__vmap(query, key, width):
    pair = lambda q, k: -((q - k) ** 2).sum() / (2 * width**2)
    pairs = torch.vmap(torch.vmap(pair, (None, 0)), (0, None))
    for _ in range(query.dim() - 2):
        pairs = torch.vmap(pairs)
    return pairs(query, key)

def odd__normal_distribution(query, key, width):
    """The logarithm of a density, without its constant."""
    around = torch.distributions.Normal(key.unsqueeze(-3), width)
    return (around.log_prob(query.unsqueeze(-2)) - around.log_prob(around.loc)).sum(-1)

def odd__renamed(q, k, sigma):
    """Arguments with short names."""
    return -(q.unsqueeze(-2) - k.unsqueeze(-3)).pow(2).sum(-1) / (2 * sigma**2)

def odd__cdist(query, key, width):
    """`torch.cdist`, which knows no bfloat16, and the square of its root."""
    wide = torch.promote_types(query.dtype, torch.float32)
    distance = torch.cdist(query.to(wide), key.to(wide), compute_mode="donot_use_mm_for_euclid_dist")
    return (-distance.square() / (2 * width**2)).to(query.dtype)

def odd__cdist_as_it_is(query, key, width):
    """`torch.cdist` knows no bfloat16: torch's limit, not a mistake."""
    return -torch.cdist(query, key, compute_mode="donot_use_mm_for_euclid_dist") ** 2 / (2 * width**2)

def odd__expanded_as_it_is(query, key, width):
    """|q|² + |k|² - 2 q·k in the inputs' own dtype: right, and less exact where q and k are near."""
    squared = query.pow(2).sum(-1, keepdim=True) + key.pow(2).sum(-1).unsqueeze(-2) - 2 * query @ key.mT
    return -squared / (2 * width**2)

def wrong__gaussian_no_half__1(query, key, width):
    return -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / width**2

def wrong__gaussian_no_half__2(query, key, width):
    return -(((query[..., :, None, :] - key[..., None, :, :]) / width) ** 2).sum(-1)

def wrong__gaussian_width_not_squared__2(query, key, width):
    d = query[..., :, None, :] - key[..., None, :, :]
    return -0.5 * torch.einsum("...d,...d->...", d, d) / width

def wrong__gaussian_sign__2(query, key, width):
    d = (query[..., :, None, :] - key[..., None, :, :]) / width
    return 0.5 * torch.einsum("...d,...d->...", d, d)

def wrong__detached__1(query, key, width):
    with torch.no_grad():
        return -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / (2 * width**2)

def wrong__detached__2(query, key, width):
    q, k = (x.detach().double().cpu().numpy() for x in (query, key))
    return torch.from_numpy(-((q[..., :, None, :] - k[..., None, :, :]) ** 2).sum(-1) / (2 * width**2)).to(
        query
    )

def wrong__input_changed__1(query, key, width):
    query /= width
    return -0.5 * (query.unsqueeze(-2) - (key / width).unsqueeze(-3)).pow(2).sum(-1)

def wrong__wrong_device__2(query, key, width):
    factor = torch.full((query.shape[-1],), -1 / (2 * width**2), dtype=query.dtype)
    return (query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2) @ factor

wrong__gaussian_width_not_squared__1 = change(wrong__gaussian_no_half__1, ("width**2", "(2 * width)"))
wrong__gaussian_sign__1 = change(
    wrong__gaussian_no_half__1, ("return -", "return "), ("width**2", "(2 * width**2)"),
)
wrong__gaussian_not_squared__1 = change(
    wrong__gaussian_no_half__1, (".pow(2).sum(-1) / width**2", ".norm(dim=-1) / (2 * width**2)"),
)
wrong__gaussian_not_squared__2 = change(
    wrong__gaussian_width_not_squared__2,
    ('0.5 * torch.einsum("...d,...d->...", d, d) / width', "d.square().sum(-1).sqrt() / (2 * width**2)"),
)
wrong__gaussian_exponentiated__1 = change(
    wrong__gaussian_no_half__1, ("return -", "return torch.exp(-"), ("width**2", "(2 * width**2))"),
)
wrong__gaussian_exponentiated__2 = change(
    wrong__gaussian_sign__2, ('0.5 * torch.einsum("...d,...d->...", d, d)', "(-0.5 * (d * d).sum(-1)).exp()"),
)
wrong__input_changed__2 = change(
    wrong__gaussian_no_half__1, ("query.unsqueeze", "query.unsqueeze_"), ("width**2", "(2 * width**2)"),
)
wrong__wrong_device__1 = change(
    wrong__gaussian_sign__1,
    ("return", "scores = torch.zeros(query.shape[-2], key.shape[-2], dtype=query.dtype)", "return scores -"),
)
wrong__wrong_dtype__1 = change(
    wrong__input_changed__2, (".unsqueeze_(-2) - key", ".float().unsqueeze(-2) - key.float()"),
)
wrong__wrong_dtype__2 = change(
    wrong__gaussian_not_squared__2, ("d.square().sum(-1).sqrt()", "(d * d).sum(-1, dtype=torch.float32)"),
)

def wrong__gaussian_normalised__1(query, key, width):
    """The normal distribution's log density, with its constant."""
    scores = -(query.unsqueeze(-2) - key.unsqueeze(-3)).pow(2).sum(-1) / (2 * width**2)
    return scores - math.log(width * math.sqrt(2 * math.pi))

# / 2 * width² divides by 2 and multiplies by width².
extra__precedence = change(wrong__gaussian_no_half__1, ("width**2", "2 * width**2"))
# (2·width)² in place of 2·width².
wrong__gaussian_two_squared__1 = change(wrong__gaussian_no_half__1, ("width**2", "(2 * width) ** 2"))
# The width is not used.
extra__width_ignored = change(wrong__gaussian_no_half__1, ("width**2", "2"))
# The mean of the squares in place of their sum.
wrong__gaussian_mean_of_squares__1 = change(extra__width_ignored, (".sum(-1) / 2", ".mean(-1) / (2 * width**2)"))
# Absolute differences in place of squares.
extra__city_block = change(wrong__gaussian_not_squared__1, (".norm(dim=-1)", ".abs().sum(-1)"))
# The differences are summed before they are squared.
wrong__gaussian_squared_too_late__1 = change(wrong__gaussian_not_squared__1, (".norm(dim=-1)", ".sum(-1).pow(2)"))
# One number per channel: the squares are never summed.
extra__not_summed = change(wrong__gaussian_no_half__1, (".sum(-1) / width**2", " / (2 * width**2)"))
# (n_keys, n_queries) comes back.
extra__axes_swapped = change(wrong__input_changed__2, (".unsqueeze_(-2)", ".unsqueeze(-3)"), ("3", "2"))
# Query i is compared with key i only: an error unless the numbers agree.
extra__no_new_axes = change(wrong__input_changed__2, (".unsqueeze_(-2) - key.unsqueeze(-3)", " - key"))
# The softmax is applied here already: Nadaraya-Watson's weights.
wrong__scores_softmaxed__1 = change(
    wrong__gaussian_no_half__1, ("return -", "return (-"), ("width**2", "(2 * width**2)).softmax(-1)"),
)
# |q|² + |k|² - q·k: the 2 of the cross term is lost.
wrong__gaussian_cross_term__1 = change(odd__expanded_as_it_is, ("2 * query", "query"))
# The brackets around the denominator are forgotten.
wrong__gaussian_width_multiplied__1 = change(right__differences, ("(2 * width**2)", "2 * width**2"))
wrong__gaussian_width_multiplied__2 = change(right__differences, ("(2 * width**2)", "2 * width"))

# Two mistakes at once.
double__gaussian_no_half__and_gaussian_sign = change(
    right__differences,
    ("-(diff", "(diff"),
    ("2 * width**2", "width**2"),
)
double__gaussian_no_half__and_gaussian_width_not_squared = change(
    right__differences,
    ("(2 * width**2)", "width"),
)
# The width becomes a tensor of float32.
extra__width_in_float32 = change(
    right__differences, ("return", "width = torch.tensor(width)", "return")
)

def extra__axes_from_the_front(query, key, width):
    """Right with one batch axis, and with no other number of them."""
    return -((query.unsqueeze(2) - key.unsqueeze(1)) ** 2).sum(-1) / (2 * width**2)
