"""Answers to `to_neighbouring_pairs(weight, n_heads)` of notebook 14."""

import numpy as np
import torch

from tests.corpus import change


def right__unflatten(weight, n_heads):
    pairs = weight.unflatten(-1, (n_heads, 2, -1))
    return pairs.transpose(-1, -2).flatten(-3)


def right__reshape(weight, n_heads):
    d_model, width = weight.shape
    half = width // n_heads // 2
    heads = weight.reshape(d_model, n_heads, 2, half)
    return heads.transpose(2, 3).reshape(d_model, width)


def right__stack_of_halves(weight, n_heads):
    first, second = weight.unflatten(1, (n_heads, -1)).chunk(2, dim=-1)
    return torch.stack([first, second], dim=-1).flatten(1)


def right__column_numbers(weight, n_heads):
    d_head = weight.shape[1] // n_heads
    order = []
    for head in range(n_heads):
        for i in range(d_head // 2):
            order += [head * d_head + i, head * d_head + i + d_head // 2]
    return weight[:, order]


def right__index(weight, n_heads):
    columns = torch.arange(weight.shape[1], device=weight.device).view(n_heads, 2, -1)
    return weight[:, columns.mT.flatten()]


def right__head_by_head(weight, n_heads):
    heads = []
    for head in weight.chunk(n_heads, dim=1):
        half = head.shape[1] // 2
        heads.append(torch.stack((head[:, :half], head[:, half:]), dim=2).flatten(1))
    return torch.cat(heads, dim=1)


def right__filled(weight, n_heads):
    reordered = torch.empty_like(weight)
    d_head = weight.shape[1] // n_heads
    for head in range(n_heads):
        start, end = head * d_head, (head + 1) * d_head
        reordered[:, start:end:2] = weight[:, start : start + d_head // 2]
        reordered[:, start + 1 : end : 2] = weight[:, start + d_head // 2 : end]
    return reordered


def right__scattered(weight, n_heads):
    heads = weight.reshape(len(weight), n_heads, -1)
    d_head, reordered = heads.shape[-1], heads.new_zeros(heads.shape)
    reordered[..., 0::2] = heads[..., : d_head // 2]
    reordered[..., 1::2] = heads[..., d_head // 2 :]
    return reordered.reshape(weight.shape)


def right__einsum(weight, n_heads):
    pairs = weight.reshape(weight.shape[0], n_heads, 2, -1)
    return torch.einsum("dhsi->dhis", pairs).reshape(weight.shape)


def right__rows_of_the_transpose(weight, n_heads):
    rows = weight.T.reshape(n_heads, 2, -1, weight.shape[0])
    return rows.transpose(1, 2).reshape(weight.shape[1], weight.shape[0]).T


def right__permutation_matrix(weight, n_heads):
    d_head = weight.shape[1] // n_heads
    one = torch.eye(d_head, dtype=weight.dtype, device=weight.device)
    swap = torch.empty_like(one)
    swap[:, 0::2], swap[:, 1::2] = one[:, : d_head // 2], one[:, d_head // 2 :]
    return (weight.unflatten(1, (n_heads, d_head)) @ swap).flatten(1)


def right__sorted_columns(weight, n_heads):
    # Column c of a head is number c % half among the pairs: a stable sort brings the two of a pair together.
    columns = torch.arange(weight.shape[1], device=weight.device)
    d_head = weight.shape[1] // n_heads
    pair = columns // d_head * d_head + columns % d_head % (d_head // 2)
    return weight[:, pair.argsort(stable=True)]


def right__index_select(weight, n_heads):
    width = weight.shape[1]
    d_head = width // n_heads
    place = torch.arange(width, device=weight.device)
    within = place % d_head
    came_from = place - within + within // 2 + within % 2 * (d_head // 2)
    return torch.index_select(weight, 1, came_from)


def odd__renamed(w, h):
    """Names of its own."""
    return w.unflatten(1, (h, 2, -1)).movedim(2, 3).reshape(w.shape)


def odd__d_head_argument(weight, n_heads, d_head=None):
    """An argument more, with a default."""
    d_head = d_head or weight.shape[1] // n_heads
    order = torch.arange(d_head, device=weight.device).view(2, -1).T.flatten()
    return weight.reshape(-1, n_heads, d_head)[..., order].flatten(1)


def odd__keyword_only(weight, *, n_heads):
    """The number of heads by name only."""
    return torch.cat([head.unflatten(1, (2, -1)).mT.flatten(1) for head in weight.chunk(n_heads, dim=-1)], dim=-1)


def odd__column_by_column(weight, n_heads):
    """A column after the other."""
    d_head = weight.shape[1] // n_heads
    columns = []
    for c in range(weight.shape[1]):
        head, place = divmod(c, d_head)
        pair, second = divmod(place, 2)
        columns.append(weight[:, head * d_head + pair + second * d_head // 2])
    return torch.stack(columns, dim=1)


# The axes are cut and joined, and nothing changes places.
wrong__pairs_not_moved__1 = change(right__unflatten, (".transpose(-1, -2)", ""))
wrong__pairs_not_moved__2 = change(right__reshape, (".transpose(2, 3)", ""))


# The result of the transpose is thrown away.
def wrong__pairs_not_moved__3(weight, n_heads):
    pairs = weight.unflatten(-1, (n_heads, 2, -1))
    pairs.transpose(-1, -2)
    return pairs.flatten(1)


wrong__pairs_moved_back__1 = change(right__unflatten, ("(n_heads, 2, -1)", "(n_heads, -1, 2)"))


def wrong__pairs_moved_back__2(weight, n_heads):
    heads = weight.reshape(weight.shape[0], n_heads, -1)
    return torch.cat([heads[..., 0::2], heads[..., 1::2]], dim=-1).reshape(weight.shape)


# The order says where each column goes, and is used as where it comes from.
wrong__pairs_moved_back__3 = change(right__index, ("columns.mT.flatten()", "columns.mT.flatten().argsort()"))


def wrong__pairs_across_heads__1(weight, n_heads):
    first, second = weight.chunk(2, dim=1)
    return torch.stack([first, second], dim=-1).flatten(1)


wrong__pairs_across_heads__2 = change(right__unflatten, ("n_heads, 2, -1", "2, -1"), ("flatten(-3)", "flatten(-2)"))
wrong__pairs_second_first__1 = change(right__stack_of_halves, ("[first, second]", "[second, first]"))
wrong__pairs_second_first__2 = change(right__scattered, ("0::2", "1::2"), ("1::2", "0::2"))
wrong__pairs_from_the_ends__1 = change(right__stack_of_halves, ("[first, second]", "[first, second.flip(-1)]"))
wrong__pairs_from_the_ends__2 = change(right__column_numbers, ("i + d_head // 2]", "d_head - 1 - i]"))


def wrong__pairs_first_head_alone__1(weight, n_heads):
    d_head = weight.shape[1] // n_heads
    order = torch.arange(d_head, device=weight.device).view(2, -1).T.flatten()
    return torch.cat([weight[:, order], weight[:, d_head:]], dim=1)


def wrong__pairs_first_head_alone__2(weight, n_heads):
    reordered = weight.clone()
    d_head = weight.shape[1] // n_heads
    reordered[:, 0:d_head:2] = weight[:, : d_head // 2]
    reordered[:, 1:d_head:2] = weight[:, d_head // 2 : d_head]
    return reordered


# As nn.Linear stores it.
wrong__pairs_of_rows__1 = change(
    right__rows_of_the_transpose,
    ("weight.T.", "weight."),
    ("-1, weight.shape[0])", "-1, weight.shape[1])"),
    ("(weight.shape[1], weight.shape[0]).T", "(weight.shape)"),
)
wrong__pairs_of_rows__2 = change(
    right__unflatten,
    ("unflatten(-1,", "unflatten(0,"),
    ("transpose(-1, -2).flatten(-3)", "transpose(1, 2).flatten(0, 2)"),
)


# The last axis is d_model, as it is in nn.Linear.
def wrong__pairs_wound_up__1(weight, n_heads):
    d_model, width = weight.shape
    halves = weight.reshape(n_heads, 2, width // n_heads // 2, d_model)
    return halves.transpose(1, 2).reshape(d_model, width)


wrong__pairs_wound_up__2 = change(
    right__rows_of_the_transpose, ("weight.T.", "weight."), ("(weight.shape[1], weight.shape[0]).T", "(weight.shape)")
)
wrong__heads_interleaved__1 = change(
    right__unflatten, ("(n_heads, 2, -1)", "(2, -1, n_heads)"), ("transpose(-1, -2)", "transpose(1, 2)")
)


def wrong__heads_interleaved__2(weight, n_heads):
    heads = [head.unflatten(1, (2, -1)).mT.flatten(1) for head in (weight[:, h::n_heads] for h in range(n_heads))]
    return torch.stack(heads, dim=-1).flatten(1)


wrong__head_sizes_exchanged__1 = change(
    right__reshape, ("width // n_heads // 2", "n_heads // 2"), ("n_heads, 2, half", "-1, 2, half")
)
wrong__head_sizes_exchanged__2 = change(
    right__unflatten, ("(n_heads, 2, -1)", "(weight.shape[1] // n_heads, 2, n_heads // 2)")
)
wrong__pairs_heads_left__1 = change(right__unflatten, ("flatten(-3)", "flatten(-2)"))
wrong__pairs_heads_left__2 = change(right__stack_of_halves, (".flatten(1)", ""))
wrong__pairs_transposed__1 = change(right__rows_of_the_transpose, ("weight.shape[0]).T", "weight.shape[0])"))
wrong__pairs_transposed__2 = change(right__index, ("flatten()]", "flatten()].T"))
wrong__detached__1 = change(right__unflatten, ("pairs = weight.", "pairs = weight.detach()."))


def wrong__detached__2(weight, n_heads):
    numbers = weight.detach().double().cpu().numpy()
    halves = numbers.reshape(len(numbers), n_heads, 2, -1)
    return torch.tensor(np.swapaxes(halves, 2, 3).reshape(numbers.shape)).to(weight)


wrong__detached__3 = change(right__filled, ("def", "@torch.no_grad()", "def"))


# The caller's own weight is reordered.
def wrong__input_changed__1(weight, n_heads):
    weight[:] = weight.clone().reshape(len(weight), n_heads, 2, -1).transpose(2, 3).reshape(weight.shape)
    return weight.clone()


wrong__input_changed__2 = change(
    right__scattered,
    (
        "return reordered.reshape(weight.shape)",
        "weight.copy_(reordered.reshape(weight.shape))",
        "return reordered.flatten(1)",
    ),
)
wrong__wrong_device__1 = change(right__index_select, (", device=weight.device", ""))
wrong__wrong_device__2 = change(
    right__filled, ("torch.empty_like(weight)", "torch.empty(weight.shape, dtype=weight.dtype)")
)
wrong__wrong_dtype__1 = change(right__unflatten, ("flatten(-3)", "flatten(-3).float()"))
wrong__wrong_dtype__2 = change(
    right__filled, ("torch.empty_like(weight)", "torch.zeros(weight.shape, device=weight.device)")
)


def wrong__pairs_with_the_next__1(weight, n_heads):
    """The partner is looked for one place further on."""
    d_head = weight.shape[1] // n_heads
    reordered = torch.zeros_like(weight)
    for head in range(n_heads):
        for i in range(d_head // 2):
            reordered[:, head * d_head + 2 * i] = weight[:, head * d_head + i]
            reordered[:, head * d_head + 2 * i + 1] = weight[:, head * d_head + i + 1]
    return reordered


# The minus of the rotation.
wrong__pairs_with_a_sign__1 = change(right__stack_of_halves, ("[first, second]", "[first, -second]"))
wrong__pairs_with_a_sign__2 = change(right__stack_of_halves, ("[first, second]", "[-first, second]"))

# Read as cards by somebody who had not seen the misconceptions.
def wrong__halves_exchanged__1(weight, n_heads):
    """The second half of each head comes first."""
    d, w = weight.shape
    a, b = weight.reshape(d, n_heads, 2, -1).unbind(2)
    return torch.cat((b, a), -1).reshape(d, w)

def wrong__pairs_heads_scattered__1(weight, n_heads):
    """The heads become the inner axis."""
    d, w = weight.shape
    x = weight.reshape(d, n_heads, 2, -1)
    return x.permute(0, 3, 1, 2).reshape(d, w)

def wrong__pairs_with_a_sign__3(weight, n_heads):
    """As `rotate_half` does before the sum with the sines."""
    d, w = weight.shape
    a, b = weight.reshape(d, n_heads, 2, -1).unbind(2)
    return torch.stack((-b, a), -1).reshape(d, w)

def extra__heads_last(weight, n_heads):
    """The heads are the last axis that is cut, and the pairs neighbours already."""
    d, w = weight.shape
    x = weight.reshape(d, -1, 2, n_heads)
    return x.transpose(1, 2).reshape(d, w)
