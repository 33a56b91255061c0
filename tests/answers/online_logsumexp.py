"""Answers to `online_logsumexp(scores, block_size)` of notebook 09."""

from __future__ import annotations

import torch

from tests.answers.gather import gather


def right__online_logsumexp__running(scores, block_size):
    top = torch.full_like(scores[..., 0], -torch.inf)
    total = torch.zeros_like(top)
    for block in scores.split(block_size, dim=-1):
        new_top = torch.maximum(top, block.amax(dim=-1))
        total = total * (top - new_top).exp() + (block - new_top[..., None]).exp().sum(dim=-1)
        top = new_top
    return top + total.log()


def right__online_logsumexp__first_block_apart(scores, block_size):
    first = scores[..., :block_size]
    m = first.max(dim=-1).values
    s = torch.exp(first - m.unsqueeze(-1)).sum(-1)
    for start in range(block_size, scores.shape[-1], block_size):
        block = scores[..., start : start + block_size]
        m_new = torch.maximum(m, block.max(dim=-1).values)
        s = s * torch.exp(m - m_new) + torch.exp(block - m_new.unsqueeze(-1)).sum(-1)
        m = m_new
    return m + torch.log(s)


def right__online_logsumexp__logaddexp(scores: torch.Tensor, block_size: int) -> torch.Tensor:
    result = None
    for block in scores.split(block_size, -1):
        part = block.logsumexp(-1)
        result = part if result is None else torch.logaddexp(result, part)
    return result


def right__online_logsumexp__blocks_then_blocks(scores, block_size):
    parts = [torch.logsumexp(block, -1) for block in torch.split(scores, block_size, -1)]
    return torch.logsumexp(torch.stack(parts, -1), -1)


def right__online_logsumexp__one_maximum(scores, block_size):
    # Two passes: the maximum of all first, then the sum block by block.
    top = scores[..., 0]
    for start in range(0, scores.size(-1), block_size):
        top = torch.maximum(top, scores[..., start : start + block_size].amax(-1))
    top = top.detach()
    total = 0
    for start in range(0, scores.size(-1), block_size):
        total = total + (scores[..., start : start + block_size] - top[..., None]).exp().sum(-1)
    return total.log() + top


def right__online_logsumexp__result_carried(scores, block_size):
    # What is carried is the log-sum-exp itself, put in front of the next block.
    result = torch.full_like(scores[..., :1], -torch.inf)
    for block in scores.split(block_size, dim=-1):
        result = torch.cat([result, block], dim=-1).logsumexp(dim=-1, keepdim=True)
    return result.squeeze(-1)


def right__online_logsumexp__rescaled_only_when_grown(scores, block_size):
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


def right__online_logsumexp__recursive(scores, block_size):
    if scores.shape[-1] <= block_size:
        return scores.logsumexp(-1)
    head, rest = scores[..., :block_size], scores[..., block_size:]
    return torch.logaddexp(head.logsumexp(-1), right__online_logsumexp__recursive(rest, block_size))


def odd__online_logsumexp__all_at_once(scores, block_size):
    """The block size unused: the same number."""
    return torch.logsumexp(scores, dim=-1)


def odd__online_logsumexp__padded(x, size):
    """Padded with -inf to whole blocks, other names."""
    missing = -x.shape[-1] % size
    blocks = torch.nn.functional.pad(x, (0, missing), value=-torch.inf).unflatten(-1, (-1, size))
    return blocks.logsumexp(-1).logsumexp(-1)


def odd__online_logsumexp__float64(scores, block_size):
    """float64 inside, cast back; the last block first."""
    total, top = 0.0, scores.detach().double().amax(-1)
    for block in reversed(scores.double().split(block_size, -1)):
        total = total + torch.exp(block - top[..., None]).sum(-1)
    return (top + total.log()).to(scores.dtype)


def odd__online_logsumexp__complement(scores, block_size):
    """Through the weights: log-sum-exp is a score less the logarithm of its weight."""
    best, index = scores.max(-1)
    log_weight = scores.log_softmax(-1).gather(-1, index[..., None])[..., 0]
    return best - log_weight


def wrong__online_logsumexp__online_no_rescale__1(scores, block_size):
    top = torch.full_like(scores[..., 0], -torch.inf)
    total = torch.zeros_like(top)
    for block in scores.split(block_size, dim=-1):
        top = torch.maximum(top, block.amax(dim=-1))
        total = total + (block - top[..., None]).exp().sum(dim=-1)
    return top + total.log()


def wrong__online_logsumexp__online_no_rescale__2(scores, block_size):
    first = scores[..., :block_size]
    m = first.max(dim=-1).values
    s = torch.exp(first - m.unsqueeze(-1)).sum(-1)
    for start in range(block_size, scores.shape[-1], block_size):
        block = scores[..., start : start + block_size]
        m = torch.where(block.amax(-1) > m, block.amax(-1), m)
        s = s + torch.exp(block - m.unsqueeze(-1)).sum(-1)
    return torch.log(s) + m


def wrong__online_logsumexp__online_last_block__1(scores, block_size):
    top = torch.full_like(scores[..., 0], -torch.inf)
    total = torch.zeros_like(top)
    for number in range(scores.shape[-1] // block_size):
        block = scores[..., number * block_size : (number + 1) * block_size]
        new_top = torch.maximum(top, block.amax(dim=-1))
        total = total * (top - new_top).exp() + (block - new_top[..., None]).exp().sum(dim=-1)
        top = new_top
    return top + total.log()


def wrong__online_logsumexp__online_last_block__2(scores, block_size):
    parts = [b.logsumexp(-1) for b in scores.split(block_size, -1) if b.shape[-1] == block_size]
    if not parts:
        return torch.full_like(scores[..., 0], -torch.inf)
    return torch.stack(parts, -1).logsumexp(-1)


def wrong__online_logsumexp__online_last_block__3(scores, block_size):
    whole = scores.shape[-1] - scores.shape[-1] % block_size
    return scores[..., :whole].logsumexp(-1)


def wrong__online_logsumexp__detached__1(scores, block_size):
    result = None
    for block in scores.detach().split(block_size, -1):
        part = block.logsumexp(-1)
        result = part if result is None else torch.logaddexp(result, part)
    return result


def wrong__online_logsumexp__detached__2(scores, block_size):
    with torch.no_grad():
        parts = [torch.logsumexp(block, -1) for block in torch.split(scores, block_size, -1)]
        return torch.logsumexp(torch.stack(parts, -1), -1)


def wrong__online_logsumexp__input_changed__1(scores, block_size):
    top = scores.amax(-1)
    scores -= top[..., None]
    total = sum(block.exp().sum(-1) for block in scores.split(block_size, -1))
    return top + total.log()


def wrong__online_logsumexp__input_changed__2(scores, block_size):
    parts = []
    for block in scores.split(block_size, -1):
        top = block.amax(-1, keepdim=True).clone()
        parts.append(block.sub_(top).logsumexp(-1) + top.squeeze(-1))
    return torch.stack(parts, -1).logsumexp(-1)


def wrong__online_logsumexp__wrong_device__1(scores, block_size):
    top = torch.full(scores.shape[:-1], -torch.inf, dtype=scores.dtype)
    total = torch.zeros(scores.shape[:-1], dtype=scores.dtype)
    for block in scores.split(block_size, dim=-1):
        new_top = torch.maximum(top, block.amax(dim=-1))
        total = total * (top - new_top).exp() + (block - new_top[..., None]).exp().sum(dim=-1)
        top = new_top
    return top + total.log()


def wrong__online_logsumexp__wrong_device__2(scores, block_size):
    result = torch.full((*scores.shape[:-1], 1), -torch.inf, dtype=scores.dtype)
    for block in scores.split(block_size, dim=-1):
        result = torch.cat([result, block], dim=-1).logsumexp(dim=-1, keepdim=True)
    return result.squeeze(-1)


def wrong__online_logsumexp__wrong_dtype__1(scores, block_size):
    parts = [torch.logsumexp(block.float(), -1) for block in torch.split(scores, block_size, -1)]
    return torch.logsumexp(torch.stack(parts, -1), -1)


def wrong__online_logsumexp__wrong_dtype__2(scores, block_size):
    top = scores.amax(-1).to(torch.float32)
    total = torch.zeros(scores.shape[:-1], device=scores.device)
    for block in scores.to(torch.float32).split(block_size, dim=-1):
        total = total + (block - top[..., None]).exp().sum(dim=-1)
    return top + total.log()


def natural__online_logsumexp__online_no_rescale__1(scores, block_size):
    # Each block shifted by its own maximum, the sums added up, the last maximum put back.
    total = 0
    top = None
    for block in scores.split(block_size, dim=-1):
        top = block.amax(-1) if top is None else torch.maximum(top, block.amax(-1))
        total += torch.exp(block - block.amax(-1, keepdim=True)).sum(-1)
    return top + torch.log(total)


def natural__online_logsumexp__online_last_block__1(scores, block_size):
    # unfold leaves out what does not fill a block; shorter than one block is an error.
    return scores.unfold(-1, block_size, block_size).logsumexp(-1).logsumexp(-1)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
