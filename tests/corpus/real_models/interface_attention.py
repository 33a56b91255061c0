"""Answers to `interface_attention(query, key, value, bias, scaling)` of notebook 14."""

import math

import torch
import torch.nn.functional as F

from course_attention import attention, grouped_query_attention
from tests.corpus import change


def right__attention(query, key, value, bias, scaling):
    n_repeats = query.shape[1] // key.shape[1]
    key = key.repeat_interleave(n_repeats, dim=1)
    value = value.repeat_interleave(n_repeats, dim=1)
    query = query * (scaling * math.sqrt(query.shape[-1]))
    allowed = None if bias is None else bias == 0
    output, weights = attention(query, key, value, allowed)
    return output.transpose(1, 2), weights


def right__grouped_query_attention(query, key, value, bias, scaling):
    if bias is not None:
        bias = bias >= 0
    output, weights = grouped_query_attention(query * scaling * query.size(-1) ** 0.5, key, value, bias)
    return output.transpose(1, 2).contiguous(), weights


def right__written_out(query, key, value, bias, scaling):
    groups = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scores = query @ key.mT * scaling
    if bias is not None:
        scores = scores.masked_fill(bias != 0, -math.inf)
    weights = scores.softmax(dim=-1).nan_to_num()
    return (weights @ value).transpose(1, 2), weights


def right__added_and_blanked(query, key, value, bias, scaling):
    groups = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scores = torch.matmul(query, key.transpose(2, 3)) * scaling
    if bias is None:
        weights = F.softmax(scores, dim=-1)
    else:
        lowest = torch.finfo(scores.dtype).min
        weights = F.softmax(scores + bias.clamp(min=lowest), dim=-1) * (bias == 0)
    return torch.matmul(weights, value).transpose(1, 2), weights


def right__einsum_by_group(query, key, value, bias, scaling):
    n_groups = key.shape[1]
    grouped = query.unflatten(1, (n_groups, -1))
    scores = torch.einsum("bgrqd,bgkd->bgrqk", grouped, key).flatten(1, 2) * scaling
    allowed = torch.ones_like(scores, dtype=torch.bool) if bias is None else bias == 0
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    output = torch.einsum("bgrqk,bgkv->bqgrv", weights.unflatten(1, (n_groups, -1)), value)
    return output.flatten(2, 3), weights


def right__loop_over_heads(query, key, value, bias, scaling):
    n_heads, n_groups = query.shape[1], key.shape[1]
    outputs, all_weights = [], []
    for head in range(n_heads):
        group = head * n_groups // n_heads
        scores = query[:, head] @ key[:, group].mT * scaling
        if bias is not None:
            scores = scores.masked_fill(bias[:, 0] < 0, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value[:, group])
        all_weights.append(weights)
    return torch.stack(outputs, dim=2), torch.stack(all_weights, dim=1)


def right__expand(query, key, value, bias, scaling):
    batch, n_heads, _, _ = query.shape

    def for_all_heads(x):
        copies = x[:, :, None].expand(-1, -1, n_heads // x.shape[1], -1, -1)
        return copies.reshape(batch, n_heads, *x.shape[2:])

    scores = torch.einsum("bhqd,bhkd->bhqk", query, for_all_heads(key)) * scaling
    allowed = torch.ones(1, 1, 1, 1, dtype=torch.bool, device=query.device) if bias is None else bias.eq(0)
    scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True)).masked_fill(~allowed, 0)
    weights = parts / parts.sum(-1, keepdim=True).masked_fill(~allowed.any(-1, keepdim=True), 1)
    return torch.einsum("bhqk,bhkd->bqhd", weights, for_all_heads(value)), weights


def right__index_select(query, key, value, bias, scaling):
    n_heads = query.shape[1]
    group = torch.arange(n_heads, device=query.device) // (n_heads // key.shape[1])
    scores = query @ key.index_select(1, group).mT * scaling
    if bias is not None:
        blocked = bias < 0
        scores = scores.masked_fill(blocked, -math.inf).masked_fill(blocked.all(-1, keepdim=True), 0.0)
    weights = scores.softmax(-1)
    if bias is not None:
        weights = weights.masked_fill(blocked, 0.0)
    return (weights @ value.index_select(1, group)).permute(0, 2, 1, 3), weights


def right__rows_of_a_group_joined(query, key, value, bias, scaling):
    # All queries of a group in one matrix: key and value are never copied.
    batch, n_heads, n_queries, d_key = query.shape
    n_groups, n_keys = key.shape[1], key.shape[2]
    joined = query.reshape(batch, n_groups, -1, d_key) * scaling
    scores = (joined @ key.mT).reshape(batch, n_heads, n_queries, n_keys)
    if bias is not None:
        scores = torch.where(bias == 0, scores, -math.inf)
    weights = scores.softmax(-1).nan_to_num(nan=0.0)
    output = (weights.reshape(batch, n_groups, -1, n_keys) @ value).reshape(batch, n_heads, n_queries, -1)
    return [output.swapaxes(1, 2), weights]


def right__in_float32(query, key, value, bias, scaling):
    dtype, wide = query.dtype, torch.promote_types(query.dtype, torch.float32)
    groups = query.shape[1] // key.shape[1]
    q, k, v = query.to(wide), key.to(wide).repeat_interleave(groups, 1), value.to(wide).repeat_interleave(groups, 1)
    scores = q @ k.mT * scaling
    if bias is not None:
        scores = scores.masked_fill(bias != 0, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ v).to(dtype).transpose(1, 2), weights.to(dtype)


def right__item_by_item(query, key, value, bias, scaling):
    found = []
    for item in range(len(query)):
        q, k, v = query[item], key[item], value[item]
        copies = q.shape[0] // k.shape[0]
        k, v = (torch.stack([x] * copies, dim=1).flatten(0, 1) for x in (k, v))
        allowed = None if bias is None else bias[item] == 0
        found.append(attention(q * (scaling * q.shape[-1] ** 0.5), k, v, allowed))
    outputs, weights = zip(*found)
    return torch.stack(outputs).transpose(1, 2), torch.stack(weights)


def right__scaled_keys(query, key, value, bias, scaling):
    key = (key * scaling * key.shape[-1] ** 0.5).repeat_interleave(query.shape[1] // key.shape[1], dim=-3)
    value = value.repeat_interleave(query.shape[1] // value.shape[1], dim=-3)
    allowed = bias if bias is None else bias.isfinite() & (bias > -1)
    output, weights = attention(query, key, value, allowed)
    return output.movedim(1, 2), weights


def right__log_softmax(query, key, value, bias, scaling):
    groups = query.shape[1] // key.shape[1]
    scores = scaling * (query @ key.repeat_interleave(groups, 1).mT)
    if bias is None:
        weights = F.log_softmax(scores, -1).exp()
    else:
        seen = bias == 0
        kept = seen | ~seen.any(-1, keepdim=True)
        weights = F.log_softmax(scores.masked_fill(~kept, -math.inf), -1).exp() * seen
    return (weights @ value.repeat_interleave(groups, 1)).transpose(1, 2), weights


def odd__renamed(q, k, v, mask, scale):
    """Names of its own, and a list."""
    groups = q.size(1) // k.size(1)
    k, v = (x.unsqueeze(2).expand(-1, -1, groups, -1, -1).flatten(1, 2) for x in (k, v))
    s = scale * (q @ k.mT)
    w = (s if mask is None else s.masked_fill(mask < 0, -math.inf)).softmax(-1).nan_to_num()
    return [(w @ v).transpose(1, 2), w]


def odd__defaults(query, key, value, bias=None, scaling=1.0, dropout=0.0):
    """Defaults, and an argument more."""
    allowed = None if bias is None else ~(bias < 0)
    query = query * scaling * query.shape[-1] ** 0.5
    output, weights = grouped_query_attention(query, key, value, allowed)
    return F.dropout(output, dropout).transpose(1, 2), weights


def odd__keyword_only(query, key, value, *, bias, scaling):
    """Bias and scaling by name only."""
    d_key = query.shape[-1]
    allowed = bias if bias is None else bias == 0
    output, weights = grouped_query_attention(query, key * (d_key**0.5 * scaling), value, allowed)
    return torch.einsum("bhqd->bqhd", output), weights


# The sum goes into the softmax as it is: a row in which everything is blocked has equal sums.
wrong__mask_fully_uniform__1 = change(
    right__written_out,
    ("scores = scores.masked_fill(bias != 0, -math.inf)", "scores = scores + bias"),
    (".softmax(dim=-1).nan_to_num()", ".softmax(dim=-1)"),
)
wrong__mask_fully_uniform__2 = change(
    right__written_out, ("scores = scores.masked_fill(bias != 0, -math.inf)", "scores = scores + bias")
)
wrong__mask_fully_uniform__3 = change(right__einsum_by_group, ("softmax(-1) * allowed", "softmax(-1)"))
wrong__mask_fully_nan__1 = change(right__written_out, (".softmax(dim=-1).nan_to_num()", ".softmax(dim=-1)"))
wrong__mask_fully_nan__2 = change(right__loop_over_heads, (".nan_to_num()", ""))
wrong__mask_after_softmax__1 = change(
    right__added_and_blanked,
    ("lowest = torch.finfo(scores.dtype).min", ""),
    ("scores + bias.clamp(min=lowest)", "scores"),
)
wrong__mask_tiny_fill__1 = change(
    right__einsum_by_group,
    ("torch.finfo(scores.dtype).min", "-10.0"),
    ("softmax(-1) * allowed", "softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)"),
)
wrong__mask_first_item_for_all__1 = change(right__written_out, ("bias != 0", "bias[:1] != 0"))
wrong__mask_first_item_for_all__2 = change(right__attention, ("bias == 0", "bias[0] == 0"))
wrong__softmax_over_queries__1 = change(right__written_out, ("dim=-1", "dim=-2"))
wrong__softmax_over_queries__2 = change(right__einsum_by_group, (".softmax(-1)", ".softmax(-2)"))
wrong__softmax_over_heads__1 = change(right__written_out, ("dim=-1", "dim=1"))
wrong__softmax_over_batch__1 = change(right__written_out, ("dim=-1", "dim=0"))
wrong__softmax_missing__1 = change(
    right__written_out, ("-math.inf", "0.0"), ("scores.softmax(dim=-1).nan_to_num()", "scores")
)
wrong__softmax_overflows__1 = change(
    right__written_out,
    (
        "weights = scores.softmax(dim=-1).nan_to_num()",
        "parts = scores.exp()",
        "weights = parts / parts.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
)
wrong__weights_times_keys__1 = change(right__written_out, ("weights @ value", "weights @ key"))
wrong__weights_times_keys__2 = change(right__attention, ("(query, key, value, allowed)", "(query, key, key, allowed)"))
# As the course's own attention gives it.
wrong__interface_layout__1 = change(right__attention, ("output.transpose(1, 2)", "output"))
wrong__interface_layout__2 = change(right__loop_over_heads, ("(outputs, dim=2)", "(outputs, dim=1)"))
wrong__interface_layout_by_view__1 = change(
    right__attention,
    (
        "return output.transpose(1, 2), weights",
        "batch, n_heads, n_queries, _ = query.shape",
        "return output.reshape(batch, n_queries, n_heads, -1), weights",
    ),
)
wrong__interface_heads_joined__1 = change(right__attention, ("transpose(1, 2)", "transpose(1, 2).flatten(2)"))
wrong__interface_weights_moved__1 = change(right__attention, ("(1, 2), weights", "(1, 2), weights.transpose(1, 2)"))
# `scaling` is never looked at.
wrong__interface_own_scale__1 = change(right__attention, ("query = query * (scaling * math.sqrt(query.shape[-1]))", ""))
# attention divides by √d_key too.
wrong__interface_own_scale__2 = change(right__attention, ("(scaling * math.sqrt(query.shape[-1]))", "scaling"))
wrong__interface_own_scale__3 = change(right__written_out, ("* scaling", "/ math.sqrt(query.shape[-1])"))
wrong__no_scale__1 = change(right__written_out, (" * scaling", ""))
wrong__no_scale__2 = change(right__attention, ("scaling * math", "math"))
wrong__interface_scaling_divided__1 = change(right__written_out, ("* scaling", "/ scaling"))
wrong__interface_scale_undone__1 = change(right__written_out, ("* scaling", "* scaling * math.sqrt(query.shape[-1])"))
wrong__interface_scaling_divided__2 = change(
    right__attention, ("(scaling * math.sqrt(query.shape[-1]))", "(1 / scaling)")
)
wrong__interface_mask_as_boolean__1 = change(right__attention, ("bias == 0", "bias.bool()"))
wrong__interface_mask_as_boolean__2 = change(right__written_out, ("bias != 0", "bias == 0"))
wrong__interface_mask_ignored__1 = change(right__attention, ("None if bias is None else bias == 0", "None"))
wrong__interface_mask_ignored__2 = change(right__loop_over_heads, ("scores = scores.masked_fill", "scores.masked_fill"))
wrong__groups_tiled__1 = change(
    right__attention,
    ("key.repeat_interleave(n_repeats, dim=1)", "key.repeat(1, n_repeats, 1, 1)"),
    ("value.repeat_interleave(n_repeats, dim=1)", "value.repeat(1, n_repeats, 1, 1)"),
)
wrong__groups_tiled__2 = change(right__loop_over_heads, ("head * n_groups // n_heads", "head % n_groups"))
wrong__first_group_everywhere__1 = change(right__loop_over_heads, ("head * n_groups // n_heads", "0"))
wrong__detached__1 = change(right__attention, ("query = query *", "query = query.detach() *"))
wrong__detached__2 = change(right__loop_over_heads, ("def", "@torch.no_grad()", "def"))
wrong__input_changed__1 = change(
    right__grouped_query_attention, ("query * scaling *", "query.mul_(scaling) *")
)
# The lowest number is set in the caller's bias.
wrong__input_changed__2 = change(right__added_and_blanked, ("bias.clamp(min=lowest)", "bias.clamp_(min=lowest / 2)"))
wrong__wrong_device__1 = change(right__expand, (", device=query.device", ""))
wrong__wrong_device__2 = change(right__index_select, (", device=query.device", ""))
wrong__wrong_dtype__1 = change(right__attention, ("(1, 2), weights", "(1, 2).float(), weights.float()"))
wrong__wrong_dtype__2 = change(right__attention, ("(1, 2), weights", "(1, 2), weights.double()"))
# Neither the layout nor the scaling of the interface is looked at.
double__interface_layout__and_interface_own_scale = change(
    right__attention,
    ("output.transpose(1, 2)", "output"),
    ("query = query * (scaling * math.sqrt(query.shape[-1]))", ""),
)
# The groups are dealt out in turn, and the softmax is taken of the sum.
natural__groups_tiled__1 = change(
    right__added_and_blanked,
    ("key.repeat_interleave(groups, 1)", "key.repeat(1, groups, 1, 1)"),
    ("value.repeat_interleave(groups, 1)", "value.repeat(1, groups, 1, 1)"),
    ("bias.clamp(min=lowest), dim=-1) * (bias == 0)", "bias, dim=-1)"),
)
# Query and key are both scaled.
wrong__interface_scale_undone__2 = change(
    right__attention, ("= attention(query, key,", "= attention(query, key * scaling * math.sqrt(key.shape[-1]),")
)
# Only −∞ blocks, or only the lowest number.
wrong__interface_one_number_only__1 = change(right__attention, ("bias == 0", "bias != -math.inf"))
wrong__interface_one_number_only__2 = change(right__attention, ("bias == 0", "bias != torch.finfo(bias.dtype).min"))

# Read as cards by somebody who had not seen the misconceptions.
def wrong__mask_fully_uniform__4(query, key, value, bias, scaling):
    """The bias is added before the scaling."""
    rep = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(rep, 1), value.repeat_interleave(rep, 1)
    s = query @ key.transpose(-1, -2)
    if bias is not None:
        s = s + bias
    s = s * scaling
    w = torch.softmax(s, -1).nan_to_num()
    return (w @ value).transpose(1, 2), w

def wrong__interface_scaling_root__1(query, key, value, bias, scaling):
    """The scores are divided by the root of `scaling`."""
    rep = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(rep, 1), value.repeat_interleave(rep, 1)
    s = query @ key.transpose(-1, -2) / math.sqrt(scaling)
    if bias is not None:
        s = s.masked_fill(bias != 0, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num()
    return (w @ value).transpose(1, 2), w

def extra__both_sides_scaled(query, key, value, bias, scaling):
    """Queries and keys are both multiplied by `scaling`."""
    rep = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(rep, 1), value.repeat_interleave(rep, 1)
    s = (query * scaling) @ (key * scaling).transpose(-1, -2)
    if bias is not None:
        s = s.masked_fill(bias != 0, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num()
    return (w @ value).transpose(1, 2), w

def extra__values_not_repeated(query, key, value, bias, scaling):
    """Only the keys are repeated for the heads of a group."""
    rep = query.shape[1] // key.shape[1]
    key = key.repeat_interleave(rep, 1)
    s = query @ key.transpose(-1, -2) * scaling
    if bias is not None:
        s = s.masked_fill(bias != 0, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num()
    return (w @ value).transpose(1, 2), w

def wrong__groups_tiled__3(query, key, value, bias, scaling):
    """The heads are cut into (heads of a group, groups)."""
    b, h, n, d = query.shape
    g = key.shape[1]
    q = query.reshape(b, h // g, g, n, d)
    s = torch.einsum("brgqd,bgkd->brgqk", q, key) * scaling
    if bias is not None:
        s = s.masked_fill(bias[:, None] != 0, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num()
    out = torch.einsum("brgqk,bgkd->brgqd", w, value)
    return out.reshape(b, h, n, -1).transpose(1, 2), w.reshape(b, h, n, -1)
