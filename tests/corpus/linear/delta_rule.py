"""Answers to `delta_rule(query, key, value, beta)` of notebook 12."""

import torch.nn.functional as F
import torch

from tests.corpus import change

def right__loop(query, key, value, beta):
    memory = torch.zeros(*key.shape[:-2], key.shape[-1], value.shape[-1], dtype=key.dtype, device=key.device)
    outputs = []
    for t in range(key.shape[-2]):
        k, v = key[..., t, :, None], value[..., t, None, :]
        b = beta[..., t, None, None]
        held = (memory * k).sum(dim=-2, keepdim=True)
        memory = memory + b * k * (v - held)
        outputs.append((memory * query[..., t, :, None]).sum(dim=-2))
    return torch.stack(outputs, dim=-2)

def right__matmul(query, key, value, beta):
    memory = key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    rows = []
    for t in range(key.shape[-2]):
        k, q = key[..., t : t + 1, :], query[..., t : t + 1, :]
        missing = value[..., t : t + 1, :] - k @ memory
        memory = memory + beta[..., t, None, None] * (k.mT @ missing)
        rows.append(q @ memory)
    return torch.cat(rows, dim=-2)

def right__einsum(query, key, value, beta):
    memory, outputs = 0.0 * torch.einsum("...a,...c->...ac", key[..., 0, :], value[..., 0, :]), []
    for q, k, v, b in zip(query.unbind(-2), key.unbind(-2), value.unbind(-2), beta.unbind(-1), strict=True):
        held = torch.einsum("...ac,...a->...c", memory, k)
        memory = memory + torch.einsum("...,...a,...c->...ac", b, k, v - held)
        outputs.append(torch.einsum("...ac,...a->...c", memory, q))
    return torch.stack(outputs, -2)

def right__projections(query, key, value, beta):
    # (1 - b k kᵀ) S + b k vᵀ
    d_key = key.shape[-1]
    memory = key.new_zeros(*key.shape[:-2], d_key, value.shape[-1])
    outputs = []
    for t in range(key.shape[-2]):
        k, b = key[..., t, :, None], beta[..., t, None, None]
        kept = torch.eye(d_key, dtype=key.dtype, device=key.device) - b * k @ k.mT
        memory = kept @ memory + b * k @ value[..., t, None, :]
        outputs.append((memory.mT @ query[..., t, :, None]).squeeze(-1))
    return torch.stack(outputs, dim=-2)

def right__transposed_memory(query: torch.Tensor, key, value, beta):
    memory = key.new_zeros(*key.shape[:-2], value.shape[-1], key.shape[-1])
    outputs = []
    for t in range(key.shape[-2]):
        k, v, q = (x[..., t, :].unsqueeze(-1) for x in (key, value, query))
        memory = memory + beta[..., t].unsqueeze(-1).unsqueeze(-1) * (v - memory @ k) @ k.mT
        outputs.append((memory @ q).squeeze(-1))
    return torch.stack(outputs, dim=-2)

def right__earlier_writings(query, key, value, beta):
    # What was written at each time is kept: the memory is their sum, and never made.
    written, outputs = [], []
    for t in range(key.shape[-2]):
        k, q, v = key[..., t, :], query[..., t, :], value[..., t, :]
        held = sum((key[..., s, :] * k).sum(-1, keepdim=True) * written[s] for s in range(t))
        written.append(beta[..., t, None] * (v - held))
        outputs.append(sum((key[..., s, :] * q).sum(-1, keepdim=True) * written[s] for s in range(t + 1)))
    return torch.stack(outputs, dim=-2)

def right__triangular_system(query, key, value, beta):
    # What is written at all tokens solves a triangular system, so that there is no loop.
    wide = torch.promote_types(key.dtype, torch.float32)
    q, k, v, b = (t.to(wide) for t in (query, key, value, beta))
    eye = torch.eye(k.shape[-2], dtype=wide, device=k.device)
    system = (b[..., None] * (k @ k.mT)).tril(-1) + eye
    written = torch.linalg.solve_triangular(system, b[..., None] * v, upper=False)
    return ((q @ k.mT).tril() @ written).to(value.dtype)

def odd__renamed(q, k, v, b):
    """Other names, and a function of its own for a step."""
    def step(memory, k, v, b):
        return memory + b[..., None, None] * k[..., None] * (v - (memory * k[..., None]).sum(-2))[..., None, :]

    memory, out = torch.zeros_like(k[..., 0, :, None] * v[..., 0, None, :]), []
    for t in range(k.shape[-2]):
        memory = step(memory, k[..., t, :], v[..., t, :], b[..., t])
        out.append((memory * q[..., t, :, None]).sum(-2))
    return torch.stack(out, -2)

wrong__delta_not_subtracted__1 = change(right__loop, ("(v - held)", "v"))
wrong__delta_not_subtracted__2 = change(right__matmul, (" - k @ memory", ""))
wrong__beta_forgotten__1 = change(right__loop, ("+ b * k", "+ k"))
wrong__beta_forgotten__2 = change(right__matmul, ("beta[..., t, None, None] * (k.mT @ missing)", "k.mT @ missing"))
wrong__beta_on_value_only__1 = change(right__loop, ("b * k * (v - held)", "k * (b * v - held)"))
wrong__beta_on_value_only__2 = change(right__loop, ("b * k * (v - held)", "k * (v - b * held)"))
wrong__whole_memory_decays__1 = change(right__loop, ("memory + b * k * (v - held)", "(1 - b) * memory + b * k * v"))
wrong__whole_memory_decays__2 = change(right__projections, ("kept @ memory", "(1 - b) * memory"))
wrong__delta_sign__1 = change(right__loop, ("(v - held)", "(v + held)"))
wrong__delta_sign__2 = change(right__projections, ("- b * k @ k.mT", "+ b * k @ k.mT"))
wrong__read_before_write__1 = change(
    right__matmul,
    ("        missing =", "        rows.append(q @ memory)\n        missing ="),
    ("missing)\n        rows.append(q @ memory)\n", "missing)\n"),
)
wrong__read_before_write__2 = change(
    right__earlier_writings,
    ("range(t + 1)", "range(t)"),
    ("outputs.append(sum(", "outputs.append(0 * v + sum("),
)
wrong__last_memory_for_all__1 = change(
    right__matmul, ("        rows.append(q @ memory)\n    return torch.cat(rows, dim=-2)", "    return query @ memory")
)
wrong__last_memory_for_all__2 = change(
    right__transposed_memory,
    ("        outputs.append((memory @ q).squeeze(-1))\n", ""),
    ("torch.stack(outputs, dim=-2)", "query @ memory.mT"),
)
wrong__keys_normalised__1 = change(
    right__loop,
    ("    outputs = []", "    key = key / key.norm(dim=-1, keepdim=True)\n    outputs = []"),
)
wrong__keys_normalised__2 = change(
    right__einsum,
    (
        "    memory, outputs",
        "    query, key = (torch.nn.functional.normalize(x, dim=-1) for x in (query, key))\n    memory, outputs",
    ),
)
wrong__detached__1 = change(right__loop, ("torch.stack(outputs, dim=-2)", "torch.stack(outputs, dim=-2).detach()"))
wrong__detached__2 = change(right__matmul, ("torch.cat(rows, dim=-2)", "torch.cat(rows, dim=-2).data"))
wrong__wrong_dtype__1 = change(right__loop, ("torch.stack(outputs, dim=-2)", "torch.stack(outputs, dim=-2).float()"))
wrong__wrong_dtype__2 = change(right__einsum, ("torch.stack(outputs, -2)", "torch.stack(outputs, -2).double()"))
wrong__wrong_device__1 = change(right__loop, (", device=key.device", ""))
wrong__wrong_device__2 = change(right__projections, (", device=key.device", ""))
# The keys are scaled in place.
wrong__input_changed__1 = change(
    right__loop,
    ("    outputs = []", "    value *= 1\n    key += 0.5 * key\n    key = key / 1.5\n    outputs = []"),
)
wrong__input_changed__2 = change(
    right__matmul,
    ("    rows = []", "    beta.mul_(0.5)\n    beta = 2 * beta\n    rows = []"),
)

def extra__one_memory_for_all(query, key, value, beta):
    """The memory has no axis for the batch."""
    memory = key.new_zeros(key.shape[-1], value.shape[-1])
    return query @ memory

# A memory of its own for every 16 tokens.
extra__chunks_of_16 = change(
    right__loop,
    ("        k, v = key", "        memory = memory * (t % 16 > 0)\n        k, v = key"),
)

# Read as cards by somebody who had not seen the misconceptions.
def wrong__read_under_query__1(query, key, value, beta):
    """The memory is read under the query before it is written."""
    S = torch.zeros(*key.shape[:-2], key.shape[-1], value.shape[-1], dtype=key.dtype, device=key.device)
    out = []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :], value[..., t, :], query[..., t, :]
        b = beta[..., t, None]
        old = (S * q[..., None]).sum(-2)
        S = S + k[..., :, None] * (b * (v - old))[..., None, :]
        out.append((S * q[..., None]).sum(-2))
    return torch.stack(out, -2)

def wrong__first_written_whole__1(query, key, value, beta):
    """The memory begins as the first key and value."""
    S = key[..., 0, :, None] * value[..., 0, None, :]
    out = [(query[..., 0, None, :] @ S)[..., 0, :]]
    for t in range(1, key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        b = beta[..., t, None, None]
        S = S + b * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__features_applied__1(query, key, value, beta):
    """φ is kept from linear attention."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    S = torch.zeros(*key.shape[:-2], key.shape[-1], value.shape[-1], dtype=key.dtype, device=key.device)
    out = []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        b = beta[..., t, None, None]
        S = S + b * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__one_beta_for_all__1(query, key, value, beta):
    """One mean of all betas."""
    b = beta.mean()
    S = torch.zeros(*key.shape[:-2], key.shape[-1], value.shape[-1], dtype=key.dtype, device=key.device)
    out = []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        S = S + b * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__never_corrected__1(query, key, value, beta):
    """The prediction is taken from plain linear attention."""
    n = key.shape[-2]
    causal = torch.ones(n, n, dtype=key.dtype, device=key.device).tril()
    scores = (query @ key.mT) * causal
    predicted = ((key @ key.mT) * causal.tril(-1)) @ value
    return scores @ (beta[..., None] * (value - predicted))

def extra__loop_without_batch(query, key, value, beta):
    """Written for one item without axes in front."""
    S = torch.zeros(key.shape[-1], value.shape[-1], dtype=key.dtype, device=key.device)
    out = torch.zeros_like(value)
    for t in range(key.shape[0]):
        pred = S.T @ key[t]
        S = S + beta[t] * torch.outer(key[t], value[t] - pred)
        out[t] = S.T @ query[t]
    return out

def wrong__beta_on_value_only__3(query, key, value, beta):
    """What is read is erased whole, and then the value is written with beta."""
    S = torch.zeros(*key.shape[:-2], value.shape[-1], key.shape[-1], dtype=key.dtype, device=key.device)
    out = []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :], value[..., t, :], query[..., t, :]
        b = beta[..., t]
        old = (S @ k[..., None])[..., 0]
        S -= (old[..., None] * k[..., None, :])
        S += b[..., None, None] * (v[..., None] * k[..., None, :])
        out.append((S @ q[..., None])[..., 0])
    return torch.stack(out, -2)

def wrong__beta_squashed__1(query, key, value, beta):
    """beta is taken for a logit."""
    beta = torch.sigmoid(beta)
    S = torch.zeros(*key.shape[:-2], key.shape[-1], value.shape[-1], dtype=key.dtype, device=key.device)
    out = []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        b = beta[..., t, None, None]
        S = S + b * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)
