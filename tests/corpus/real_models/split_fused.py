"""Answers to `split_fused(weight, n_heads)` of notebook 14."""

import numpy as np
import torch

from tests.corpus import change


def right__unflatten(weight, n_heads):
    heads = weight.unflatten(1, (n_heads, 3, -1))
    return tuple(part.flatten(1) for part in heads.unbind(2))


def right__reshape(weight, n_heads):
    d_model, width = weight.shape
    d_head = width // (3 * n_heads)
    heads = weight.reshape(d_model, n_heads, 3, d_head)
    w_query = heads[:, :, 0].reshape(d_model, n_heads * d_head)
    w_key = heads[:, :, 1].reshape(d_model, n_heads * d_head)
    w_value = heads[:, :, 2].reshape(d_model, n_heads * d_head)
    return w_query, w_key, w_value


def right__head_by_head(weight, n_heads):
    queries, keys, values = [], [], []
    for head in weight.chunk(n_heads, dim=-1):
        q, k, v = head.chunk(3, dim=-1)
        queries.append(q)
        keys.append(k)
        values.append(v)
    return torch.cat(queries, dim=-1), torch.cat(keys, dim=-1), torch.cat(values, dim=-1)


def right__slices(weight, n_heads):
    d_head = weight.shape[-1] // n_heads // 3
    parts = []
    for part in range(3):
        starts = [(3 * head + part) * d_head for head in range(n_heads)]
        parts.append(torch.cat([weight[:, start : start + d_head] for start in starts], dim=1))
    return parts


def right__index(weight, n_heads):
    columns = torch.arange(weight.shape[1], device=weight.device).view(n_heads, 3, -1)
    query, key, value = (weight[:, columns[:, part].flatten()] for part in range(3))
    return query, key, value


def right__blocks(weight, n_heads):
    d_head = weight.size(1) // (3 * n_heads)
    blocks = weight.split(d_head, dim=1)
    return tuple(torch.cat(blocks[part::3], dim=1) for part in range(3))


def right__einsum(weight, n_heads):
    heads = weight.reshape(weight.shape[0], n_heads, 3, -1)
    return tuple(torch.einsum("dhpc->pdhc", heads).flatten(2))


def right__permute(weight, n_heads):
    d_model = weight.shape[0]
    heads = weight.reshape(d_model, n_heads, 3, -1).permute(2, 0, 1, 3)
    return tuple(heads.reshape(3, d_model, -1).unbind(0))


def right__rows_of_the_transpose(weight, n_heads):
    rows = weight.T.unflatten(0, (n_heads, 3, -1))
    return tuple(rows[:, part].flatten(0, 1).T for part in range(3))


def right__masked_columns(weight, n_heads):
    d_head = weight.shape[1] // (3 * n_heads)
    owner = torch.arange(weight.shape[1], device=weight.device) // d_head % 3
    return weight[:, owner == 0], weight[:, owner == 1], weight[:, owner == 2]


def right__filled(weight, n_heads):
    d_model, d_head = weight.shape[0], weight.shape[1] // (3 * n_heads)
    query, key, value = (weight.new_empty(d_model, n_heads * d_head) for _ in range(3))
    for head in range(n_heads):
        to, start = slice(head * d_head, (head + 1) * d_head), 3 * head * d_head
        query[:, to] = weight[:, start : start + d_head]
        key[:, to] = weight[:, start + d_head : start + 2 * d_head]
        value[:, to] = weight[:, start + 2 * d_head : start + 3 * d_head]
    return query, key, value


def right__index_select(weight, n_heads):
    d_head = weight.shape[1] // n_heads // 3
    own = torch.arange(d_head, device=weight.device)
    first = 3 * d_head * torch.arange(n_heads, device=weight.device).unsqueeze(1)
    columns = (first + own).flatten()
    return [torch.index_select(weight, 1, columns + part * d_head) for part in range(3)]


def right__selection(weight, n_heads):
    # Each part is a product with columns of the identity.
    one = torch.eye(weight.shape[1], dtype=weight.dtype, device=weight.device)
    heads = one.unflatten(1, (n_heads, 3, -1))
    return tuple(weight @ heads[:, :, part].flatten(1) for part in range(3))


def odd__renamed(fused, heads):
    """Names of its own."""
    parts = fused.reshape(len(fused), heads, 3, -1)
    return [parts.select(2, part).flatten(1) for part in range(3)]


def odd__d_head_argument(weight, n_heads, d_head=None):
    """An argument more, with a default."""
    d_head = d_head or weight.shape[1] // (3 * n_heads)
    q, k, v = weight.unflatten(1, (n_heads, 3 * d_head)).split(d_head, dim=2)
    return q.flatten(1), k.flatten(1), v.flatten(1)


def odd__keyword_only(weight, *, n_heads):
    """The number of heads by name only."""
    q, k, v = weight.unflatten(-1, (n_heads, 3, -1)).movedim(-2, 0)
    return q.flatten(-2), k.flatten(-2), v.flatten(-2)


def odd__column_by_column(weight, n_heads):
    """A list of columns for each part."""
    columns = {part: [] for part in range(3)}
    d_head = weight.shape[1] // (3 * n_heads)
    for number, column in enumerate(weight.unbind(1)):
        columns[number // d_head % 3].append(column)
    return tuple(torch.stack(found, dim=1) for found in columns.values())


def wrong__fused_in_thirds__1(weight, n_heads):
    return weight.chunk(3, dim=-1)


def wrong__fused_in_thirds__2(weight, n_heads):
    width = weight.shape[1] // 3
    return weight[:, :width], weight[:, width : 2 * width], weight[:, 2 * width :]


# The axis of three is put before the heads.
wrong__fused_in_thirds__3 = change(
    right__unflatten, ("(n_heads, 3, -1)", "(3, n_heads, -1)"), ("unbind(2)", "unbind(1)")
)


def wrong__fused_channel_by_channel__1(weight, n_heads):
    return weight[:, 0::3], weight[:, 1::3], weight[:, 2::3]


wrong__fused_channel_by_channel__2 = change(
    right__unflatten, ("(n_heads, 3, -1)", "(n_heads, -1, 3)"), ("unbind(2)", "unbind(3)")
)
wrong__fused_order__key_first = change(right__head_by_head, ("q, k, v = head", "k, q, v = head"))
wrong__fused_order__value_first = change(right__head_by_head, ("q, k, v = head", "v, q, k = head"))
wrong__fused_order__returned = change(
    right__reshape, ("return w_query, w_key, w_value", "return w_key, w_value, w_query")
)
wrong__fused_order__value_second = change(right__head_by_head, ("q, k, v = head", "q, v, k = head"))
# Column 0 of every head comes first.
wrong__heads_interleaved__1 = change(right__unflatten, ("part.flatten(1)", "part.transpose(1, 2).flatten(1)"))
wrong__heads_interleaved__2 = change(right__einsum, ("->pdhc", "->pdch"))
# The heads are moved before the rows, and joined without moving them back.
wrong__fused_by_view__1 = change(
    right__reshape,
    ("(d_model, n_heads, 3, d_head)", "(d_model, n_heads, 3, d_head).transpose(0, 1)"),
)
wrong__fused_by_view__2 = change(right__permute, ("permute(2, 0, 1, 3)", "permute(2, 1, 0, 3)"))
# The rows are cut too.
wrong__fused_rows_wound_up__1 = change(right__permute, (".permute(2, 0, 1, 3)", ""))


def wrong__fused_rows_wound_up__2(weight, n_heads):
    return tuple(weight.reshape(3, weight.shape[0], -1))


# As nn.Linear stores it.
wrong__fused_rows_cut__1 = change(
    right__unflatten,
    ("unflatten(1,", "unflatten(0,"),
    ("flatten(1) for", "flatten(0, 1) for"),
    ("unbind(2)", "unbind(1)"),
)
wrong__fused_rows_cut__2 = change(right__rows_of_the_transpose, ("weight.T.", "weight."))
# The result is cut from the transpose, and left there.
wrong__fused_transposed__1 = change(right__rows_of_the_transpose, ("flatten(0, 1).T", "flatten(0, 1)"))
wrong__fused_transposed__2 = change(right__blocks, ("dim=1) for", "dim=1).T for"))
# The heads are not joined.
wrong__fused_heads_left__1 = change(right__unflatten, ("part.flatten(1)", "part"))
wrong__fused_heads_left__2 = change(
    right__head_by_head,
    ("torch.cat(queries, dim=-1)", "torch.stack(queries)"),
    ("torch.cat(keys, dim=-1)", "torch.stack(keys)"),
    ("torch.cat(values, dim=-1)", "torch.stack(values)"),
)
# So many heads as a head has channels.
wrong__head_sizes_exchanged__1 = change(right__unflatten, ("(n_heads, 3, -1)", "(-1, 3, n_heads)"))
wrong__head_sizes_exchanged__2 = change(right__blocks, ("d_head = weight.size(1) // (3 * n_heads)", "d_head = n_heads"))


def wrong__fused_one_head__1(weight, n_heads):
    d_head = weight.shape[1] // (3 * n_heads)
    return weight[:, :d_head], weight[:, d_head : 2 * d_head], weight[:, 2 * d_head : 3 * d_head]


# The names are bound again in every round.
def wrong__fused_one_head__2(weight, n_heads):
    for head in weight.chunk(n_heads, dim=-1):
        query, key, value = head.chunk(3, dim=-1)
    return query, key, value


wrong__fused_heads_overlap__1 = change(right__slices, ("(3 * head + part)", "(head + part)"))
wrong__fused_heads_overlap__2 = change(right__index_select, ("first = 3 * d_head", "first = d_head"))
wrong__detached__1 = change(right__unflatten, ("weight.unflatten", "weight.detach().unflatten"))


def wrong__detached__2(weight, n_heads):
    numbers = weight.detach().double().cpu().numpy()
    parts = np.split(numbers.reshape(len(numbers), n_heads, 3, -1), 3, axis=2)
    return tuple(torch.tensor(part.reshape(len(numbers), -1)).to(weight) for part in parts)


wrong__detached__3 = change(right__slices, ("def", "@torch.no_grad()", "def"))
# The caller's weight is filled with zeros once its columns have been copied.
wrong__input_changed__1 = change(
    right__blocks,
    ("return tuple(", "parts = tuple("),
    ("for part in range(3))", "for part in range(3))", "weight.zero_()", "return parts"),
)


# The columns are sorted in the caller's own tensor.
def wrong__input_changed__2(weight, n_heads):
    order = torch.arange(weight.shape[1], device=weight.device).view(n_heads, 3, -1).transpose(0, 1).flatten()
    weight[:] = weight[:, order].clone()
    return tuple(part.clone() for part in weight.chunk(3, dim=1))


wrong__wrong_device__1 = change(
    right__filled,
    ("weight.new_empty(d_model, n_heads * d_head)", "torch.zeros(d_model, n_heads * d_head, dtype=weight.dtype)"),
)
wrong__wrong_device__2 = change(right__selection, (", device=weight.device", ""))
wrong__wrong_dtype__1 = change(right__unflatten, ("part.flatten(1)", "part.flatten(1).float()"))
wrong__wrong_dtype__2 = change(
    right__filled,
    (
        "weight.new_empty(d_model, n_heads * d_head)",
        "torch.zeros(d_model, n_heads * d_head, device=weight.device)",
    ),
)


def wrong__fused_rows_cut__3(weight, n_heads):
    """`chunk` along the first axis."""
    return weight.chunk(3)

# Read as cards by somebody who had not seen the misconceptions.
def wrong__fused_in_thirds__4(weight, n_heads):
    """As GPT-2 stores it, with an axis for the heads."""
    d, w = weight.shape
    x = weight.reshape(d, 3, n_heads, w // (3 * n_heads))
    return tuple(x[:, i].reshape(d, -1) for i in range(3))

def wrong__fused_heads_overlap__3(weight, n_heads):
    d_head = weight.shape[1] // (3 * n_heads)
    q, k, v = [], [], []
    for h in range(n_heads):
        start = h * d_head
        q.append(weight[:, start:start + d_head])
        k.append(weight[:, start + d_head:start + 2 * d_head])
        v.append(weight[:, start + 2 * d_head:start + 3 * d_head])
    return torch.cat(q, 1), torch.cat(k, 1), torch.cat(v, 1)

def extra__one_tensor(weight, n_heads):
    """The three come back as one tensor."""
    d = weight.shape[0]
    return weight.reshape(d, n_heads, 3, -1).permute(2, 0, 1, 3).flatten(2)
