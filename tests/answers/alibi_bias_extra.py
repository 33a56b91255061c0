"""Wrong answers beyond the table to `alibi_bias(n_heads, n_queries, n_keys)` of notebook 06."""

from __future__ import annotations

import torch

from tests.answers.gather import gather


def extra__alibi_bias__alibi_not_absolute__other_sign(n_heads, n_queries, n_keys):
    """Signed distance, the future punished and the past rewarded."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    return -slopes[:, None, None] * (torch.arange(n_keys) - torch.arange(n_queries)[:, None])


def extra__alibi_bias__past_only(n_heads, n_queries, n_keys):
    """0 for keys of the future."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_queries)[:, None] - torch.arange(n_keys)).clamp(min=0)
    return -slopes[:, None, None] * distance


def extra__alibi_bias__future_blocked(n_heads, n_queries, n_keys):
    """-inf for keys of the future: a causal mask nobody asked for."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return (-slopes[:, None, None] * distance).masked_fill(distance < 0, -torch.inf)


def extra__alibi_bias__bottom_right(n_heads, n_queries, n_keys):
    """Aligned at the bottom right, as the causal mask is."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] + n_keys - n_queries - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()


def extra__alibi_bias__slopes_backwards(n_heads, n_queries, n_keys):
    """The last head gets the steepest slope."""
    slopes = 2.0 ** (-8.0 * torch.arange(n_heads, 0, -1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()


def extra__alibi_bias__slopes_not_fitted(n_heads, n_queries, n_keys):
    """2^(-h), which is right for 8 heads only."""
    slopes = 2.0 ** -torch.arange(1, n_heads + 1)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()


def extra__alibi_bias__slopes_linear(n_heads, n_queries, n_keys):
    """h / n_heads: no powers of two."""
    slopes = torch.arange(1, n_heads + 1) / n_heads
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()


def extra__alibi_bias__one_slope(n_heads, n_queries, n_keys):
    """The start 2^(-8/n_heads) for every head."""
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -(2.0 ** (-8.0 / n_heads)) * distance.abs().expand(n_heads, -1, -1)


def extra__alibi_bias__no_slopes(n_heads, n_queries, n_keys):
    """The distance, the same in each head."""
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -distance.abs().float().repeat(n_heads, 1, 1)


def extra__alibi_bias__exponent_sign(n_heads, n_queries, n_keys):
    """2^(+8h/n_heads): the bias drowns the scores."""
    slopes = 2.0 ** (8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()


def extra__alibi_bias__integer_division(n_heads, n_queries, n_keys):
    """8h // n_heads: whole exponents, right up to 8 heads."""
    slopes = 2.0 ** -(8 * torch.arange(1, n_heads + 1) // n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()


def extra__alibi_bias__squared_distance(n_heads, n_queries, n_keys):
    """The distance squared."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -slopes[:, None, None] * distance**2


def extra__alibi_bias__key_positions_only(n_heads, n_queries, n_keys):
    """-slope · j: the query's position is left out."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    return -slopes[:, None, None] * torch.arange(n_keys).expand(n_queries, n_keys)


def extra__alibi_bias__heads_last(n_heads, n_queries, n_keys):
    """(n_queries, n_keys, n_heads)."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -distance.abs()[..., None] * slopes


def extra__alibi_bias__batch_axis_added(n_heads, n_queries, n_keys):
    """A batch axis that nobody asked for."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return (-slopes[:, None, None] * distance.abs())[None]


def extra__alibi_bias__factors(n_heads, n_queries, n_keys):
    """The exponentials: what multiplies the weights, not what is added to the scores."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return torch.exp(-slopes[:, None, None] * distance.abs())


def extra__alibi_bias__slopes_divided(n_heads, n_queries, n_keys):
    """8h / n_heads, the exponent itself, as slope."""
    slopes = 8 * torch.arange(1, n_heads + 1) / n_heads
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()


def extra__alibi_bias__slopes_inverted(n_heads, n_queries, n_keys):
    """One over the exponent: n_heads / 8h."""
    slopes = n_heads / (8 * torch.arange(1, n_heads + 1))
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()


def extra__alibi_bias__slopes_of_e(n_heads, n_queries, n_keys):
    """exp(-8h / n_heads): a power of e in place of 2."""
    slopes = torch.exp(-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()


def extra__alibi_bias__wrong_dtype__half(n_heads, n_queries, n_keys):
    """bfloat16 comes back."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return (-slopes[:, None, None] * distance.abs()).bfloat16()


def extra__alibi_bias__wrong_dtype__integers(n_heads, n_queries, n_keys):
    """Whole numbers: small slopes are cut to 0."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return (-slopes[:, None, None] * distance.abs()).long()


def extra__alibi_bias__alibi_past_only__loops(n_heads, n_queries, n_keys):
    """0 for keys of the future, in loops."""
    slopes = [2 ** (-8 * h / n_heads) for h in range(1, n_heads + 1)]
    rows = [[[-s * max(i - j, 0) for j in range(n_keys)] for i in range(n_queries)] for s in slopes]
    return torch.tensor(rows)


def extra__alibi_bias__alibi_slopes_fixed__loops(n_heads, n_queries, n_keys):
    """1/2, 1/4, 1/8 … whatever the number of heads."""
    slopes = [0.5**h for h in range(1, n_heads + 1)]
    rows = [[[-s * abs(i - j) for j in range(n_keys)] for i in range(n_queries)] for s in slopes]
    return torch.tensor(rows)


def extra__alibi_bias__bias_bottom_right__loops(n_heads, n_queries, n_keys):
    """The last query stands at the last key, in loops."""
    late, slopes = n_keys - n_queries, [2 ** (-8 * h / n_heads) for h in range(1, n_heads + 1)]
    rows = [[[-s * abs(i + late - j) for j in range(n_keys)] for i in range(n_queries)] for s in slopes]
    return torch.tensor(rows)


def extra__alibi_bias__heads_last__loops(n_heads, n_queries, n_keys):
    """(n_queries, n_keys, n_heads), in loops."""
    slopes = [2 ** (-8 * h / n_heads) for h in range(1, n_heads + 1)]
    return torch.tensor(
        [[[-s * abs(i - j) for s in slopes] for j in range(n_keys)] for i in range(n_queries)]
    )


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
