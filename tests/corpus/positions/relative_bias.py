"""Answers to `relative_bias(table, n_queries, n_keys)` of notebook 06."""

import functools

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__indexed(table, n_queries, n_keys):
    r = table.shape[-1] // 2
    i, j = torch.arange(n_queries, device=table.device), torch.arange(n_keys, device=table.device)
    return table[:, (j[None, :] - i[:, None]).clamp(-r, r) + r]

def right__index_on_the_cpu(table, n_queries, n_keys):
    # Indices on the CPU may index a tensor anywhere.
    r = (table.size(1) - 1) // 2
    distance = torch.arange(n_keys) - torch.arange(n_queries).unsqueeze(1)
    return table[:, torch.clip(distance, -r, r) + r]

def right__loops(table, n_queries, n_keys):
    r = (table.shape[1] - 1) // 2
    rows = []
    for i in range(n_queries):
        rows.append(torch.stack([table[:, max(-r, min(r, j - i)) + r] for j in range(n_keys)], dim=-1))
    return torch.stack(rows, dim=1)

def right__nested_lists(table: torch.Tensor, n_queries: int, n_keys: int) -> torch.Tensor:
    r = table.shape[1] // 2
    return table[:, [[min(max(j - i + r, 0), 2 * r) for j in range(n_keys)] for i in range(n_queries)]]

def right__gather(table, n_queries, n_keys):
    n_heads, size = table.shape
    i = torch.arange(n_queries, device=table.device).view(-1, 1)
    j = torch.arange(n_keys, device=table.device).view(1, -1)
    index = torch.clamp(j - i + size // 2, min=0, max=size - 1)
    return table.gather(1, index.reshape(1, -1).expand(n_heads, -1)).view(n_heads, n_queries, n_keys)

def right__index_select(table, n_queries, n_keys):
    top = table.shape[1] - 1
    index = torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    chosen = table.index_select(1, (index + top // 2).clamp(0, top).flatten())
    return chosen.unflatten(1, (n_queries, n_keys))

def right__embedding(table, n_queries, n_keys):
    r = table.shape[1] // 2
    distance = (
        torch.arange(n_keys, device=table.device)[None]
        - torch.arange(n_queries, device=table.device)[:, None]
    )
    return F.embedding(distance.clamp(-r, r) + r, table.T).permute(2, 0, 1)

def right__one_hot(table, n_queries, n_keys):
    size = table.shape[1]
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    chosen = F.one_hot((distance + size // 2).clamp(0, size - 1), size).to(table.dtype)
    return torch.einsum("hs,qks->hqk", table, chosen)

def right__sliding_line(table, n_queries, n_keys):
    # One line for all distances, its ends repeated; each query reads it one place earlier.
    r = table.shape[1] // 2
    left, right = table[:, :1].expand(-1, n_queries), table[:, -1:].expand(-1, n_keys)
    line = torch.cat([left, table, right], dim=1)
    start = n_queries + r
    return torch.stack([line[:, start - i : start - i + n_keys] for i in range(n_queries)], dim=1)

def right__diagonals(table, n_queries, n_keys):
    # Each distance has its own diagonal of ones.
    r = table.shape[1] // 2
    ones = torch.ones(n_queries, n_keys, dtype=table.dtype, device=table.device)
    bias = table[:, :1, None] * ones.tril(-r)
    for distance in range(1 - r, r):
        bias = bias + table[:, distance + r, None, None] * ones.tril(distance).triu(distance)
    return bias + table[:, -1:, None] * ones.triu(r) if r else table[:, :, None] * ones

@functools.lru_cache
def entries(n_queries, n_keys, r, device):
    i, j = torch.meshgrid(
        torch.arange(n_queries, device=device), torch.arange(n_keys, device=device), indexing="ij"
    )
    return (j - i).clamp(-r, r) + r

def right__entries_remembered(table, n_queries, n_keys):
    return table[:, entries(n_queries, n_keys, table.shape[1] // 2, table.device)]

def odd__take_along_dim(t, n, m, r=None):
    """Other names, an argument more, by `take_along_dim`."""
    r = t.shape[1] // 2 if r is None else r
    index = (torch.arange(m, device=t.device) - torch.arange(n, device=t.device)[:, None]).clamp(-r, r) + r
    return torch.take_along_dim(t[:, None, :], index[None], dim=2)

def odd__heads_moved(table, n_queries, n_keys):
    """Heads last on the way; the result is a view."""
    r = table.shape[1] // 2
    index = torch.tensor([[max(-r, min(r, j - i)) + r for j in range(n_keys)] for i in range(n_queries)])
    return table.T[index.to(table.device)].movedim(-1, 0)

def wrong__bias_not_clipped__2(table, n_queries, n_keys):
    size = table.shape[1]
    index = torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    return table[:, (index + size // 2) % size]

def wrong__bias_not_clipped__3(table, n_queries, n_keys):
    r = table.shape[1] // 2
    rows = [torch.stack([table[:, j - i + r] for j in range(n_keys)], dim=-1) for i in range(n_queries)]
    return torch.stack(rows, dim=1)

def wrong__bias_not_clipped__4(table, n_queries, n_keys):
    size = table.shape[1]
    index = [[(j - i + size // 2) % size for j in range(n_keys)] for i in range(n_queries)]
    return torch.stack([torch.stack([table[:, s] for s in row], -1) for row in index], 1)

def wrong__detached__2(table, n_queries, n_keys):
    r = (table.shape[1] - 1) // 2
    bias = torch.zeros(table.shape[0], n_queries, n_keys, dtype=table.dtype, device=table.device)
    for i in range(n_queries):
        for j in range(n_keys):
            bias[:, i, j] = table[:, max(-r, min(r, j - i)) + r].detach()
    return bias

def wrong__input_changed__2(table, n_queries, n_keys):
    # The table is turned round in place to be read the other way.
    r = table.shape[1] // 2
    table.copy_(table.flip(1))
    distance = torch.arange(n_queries, device=table.device)[:, None] - torch.arange(
        n_keys, device=table.device
    )
    return table[:, distance.clamp(-r, r) + r]

def wrong__wrong_device__2(table, n_queries, n_keys):
    n_heads, size = table.shape
    index = (torch.arange(n_keys) - torch.arange(n_queries)[:, None] + size // 2).clamp(0, size - 1)
    return table.gather(1, index.reshape(1, -1).expand(n_heads, -1)).view(n_heads, n_queries, n_keys)

def wrong__wrong_device__3(table, n_queries, n_keys):
    size = table.shape[1]
    distance = torch.arange(n_keys) - torch.arange(n_queries)[:, None]
    chosen = F.one_hot((distance + size // 2).clamp(0, size - 1), size).to(table.dtype)
    return torch.einsum("hs,qks->hqk", table, chosen)

def wrong__bias_bottom_right__1(table, n_queries, n_keys):
    """Aligned at the bottom right, as the causal mask is."""
    r = table.shape[-1] // 2
    i = torch.arange(n_queries, device=table.device)[:, None] + n_keys - n_queries
    return table[:, (torch.arange(n_keys, device=table.device) - i).clamp(-r, r) + r]

def wrong__bias_not_centred__1(table, n_queries, n_keys):
    """r is not added, in loops."""
    r = table.shape[1] // 2
    rows = [
        torch.stack([table[:, max(-r, min(r, j - i))] for j in range(n_keys)], -1) for i in range(n_queries)
    ]
    return torch.stack(rows, dim=1)

wrong__bias_index_reversed__1 = change(right__indexed, ("j[None, :] - i[:, None]", "i[:, None] - j[None, :]"))
wrong__bias_index_reversed__2 = change(right__loops, ("r, j - i", "r, i - j"))
wrong__bias_index_reversed__3 = change(right__one_hot, (", chosen", ".flip(1), chosen"))
# Negative indices count from the end; those past the end raise an error.
wrong__bias_not_clipped__1 = change(
    right__indexed, ("(j[None, :] - i[:, None]).clamp(-r, r)", "j[None, :] - i[:, None]"),
)
wrong__detached__1 = change(right__indexed, ("return table", "return table.data"))
wrong__input_changed__1 = change(
    right__indexed, ("(n_keys, device=table.device)", "(n_keys, device=table.device)", "table.unsqueeze_(-1)"),
    ("(-r, r) + r", "(-r, r) + r, 0"),
)
wrong__wrong_device__1 = change(wrong__detached__2, (", device=table.device", ""), (".detach()", ""))
wrong__wrong_dtype__1 = change(right__indexed, ("return table", "return table.float()"))
wrong__wrong_dtype__2 = change(wrong__detached__2, ("dtype=table.dtype, device", "device"), (".detach()", ""))

def natural__bias_index_reversed__1(table, n_queries, n_keys):
    r = (table.shape[1] - 1) // 2
    positions_q = torch.arange(n_queries, device=table.device)
    positions_k = torch.arange(n_keys, device=table.device)
    relative = positions_q.unsqueeze(1) - positions_k.unsqueeze(0)
    return table[:, torch.clamp(relative, -r, r) + r]

def extra__zero_beyond(table, n_queries, n_keys):
    """No bias beyond r, in place of the table's ends."""
    r = table.shape[-1] // 2
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    return table[:, distance.clamp(-r, r) + r].masked_fill(distance.abs() > r, 0)

def extra__key_positions_only(table, n_queries, n_keys):
    """The key's position, whatever the query's."""
    r = table.shape[-1] // 2
    j = torch.arange(n_keys, device=table.device).expand(n_queries, n_keys)
    return table[:, j.clamp(-r, r) + r]

def extra__bias_bottom_right__loops(table, n_queries, n_keys):
    """The last query stands at the last key, in loops."""
    r, late, rows = table.shape[1] // 2, n_keys - n_queries, []
    for i in range(n_queries):
        rows.append(torch.stack([table[:, max(-r, min(r, j - i - late)) + r] for j in range(n_keys)], -1))
    return torch.stack(rows, dim=1)

# r is not added: negative distances count from the end of the table.
extra__not_moved = change(right__indexed, ("(-r, r) + r", "(-r, r)"))
# Clipped to (0, r) once r is added: half of the table is never read.
extra__clipped_after = change(
    right__indexed, ("(j[None, :] - i[:, None]).clamp(-r, r) + r", "(j[None, :] - i[:, None] + r).clamp(0, r)"),
)
# |j − i|: past and future share their entries.
extra__absolute_distance = change(
    extra__zero_beyond,
    ("[:, distance.clamp(-r, r) + r].masked_fill(distance.abs() > r, 0)", "[:, distance.abs().clamp(max=r) + r]"),
)
# Clipped at −r, not at r: an error for keys far ahead.
extra__clipped_below_only = change(extra__absolute_distance, (".abs().clamp(max=r)", ".clamp(min=-r)"))
# Clipped at r, not at −r: keys far behind wrap around.
extra__clipped_above_only = change(extra__absolute_distance, ("distance.abs()", "distance"))
# r taken one too large, the table's length halved upwards: an error or another entry.
extra__radius_off_by_one = change(
    extra__absolute_distance, ("table.shape[-1] //", "(table.shape[-1] + 1) //"),
    ("distance.abs().clamp(max=r) + r", "(distance.clamp(-r, r) + r).clamp(max=2 * r - 2)"),
)
# (n_queries, n_keys, n_heads): heads not brought to the front.
extra__heads_last = change(
    extra__absolute_distance, ("[:, distance.abs().clamp(max=r) + r]", ".T[distance.clamp(-r, r) + r]"),
)
# (n_queries, n_keys, n_heads), in loops.
extra__heads_last__loops = change(
    wrong__bias_not_centred__1, ("(-r, min(r, j - i))", "(-r, min(r, j - i)) + r"), (", -1", ""),
    ("rows, dim=1", "rows"),
)
# (n_heads, n_keys, n_queries).
extra__axes_swapped = change(extra__zero_beyond, (".masked_fill(distance.abs() > r, 0)", ".mT"))
# Head 0's table for every head.
extra__first_head_for_all = change(
    extra__axes_swapped, (":, distance", "0, distance"), (".mT", ".expand(len(table), -1, -1)"),
)
# A batch axis that nobody asked for.
extra__batch_axis_added = change(extra__axes_swapped, (":, distance", "None, :, distance"), (".mT", ""))
# The clipped ends are cut off from the table.
extra__ends_detached = change(
    right__sliding_line, ("table[:, :1]", "table[:, :1].detach()"), ("table[:, -1:]", "table[:, -1:].detach()"),
)

# Two mistakes at once.
double__bias_index_reversed__and_bias_not_clipped = change(
    right__indexed,
    ("(j[None, :] - i[:, None]).clamp(-r, r)", "(i[:, None] - j[None, :])"),
)
