"""Answers to `gated_delta_rule(query, key, value, beta, decay)` of notebook 12."""

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__loop(query, key, value, beta, decay):
    memory = torch.zeros(*key.shape[:-2], key.shape[-1], value.shape[-1], dtype=key.dtype, device=key.device)
    outputs = []
    for t in range(key.shape[-2]):
        k, v = key[..., t, :, None], value[..., t, None, :]
        b, g = beta[..., t, None, None], decay[..., t, None, None]
        memory = g * memory
        held = (memory * k).sum(dim=-2, keepdim=True)
        memory = memory + b * k * (v - held)
        outputs.append((memory * query[..., t, :, None]).sum(dim=-2))
    return torch.stack(outputs, dim=-2)

def right__matmul(query, key, value, beta, decay):
    memory = key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    rows = []
    for t in range(key.shape[-2]):
        k, q = key[..., t : t + 1, :], query[..., t : t + 1, :]
        faded = memory * decay[..., t, None, None]
        missing = value[..., t : t + 1, :] - k @ faded
        memory = faded + beta[..., t, None, None] * (k.mT @ missing)
        rows.append(q @ memory)
    return torch.cat(rows, dim=-2)

def right__einsum(query, key, value, beta, decay):
    memory, outputs = 0.0 * torch.einsum("...a,...c->...ac", key[..., 0, :], value[..., 0, :]), []
    for t in range(key.shape[-2]):
        k, v = key[..., t, :], value[..., t, :]
        memory = torch.einsum("...,...ac->...ac", decay[..., t], memory)
        change = v - torch.einsum("...ac,...a->...c", memory, k)
        memory = memory + torch.einsum("...,...a,...c->...ac", beta[..., t], k, change)
        outputs.append(torch.einsum("...ac,...a->...c", memory, query[..., t, :]))
    return torch.stack(outputs, -2)

def right__projections(query, key, value, beta, decay):
    # g (1 - b k kᵀ) S + b k vᵀ
    d_key = key.shape[-1]
    memory = key.new_zeros(*key.shape[:-2], d_key, value.shape[-1])
    outputs = []
    for t in range(key.shape[-2]):
        k, b, g = key[..., t, :, None], beta[..., t, None, None], decay[..., t, None, None]
        kept = torch.eye(d_key, dtype=key.dtype, device=key.device) - b * k @ k.mT
        memory = g * (kept @ memory) + b * k @ value[..., t, None, :]
        outputs.append((memory.mT @ query[..., t, :, None]).squeeze(-1))
    return torch.stack(outputs, dim=-2)

def right__transposed_memory(query: torch.Tensor, key, value, beta, decay):
    memory = key.new_zeros(*key.shape[:-2], value.shape[-1], key.shape[-1])
    outputs = []
    for t in range(key.shape[-2]):
        k, v, q = (x[..., t, :].unsqueeze(-1) for x in (key, value, query))
        b, g = (x[..., t].unsqueeze(-1).unsqueeze(-1) for x in (beta, decay))
        memory = g * memory
        memory = memory + b * (v - memory @ k) @ k.mT
        outputs.append((memory @ q).squeeze(-1))
    return torch.stack(outputs, dim=-2)

def right__old_value_and_new(query, key, value, beta, decay):
    # What stands under the key is taken out, and a mix of it and of the new value is put in.
    memory = None
    out = []
    for q, k, v, b, g in zip(*(x.unbind(-2) for x in (query, key, value)), beta.unbind(-1), decay.unbind(-1)):
        b, column = b.unsqueeze(-1), k.unsqueeze(-1)
        if memory is None:
            memory = column * (b * v).unsqueeze(-2)
        else:
            memory = memory * g[..., None, None]
            old = (column * memory).sum(-2)
            new = b * v + (1 - b) * old
            memory = memory - column * old.unsqueeze(-2) + column * new.unsqueeze(-2)
        out.append((memory * q.unsqueeze(-1)).sum(-2))
    return torch.stack(out, dim=-2)

def right__item_by_item(query, key, value, beta, decay):
    # The batch is flattened, and each item is gone through by itself.
    flat = [x.reshape(-1, *x.shape[-2:]) for x in (query, key, value)]
    shares = [x.reshape(-1, x.shape[-1]) for x in (beta, decay)]
    items = []
    for q, k, v, b, g in zip(*flat, *shares):
        memory = torch.zeros(k.shape[-1], v.shape[-1]).to(k)
        rows = []
        for t in range(len(k)):
            memory = memory * g[t]
            memory = memory + b[t] * torch.outer(k[t], v[t] - k[t] @ memory)
            rows.append(q[t] @ memory)
        items.append(torch.stack(rows))
    return torch.stack(items).reshape(value.shape)

def right__in_float32(query, key, value, beta, decay):
    # The memory is kept in float32 where the inputs are shorter, as published kernels do.
    wide = torch.promote_types(key.dtype, torch.float32)
    q, k, v, b, g = (x.to(wide) for x in (query, key, value, beta, decay))
    memory = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=wide, device=k.device)
    output = torch.empty(v.shape, dtype=wide, device=v.device)
    rows = []
    for t in range(output.shape[-2]):
        memory = memory * g[..., t, None, None]
        change = (v[..., t, :] - (memory * k[..., t, :, None]).sum(-2)) * b[..., t, None]
        memory = memory + k[..., t, :, None] * change[..., None, :]
        rows.append(torch.einsum("...a,...ac->...c", q[..., t, :], memory))
    return torch.stack(rows, -2).to(value.dtype)

def right__tokens_first(query, key, value, beta, decay):
    # The tokens are brought to the front, so that a plain loop goes over them.
    q, k, v = (x.movedim(-2, 0) for x in (query, key, value))
    b, g = beta.movedim(-1, 0)[..., None], decay.movedim(-1, 0)[..., None, None]
    memory = torch.zeros_like(k[0].unsqueeze(-1) * v[0].unsqueeze(-2))
    outputs = []
    for t in range(len(k)):
        memory = g[t] * memory
        held = torch.matmul(k[t].unsqueeze(-2), memory).squeeze(-2)
        memory = memory + k[t].unsqueeze(-1) @ (b[t] * (v[t] - held)).unsqueeze(-2)
        outputs.append(torch.matmul(q[t].unsqueeze(-2), memory).squeeze(-2))
    return torch.stack(outputs).movedim(0, -2)

def right__triangular_system(query, key, value, beta, decay):
    # What is written at all tokens solves a triangular system, so that there is no loop.
    wide = torch.promote_types(key.dtype, torch.float32)
    q, k, v, b, g = (t.to(wide) for t in (query, key, value, beta, decay))
    n = k.shape[-2]
    past = g.log().cumsum(-1)
    seen = torch.ones(n, n, dtype=torch.bool, device=k.device).tril()
    left = (past[..., :, None] - past[..., None, :]).masked_fill(~seen, 0).exp() * seen
    system = (b[..., None] * (k @ k.mT) * left).tril(-1) + torch.eye(n, dtype=wide, device=k.device)
    written = torch.linalg.solve_triangular(system, b[..., None] * v, upper=False)
    return (((q @ k.mT) * left) @ written).to(value.dtype)

def right__chunks(query, key, value, beta, decay, size=16):
    # A triangular system for each chunk; between chunks only the memory is handed on.
    wide = torch.promote_types(key.dtype, torch.float32)
    memory = torch.zeros(*key.shape[:-2], key.shape[-1], value.shape[-1], dtype=wide, device=key.device)
    outputs = []
    for start in range(0, key.shape[-2], size):
        q, k, v = (x[..., start : start + size, :].to(wide) for x in (query, key, value))
        b, g = (x[..., start : start + size].to(wide) for x in (beta, decay))
        n = k.shape[-2]
        past = g.log().cumsum(-1)
        left = torch.exp((past[..., :, None] - past[..., None, :]).tril()).tril()
        before = past.exp()[..., None]
        system = torch.eye(n, dtype=wide, device=k.device) + (b[..., None] * (k @ k.mT) * left).tril(-1)
        missing = b[..., None] * (v - before * (k @ memory))
        written = torch.linalg.solve_triangular(system, missing, upper=False)
        outputs.append(before * (q @ memory) + ((q @ k.mT) * left) @ written)
        memory = before[..., -1:, :] * memory + (k * left[..., -1, :, None]).mT @ written
    return torch.cat(outputs, dim=-2).to(value.dtype)

def right__earlier_writings(query, key, value, beta, decay):
    # What was written is kept, and fades; the memory is the sum of it, and never made.
    written = value[..., :0, :]
    outputs = []
    for t in range(key.shape[-2]):
        k, q = key[..., t : t + 1, :], query[..., t : t + 1, :]
        written = decay[..., t, None, None] * written
        held = (k @ key[..., :t, :].mT) @ written
        new = beta[..., t, None, None] * (value[..., t : t + 1, :] - held)
        written = torch.cat([written, new], dim=-2)
        outputs.append((q @ key[..., : t + 1, :].mT) @ written)
    return torch.cat(outputs, dim=-2)

def odd__renamed(q, k, v, b, a):
    """Other names, and a function of its own for a step."""
    def step(state, k, v, b, a):
        state = state * a[..., None, None]
        return state + b[..., None, None] * k[..., None] * (v - (state * k[..., None]).sum(-2))[..., None, :]

    state, out = torch.zeros_like(k[..., 0, :, None] * v[..., 0, None, :]), []
    for t in range(k.shape[-2]):
        state = step(state, k[..., t, :], v[..., t, :], b[..., t], a[..., t])
        out.append((state * q[..., t, :, None]).sum(-2))
    return torch.stack(out, -2)

# The delta rule of the exercise before.
wrong__decay_forgotten__1 = change(right__loop, ("        memory = g * memory\n", ""))
wrong__decay_forgotten__2 = change(right__matmul, ("memory * decay[..., t, None, None]", "memory"))
wrong__decay_after_write__1 = change(
    right__loop,
    ("        memory = g * memory\n", ""),
    ("memory + b * k * (v - held)", "g * (memory + b * k * (v - held))"),
)
wrong__decay_after_write__2 = change(
    right__projections,
    ("g * (kept @ memory) +", "g * (kept @ memory +"),
    ("value[..., t, None, :]", "value[..., t, None, :])"),
)
wrong__decay_not_in_prediction__1 = change(
    right__loop,
    ("        memory = g * memory\n", ""),
    ("memory = memory + b", "memory = g * memory + b"),
)
wrong__decay_not_in_prediction__2 = change(right__matmul, ("k @ faded", "k @ memory"))
# The name of the faded memory is forgotten in one place.
wrong__decay_only_in_prediction__1 = change(right__matmul, ("memory = faded + beta", "memory = memory + beta"))
wrong__decay_only_in_prediction__2 = change(
    right__loop,
    ("        memory = g * memory\n", ""),
    ("held = (memory * k)", "held = (g * memory * k)"),
)
wrong__decay_on_keys__1 = change(right__loop, ("memory = g * memory", "k = g * k"))
wrong__decay_on_keys__2 = change(
    right__matmul,
    ("    rows = []", "    rows = []\n    key = key * decay[..., None]"),
    ("memory * decay[..., t, None, None]", "memory"),
)
wrong__decay_on_write__1 = change(
    right__loop, ("        memory = g * memory\n", ""), ("memory + b * k", "memory + g * b * k")
)
wrong__decay_on_write__2 = change(
    right__matmul,
    ("memory * decay[..., t, None, None]", "memory"),
    ("value[..., t : t + 1, :] -", "decay[..., t, None, None] * value[..., t : t + 1, :] -"),
)
wrong__decay_inverted__1 = change(right__loop, ("g * memory", "(1 - g) * memory"))
wrong__decay_inverted__2 = change(right__tokens_first, ("decay.movedim(-1, 0)", "(1 - decay).movedim(-1, 0)"))
# As in code that is given the logarithm of the decay.
wrong__decay_as_logarithm__1 = change(right__loop, ("g * memory", "g.exp() * memory"))
wrong__decay_as_logarithm__2 = change(right__triangular_system, ("g.log().cumsum(-1)", "g.cumsum(-1)"))
# As in a rate of forgetting.
wrong__decay_as_logarithm__3 = change(right__loop, ("g * memory", "torch.exp(-g) * memory"))
wrong__decay_twice__1 = change(
    right__loop, ("memory = memory + b * k * (v - held)", "memory = g * memory + b * k * (v - held)")
)
wrong__decay_twice__2 = change(right__loop, ("(memory * k)", "(g * memory * k)"))
wrong__decay_twice__3 = change(right__transposed_memory, ("memory = g * memory", "memory = g * g * memory"))
# The memory fades at the end of the step, when the output was read.
wrong__decay_one_late__1 = change(
    right__loop,
    ("        memory = g * memory\n", ""),
    ("query[..., t, :, None]).sum(dim=-2))", "query[..., t, :, None]).sum(dim=-2))\n        memory = g * memory"),
)
wrong__decay_one_late__2 = change(
    right__chunks,
    ("    outputs = []", "    decay = F.pad(decay, (1, 0), value=1.0)[..., :-1]\n    outputs = []"),
)
wrong__decay_accumulated__1 = change(
    right__loop, ("    outputs = []", "    decay = decay.cumprod(dim=-1)\n    outputs = []")
)
wrong__decay_accumulated__2 = change(
    right__matmul,
    ("    rows = []", "    rows, share = [], 1"),
    ("        faded = memory *", "        share = share *"),
    ("        missing", "        faded = memory * share\n        missing"),
)
wrong__delta_not_subtracted__1 = change(right__loop, ("(v - held)", "v"))
wrong__delta_not_subtracted__2 = change(right__matmul, (" - k @ faded", ""))
wrong__beta_forgotten__1 = change(right__loop, ("+ b * k", "+ k"))
wrong__beta_forgotten__2 = change(right__matmul, ("beta[..., t, None, None] * (k.mT @ missing)", "k.mT @ missing"))
wrong__beta_on_value_only__1 = change(right__loop, ("b * k * (v - held)", "k * (b * v - held)"))
wrong__beta_on_value_only__2 = change(right__loop, ("b * k * (v - held)", "k * (v - b * held)"))
wrong__delta_sign__1 = change(right__loop, ("(v - held)", "(v + held)"))
wrong__delta_sign__2 = change(right__projections, ("- b * k @ k.mT", "+ b * k @ k.mT"))
wrong__read_before_write__1 = change(
    right__matmul,
    ("        faded =", "        rows.append(q @ memory)\n        faded ="),
    ("missing)\n        rows.append(q @ memory)\n", "missing)\n"),
)
# Read after the memory faded.
wrong__read_before_write__2 = change(right__matmul, ("rows.append(q @ memory)", "rows.append(q @ faded)"))
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
    ("    memory, outputs", "    query, key = (F.normalize(x, dim=-1) for x in (query, key))\n    memory, outputs"),
)
wrong__detached__1 = change(right__loop, ("torch.stack(outputs, dim=-2)", "torch.stack(outputs, dim=-2).detach()"))
# The decay is taken as a constant.
wrong__detached__2 = change(right__matmul, ("memory * decay[..., t", "memory * decay.detach()[..., t"))
wrong__wrong_dtype__1 = change(right__loop, ("torch.stack(outputs, dim=-2)", "torch.stack(outputs, dim=-2).float()"))
wrong__wrong_dtype__2 = change(right__triangular_system, (".to(value.dtype)", ""))
wrong__wrong_device__1 = change(right__loop, (", device=key.device", ""))
wrong__wrong_device__2 = change(right__projections, (", device=key.device", ""))
wrong__input_changed__1 = change(
    right__loop,
    ("    outputs = []", "    decay *= 0.5\n    decay = 2 * decay\n    outputs = []"),
)
wrong__input_changed__2 = change(
    right__matmul,
    ("    rows = []", "    beta.mul_(0.5)\n    beta = 2 * beta\n    rows = []"),
)

# A product of decays is divided by another, and both vanish in a long text.
extra__quotients_of_products = change(
    right__triangular_system,
    ("past = g.log().cumsum(-1)", "past = g.cumprod(-1)"),
    (
        "(past[..., :, None] - past[..., None, :]).masked_fill(~seen, 0).exp() * seen",
        "(past[..., :, None] / past[..., None, :]).tril()",
    ),
)

# A memory of its own for every 16 tokens.
extra__chunks_of_16 = change(
    right__loop,
    ("        k, v = key", "        memory = memory * (t % 16 > 0)\n        k, v = key"),
)

# The last memory is handed on without what it held before the chunk.
extra__memory_not_carried = change(right__chunks, ("before[..., -1:, :] * memory + ", ""))

# Read as cards by somebody who had not seen the misconceptions.
def zeros_for(key, value):
    return torch.zeros(*key.shape[:-2], key.shape[-1], value.shape[-1], dtype=key.dtype, device=key.device)

def wrong__shares_exchanged__1(query, key, value, beta, decay):
    """The two shares are unpacked in the other order."""
    S, out = zeros_for(key, value), []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        b, g = decay[..., t, None, None], beta[..., t, None, None]
        S = g * S
        S = S + b * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__decay_on_output__1(query, key, value, beta, decay):
    """The decay is multiplied with what is read."""
    S, out = zeros_for(key, value), []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        b, g = beta[..., t, None, None], decay[..., t, None, None]
        S = S + b * k @ (v - k.transpose(-1, -2) @ S)
        out.append(g[..., 0] * (q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__decay_under_key_alone__1(query, key, value, beta, decay):
    """The decay takes away from what stands under the key."""
    S, out = zeros_for(key, value), []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        b, g = beta[..., t, None, None], decay[..., t, None, None]
        S = S - (1 - g) * k @ (k.transpose(-1, -2) @ S)
        S = S + b * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def extra__first_item_decay(query, key, value, beta, decay):
    """The decays of the first item are used for the whole batch."""
    while decay.ndim > 1:
        decay = decay[0]
    S, out = zeros_for(key, value), []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        b, g = beta[..., t, None, None], decay[t]
        S = g * S
        S = S + b * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__decay_after_write__3(query, key, value, beta, decay):
    """The value is multiplied by the decay as well."""
    S, out = zeros_for(key, value), []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        b, g = beta[..., t, None, None], decay[..., t, None, None]
        S = g * S
        S = S + b * k @ (g * v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__decay_squashed__1(query, key, value, beta, decay):
    """The decay is taken for a logit."""
    g = torch.sigmoid(decay)
    S, out = zeros_for(key, value), []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        S = g[..., t, None, None] * S
        S = S + beta[..., t, None, None] * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__beta_squashed__1(query, key, value, beta, decay):
    """beta is taken for a logit."""
    beta = beta.sigmoid()
    S, out = zeros_for(key, value), []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        S = decay[..., t, None, None] * S
        S = S + beta[..., t, None, None] * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__one_decay_for_all__1(query, key, value, beta, decay):
    """The first token's decay for all."""
    g = decay[..., 0, None, None]
    S, out = zeros_for(key, value), []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        S = g * S
        S = S + beta[..., t, None, None] * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__one_beta_for_all__1(query, key, value, beta, decay):
    """The mean of an item's betas."""
    b = beta.mean(dim=-1)[..., None, None]
    S, out = zeros_for(key, value), []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        S = decay[..., t, None, None] * S
        S = S + b * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__read_under_query__1(query, key, value, beta, decay):
    """The faded memory is read under the query."""
    S, out = zeros_for(key, value), []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        S = decay[..., t, None, None] * S
        S = S + beta[..., t, None, None] * k @ (v - q @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)

def wrong__features_applied__1(query, key, value, beta, decay):
    """φ is kept from linear attention."""
    query = torch.nn.functional.elu(query) + 1
    key = torch.nn.functional.elu(key) + 1
    S, out = zeros_for(key, value), []
    for t in range(key.shape[-2]):
        k, v, q = key[..., t, :, None], value[..., t, None, :], query[..., t, None, :]
        S = decay[..., t, None, None] * S
        S = S + beta[..., t, None, None] * k @ (v - k.transpose(-1, -2) @ S)
        out.append((q @ S)[..., 0, :])
    return torch.stack(out, -2)
