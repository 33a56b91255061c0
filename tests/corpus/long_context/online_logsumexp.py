"""Answers to `online_logsumexp(scores, block_size)` of notebook 11."""

import torch

from tests.corpus import change

def right__running(scores, block_size):
    top = torch.full_like(scores[..., 0], -torch.inf)
    total = torch.zeros_like(top)
    for block in scores.split(block_size, dim=-1):
        new_top = torch.maximum(top, block.amax(dim=-1))
        total = total * (top - new_top).exp() + (block - new_top[..., None]).exp().sum(dim=-1)
        top = new_top
    return top + total.log()

def right__first_block_apart(scores, block_size):
    first = scores[..., :block_size]
    m = first.max(dim=-1).values
    s = torch.exp(first - m.unsqueeze(-1)).sum(-1)
    for start in range(block_size, scores.shape[-1], block_size):
        block = scores[..., start : start + block_size]
        m_new = torch.maximum(m, block.max(dim=-1).values)
        s = s * torch.exp(m - m_new) + torch.exp(block - m_new.unsqueeze(-1)).sum(-1)
        m = m_new
    return m + torch.log(s)

def right__logaddexp(scores: torch.Tensor, block_size: int) -> torch.Tensor:
    result = None
    for block in scores.split(block_size, -1):
        part = block.logsumexp(-1)
        result = part if result is None else torch.logaddexp(result, part)
    return result

def right__blocks_then_blocks(scores, block_size):
    parts = [torch.logsumexp(block, -1) for block in torch.split(scores, block_size, -1)]
    return torch.logsumexp(torch.stack(parts, -1), -1)

def right__one_maximum(scores, block_size):
    # Two passes: the maximum of all first, then the sum block by block.
    top = scores[..., 0]
    for start in range(0, scores.size(-1), block_size):
        top = torch.maximum(top, scores[..., start : start + block_size].amax(-1))
    top = top.detach()
    total = 0
    for start in range(0, scores.size(-1), block_size):
        total = total + (scores[..., start : start + block_size] - top[..., None]).exp().sum(-1)
    return total.log() + top

def right__result_carried(scores, block_size):
    # What is carried is the log-sum-exp itself, put in front of the next block.
    result = torch.full_like(scores[..., :1], -torch.inf)
    for block in scores.split(block_size, dim=-1):
        result = torch.cat([result, block], dim=-1).logsumexp(dim=-1, keepdim=True)
    return result.squeeze(-1)

def right__rescaled_only_when_grown(scores, block_size):
    top, total = None, None
    for start in range(0, scores.shape[-1], block_size):
        block = scores.narrow(-1, start, min(block_size, scores.shape[-1] - start))
        block_top = block.amax(-1).detach()  # a shift that cancels
        block_total = (block - block_top.unsqueeze(-1)).exp().sum(-1)
        if top is None:
            top, total = block_top, block_total
            continue
        grown = block_top > top
        shrink = torch.exp(-(block_top - top).abs())
        total = torch.where(grown, total * shrink + block_total, total + block_total * shrink)
        top = torch.where(grown, block_top, top)
    return total.log() + top

def right__recursive(scores, block_size):
    if scores.shape[-1] <= block_size:
        return scores.logsumexp(-1)
    head, rest = scores[..., :block_size], scores[..., block_size:]
    return torch.logaddexp(head.logsumexp(-1), right__recursive(rest, block_size))

def odd__all_at_once(scores, block_size):
    """The block size unused: the same number."""
    return torch.logsumexp(scores, dim=-1)

def odd__padded(x, size):
    """Padded with -inf to whole blocks, other names."""
    missing = -x.shape[-1] % size
    blocks = torch.nn.functional.pad(x, (0, missing), value=-torch.inf).unflatten(-1, (-1, size))
    return blocks.logsumexp(-1).logsumexp(-1)

def odd__float64(scores, block_size):
    """float64 inside, cast back; the last block first."""
    total, top = 0.0, scores.detach().double().amax(-1)
    for block in reversed(scores.double().split(block_size, -1)):
        total = total + torch.exp(block - top[..., None]).sum(-1)
    return (top + total.log()).to(scores.dtype)

def odd__complement(scores, block_size):
    """Through the weights: log-sum-exp is a score less the logarithm of its weight."""
    best, index = scores.max(-1)
    log_weight = scores.log_softmax(-1).gather(-1, index[..., None])[..., 0]
    return best - log_weight

def wrong__online_no_rescale__2(scores, block_size):
    first = scores[..., :block_size]
    m = first.max(dim=-1).values
    s = torch.exp(first - m.unsqueeze(-1)).sum(-1)
    for start in range(block_size, scores.shape[-1], block_size):
        block = scores[..., start : start + block_size]
        m = torch.where(block.amax(-1) > m, block.amax(-1), m)
        s = s + torch.exp(block - m.unsqueeze(-1)).sum(-1)
    return torch.log(s) + m

def wrong__online_last_block__2(scores, block_size):
    parts = [b.logsumexp(-1) for b in scores.split(block_size, -1) if b.shape[-1] == block_size]
    if not parts:
        return torch.full_like(scores[..., 0], -torch.inf)
    return torch.stack(parts, -1).logsumexp(-1)

def wrong__online_last_block__3(scores, block_size):
    whole = scores.shape[-1] - scores.shape[-1] % block_size
    return scores[..., :whole].logsumexp(-1)

def wrong__detached__2(scores, block_size):
    with torch.no_grad():
        parts = [torch.logsumexp(block, -1) for block in torch.split(scores, block_size, -1)]
        return torch.logsumexp(torch.stack(parts, -1), -1)

def wrong__input_changed__1(scores, block_size):
    top = scores.amax(-1)
    scores -= top[..., None]
    total = sum(block.exp().sum(-1) for block in scores.split(block_size, -1))
    return top + total.log()

def wrong__input_changed__2(scores, block_size):
    parts = []
    for block in scores.split(block_size, -1):
        top = block.amax(-1, keepdim=True).clone()
        parts.append(block.sub_(top).logsumexp(-1) + top.squeeze(-1))
    return torch.stack(parts, -1).logsumexp(-1)

def wrong__wrong_device__2(scores, block_size):
    result = torch.full((*scores.shape[:-1], 1), -torch.inf, dtype=scores.dtype)
    for block in scores.split(block_size, dim=-1):
        result = torch.cat([result, block], dim=-1).logsumexp(dim=-1, keepdim=True)
    return result.squeeze(-1)

def wrong__wrong_dtype__2(scores, block_size):
    top = scores.amax(-1).to(torch.float32)
    total = torch.zeros(scores.shape[:-1], device=scores.device)
    for block in scores.to(torch.float32).split(block_size, dim=-1):
        total = total + (block - top[..., None]).exp().sum(dim=-1)
    return top + total.log()

def wrong__online_only_last_block__1(scores, block_size):
    """Only the last block is left at the end."""
    for block in scores.split(block_size, -1):
        result = block.logsumexp(-1)
    return result

def wrong__online_rescale_inverted__1(scores, block_size):
    """exp(new - old) for exp(old - new): the sum grows where it should shrink."""
    top, total = None, 0
    for block in scores.split(block_size, -1):
        new = block.amax(-1) if top is None else torch.maximum(top, block.amax(-1))
        if top is not None:
            total = total * (new - top).exp()
        total = total + (block - new[..., None]).exp().sum(-1)
        top = new
    return top + total.log()

wrong__online_no_rescale__1 = change(
    right__running, ("new_top =", "top ="),
    ("total * (top - new_top).exp() + (block - new_top[..., None])", "total + (block - top[..., None])"),
    ("top = new_top", ""),
)
wrong__online_last_block__1 = change(
    right__running,
    ("block in scores.split(block_size, dim=-1)", "number in range(scores.shape[-1] // block_size)"),
    ("new_top =", "block = scores[..., number * block_size : (number + 1) * block_size]", "new_top ="),
)
wrong__detached__1 = change(
    right__logaddexp, ("(scores: torch.Tensor, block_size: int) -> torch.Tensor:", "(scores, block_size):"),
    ("in scores", "in scores.detach()"),
)
wrong__wrong_device__1 = change(
    right__running,
    (".full_like(scores[..., 0], -torch.inf)", ".full(scores.shape[:-1], -torch.inf, dtype=scores.dtype)"),
    (".zeros_like(top)", ".zeros(scores.shape[:-1], dtype=scores.dtype)"),
)
wrong__keepdims_forgotten__1 = change(right__running, ("block - new_top[..., None]", "block - new_top"))
wrong__keepdims_forgotten__2 = change(
    right__first_block_apart, ("first - m.unsqueeze(-1)", "first - m"), ("block - m_new.unsqueeze(-1)", "block - m_new")
)
wrong__keepdims_forgotten__3 = change(right__first_block_apart, ("first - m.unsqueeze(-1)", "first - m"))
wrong__keepdims_forgotten__4 = change(right__first_block_apart, ("block - m_new.unsqueeze(-1)", "block - m_new"))
wrong__keepdims_forgotten__5 = change(right__one_maximum, ("top[..., None]", "top"))
wrong__wrong_dtype__1 = change(right__blocks_then_blocks, ("block, -1", "block.float(), -1"))

def natural__online_no_rescale__1(scores, block_size):
    # Each block shifted by its own maximum, the sums added up, the last maximum put back.
    total = 0
    top = None
    for block in scores.split(block_size, dim=-1):
        top = block.amax(-1) if top is None else torch.maximum(top, block.amax(-1))
        total += torch.exp(block - block.amax(-1, keepdim=True)).sum(-1)
    return top + torch.log(total)

def natural__online_last_block__1(scores, block_size):
    # unfold leaves out what does not fill a block; shorter than one block is an error.
    return scores.unfold(-1, block_size, block_size).logsumexp(-1).logsumexp(-1)

def extra__overflows(scores, block_size):
    """No maximum at all: large scores overflow."""
    total = sum(block.exp().sum(-1) for block in scores.split(block_size, -1))
    return total.log()

def extra__first_blocks_maximum(scores, block_size):
    """The first block's maximum kept: a later, larger score overflows."""
    top = scores[..., :block_size].amax(-1)
    total = sum((block - top[..., None]).exp().sum(-1) for block in scores.split(block_size, -1))
    return top + total.log()

def extra__maximum_not_put_back(scores, block_size):
    """The shift is never undone."""
    return (scores - scores.amax(-1, keepdim=True)).exp().sum(-1).log()

def extra__blocks_added(scores, block_size):
    """Log-sum-exps of the blocks added up."""
    return sum(block.logsumexp(-1) for block in scores.split(block_size, -1))

def extra__as_many_blocks(scores, block_size):
    """block_size blocks, not blocks of block_size; what is over is left out."""
    width = max(scores.shape[-1] // block_size, 1)
    parts = [scores[..., i * width : (i + 1) * width].logsumexp(-1) for i in range(block_size)]
    return torch.stack(parts, -1).logsumexp(-1)

def extra__rescaled_too_late(scores, block_size):
    """The new block's sum is rescaled with the old one's."""
    top, total = scores[..., :block_size].amax(-1), 0
    for block in scores.split(block_size, -1):
        new = torch.maximum(top, block.amax(-1))
        total = (total + (block - new[..., None]).exp().sum(-1)) * (top - new).exp()
        top = new
    return top + total.log()

def extra__starts_at_zero(scores, block_size):
    """A running sum that starts at 1: a score of 0 that nobody gave."""
    zero = torch.zeros_like(scores[..., :1])
    return torch.cat([zero, scores], -1).logsumexp(-1)

def extra__overlapping(scores, block_size):
    """Blocks that overlap by one."""
    parts = [
        scores[..., start : start + block_size + 1].logsumexp(-1)
        for start in range(0, scores.shape[-1], block_size)
    ]
    return torch.stack(parts, -1).logsumexp(-1)

def extra__base_two(scores, block_size):
    """log2 at the end."""
    top = scores.amax(-1)
    return top + (scores - top[..., None]).exp().sum(-1).log2()

def extra__epsilon(scores, block_size):
    """1e-2 added against log 0."""
    top = scores.amax(-1)
    return top + ((scores - top[..., None]).exp().sum(-1) + 1e-2).log()

# One maximum for the whole batch: rows far below it underflow.
extra__maximum_of_everything = change(
    extra__first_blocks_maximum, ("[..., :block_size].amax(-1)", ".max()"), ("[..., None]", ""),
)
# The maximum, as if it were the whole sum.
extra__maximum_only = change(odd__all_at_once, ("torch.logsumexp(scores, dim=-1)", "scores.amax(-1)"))
# The running sum, without the logarithm and the maximum.
extra__sum_only = change(extra__maximum_not_put_back, ("(-1).log()", "(-1)"))
# The sum of exponentials: no logarithm.
extra__sum_of_exp = change(
    odd__all_at_once, ("torch.logsumexp(scores, dim=-1)", "scores.logsumexp(-1).exp()"),
)
# Log-sum-exps of the blocks averaged.
extra__blocks_averaged = change(
    extra__blocks_added, ("sum(block", "torch.stack([b"), ("block in", "b in"), ("1))", "1)], -1).mean(-1)"),
)
# The largest log-sum-exp of a block.
extra__blocks_maximum = change(extra__blocks_averaged, (".mean(-1)", ".amax(-1)"))
# One number for every block.
extra__one_for_each_block = change(extra__blocks_averaged, (".mean(-1)", ""))
# Returned from inside the loop.
extra__first_block_alone = change(wrong__online_only_last_block__1, ("result =", "return"), ("return result", ""))
# The maximum of the last block, not the running one: a smaller one overflows.
extra__maximum_replaced = change(
    extra__rescaled_too_late, ("= torch.maximum(top, block.amax(-1))", "= block.amax(-1)"),
    ("(total +", "total * (top - new).exp() +"), ("1)) * (top - new).exp()", "1)"),
)
# A running maximum that starts at 0: scores far below it underflow.
extra__maximum_from_zero = change(
    extra__maximum_replaced,
    (
        ", total = scores[..., :block_size].amax(-1), 0",
        " = torch.zeros_like(scores[..., 0])",
        "total = torch.zeros_like(top)",
    ),
    ("= block.amax(-1)", "= torch.maximum(top, block.amax(-1))"),
)
# Along the first axis.
extra__first_axis = change(odd__all_at_once, ("torch.logsumexp(scores, dim=-1)", "scores.logsumexp(0)"))
# One number for the whole tensor.
extra__everything = change(
    odd__all_at_once, ("torch.logsumexp(scores, dim=-1)", "scores.flatten().logsumexp(0)"),
)
# The last axis kept, of length one.
extra__kept_axis = change(extra__first_axis, ("0", "-1, keepdim=True"))
# The scores less their log-sum-exp.
extra__log_softmax = change(odd__all_at_once, ("torch.logsumexp(scores, dim=-1)", "scores.log_softmax(-1)"))
# The mean of the exponentials, not their sum.
extra__log_mean_exp = change(
    odd__all_at_once,
    (
        "torch.logsumexp(scores, dim=-1)",
        "scores.logsumexp(-1) - torch.tensor(float(scores.shape[-1])).log().item()",
    ),
)
# Values right, gradient lost: only the maximum is followed.
extra__shift_not_detached_half = change(
    extra__base_two, ("scores - top", "scores.detach() - top.detach()"), ("(-1).log2", "(-1).log"),
)
# What was carried is cut from the graph: only the last block learns.
extra__gradient_of_the_last_block = change(
    wrong__detached__1, (".detach()", ""), ("result, part", "result.detach(), part"),
)
# The running maximum starts in the middle of a block, and grows by its smallest scores.
extra__grown_by_the_smallest = change(right__one_maximum, (".amax(-1)", ".amin(-1)"))
# The last block is filled up with a number that is not low enough.
extra__padded_too_high = change(odd__padded, ("-torch.inf", "-1e4"))

# The maximum of each block is taken as it comes.
wrong__maximum_of_block__1 = change(
    right__running, ("torch.maximum(top, block.amax(dim=-1))", "block.amax(dim=-1)"),
)
# `max` without an axis.
wrong__one_maximum_for_all__1 = change(
    right__running, ("torch.maximum(top, block.amax(dim=-1))", "torch.maximum(top, block.max())"),
)
# The first score is the first maximum, and its exponential the first sum; then the first block brings it again.
wrong__first_counted_twice__1 = change(
    right__running, ("torch.full_like(scores[..., 0], -torch.inf)", "scores[..., 0]"), ("zeros_like", "ones_like"),
)
# The axis of `split` is left out.
wrong__blocks_of_rows__1 = change(right__running, ("scores.split(block_size, dim=-1)", "scores.split(block_size)"))
# The sum is rescaled after the block was added.
wrong__rescaled_with_the_block__1 = change(
    right__running,
    ("total * (top - new_top).exp() + (block", "(total + (block"),
    (".exp().sum(dim=-1)", ".exp().sum(dim=-1)) * (top - new_top).exp()"),
)
