"""Answers to `next_token_probabilities(logits, temperature=1.0, top_k=None, top_p=None)` of notebook 10."""

import math

import torch
import torch.nn.functional as F

from tests.corpus import change


def filtered(logits, temperature=1.0, top_k=None, top_p=None):
    ordered, order = torch.sort(logits / temperature, dim=-1, descending=True, stable=True)
    probabilities = F.softmax(ordered[..., :top_k], dim=-1)
    if top_p is not None:
        before = probabilities.cumsum(dim=-1) - probabilities
        probabilities = probabilities * (before < top_p)
    probabilities = probabilities / probabilities.sum(dim=-1, keepdim=True)
    return torch.zeros_like(logits).scatter(-1, order[..., :top_k], probabilities)


def greedy(logits):
    return F.one_hot(logits.argmax(dim=-1), logits.shape[-1]).to(logits.dtype)


def right__sorted_and_scattered(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), logits.shape[-1]).to(logits.dtype)
    ordered, order = torch.sort(logits / temperature, dim=-1, descending=True, stable=True)
    if top_k is not None:
        ordered = ordered.masked_fill(
            torch.arange(ordered.shape[-1], device=logits.device) >= top_k, -math.inf
        )
    probabilities = F.softmax(ordered, dim=-1)
    if top_p is not None:
        before = probabilities.cumsum(dim=-1) - probabilities
        probabilities = F.softmax(ordered.masked_fill(before >= top_p, -math.inf), dim=-1)
    return torch.zeros_like(logits).scatter(-1, order, probabilities)


def right__topk_indices(logits, temperature=1.0, top_k=None, top_p=None):
    n = logits.size(-1)
    if temperature == 0:
        top_k, temperature = 1, 1.0
    scaled = logits / temperature
    if top_k is not None:
        _, best = scaled.topk(min(top_k, n), dim=-1)
        dropped = torch.ones_like(scaled, dtype=torch.bool).scatter(-1, best, False)
        scaled = scaled.masked_fill(dropped, float("-inf"))
    if top_p is not None:
        p = scaled.softmax(dim=-1)
        q, order = p.sort(dim=-1, descending=True)
        drop = q.cumsum(-1) >= top_p
        drop = torch.cat([torch.zeros_like(drop[..., :1]), drop[..., :-1]], dim=-1)
        scaled = scaled.masked_fill(drop.gather(-1, order.argsort(-1)), float("-inf"))
    return scaled.softmax(dim=-1)


def right__row_by_row(logits, temperature=1.0, top_k=None, top_p=None):
    def one_row(logits):
        ranked = torch.argsort(logits, descending=True, stable=True)
        if temperature == 0:
            return torch.eye(len(logits), dtype=logits.dtype, device=logits.device)[ranked[0]]
        kept = ranked[:top_k]
        if top_p is not None:
            count, total = 0, 0.0
            for share in torch.softmax(logits[kept] / temperature, dim=0):
                total, count = total + share * (total < top_p), count + (total < top_p)
            kept = kept[torch.arange(len(kept), device=logits.device) < count]
        out = torch.full_like(logits, -math.inf)
        out[kept] = logits[kept] / temperature
        return out.softmax(dim=0)

    rows = [one_row(row) for row in logits.reshape(-1, logits.shape[-1])]
    return torch.stack(rows).reshape(logits.shape)


def right__probabilities_filtered(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        best = logits.argmax(-1, keepdim=True)
        return torch.zeros_like(logits).scatter_(-1, best, 1.0)
    p = torch.exp(torch.log_softmax(logits / temperature, dim=-1))
    rank = torch.argsort(torch.argsort(p, dim=-1, descending=True, stable=True), dim=-1)
    if top_k:
        p = torch.where(rank < top_k, p, 0.0)
        p = p / p.sum(dim=-1, keepdim=True)
    if top_p:
        larger = rank.unsqueeze(-2) < rank.unsqueeze(-1)  # [i, j]: token j is more probable than token i
        before = (larger * p.unsqueeze(-2)).sum(dim=-1)
        p = p * (before < top_p)
        p = p / p.sum(dim=-1, keepdim=True)
    return p


def right__shifted_by_hand(logits, temperature=1.0, top_k=None, top_p=None):
    wide = logits.to(torch.promote_types(logits.dtype, torch.float32))
    order = torch.argsort(wide, dim=-1, descending=True, stable=True)
    wide = wide - wide.amax(dim=-1, keepdim=True)
    place = torch.empty_like(order).scatter_(
        -1, order, torch.arange(order.size(-1), device=order.device).expand_as(order)
    )
    if temperature == 0:
        return (place == 0).to(logits.dtype)
    parts = torch.exp(wide / temperature)
    if top_k is not None:
        parts = parts * (place < top_k)
    parts = parts / parts.sum(-1, keepdim=True)
    if top_p is not None:
        so_far = parts.gather(-1, order).cumsum(-1)
        count = (so_far < top_p).sum(-1, keepdim=True) + 1
        parts = parts * (place < count)
        parts = parts / parts.sum(-1, keepdim=True)
    return parts.to(logits.dtype)


def row(logits, temperature, top_k, top_p):
    if temperature == 0:
        return torch.zeros_like(logits).index_fill(0, logits.argmax(), 1)
    p = torch.softmax(logits / temperature, -1)
    kept = sorted(range(len(p)), key=lambda i: -p[i].item())[:top_k]
    if top_p is not None:
        total, reached, chosen = sum(p[i].item() for i in kept), 0.0, []
        for i in kept:
            chosen.append(i)
            reached += p[i].item() / total
            if reached >= top_p:
                break
        kept = chosen
    mask = torch.zeros(len(p), dtype=torch.bool, device=p.device)
    mask[kept] = True
    p = torch.where(mask, p, 0.0)
    return p / p.sum()

def right__sorted_lists(logits, temperature=1.0, top_k=None, top_p=None):
    rows = logits.reshape(-1, logits.shape[-1])
    return torch.stack([row(each, temperature, top_k, top_p) for each in rows]).view(logits.shape)

def odd__renamed(z, T=1.0, k=None, p=None):
    """Other names, top_k by a loop of argmax."""
    n = z.size(-1)
    k = 1 if T == 0 else n if k is None else min(k, n)
    left, kept = z.detach().clone(), torch.zeros_like(z, dtype=torch.bool)
    for _ in range(k):
        best = left.argmax(-1, keepdim=True)
        kept = kept.scatter(-1, best, True)
        left = left.scatter(-1, best, -math.inf)
    q = (z / (T or 1.0)).masked_fill(~kept, -math.inf).softmax(-1)
    if p is not None and T != 0:
        values, order = q.sort(-1, descending=True)
        stay = (values.cumsum(-1) - values < p).scatter(-1, order, values.cumsum(-1) - values < p)
        q = q.masked_fill(~stay, 0.0)
    return q / q.sum(-1, keepdim=True)


def odd__by_name_only(logits, *, temperature=1.0, top_k=None, top_p=None, min_p=0.0):
    """An argument more, the others by name only."""
    return greedy(logits) if temperature == 0 else filtered(logits, temperature, top_k, top_p)


def wrong__temperature_ignored__1(logits, temperature=1.0, top_k=None, top_p=None):
    # The probabilities are divided, and scaled to 1 again.
    if temperature == 0:
        return greedy(logits)
    p = logits.softmax(dim=-1) / temperature
    p = p / p.sum(dim=-1, keepdim=True)
    return filtered(p.log(), 1.0, top_k, top_p)


# Probabilities have a temperature, too.
wrong__temperature_after_softmax__1 = change(
    right__probabilities_filtered,
    ("torch.exp(torch.log_softmax(logits / temperature, dim=-1))", "logits.softmax(dim=-1) / temperature"),
)
wrong__temperature_after_softmax__2 = change(
    right__topk_indices, ("scaled = logits / temperature", "scaled = logits.softmax(-1) / temperature")
)
wrong__temperature_multiplied__1 = change(
    right__sorted_and_scattered, ("logits / temperature", "logits * temperature")
)


def wrong__temperature_last__1(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return greedy(logits)
    kept = filtered(logits, 1.0, top_k, top_p) > 0
    return (logits / temperature).masked_fill(~kept, -math.inf).softmax(dim=-1)


wrong__temperature_zero_divides__1 = change(
    right__sorted_and_scattered,
    ("if temperature == 0:", "if temperature < 0:"),
)
# A small number is put in the place of 0.
wrong__temperature_zero_shared__1 = change(
    right__sorted_and_scattered,
    ("if temperature == 0:", "if temperature < 0:"),
    ("logits / temperature", "logits / max(temperature, 1e-6)"),
)
wrong__temperature_zero_ignored__1 = change(
    right__sorted_and_scattered,
    ("if temperature == 0:", "if temperature < 0:"),
    ("logits / temperature", "logits / (temperature or 1.0)"),
)
# masked_fill gives a new tensor, which is lost.
wrong__top_k_ignored__1 = change(
    right__sorted_and_scattered, ("ordered = ordered.masked_fill(", "ordered.masked_fill(")
)
wrong__top_k_off_by_one__1 = change(right__sorted_and_scattered, (">= top_k", "> top_k"))
# The k-th largest logit as the limit: of equal ones all stay, which is nowhere asked.
right__limit = change(
    right__topk_indices,
    ("_, best = scaled.topk(min(top_k, n), dim=-1)", "best, _ = scaled.topk(min(top_k, n), dim=-1)"),
    (
        ("dropped = torch.ones_like(scaled, dtype=torch.bool).scatter(-1, best, False)"),
        "dropped = scaled < best[..., -1:]",
    ),
    (
        "    if temperature == 0:\n        top_k, temperature = 1, 1.0",
        ("    if temperature == 0:\n        return F.one_hot(logits.argmax(dim=-1), n).to(logits.dtype)"),
    ),
)
wrong__top_k_of_the_last__1 = change(
    right__probabilities_filtered,
    ("torch.where(rank < top_k, p, 0.0)", "torch.where(rank >= p.shape[-1] - top_k, p, 0.0)"),
)
wrong__top_p_ignored__1 = change(right__sorted_and_scattered, ("before >= top_p", "before >= 1.0"))
wrong__top_p_excludes_crossing__1 = change(
    right__sorted_and_scattered, ("before >= top_p", "probabilities.cumsum(dim=-1) > top_p")
)
# At least the first stays.
wrong__top_p_excludes_crossing__2 = change(
    right__shifted_by_hand,
    (
        ("count = (so_far < top_p).sum(-1, keepdim=True) + 1"),
        ("count = (so_far < top_p).sum(-1, keepdim=True).clamp(min=1)"),
    ),
)
wrong__top_p_one_too_many__1 = change(
    right__shifted_by_hand, ("sum(-1, keepdim=True) + 1", "sum(-1, keepdim=True) + 2")
)


def wrong__top_p_not_sorted__1(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return greedy(logits)
    p = filtered(logits, temperature, top_k)
    if top_p is not None:
        p = p * (p.cumsum(dim=-1) - p < top_p)
        p = p / p.sum(dim=-1, keepdim=True)
    return p


# The mask is made in sorted order, and never brought back.
wrong__top_p_order_not_undone__1 = change(right__topk_indices, ("drop.gather(-1, order.argsort(-1))", "drop"))
wrong__top_p_as_threshold__1 = change(
    right__sorted_and_scattered, ("before >= top_p", "probabilities < top_p")
)
wrong__top_p_as_threshold__2 = change(
    right__probabilities_filtered, ("p = p * (before < top_p)", "p = p * ((p >= top_p) | (rank == 0))")
)


def wrong__top_p_from_the_least__1(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return greedy(logits)
    p = filtered(logits, temperature, top_k)
    if top_p is not None:
        ordered, order = p.sort(dim=-1)
        drop = ordered.cumsum(dim=-1) <= top_p
        drop[..., -1] = False
        p = p.masked_fill(drop.gather(-1, order.argsort(dim=-1)), 0.0)
    return p / p.sum(dim=-1, keepdim=True)


def wrong__top_p_before_top_k__1(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return greedy(logits)
    p = filtered(logits, temperature, None, top_p)
    return filtered(p.log(), 1.0, top_k)


wrong__top_p_before_top_k__2 = change(
    right__probabilities_filtered,
    (
        ("p = torch.where(rank < top_k, p, 0.0)\n        p = p / p.sum(dim=-1, keepdim=True)"),
        "p = torch.where(rank < top_k, p, 0.0)",
    ),
    (
        "        p = p / p.sum(dim=-1, keepdim=True)\n    return p",
        "    return p / p.sum(dim=-1, keepdim=True)",
    ),
)
wrong__one_filter_only__1 = change(right__probabilities_filtered, ("    if top_p:", "    elif top_p:"))
wrong__not_scaled__1 = change(
    right__probabilities_filtered,
    (
        ("p = torch.where(rank < top_k, p, 0.0)\n        p = p / p.sum(dim=-1, keepdim=True)"),
        "p = torch.where(rank < top_k, p, 0.0)",
    ),
    ("        p = p / p.sum(dim=-1, keepdim=True)\n    return p", "    return p"),
)
wrong__dropped_logits_to_zero__1 = change(
    right__topk_indices,
    ('masked_fill(dropped, float("-inf"))', "masked_fill(dropped, 0.0)"),
    ('order.argsort(-1)), float("-inf"))', "order.argsort(-1)), 0.0)"),
    (
        "        top_k, temperature = 1, 1.0",
        "        return F.one_hot(logits.argmax(dim=-1), n).to(logits.dtype)",
    ),
)
wrong__returned_in_order__1 = change(
    right__probabilities_filtered,
    ("    return p", "    return p.sort(dim=-1, descending=True).values"),
    (
        ("return torch.zeros_like(logits).scatter_(-1, best, 1.0)"),
        ("return torch.zeros_like(logits).scatter_(-1, 0 * best, 1.0)"),
    ),
)
wrong__softmax_over_rows__1 = change(
    right__probabilities_filtered,
    (("torch.log_softmax(logits / temperature, dim=-1)"), ("torch.log_softmax(logits / temperature, dim=0)")),
)
wrong__softmax_overflows__1 = change(
    right__shifted_by_hand, ("wide = wide - wide.amax(dim=-1, keepdim=True)", "wide = 1.0 * wide")
)
# Divides the caller's tensor.
wrong__input_changed__1 = change(
    right__sorted_and_scattered,
    ("    ordered, order", "    logits /= temperature\n    ordered, order"),
    ("logits / temperature", "logits"),
)
wrong__wrong_dtype__1 = change(
    right__shifted_by_hand, ("return parts.to(logits.dtype)", "return parts.float()")
)
wrong__detached__1 = change(
    right__sorted_and_scattered,
    ("scatter(-1, order, probabilities)", ("scatter(-1, order, probabilities.detach())")),
)
wrong__wrong_device__1 = change(right__sorted_and_scattered, (", device=logits.device", ""))


def extra__argmax_given(logits, temperature=1.0, top_k=None, top_p=None):
    """Gives the token, not the probabilities."""
    return logits.argmax(dim=-1)


# Both steps are done on the logits as they came, and the temperature forgets them.
extra__nothing_left = change(right__sorted_and_scattered, ("before >= top_p", "before >= -1.0"))


double__temperature_ignored__and_top_k_off_by_one = change(
    right__sorted_and_scattered, ("logits / temperature", "logits"), (">= top_k", "> top_k")
)

# Greedy only where no filter is given.
extra__greedy_without_filters = change(
    right__sorted_and_scattered,
    ("if temperature == 0:", "if temperature == 0 and top_k is None and top_p is None:"),
)
# At a p of 1, sums that round below it leave one token.
extra__first_that_reaches_p = change(
    right__sorted_and_scattered,
    (
        "        before = probabilities.cumsum(dim=-1) - probabilities\n",
        "        last = (probabilities.cumsum(dim=-1) >= top_p).int().argmax(-1, keepdim=True)\n",
    ),
    ("before >= top_p", "torch.arange(ordered.shape[-1], device=logits.device) > last"),
)


def wrong__softmax_again__1(logits, temperature=1.0, top_k=None, top_p=None):
    """Whatever is kept goes through a softmax once more."""
    if temperature == 0:
        return greedy(logits)
    probabilities = (logits / temperature).softmax(dim=-1)
    if top_k is not None:
        largest, token = probabilities.topk(top_k, dim=-1)
        probabilities = torch.zeros_like(probabilities).scatter(-1, token, largest).softmax(dim=-1)
    if top_p is not None:
        ordered, order = probabilities.sort(dim=-1, descending=True)
        ordered = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
        probabilities = torch.zeros_like(probabilities).scatter(-1, order, ordered).softmax(dim=-1)
    return probabilities


def wrong__dropped_logits_to_zero__2(logits, temperature=1.0, top_k=None, top_p=None):
    """The logits that top_k drops are 0; top_p drops probabilities."""
    if temperature == 0:
        return greedy(logits)
    logits = logits / temperature
    if top_k is not None:
        largest, token = logits.topk(top_k, dim=-1)
        logits = torch.zeros_like(logits).scatter(-1, token, largest)
    probabilities = logits.softmax(dim=-1)
    if top_p is not None:
        ordered, order = probabilities.sort(dim=-1, descending=True, stable=True)
        ordered = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
        probabilities = torch.zeros_like(probabilities).scatter(-1, order, ordered)
        probabilities = probabilities / probabilities.sum(dim=-1, keepdim=True)
    return probabilities


# Temperature 0 is no case of its own: multiplied by it, all logits are equal.
wrong__temperature_multiplied__2 = change(
    right__sorted_and_scattered,
    ("if temperature == 0:", "if False:"),
    ("logits / temperature", "logits * temperature"),
)
