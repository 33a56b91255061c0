"""Answers to `latent_attention(query, latent, w_key, w_value, allowed=None)` of notebook 11."""

import math

import torch

from course_attention import attention, masked_softmax
from tests.corpus import change

def right__einsum(query, latent, w_key, w_value, allowed=None):
    asked = torch.einsum("...hqd,hld->...hql", query, w_key)
    scores = torch.einsum("...hql,...kl->...hqk", asked, latent) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(dim=-1).nan_to_num()
    mixed = torch.einsum("...hqk,...kl->...hql", weights, latent)
    return torch.einsum("...hql,hlv->...hqv", mixed, w_value), weights

def right__rows_of_all_heads_joined(query, latent, w_key, w_value, allowed=None):
    # The queries of all heads stand in one matrix, so that the latents are never copied.
    n_heads, n_queries, d_key = query.shape[-3:]
    asked = (query @ w_key.mT).flatten(-3, -2)
    scores = (asked @ latent.mT * d_key**-0.5).unflatten(-2, (n_heads, n_queries))
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = (weights.flatten(-3, -2) @ latent).unflatten(-2, (n_heads, n_queries))
    return mixed @ w_value, weights

def right__head_by_head(query, latent, w_key, w_value, allowed=None):
    shape = (*query.shape[:-1], latent.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for head in range(len(w_key)):
        scores = query[..., head, :, :] @ w_key[head].T @ latent.mT / query.shape[-1] ** 0.5
        scores = scores.masked_fill(~mask[..., head, :, :], -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ latent @ w_value[head])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)

def right__earlier_helpers(query, latent, w_key, w_value, allowed=None):
    asked = torch.einsum("...hqd,hld->...hql", query, w_key)
    scores = torch.einsum("...hql,...kl->...hqk", asked, latent) / query.shape[-1] ** 0.5
    weights = masked_softmax(scores, allowed)
    return torch.einsum("...hqk,...kl,hlv->...hqv", weights, latent, w_value), weights

def right__by_attention(query, latent, w_key, w_value, allowed=None):
    # The helper of notebook 02 divides by the root of d_latent: the query makes up for it.
    scale = math.sqrt(latent.shape[-1] / query.shape[-1])
    outputs, all_weights = [], []
    for head, (key_matrix, value_matrix) in enumerate(zip(w_key, w_value, strict=True)):
        own = None
        if allowed is not None:
            own = allowed.select(-3, head if allowed.shape[-3] > 1 else 0) if allowed.dim() > 2 else allowed
        asked = query.select(-3, head) @ key_matrix.T * scale
        mixed, weights = attention(asked, latent, latent, own)
        outputs.append(mixed @ value_matrix)
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)

def right__in_float32(query, latent, w_key, w_value, allowed=None):
    dtype, wide = query.dtype, torch.promote_types(query.dtype, torch.float32)
    q, c, a, b = query.to(wide), latent.to(wide), w_key.to(wide), w_value.to(wide)
    scores = torch.einsum("...hqd,hld,...kl->...hqk", q, a, c) / q.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(allowed.logical_not(), -math.inf)
    parts = (scores - scores.amax(-1, keepdim=True).nan_to_num(neginf=0.0)).exp()
    weights = parts / parts.sum(-1, keepdim=True).clamp(min=torch.finfo(wide).tiny)
    output = torch.einsum("...hqk,...kl->...hql", weights, c) @ b
    return output.to(dtype), weights.to(dtype)

def odd__renamed(q, c, a, b, mask=None):
    """Other names, and a list."""
    s = torch.einsum("...hqd,hld,...kl->...hqk", q, a, c) / math.sqrt(q.size(-1))
    w = (s if mask is None else s.masked_fill(~mask, -math.inf)).softmax(-1).nan_to_num()
    return [torch.einsum("...hqk,...kl->...hql", w, c) @ b, w]

def odd__key_by_key(query, latent, w_key, w_value, *, allowed=None):
    """One latent after the other, and the mask by name only."""
    asked = query @ w_key.mT
    columns = [(asked * c[..., None, None, :]).sum(-1) for c in latent.unbind(-2)]
    s = torch.stack(columns, -1) / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    mixed = sum(w[..., j, None] * c[..., None, None, :] for j, c in enumerate(latent.unbind(-2)))
    return mixed @ w_value, w

def odd__values_head_by_head(query, latent, w_key, w_value, allowed=None):
    """Keys and values are made after all, of one head at a time: they fit into the limit."""
    shape = (*query.shape[:-1], latent.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    pairs = []
    for head in range(len(w_key)):
        scores = query[..., head, :, :] @ w_key[head].T @ latent.mT / math.sqrt(query.shape[-1])
        scores = scores.masked_fill(~mask[..., head, :, :], -math.inf)
        pairs.append((scores.softmax(-1).nan_to_num() @ latent, scores.softmax(-1).nan_to_num()))
    outputs, weights = (torch.stack(parts, -3) for parts in zip(*pairs, strict=True))
    return outputs @ w_value, weights

# The answer that the definition suggests: right numbers, and the keys and values of all heads.
extra__keys_of_all_heads = change(
    right__einsum,
    ('asked = torch.einsum("...hqd,hld->...hql", query, w_key)', "key = latent.unsqueeze(-3) @ w_key"),
    ('torch.einsum("...hql,...kl->...hqk", asked, latent)', "query @ key.mT"),
    (
        'mixed = torch.einsum("...hqk,...kl->...hql", weights, latent)',
        "value = latent.unsqueeze(-3) @ w_value",
    ),
    ('torch.einsum("...hql,hlv->...hqv", mixed, w_value)', "weights @ value"),
)
# The keys are never made, the values of all heads are.
extra__values_of_all_heads = change(
    right__einsum,
    (
        'mixed = torch.einsum("...hqk,...kl->...hql", weights, latent)',
        "value = latent.unsqueeze(-3) @ w_value",
    ),
    ('torch.einsum("...hql,hlv->...hqv", mixed, w_value)', "weights @ value"),
)
# Bracketed as it should be, but the product copies the latents for each head.
extra__copied_by_the_product = change(
    right__einsum,
    ('torch.einsum("...hql,...kl->...hqk", asked, latent)', "asked @ latent.unsqueeze(-3).mT"),
    ('torch.einsum("...hqk,...kl->...hql", weights, latent)', "weights @ latent.unsqueeze(-3)"),
)
# Multiplied with the head's matrix on the way in, forgotten on the way out: an error unless d_value is d_latent.
wrong__latent_as_value__1 = change(right__einsum, ('torch.einsum("...hql,hlv->...hqv", mixed, w_value)', "mixed"))
# The queries meet the latents as they are.
wrong__latent_as_key__1 = change(right__einsum, ('torch.einsum("...hqd,hld->...hql", query, w_key)', "query"))
wrong__latent_as_key__2 = change(right__head_by_head, ("@ w_key[head].T @", "@"))
# The values of a head from the keys' matrix.
wrong__values_from_key_matrix__1 = change(right__einsum, ("mixed, w_value", "mixed, w_key"))
wrong__values_from_key_matrix__2 = change(right__head_by_head, ("w_value[head]", "w_key[head]"))
# The product is over d_latent, and so is the scale.
wrong__scale_by_latent__1 = change(right__einsum, ("query.shape[-1]", "latent.shape[-1]"))
wrong__scale_by_latent__2 = change(right__rows_of_all_heads_joined, ("d_key**", "latent.shape[-1]**"))
# Moved to the query without turning it.
wrong__key_matrix_not_transposed__1 = change(right__einsum, ("...hqd,hld->", "...hqd,hdl->"))
wrong__key_matrix_not_transposed__2 = change(right__rows_of_all_heads_joined, ("w_key.mT", "w_key"))
# One pair of matrices for all heads.
wrong__first_head_for_all__1 = change(right__head_by_head, ("w_key[head]", "w_key[0]"), ("w_value[head]", "w_value[0]"))
wrong__first_head_for_all__2 = change(right__head_by_head, ("w_key[head]", "w_key[0]"))
wrong__first_head_for_all__3 = change(right__head_by_head, ("w_value[head]", "w_value[0]"))
# The latents have no axis of heads.
wrong__batch_as_heads__1 = change(
    right__einsum,
    ('torch.einsum("...hql,...kl->...hqk", asked, latent)', "asked @ latent.mT"),
    ('torch.einsum("...hqk,...kl->...hql", weights, latent)', "weights @ latent"),
)
wrong__no_scale__1 = change(right__einsum, (" / math.sqrt(query.shape[-1])", ""))
wrong__no_scale__2 = change(right__rows_of_all_heads_joined, (" * d_key**-0.5", ""))
wrong__scale_by_d__1 = change(right__einsum, ("math.sqrt(query.shape[-1])", "query.shape[-1]"))
wrong__scale_by_d__2 = change(right__rows_of_all_heads_joined, ("-0.5", "-1"))
wrong__scale_multiplied__1 = change(right__einsum, ("/ math", "* math"))
wrong__scale_wrong_axis__1 = change(right__einsum, ("query.shape[-1]", "latent.shape[-2]"))
wrong__scale_wrong_axis__2 = change(right__einsum, ("query.shape[-1]", "w_value.shape[-1]"))
wrong__scale_by_d_model__1 = change(right__einsum, ("query.shape[-1]", "query.shape[-1] * query.shape[-3]"))
wrong__softmax_over_queries__1 = change(right__einsum, ("dim=-1", "dim=-2"))
wrong__softmax_over_heads__1 = change(right__einsum, ("dim=-1", "dim=-3"))
wrong__softmax_over_batch__1 = change(right__einsum, ("dim=-1", "dim=0"))
wrong__softmax_missing__1 = change(
    right__einsum, ("scores.softmax(dim=-1).nan_to_num()", "scores"), ("-math.inf", "0.0")
)
wrong__softmax_overflows__1 = change(
    right__einsum,
    (
        "weights = scores.softmax(dim=-1).nan_to_num()",
        "parts = scores.exp()",
        "weights = parts / parts.sum(-1, keepdim=True)",
    ),
    (
        "return",
        "if allowed is not None:",
        "    seen = allowed.any(-1, keepdim=True)",
        "    mixed, weights = mixed.masked_fill(~seen, 0), weights.masked_fill(~seen, 0)",
        "return",
    ),
)
wrong__mask_inverted__1 = change(right__einsum, ("~allowed", "allowed"))
wrong__mask_inverted__2 = change(right__rows_of_all_heads_joined, ("else allowed", "else ~allowed"))
wrong__mask_ignored__1 = change(right__einsum, ("scores = scores.masked", "scores.masked"))
wrong__mask_after_softmax__1 = change(
    right__einsum,
    ("if allowed is not None:", ""),
    ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
    (
        "scores.softmax(dim=-1).nan_to_num()",
        "scores.softmax(dim=-1)",
        "weights = weights if allowed is None else weights * allowed",
    ),
)
wrong__mask_scores_to_zero__1 = change(
    right__einsum,
    ("-math.inf", "0.0"),
    (
        "nan_to_num()",
        "nan_to_num()",
        "weights = weights if allowed is None else weights * allowed.any(-1, keepdim=True)",
    ),
)
wrong__mask_tiny_fill__1 = change(wrong__mask_scores_to_zero__1, ("0.0)", "-10.0)"))
wrong__mask_added_as_01__1 = change(
    wrong__mask_scores_to_zero__1, ("scores.masked_fill(~allowed, 0.0)", "scores + allowed")
)
wrong__mask_fully_nan__1 = change(right__einsum, (".nan_to_num()", ""))
wrong__mask_fully_uniform__1 = change(right__einsum, ("-math.inf", "torch.finfo(scores.dtype).min"))
wrong__mask_on_queries__1 = change(right__einsum, ("~allowed", "~allowed.mT"))
wrong__mask_first_item_for_all__1 = change(
    right__einsum, ("~allowed", "~(allowed[:1] if allowed.dim() > 3 else allowed)")
)
# Works in place.
wrong__input_changed__1 = change(
    right__einsum,
    ("asked =", "query /= math.sqrt(query.shape[-1])", "asked ="),
    (" / math.sqrt(query.shape[-1])", ""),
)
wrong__wrong_dtype__1 = change(right__in_float32, ("output.to(dtype), weights.to(dtype)", "output, weights"))
wrong__wrong_dtype__2 = change(right__einsum, ("mixed, w_value), weights", "mixed, w_value).float(), weights.float()"))
wrong__detached__1 = change(right__einsum, ("mixed, w_value), weights", "mixed, w_value).detach(), weights.detach()"))
wrong__detached__2 = change(right__einsum, ("def", "@torch.no_grad()", "def"))
wrong__wrong_device__1 = change(
    right__einsum,
    ("asked =", "shift = torch.zeros(latent.shape[-2], dtype=query.dtype)", "asked ="),
    ("if allowed", "scores = scores + shift", "if allowed"),
)

# The maximum of all scores is subtracted: rows far below it vanish.
extra__one_maximum = change(
    right__einsum,
    (
        "scores.softmax(dim=-1).nan_to_num()",
        "(scores - scores.max()).exp()",
        "weights = weights / weights.sum(-1, keepdim=True)",
    ),
)
# Only the output comes back.
extra__output_alone = change(right__einsum, ("mixed, w_value), weights", "mixed, w_value)"))
# The other way round.
extra__weights_first = change(
    right__einsum,
    (
        'torch.einsum("...hql,hlv->...hqv", mixed, w_value), weights',
        'weights, torch.einsum("...hql,hlv->...hqv", mixed, w_value)',
    ),
)
# The heads are summed, as an output projection would do.
extra__heads_summed = change(right__einsum, ("->...hqv", "->...qv"))

# Two mistakes at once.
double__no_scale__and_values_from_key_matrix = change(
    right__head_by_head, (" / query.shape[-1] ** 0.5", ""), ("w_value[head]", "w_key[head]")
)

def extra__keys_of_one_head_after_another(query, latent, w_key, w_value, allowed=None):
    """The keys of each head are made in full, one head after another."""
    found = []
    for head in range(len(w_key)):
        mask = allowed
        if allowed is not None and allowed.ndim > 2:
            mask = allowed.expand(*allowed.shape[:-3], len(w_key), *allowed.shape[-2:])[..., head, :, :]
        found.append(attention(query[..., head, :, :], latent @ w_key[head], latent @ w_value[head], mask))
    return torch.stack([output for output, _ in found], -3), torch.stack([weights for _, weights in found], -3)
# The blocked weights are set to 0 after the softmax, and the others divided by what is left.
wrong__mask_after_renormalised__1 = change(
    right__einsum,
    ("if allowed is not None:", ""),
    ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
    (
        "scores.softmax(dim=-1).nan_to_num()",
        "scores.softmax(dim=-1)",
        "weights = weights if allowed is None else weights * allowed",
        "weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
)
