"""Wrong answers beyond the table to `sequence_loss(logits, targets, pad_token)` of notebook 08."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__sequence_loss__softmax_twice(logits, targets, pad_token):
    """Probabilities handed to a loss that softmaxes them again."""
    flat = logits.softmax(-1).reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad_token)


def extra__sequence_loss__logits_as_logarithms(logits, targets, pad_token):
    """`nll_loss` of the logits themselves: no softmax."""
    flat = logits.reshape(-1, logits.shape[-1])
    return F.nll_loss(flat, targets.reshape(-1), ignore_index=pad_token)


def extra__sequence_loss__padding_scores_zeroed(logits, targets, pad_token):
    """The padding's scores set to 0: it costs log(vocabulary), and counts all the same."""
    kept = logits * (targets != pad_token).unsqueeze(-1)
    return F.cross_entropy(kept.flatten(0, -2), targets.flatten())


def extra__sequence_loss__summed(logits, targets, pad_token):
    """The sum, not the mean."""
    flat = logits.reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad_token, reduction="sum")


def extra__sequence_loss__summed_over_tokens(logits, targets, pad_token):
    """The sum over each sequence, averaged over the batch."""
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    return (losses * (targets != pad_token)).sum(-1).mean()


def extra__sequence_loss__one_for_each_sequence(logits, targets, pad_token):
    """A loss for every sequence: the batch is left."""
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    real = (targets != pad_token).to(logits.dtype)
    return (losses * real).sum(-1) / real.sum(-1).clamp(min=1)


def extra__sequence_loss__one_for_each_token(logits, targets, pad_token):
    """A loss for every token, none averaged."""
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    return losses.masked_fill(targets == pad_token, 0)


def extra__sequence_loss__axis_of_one(logits, targets, pad_token):
    """A tensor of one axis with one number."""
    flat = logits.reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad_token).reshape(1)


def extra__sequence_loss__python_number(logits, targets, pad_token):
    """A Python number: `.item()` cuts the gradient."""
    flat = logits.reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad_token).item()


def extra__sequence_loss__sign(logits, targets, pad_token):
    """The log-likelihood: larger is better."""
    flat = logits.reshape(-1, logits.shape[-1])
    return -F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad_token)


def extra__sequence_loss__overflows(logits, targets, pad_token):
    """log of softmax by hand, without a shift."""
    exponentials = logits.exp()
    picked = exponentials.gather(-1, targets[..., None])[..., 0] / exponentials.sum(-1)
    return -picked.log()[targets != pad_token].mean()


def extra__sequence_loss__log_of_softmax(logits, targets, pad_token):
    """log after softmax: a small probability underflows to -inf."""
    picked = logits.softmax(-1).gather(-1, targets[..., None])[..., 0]
    return -picked.log()[targets != pad_token].mean()


def extra__sequence_loss__log_with_epsilon(logits, targets, pad_token):
    """1e-2 added against log 0."""
    picked = logits.softmax(-1).gather(-1, targets[..., None])[..., 0]
    return -(picked + 1e-2).log()[targets != pad_token].mean()


def extra__sequence_loss__probability(logits, targets, pad_token):
    """One minus the probability, without the logarithm."""
    picked = logits.softmax(-1).gather(-1, targets[..., None])[..., 0]
    return (1 - picked)[targets != pad_token].mean()


def extra__sequence_loss__perplexity(logits, targets, pad_token):
    """exp of the loss."""
    flat = logits.reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad_token).exp()


def extra__sequence_loss__bits(logits, targets, pad_token):
    """In bits: log base 2."""
    flat = logits.reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad_token) / math.log(2)


def extra__sequence_loss__pad_token_zero(logits, targets, pad_token):
    """Token 0 taken as padding, whatever was asked for."""
    flat = logits.reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets.reshape(-1), ignore_index=0)


def extra__sequence_loss__padding_predicted(logits, targets, pad_token):
    """Left out where padding is predicted, not where it is the target."""
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    return losses[logits.argmax(-1) != pad_token].mean()


def extra__sequence_loss__only_padding(logits, targets, pad_token):
    """The mask turned round."""
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    return losses[targets == pad_token].mean()


def extra__sequence_loss__pad_logit_blocked(logits, targets, pad_token):
    """Padding is also taken out of the distribution."""
    blocked = torch.arange(logits.shape[-1], device=logits.device) == pad_token
    flat = logits.masked_fill(blocked, -torch.inf).reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad_token)


def extra__sequence_loss__softmax_over_tokens(logits, targets, pad_token):
    """The softmax runs over the sequence."""
    picked = logits.log_softmax(-2).gather(-1, targets[..., None])[..., 0]
    return -picked[targets != pad_token].mean()


def extra__sequence_loss__classes_viewed(logits, targets, pad_token):
    """Viewed as (batch, classes, n) where a transpose is needed: classes and tokens mix."""
    scores = logits.reshape(*logits.shape[:-2], logits.shape[-1], logits.shape[-2])
    scores = scores if targets.ndim > 1 else scores.T
    return F.cross_entropy(
        scores.reshape(-1, *scores.shape[-2:]) if targets.ndim > 1 else scores,
        targets.reshape(-1, targets.shape[-1]) if targets.ndim > 1 else targets,
        ignore_index=pad_token,
    )


def extra__sequence_loss__sequence_first(logits, targets, pad_token):
    """Logits transposed, targets not: they no longer belong together."""
    flat = logits.transpose(0, -2).reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad_token)


def extra__sequence_loss__squared(logits, targets, pad_token):
    """The squared error of the probabilities."""
    wanted = F.one_hot(targets, logits.shape[-1])
    return ((logits.softmax(-1) - wanted) ** 2).sum(-1)[targets != pad_token].mean()


def extra__sequence_loss__smoothed(logits, targets, pad_token):
    """Labels smoothed, which nobody asked for."""
    flat = logits.reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad_token, label_smoothing=0.1)


def extra__sequence_loss__shifted_again(logits, targets, pad_token):
    """Targets moved by one once more."""
    flat = logits[..., :-1, :].reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat, targets[..., 1:].reshape(-1), ignore_index=pad_token)


def extra__sequence_loss__epsilon_in_count(logits, targets, pad_token):
    """1 added to the count against division by zero."""
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    real = targets != pad_token
    return losses[real].sum() / (real.sum() + 1)


def extra__sequence_loss__divides_by_length(logits, targets, pad_token):
    """The sum divided by the length of the sequence."""
    losses = logits.logsumexp(-1) - logits.gather(-1, targets[..., None])[..., 0]
    return losses[targets != pad_token].sum() / targets.shape[-1]


def extra__sequence_loss__accuracy(logits, targets, pad_token):
    """The share of tokens that are right."""
    real = targets != pad_token
    return (logits.argmax(-1) == targets)[real].to(logits.dtype).mean()


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
