"""Answers to `attention_distribution(scores, allowed=None)` of notebook 01."""

import functools
import math
import warnings

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change

def right__nan_to_num(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1))

def right__where(scores, allowed=None):
    if allowed is None:
        return torch.softmax(scores, dim=-1)
    lowest = torch.finfo(scores.dtype).min
    weights = torch.softmax(torch.where(allowed, scores, lowest), dim=-1)
    return torch.where(allowed, weights, 0.0)

def right__shift(scores, allowed=None):
    if allowed is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    filled = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    parts = torch.exp(filled - filled.amax(-1, keepdim=True).detach()) * allowed
    total = parts.sum(-1, keepdim=True)
    return parts / torch.where(total > 0, total, 1)

def right__logsumexp(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    return weights if allowed is None else weights.masked_fill(~allowed, 0)

def right__bias_added(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    bias = torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
    return (scores + bias).softmax(-1) * allowed.any(dim=-1, keepdim=True)

def right__upcast(scores: torch.Tensor, allowed: torch.Tensor | None = None) -> torch.Tensor:
    wide = scores.double()
    if allowed is not None:
        wide = wide.masked_fill(~allowed, float("-inf"))
    return wide.softmax(-1).nan_to_num(0.0).to(scores.dtype)

def right__empty_rows_opened(scores, allowed=None):
    if allowed is None:
        return F.softmax(scores, -1)
    some = allowed.any(-1, keepdim=True)
    weights = F.softmax(scores.masked_fill(~allowed & some, -torch.inf), -1)
    return weights * some

def right__rows(scores, allowed=None):
    rows = scores.reshape(-1, scores.shape[-1])
    masks = torch.ones_like(rows, dtype=torch.bool) if allowed is None else allowed.reshape(rows.shape)
    done = []
    for row, mask in zip(rows, masks, strict=True):
        weights = torch.zeros_like(row)
        done.append(weights.masked_scatter(mask, F.softmax(row[mask], dim=0)))
    return torch.stack(done).reshape(scores.shape)

def odd__one_batch_axis(scores, allowed=None):
    """Takes exactly one batch axis, as the docstring says."""
    batch, n_source = scores.shape
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return scores.softmax(1).nan_to_num().view(batch, n_source)

def odd__renamed(e, mask=None):
    """Arguments with names of its own."""
    if mask is not None:
        e = torch.where(mask, e, -math.inf)
    return torch.nan_to_num(e.softmax(-1))

def odd__branches_on_data(scores, allowed=None):
    """Looks at the mask before it decides."""
    if allowed is None or bool(allowed.all()):
        return scores.softmax(-1)
    weights = scores.masked_fill(~allowed, -math.inf).softmax(-1)
    return weights.masked_fill(~allowed.any(-1, keepdim=True), 0)

def odd__prints(scores, allowed=None, verbose=True):
    """Prints, and warns."""
    if verbose:
        print("allowed:", allowed)
        warnings.warn("a warning of the student's own", stacklevel=2)
    weights = torch.softmax(scores if allowed is None else scores.masked_fill(~allowed, -math.inf), -1)
    return torch.where(torch.isnan(weights), torch.zeros_like(weights), weights)

def odd__clone_in_place(scores, allowed=None):
    """Changes a copy in place."""
    copy = scores.clone()
    if allowed is not None:
        copy[~allowed] = -math.inf
    return copy.softmax(-1).nan_to_num()

# The mask by name only.
odd__keyword_only = change(
    right__nan_to_num, ("allowed=", "*, allowed="),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "scores.softmax(-1).nan_to_num()"),
)
odd__partial = functools.partial(odd__prints, verbose=False)

def wrong__softmax_over_batch__2(scores, allowed=None):
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    filled = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    e = torch.exp(filled - filled.amax(0)) * allowed
    total = e.sum(0)
    return e / torch.where(total > 0, total, 1)

def wrong__softmax_overflows__1(scores, allowed=None):
    e = torch.exp(scores)
    if allowed is None:
        return e / e.sum(-1, keepdim=True)
    e = torch.where(allowed, e, 0)
    total = e.sum(-1, keepdim=True)
    return e / torch.where(allowed.any(-1, keepdim=True), total, 1)

def wrong__softmax_overflows__2(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    if allowed is not None:
        weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0)
    return weights

def wrong__softmax_missing__1(scores, allowed=None):
    return scores if allowed is None else scores.masked_fill(~allowed, 0)

def wrong__softmax_missing__2(scores, allowed=None):
    if allowed is None:
        return scores * 1
    return torch.where(allowed, scores, torch.zeros_like(scores))

def wrong__detached__2(scores, allowed=None):
    s = scores.detach().double().cpu().numpy()
    mask = np.ones(s.shape, bool) if allowed is None else allowed.cpu().numpy()
    e = np.exp(s - np.max(np.where(mask, s, -1e30), -1, keepdims=True), where=mask, out=np.zeros_like(s))
    return torch.from_numpy(e / np.maximum(e.sum(-1, keepdims=True), 1e-30)).to(scores)

def wrong__detached__3(scores, allowed=None):
    with torch.no_grad():
        scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
        weights = F.softmax(scores, -1)
    return torch.nan_to_num(weights)

def wrong__wrong_device__1(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    fill = torch.full(scores.shape, -math.inf, dtype=scores.dtype)
    return torch.nan_to_num(torch.where(allowed, scores, fill).softmax(-1))

def wrong__wrong_device__2(scores, allowed=None):
    allowed = torch.ones(scores.shape, dtype=torch.bool) if allowed is None else allowed
    return torch.nan_to_num(scores.masked_fill(~allowed, -math.inf).softmax(-1))

def wrong__mask_inverted__2(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    weights = torch.where(allowed, torch.finfo(scores.dtype).min, scores).softmax(-1)
    return weights * (~allowed)

def wrong__mask_ignored__1(scores, allowed=None):
    return torch.softmax(scores, dim=-1)

def wrong__mask_ignored__3(scores, allowed=None):
    e = (scores - scores.max(-1, keepdim=True).values).exp()
    return e / e.sum(-1, keepdim=True)

def wrong__mask_after_softmax__1(scores, allowed=None):
    weights = F.softmax(scores, dim=-1)
    return weights if allowed is None else weights * allowed

def wrong__mask_after_softmax__2(scores, allowed=None):
    weights = torch.softmax(scores, -1)
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0.0)
    return weights

def wrong__mask_scores_to_zero__1(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    weights = F.softmax(scores * allowed, dim=-1)
    return weights * allowed.any(-1, keepdim=True)

def wrong__mask_scores_to_zero__2(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    weights = scores.masked_fill(~allowed, -1e-9).softmax(-1)
    return torch.where(allowed.any(-1, keepdim=True), weights, 0)

def wrong__mask_tiny_fill__2(scores, allowed=None):
    if allowed is not None:
        scores = torch.where(allowed, scores, -10.0)
        some = allowed.any(dim=-1, keepdim=True)
        return torch.softmax(scores, dim=-1) * some
    return torch.softmax(scores, dim=-1)

def wrong__mask_fully_nan__2(scores, allowed=None):
    if allowed is None:
        return torch.softmax(scores, -1)
    filled = torch.where(allowed, scores, -math.inf)
    e = torch.exp(filled - filled.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)

def wrong__mask_fully_uniform__3(scores, allowed=None):
    return torch.softmax(scores if allowed is None else torch.where(allowed, scores, -1e9), dim=-1)

wrong__softmax_over_batch__1 = change(right__nan_to_num, ("-1", "0"))
wrong__detached__1 = change(odd__keyword_only, ("*, allowed", "allowed"), ("()", "().detach()"))
wrong__input_changed__1 = change(right__nan_to_num, ("scores = scores.masked_fill", "scores.masked_fill_"))
wrong__input_changed__2 = change(
    odd__keyword_only, ("*, allowed", "allowed"),
    ("scores = scores.masked_fill(~allowed, -math.inf)", 'scores[~allowed] = float("-inf")'),
)
wrong__wrong_dtype__1 = change(right__nan_to_num, ("1", "1, dtype=torch.float32"))
wrong__wrong_dtype__2 = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("if", "scores = scores.float()", "if"),
    ("scores.masked_fill(~allowed, -math.inf)", "torch.where(allowed, scores, -math.inf)"),
)
wrong__mask_inverted__1 = change(right__nan_to_num, ("~allowed", "allowed"))
wrong__mask_ignored__2 = change(
    right__nan_to_num, ("scores = scores", "scores"), ("(~allowed, -math.inf)", '(~allowed, float("-inf"))'),
)
wrong__mask_tiny_fill__1 = change(
    odd__branches_on_data, ("None or bool(allowed.all())", "None"), ("math.inf", "10"),
)
wrong__mask_added_as_01__1 = change(wrong__mask_scores_to_zero__1, ("* allowed,", "+ allowed.to(scores.dtype),"))
wrong__mask_added_as_01__2 = change(
    wrong__mask_tiny_fill__1, ("scores.softmax(-1)", "torch.softmax(scores, dim=-1)"),
    ("scores.masked_fill(~allowed, -10)", "(scores + allowed)"), ("~allowed.any", "(~allowed).all"),
)
wrong__mask_fully_nan__1 = change(
    right__nan_to_num, ("-math.inf", 'float("-inf")'),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_fully_nan__3 = change(
    right__nan_to_num, ("if", "bias = torch.zeros_like(scores)", "if"),
    ("scores = scores.masked_fill", "bias.masked_fill_"),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "(scores + bias).softmax(dim=-1)"),
)
wrong__mask_fully_uniform__1 = change(wrong__mask_fully_nan__1, ('float("-inf")', "torch.finfo(scores.dtype).min"))
wrong__mask_fully_uniform__2 = change(
    wrong__mask_scores_to_zero__2, ("1e-9", "math.inf"), ("0", "1 / scores.shape[-1]"),
)
wrong__mask_first_item_for_all__1 = change(
    right__nan_to_num, ("is not None:", "is not None:", "    mask = allowed[0] if allowed.dim() > 1 else allowed"),
    ("~allowed", "~mask"),
)
wrong__mask_first_item_for_all__2 = change(
    wrong__mask_inverted__2,
    ("weights =", "if scores.dim() > 1:", "    allowed = allowed[:1].expand(scores.shape)", "return"),
    ("allowed,", "allowed, scores,"), (", scores).softmax(-1)", ").softmax(-1) * allowed"),
    ("return weights * (~allowed)", ""),
)
natural__softmax_over_batch__1 = change(
    right__nan_to_num, ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=0)"),
)
natural__softmax_overflows__1 = change(
    wrong__mask_ignored__1,
    (":", ":", "    e = torch.exp(scores)", "    if allowed is not None:", "        e = e * allowed"),
    ("torch.softmax(scores, dim=-1)", "e / e.sum(-1, keepdim=True)"),
)
natural__softmax_missing__1 = change(wrong__softmax_missing__1, ("0", "-math.inf"))
natural__mask_inverted__1 = change(wrong__mask_fully_nan__1, ("~allowed", "allowed"))
natural__mask_inverted__2 = change(
    right__nan_to_num, ("~allowed, -math.inf", "allowed == 1, -1e9"),
    (".nan_to_num(F.softmax(scores, dim=-1))", ".softmax(scores, dim=-1)"),
)
natural__mask_scores_to_zero__1 = change(
    natural__softmax_over_batch__1, (".masked_fill(~allowed, -math.inf)", " * allowed"), ("0", "-1"),
)
natural__mask_tiny_fill__1 = change(natural__softmax_over_batch__1, ("math.inf", "10"), ("0", "-1"))
natural__mask_added_as_01__1 = change(
    natural__mask_inverted__2, (".masked_fill(allowed == 1, -1e9)", " + allowed.float().to(scores.dtype)"),
)
natural__mask_first_item_for_all__1 = change(
    natural__softmax_over_batch__1, ("~allowed", "~allowed[0]"), ("0", "-1"),
)

def wrong__mask_after_renormalised__1(scores, allowed=None):
    """Masked and normalised after the softmax: a large blocked score makes the others underflow."""
    weights = scores.softmax(-1)
    if allowed is None:
        return weights
    weights = weights * allowed
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)

def extra__not_normalised(scores, allowed=None):
    """The exponentials are never divided by their sum."""
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e if allowed is None else e * allowed

def extra__mask_required(scores, allowed=None):
    """None is not provided for: an error without a mask."""
    return scores.masked_fill(~allowed, -math.inf).softmax(-1).nan_to_num()

def extra__float64_rounded(scores, allowed=None):
    """float32 inside and cast back: half of the digits of float64 are gone."""
    wide = scores.float() if allowed is None else scores.float().masked_fill(~allowed, -math.inf)
    return wide.softmax(-1).nan_to_num().to(scores.dtype)

# Filled with -20, which large scores come near.
extra__mask_tiny_fill__20 = change(
    wrong__mask_scores_to_zero__1, ("weights = F.softmax(scores * allowed, dim=-1)", ""),
    ("weights *", "scores.masked_fill(~allowed, -20).softmax(-1) *"),
)
# Filled with -1000, above the smallest scores.
extra__mask_tiny_fill__1000 = change(extra__mask_tiny_fill__20, ("20", "1000"))
# A row with nothing allowed gets the softmax of its unmasked scores.
extra__mask_fully_ignored = change(
    wrong__mask_scores_to_zero__1,
    ("weights = F.softmax(scores * allowed, dim=-1)", "some = allowed.any(-1, keepdim=True)"),
    ("weights * allowed.any(-1, keepdim=True)", "scores.masked_fill(~allowed & some, -math.inf).softmax(-1)"),
)
# -inf is added and the NaN cleaned away afterwards: the weights are right, their gradients NaN.
extra__gradient_nan = change(
    right__bias_added, ("(~allowed, torch.finfo(scores.dtype).min / 2)", "(~allowed, -math.inf)"),
    ("(scores + bias)", "torch.nan_to_num((scores + bias)"), ("(-1) * allowed.any(dim=-1, keepdim=True)", "(-1))"),
)
# (1 - mask) * -inf is NaN where the mask is 1, so every weight is NaN.
extra__infinity_times_zero = change(
    right__nan_to_num, (".masked_fill(~allowed, -math.inf)", " + (~allowed) * -math.inf"),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "scores.softmax(-1)"),
)
# The logarithm of the weights.
extra__log_softmax = change(
    right__nan_to_num, ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.log_softmax(scores, dim=-1)"),
)
# Each score squashed by itself: the weights do not sum to 1.
extra__sigmoid = change(wrong__mask_after_softmax__1, ("F.softmax(scores, dim=-1)", "torch.sigmoid(scores)"))
# Scores divided by the root of n_source first.
extra__scaled = change(
    odd__keyword_only, ("*, allowed", "allowed"),
    ("if", "scores = scores / math.sqrt(scores.shape[-1])", "if"),
)
# Blocked scores are taken out of the tensor, which becomes shorter.
extra__blocked_dropped = change(extra__infinity_times_zero, ("scores + (~allowed) * -math.inf", "scores[allowed]"))
# float64 comes back, whatever came in.
extra__wrong_dtype__float64 = change(
    right__nan_to_num,
    ("return torch.nan_to_num(F.softmax(scores, dim=-1))", "return scores.double().softmax(-1).nan_to_num()"),
)
# The caller's mask is inverted in place.
extra__mask_changed = change(
    right__nan_to_num, ("~allowed", "allowed.logical_not_()"),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "scores.softmax(-1).nan_to_num()"),
)
# The scores come back too.
extra__extra_return = change(odd__keyword_only, ("*, allowed", "allowed"), ("()", "(), scores"))

# Two mistakes at once.

def double__mask_fully_nan__and_softmax_overflows(scores, allowed=None):
    """The maximum is taken over blocked positions too, and an empty row is 0/0."""
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    if allowed is not None:
        parts = parts * allowed
    return parts / parts.sum(-1, keepdim=True)
# The squares of the scores are divided by their sum.
wrong__weights_without_exp__1 = change(
    double__mask_fully_nan__and_softmax_overflows,
    ("torch.exp(scores - scores.amax(-1, keepdim=True))", "scores.square()"),
)
