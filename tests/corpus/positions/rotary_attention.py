"""Answers to `rotary_attention(query, key, value, query_positions, key_positions, allowed, base)` of notebook 06."""

import math

import torch

from course_attention import attention, masked_softmax, rotary
from tests.corpus import change

def right__two_helpers(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    query = rotary(query, query_positions, base)
    key = rotary(key, key_positions, base)
    return attention(query, key, value, allowed)

def right__one_line(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    return attention(rotary(query, query_positions, base), rotary(key, key_positions, base), value, allowed)

def right__by_hand(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    turned_query, turned_key = rotary(query, query_positions, base), rotary(key, key_positions, base)
    scores = turned_query @ turned_key.mT / math.sqrt(key.shape[-1])
    weights = masked_softmax(scores, allowed)
    return weights @ value, weights

def right__softmax_by_hand(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    scores = rotary(query, query_positions, base) @ rotary(key, key_positions, base).mT
    scores = scores / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    largest = scores.amax(dim=-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).min)
    exponentials = (scores - largest).exp()
    weights = exponentials / exponentials.sum(dim=-1, keepdim=True).clamp(min=1e-30)
    return weights @ value, weights

def right__complex(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    def turn(x, positions):
        pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
        exponent = torch.arange(0, x.shape[-1], 2, device=x.device, dtype=torch.float64) / x.shape[-1]
        angle = positions[:, None] / base**exponent
        turned = pairs * torch.polar(torch.ones_like(angle), angle)
        return torch.view_as_real(turned).flatten(-2).to(x.dtype)

    return attention(turn(query, query_positions), turn(key, key_positions), value, allowed)

def right__offsets(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    # Only the difference of the positions counts: both may be moved by the same number.
    first = key_positions.min()
    return attention(
        rotary(query, query_positions - first, base), rotary(key, key_positions - first, base), value, allowed
    )

def right__by_the_difference(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    # Nothing is turned: each score depends on the difference of two positions.
    d = query.shape[-1]
    difference = (key_positions[None, :] - query_positions[:, None]).double()
    angle = difference[..., None] * base ** (-torch.arange(0, d, 2, device=query.device).double() / d)
    cos, sin = angle.cos().to(query.dtype), angle.sin().to(query.dtype)
    q_even, q_odd = query[..., :, None, ::2], query[..., :, None, 1::2]
    k_even, k_odd = key[..., None, :, ::2], key[..., None, :, 1::2]
    scores = (q_even * k_even + q_odd * k_odd) * cos + (q_odd * k_even - q_even * k_odd) * sin
    weights = masked_softmax(scores.sum(-1) / d**0.5, allowed)
    return weights @ value, weights

def right__table_in_float32(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    def turn(x, positions):
        frequencies = base ** (-torch.arange(0, x.shape[-1], 2, device=x.device) / x.shape[-1])
        angle = positions[:, None] * frequencies
        a, b, cos, sin = x[..., ::2], x[..., 1::2], angle.cos(), angle.sin()
        return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2).to(x.dtype)

    return attention(turn(query, query_positions), turn(key, key_positions), value, allowed)

def odd__renamed(q, k, v, i, j, mask=None, theta=10000.0):
    """Other names, and a list in place of a tuple."""
    return list(attention(rotary(q, i, theta), rotary(k, j, theta), v, mask))

wrong__no_scale__1 = change(right__by_hand, (" / math.sqrt(key.shape[-1])", ""))
wrong__no_scale__2 = change(right__softmax_by_hand, ("scores = scores / key.shape[-1] ** 0.5", ""))
wrong__mask_ignored__1 = change(right__two_helpers, ("value, allowed)", "value)"))
wrong__mask_ignored__2 = change(right__by_hand, ("scores, allowed)", "scores, None)"))
wrong__mask_inverted__1 = change(
    right__two_helpers,
    (
        "return attention(query, key, value, allowed)",
        "blocked = None if allowed is None else ~allowed\n    return attention(query, key, value, blocked)",
    ),
)
wrong__mask_inverted__2 = change(right__softmax_by_hand, ("~allowed", "allowed"))
wrong__mask_fully_nan__1 = change(
    right__softmax_by_hand, (".clamp(min=torch.finfo(scores.dtype).min)", ""), (".clamp(min=1e-30)", ""),
)
wrong__mask_fully_nan__2 = change(
    right__softmax_by_hand,
    ("largest = scores.amax(dim=-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).min)", ""),
    ("exponentials = (scores - largest).exp()", ""),
    ("exponentials / exponentials.sum(dim=-1, keepdim=True).clamp(min=1e-30)", "scores.softmax(dim=-1)"),
)
wrong__mask_fully_uniform__1 = change(wrong__mask_fully_nan__2, ("-torch.inf", "torch.finfo(scores.dtype).min"))
wrong__mask_fully_uniform__2 = change(wrong__mask_fully_nan__1, ("-torch.inf", "torch.finfo(scores.dtype).min"))
wrong__values_turned__1 = change(
    right__two_helpers,
    ("return", "value = rotary(value, key_positions, base)\n    return"),
)
wrong__values_turned__2 = change(
    right__one_line,
    (", value, allowed", ", rotary(value, key_positions, base), allowed"),
)
wrong__only_one_turned__1 = change(right__two_helpers, ("    key = rotary(key, key_positions, base)\n", ""))
wrong__only_one_turned__2 = change(right__one_line, ("rotary(query, query_positions, base)", "query"))
wrong__rotary_forgotten__1 = change(
    right__two_helpers, ("query = rotary", "rotary"), ("key = rotary", "rotary")
)
wrong__rotary_forgotten__2 = change(right__by_hand, ("turned_query @ turned_key", "query @ key"))
wrong__same_positions__1 = change(right__one_line, ("key, key_positions", "key, query_positions"))
wrong__same_positions__2 = change(right__two_helpers, ("query, query_positions", "query, key_positions"))
wrong__positions_exchanged__1 = change(
    right__one_line,
    ("query, query_positions, base", "query, key_positions, base"),
    ("key, key_positions", "key, query_positions"),
)
wrong__positions_exchanged__2 = change(
    right__by_hand,
    ("rotary(query, query_positions, base)", "rotary(query, key_positions, base)"),
    ("rotary(key, key_positions", "rotary(key, query_positions"),
)

def wrong__rotary_no_positions__1(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    i = torch.arange(query.shape[-2], device=query.device)
    j = torch.arange(key.shape[-2], device=query.device)
    return attention(rotary(query, i, base), rotary(key, j, base), value, allowed)

wrong__rotary_no_positions__2 = change(
    wrong__rotary_no_positions__1,
    ("torch.arange(query.shape[-2], device=query.device)", "torch.ones_like(query_positions).cumsum(0) - 1"),
)
wrong__rotary_opposite__1 = change(right__two_helpers, ("rotary(key, key_positions", "rotary(key, -key_positions"))
wrong__rotary_opposite__2 = change(
    right__one_line,
    ("rotary(query, query_positions", "rotary(query, -query_positions"),
)
wrong__rotary_backwards__1 = change(
    right__two_helpers,
    ("query, query_positions", "query, -query_positions"),
    ("key, key_positions", "key, -key_positions"),
)
wrong__rotary_backwards__2 = change(right__complex, ("angle = positions", "angle = -positions"))
wrong__base_ignored__1 = change(
    right__two_helpers,
    ("query_positions, base)", "query_positions)"),
    ("key_positions, base)", "key_positions)"),
)
wrong__base_ignored__2 = change(right__complex, ("/ base**", "/ 10000.0**"))
wrong__detached__1 = change(right__two_helpers, ("rotary(query,", "rotary(query.detach(),"))
wrong__detached__2 = change(right__by_hand, ("@ value, weights", "@ value.detach(), weights"))
wrong__wrong_dtype__1 = change(
    right__by_hand,
    ("return weights @ value, weights", "return (weights @ value).float(), weights.float()"),
)
wrong__wrong_dtype__2 = change(
    right__two_helpers,
    (
        "return attention(query, key, value, allowed)",
        "return attention(query.double(), key.double(), value.double(), allowed)",
    ),
)
wrong__wrong_device__1 = change(right__complex, (", device=x.device", ""))
wrong__wrong_device__2 = change(
    wrong__rotary_no_positions__1,
    ("torch.arange(query.shape[-2], device=query.device)", "query_positions + torch.zeros(1)"),
    ("torch.arange(key.shape[-2], device=query.device)", "key_positions + torch.zeros(1)"),
)
wrong__input_changed__1 = change(
    right__two_helpers,
    ("query = rotary", "query *= 1.5\n    query = rotary(query / 1.5, query_positions, base)\n    _ = rotary"),
)
wrong__input_changed__2 = change(
    right__offsets,
    ("first = key_positions.min()", "first = 0\n    key_positions -= 1\n    query_positions -= 1"),
)

def extra__output_turned_too(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    """What comes out is turned back."""
    output, weights = attention(rotary(query, query_positions, base), rotary(key, key_positions, base), value, allowed)
    return rotary(output, -query_positions, base), weights

wrong__softmax_overflows__1 = change(right__softmax_by_hand, ("(scores - largest).exp()", "scores.exp()"))
wrong__scale_multiplied__1 = change(right__by_hand, ("/ math.sqrt", "* math.sqrt"))
wrong__mask_scores_to_zero__1 = change(right__softmax_by_hand, ("-torch.inf", "0.0"))
wrong__mask_tiny_fill__1 = change(right__softmax_by_hand, ("-torch.inf", "-10.0"))
wrong__mask_added_as_01__1 = change(
    right__softmax_by_hand, ("scores = scores.masked_fill(~allowed, -torch.inf)", "scores = scores + allowed")
)
wrong__mask_after_softmax__1 = change(
    right__by_hand,
    ("masked_softmax(scores, allowed)", "scores.softmax(-1) * (1 if allowed is None else allowed)"),
)
wrong__softmax_over_queries__1 = change(
    right__by_hand, ("masked_softmax(scores, allowed)", "masked_softmax(scores.mT, allowed_t).mT"),
    (
        "    weights =",
        "    allowed_t = None if allowed is None else allowed.expand(scores.shape).mT\n    weights =",
    ),
)
# The mask writes into the scores, in its own shape.
extra__assigned_by_mask = change(
    right__softmax_by_hand, ("scores = scores.masked_fill(~allowed, -torch.inf)", "scores[~allowed] = -torch.inf")
)
# Positions above 63 are all one.
extra__clamped = change(right__two_helpers, ("query, query_positions", "query, query_positions.clamp(0, 63)"))
# Positions in bfloat16, which has no 257.
extra__bfloat16_positions = change(
    right__two_helpers, ("query, query_positions", "query, query_positions.bfloat16()")
)
# Along the second batch axis, the first mask is taken for all.
extra__mask_of_one_batch_axis = change(
    right__softmax_by_hand, ("~allowed", "~(allowed[:, :1] if allowed.dim() == 4 else allowed)")
)
# Positions in float16, which has no 2049.
extra__float16_positions = change(
    right__two_helpers, ("query, query_positions", "query, query_positions.half()"),
    ("key, key_positions", "key, key_positions.half()"),
)
# The blocked weights are set to 0 after the softmax, and the others divided by what is left.
wrong__mask_after_renormalised__1 = change(
    right__by_hand,
    (
        "weights = masked_softmax(scores, allowed)",
        "weights = scores.softmax(-1) * (1 if allowed is None else allowed)",
        "weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
)


def wrong__positions_exchanged__cut(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    q = rotary(query, key_positions[: query.shape[-2]], base)
    k = rotary(key, query_positions, base)
    return attention(q, k, value, allowed)


def extra__scores_turned(query, key, value, query_positions, key_positions, allowed=None, base=10000.0):
    """No vector is turned: each score is multiplied by the cosine of the distance."""
    distance = query_positions[:, None] - key_positions[None, :]
    scores = query @ key.mT / math.sqrt(query.shape[-1]) * torch.cos(distance.to(query.dtype))
    if allowed is not None:
        scores = scores.masked_fill(~allowed, float("-inf"))
    w = torch.softmax(scores, -1).nan_to_num()
    return w @ value, w
