"""Answers to `masked_softmax(scores, allowed)` of notebook 05."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from course_attention import attention_distribution
from tests.corpus import change

class MaskedSoftmax(torch.nn.Module):
    """A module without weights."""

    def forward(self, scores, allowed):
        scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
        return scores.softmax(-1).nan_to_num()

def right__fill_and_clean(scores, allowed):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1))

def right__smallest_number(scores, allowed):
    if allowed is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(dim=-1)
    return torch.where(allowed, weights, 0)

def right__exp_and_sum(scores, allowed):
    if allowed is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    low = torch.finfo(scores.dtype).min
    top = scores.masked_fill(~allowed, low).amax(-1, keepdim=True)
    parts = torch.exp((scores - top).masked_fill(~allowed, 0)) * allowed
    total = parts.sum(-1, keepdim=True)
    return parts / torch.where(total == 0, 1, total)

def right__logsumexp(scores: torch.Tensor, allowed: torch.Tensor | None) -> torch.Tensor:
    if allowed is None:
        return torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))
    kept = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
    return (kept - kept.logsumexp(-1, keepdim=True)).exp() * allowed

def right__bias_added(scores, allowed):
    if allowed is None:
        return scores.softmax(-1)
    bias = torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
    return (scores + bias).softmax(-1).masked_fill(~allowed, 0.0)

def right__row_by_row(scores, allowed):
    mask = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed.expand_as(scores)
    rows = []
    for i in range(scores.shape[-2]):
        row, seen = scores[..., i, :], mask[..., i, :]
        weights = row.masked_fill(~seen, float("-inf")).softmax(-1)
        rows.append(weights.masked_fill(~seen.any(-1, keepdim=True), 0))
    return torch.stack(rows, dim=-2)

def right__empty_rows_first(scores, allowed):
    # A row with nothing allowed is opened, then multiplied away: no NaN at any time.
    if allowed is None:
        return scores.softmax(-1)
    some = allowed.any(dim=-1, keepdim=True)
    open_rows = allowed | ~some
    return scores.masked_fill(~open_rows, -torch.inf).softmax(-1) * some

def right__log_softmax(scores, allowed):
    if allowed is None:
        return F.log_softmax(scores, -1).exp()
    low = torch.finfo(scores.dtype).min
    return F.log_softmax(torch.where(allowed, scores, low), -1).exp().masked_fill(~allowed, 0)

def right__wide_inside(scores, allowed):
    kept = scores.double() if allowed is None else scores.double().masked_fill(~allowed, -math.inf)
    return kept.softmax(-1).nan_to_num(0.0).type_as(scores)

def right__extra_key(scores, allowed):
    # One more key that only empty rows attend to, cut off afterwards.
    if allowed is None:
        return scores.softmax(-1)
    mask = allowed.expand_as(scores)
    kept = scores.masked_fill(~mask, -math.inf)
    sink = torch.zeros_like(scores[..., :1]).masked_fill(mask.any(-1, keepdim=True), -math.inf)
    return torch.cat([kept, sink], dim=-1).softmax(-1)[..., :-1]

class OwnGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, allowed):
        weights = scores.masked_fill(~allowed, -math.inf).softmax(-1).nan_to_num()
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, gradient):
        (weights,) = ctx.saved_tensors
        return weights * (gradient - (gradient * weights).sum(-1, keepdim=True)), None

def right__own_gradient(scores, allowed):
    if allowed is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    return OwnGradient.apply(scores, allowed)

def odd__only_rows_with_something(scores, allowed):
    """Indexes the rows that have something allowed, and writes them into zeros."""
    if allowed is None:
        return scores.softmax(-1)
    mask = allowed.expand_as(scores)
    some = mask.any(-1)
    weights = torch.zeros_like(scores)
    weights[some] = scores[some].masked_fill(~mask[some], -math.inf).softmax(-1)
    return weights

def odd__renamed(s, mask=None):
    """Other names, and a default."""
    return (s if mask is None else s.masked_fill(mask == 0, -math.inf)).softmax(-1).nan_to_num()

# A module without weights.
odd__module = MaskedSoftmax()

def wrong__softmax_over_queries__2(scores, allowed):
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed.expand_as(scores)
    top = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).amax(-2, keepdim=True)
    parts = torch.exp((scores - top).masked_fill(~allowed, 0)) * allowed
    total = parts.sum(-2, keepdim=True)
    return parts / total.masked_fill(total == 0, 1)

def wrong__softmax_overflows__1(scores, allowed):
    parts = torch.exp(scores)
    if allowed is None:
        return parts / parts.sum(-1, keepdim=True)
    parts = parts.masked_fill(~allowed, 0)
    return parts / parts.sum(-1, keepdim=True).masked_fill(~allowed.any(-1, keepdim=True), 1)

def wrong__softmax_overflows__2(scores, allowed):
    if allowed is None:
        return scores.exp() / scores.exp().sum(-1, keepdim=True)
    parts = torch.where(allowed, scores, -math.inf).exp()
    some = allowed.any(-1, keepdim=True)
    return parts / torch.where(some, parts.sum(dim=-1, keepdim=True), 1)

def wrong__detached__2(scores, allowed):
    s = scores.data
    return (s if allowed is None else torch.where(allowed, s, -math.inf)).softmax(-1).nan_to_num()

def wrong__detached__3(scores, allowed):
    s = scores.detach().double().cpu().numpy()
    mask = np.ones(s.shape, bool) if allowed is None else np.broadcast_to(allowed.cpu().numpy(), s.shape)
    top = np.where(mask, s, -1e30).max(-1, keepdims=True)
    parts = np.where(mask, np.exp(np.where(mask, s - top, 0)), 0)
    return torch.tensor(parts / np.maximum(parts.sum(-1, keepdims=True), 1e-30)).to(scores)

def wrong__input_changed__2(scores, allowed):
    scores -= scores.amax(-1, keepdim=True)
    return (scores if allowed is None else torch.where(allowed, scores, -math.inf)).softmax(-1).nan_to_num()

def wrong__input_changed__3(scores, allowed):
    if allowed is None:
        return scores.softmax(-1)
    blocked = allowed.logical_not_()
    return scores.masked_fill(blocked, -math.inf).softmax(-1).nan_to_num()

def wrong__wrong_device__1(scores, allowed):
    if allowed is None:
        allowed = torch.ones(scores.shape, dtype=torch.bool)
    return torch.nan_to_num(F.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1))

def wrong__wrong_device__2(scores, allowed):
    if allowed is None:
        return scores.softmax(-1)
    low = torch.full((1, scores.shape[-1]), torch.finfo(scores.dtype).min, dtype=scores.dtype)
    return torch.where(allowed, scores, low).softmax(-1) * allowed

def wrong__mask_after_renormalised__1(scores, allowed):
    """The maximum is taken over blocked scores too: allowed ones far below it underflow."""
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    parts = parts if allowed is None else parts * allowed
    total = parts.sum(-1, keepdim=True)
    return parts / total.masked_fill(total == 0, 1)

def wrong__softmax_not_normalised__1(scores, allowed):
    """The exponentials are not divided by their sum."""
    if allowed is None:
        return torch.exp(scores - scores.amax(-1, keepdim=True))
    top = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).amax(-1, keepdim=True)
    return torch.exp((scores - top).masked_fill(~allowed, -math.inf))

def wrong__mask_inverted__2(scores, allowed):
    if allowed is None:
        return scores.softmax(-1)
    return torch.where(allowed, torch.finfo(scores.dtype).min, scores).softmax(-1) * ~allowed

def wrong__mask_ignored__1(scores, allowed):
    return F.softmax(scores, dim=-1)

def wrong__mask_ignored__2(scores, allowed):
    if allowed is not None:
        scores.masked_fill(~allowed, float("-inf"))
    return torch.exp(scores - scores.logsumexp(-1, keepdim=True))

def wrong__mask_after_softmax__1(scores, allowed):
    weights = F.softmax(scores, dim=-1)
    return weights if allowed is None else weights * allowed

def wrong__mask_after_softmax__2(scores, allowed):
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return weights if allowed is None else torch.where(allowed, weights, 0)

def wrong__mask_scores_to_zero__1(scores, allowed):
    if allowed is None:
        return F.softmax(scores, dim=-1)
    return F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)

def wrong__mask_scores_to_zero__2(scores, allowed):
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    return scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)

def wrong__mask_fully_nan__2(scores, allowed):
    if allowed is not None:
        scores = scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    return parts / parts.sum(-1, keepdim=True)

def wrong__mask_fully_uniform__3(scores, allowed):
    weights = (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1)
    return torch.nan_to_num(weights, nan=1 / scores.shape[-1])

wrong__softmax_over_queries__1 = change(right__fill_and_clean, ("1", "2"))
wrong__detached__1 = change(
    right__fill_and_clean, ("(F.softmax(scores, dim=-1))", "(F.softmax(scores, dim=-1)).detach()"),
)
wrong__input_changed__1 = change(right__fill_and_clean, ("scores = scores.masked_fill", "scores.masked_fill_"))
wrong__wrong_dtype__1 = change(right__fill_and_clean, ("1", "1, dtype=torch.float32"))
wrong__wrong_dtype__2 = change(wrong__detached__2, ("scores.data", "scores.float()"))
wrong__mask_inverted__1 = change(right__fill_and_clean, ("~allowed", "allowed"))
# 1e-9 where 1e9 was meant.
wrong__mask_scores_to_zero__3 = change(
    wrong__mask_scores_to_zero__1,
    ("F.softmax(scores * allowed, dim=-1)", "torch.where(allowed, scores, -1e-9).softmax(-1)"),
)
wrong__mask_tiny_fill__1 = change(
    wrong__mask_scores_to_zero__1, ("scores * allowed", "scores.masked_fill(~allowed, -10)"),
)
wrong__mask_tiny_fill__2 = change(
    wrong__mask_scores_to_zero__2, ("scores.masked_fill(~allowed, 0)", "torch.where(allowed, scores, -10.0)"),
)
wrong__mask_added_as_01__1 = change(wrong__mask_scores_to_zero__1, ("scores *", "scores +"))
wrong__mask_added_as_01__2 = change(
    wrong__mask_scores_to_zero__2,
    ("else allowed", "else allowed", "weights = scores.add(allowed.type_as(scores)).softmax(-1)"),
    ("scores.masked_fill(~allowed, 0).softmax(-1)", "weights"),
)
wrong__mask_fully_nan__1 = change(
    right__fill_and_clean, ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_fully_uniform__1 = change(wrong__mask_fully_nan__1, ("math.inf", "1e9"))
wrong__mask_fully_uniform__2 = change(
    wrong__mask_fully_nan__1,
    (
        "scores.masked_fill(~allowed, -math.inf)",
        "torch.where(allowed, scores, torch.finfo(scores.dtype).min)",
    ),
    ("return F", "return torch"),
)
natural__softmax_over_queries__1 = change(wrong__mask_fully_nan__1, ("1", "2"))
natural__softmax_overflows__1 = change(
    wrong__mask_ignored__1,
    (":", ":", "    e = torch.exp(scores)", "    if allowed is not None:", "        e = e * allowed"),
    ("F.softmax(scores, dim=-1)", "e / e.sum(-1, keepdim=True)"),
)
natural__mask_inverted__1 = change(wrong__mask_fully_nan__1, ("~allowed", "allowed"))
natural__mask_inverted__2 = change(wrong__mask_fully_nan__1, ("~allowed, -math.inf", "allowed, -1e9"))
natural__mask_scores_to_zero__1 = change(
    wrong__mask_ignored__1, (", dim=-1", " if allowed is None else scores * allowed, dim=-1"),
)
natural__mask_tiny_fill__1 = change(
    wrong__mask_ignored__1, (", dim=-1", " if allowed is None else scores.masked_fill(~allowed, -10), dim=-1"),
)
natural__mask_added_as_01__1 = change(natural__mask_scores_to_zero__1, ("* allowed", "+ allowed"))

def extra__mask_on_queries(scores, allowed):
    """The mask is transposed: keys and queries change places."""
    scores = scores if allowed is None else scores.masked_fill(~allowed.mT, -math.inf)
    return scores.softmax(-1).nan_to_num()

def extra__mask_on_queries__where(scores, allowed):
    """The mask is transposed, with `where`."""
    if allowed is None:
        return scores.softmax(-1)
    allowed = allowed.swapaxes(-1, -2)
    return torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed

def extra__mask_after_softmax__renormalised(scores, allowed):
    """Masked after the softmax, then divided by the sum: nothing is left of allowed scores far below a blocked one."""
    weights = scores.softmax(-1)
    if allowed is None:
        return weights
    weights = weights * allowed
    return weights / (weights.sum(-1, keepdim=True) + 1e-12)

def extra__softmax_over_everything(scores, allowed):
    """One softmax over each whole matrix."""
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    return scores.flatten(-2).softmax(-1).nan_to_num().reshape(scores.shape)

def extra__scaled(scores, allowed):
    """Scaled by the number of keys, which nobody asked for."""
    scores = scores / math.sqrt(scores.shape[-1])
    return (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()

def extra__none_not_handled(scores, allowed):
    """allowed = None raises an error."""
    return scores.masked_fill(~allowed, -math.inf).softmax(-1).nan_to_num()

def extra__sum_of_columns_kept(scores, allowed):
    """keepdim forgotten: the totals broadcast along the wrong axis, or not at all."""
    kept = scores if allowed is None else scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    parts = torch.exp(kept - kept.amax(-1, keepdim=True))
    parts = parts if allowed is None else parts * allowed
    return parts / parts.sum(-1).clamp(min=1e-6)

# The first item's mask for the whole batch.
extra__mask_first_item_for_all = change(
    right__fill_and_clean, ("scores =", "allowed = allowed[0] if allowed.dim() > 2 else allowed", "scores ="),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "scores.softmax(-1).nan_to_num()"),
)
# The first item's mask, kept as a batch of one.
extra__mask_first_item_for_all__slice = change(
    extra__mask_on_queries__where, (".swapaxes(-1, -2)", "[:1] if allowed.dim() > 2 else allowed"),
    ("torch.where(allowed, scores", "scores.masked_fill(~allowed"),
)
# -1e4, which scores of that size reach.
extra__mask_tiny_fill__1e4 = change(
    wrong__mask_inverted__2,
    ("torch.where(allowed, torch.finfo(scores.dtype).min, scores)", "scores.masked_fill(~allowed, -1e4)"),
    ("~allowed", "allowed.any(-1, keepdim=True)"),
)
# 1e3 taken off the blocked scores: large ones are still in the race.
extra__mask_tiny_fill__subtracted = change(
    extra__mask_tiny_fill__1e4,
    ("scores.masked_fill(~allowed, -1e4)", "(scores - 1e3 * (~allowed).to(scores.dtype))"),
)
# One maximum for all rows: a row far below it underflows to zeros.
extra__maximum_of_everything = change(
    wrong__mask_after_renormalised__1, (".amax(-1, keepdim=True)", ".max()"),
    ("parts * allowed", "parts.masked_fill(~allowed, 0)"),
)
# One softmax over the whole batch.
extra__softmax_over_everything__batch_too = change(
    extra__softmax_over_everything, ("(-2).softmax(-1)", "().softmax(0)"), ("().reshape", "().view"),
)
# The softmax is taken over the first axis.
extra__softmax_over_batch = change(extra__mask_on_queries, ("allowed.mT", "allowed"), ("-1", "0"))
# Exponentials divided by their sum over the first axis.
extra__softmax_over_batch__exp = change(
    wrong__softmax_over_queries__2, (".amax(-2, keepdim=True)", ".amax(0)"), (".sum(-2, keepdim=True)", ".sum(0)"),
)
# The scores themselves, blocked ones 0.
extra__softmax_missing = change(
    wrong__mask_ignored__1,
    ("F.softmax(scores, dim=-1)", "scores if allowed is None else scores.masked_fill(~allowed, 0)"),
)
# Scores times mask: no softmax.
extra__softmax_missing__by_product = change(
    extra__softmax_missing, ("scores if", "scores.clone() if"), (".masked_fill(~allowed, 0)", " * allowed"),
)
# The logarithm of the weights, blocked ones 0.
extra__log_softmax = change(
    right__log_softmax, ("(scores, -1).exp()", "(scores, -1)"),
    ("(torch.where(allowed, scores, low), -1).exp().", "(scores.masked_fill(~allowed, low), -1)."),
)
# Weights of 0 in an empty row, but a gradient of NaN: minus infinity is added, then the NaN is cleaned.
extra__nan_gradient = change(
    wrong__input_changed__3, ("blocked = allowed.logical_not_()", ""),
    ("scores.masked_fill(blocked, -math.inf)", "(scores + torch.log(allowed.to(scores.dtype)))"),
)
# Only a matrix with nothing allowed at all is zeroed: a single empty row stays uniform.
extra__empty_rows_in_two_axes = change(
    extra__mask_on_queries__where, ("allowed = allowed.swapaxes(-1, -2)", "low = torch.finfo(scores.dtype).min"),
    ("torch.where(allowed, scores, torch.finfo(scores.dtype).min)", "scores.masked_fill(~allowed, low)"),
    ("* allowed", "* allowed.flatten(-2).any(-1)[..., None, None]"),
)
# A pair comes back where one tensor is asked for.
extra__allowed_returned_too = change(extra__softmax_over_batch, ("0", "-1"), ("()", "(), allowed"))
# Indexes by the mask, which must then have the scores' whole shape.
extra__mask_not_broadcast = change(
    wrong__mask_ignored__2,
    ('.masked_fill(~allowed, float("-inf"))', " = scores.clone()", "scores[~allowed] = -math.inf"),
    ("torch.exp(scores - scores.logsumexp(-1, keepdim=True))", "scores.softmax(-1).nan_to_num()"),
)
# Blocked positions keep a weight of 1e-6.
extra__not_exactly_zero = change(
    extra__none_not_handled, (":", ":", "    if allowed is None:", "        return scores.softmax(-1)"),
    ("()", "() + 1e-6 * (~allowed).to(", "    scores.dtype", ")"),
)
# exp of the scores, blocked ones 0, with no sum.
extra__softmax_not_normalised__unshifted = change(
    extra__softmax_missing, ("scores if", "scores.exp() if"), ("else scores.", "else scores.exp()."),
)
forbidden__attention_distribution = change(
    wrong__mask_ignored__1, ("F.softmax(scores, dim=-1)", "attention_distribution(scores, allowed)"),
)
# The lowest number of float32 is −∞ in bfloat16, so a row of nothing is NaN there.
extra__float32_smallest = change(
    right__smallest_number, ("torch.finfo(scores.dtype)", "torch.finfo()"),
    ("return torch.where(allowed, weights, 0)", "return weights * allowed"),
)
# −10⁹, which float16 cannot hold.
extra__filled_too_low = change(
    right__fill_and_clean, ("-math.inf", "-1e9"),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1) * (1 if allowed is None else allowed)"),
)
# The allowed scores are picked, and come in one row.
def wrong__softmax_over_everything__picked(scores, allowed):
    if allowed is None:
        return torch.softmax(scores, dim=-1)
    allowed = allowed.expand_as(scores)
    return torch.zeros_like(scores).masked_scatter(allowed, scores[allowed].softmax(-1))
# The mask times the scores, and times the weights.
extra__scores_and_weights_times_the_mask = change(
    right__smallest_number,
    ("torch.where(allowed, scores, torch.finfo(scores.dtype).min)", "(scores * allowed)"),
)

# Read as cards by somebody who had not seen the misconceptions.
def extra__small_number_in_the_sum(scores, allowed=None):
    """A small number in the sum guards rows of nothing, and nothing is shifted."""
    e = torch.exp(scores)
    if allowed is not None:
        e = e * allowed
    return e / (e.sum(-1, keepdim=True) + 1e-9)

def extra__lowest_of_the_row(scores, allowed=None):
    """Blocked scores become the lowest score of their row."""
    if allowed is not None:
        scores = torch.where(allowed, scores, scores.min(dim=-1, keepdim=True).values)
    return torch.softmax(scores, dim=-1)

def wrong__mask_fully_nan__3(scores, allowed=None):
    """Only where nothing is allowed at all are there zeros."""
    if allowed is not None:
        scores = scores.masked_fill(~allowed, float("-inf"))
        if not allowed.any():
            return torch.zeros_like(scores)
    return torch.softmax(scores, -1)

def wrong__mask_tiny_fill__3(scores, allowed=None):
    """100 is subtracted from blocked scores."""
    if allowed is not None:
        scores = scores - (1 - allowed.float()) * 100
    return torch.softmax(scores, -1)
