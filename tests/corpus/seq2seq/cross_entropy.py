"""Answers to `cross_entropy(logits, targets)` of notebook 01."""

import math

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__log_softmax(logits, targets):
    return -torch.log_softmax(logits, dim=-1)[torch.arange(len(targets)), targets].mean()

def right__gather(logits, targets):
    log_p = F.log_softmax(logits, dim=1)
    return -log_p.gather(1, targets.unsqueeze(1)).mean()

def right__logsumexp(logits, targets):
    chosen = logits[torch.arange(logits.shape[0], device=logits.device), targets]
    return (logits.logsumexp(dim=-1) - chosen).mean()

def right__by_hand(logits, targets):
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    log_sum = shifted.exp().sum(dim=-1, keepdim=True).log()
    log_p = shifted - log_sum
    return -log_p.gather(-1, targets[:, None]).squeeze(-1).mean()

def right__loop(logits, targets):
    total = 0.0
    for row, target in zip(logits, targets, strict=True):
        total = total - row.log_softmax(dim=0)[target]
    return total / len(targets)

def right__list(logits, targets):
    losses = [-torch.log_softmax(logits[i], 0)[t] for i, t in enumerate(targets.tolist())]
    return torch.stack(losses).mean()

def right__one_hot(logits, targets):
    wanted = F.one_hot(targets, logits.shape[-1]).to(logits)
    return -(wanted * logits.log_softmax(-1)).sum(-1).mean()

def right__where(logits, targets):
    hit = torch.arange(logits.shape[-1], device=logits.device) == targets[:, None]
    return -torch.where(hit, logits.log_softmax(-1), 0.0).sum() / targets.numel()

def right__take_along(logits, targets):
    return torch.take_along_dim(-logits.log_softmax(-1), targets.view(-1, 1), dim=-1).mean()

def right__diagonal(logits, targets):
    return -torch.log_softmax(logits, -1)[:, targets].diagonal().mean()

def right__index_select(logits, targets):
    flat = logits.log_softmax(-1).flatten()
    places = torch.arange(len(targets), device=targets.device) * logits.shape[1] + targets
    return -flat.index_select(0, places).sum() / len(targets)

def right__differences(logits, targets):
    # ln p = −ln Σ exp(other − target): every difference to the target's logit.
    chosen = logits.gather(1, targets[:, None])
    return torch.logsumexp(logits - chosen, dim=1).mean()

def right__upcast(logits, targets):
    losses = -logits.double().log_softmax(-1).gather(-1, targets.unsqueeze(-1))
    return losses.mean().to(logits.dtype)
def odd__renamed(scores, right):
    """Names as the text around the exercise has them."""
    return -torch.log_softmax(scores, dim=-1)[torch.arange(len(right)), right].mean()

wrong__cross_entropy_of_probabilities__1 = change(
    right__log_softmax,
    ("torch.log_softmax(logits, dim=-1)", "torch.log_softmax(torch.softmax(logits, dim=-1), dim=-1)"),
)
wrong__cross_entropy_of_probabilities__2 = change(
    right__gather, ("F.log_softmax(logits, dim=1)", "F.log_softmax(F.softmax(logits, dim=1), dim=1)")
)
wrong__cross_entropy_sum__1 = change(right__log_softmax, (".mean()", ".sum()"))
wrong__cross_entropy_sum__2 = change(right__loop, ("total / len(targets)", "total"))
wrong__cross_entropy_sign__1 = change(right__log_softmax, ("-torch.log_softmax", "torch.log_softmax"))
wrong__cross_entropy_sign__2 = change(right__loop, ("total - row", "total + row"))
wrong__cross_entropy_overflows__1 = change(
    right__log_softmax, ("torch.log_softmax(logits, dim=-1)", "torch.log(torch.softmax(logits, dim=-1))")
)
wrong__cross_entropy_overflows__2 = change(
    right__by_hand, ("logits - logits.max(dim=-1, keepdim=True).values", "logits")
)

def wrong__cross_entropy_overflows__3(logits, targets):
    p = logits.exp() / logits.exp().sum(dim=-1, keepdim=True)
    return -p[torch.arange(len(targets)), targets].log().mean()
wrong__cross_entropy_overflows__4 = change(
    right__by_hand, ("logits.max(dim=-1, keepdim=True).values", "logits.max()")
)
wrong__cross_entropy_clamped__1 = change(
    right__log_softmax,
    ("torch.log_softmax(logits, dim=-1)", "torch.log(torch.softmax(logits, dim=-1) + 1e-9)"),
)
wrong__cross_entropy_clamped__2 = change(
    right__log_softmax,
    ("torch.log_softmax(logits, dim=-1)", "torch.log(torch.softmax(logits, dim=-1) + 1e-12)"),
)
wrong__cross_entropy_without_softmax__1 = change(
    right__log_softmax, ("torch.log_softmax(logits, dim=-1)", "logits")
)
wrong__cross_entropy_without_logarithm__1 = change(right__log_softmax, ("log_softmax", "softmax"))
wrong__cross_entropy_without_logarithm__2 = change(
    right__log_softmax, ("-torch.log_softmax", "1 - torch.softmax")
)
wrong__cross_entropy_in_bits__1 = change(right__log_softmax, (".mean()", ".mean() / math.log(2)"))
wrong__softmax_over_rows__1 = change(right__log_softmax, ("dim=-1", "dim=0"))
wrong__softmax_over_everything__1 = change(
    right__log_softmax,
    ("torch.log_softmax(logits, dim=-1)", "torch.log_softmax(logits.flatten(), dim=0).view_as(logits)"),
)
wrong__every_row_with_every_target__1 = change(
    right__log_softmax, ("torch.arange(len(targets)), targets", ":, targets")
)
wrong__every_row_with_every_target__2 = change(
    right__gather, ("log_p.gather(1, targets.unsqueeze(1))", "log_p.index_select(1, targets)")
)
wrong__mean_over_classes__1 = change(right__one_hot, (".sum(-1).mean()", ".mean()"))
wrong__mean_over_classes__2 = change(right__where, ("targets.numel()", "logits.numel()"))
def wrong__all_classes_scored__1(logits, targets):
    p = logits.softmax(-1)
    wanted = F.one_hot(targets, logits.shape[-1]).to(logits)
    return -(wanted * logits.log_softmax(-1) + torch.log1p(-p * (1 - wanted))).sum(-1).mean()

# A loss for each row, without the mean.
extra__rows = change(right__log_softmax, (".mean()", ""))
# A plain number, without a gradient.
extra__number = change(right__log_softmax, (".mean()", ".mean().item()"))
# The median of the losses.
extra__median = change(right__log_softmax, (".mean()", ".median()"))
# The targets choose rows.
extra__first_axis = change(right__log_softmax, ("[torch.arange(len(targets)), targets]", "[targets]"))
# What the model is most certain of, whatever the target.
wrong__most_probable_class__1 = change(
    right__log_softmax, ("[torch.arange(len(targets)), targets]", ".max(-1).values")
)
# Divided by the number of classes.
extra__per_class = change(right__log_softmax, (".mean()", ".sum() / logits.shape[-1]"))
# The Brier score.
extra__squared = change(
    right__one_hot,
    (
        "-(wanted * logits.log_softmax(-1)).sum(-1).mean()",
        "((wanted - logits.softmax(-1)) ** 2).sum(-1).mean()",
    ),
)
# Through half precision.
extra__in_half = change(
    right__log_softmax,
    ("torch.log_softmax(logits, dim=-1)", "torch.log_softmax(logits.half(), dim=-1).to(logits)"),
)
wrong__detached__1 = change(
    right__log_softmax, ("torch.log_softmax(logits,", "torch.log_softmax(logits.detach(),")
)
wrong__wrong_dtype__1 = change(right__log_softmax, (".mean()", ".mean().float()"))
wrong__wrong_device__1 = change(right__log_softmax, (".mean()", ".mean().cpu()"))
wrong__input_changed__1 = change(
    right__by_hand,
    (
        "    shifted = logits - logits.max(dim=-1, keepdim=True).values",
        "    shifted = logits.data.sub_(logits.data.max(dim=-1, keepdim=True).values) + logits - logits.data",
    ),
)
# The perplexity.
wrong__cross_entropy_exponentiated__1 = change(
    right__log_softmax, ("-torch.log", "torch.exp(-torch.log"), (".mean()", ".mean())")
)
# One logarithm, of the mean probability.
wrong__logarithm_of_the_mean__1 = change(
    right__log_softmax, ("log_softmax", "softmax"), (".mean()", ".mean().log()")
)
# The one number comes in an axis of length 1.
extra__axis_left = change(right__gather, (".mean()", ".mean(0)"))
