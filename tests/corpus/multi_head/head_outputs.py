"""Answers to `head_outputs(x, w_query, w_key, w_value, w_out, n_heads, allowed=None)` of notebook 04."""

import math

import torch

from course_attention import attention, multi_head_attention, split_heads
from tests.corpus import change

def right__blocks(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query, key, value = (split_heads(x @ w, n_heads) for w in (w_query, w_key, w_value))
    mask = None if allowed is None else allowed.unsqueeze(-3)
    heads, _ = attention(query, key, value, mask)
    return heads @ w_out.unflatten(0, (n_heads, -1))

def right__loop(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    parts = zip(*(w.chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)), w_out.chunk(n_heads), strict=True)
    added = []
    for q, k, v, rows in parts:
        output, _ = attention(x @ q, x @ k, x @ v, allowed)
        added.append(output @ rows)
    return torch.stack(added, dim=-3)

def right__others_zero(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    owner = torch.arange(w_out.shape[0], device=x.device) // (w_out.shape[0] // n_heads)
    added = []
    for head in range(n_heads):
        own = w_out * (owner == head).unsqueeze(-1)
        added.append(multi_head_attention(x, w_query, w_key, w_value, own, n_heads, allowed)[0])
    return torch.stack(added, dim=-3)

def right__einsum(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    _, weights = multi_head_attention(x, w_query, w_key, w_value, w_out, n_heads, allowed)
    value = (x @ w_value).unflatten(-1, (n_heads, -1))
    rows = w_out.reshape(n_heads, -1, w_out.shape[-1])
    return torch.einsum("...hij,...jhd,hdo->...hio", weights, value, rows)

def right__by_hand(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query, key, value = (split_heads(x @ w, n_heads) for w in (w_query, w_key, w_value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if allowed is None:
        weights = scores.softmax(dim=-1)
    else:
        mask = allowed.unsqueeze(-3)
        nothing = ~mask.any(dim=-1, keepdim=True)
        weights = scores.masked_fill(~(mask | nothing), -torch.inf).softmax(dim=-1)
        weights = weights.masked_fill(nothing, 0.0)
    heads = weights @ value
    rows = w_out.view(n_heads, value.shape[-1], -1)
    added = heads @ rows
    return added

def right__values_through_out(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    # First each value through its rows, then the mixture.
    weights = multi_head_attention(x, w_query, w_key, w_value, w_out, n_heads, allowed)[1]
    through = split_heads(x @ w_value, n_heads) @ torch.stack(w_out.tensor_split(n_heads))
    return weights @ through

def odd__renamed(tokens, q, k, v, o, heads, mask=None):
    """Other names."""
    weights = multi_head_attention(tokens, q, k, v, o, heads, mask)[1]
    return weights @ (split_heads(tokens @ v, heads) @ o.unflatten(0, (heads, -1)))

wrong__no_scale__1 = change(right__by_hand, (" / math.sqrt(query.shape[-1])", ""))
wrong__no_scale__2 = change(
    right__blocks, ("query, key, value, mask", "query * math.sqrt(query.shape[-1]), key, value, mask")
)
wrong__mask_ignored__1 = change(right__blocks, ("value, mask)", "value)"))
wrong__mask_ignored__2 = change(right__loop, ("x @ v, allowed)", "x @ v)"))
wrong__mask_fully_nan__1 = change(
    right__by_hand, ("(~(mask | nothing)", "(~mask"), ("\n        weights = weights.masked_fill(nothing, 0.0)", "")
)
wrong__mask_fully_nan__2 = change(
    wrong__mask_fully_nan__1, ("scores.masked_fill(~mask, -torch.inf)", "torch.where(mask, scores, -torch.inf)")
)
wrong__mask_fully_uniform__1 = change(
    wrong__mask_fully_nan__1, ("-torch.inf)", "torch.finfo(scores.dtype).min)")
)
wrong__mask_fully_uniform__2 = change(
    wrong__mask_fully_nan__1,
    ("scores.masked_fill(~mask, -torch.inf)", "torch.where(mask, scores, torch.finfo(scores.dtype).min)"),
)
wrong__mask_no_head_axis__1 = change(right__blocks, ("allowed.unsqueeze(-3)", "allowed"))
wrong__mask_no_head_axis__2 = change(right__by_hand, ("mask = allowed.unsqueeze(-3)", "mask = allowed"))
wrong__heads_by_view__1 = change(
    right__blocks, ("split_heads(x @ w, n_heads)", "(x @ w).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)")
)
wrong__heads_by_view__2 = change(
    right__by_hand, ("split_heads(x @ w, n_heads)", "(x @ w).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)")
)
wrong__heads_interleaved__1 = change(
    right__blocks, ("split_heads(x @ w, n_heads)", "(x @ w).unflatten(-1, (-1, n_heads)).movedim(-1, -3)")
)
wrong__heads_interleaved__2 = change(
    right__by_hand, ("split_heads(x @ w, n_heads)", "(x @ w).unflatten(-1, (-1, n_heads)).movedim(-1, -3)")
)
wrong__first_head_everywhere__1 = change(right__by_hand, ("heads = weights @", "heads = weights[..., :1, :, :] @"))
wrong__first_head_everywhere__2 = change(
    right__values_through_out, ("return weights @", "return weights[..., 0, :, :].unsqueeze(-3) @")
)
wrong__output_rows_dealt_out__1 = change(
    right__blocks, ("w_out.unflatten(0, (n_heads, -1))", "w_out.unflatten(0, (-1, n_heads)).transpose(0, 1)")
)
wrong__output_rows_dealt_out__2 = change(
    right__einsum,
    ("w_out.reshape(n_heads, -1, w_out.shape[-1])", "torch.stack([w_out[h::n_heads] for h in range(n_heads)])"),
)
wrong__first_rows_for_all__1 = change(right__loop, ("output @ rows", "output @ w_out[: output.shape[-1]]"))
wrong__first_rows_for_all__2 = change(right__by_hand, ("heads @ rows", "heads @ rows[0]"))
wrong__output_shared_evenly__1 = change(
    right__by_hand, ("return added", "return added.mean(dim=-3, keepdim=True).expand(added.shape)")
)

def wrong__output_shared_evenly__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    output, _ = multi_head_attention(x, w_query, w_key, w_value, w_out, n_heads, allowed)
    return torch.stack([output / n_heads] * n_heads, dim=-3)

wrong__heads_summed__1 = change(right__by_hand, ("return added", "return added.sum(dim=-3)"))

def wrong__heads_summed__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    return multi_head_attention(x, w_query, w_key, w_value, w_out, n_heads, allowed)[0]

wrong__head_left_out__1 = change(right__others_zero, ("owner == head", "owner != head"))
wrong__head_left_out__2 = change(right__by_hand, ("return added", "return added.sum(dim=-3, keepdim=True) - added"))
wrong__outputs_accumulated__1 = change(right__others_zero, ("owner == head", "owner <= head"))
wrong__outputs_accumulated__2 = change(right__by_hand, ("return added", "return added.cumsum(dim=-3)"))
wrong__no_output_projection__1 = change(right__blocks, (" @ w_out.unflatten(0, (n_heads, -1))", ""))
wrong__no_output_projection__2 = change(right__loop, ("output @ rows", "output"))
wrong__heads_after_tokens__1 = change(right__loop, ("added, dim=-3", "added, dim=-2"))
wrong__heads_after_tokens__2 = change(right__einsum, ("->...hio", "->...iho"))
wrong__detached__1 = change(right__blocks, ("return heads", "return heads.detach()"))
wrong__detached__2 = change(right__by_hand, ("return added", "return added.data"))
wrong__wrong_dtype__1 = change(right__by_hand, ("return added", "return added.float()"))
wrong__wrong_dtype__2 = change(right__loop, ("torch.stack(added, dim=-3)", "torch.stack(added, dim=-3).double()"))
wrong__wrong_device__1 = change(right__others_zero, (", device=x.device", ""))

def wrong__wrong_device__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_value = w_out.shape[0] // n_heads
    added = torch.zeros(*x.shape[:-2], n_heads, x.shape[-2], w_out.shape[1], dtype=x.dtype)
    _, weights = multi_head_attention(x, w_query, w_key, w_value, w_out, n_heads, allowed)
    value = split_heads(x @ w_value, n_heads)
    for head in range(n_heads):
        rows = w_out[head * d_value : (head + 1) * d_value]
        added[..., head, :, :] = weights[..., head, :, :] @ value[..., head, :, :] @ rows
    return added

# The weights are scaled in place.
wrong__input_changed__1 = change(
    right__by_hand,
    (" / math.sqrt(query.shape[-1])", ""),
    ("query, key, value =", "w_query /= math.sqrt(w_query.shape[-1] // n_heads)\n    query, key, value ="),
)
# The rows of the other heads are set to 0 in the weights themselves.
wrong__input_changed__2 = change(right__blocks, ("return heads", "w_out *= 2.0\n    return 0.5 * heads"))

def extra__w_out_forgotten_and_merged(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The weights of the heads, which say nothing of what is added."""
    return multi_head_attention(x, w_query, w_key, w_value, w_out, n_heads, allowed)[1]

wrong__mask_inverted__1 = change(
    right__loop, ("x @ v, allowed)", "x @ v, None if allowed is None else ~allowed)")
)
wrong__mask_tiny_fill__1 = change(right__by_hand, ("-torch.inf).softmax", "-10.0).softmax"))
wrong__mask_scores_to_zero__1 = change(right__by_hand, ("-torch.inf).softmax", "0.0).softmax"))
wrong__mask_added_as_01__1 = change(
    right__by_hand, ("scores.masked_fill(~(mask | nothing), -torch.inf)", "(scores + mask)")
)
wrong__mask_after_softmax__1 = change(
    right__by_hand,
    ("scores.masked_fill(~(mask | nothing), -torch.inf).softmax(dim=-1)", "scores.softmax(dim=-1) * mask"),
)
wrong__scale_multiplied__1 = change(right__by_hand, ("/ math.sqrt", "* math.sqrt"))
wrong__softmax_over_queries__1 = change(
    right__by_hand,
    ("weights = scores.softmax(dim=-1)", "weights = scores.softmax(dim=-2)"),
    ("-torch.inf).softmax(dim=-1)", "-torch.inf).softmax(dim=-2).nan_to_num()"),
)

# Keys and queries of the mask are exchanged.
wrong__mask_on_queries__1 = change(right__blocks, ("allowed.unsqueeze(-3)", "allowed.mT.unsqueeze(-3)"))
wrong__mask_first_item_for_all__1 = change(
    right__blocks, ("allowed.unsqueeze(-3)", "(allowed[0] if allowed.dim() > 2 else allowed)")
)
# A mask that is the causal one as well.
extra__causal_too = change(
    right__blocks, ("allowed.unsqueeze(-3)", "allowed.unsqueeze(-3).tril()")
)
# The blocked weights are set to 0 after the softmax, and the others divided by what is left.
wrong__mask_after_renormalised__1 = change(
    right__by_hand,
    ("nothing = ~mask.any(dim=-1, keepdim=True)", "weights = scores.softmax(dim=-1) * mask"),
    (
        "weights = scores.masked_fill(~(mask | nothing), -torch.inf).softmax(dim=-1)",
        "weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
    ("weights = weights.masked_fill(nothing, 0.0)", ""),
)
# Every head gets the first columns.
wrong__first_columns_for_all__1 = change(
    right__blocks,
    ("(split_heads(x @ w, n_heads) for", "(torch.stack([(x @ w).chunk(n_heads, -1)[0]] * n_heads, -3) for"),
)
# The parts are stacked in front of the batch.
wrong__heads_axis_first__1 = change(right__loop, (", dim=-3)", ")"))
# The values are projected, and nothing is mixed.
wrong__attention_left_out__1 = change(right__blocks, ("heads @", "value @"))
