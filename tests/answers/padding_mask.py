"""Answers to `padding_mask(lengths, n_keys)` of notebook 05."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


def right__padding_mask__arange(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) < lengths[:, None])[:, None, :]


def right__padding_mask__view(lengths, n_keys):
    positions = torch.arange(n_keys, device=lengths.device).view(1, 1, n_keys)
    return lengths.view(-1, 1, 1).gt(positions)


def right__padding_mask__cumsum(lengths: torch.Tensor, n_keys: int) -> torch.Tensor:
    counted_from_one = lengths.new_ones(len(lengths), 1, n_keys).cumsum(-1)
    return counted_from_one <= lengths.reshape(-1, 1, 1)


def right__padding_mask__loop(lengths, n_keys):
    mask = torch.zeros(len(lengths), 1, n_keys, dtype=torch.bool, device=lengths.device)
    for row, length in enumerate(lengths.tolist()):
        mask[row, 0, :length] = True
    return mask


def right__padding_mask__items_stacked(lengths, n_keys):
    positions = torch.arange(n_keys, device=lengths.device)
    return torch.stack([(positions < length).unsqueeze(0) for length in lengths])


def right__padding_mask__table(lengths, n_keys):
    masks = torch.ones(n_keys + 1, n_keys, dtype=torch.bool, device=lengths.device).tril(-1)
    return masks[lengths].unsqueeze(1)


def right__padding_mask__first_padding_and_after(lengths, n_keys):
    stop = F.one_hot(lengths.long(), n_keys + 1)[:, :n_keys]
    return stop.cumsum(-1).eq(0)[:, None]


def right__padding_mask__padding_negated(lengths, n_keys):
    positions = torch.arange(1, n_keys + 1, device=lengths.device).expand(lengths.shape[0], 1, n_keys)
    padding = positions > lengths[:, None, None]
    return ~padding


def right__padding_mask__pad_sequence(lengths, n_keys):
    rows = [torch.ones(n, dtype=torch.bool, device=lengths.device) for n in lengths.tolist()]
    rows.append(torch.ones(n_keys, dtype=torch.bool, device=lengths.device))
    return nn.utils.rnn.pad_sequence(rows, batch_first=True)[:-1].unsqueeze(1)


def right__padding_mask__vmap(lengths, n_keys):
    positions = torch.arange(n_keys, device=lengths.device)[None]
    return torch.vmap(lambda length: positions < length)(lengths)


def odd__padding_mask__lists(lengths, n_keys):
    """Python lists, turned into a tensor at the end."""
    return torch.tensor([[[j < n for j in range(n_keys)]] for n in lengths.tolist()], device=lengths.device)


def odd__padding_mask__in_floats(n, size):
    """Compared as floating-point numbers, with other argument names; a permuted view."""
    mask = torch.linspace(0.5, size - 0.5, size, device=n.device)[:, None] < n.double()
    return mask.T.unsqueeze(1)


def wrong__padding_mask__padding_off_by_one__1(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) <= lengths[:, None])[:, None, :]


def wrong__padding_mask__padding_off_by_one__2(lengths, n_keys):
    mask = torch.zeros(len(lengths), 1, n_keys, dtype=torch.bool, device=lengths.device)
    for row, length in enumerate(lengths.tolist()):
        mask[row, 0, : length + 1] = True
    return mask


def wrong__padding_mask__padding_off_by_one__3(lengths, n_keys):
    # The last real one is lost.
    return (torch.arange(n_keys, device=lengths.device) < lengths[:, None] - 1)[:, None, :]


def wrong__padding_mask__padding_off_by_one__4(lengths, n_keys):
    positions = torch.arange(1, n_keys + 1, device=lengths.device)
    return torch.stack([(positions < length)[None] for length in lengths])


def wrong__padding_mask__padding_inverted__1(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) >= lengths[:, None])[:, None, :]


def wrong__padding_mask__padding_inverted__2(lengths, n_keys):
    mask = torch.zeros(len(lengths), 1, n_keys, dtype=torch.bool, device=lengths.device)
    for row, length in enumerate(lengths.tolist()):
        mask[row, :, length:] = True
    return mask


def wrong__padding_mask__mask_on_queries__1(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) < lengths[:, None])[:, :, None]


def wrong__padding_mask__mask_on_queries__2(lengths, n_keys):
    positions = torch.arange(n_keys, device=lengths.device).view(1, n_keys, 1)
    return lengths.view(-1, 1, 1).gt(positions)


def wrong__padding_mask__mask_first_item_for_all__1(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) < lengths[0]).repeat(len(lengths), 1, 1)


def wrong__padding_mask__mask_first_item_for_all__2(lengths, n_keys):
    mask = torch.zeros(len(lengths), 1, n_keys, dtype=torch.bool, device=lengths.device)
    mask[..., : lengths[0].item()] = True
    return mask


def wrong__padding_mask__input_changed__1(lengths, n_keys):
    lengths -= 1
    return (torch.arange(n_keys, device=lengths.device) <= lengths[:, None])[:, None, :]


def wrong__padding_mask__input_changed__2(lengths, n_keys):
    lengths.unsqueeze_(1).unsqueeze_(2)
    return torch.arange(n_keys, device=lengths.device) < lengths


def wrong__padding_mask__wrong_device__1(lengths, n_keys):
    return (torch.arange(n_keys) < lengths[:, None])[:, None, :]


def wrong__padding_mask__wrong_device__2(lengths, n_keys):
    masks = torch.ones(n_keys + 1, n_keys, dtype=torch.bool).tril(-1)
    return masks[lengths].unsqueeze(1)


def wrong__padding_mask__wrong_device__3(lengths, n_keys):
    # Comes back on the CPU.
    return torch.arange(n_keys).view(1, 1, -1) < lengths.cpu().view(-1, 1, 1)


def natural__padding_mask__padding_off_by_one__1(lengths, n_keys):
    mask = torch.ones(lengths.size(0), 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b in range(lengths.size(0)):
        mask[b, 0, lengths[b] + 1 :] = False
    return mask


def natural__padding_mask__padding_inverted__1(lengths, n_keys):
    mask = torch.arange(n_keys, device=lengths.device).expand(len(lengths), n_keys) >= lengths.unsqueeze(1)
    return mask.unsqueeze(1)


def natural__padding_mask__mask_on_queries__1(lengths, n_keys):
    mask = torch.arange(n_keys, device=lengths.device).expand(len(lengths), n_keys) < lengths.unsqueeze(1)
    return mask.unsqueeze(-1)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
