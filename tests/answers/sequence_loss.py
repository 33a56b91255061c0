"""Answers to `sequence_loss(logits, targets, pad_token)` of notebook 08."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


def right__sequence_loss__ignore_index(logits, targets, pad_token):
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=pad_token)


def right__sequence_loss__log_softmax(logits, targets, pad_token):
    log_probabilities = logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    real = targets != pad_token
    return -(log_probabilities * real).sum() / real.sum()


def right__sequence_loss__selected(
    logits: torch.Tensor, targets: torch.Tensor, pad_token: int
) -> torch.Tensor:
    real = targets != pad_token
    return F.cross_entropy(logits[real], targets[real])


def right__sequence_loss__logsumexp(logits, targets, pad_token):
    losses = logits.logsumexp(dim=-1) - torch.take_along_dim(logits, targets[..., None], dim=-1)[..., 0]
    return losses[targets != pad_token].mean()


def right__sequence_loss__loops(logits, targets, pad_token):
    rows = logits.reshape(-1, logits.shape[-1])
    losses = []
    for row, target in zip(rows, targets.reshape(-1).tolist(), strict=True):
        if target != pad_token:
            shifted = row - row.detach().max()
            losses.append(shifted.exp().sum().log() - shifted[target])
    return torch.stack(losses).mean()


def right__sequence_loss__one_hot(logits, targets, pad_token):
    wanted = F.one_hot(targets, logits.shape[-1]).to(logits.dtype)
    losses = -(wanted * F.log_softmax(logits, dim=-1)).sum(-1)
    return torch.where(targets == pad_token, 0.0, losses).sum() / targets.ne(pad_token).sum()


def right__sequence_loss__weights(logits, targets, pad_token):
    # A class weight of 0 for padding: the mean is over the weights.
    weight = torch.ones(logits.shape[-1], dtype=logits.dtype, device=logits.device)
    weight[pad_token] = 0
    return F.cross_entropy(logits.flatten(0, -2), targets.flatten(), weight=weight)


def right__sequence_loss__not_reduced(logits, targets, pad_token):
    flat = targets.flatten()
    losses = F.cross_entropy(logits.flatten(end_dim=-2), flat, reduction="none")
    real = (flat != pad_token).to(losses.dtype)
    return torch.dot(losses, real) / real.sum()


def right__sequence_loss__module(logits, targets, pad_token):
    loss = nn.CrossEntropyLoss(ignore_index=pad_token, reduction="sum")
    total = loss(logits.reshape(targets.numel(), -1), targets.reshape(targets.numel()))
    return total / (targets != pad_token).sum()


def right__sequence_loss__per_item(logits, targets, pad_token):
    total, count = 0.0, 0
    for scores, wanted in zip(
        logits.reshape(-1, *logits.shape[-2:]), targets.reshape(-1, targets.shape[-1]), strict=True
    ):
        real = wanted != pad_token
        if real.any():
            total = total + F.cross_entropy(scores[real], wanted[real], reduction="sum")
            count += int(real.sum())
    return total / count


def odd__sequence_loss__nll(logits, wanted, padding=0):
    """`nll_loss`, other names, and a default that is never used."""
    log_probabilities = F.log_softmax(logits, dim=-1).flatten(0, -2)
    return F.nll_loss(log_probabilities, wanted.reshape(-1), ignore_index=padding)


def odd__sequence_loss__distribution(logits, targets, pad_token):
    """torch.distributions does the work, in float64."""
    distribution = torch.distributions.Categorical(logits=logits.double(), validate_args=False)
    losses = -distribution.log_prob(targets)
    return losses[targets != pad_token].mean().to(logits.dtype)


def odd__sequence_loss__classes_second(logits, targets, pad_token):
    """Class scores moved to the second axis, as cross_entropy wants them of a batch."""
    scores = logits.movedim(-1, 1) if targets.ndim > 1 else logits
    return F.cross_entropy(scores, targets, ignore_index=pad_token)


def wrong__sequence_loss__loss_counts_padding__1(logits, targets, pad_token):
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))


def wrong__sequence_loss__loss_counts_padding__2(logits, targets, pad_token):
    return -logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).mean()


def wrong__sequence_loss__loss_counts_padding__3(logits, targets, pad_token):
    wanted = F.one_hot(targets, logits.shape[-1]).to(logits.dtype)
    losses = logits.logsumexp(-1) - (wanted * logits).sum(-1)
    return losses.sum() / targets.numel()


def wrong__sequence_loss__loss_divides_by_all__1(logits, targets, pad_token):
    flat = targets.reshape(-1)
    losses = F.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), flat, ignore_index=pad_token, reduction="none"
    )
    return losses.mean()


def wrong__sequence_loss__loss_divides_by_all__2(logits, targets, pad_token):
    log_probabilities = logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return -(log_probabilities * (targets != pad_token)).mean()


def wrong__sequence_loss__loss_divides_by_all__3(logits, targets, pad_token):
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    return losses[targets != pad_token].sum() / targets.numel()


def wrong__sequence_loss__loss_per_sequence__1(logits, targets, pad_token):
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    real = (targets != pad_token).to(logits.dtype)
    return ((losses * real).sum(-1) / real.sum(-1)).mean()


def wrong__sequence_loss__loss_per_sequence__2(logits, targets, pad_token):
    means = [
        F.cross_entropy(scores, wanted, ignore_index=pad_token)
        for scores, wanted in zip(
            logits.reshape(-1, *logits.shape[-2:]), targets.reshape(-1, targets.shape[-1]), strict=True
        )
    ]
    return sum(means) / len(means)


def wrong__sequence_loss__detached__1(logits, targets, pad_token):
    return F.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=pad_token
    ).detach()


def wrong__sequence_loss__detached__2(logits, targets, pad_token):
    real = targets != pad_token
    loss = F.cross_entropy(logits.data[real], targets[real])
    return loss.requires_grad_()


def wrong__sequence_loss__input_changed__1(logits, targets, pad_token):
    # The padding is overwritten once it has been used.
    losses = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), reduction="none")
    real = targets.reshape(-1) != pad_token
    loss = losses[real].mean()
    targets[targets == pad_token] = 0 if pad_token else 1
    return loss


def wrong__sequence_loss__input_changed__2(logits, targets, pad_token):
    ignored = targets.masked_fill_(targets == pad_token, -100)
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), ignored.reshape(-1))


def wrong__sequence_loss__wrong_device__1(logits, targets, pad_token):
    weight = torch.ones(logits.shape[-1], dtype=logits.dtype)
    weight[pad_token] = 0
    return F.cross_entropy(logits.flatten(0, -2), targets.flatten(), weight=weight)


def wrong__sequence_loss__wrong_device__2(logits, targets, pad_token):
    wanted = torch.eye(logits.shape[-1], dtype=logits.dtype)[targets.cpu()]
    losses = -(wanted * logits.log_softmax(-1)).sum(-1)
    real = targets != pad_token
    return (losses * real).sum() / real.sum()


def wrong__sequence_loss__wrong_dtype__1(logits, targets, pad_token):
    return F.cross_entropy(
        logits.reshape(-1, logits.shape[-1]).float(), targets.reshape(-1), ignore_index=pad_token
    )


def wrong__sequence_loss__wrong_dtype__2(logits, targets, pad_token):
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    return losses[targets != pad_token].float().mean()


def natural__sequence_loss__loss_per_sequence__1(logits, targets, pad_token):
    # A sequence of nothing but padding is counted as a loss of 0.
    losses = -F.log_softmax(logits, -1).gather(-1, targets[..., None])[..., 0]
    real = (targets != pad_token).to(logits.dtype)
    return ((losses * real).sum(-1) / real.sum(-1).clamp(min=1)).mean()


def natural__sequence_loss__loss_counts_padding__1(logits, targets, pad_token):
    # A mask is made, and never used.
    real = targets != pad_token
    losses = F.cross_entropy(logits.flatten(0, -2), targets.flatten(), reduction="none").view(real.shape)
    return losses.mean()


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
