"""Answers to `padding_mask(lengths, n_keys)` of notebook 05."""

import torch
import torch.nn.functional as F
from torch import nn

from tests.corpus import change

def right__arange(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) < lengths[:, None])[:, None, :]

def right__view(lengths, n_keys):
    positions = torch.arange(n_keys, device=lengths.device).view(1, 1, n_keys)
    return lengths.view(-1, 1, 1).gt(positions)

def right__cumsum(lengths: torch.Tensor, n_keys: int) -> torch.Tensor:
    counted_from_one = lengths.new_ones(len(lengths), 1, n_keys).cumsum(-1)
    return counted_from_one <= lengths.reshape(-1, 1, 1)

def right__loop(lengths, n_keys):
    mask = torch.zeros(len(lengths), 1, n_keys, dtype=torch.bool, device=lengths.device)
    for row, length in enumerate(lengths.tolist()):
        mask[row, 0, :length] = True
    return mask

def right__items_stacked(lengths, n_keys):
    positions = torch.arange(n_keys, device=lengths.device)
    return torch.stack([(positions < length).unsqueeze(0) for length in lengths])

def right__table(lengths, n_keys):
    masks = torch.ones(n_keys + 1, n_keys, dtype=torch.bool, device=lengths.device).tril(-1)
    return masks[lengths].unsqueeze(1)

def right__first_padding_and_after(lengths, n_keys):
    stop = F.one_hot(lengths.long(), n_keys + 1)[:, :n_keys]
    return stop.cumsum(-1).eq(0)[:, None]

def right__padding_negated(lengths, n_keys):
    positions = torch.arange(1, n_keys + 1, device=lengths.device).expand(lengths.shape[0], 1, n_keys)
    padding = positions > lengths[:, None, None]
    return ~padding

def right__pad_sequence(lengths, n_keys):
    rows = [torch.ones(n, dtype=torch.bool, device=lengths.device) for n in lengths.tolist()]
    rows.append(torch.ones(n_keys, dtype=torch.bool, device=lengths.device))
    return nn.utils.rnn.pad_sequence(rows, batch_first=True)[:-1].unsqueeze(1)

def right__vmap(lengths, n_keys):
    positions = torch.arange(n_keys, device=lengths.device)[None]
    return torch.vmap(lambda length: positions < length)(lengths)

def odd__lists(lengths, n_keys):
    """Python lists, turned into a tensor at the end."""
    return torch.tensor([[[j < n for j in range(n_keys)]] for n in lengths.tolist()], device=lengths.device)

def odd__in_floats(n, size):
    """Compared as floating-point numbers, with other argument names; a permuted view."""
    mask = torch.linspace(0.5, size - 0.5, size, device=n.device)[:, None] < n.double()
    return mask.T.unsqueeze(1)

def wrong__input_changed__2(lengths, n_keys):
    lengths.unsqueeze_(1).unsqueeze_(2)
    return torch.arange(n_keys, device=lengths.device) < lengths

def wrong__wrong_device__3(lengths, n_keys):
    # Comes back on the CPU.
    return torch.arange(n_keys).view(1, 1, -1) < lengths.cpu().view(-1, 1, 1)

wrong__padding_off_by_one__1 = change(right__arange, ("< lengths", "<= lengths"))
wrong__padding_off_by_one__2 = change(right__loop, ("0, :length", "0, : length + 1"))
# The last real one is lost.
wrong__padding_off_by_one__3 = change(right__arange, ("[:, None]", "[:, None] - 1"))
wrong__padding_off_by_one__4 = change(
    right__items_stacked, ("n_keys, device", "1, n_keys + 1, device"), (".unsqueeze(0)", "[None]"),
)
wrong__padding_inverted__1 = change(right__arange, ("< lengths", ">= lengths"))
wrong__padding_inverted__2 = change(right__loop, ("0, :length", ":, length:"))
wrong__mask_on_queries__1 = change(right__arange, ("[:, None, :]", "[:, :, None]"))
wrong__mask_on_queries__2 = change(right__view, ("1, n_keys", "n_keys, 1"))
wrong__mask_first_item_for_all__1 = change(
    right__arange, ("[:, None])[:, None, :]", "[0]).repeat(len(lengths), 1, 1)"),
)
wrong__mask_first_item_for_all__2 = change(
    right__loop, ("for row, length in enumerate(lengths.tolist()):", "mask[..., : lengths[0].item()] = True"),
    ("mask[row, 0, :length] = True", ""),
)
wrong__input_changed__1 = change(wrong__padding_off_by_one__1, ("return", "lengths -= 1", "return"))
wrong__wrong_device__1 = change(right__arange, (", device=lengths.device", ""))
wrong__wrong_device__2 = change(right__table, (", device=lengths.device", ""))

def natural__padding_off_by_one__1(lengths, n_keys):
    mask = torch.ones(lengths.size(0), 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b in range(lengths.size(0)):
        mask[b, 0, lengths[b] + 1 :] = False
    return mask

def natural__padding_inverted__1(lengths, n_keys):
    mask = torch.arange(n_keys, device=lengths.device).expand(len(lengths), n_keys) >= lengths.unsqueeze(1)
    return mask.unsqueeze(1)

natural__mask_on_queries__1 = change(
    natural__padding_inverted__1, (">= lengths", "< lengths"), ("mask.unsqueeze(1)", "mask.unsqueeze(-1)"),
)

def extra__square(lengths, n_keys):
    """(batch, n_keys, n_keys): padding blocked on queries and keys."""
    kept = torch.arange(n_keys, device=lengths.device) < lengths[:, None]
    return kept[:, None, :] & kept[:, :, None]

def extra__additive(lengths, n_keys):
    """0 and -inf, to be added to the scores."""
    padding = torch.arange(n_keys, device=lengths.device) >= lengths[:, None]
    return torch.zeros(padding.shape, device=lengths.device).masked_fill(padding, -torch.inf)[:, None]

def extra__padding_to_longest__pad_sequence(lengths, n_keys):
    """As wide as the longest item, by `pad_sequence`."""
    rows = [torch.ones(n, dtype=torch.bool, device=lengths.device) for n in lengths.tolist()]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True).unsqueeze(1)

# (batch, n_keys): no axis for the queries.
extra__axis_forgotten = change(right__arange, ("return (", "return "), (")[:, None, :]", ""))
# (batch, 1, 1, n_keys): a head axis that the callers insert themselves.
extra__head_axis_added = change(right__arange, ("[:, None, :]", "[:, None, None, :]"))
# (1, batch, n_keys): the new axis on the wrong side.
extra__query_axis_first = change(right__arange, ("[:, None, :]", "[None]"))
# (batch, n_keys, n_keys): right in its values, repeated for each query.
extra__repeated_for_queries = change(
    extra__square, ("[:, None, :] & kept[:, :, None]", "[:, None, :].expand(-1, n_keys, -1)"),
)
# As many keys as the longest item has, whatever n_keys is.
extra__padded_to_longest = change(
    right__arange, ("n_keys, device", "int(lengths.max()), device"), ("[:, None, :]", "[:, None]"),
)
# The real keys at the end.
extra__padding_on_the_left = change(
    right__arange, ("< lengths", ">= n_keys - lengths"), ("[:, None, :]", "[:, None]"),
)
# A length of 0 keeps one key.
extra__one_key_at_least = change(
    right__arange, ("[:, None])[:, None, :]", ".clamp(min=1)[:, None])[:, None]"),
)
# The last item's mask for the whole batch.
extra__last_item_for_all = change(wrong__mask_first_item_for_all__1, ("0", "-1"))
# True at one position alone, the last real one.
extra__only_the_last_real = change(right__arange, ("< lengths", "== lengths"), (")[:, None, :]", " - 1)[:, None]"))
# Blocks the last n_keys - length keys by a slice from the end: -0 blocks all of them.
extra__negative_slice = change(
    right__loop, ("torch.zeros", "torch.ones"),
    ("[row, 0, :length] = True", "[row, 0, -(n_keys - length) :] = False"),
)
# Ones and zeros as floating-point numbers.
extra__wrong_dtype__float = change(right__arange, ("[:, None, :]", "[:, None].float()"))
# Ones and zeros in the dtype of the lengths.
extra__wrong_dtype__long = change(right__arange, ("[:, None, :]", "[:, None].to(lengths.dtype)"))
# The real keys at the end: the mask is turned round.
extra__padding_left__flipped = change(right__arange, ("[:, None])[:, None, :]", ".view(-1, 1, 1)).flip(-1)"))
# (batch, n_keys), filled in a loop.
extra__padding_without_query_axis__loop = change(
    right__loop, ("(lengths), 1", "(lengths)"), ("row, 0, :", "row, :"),
)
# (1 - mask) times a large negative number.
extra__mask_to_be_added__product = change(
    right__arange, ("return", "mask ="),
    ("[:, None])[:, None, :]", ".view(-1, 1, 1)).float()", "return (1 - mask) * -1e9"),
)
# A row for each query, as many as there are keys.
wrong__padding_for_every_query__1 = change(right__arange, ("[:, None, :]", "[:, None, :].expand(-1, n_keys, -1)"))
# The queries of the padding see nothing.
wrong__padding_for_every_query__2 = change(
    right__arange,
    ("return", "real ="),
    ("[:, None])[:, None, :]", "[:, None])", "return real[:, None, :] & real[..., None]"),
)
