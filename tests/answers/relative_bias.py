"""Answers to `relative_bias(table, n_queries, n_keys)` of notebook 06."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__relative_bias__indexed(table, n_queries, n_keys):
    r = table.shape[-1] // 2
    i, j = torch.arange(n_queries, device=table.device), torch.arange(n_keys, device=table.device)
    return table[:, (j[None, :] - i[:, None]).clamp(-r, r) + r]


def right__relative_bias__index_on_the_cpu(table, n_queries, n_keys):
    # Indices on the CPU may index a tensor anywhere.
    r = (table.size(1) - 1) // 2
    distance = torch.arange(n_keys) - torch.arange(n_queries).unsqueeze(1)
    return table[:, torch.clip(distance, -r, r) + r]


def right__relative_bias__loops(table, n_queries, n_keys):
    r = (table.shape[1] - 1) // 2
    rows = []
    for i in range(n_queries):
        rows.append(torch.stack([table[:, max(-r, min(r, j - i)) + r] for j in range(n_keys)], dim=-1))
    return torch.stack(rows, dim=1)


def right__relative_bias__nested_lists(table: torch.Tensor, n_queries: int, n_keys: int) -> torch.Tensor:
    r = table.shape[1] // 2
    return table[:, [[min(max(j - i + r, 0), 2 * r) for j in range(n_keys)] for i in range(n_queries)]]


def right__relative_bias__gather(table, n_queries, n_keys):
    n_heads, size = table.shape
    i = torch.arange(n_queries, device=table.device).view(-1, 1)
    j = torch.arange(n_keys, device=table.device).view(1, -1)
    index = torch.clamp(j - i + size // 2, min=0, max=size - 1)
    return table.gather(1, index.reshape(1, -1).expand(n_heads, -1)).view(n_heads, n_queries, n_keys)


def right__relative_bias__index_select(table, n_queries, n_keys):
    top = table.shape[1] - 1
    index = torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    chosen = table.index_select(1, (index + top // 2).clamp(0, top).flatten())
    return chosen.unflatten(1, (n_queries, n_keys))


def right__relative_bias__embedding(table, n_queries, n_keys):
    r = table.shape[1] // 2
    distance = (
        torch.arange(n_keys, device=table.device)[None]
        - torch.arange(n_queries, device=table.device)[:, None]
    )
    return F.embedding(distance.clamp(-r, r) + r, table.T).permute(2, 0, 1)


def right__relative_bias__one_hot(table, n_queries, n_keys):
    size = table.shape[1]
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    chosen = F.one_hot((distance + size // 2).clamp(0, size - 1), size).to(table.dtype)
    return torch.einsum("hs,qks->hqk", table, chosen)


def right__relative_bias__sliding_line(table, n_queries, n_keys):
    # One line for all distances, its ends repeated; each query reads it one place earlier.
    r = table.shape[1] // 2
    left, right = table[:, :1].expand(-1, n_queries), table[:, -1:].expand(-1, n_keys)
    line = torch.cat([left, table, right], dim=1)
    start = n_queries + r
    return torch.stack([line[:, start - i : start - i + n_keys] for i in range(n_queries)], dim=1)


def right__relative_bias__diagonals(table, n_queries, n_keys):
    # Each distance has its own diagonal of ones.
    r = table.shape[1] // 2
    ones = torch.ones(n_queries, n_keys, dtype=table.dtype, device=table.device)
    bias = table[:, :1, None] * ones.tril(-r)
    for distance in range(1 - r, r):
        bias = bias + table[:, distance + r, None, None] * ones.tril(distance).triu(distance)
    return bias + table[:, -1:, None] * ones.triu(r) if r else table[:, :, None] * ones


def odd__relative_bias__take_along_dim(t, n, m, r=None):
    """Other names, an argument more, by `take_along_dim`."""
    r = t.shape[1] // 2 if r is None else r
    index = (torch.arange(m, device=t.device) - torch.arange(n, device=t.device)[:, None]).clamp(-r, r) + r
    return torch.take_along_dim(t[:, None, :], index[None], dim=2)


def odd__relative_bias__heads_moved(table, n_queries, n_keys):
    """Heads last on the way; the result is a view."""
    r = table.shape[1] // 2
    index = torch.tensor([[max(-r, min(r, j - i)) + r for j in range(n_keys)] for i in range(n_queries)])
    return table.T[index.to(table.device)].movedim(-1, 0)


def wrong__relative_bias__bias_index_reversed__1(table, n_queries, n_keys):
    r = table.shape[-1] // 2
    i, j = torch.arange(n_queries, device=table.device), torch.arange(n_keys, device=table.device)
    return table[:, (i[:, None] - j[None, :]).clamp(-r, r) + r]


def wrong__relative_bias__bias_index_reversed__2(table, n_queries, n_keys):
    r = (table.shape[1] - 1) // 2
    rows = []
    for i in range(n_queries):
        rows.append(torch.stack([table[:, max(-r, min(r, i - j)) + r] for j in range(n_keys)], dim=-1))
    return torch.stack(rows, dim=1)


def wrong__relative_bias__bias_index_reversed__3(table, n_queries, n_keys):
    size = table.shape[1]
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    chosen = F.one_hot((distance + size // 2).clamp(0, size - 1), size).to(table.dtype)
    return torch.einsum("hs,qks->hqk", table.flip(1), chosen)


def wrong__relative_bias__bias_not_clipped__1(table, n_queries, n_keys):
    # Negative indices count from the end; those past the end raise an error.
    r = table.shape[-1] // 2
    i, j = torch.arange(n_queries, device=table.device), torch.arange(n_keys, device=table.device)
    return table[:, j[None, :] - i[:, None] + r]


def wrong__relative_bias__bias_not_clipped__2(table, n_queries, n_keys):
    size = table.shape[1]
    index = torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    return table[:, (index + size // 2) % size]


def wrong__relative_bias__bias_not_clipped__3(table, n_queries, n_keys):
    r = table.shape[1] // 2
    rows = [torch.stack([table[:, j - i + r] for j in range(n_keys)], dim=-1) for i in range(n_queries)]
    return torch.stack(rows, dim=1)


def wrong__relative_bias__bias_not_clipped__4(table, n_queries, n_keys):
    size = table.shape[1]
    index = [[(j - i + size // 2) % size for j in range(n_keys)] for i in range(n_queries)]
    return torch.stack([torch.stack([table[:, s] for s in row], -1) for row in index], 1)


def wrong__relative_bias__detached__1(table, n_queries, n_keys):
    r = table.shape[-1] // 2
    i, j = torch.arange(n_queries, device=table.device), torch.arange(n_keys, device=table.device)
    return table.data[:, (j[None, :] - i[:, None]).clamp(-r, r) + r]


def wrong__relative_bias__detached__2(table, n_queries, n_keys):
    r = (table.shape[1] - 1) // 2
    bias = torch.zeros(table.shape[0], n_queries, n_keys, dtype=table.dtype, device=table.device)
    for i in range(n_queries):
        for j in range(n_keys):
            bias[:, i, j] = table[:, max(-r, min(r, j - i)) + r].detach()
    return bias


def wrong__relative_bias__input_changed__1(table, n_queries, n_keys):
    r = table.shape[-1] // 2
    i, j = torch.arange(n_queries, device=table.device), torch.arange(n_keys, device=table.device)
    table.unsqueeze_(-1)
    return table[:, (j[None, :] - i[:, None]).clamp(-r, r) + r, 0]


def wrong__relative_bias__input_changed__2(table, n_queries, n_keys):
    # The table is turned round in place to be read the other way.
    r = table.shape[1] // 2
    table.copy_(table.flip(1))
    distance = torch.arange(n_queries, device=table.device)[:, None] - torch.arange(
        n_keys, device=table.device
    )
    return table[:, distance.clamp(-r, r) + r]


def wrong__relative_bias__wrong_device__1(table, n_queries, n_keys):
    r = (table.shape[1] - 1) // 2
    bias = torch.zeros(table.shape[0], n_queries, n_keys, dtype=table.dtype)
    for i in range(n_queries):
        for j in range(n_keys):
            bias[:, i, j] = table[:, max(-r, min(r, j - i)) + r]
    return bias


def wrong__relative_bias__wrong_device__2(table, n_queries, n_keys):
    n_heads, size = table.shape
    index = (torch.arange(n_keys) - torch.arange(n_queries)[:, None] + size // 2).clamp(0, size - 1)
    return table.gather(1, index.reshape(1, -1).expand(n_heads, -1)).view(n_heads, n_queries, n_keys)


def wrong__relative_bias__wrong_device__3(table, n_queries, n_keys):
    size = table.shape[1]
    distance = torch.arange(n_keys) - torch.arange(n_queries)[:, None]
    chosen = F.one_hot((distance + size // 2).clamp(0, size - 1), size).to(table.dtype)
    return torch.einsum("hs,qks->hqk", table, chosen)


def wrong__relative_bias__wrong_dtype__1(table, n_queries, n_keys):
    r = table.shape[-1] // 2
    i, j = torch.arange(n_queries, device=table.device), torch.arange(n_keys, device=table.device)
    return table.float()[:, (j[None, :] - i[:, None]).clamp(-r, r) + r]


def wrong__relative_bias__wrong_dtype__2(table, n_queries, n_keys):
    r = (table.shape[1] - 1) // 2
    bias = torch.zeros(table.shape[0], n_queries, n_keys, device=table.device)
    for i in range(n_queries):
        for j in range(n_keys):
            bias[:, i, j] = table[:, max(-r, min(r, j - i)) + r]
    return bias


def natural__relative_bias__bias_index_reversed__1(table, n_queries, n_keys):
    r = (table.shape[1] - 1) // 2
    positions_q = torch.arange(n_queries, device=table.device)
    positions_k = torch.arange(n_keys, device=table.device)
    relative = positions_q.unsqueeze(1) - positions_k.unsqueeze(0)
    return table[:, torch.clamp(relative, -r, r) + r]


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
