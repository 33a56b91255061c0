"""Wrong answers beyond the table to `padding_mask(lengths, n_keys)` of notebook 05."""

from __future__ import annotations

import torch
from torch import nn

from tests.answers.gather import gather


def extra__padding_mask__axis_forgotten(lengths, n_keys):
    """(batch, n_keys): no axis for the queries."""
    return torch.arange(n_keys, device=lengths.device) < lengths[:, None]


def extra__padding_mask__head_axis_added(lengths, n_keys):
    """(batch, 1, 1, n_keys): a head axis that the callers insert themselves."""
    return (torch.arange(n_keys, device=lengths.device) < lengths[:, None])[:, None, None, :]


def extra__padding_mask__query_axis_first(lengths, n_keys):
    """(1, batch, n_keys): the new axis on the wrong side."""
    return (torch.arange(n_keys, device=lengths.device) < lengths[:, None])[None]


def extra__padding_mask__square(lengths, n_keys):
    """(batch, n_keys, n_keys): padding blocked on queries and keys."""
    kept = torch.arange(n_keys, device=lengths.device) < lengths[:, None]
    return kept[:, None, :] & kept[:, :, None]


def extra__padding_mask__repeated_for_queries(lengths, n_keys):
    """(batch, n_keys, n_keys): right in its values, repeated for each query."""
    kept = torch.arange(n_keys, device=lengths.device) < lengths[:, None]
    return kept[:, None, :].expand(-1, n_keys, -1)


def extra__padding_mask__padded_to_longest(lengths, n_keys):
    """As many keys as the longest item has, whatever n_keys is."""
    return (torch.arange(int(lengths.max()), device=lengths.device) < lengths[:, None])[:, None]


def extra__padding_mask__padding_on_the_left(lengths, n_keys):
    """The real keys at the end."""
    return (torch.arange(n_keys, device=lengths.device) >= n_keys - lengths[:, None])[:, None]


def extra__padding_mask__one_key_at_least(lengths, n_keys):
    """A length of 0 keeps one key."""
    return (torch.arange(n_keys, device=lengths.device) < lengths.clamp(min=1)[:, None])[:, None]


def extra__padding_mask__last_item_for_all(lengths, n_keys):
    """The last item's mask for the whole batch."""
    return (torch.arange(n_keys, device=lengths.device) < lengths[-1]).repeat(len(lengths), 1, 1)


def extra__padding_mask__only_the_last_real(lengths, n_keys):
    """True at one position alone, the last real one."""
    return (torch.arange(n_keys, device=lengths.device) == lengths[:, None] - 1)[:, None]


def extra__padding_mask__negative_slice(lengths, n_keys):
    """Blocks the last n_keys - length keys by a slice from the end: -0 blocks all of them."""
    mask = torch.ones(len(lengths), 1, n_keys, dtype=torch.bool, device=lengths.device)
    for row, length in enumerate(lengths.tolist()):
        mask[row, 0, -(n_keys - length) :] = False
    return mask


def extra__padding_mask__wrong_dtype__float(lengths, n_keys):
    """Ones and zeros as floating-point numbers."""
    return (torch.arange(n_keys, device=lengths.device) < lengths[:, None])[:, None].float()


def extra__padding_mask__wrong_dtype__long(lengths, n_keys):
    """Ones and zeros in the dtype of the lengths."""
    return (torch.arange(n_keys, device=lengths.device) < lengths[:, None])[:, None].to(lengths.dtype)


def extra__padding_mask__additive(lengths, n_keys):
    """0 and -inf, to be added to the scores."""
    padding = torch.arange(n_keys, device=lengths.device) >= lengths[:, None]
    return torch.zeros(padding.shape, device=lengths.device).masked_fill(padding, -torch.inf)[:, None]


def extra__padding_mask__padding_left__flipped(lengths, n_keys):
    """The real keys at the end: the mask is turned round."""
    return (torch.arange(n_keys, device=lengths.device) < lengths.view(-1, 1, 1)).flip(-1)


def extra__padding_mask__padding_to_longest__pad_sequence(lengths, n_keys):
    """As wide as the longest item, by `pad_sequence`."""
    rows = [torch.ones(n, dtype=torch.bool, device=lengths.device) for n in lengths.tolist()]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True).unsqueeze(1)


def extra__padding_mask__padding_without_query_axis__loop(lengths, n_keys):
    """(batch, n_keys), filled in a loop."""
    mask = torch.zeros(len(lengths), n_keys, dtype=torch.bool, device=lengths.device)
    for row, length in enumerate(lengths.tolist()):
        mask[row, :length] = True
    return mask


def extra__padding_mask__mask_to_be_added__product(lengths, n_keys):
    """(1 - mask) times a large negative number."""
    mask = (torch.arange(n_keys, device=lengths.device) < lengths.view(-1, 1, 1)).float()
    return (1 - mask) * -1e9


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
