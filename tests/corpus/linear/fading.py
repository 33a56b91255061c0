"""Answers to the practice `fading(query, key, value, beta, decay)` of notebook 12."""

import torch

from tests.corpus import change

def right__matmul(query, key, value, beta, decay):
    memory = torch.zeros(*key.shape[:-2], key.shape[-1], value.shape[-1], dtype=key.dtype, device=key.device)
    outputs = []
    for t in range(key.shape[-2]):
        q, k, v = query[..., t : t + 1, :], key[..., t : t + 1, :], value[..., t : t + 1, :]
        b, left = beta[..., t, None, None], decay[..., t, None, None]
        memory = left * memory + b * (k.mT @ v)
        outputs.append(q @ memory)
    return torch.cat(outputs, dim=-2)

def right__unbound(query, key, value, beta, decay):
    memory, outputs = 0, []
    for q, k, v in zip(query.unbind(-2), key.unbind(-2), value.unbind(-2)):
        t = len(outputs)
        memory = memory * decay[..., t, None, None]
        memory = memory + beta[..., t, None, None] * k[..., :, None] * v[..., None, :]
        outputs.append((q[..., :, None] * memory).sum(dim=-2))
    return torch.stack(outputs, dim=-2)

def right__einsum(query, key, value, beta, decay):
    memory = torch.zeros_like(torch.einsum("...a,...c->...ac", key[..., 0, :], value[..., 0, :]))
    rows = []
    for t in range(key.shape[-2]):
        memory = torch.einsum("...,...ac->...ac", decay[..., t], memory)
        memory = memory + torch.einsum("...,...a,...c->...ac", beta[..., t], key[..., t, :], value[..., t, :])
        rows.append(torch.einsum("...a,...ac->...c", query[..., t, :], memory))
    return torch.stack(rows, -2)

def right__values_in_rows(query, key, value, beta, decay):
    # The memory is v kᵀ, and it is read as S q.
    memory = torch.zeros(*key.shape[:-2], value.shape[-1], key.shape[-1]).to(key)
    outputs = []
    for t in range(key.shape[-2]):
        q, k, v = (x[..., t, :].unsqueeze(-1) for x in (query, key, value))
        memory *= decay[..., t].unsqueeze(-1).unsqueeze(-1)
        memory += beta[..., t].unsqueeze(-1).unsqueeze(-1) * v @ k.mT
        outputs.append((memory @ q).squeeze(-1))
    return torch.stack(outputs, dim=-2)

def right__scores(query, key, value, beta, decay):
    # Without a loop: what is left at token i of token j is a quotient of products of decays.
    past = decay.log().cumsum(-1)
    left = (past[..., :, None] - past[..., None, :]).tril().exp().tril()
    return ((query @ key.mT) * left * beta[..., None, :]) @ value

def right__text_by_text(query, key, value, beta, decay):
    texts = []
    flat = [x.reshape(-1, *x.shape[-2:]) for x in (query, key, value)]
    for q, k, v, b, g in zip(*flat, beta.reshape(-1, beta.shape[-1]), decay.reshape(-1, decay.shape[-1])):
        memory, rows = torch.zeros(k.shape[-1], v.shape[-1]).to(k), []
        for t in range(len(k)):
            memory = g[t] * memory + b[t] * torch.outer(k[t], v[t])
            rows.append(q[t] @ memory)
        texts.append(torch.stack(rows))
    return torch.stack(texts).reshape(value.shape)

wrong__fading_not_at_all__1 = change(right__matmul, ("left * memory", "memory"))
# The delta rule, with the decay put in.
wrong__fading_corrected__1 = change(right__matmul, ("(k.mT @ v)", "(k.mT @ (v - k @ (left * memory)))"))
# What is subtracted was read before the memory faded.
wrong__fading_corrected__2 = change(right__matmul, ("(k.mT @ v)", "(k.mT @ (v - k @ memory))"))
# The delta rule as it was.
wrong__fading_corrected__3 = change(
    right__matmul, ("left * memory + b * (k.mT @ v)", "memory + b * k.mT @ (v - k @ memory)")
)
wrong__fading_new_as_well__1 = change(
    right__matmul, ("left * memory + b * (k.mT @ v)", "left * (memory + b * k.mT @ v)")
)
# The two lines in the other order.
wrong__fading_new_as_well__2 = change(
    right__unbound,
    ("memory = memory * decay[..., t, None, None]", ""),
    ("v[..., None, :]", "v[..., None, :]\n        memory = memory * decay[..., t, None, None]"),
)
wrong__fading_moving_average__1 = change(right__matmul, ("b * (k.mT", "(1 - left) * b * (k.mT"))
wrong__fading_moving_average__2 = change(right__matmul, ("b * (k.mT", "(1 - left) * (k.mT"))
wrong__fading_read_first__1 = change(
    right__matmul,
    ("memory = left", "outputs.append(q @ memory)\n        memory = left"),
    (")\n        outputs.append(q @ memory)\n    return", ")\n    return"),
)
# Faded, read, written.
wrong__fading_read_first__2 = change(
    right__values_in_rows,
    ("memory += beta", "outputs.append((memory @ q).squeeze(-1))\n        memory += beta"),
    ("k.mT\n        outputs.append((memory @ q).squeeze(-1))", "k.mT"),
)
wrong__fading_one_late__1 = change(
    right__matmul,
    ("left * memory + ", "memory + "),
    ("outputs.append(q @ memory)", "outputs.append(q @ memory)\n        memory = left * memory"),
)
wrong__fading_output_alone__1 = change(
    right__matmul, ("left * memory", "memory"), ("q @ memory", "left * (q @ memory)")
)
wrong__fading_pair_alone__1 = change(right__matmul, ("left * memory + b", "memory + left * b"))
wrong__fading_pair_alone__2 = change(right__matmul, ("left * memory + b", "memory + left"))
wrong__fading_share_lost__1 = change(right__matmul, ("left * memory", "(1 - left) * memory"))
wrong__fading_without_beta__1 = change(right__matmul, ("b * (k.mT @ v)", "k.mT @ v"))
wrong__fading_beta_on_all__1 = change(
    right__matmul, ("left * memory + b * (k.mT @ v)", "b * (left * memory + k.mT @ v)")
)
wrong__fading_shares_exchanged__1 = change(right__matmul, ("left * memory + b", "b * memory + left"))
wrong__fading_by_all_so_far__1 = change(
    right__matmul, ("outputs = []", "outputs, decay = [], decay.cumprod(dim=-1)")
)
wrong__fading_one_decay__1 = change(right__matmul, ("decay[..., t, None, None]", "decay[..., 0, None, None]"))
wrong__fading_one_decay__2 = change(right__matmul, ("decay[..., t, None, None]", "decay.mean()"))

def wrong__fading_last_memory__1(query, key, value, beta, decay):
    """The loop ends before the queries are used."""
    memory = 0
    for t in range(key.shape[-2]):
        written = key[..., t, :, None] * value[..., t, None, :]
        memory = decay[..., t, None, None] * memory + beta[..., t, None, None] * written
    return query @ memory

wrong__fading_read_under_key__1 = change(right__matmul, ("q @ memory", "k @ memory"))
# S q in the place of Sᵀ q.
wrong__fading_axes_exchanged__1 = change(
    right__unbound, ("(q[..., :, None] * memory).sum(dim=-2)", "(memory @ q[..., :, None])[..., 0]")
)
# The sum goes over the wrong axis.
wrong__fading_axes_exchanged__2 = change(
    right__unbound, ("(q[..., :, None] * memory).sum(dim=-2)", "(q[..., None, :] * memory).sum(dim=-1)")
)

def wrong__fading_one_memory__1(query, key, value, beta, decay):
    """The product of matrices adds up what the texts write."""
    memory, outputs = torch.zeros(key.shape[-1], value.shape[-1]).to(key), []
    for t in range(key.shape[-2]):
        k, v = (x[..., t, :].reshape(-1, x.shape[-1]) for x in (key, value))
        b = beta[..., t].reshape(-1, 1)
        memory = decay[..., t, None, None] * memory + (b * k).mT @ v
        outputs.append((query[..., t, None, :] @ memory).squeeze(-2))
    return torch.stack(outputs, dim=-2)

# The memory is made once, before the first text.
wrong__fading_one_memory__2 = change(
    right__text_by_text,
    ("texts = []", "texts, memory = [], torch.zeros(key.shape[-1], value.shape[-1]).to(key)"),
    ("memory, rows = torch.zeros(k.shape[-1], v.shape[-1]).to(k), []", "rows = []"),
)
# beta and decay of the first text.
extra__shares_of_one_text = change(
    right__text_by_text,
    ("b[t] * torch", "beta.reshape(-1, beta.shape[-1])[0, t] * torch"),
    ("g[t] * memory", "decay.reshape(-1, decay.shape[-1])[0, t] * memory"),
)
wrong__fading_decay_of_one_text__1 = change(
    right__text_by_text, ("g[t] * memory", "decay.reshape(-1, decay.shape[-1])[0, t] * memory")
)
wrong__fading_along_an_axis__1 = change(right__matmul, ("decay[..., t, None, None]", "decay[..., t]"))
wrong__fading_along_an_axis__2 = change(
    right__matmul,
    ("decay[..., t, None, None]", "decay[..., t, None]"),
    ("beta[..., t, None, None]", "beta[..., t, None]"),
)
wrong__input_changed__1 = change(
    right__matmul, ("outputs = []", "outputs = []\n    value *= beta.unsqueeze(-1)"), ("b * (k.mT @ v)", "k.mT @ v")
)
# The batch is taken to be there always.
extra__second_axis_is_the_tokens = change(
    right__unbound,
    ("query.unbind(-2), key.unbind(-2), value.unbind(-2)", "query.unbind(1), key.unbind(1), value.unbind(1)"),
)
# One output, the last.
extra__last_output = change(right__matmul, ("torch.cat(outputs, dim=-2)", "outputs[-1]"))
# Stacked along the first axis.
extra__stacked_first = change(right__unbound, ("torch.stack(outputs, dim=-2)", "torch.stack(outputs)"))
# Square memory: as many values as keys.
extra__square_memory = change(right__matmul, ("key.shape[-1], value.shape[-1]", "key.shape[-1], key.shape[-1]"))
