"""Answers to `sequence_loss(logits, targets, pad_token)` of notebook 08."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.corpus import change

def right__ignore_index(logits, targets, pad_token):
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=pad_token)

def right__log_softmax(logits, targets, pad_token):
    log_probabilities = logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    real = targets != pad_token
    return -(log_probabilities * real).sum() / real.sum()

def right__selected(logits: torch.Tensor, targets: torch.Tensor, pad_token: int) -> torch.Tensor:
    real = targets != pad_token
    return F.cross_entropy(logits[real], targets[real])

def right__logsumexp(logits, targets, pad_token):
    losses = logits.logsumexp(dim=-1) - torch.take_along_dim(logits, targets[..., None], dim=-1)[..., 0]
    return losses[targets != pad_token].mean()

def right__loops(logits, targets, pad_token):
    rows = logits.reshape(-1, logits.shape[-1])
    losses = []
    for row, target in zip(rows, targets.reshape(-1).tolist(), strict=True):
        if target != pad_token:
            shifted = row - row.detach().max()
            losses.append(shifted.exp().sum().log() - shifted[target])
    return torch.stack(losses).mean()

def right__one_hot(logits, targets, pad_token):
    wanted = F.one_hot(targets, logits.shape[-1]).to(logits.dtype)
    losses = -(wanted * F.log_softmax(logits, dim=-1)).sum(-1)
    return torch.where(targets == pad_token, 0.0, losses).sum() / targets.ne(pad_token).sum()

def right__weights(logits, targets, pad_token):
    # A class weight of 0 for padding: the mean is over the weights.
    weight = torch.ones(logits.shape[-1], dtype=logits.dtype, device=logits.device)
    weight[pad_token] = 0
    return F.cross_entropy(logits.flatten(0, -2), targets.flatten(), weight=weight)

def right__not_reduced(logits, targets, pad_token):
    flat = targets.flatten()
    losses = F.cross_entropy(logits.flatten(end_dim=-2), flat, reduction="none")
    real = (flat != pad_token).to(losses.dtype)
    return torch.dot(losses, real) / real.sum()

def right__module(logits, targets, pad_token):
    loss = nn.CrossEntropyLoss(ignore_index=pad_token, reduction="sum")
    total = loss(logits.reshape(targets.numel(), -1), targets.reshape(targets.numel()))
    return total / (targets != pad_token).sum()

def right__per_item(logits, targets, pad_token):
    total, count = 0.0, 0
    for scores, wanted in zip(
        logits.reshape(-1, *logits.shape[-2:]), targets.reshape(-1, targets.shape[-1]), strict=True
    ):
        real = wanted != pad_token
        if real.any():
            total = total + F.cross_entropy(scores[real], wanted[real], reduction="sum")
            count += int(real.sum())
    return total / count

def odd__nll(logits, wanted, padding=0):
    """`nll_loss`, other names, and a default that is never used."""
    log_probabilities = F.log_softmax(logits, dim=-1).flatten(0, -2)
    return F.nll_loss(log_probabilities, wanted.reshape(-1), ignore_index=padding)

def odd__distribution(logits, targets, pad_token):
    """torch.distributions does the work, in float64."""
    distribution = torch.distributions.Categorical(logits=logits.double(), validate_args=False)
    losses = -distribution.log_prob(targets)
    return losses[targets != pad_token].mean().to(logits.dtype)

def odd__classes_second(logits, targets, pad_token):
    """Class scores moved to the second axis, as cross_entropy wants them of a batch."""
    scores = logits.movedim(-1, 1) if targets.ndim > 1 else logits
    return F.cross_entropy(scores, targets, ignore_index=pad_token)

def wrong__loss_counts_padding__2(logits, targets, pad_token):
    return -logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).mean()

def wrong__loss_counts_padding__3(logits, targets, pad_token):
    wanted = F.one_hot(targets, logits.shape[-1]).to(logits.dtype)
    losses = logits.logsumexp(-1) - (wanted * logits).sum(-1)
    return losses.sum() / targets.numel()

def wrong__loss_divides_by_all__1(logits, targets, pad_token):
    flat = targets.reshape(-1)
    losses = F.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), flat, ignore_index=pad_token, reduction="none"
    )
    return losses.mean()

def wrong__loss_divides_by_all__2(logits, targets, pad_token):
    log_probabilities = logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return -(log_probabilities * (targets != pad_token)).mean()

def wrong__loss_divides_by_all__3(logits, targets, pad_token):
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    return losses[targets != pad_token].sum() / targets.numel()

def wrong__loss_per_sequence__2(logits, targets, pad_token):
    means = [
        F.cross_entropy(scores, wanted, ignore_index=pad_token)
        for scores, wanted in zip(
            logits.reshape(-1, *logits.shape[-2:]), targets.reshape(-1, targets.shape[-1]), strict=True
        )
    ]
    return sum(means) / len(means)

def wrong__detached__1(logits, targets, pad_token):
    return F.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=pad_token
    ).detach()

def wrong__detached__2(logits, targets, pad_token):
    real = targets != pad_token
    loss = F.cross_entropy(logits.data[real], targets[real])
    return loss.requires_grad_()

def wrong__input_changed__1(logits, targets, pad_token):
    # The padding is overwritten once it has been used.
    losses = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), reduction="none")
    real = targets.reshape(-1) != pad_token
    loss = losses[real].mean()
    targets[targets == pad_token] = 0 if pad_token else 1
    return loss

def wrong__input_changed__2(logits, targets, pad_token):
    ignored = targets.masked_fill_(targets == pad_token, -100)
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), ignored.reshape(-1))

def wrong__wrong_device__2(logits, targets, pad_token):
    wanted = torch.eye(logits.shape[-1], dtype=logits.dtype)[targets.cpu()]
    losses = -(wanted * logits.log_softmax(-1)).sum(-1)
    real = targets != pad_token
    return (losses * real).sum() / real.sum()

def wrong__wrong_dtype__1(logits, targets, pad_token):
    return F.cross_entropy(
        logits.reshape(-1, logits.shape[-1]).float(), targets.reshape(-1), ignore_index=pad_token
    )

def wrong__softmax_overflows__1(logits, targets, pad_token):
    """log after softmax: a small probability underflows to -inf."""
    picked = logits.softmax(-1).gather(-1, targets[..., None])[..., 0]
    return -picked.log()[targets != pad_token].mean()

def wrong__classes_mixed_with_tokens__1(logits, targets, pad_token):
    batch, n_tokens, n_classes = logits.shape
    return F.cross_entropy(logits.reshape(batch, n_classes, n_tokens), targets, ignore_index=pad_token)

def wrong__classes_mixed_with_tokens__2(logits, targets, pad_token):
    """Viewed as (batch, classes, n) where a transpose is needed: classes and tokens mix."""
    scores = logits.reshape(*logits.shape[:-2], logits.shape[-1], logits.shape[-2])
    scores = scores if targets.ndim > 1 else scores.T
    return F.cross_entropy(
        scores.reshape(-1, *scores.shape[-2:]) if targets.ndim > 1 else scores,
        targets.reshape(-1, targets.shape[-1]) if targets.ndim > 1 else targets,
        ignore_index=pad_token,
    )

wrong__loss_counts_padding__1 = change(right__ignore_index, (", ignore_index=pad_token", ""))
# The probability itself, and one minus it.
wrong__loss_without_logarithm__1 = change(wrong__softmax_overflows__1, ("picked.log()", "picked"))
wrong__loss_without_logarithm__2 = change(wrong__softmax_overflows__1, ("-picked.log()", "(1 - picked)"))
wrong__loss_per_sequence__1 = change(
    wrong__loss_divides_by_all__3, ("[..., 0]", "[..., 0]", "real = (targets != pad_token).to(logits.dtype)"),
    ("losses[targets != pad_token].sum() / targets.numel", "((losses * real).sum(-1) / real.sum(-1)).mean"),
)
wrong__wrong_device__1 = change(
    right__weights, ("# A class weight of 0 for padding: the mean is over the weights.", ""),
    (", device=logits.device", ""),
)
wrong__wrong_dtype__2 = change(wrong__loss_divides_by_all__3, (".sum() / targets.numel", ".float().mean"))

def natural__loss_counts_padding__1(logits, targets, pad_token):
    # A mask is made, and never used.
    real = targets != pad_token
    losses = F.cross_entropy(logits.flatten(0, -2), targets.flatten(), reduction="none").view(real.shape)
    return losses.mean()

# A sequence of nothing but padding is counted as a loss of 0.
natural__loss_per_sequence__1 = change(
    wrong__loss_per_sequence__1, ("logits.logsumexp(-1) - logits", "-F.log_softmax(logits, -1)"),
    ("real.sum(-1)", "real.sum(-1).clamp(min=1)"),
)

def extra__softmax_twice(logits, targets, pad_token):
    """Probabilities handed to a loss that softmaxes them again."""
    flat = logits.softmax(-1).reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad_token)

def extra__padding_scores_zeroed(logits, targets, pad_token):
    """The padding's scores set to 0: it costs log(vocabulary), and counts all the same."""
    kept = logits * (targets != pad_token).unsqueeze(-1)
    return F.cross_entropy(kept.flatten(0, -2), targets.flatten())

def extra__one_for_each_sequence(logits, targets, pad_token):
    """A loss for every sequence: the batch is left."""
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    real = (targets != pad_token).to(logits.dtype)
    return (losses * real).sum(-1) / real.sum(-1).clamp(min=1)

def extra__overflows(logits, targets, pad_token):
    """log of softmax by hand, without a shift."""
    exponentials = logits.exp()
    picked = exponentials.gather(-1, targets[..., None])[..., 0] / exponentials.sum(-1)
    return -picked.log()[targets != pad_token].mean()

def extra__squared(logits, targets, pad_token):
    """The squared error of the probabilities."""
    wanted = F.one_hot(targets, logits.shape[-1])
    return ((logits.softmax(-1) - wanted) ** 2).sum(-1)[targets != pad_token].mean()

def extra__accuracy(logits, targets, pad_token):
    """The share of tokens that are right."""
    real = targets != pad_token
    return (logits.argmax(-1) == targets)[real].to(logits.dtype).mean()

# `nll_loss` of the logits themselves: no softmax.
extra__logits_as_logarithms = change(extra__softmax_twice, (".softmax(-1)", ""), ("F.cross_entropy", "F.nll_loss"))
# The sum, not the mean.
extra__summed = change(extra__softmax_twice, (".softmax(-1)", ""), ("=pad_token", '=pad_token, reduction="sum"'))
# The sum over each sequence, averaged over the batch.
extra__summed_over_tokens = change(
    wrong__loss_divides_by_all__3,
    ("losses[targets != pad_token].sum() / targets.numel", "(losses * (targets != pad_token)).sum(-1).mean"),
)
# A loss for every token, none averaged.
extra__one_for_each_token = change(
    wrong__wrong_dtype__2, ("[targets != pad_token].float().mean()", ".masked_fill(targets == pad_token, 0)"),
)
# A tensor of one axis with one number.
extra__axis_of_one = change(extra__summed, (', reduction="sum")', ").reshape(1)"))
# A Python number: `.item()` cuts the gradient.
extra__python_number = change(
    extra__softmax_twice, (".softmax(-1)", ""), ("=pad_token)", "=pad_token).item()"),
)
# The log-likelihood: larger is better.
extra__sign = change(extra__softmax_twice, (".softmax(-1)", ""), ("return F", "return -F"))
# 1e-2 added against log 0.
extra__log_with_epsilon = change(wrong__softmax_overflows__1, ("picked.log", "(picked + 1e-2).log"))
# exp of the loss.
extra__perplexity = change(extra__softmax_twice, (".softmax(-1)", ""), ("=pad_token)", "=pad_token).exp()"))
# In bits: log base 2.
extra__bits = change(extra__perplexity, (".exp()", " / math.log(2)"))
# Token 0 taken as padding, whatever was asked for.
extra__pad_token_zero = change(extra__softmax_twice, (".softmax(-1)", ""), ("=pad_token", "=0"))
# Left out where padding is predicted, not where it is the target.
extra__padding_predicted = change(wrong__wrong_dtype__2, ("targets !=", "logits.argmax(-1) !="), (".float().", "."))
# The mask turned round.
extra__only_padding = change(
    wrong__loss_divides_by_all__3, ("targets !=", "targets =="), (".sum() / targets.numel", ".mean"),
)
# Padding is also taken out of the distribution.
extra__pad_logit_blocked = change(
    extra__softmax_twice,
    (":", ":", "    blocked = torch.arange(logits.shape[-1], device=logits.device) == pad_token"),
    (".softmax(-1)", ".masked_fill(blocked, -torch.inf)"),
)
# The softmax runs over the sequence.
extra__softmax_over_tokens = change(
    wrong__softmax_overflows__1, (".softmax(-1)", ".log_softmax(-2)"), ("picked.log()", "picked"),
)
# Logits transposed, targets not: they no longer belong together.
extra__sequence_first = change(extra__softmax_twice, (".softmax(-1)", ".transpose(0, -2)"))
# Labels smoothed, which nobody asked for.
extra__smoothed = change(extra__summed, ('reduction="sum"', "label_smoothing=0.1"))
# Targets moved by one once more.
extra__shifted_again = change(
    extra__softmax_twice, (".softmax(-1)", "[..., :-1, :]"), ("targets.", "targets[..., 1:]."),
)
# 1 added to the count against division by zero.
extra__epsilon_in_count = change(
    wrong__loss_divides_by_all__3, ("[..., 0]", "[..., 0]", "real = targets != pad_token"),
    ("[targets != pad_token].sum() / targets.numel()", "[real].sum() / (real.sum() + 1)"),
)
# The sum divided by the length of the sequence.
extra__divides_by_length = change(wrong__loss_divides_by_all__3, (".numel()", ".shape[-1]"))
# `squeeze` without an axis: one token loses an axis too many.
extra__squeezed_everywhere = change(
    right__log_softmax, (".squeeze(-1)", ".squeeze()"),
)
# `view` on logits and targets, which need not be contiguous.
extra__viewed = change(right__ignore_index, ("logits.reshape", "logits.view"), ("targets.reshape", "targets.view"))

# Two mistakes at once.
double__loss_counts_padding__and_loss_summed = change(
    right__ignore_index,
    ("ignore_index=pad_token", 'reduction="sum"'),
)
double__loss_sign__and_loss_counts_padding = change(
    right__ignore_index,
    ("return F", "return -F"),
    (", ignore_index=pad_token", ""),
)

def wrong__other_base__1(logits, targets, pad_token):
    """Bits, and safe for large scores."""
    losses = -logits.log_softmax(-1).gather(-1, targets[..., None])[..., 0] / math.log(2)
    return losses[targets != pad_token].mean()


def wrong__padding_in_predictions__1(logits, targets, pad_token):
    losses = F.cross_entropy(logits.mT, targets, reduction="none")
    return losses[logits.argmax(-1) != pad_token].mean()


def extra__cut_at_the_first_text(logits, targets, pad_token):
    """Every text cut at the length of the first one."""
    n = int((targets[0] != pad_token).sum())
    return F.cross_entropy(logits[:, :n].flatten(0, 1), targets[:, :n].flatten())


def extra__log2_of_softmax(logits, targets, pad_token):
    """Bits where nats are asked for, and the softmax by hand."""
    p = logits.softmax(-1).gather(-1, targets[..., None])[..., 0]
    return -torch.log2(p)[targets != pad_token].mean()


def wrong__full_sequence_left_out__1(logits, targets, pad_token):
    lengths = (targets == pad_token).int().argmax(dim=1)
    keep = torch.arange(targets.shape[1]) < lengths[:, None]
    return F.cross_entropy(logits[keep], targets[keep])


def wrong__loss_shifted__1(logits, targets, pad_token):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten(), ignore_index=pad_token)


def wrong__loss_counts_padding__blank(logits, targets, pad_token):
    keep = (targets != pad_token).unsqueeze(-1)
    return F.cross_entropy((logits * keep).flatten(0, 1), targets.flatten())


def wrong__loss_shifted__2(logits, targets, pad_token):
    losses = F.cross_entropy(logits[:, 1:].mT, targets[:, :-1], reduction="none")
    return losses[targets[:, :-1] != pad_token].mean()


def wrong__full_sequence_left_out__2(logits, targets, pad_token):
    """A loop over sequences, each cut at its first padding."""
    total, count = 0.0, 0
    for scores, target in zip(logits, targets):
        end = int((target == pad_token).int().argmax())
        total = total + F.cross_entropy(scores[:end], target[:end], reduction="sum")
        count += end
    return total / torch.tensor(count, dtype=logits.dtype, device=logits.device)
