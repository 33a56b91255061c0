"""Wrong answers beyond the table to `masked_softmax(scores, allowed)` of notebook 05."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__masked_softmax__mask_on_queries(scores, allowed):
    """The mask is transposed: keys and queries change places."""
    scores = scores if allowed is None else scores.masked_fill(~allowed.mT, -math.inf)
    return scores.softmax(-1).nan_to_num()


def extra__masked_softmax__mask_first_item_for_all(scores, allowed):
    """The first item's mask for the whole batch."""
    if allowed is not None:
        allowed = allowed[0] if allowed.dim() > 2 else allowed
        scores = scores.masked_fill(~allowed, -math.inf)
    return scores.softmax(-1).nan_to_num()


def extra__masked_softmax__mask_tiny_fill__1e4(scores, allowed):
    """-1e4, which scores of that size reach."""
    if allowed is None:
        return scores.softmax(-1)
    return scores.masked_fill(~allowed, -1e4).softmax(-1) * allowed.any(-1, keepdim=True)


def extra__masked_softmax__mask_tiny_fill__subtracted(scores, allowed):
    """1e3 taken off the blocked scores: large ones are still in the race."""
    if allowed is None:
        return scores.softmax(-1)
    return (scores - 1e3 * (~allowed).to(scores.dtype)).softmax(-1) * allowed.any(-1, keepdim=True)


def extra__masked_softmax__mask_after_softmax__renormalised(scores, allowed):
    """Masked after the softmax, then divided by the sum: nothing is left of allowed scores far below a blocked one."""
    weights = scores.softmax(-1)
    if allowed is None:
        return weights
    weights = weights * allowed
    return weights / (weights.sum(-1, keepdim=True) + 1e-12)


def extra__masked_softmax__maximum_of_all(scores, allowed):
    """The maximum is taken over blocked scores too: allowed ones far below it underflow."""
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    parts = parts if allowed is None else parts * allowed
    total = parts.sum(-1, keepdim=True)
    return parts / total.masked_fill(total == 0, 1)


def extra__masked_softmax__maximum_of_everything(scores, allowed):
    """One maximum for all rows: a row far below it underflows to zeros."""
    parts = torch.exp(scores - scores.max())
    parts = parts if allowed is None else parts.masked_fill(~allowed, 0)
    total = parts.sum(-1, keepdim=True)
    return parts / total.masked_fill(total == 0, 1)


def extra__masked_softmax__softmax_over_everything(scores, allowed):
    """One softmax over each whole matrix."""
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    return scores.flatten(-2).softmax(-1).nan_to_num().reshape(scores.shape)


def extra__masked_softmax__softmax_over_batch(scores, allowed):
    """The softmax is taken over the first axis."""
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    return scores.softmax(0).nan_to_num()


def extra__masked_softmax__softmax_missing(scores, allowed):
    """The scores themselves, blocked ones 0."""
    return scores if allowed is None else scores.masked_fill(~allowed, 0)


def extra__masked_softmax__log_softmax(scores, allowed):
    """The logarithm of the weights, blocked ones 0."""
    if allowed is None:
        return F.log_softmax(scores, -1)
    low = torch.finfo(scores.dtype).min
    return F.log_softmax(scores.masked_fill(~allowed, low), -1).masked_fill(~allowed, 0)


def extra__masked_softmax__not_normalised(scores, allowed):
    """The exponentials are not divided by their sum."""
    if allowed is None:
        return torch.exp(scores - scores.amax(-1, keepdim=True))
    top = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).amax(-1, keepdim=True)
    return torch.exp((scores - top).masked_fill(~allowed, -math.inf))


def extra__masked_softmax__scaled(scores, allowed):
    """Scaled by the number of keys, which nobody asked for."""
    scores = scores / math.sqrt(scores.shape[-1])
    return (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()


def extra__masked_softmax__none_not_handled(scores, allowed):
    """allowed = None raises an error."""
    return scores.masked_fill(~allowed, -math.inf).softmax(-1).nan_to_num()


def extra__masked_softmax__nan_gradient(scores, allowed):
    """Weights of 0 in an empty row, but a gradient of NaN: minus infinity is added, then the NaN is cleaned."""
    if allowed is None:
        return scores.softmax(-1)
    return (scores + torch.log(allowed.to(scores.dtype))).softmax(-1).nan_to_num()


def extra__masked_softmax__empty_rows_in_two_axes(scores, allowed):
    """Only a matrix with nothing allowed at all is zeroed: a single empty row stays uniform."""
    if allowed is None:
        return scores.softmax(-1)
    low = torch.finfo(scores.dtype).min
    return scores.masked_fill(~allowed, low).softmax(-1) * allowed.flatten(-2).any(-1)[..., None, None]


def extra__masked_softmax__sum_of_columns_kept(scores, allowed):
    """keepdim forgotten: the totals broadcast along the wrong axis, or not at all."""
    kept = scores if allowed is None else scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    parts = torch.exp(kept - kept.amax(-1, keepdim=True))
    parts = parts if allowed is None else parts * allowed
    return parts / parts.sum(-1).clamp(min=1e-6)


def extra__masked_softmax__allowed_returned_too(scores, allowed):
    """A pair comes back where one tensor is asked for."""
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    return scores.softmax(-1).nan_to_num(), allowed


def extra__masked_softmax__mask_not_broadcast(scores, allowed):
    """Indexes by the mask, which must then have the scores' whole shape."""
    if allowed is not None:
        scores = scores.clone()
        scores[~allowed] = -math.inf
    return scores.softmax(-1).nan_to_num()


def extra__masked_softmax__not_exactly_zero(scores, allowed):
    """Blocked positions keep a weight of 1e-6."""
    if allowed is None:
        return scores.softmax(-1)
    return scores.masked_fill(~allowed, -math.inf).softmax(-1).nan_to_num() + 1e-6 * (~allowed).to(
        scores.dtype
    )


def extra__masked_softmax__softmax_not_normalised__unshifted(scores, allowed):
    """exp of the scores, blocked ones 0, with no sum."""
    return scores.exp() if allowed is None else scores.exp().masked_fill(~allowed, 0)


def extra__masked_softmax__softmax_over_everything__batch_too(scores, allowed):
    """One softmax over the whole batch."""
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    return scores.flatten().softmax(0).nan_to_num().view(scores.shape)


def extra__masked_softmax__softmax_missing__by_product(scores, allowed):
    """Scores times mask: no softmax."""
    return scores.clone() if allowed is None else scores * allowed


def extra__masked_softmax__mask_first_item_for_all__slice(scores, allowed):
    """The first item's mask, kept as a batch of one."""
    if allowed is None:
        return scores.softmax(-1)
    allowed = allowed[:1] if allowed.dim() > 2 else allowed
    return scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1) * allowed


def extra__masked_softmax__softmax_over_batch__exp(scores, allowed):
    """Exponentials divided by their sum over the first axis."""
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed.expand_as(scores)
    top = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).amax(0)
    parts = torch.exp((scores - top).masked_fill(~allowed, 0)) * allowed
    total = parts.sum(0)
    return parts / total.masked_fill(total == 0, 1)


def extra__masked_softmax__mask_on_queries__where(scores, allowed):
    """The mask is transposed, with `where`."""
    if allowed is None:
        return scores.softmax(-1)
    allowed = allowed.swapaxes(-1, -2)
    return torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
