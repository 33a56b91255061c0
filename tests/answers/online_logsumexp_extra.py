"""Wrong answers beyond the table to `online_logsumexp(scores, block_size)` of notebook 09."""

from __future__ import annotations

import torch

from tests.answers.gather import gather


def extra__online_logsumexp__overflows(scores, block_size):
    """No maximum at all: large scores overflow."""
    total = sum(block.exp().sum(-1) for block in scores.split(block_size, -1))
    return total.log()


def extra__online_logsumexp__first_blocks_maximum(scores, block_size):
    """The first block's maximum kept: a later, larger score overflows."""
    top = scores[..., :block_size].amax(-1)
    total = sum((block - top[..., None]).exp().sum(-1) for block in scores.split(block_size, -1))
    return top + total.log()


def extra__online_logsumexp__maximum_of_everything(scores, block_size):
    """One maximum for the whole batch: rows far below it underflow."""
    top = scores.max()
    total = sum((block - top).exp().sum(-1) for block in scores.split(block_size, -1))
    return top + total.log()


def extra__online_logsumexp__maximum_not_put_back(scores, block_size):
    """The shift is never undone."""
    return (scores - scores.amax(-1, keepdim=True)).exp().sum(-1).log()


def extra__online_logsumexp__maximum_only(scores, block_size):
    """The maximum, as if it were the whole sum."""
    return scores.amax(-1)


def extra__online_logsumexp__sum_only(scores, block_size):
    """The running sum, without the logarithm and the maximum."""
    return (scores - scores.amax(-1, keepdim=True)).exp().sum(-1)


def extra__online_logsumexp__sum_of_exp(scores, block_size):
    """The sum of exponentials: no logarithm."""
    return scores.logsumexp(-1).exp()


def extra__online_logsumexp__blocks_added(scores, block_size):
    """Log-sum-exps of the blocks added up."""
    return sum(block.logsumexp(-1) for block in scores.split(block_size, -1))


def extra__online_logsumexp__blocks_averaged(scores, block_size):
    """Log-sum-exps of the blocks averaged."""
    return torch.stack([b.logsumexp(-1) for b in scores.split(block_size, -1)], -1).mean(-1)


def extra__online_logsumexp__blocks_maximum(scores, block_size):
    """The largest log-sum-exp of a block."""
    return torch.stack([b.logsumexp(-1) for b in scores.split(block_size, -1)], -1).amax(-1)


def extra__online_logsumexp__one_for_each_block(scores, block_size):
    """One number for every block."""
    return torch.stack([b.logsumexp(-1) for b in scores.split(block_size, -1)], -1)


def extra__online_logsumexp__last_block_alone(scores, block_size):
    """Only the last block is left at the end."""
    for block in scores.split(block_size, -1):
        result = block.logsumexp(-1)
    return result


def extra__online_logsumexp__first_block_alone(scores, block_size):
    """Returned from inside the loop."""
    for block in scores.split(block_size, -1):
        return block.logsumexp(-1)


def extra__online_logsumexp__as_many_blocks(scores, block_size):
    """block_size blocks, not blocks of block_size; what is over is left out."""
    width = max(scores.shape[-1] // block_size, 1)
    parts = [scores[..., i * width : (i + 1) * width].logsumexp(-1) for i in range(block_size)]
    return torch.stack(parts, -1).logsumexp(-1)


def extra__online_logsumexp__rescaled_wrongly(scores, block_size):
    """exp(new - old) for exp(old - new): the sum grows where it should shrink."""
    top, total = None, 0
    for block in scores.split(block_size, -1):
        new = block.amax(-1) if top is None else torch.maximum(top, block.amax(-1))
        if top is not None:
            total = total * (new - top).exp()
        total = total + (block - new[..., None]).exp().sum(-1)
        top = new
    return top + total.log()


def extra__online_logsumexp__rescaled_too_late(scores, block_size):
    """The new block's sum is rescaled with the old one's."""
    top, total = scores[..., :block_size].amax(-1), 0
    for block in scores.split(block_size, -1):
        new = torch.maximum(top, block.amax(-1))
        total = (total + (block - new[..., None]).exp().sum(-1)) * (top - new).exp()
        top = new
    return top + total.log()


def extra__online_logsumexp__maximum_replaced(scores, block_size):
    """The maximum of the last block, not the running one: a smaller one overflows."""
    top, total = scores[..., :block_size].amax(-1), 0
    for block in scores.split(block_size, -1):
        new = block.amax(-1)
        total = total * (top - new).exp() + (block - new[..., None]).exp().sum(-1)
        top = new
    return top + total.log()


def extra__online_logsumexp__starts_at_zero(scores, block_size):
    """A running sum that starts at 1: a score of 0 that nobody gave."""
    zero = torch.zeros_like(scores[..., :1])
    return torch.cat([zero, scores], -1).logsumexp(-1)


def extra__online_logsumexp__maximum_from_zero(scores, block_size):
    """A running maximum that starts at 0: scores far below it underflow."""
    top = torch.zeros_like(scores[..., 0])
    total = torch.zeros_like(top)
    for block in scores.split(block_size, -1):
        new = torch.maximum(top, block.amax(-1))
        total = total * (top - new).exp() + (block - new[..., None]).exp().sum(-1)
        top = new
    return top + total.log()


def extra__online_logsumexp__overlapping(scores, block_size):
    """Blocks that overlap by one."""
    parts = [
        scores[..., start : start + block_size + 1].logsumexp(-1)
        for start in range(0, scores.shape[-1], block_size)
    ]
    return torch.stack(parts, -1).logsumexp(-1)


def extra__online_logsumexp__first_axis(scores, block_size):
    """Along the first axis."""
    return scores.logsumexp(0)


def extra__online_logsumexp__everything(scores, block_size):
    """One number for the whole tensor."""
    return scores.flatten().logsumexp(0)


def extra__online_logsumexp__kept_axis(scores, block_size):
    """The last axis kept, of length one."""
    return scores.logsumexp(-1, keepdim=True)


def extra__online_logsumexp__log_softmax(scores, block_size):
    """The scores less their log-sum-exp."""
    return scores.log_softmax(-1)


def extra__online_logsumexp__log_mean_exp(scores, block_size):
    """The mean of the exponentials, not their sum."""
    return scores.logsumexp(-1) - torch.tensor(float(scores.shape[-1])).log().item()


def extra__online_logsumexp__base_two(scores, block_size):
    """log2 at the end."""
    top = scores.amax(-1)
    return top + (scores - top[..., None]).exp().sum(-1).log2()


def extra__online_logsumexp__epsilon(scores, block_size):
    """1e-2 added against log 0."""
    top = scores.amax(-1)
    return top + ((scores - top[..., None]).exp().sum(-1) + 1e-2).log()


def extra__online_logsumexp__shift_not_detached_half(scores, block_size):
    """Values right, gradient lost: only the maximum is followed."""
    top = scores.amax(-1)
    return top + (scores.detach() - top.detach()[..., None]).exp().sum(-1).log()


def extra__online_logsumexp__gradient_of_the_last_block(scores, block_size):
    """What was carried is cut from the graph: only the last block learns."""
    result = None
    for block in scores.split(block_size, -1):
        part = block.logsumexp(-1)
        result = part if result is None else torch.logaddexp(result.detach(), part)
    return result


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
