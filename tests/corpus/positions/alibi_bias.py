"""Answers to `alibi_bias(n_heads, n_queries, n_keys)` of notebook 06."""

import math

import numpy as np
import torch

from tests.corpus import change

def right__broadcast(n_heads, n_queries, n_keys):
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_queries)[:, None] - torch.arange(n_keys)[None, :]).abs()
    return -slopes[:, None, None] * distance

def right__loops(n_heads, n_queries, n_keys):
    bias = torch.zeros(n_heads, n_queries, n_keys)
    for h in range(1, n_heads + 1):
        for i in range(n_queries):
            for j in range(n_keys):
                bias[h - 1, i, j] = -(2 ** (-8 * h / n_heads)) * abs(i - j)
    return bias

def right__einsum(n_heads: int, n_queries: int, n_keys: int) -> torch.Tensor:
    slopes = torch.exp2(torch.linspace(-8 / n_heads, -8, n_heads))
    i, j = torch.meshgrid(torch.arange(n_queries), torch.arange(n_keys), indexing="ij")
    return torch.einsum("h,qk->hqk", -slopes, (j - i).abs().float())

def right__geometric_series(n_heads, n_queries, n_keys):
    ratio = 2 ** (-8 / n_heads)
    slopes = torch.full((n_heads,), ratio, dtype=torch.float64).cumprod(0)
    positions = torch.arange(max(n_queries, n_keys)).double()
    distance = torch.cdist(positions[:n_queries, None], positions[:n_keys, None], p=1)
    return slopes.neg().view(-1, 1, 1).mul(distance).float()

def right__max_minus_min(n_heads, n_queries, n_keys):
    i, j = torch.arange(n_queries).unsqueeze(-1), torch.arange(n_keys).unsqueeze(0)
    nearer = torch.minimum(i, j) - torch.maximum(i, j)
    return torch.stack([nearer * math.exp(-8 * math.log(2) * (h + 1) / n_heads) for h in range(n_heads)])

def right__two_triangles(n_heads, n_queries, n_keys):
    ahead = torch.arange(n_keys) - torch.arange(n_queries)[:, None]
    distance = ahead.triu() - ahead.tril()
    slopes = torch.logspace(-8 / n_heads, -8, n_heads, base=2.0)
    return torch.outer(-slopes, distance.flatten().float()).reshape(n_heads, n_queries, n_keys)

def right__halved_roots(n_heads, n_queries, n_keys):
    # 1/256 for one head; twice the heads, square roots in between.
    slopes = [2.0**-8]
    while len(slopes) < n_heads:
        first = math.sqrt(slopes[0])
        slopes = [first ** (k + 1) for k in range(2 * len(slopes))]
    rows = [[[-s * abs(i - j) for j in range(n_keys)] for i in range(n_queries)] for s in slopes]
    return torch.tensor(rows)

def right__toeplitz(n_heads, n_queries, n_keys):
    n = n_queries + n_keys
    line = -torch.arange(-n, n + 1).abs()
    index = torch.arange(n_keys) - torch.arange(n_queries).view(-1, 1) + n
    return line[index] * torch.pow(2, -8 * torch.arange(1, n_heads + 1) / n_heads)[:, None, None]

def odd__float64(n_heads, n_queries, n_keys):
    """float64, by NumPy: accepted where no tensor comes in."""
    distance = np.abs(np.subtract.outer(np.arange(n_queries), np.arange(n_keys)))
    return torch.from_numpy(np.multiply.outer(-(2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)), distance))

def odd__heads_moved(h, n, m, *, max_bias=8.0, device=None):
    """Other names, keywords of its own, heads last on the way."""
    slopes = 2 ** (-max_bias * torch.arange(1, h + 1, device=device) / h)
    distance = torch.arange(n, device=device)[:, None] - torch.arange(m, device=device)
    return (distance.abs().unsqueeze(-1) * -slopes).movedim(-1, 0)

def odd__start_and_ratio(n_heads, n_queries, n_keys):
    """Slopes by nested powers, whose first is their ratio too."""
    start = 2 ** (-(2 ** -(math.log2(n_heads) - 3)))
    slopes = torch.tensor([start * start**k for k in range(n_heads)])
    return slopes.reshape(-1, 1, 1) * -(torch.arange(n_queries).view(-1, 1) - torch.arange(n_keys)).abs()

# float64 with slopes of float32: as exact as what was asked for.
odd__float64_of_float32 = change(right__broadcast, ("(n_queries)", "(n_queries).double()"), ("[None, :]", ""))

def wrong__alibi_sign__2(n_heads, n_queries, n_keys):
    slopes = [2 ** (-8 * h / n_heads) for h in range(1, n_heads + 1)]
    rows = [[[s * abs(i - j) for j in range(n_keys)] for i in range(n_queries)] for s in slopes]
    return torch.tensor(rows)

wrong__alibi_sign__1 = change(right__broadcast, ("return -", "return "))
wrong__alibi_exponent__1 = change(right__broadcast, ("1, n_heads + 1", "n_heads"))
wrong__alibi_exponent__2 = change(
    right__loops, ("1, n_heads + 1", "n_heads"),
    (
        "[h - 1, i, j] = -(2 ** (-8 * h / n_heads)) * abs(i - j)",
        "[h, i, j] = -abs(i - j) * math.exp(-8 * math.log(2) * h / n_heads)",
    ),
)
wrong__alibi_not_absolute__1 = change(right__broadcast, ("= (torch", "= torch"), ("]).abs()", "]"))
wrong__alibi_not_absolute__2 = change(wrong__alibi_sign__2, ("abs(i - j)", "(j - i)"))
# 0 for keys of the future.
wrong__alibi_past_only__1 = change(right__broadcast, ("[None, :]).abs()", ").clamp(min=0)"))

def natural__alibi_exponent__1(n_heads, n_queries, n_keys):
    slopes = torch.tensor([2 ** (-8 * h / n_heads) for h in range(n_heads)])
    i = torch.arange(n_queries).unsqueeze(1)
    j = torch.arange(n_keys).unsqueeze(0)
    return -slopes.view(n_heads, 1, 1) * torch.abs(i - j).unsqueeze(0)

def natural__alibi_not_absolute__1(n_heads, n_queries, n_keys):
    # As in the paper, where only the past is seen.
    slopes = torch.tensor([2 ** (-8 * (h + 1) / n_heads) for h in range(n_heads)])
    relative = torch.arange(n_keys)[None, :] - torch.arange(n_queries)[:, None]
    return slopes[:, None, None] * relative[None]

def extra__alibi_not_absolute__other_sign(n_heads, n_queries, n_keys):
    """Signed distance, the future punished and the past rewarded."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    return -slopes[:, None, None] * (torch.arange(n_keys) - torch.arange(n_queries)[:, None])

def extra__future_blocked(n_heads, n_queries, n_keys):
    """-inf for keys of the future: a causal mask nobody asked for."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return (-slopes[:, None, None] * distance).masked_fill(distance < 0, -torch.inf)

def extra__bottom_right(n_heads, n_queries, n_keys):
    """Aligned at the bottom right, as the causal mask is."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_queries)[:, None] + n_keys - n_queries - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()

def extra__one_slope(n_heads, n_queries, n_keys):
    """The start 2^(-8/n_heads) for every head."""
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -(2.0 ** (-8.0 / n_heads)) * distance.abs().expand(n_heads, -1, -1)

def extra__no_slopes(n_heads, n_queries, n_keys):
    """The distance, the same in each head."""
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -distance.abs().float().repeat(n_heads, 1, 1)

def extra__key_positions_only(n_heads, n_queries, n_keys):
    """-slope · j: the query's position is left out."""
    slopes = 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)
    return -slopes[:, None, None] * torch.arange(n_keys).expand(n_queries, n_keys)

def extra__heads_last__loops(n_heads, n_queries, n_keys):
    """(n_queries, n_keys, n_heads), in loops."""
    slopes = [2 ** (-8 * h / n_heads) for h in range(1, n_heads + 1)]
    return torch.tensor(
        [[[-s * abs(i - j) for s in slopes] for j in range(n_keys)] for i in range(n_queries)]
    )

# The last head gets the steepest slope.
extra__slopes_backwards = change(
    extra__bottom_right, ("1, n_heads + 1", "n_heads, 0, -1"), ("+ n_keys - n_queries -", "-"),
)
# 2^(-h), which is right for 8 heads only.
extra__slopes_not_fitted = change(
    extra__bottom_right, ("(-8.0 * torch.arange(1, n_heads + 1) / n_heads)", "-torch.arange(1, n_heads + 1)"),
    ("+ n_keys - n_queries -", "-"),
)
# h / n_heads: no powers of two.
extra__slopes_linear = change(
    extra__slopes_not_fitted, ("2.0 ** -", ""), ("(1, n_heads + 1)", "(1, n_heads + 1) / n_heads"),
)
# 2^(+8h/n_heads): the bias drowns the scores.
extra__exponent_sign = change(extra__bottom_right, ("-8", "8"), ("+ n_keys - n_queries -", "-"))
# 8h // n_heads: whole exponents, right up to 8 heads.
extra__integer_division = change(extra__exponent_sign, ("2.0 ** (8.0", "2.0 ** -(8"), ("/ n_heads", "// n_heads"))
# The distance squared.
extra__squared_distance = change(
    extra__bottom_right, ("+ n_keys - n_queries -", "-"), ("distance.abs()", "distance**2"),
)
# (n_queries, n_keys, n_heads).
extra__heads_last = change(
    extra__bottom_right, ("+ n_keys - n_queries -", "-"),
    ("slopes[:, None, None] * distance.abs()", "distance.abs()[..., None] * slopes"),
)
# A batch axis that nobody asked for.
extra__batch_axis_added = change(
    extra__bottom_right, ("+ n_keys - n_queries -", "-"), ("return -", "return (-"), ("()", "())[None]"),
)
# The exponentials: what multiplies the weights, not what is added to the scores.
extra__factors = change(extra__exponent_sign, ("8", "-8"), ("return -", "return torch.exp(-"), ("()", "())"))
# 8h / n_heads, the exponent itself, as slope.
extra__slopes_divided = change(extra__exponent_sign, ("2.0 ** (8.0", "8"), ("n_heads)", "n_heads"))
# One over the exponent: n_heads / 8h.
extra__slopes_inverted = change(
    extra__slopes_not_fitted, ("2.0 ** -", "n_heads / (8 * "), ("(1, n_heads + 1)", "(1, n_heads + 1))"),
)
# exp(-8h / n_heads): a power of e in place of 2.
extra__slopes_of_e = change(extra__exponent_sign, ("2.0 ** (8.0", "torch.exp(-8"))
# bfloat16 comes back.
extra__wrong_dtype__half = change(extra__batch_axis_added, ("[None]", ".bfloat16()"))
# Whole numbers: small slopes are cut to 0.
extra__wrong_dtype__integers = change(extra__batch_axis_added, ("[None]", ".long()"))
# 0 for keys of the future, in loops.
extra__alibi_past_only__loops = change(wrong__alibi_sign__2, ("s * abs(i - j)", "-s * max(i - j, 0)"))
# 1/2, 1/4, 1/8 … whatever the number of heads.
extra__alibi_slopes_fixed__loops = change(
    wrong__alibi_sign__2, ("2 ** (-8 * h / n_heads)", "0.5**h"), ("s *", "-s *"),
)
# The last query stands at the last key, in loops.
extra__bias_bottom_right__loops = change(
    wrong__alibi_sign__2, ("slopes =", "late, slopes = n_keys - n_queries,"),
    ("s * abs(i - j)", "-s * abs(i + late - j)"),
)
