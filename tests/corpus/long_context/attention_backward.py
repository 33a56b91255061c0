"""Answers to `attention_backward(query, key, value, output, logsumexp, grad_output, block_size)` of notebook 11."""

import math

import torch

from tests.corpus import change

def right__block_by_block(query, key, value, output, logsumexp, grad_output, block_size):
    scale = 1 / math.sqrt(query.shape[-1])
    mean_change = (grad_output * output).sum(dim=-1, keepdim=True)
    grad_query, grad_key, grad_value = torch.zeros_like(query), [], []
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) * scale
        weights = torch.exp(scores - logsumexp[..., None])
        grad_value.append(weights.transpose(-2, -1) @ grad_output)
        grad_weights = grad_output @ values.transpose(-2, -1)
        grad_scores = weights * (grad_weights - mean_change)
        grad_query = grad_query + grad_scores @ keys * scale
        grad_key.append(grad_scores.transpose(-2, -1) @ query * scale)
    return grad_query, torch.cat(grad_key, dim=-2), torch.cat(grad_value, dim=-2)

def right__fills_results(query, key, value, output, logsumexp, grad_output, block_size):
    root = query.shape[-1] ** 0.5
    grad_query, grad_key, grad_value = (torch.zeros_like(x) for x in (query, key, value))
    row = torch.einsum("...qv,...qv->...q", grad_output, output).unsqueeze(-1)
    for start in range(0, key.shape[-2], block_size):
        block = slice(start, start + block_size)
        k, v = key[..., block, :], value[..., block, :]
        p = (torch.einsum("...qd,...kd->...qk", query, k) / root - logsumexp.unsqueeze(-1)).exp()
        ds = p * (torch.einsum("...qv,...kv->...qk", grad_output, v) - row) / root
        grad_query += torch.einsum("...qk,...kd->...qd", ds, k)
        grad_key[..., block, :] = torch.einsum("...qk,...qd->...kd", ds, query)
        grad_value[..., block, :] = torch.einsum("...qk,...qv->...kv", p, grad_output)
    return grad_query, grad_key, grad_value

def right__queries_too(query, key, value, output, logsumexp, grad_output, block_size):
    # Blocks of queries within blocks of keys.
    scale = query.size(-1) ** -0.5
    grads = [torch.zeros_like(x) for x in (query, key, value)]
    for j in range(0, key.size(-2), block_size):
        k, v = key[..., j : j + block_size, :], value[..., j : j + block_size, :]
        for i in range(0, query.size(-2), block_size):
            rows = slice(i, i + block_size)
            q, up = query[..., rows, :], grad_output[..., rows, :]
            p = torch.exp(q @ k.mT * scale - logsumexp[..., rows].unsqueeze(-1))
            mean = (up * output[..., rows, :]).sum(-1, keepdim=True)
            ds = p * (up @ v.mT - mean) * scale
            grads[0][..., rows, :] += ds @ k
            grads[1][..., j : j + block_size, :] += ds.mT @ q
            grads[2][..., j : j + block_size, :] += p.mT @ up
    return tuple(grads)

def right__mean_in_a_pass_of_its_own(query, key, value, output, logsumexp, grad_output, block_size):
    # The first pass sums weight · change, the second makes the gradients.
    query = query / math.sqrt(query.shape[-1])
    blocks = list(zip(key.split(block_size, -2), value.split(block_size, -2), strict=True))
    mean = 0
    for k, v in blocks:
        p = (query @ k.mT - logsumexp[..., None]).exp()
        mean = mean + (p * (grad_output @ v.mT)).sum(-1, keepdim=True)
    to_query, to_key, to_value = 0, [], []
    for k, v in blocks:
        p = (query @ k.mT - logsumexp[..., None]).exp()
        change = p * (grad_output @ v.mT - mean)
        to_query = to_query + change @ k
        to_key.append(change.mT @ query)
        to_value.append(p.mT @ grad_output)
    return to_query / math.sqrt(query.shape[-1]), torch.cat(to_key, -2), torch.cat(to_value, -2)

def right__difference_first(query, key, value, output, logsumexp, grad_output, block_size):
    # Σ_v upstream · (value − output) is the change without its mean: one key at a time.
    scale = query.shape[-1] ** -0.5
    grad_query, grad_key, grad_value = 0, [], []
    for k, v in zip(key.unbind(-2), value.unbind(-2), strict=True):
        p = ((query * k.unsqueeze(-2)).sum(-1) * scale - logsumexp).exp().unsqueeze(-1)
        ds = p * (grad_output * (v.unsqueeze(-2) - output)).sum(-1, keepdim=True) * scale
        grad_query = grad_query + ds * k.unsqueeze(-2)
        grad_key.append((ds * query).sum(-2))
        grad_value.append((p * grad_output).sum(-2))
    return grad_query, torch.stack(grad_key, -2), torch.stack(grad_value, -2)

def right__in_float32(query, key, value, output, logsumexp, grad_output, block_size):
    dtype, wide = query.dtype, torch.promote_types(query.dtype, torch.float32)
    query, output, logsumexp, up = (x.to(wide) for x in (query, output, logsumexp, grad_output))
    mean = (up * output).sum(-1, keepdim=True)
    parts = []
    for start in range(0, key.shape[-2], block_size):
        k = key[..., start : start + block_size, :].to(wide)
        v = value[..., start : start + block_size, :].to(wide)
        p = torch.exp(query @ k.mT / query.shape[-1] ** 0.5 - logsumexp[..., None])
        ds = p * (up @ v.mT - mean) / query.shape[-1] ** 0.5
        parts.append((ds @ k, (ds.mT @ query).to(dtype), (p.mT @ up).to(dtype)))
    to_query, to_key, to_value = zip(*parts, strict=True)
    return sum(to_query).to(dtype), torch.cat(to_key, -2), torch.cat(to_value, -2)

def odd__logsumexp_computed_again(query, key, value, output, logsumexp, grad_output, block_size):
    """What was kept of the scores is not used."""
    scale = query.shape[-1] ** -0.5
    again = torch.full_like(query[..., :1], -math.inf)
    for k in key.split(block_size, -2):
        again = torch.logaddexp(again, (query @ k.mT * scale).logsumexp(-1, keepdim=True))
    mean = (grad_output * output).sum(-1, keepdim=True)
    dq, dk, dv = 0, [], []
    for k, v in zip(key.split(block_size, -2), value.split(block_size, -2), strict=True):
        p = (query @ k.mT * scale - again).exp()
        ds = p * (grad_output @ v.mT - mean) * scale
        dq = dq + ds @ k
        dk.append(ds.mT @ query)
        dv.append(p.mT @ grad_output)
    return dq, torch.cat(dk, -2), torch.cat(dv, -2)

def odd__renamed(q, k, v, o, lse, do, block):
    """Other names, and a list."""
    s = q.shape[-1] ** -0.5
    d = (do * o).sum(-1, True)
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for j in reversed(range(0, k.shape[-2], block)):
        at = (..., slice(j, j + block), slice(None))
        p = (s * q @ k[at].mT - lse[..., None]).exp()
        ds = s * p * (do @ v[at].mT - d)
        dq, dk[at], dv[at] = dq + ds @ k[at], ds.mT @ q, p.mT @ do
    return [dq, dk, dv]

def odd__smaller_blocks(query, key, value, output, logsumexp, grad_output, block_size):
    """One key at a time, whatever the block size."""
    scale = 1 / math.sqrt(query.size(-1))
    mean = (grad_output * output).sum(-1, keepdim=True)
    dq, dk, dv = torch.zeros_like(query), [], []
    for j in range(key.size(-2)):
        k, v = key[..., j : j + 1, :], value[..., j : j + 1, :]
        p = torch.exp(query @ k.mT * scale - logsumexp.unsqueeze(-1))
        ds = p * (grad_output @ v.mT - mean) * scale
        dq = dq + ds * k
        dk.append((ds * query).sum(-2, keepdim=True))
        dv.append((p * grad_output).sum(-2, keepdim=True))
    return dq, torch.cat(dk, -2), torch.cat(dv, -2)

# The scale is missing everywhere, or in the scores alone.
wrong__no_scale__1 = change(right__block_by_block, ("1 / math.sqrt(query.shape[-1])", "1.0"))
wrong__no_scale__2 = change(right__block_by_block, ("(-2, -1) * scale", "(-2, -1)"))
wrong__scale_by_d__1 = change(right__block_by_block, ("math.sqrt(query.shape[-1])", "query.shape[-1]"))
wrong__scale_by_d__2 = change(right__fills_results, (" ** 0.5", ""))
wrong__scale_multiplied__1 = change(right__block_by_block, ("1 / math", "math"))
wrong__scale_wrong_axis__1 = change(right__block_by_block, ("query.shape[-1]", "key.shape[-2]"))
wrong__scale_wrong_axis__2 = change(right__block_by_block, ("query.shape[-1]", "value.shape[-1]"))
# It is in the scores, and forgotten in what comes from them.
wrong__gradient_not_scaled__1 = change(
    right__block_by_block, ("@ keys * scale", "@ keys"), ("@ query * scale", "@ query")
)
wrong__gradient_not_scaled__2 = change(right__block_by_block, ("@ query * scale", "@ query"))
wrong__gradient_not_scaled__3 = change(right__block_by_block, ("@ keys * scale", "@ keys"))
wrong__gradient_not_scaled__4 = change(right__fills_results, (" - row) / root", " - row)"))
wrong__keepdims_forgotten__1 = change(right__block_by_block, ("logsumexp[..., None]", "logsumexp"))
wrong__keepdims_forgotten__2 = change(right__fills_results, (", output).unsqueeze(-1)", ", output)"))
# exp alone is no weight.
wrong__logsumexp_forgotten__1 = change(right__block_by_block, ("scores - logsumexp[..., None]", "scores"))
# exp(s) / lse.
wrong__logsumexp_as_sum__1 = change(
    right__block_by_block, ("torch.exp(scores - logsumexp[..., None])", "torch.exp(scores) / logsumexp[..., None]")
)
# The maximum of the block.
wrong__maximum_for_logsumexp__1 = change(
    right__block_by_block, ("logsumexp[..., None]", "scores.amax(-1, keepdim=True)")
)
# The maximum of all scores of the query, found in a pass of its own.
wrong__maximum_for_logsumexp__2 = change(
    right__block_by_block,
    ("mean_change =", "tops = [(query @ k.mT * scale).amax(-1) for k in key.split(block_size, -2)]", "mean_change ="),
    ("logsumexp[..., None]", "torch.stack(tops).amax(0)[..., None]"),
)
# A softmax for each block.
wrong__softmax_of_block__1 = change(
    right__block_by_block, ("torch.exp(scores - logsumexp[..., None])", "scores.softmax(-1)")
)
# D = rowsum(dO · O) is forgotten.
wrong__mean_change_forgotten__1 = change(right__block_by_block, ("(grad_weights - mean_change)", "grad_weights"))
wrong__mean_change_added__1 = change(right__block_by_block, ("grad_weights - mean", "grad_weights + mean"))
# The mean over the d_value numbers, not their sum.
wrong__mean_change_averaged__1 = change(right__block_by_block, ("sum(dim", "mean(dim"))
wrong__mean_change_averaged__2 = change(
    right__fills_results, ("grad_output, output).", "grad_output, output).div(output.shape[-1]).")
)
wrong__mean_change_averaged__3 = change(right__in_float32, ("(up * output).sum", "(up * output).mean"))
# The mean within a block.
wrong__mean_change_of_block__1 = change(
    right__block_by_block,
    ("(grad_weights - mean_change)", "(grad_weights - (weights * grad_weights).sum(-1, keepdim=True))"),
)
wrong__weights_forgotten__1 = change(
    right__block_by_block, ("weights * (grad_weights - mean_change)", "grad_weights - mean_change")
)
# As if it were a sigmoid.
wrong__softmax_one_by_one__1 = change(
    right__block_by_block, ("weights * (grad_weights - mean_change)", "weights * (1 - weights) * grad_weights")
)
wrong__output_for_its_gradient__1 = change(
    right__block_by_block, ("weights.transpose(-2, -1) @ grad_output", "weights.transpose(-2, -1) @ output")
)
# The last, shorter block gets no gradient.
wrong__online_last_block__1 = change(
    right__fills_results, ("block = slice", "if start + block_size > key.shape[-2]:", "    break", "block = slice")
)
# The gradient of the queries is that of the last block.
wrong__online_only_last_block__1 = change(right__block_by_block, ("grad_query + grad_scores", "grad_scores"))
wrong__online_only_last_block__2 = change(right__fills_results, ("grad_query +=", "grad_query ="))
# Works in place.
wrong__input_changed__1 = change(
    right__block_by_block,
    ("mean_change =", "query *= scale", "mean_change ="),
    ("(-2, -1) * scale", "(-2, -1)"),
    ("@ query * scale", "@ query"),
)
wrong__input_changed__2 = change(
    right__block_by_block, ("(grad_output * output)", "grad_output.mul(output.mul_(1.5) / 1.5)")
)
wrong__wrong_dtype__1 = change(
    right__in_float32, ("sum(to_query).to(dtype), torch.cat(to_key, -2)", "sum(to_query), torch.cat(to_key, -2)")
)
wrong__wrong_dtype__2 = change(
    right__block_by_block,
    ("return grad_query,", "return grad_query.double(),"),
)
wrong__wrong_device__1 = change(
    right__block_by_block, ("torch.zeros_like(query)", "torch.zeros(query.shape, dtype=query.dtype)")
)

# All weights at once: right numbers, and the matrix that was to be avoided.
extra__all_at_once = change(
    right__block_by_block,
    ("zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True)", "[(key, value)]"),
)
# The gradients in another order.
extra__values_first = change(
    right__block_by_block,
    (
        "grad_query, torch.cat(grad_key, dim=-2), torch.cat(grad_value, dim=-2)",
        "torch.cat(grad_value, dim=-2), torch.cat(grad_key, dim=-2), grad_query",
    ),
)
# Blocks stacked, not joined.
extra__blocks_stacked = change(right__block_by_block, ("torch.cat(grad_key, dim=-2)", "torch.stack(grad_key)"))
# The mean is one number for all queries.
extra__one_mean_for_all = change(right__block_by_block, ("sum(dim=-1, keepdim=True)", "sum()"))
# The row sum of the output alone.
extra__sum_of_output = change(right__block_by_block, ("(grad_output * output)", "output"))
# The sign of the gradient is that of a step.
extra__signs = change(right__block_by_block, ("(grad_weights - mean_change)", "(mean_change - grad_weights)"))
# The output's own logsumexp.
extra__logsumexp_added = change(right__block_by_block, ("scores - logsumexp", "scores + logsumexp"))

# Two mistakes at once.
double__gradient_not_scaled__and_mean_change_forgotten = change(
    right__block_by_block,
    ("@ keys * scale", "@ keys"),
    ("@ query * scale", "@ query"),
    ("(grad_weights - mean_change)", "grad_weights"),
)

# No brackets around the difference.
wrong__mean_change_outside__1 = change(
    right__block_by_block, ("weights * (grad_weights - mean_change)", "weights * grad_weights - mean_change"),
)
# `mean` for the mean change.
wrong__mean_change_unweighted__1 = change(
    right__block_by_block, ("(grad_weights - mean_change)", "(grad_weights - grad_weights.mean(dim=-1, keepdim=True))"),
)
