"""Answers to `project(x, w_query, w_key, w_value)` of notebook 03."""

import functools

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__matmul(x, w_query, w_key, w_value):
    return x @ w_query, x @ w_key, x @ w_value

def right__einsum(x, w_query, w_key, w_value):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    return query, key, value

def right__linear(x, w_query, w_key, w_value):
    return F.linear(x, w_query.t()), F.linear(x, w_key.t()), F.linear(x, w_value.t())

def right__one_product(x, w_query, w_key, w_value):
    sizes = [w.shape[-1] for w in (w_query, w_key, w_value)]
    return (x @ torch.cat([w_query, w_key, w_value], dim=-1)).split(sizes, dim=-1)

def right__token_by_token(x, w_query, w_key, w_value):
    parts = []
    for w in (w_query, w_key, w_value):
        rows = [x[..., i, :] @ w for i in range(x.shape[-2])]
        parts.append(torch.stack(rows, dim=-2))
    return tuple(parts)

def right__flattened(x, w_query, w_key, w_value):
    flat = x.reshape(-1, x.shape[-1])
    query = torch.mm(flat, w_query).reshape(*x.shape[:-1], w_query.shape[1])
    key = torch.mm(flat, w_key).reshape(*x.shape[:-1], w_key.shape[1])
    value = torch.mm(flat, w_value).reshape(*x.shape[:-1], w_value.shape[1])
    return query, key, value

def right__tensordot(x, w_query, w_key, w_value):
    query, key, value = (torch.tensordot(x, w, dims=([-1], [0])) for w in (w_query, w_key, w_value))
    return query, key, value

def right__product_and_sum(x, w_query, w_key, w_value):
    return tuple((x.unsqueeze(-1) * w).sum(dim=-2) for w in (w_query, w_key, w_value))

def right__columns(x, w_query, w_key, w_value):
    columns = x.transpose(-2, -1)
    return tuple((w.T @ columns).transpose(-2, -1) for w in (w_query, w_key, w_value))

def odd__list(x, w_query, w_key, w_value):
    """A list in place of a tuple."""
    return [torch.matmul(x, w) for w in (w_query, w_key, w_value)]

def odd__renamed(tokens, wq, wk, wv):
    """Arguments with names of its own."""
    return tokens @ wq, tokens @ wk, tokens @ wv

def odd__bias(x, w_query, w_key, w_value, bias=None):
    """An argument more, with a default."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    return (query, key, value) if bias is None else (query + bias, key + bias, value + bias)

def odd__any_number(x, *matrices):
    """The matrices as a starred argument."""
    return tuple(map(x.matmul, matrices))

# float64 inside.
odd__upcast = change(
    right__product_and_sum, ("(x.unsqueeze(-1) * w).sum(dim=-2)", "(x.double() @ w.double()).to(x.dtype)"),
)
odd__partial = functools.partial(odd__bias, bias=None)

def wrong__roles_swapped__2(x, w_query, w_key, w_value):
    query, key, value = (torch.einsum("...nc,cd->...nd", x, w) for w in (w_query, w_key, w_value))
    return key, query, value

def wrong__roles_swapped__3(x, w_query, w_key, w_value):
    sizes = [w.shape[-1] for w in (w_query, w_key, w_value)]
    parts = (x @ torch.cat([w_query, w_key, w_value], dim=-1)).split(sizes, dim=-1)
    return parts[1], parts[0], parts[2]

def wrong__shared_projection__2(x, w_query, w_key, w_value):
    query = F.linear(x, w_query.t())
    key = query.clone()
    return query, key, F.linear(x, w_value.t())

def wrong__detached__1(x, w_query, w_key, w_value):
    return (x @ w_query).detach(), (x @ w_key).detach(), (x @ w_value).detach()

def wrong__detached__2(x, w_query, w_key, w_value):
    tokens = x.detach().double().cpu().numpy()
    parts = [tokens @ w.detach().double().cpu().numpy() for w in (w_query, w_key, w_value)]
    return tuple(torch.from_numpy(part).to(x) for part in parts)

def wrong__detached__3(x, w_query, w_key, w_value):
    with torch.no_grad():
        return x @ w_query, x @ w_key, x @ w_value

def wrong__input_changed__1(x, w_query, w_key, w_value):
    query, key = x @ w_query, x @ w_key
    value = x.transpose_(-2, -1).transpose(-2, -1) @ w_value
    return query, key, value

def wrong__wrong_device__1(x, w_query, w_key, w_value):
    parts = []
    for w in (w_query, w_key, w_value):
        part = torch.zeros(*x.shape[:-1], w.shape[-1], dtype=x.dtype)
        part += x @ w
        parts.append(part)
    return tuple(parts)

def wrong__wrong_device__2(x, w_query, w_key, w_value):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    bias = torch.zeros(value.shape[-1], dtype=x.dtype)
    return query, key, value + bias

def wrong__wrong_dtype__1(x, w_query, w_key, w_value):
    x = x.float()
    return x @ w_query.float(), x @ w_key.float(), x @ w_value.float()

def wrong__wrong_dtype__2(x, w_query, w_key, w_value):
    return tuple(torch.einsum("...nc,cd->...nd", x, w).type(torch.float32) for w in (w_query, w_key, w_value))

wrong__roles_swapped__1 = change(
    right__matmul, ("return x", "return x @ w_key, x"), ("w_key, x @ w_value", "w_value"),
)
wrong__shared_projection__1 = change(right__matmul, ("w_key, x", "w_query, x"))
wrong__input_changed__2 = change(
    right__linear, ("w_query.t", "w_query.t_"), ("w_key.t()", "w_key.t_()"), ("w_value.t", "w_value.t_"),
)
# V = X.
wrong__value_not_projected__1 = change(right__matmul, ("x @ w_value", "x"))
# Q = K = V = X.
wrong__no_projection__1 = change(right__matmul, ("x @ w_query, x @ w_key, x @ w_value", "x, x, x"))

def natural__shared_projection__1(x, w_query, w_key, w_value):
    q = torch.matmul(x, w_query)
    k = torch.matmul(x, w_query)
    v = torch.matmul(x, w_value)
    return q, k, v

natural__roles_swapped__1 = change(
    right__matmul,
    (
        "return x @ w_query, x @ w_key, x @ w_value",
        "k = x @ w_query",
        "q = x @ w_key",
        "v = x @ w_value",
        "return q, k, v",
    ),
)

def extra__dictionary(x, w_query, w_key, w_value):
    """A dictionary in place of a tuple."""
    return {"query": x @ w_query, "key": x @ w_key, "value": x @ w_value}

def extra__three_axes_only(x, w_query, w_key, w_value):
    """bmm: an error without a batch axis and with two."""
    return tuple(torch.bmm(x, w.expand(len(x), *w.shape)) for w in (w_query, w_key, w_value))

def extra__float64_rounded(x, w_query, w_key, w_value):
    """float32 inside and cast back."""
    return tuple((x.float() @ w.float()).to(x.dtype) for w in (w_query, w_key, w_value))

# (value, key, query): the parts in another order.
extra__value_first = change(right__matmul, ("w_query, x", "w_value, x"), ("x @ w_value", "x @ w_query"))
# (query, value, key).
extra__key_and_value_exchanged = change(right__matmul, ("w_key, x @ w_value", "w_value, x @ w_key"))
# One matrix for all three.
extra__shared_projection__all = change(right__matmul, ("w_key, x @ w_value", "w_query, x @ w_query"))
# The value made with the key's matrix.
extra__shared_projection__value = change(right__matmul, ("x @ w_value", "x @ w_key"))
# The query made with the key's matrix.
extra__shared_projection__query = change(right__matmul, ("w_query, x", "w_key, x"))
# x @ w.T, as nn.Linear stores it: an error unless the matrices are square.
extra__weights_transposed = change(
    right__linear, ("w_query.t()", "w_query"), ("w_key.t()", "w_key"), ("(x, w_value.t())", "(x, w_value)"),
)
# Tokens as columns: the results come back transposed.
extra__columns_as_rows = change(
    right__product_and_sum, ("(x.unsqueeze(-1) * w).sum(dim=-2)", "(x @ w).transpose(-2, -1)"),
)
# The key made from the query, the value from the key: an error unless the widths agree.
extra__one_after_another = change(
    right__matmul, (":", ":", "    query = x @ w_query", "    key = query @ w_key"),
    ("x @ w_query, x @ w_key, x", "query, key, key"),
)
# The query is divided by the root already.
extra__scale_added = change(right__matmul, ("w_query, x", "w_query / w_query.shape[-1] ** 0.5, x"))
# One tensor in place of three: an error unless d_key equals d_value.
extra__stacked = change(right__matmul, ("return x", "return torch.stack([x"), ("x @ w_value", "x @ w_value])"))
# The three side by side in one tensor.
extra__concatenated = change(
    right__matmul, ("return x", "return torch.cat([x"), ("x @ w_value", "x @ w_value], dim=-1)"),
)
# `*` in place of `@`: an error in most shapes.
extra__elementwise = change(right__matmul, ("x @ w_query, x @ w_key, x @", "x * w_query, x * w_key, x *"))
# Only the key is cut from the graph.
extra__detached__key = change(right__matmul, ("x @ w_key", "(x @ w_key).detach()"))
# Two results in place of three.
extra__value_forgotten = change(right__matmul, (", x @ w_value", ""))
# `view` on x, whose axes need not lie one behind the other.
extra__viewed = change(right__flattened, ("x.reshape(-1,", "x.view(-1,"))
