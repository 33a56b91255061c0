"""Six conventions: the same where something is allowed, and each its own where nothing is."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from course_attention.experiments.masking.fully_masked_rows import CONVENTIONS, fully_masked_rows
from course_attention.mechanisms.masking import masked_softmax

ROWS = fully_masked_rows()


def test_alike_where_something_is_allowed():
    """But for the null key, which takes a part of the weight, all give the first query the same weights."""
    right = torch.tensor([torch.e, 1.0, 0.0], dtype=torch.float64) / (torch.e + 1)
    for name, row in ROWS.items():
        weights = row.weights[0] if name != "a null key" else row.weights[0] * (torch.e + 2) / (torch.e + 1)
        torch.testing.assert_close(weights, right)


def test_each_its_own():
    """NaN, uniform, unmasked, unmasked, zeros, zeros."""
    scores = torch.tensor([0.0, 1.0, 2.0], dtype=torch.float64)
    unmasked, nothing = scores.softmax(-1), torch.zeros_like(scores)
    expected = [nothing * torch.nan, nothing + 1 / 3, unmasked, unmasked, nothing, nothing]
    for row, right in zip(ROWS.values(), expected, strict=True):
        torch.testing.assert_close(row.weights[1], right, equal_nan=True)
        torch.testing.assert_close(row.row_sums, row.weights.sum(-1), equal_nan=True)


def test_harm():
    """Infinity alone ruins the gradient; the first four let the blocked keys through; the last two do neither."""
    assert [row.gradient_is_finite for row in ROWS.values()] == [False, True, True, True, True, True]
    assert [row.depends_on_blocked for row in ROWS.values()] == [True, True, True, True, False, False]


def test_ours_is_zeros():
    """The course's masked softmax is the last of them, also on random masks."""
    scores, allowed = torch.randn(5, 6, dtype=torch.float64), torch.rand(5, 6) < 0.3
    allowed[2] = False
    torch.testing.assert_close(CONVENTIONS["zeros"](scores, allowed), masked_softmax(scores, allowed))


def test_null_key_is_torchs():
    """The null key does what torch's add_zero_attn does."""
    module = torch.nn.MultiheadAttention(3, 1, bias=False, batch_first=True, add_zero_attn=True)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.eye(3).repeat(3, 1))
        module.out_proj.weight.copy_(torch.eye(3))
        x, allowed = torch.randn(1, 2, 3), torch.tensor([[True, False], [False, False]])
        output, weights = module(x, x, x, attn_mask=~allowed)
        ours = CONVENTIONS["a null key"](x[0] @ x[0].T / 3**0.5, allowed)
    torch.testing.assert_close(weights[0, :, :2], ours)
    torch.testing.assert_close(output[0], ours @ x[0])


def test_cancels():
    """What is added to all scores of a row cancels, as softmax is blind to it."""
    scores, nothing = torch.randn(4, 5, dtype=torch.float64), torch.zeros(4, 5, dtype=torch.bool)
    torch.testing.assert_close(CONVENTIONS["−10,000 added"](scores, nothing), F.softmax(scores, -1))
