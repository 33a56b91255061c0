"""Wrong answers beyond the table to `relative_bias(table, n_queries, n_keys)` of notebook 06."""

from __future__ import annotations

import torch

from tests.answers.gather import gather


def extra__relative_bias__not_moved(table, n_queries, n_keys):
    """r is not added: negative distances count from the end of the table."""
    r = table.shape[-1] // 2
    i, j = torch.arange(n_queries, device=table.device), torch.arange(n_keys, device=table.device)
    return table[:, (j[None, :] - i[:, None]).clamp(-r, r)]


def extra__relative_bias__clipped_after(table, n_queries, n_keys):
    """Clipped to (0, r) once r is added: half of the table is never read."""
    r = table.shape[-1] // 2
    i, j = torch.arange(n_queries, device=table.device), torch.arange(n_keys, device=table.device)
    return table[:, (j[None, :] - i[:, None] + r).clamp(0, r)]


def extra__relative_bias__zero_beyond(table, n_queries, n_keys):
    """No bias beyond r, in place of the table's ends."""
    r = table.shape[-1] // 2
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    return table[:, distance.clamp(-r, r) + r].masked_fill(distance.abs() > r, 0)


def extra__relative_bias__absolute_distance(table, n_queries, n_keys):
    """|j − i|: past and future share their entries."""
    r = table.shape[-1] // 2
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    return table[:, distance.abs().clamp(max=r) + r]


def extra__relative_bias__clipped_below_only(table, n_queries, n_keys):
    """Clipped at −r, not at r: an error for keys far ahead."""
    r = table.shape[-1] // 2
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    return table[:, distance.clamp(min=-r) + r]


def extra__relative_bias__clipped_above_only(table, n_queries, n_keys):
    """Clipped at r, not at −r: keys far behind wrap around."""
    r = table.shape[-1] // 2
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    return table[:, distance.clamp(max=r) + r]


def extra__relative_bias__radius_off_by_one(table, n_queries, n_keys):
    """r taken one too large, the table's length halved upwards: an error or another entry."""
    r = (table.shape[-1] + 1) // 2
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    return table[:, (distance.clamp(-r, r) + r).clamp(max=2 * r - 2)]


def extra__relative_bias__heads_last(table, n_queries, n_keys):
    """(n_queries, n_keys, n_heads): heads not brought to the front."""
    r = table.shape[-1] // 2
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    return table.T[distance.clamp(-r, r) + r]


def extra__relative_bias__bottom_right(table, n_queries, n_keys):
    """Aligned at the bottom right, as the causal mask is."""
    r = table.shape[-1] // 2
    i = torch.arange(n_queries, device=table.device)[:, None] + n_keys - n_queries
    return table[:, (torch.arange(n_keys, device=table.device) - i).clamp(-r, r) + r]


def extra__relative_bias__axes_swapped(table, n_queries, n_keys):
    """(n_heads, n_keys, n_queries)."""
    r = table.shape[-1] // 2
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    return table[:, distance.clamp(-r, r) + r].mT


def extra__relative_bias__first_head_for_all(table, n_queries, n_keys):
    """Head 0's table for every head."""
    r = table.shape[-1] // 2
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    return table[0, distance.clamp(-r, r) + r].expand(len(table), -1, -1)


def extra__relative_bias__batch_axis_added(table, n_queries, n_keys):
    """A batch axis that nobody asked for."""
    r = table.shape[-1] // 2
    distance = (
        torch.arange(n_keys, device=table.device) - torch.arange(n_queries, device=table.device)[:, None]
    )
    return table[None, :, distance.clamp(-r, r) + r]


def extra__relative_bias__key_positions_only(table, n_queries, n_keys):
    """The key's position, whatever the query's."""
    r = table.shape[-1] // 2
    j = torch.arange(n_keys, device=table.device).expand(n_queries, n_keys)
    return table[:, j.clamp(-r, r) + r]


def extra__relative_bias__bias_not_centred__loops(table, n_queries, n_keys):
    """r is not added, in loops."""
    r = table.shape[1] // 2
    rows = [
        torch.stack([table[:, max(-r, min(r, j - i))] for j in range(n_keys)], -1) for i in range(n_queries)
    ]
    return torch.stack(rows, dim=1)


def extra__relative_bias__bias_bottom_right__loops(table, n_queries, n_keys):
    """The last query stands at the last key, in loops."""
    r, late, rows = table.shape[1] // 2, n_keys - n_queries, []
    for i in range(n_queries):
        rows.append(torch.stack([table[:, max(-r, min(r, j - i - late)) + r] for j in range(n_keys)], -1))
    return torch.stack(rows, dim=1)


def extra__relative_bias__heads_last__loops(table, n_queries, n_keys):
    """(n_queries, n_keys, n_heads), in loops."""
    r = table.shape[1] // 2
    rows = [
        torch.stack([table[:, max(-r, min(r, j - i)) + r] for j in range(n_keys)]) for i in range(n_queries)
    ]
    return torch.stack(rows)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
