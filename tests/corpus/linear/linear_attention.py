"""Answers to `linear_attention(query, key, value)` of notebook 12."""

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__elu(query, key, value):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser

def right__einsum(query, key, value):
    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))

    q, k = phi(query), phi(key)
    mixed = torch.einsum("...qd,...dv->...qv", q, torch.einsum("...kd,...kv->...dv", k, value))
    total = torch.einsum("...qd,...d->...q", q, k.sum(-2))
    return mixed / total[..., None]

def right__ones_beside_the_values(query, key, value):
    # The normaliser is one more channel of what is mixed.
    q, k = (F.relu(x) + torch.exp(-F.relu(-x)) for x in (query, key))
    both = q @ (k.mT @ torch.cat([value, torch.ones_like(value[..., :1])], dim=-1))
    return both[..., :-1] / both[..., -1:]

def right__key_by_key(query, key, value):
    # The state of a recurrent network, grown by one token at a time.
    q, k = torch.nn.functional.elu(query) + 1.0, torch.nn.functional.elu(key) + 1.0
    state = value.new_zeros(*k.shape[:-2], k.shape[-1], value.shape[-1])
    total = torch.zeros_like(k[..., 0, :])
    for j in range(k.shape[-2]):
        state = state + k[..., j, :, None] * value[..., j, None, :]
        total = total + k[..., j, :]
    return (q @ state) / (q @ total.unsqueeze(-1))

def right__bmm(query, key, value):
    batch, d_key = query.shape[:-2], query.shape[-1]
    phi = torch.nn.ELU()
    q = phi(query).add(1).reshape(-1, query.shape[-2], d_key)
    k = phi(key).add(1).reshape(-1, key.shape[-2], d_key)
    v = value.reshape(-1, *value.shape[-2:])
    output = torch.bmm(q, torch.bmm(k.permute(0, 2, 1), v))
    output = output.div(torch.bmm(q, k.sum(1).unsqueeze(2)))
    return output.reshape(*batch, *output.shape[1:])

def right__normalised_first(query, key, value):
    # Each query is divided before it meets the state.
    q, k = 1 + F.elu(query), 1 + F.elu(key)
    q = q / (q * k.sum(-2, keepdim=True)).sum(-1, keepdim=True)
    return torch.matmul(q, torch.matmul(k.swapaxes(-1, -2), value))

def right__in_float32(query, key, value):
    wide = torch.promote_types(query.dtype, torch.float32)
    q, k, v = query.to(wide), key.to(wide), value.to(wide)
    q, k = torch.maximum(q, q.new_zeros(())) + q.clamp(max=0).exp(), k.clamp(min=0) + k.clamp(max=0).exp()
    output = q @ (k.mT @ v) / (q * k.sum(-2, keepdim=True)).sum(-1, keepdim=True)
    return output.to(query.dtype)

def odd__renamed(q, k, v, eps=0.0):
    """Other names, and an argument more."""
    q, k = F.elu(q) + 1, F.elu(k) + 1
    return (q @ (k.mT @ v)) / (q @ k.sum(-2).unsqueeze(-1) + eps)

def odd__queries_in_pieces(query, key, value):
    """The queries a few at a time."""
    k = F.elu(key) + 1
    state, total = k.mT @ value, k.sum(-2, keepdim=True).mT
    pieces = (F.elu(rows) + 1 for rows in query.split(3, dim=-2))
    return torch.cat([rows @ state / (rows @ total) for rows in pieces], dim=-2)

def odd__running_sums(query, key, value):
    """Running sums, of which the last is taken: d_key numbers a token, channel of the values by channel."""
    q, k = F.elu(query) + 1, F.elu(key) + 1
    total = k.cumsum(-2)[..., -1:, :]
    channels = []
    for c in range(value.shape[-1]):
        state = (k * value[..., c : c + 1]).cumsum(-2)[..., -1:, :]
        channels.append((q * state).sum(-1) / (q * total).sum(-1))
    return torch.stack(channels, dim=-1)

odd__lambda = lambda *args, **kwargs: right__elu(*args, **kwargs)

def wrong__wrong_device__1(query, key, value):
    q, k = F.elu(query) + 1, F.elu(key) + 1
    state = torch.zeros(*k.shape[:-2], k.shape[-1], value.shape[-1], dtype=k.dtype)
    for j in range(k.shape[-2]):
        state += k[..., j, :, None] * value[..., j, None, :]
    return q @ state / (q @ k.sum(-2).unsqueeze(-1))

wrong__linear_no_normaliser__1 = change(
    right__elu, ("normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)", ""),
    ("state / normaliser", "state"),
)
wrong__linear_no_normaliser__2 = change(
    right__einsum, ("k, value))", "k, value))", "return mixed"),
    ('total = torch.einsum("...qd,...d->...q", q, k.sum(-2))', ""), ("return mixed / total[..., None]", ""),
)
wrong__linear_no_plus_one__1 = change(right__elu, ("(query) + 1, F.elu(key) + 1", "(query), F.elu(key)"))
wrong__linear_no_plus_one__2 = change(right__einsum, ("x + 1, torch.exp", "x, torch.expm1"))
wrong__detached__1 = change(right__elu, ("query @ state / normaliser", "(query @ state / normaliser).detach()"))
wrong__detached__2 = change(
    right__einsum, ("(query), phi(key)", "(query.data), phi(key.data)"), ("k, value", "k, value.data"),
)
wrong__detached__3 = change(right__elu, ("def", "@torch.no_grad()", "def"))
wrong__input_changed__1 = change(
    right__elu, ("(query) +", "(query, inplace=True) +"), ("(key) + 1", "(key, inplace=True) + 1"),
)
wrong__input_changed__2 = change(right__einsum, ("phi(key)", "key.copy_(phi(key))"))
wrong__input_changed__3 = change(
    right__elu, ("F.elu(query) + 1, F.elu(key) + 1", "F.elu_(query).add_(1), F.elu_(key).add_(1)"),
)
wrong__wrong_device__2 = change(
    right__einsum, ("mixed = torch", "ones = torch.ones(key.shape[-2], dtype=k.dtype)", "mixed = torch"),
    ('("...qd,...d->...q", q, k.sum(-2))', '("...qd,...d->...q", q, ones @ k)'),
)
wrong__wrong_dtype__1 = change(
    right__elu, ("query @ state / normaliser", "(query @ state / normaliser).float()"),
)
wrong__wrong_dtype__2 = change(
    right__einsum, ("(query), phi(key)", "(query.float()), phi(key.float())"), ("k, value))", "k, value.float()))"),
)
# Divided by the sum of the keys' features, whatever the query.
wrong__linear_other_normaliser__1 = change(
    right__elu,
    ("= query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)", "= key.sum(dim=(-2, -1), keepdim=True)"),
)
# The keys as they are.
wrong__linear_one_sided__1 = change(right__elu, ("F.elu(key) + 1", "key"))

def extra__n_by_n__normalised(query, key, value):
    """Weights that sum to 1, as a whole matrix: the right numbers, at quadratic cost."""
    q, k = F.elu(query) + 1, F.elu(key) + 1
    weights = q @ k.mT
    return weights / weights.sum(-1, keepdim=True) @ value

def extra__n_by_n__einsum(query, key, value):
    """One einsum for all three, which multiplies query and key first."""
    q, k = F.elu(query) + 1, F.elu(key) + 1
    mixed = torch.einsum("...qd,...kd->...qk", q, k)
    return torch.einsum("...qk,...kv->...qv", mixed, value) / mixed.sum(-1)[..., None]

def extra__n_by_n__products_kept(query, key, value):
    """The products of all queries and keys at once, channel by channel: n · n · d_key numbers."""
    q, k = F.elu(query) + 1, F.elu(key) + 1
    each = (q[..., :, None, :] * k[..., None, :, :]).sum(-1)
    return (each[..., None] * value[..., None, :, :]).sum(-2) / each.sum(-1, keepdim=True)

def extra__softmax(query, key, value):
    """Softmax attention."""
    return (query @ key.mT / query.shape[-1] ** 0.5).softmax(-1) @ value

def extra__softmax_feature_map(query, key, value):
    """softmax(q) (softmax(k)ᵀ v), as in efficient attention."""
    return query.softmax(-1) @ (key.softmax(-2).mT @ value)

def extra__causal(query, key, value):
    """Running sums: each query sees the keys before it."""
    q, k = F.elu(query) + 1, F.elu(key) + 1
    state = (k[..., :, None] * value[..., None, :]).cumsum(-3)
    return (q.unsqueeze(-2) @ state).squeeze(-2) / (q * k.cumsum(-2)).sum(-1, keepdim=True)

# (φ(q) φ(k)ᵀ) v: the right numbers through an n × n matrix.
extra__n_by_n = change(
    right__elu, ("state = key", "weights = query @ key"), ("(-2, -1) @ value", "(-2, -1)"),
    ("query @ state", "weights @ value"),
)
# Divided by the number of keys.
extra__linear_no_normaliser__by_length = change(
    wrong__linear_no_normaliser__1, ("query @ state", "query @ state / key.shape[-2]"),
)
# The sum is taken over the queries.
extra__normaliser_over_queries = change(
    right__elu, ("query @ key", "(query"),
    ("(dim=-2, keepdim=True).transpose(-2, -1)", "(dim=-2, keepdim=True) * query).sum(-1, keepdim=True)"),
)
# Divided by the sum of what is mixed.
extra__normaliser_of_state = change(
    extra__normaliser_over_queries, (".sum(dim=-2, keepdim=True) * query", " @ state"),
)
# Multiplied by the normaliser.
extra__normaliser_multiplied = change(right__elu, ("@ state /", "@ state *"))
# The sum of the keys as they were.
extra__normaliser_before_phi = change(
    right__elu, ("query, key =", "total = key.sum(dim=-2, keepdim=True)", "query, key ="),
    ("key.sum(dim=-2, keepdim=True)", "total"),
)
# The queries as they are.
extra__phi_on_key_only = change(right__elu, ("F.elu(query) + 1", "query"))
# The denominator has no axis of length 1 at its end.
wrong__keepdims_forgotten__1 = change(
    right__elu, ("key.sum(dim=-2, keepdim=True).transpose(-2, -1)", "key.sum(dim=-2)"),
)
wrong__keepdims_forgotten__2 = change(right__einsum, ("total[..., None]", "total"))
# No feature map, but a denominator.
wrong__linear_no_feature_map__1 = change(right__elu, ("F.elu(query) + 1, F.elu(key) + 1", "query, key"))
# elu(x + 1).
extra__phi_plus_one_inside = change(right__elu, ("(query) + 1, F.elu(key) + 1", "(query + 1), F.elu(key + 1)"))
# elu(x) − 1.
extra__phi_minus_one = change(right__elu, ("+ 1, F.elu(key) +", "- 1, F.elu(key) -"))
# elu(q) + 1 beside elu(k).
extra__phi_plus_one_on_query_only = change(right__elu, ("(key) + 1", "(key)"))
# relu(x) + 1.
extra__phi_relu = change(right__elu, ("key = F.elu", "key = F.relu"), ("1, F.elu", "1, F.relu"))
# relu(x).
extra__phi_relu_alone = change(right__elu, ("F.elu(query) + 1, F.elu(key) + 1", "F.relu(query), F.relu(key)"))
# selu(x) + 1.
extra__phi_selu = change(right__elu, ("key = F.elu", "key = F.selu"), ("1, F.elu", "1, F.selu"))
# elu with another alpha.
extra__phi_celu = change(right__elu, ("(query) +", "(query, alpha=0.5) +"), ("(key) + 1", "(key, alpha=0.5) + 1"))
# leaky relu.
extra__phi_leaky = change(right__elu, ("key = F.elu", "key = F.leaky_relu"), ("1, F.elu", "1, F.leaky_relu"))
# gelu(x) + 1.
extra__phi_gelu = change(right__elu, ("key = F.elu", "key = F.gelu"), ("1, F.elu", "1, F.gelu"))
# log(1 + exp x).
extra__phi_softplus = change(
    right__elu, ("= F.elu(query) + 1, F.elu(key) + 1", "= F.softplus(query), F.softplus(key)"),
)
# exp, which overflows.
extra__phi_exp = change(right__elu, ("F.elu(query) + 1, F.elu(key) + 1", "query.exp(), key.exp()"))
# φ on the values as well.
extra__phi_on_value = change(right__elu, ("(-2, -1) @ value", "(-2, -1) @ (F.elu(value) + 1)"))
# The queries are divided by √d_key first.
extra__scaled = change(right__elu, ("(query) +", "(query / query.shape[-1] ** 0.5) +"))
# vᵀ k: an error unless d_key equals d_value.
extra__state_transposed = change(
    right__elu, ("key.transpose(-2, -1) @ value", "(key.transpose(-2, -1) @ value).transpose(-2, -1)"),
)
# q and v exchanged.
extra__query_sees_values = change(
    right__elu, ("(-2, -1) @ value", "(-2, -1) @ query"), ("return query", "return value"),
)
# An ε far too large.
extra__normaliser_added = change(right__elu, ("/ normaliser", "/ (normaliser + 1)"))
# The normaliser comes back too.
extra__normaliser_returned = change(right__elu, ("/ normaliser", "/ normaliser, normaliser"))
# The keys' features are mixed in place of the values.
extra__weights_times_keys = change(right__elu, ("(-2, -1) @ value", "(-2, -1) @ key"))
# The keys are mixed in place of the values.
extra__weights_times_keys__plain = change(right__elu, ("query, key =", "value = key", "query, key ="))
# Each query is mixed with its own key only: an error unless as many.
extra__self_only = change(extra__normaliser_over_queries, (".sum(dim=-2, keepdim=True) * query", " * key"))
# The normaliser is cut from the graph.
extra__gradient_misses_normaliser = change(right__elu, ("/ normaliser", "/ normaliser.detach()"))
# The values are cut from the graph.
extra__gradient_misses_value = change(right__elu, ("(-2, -1) @ value", "(-2, -1) @ value.detach()"))
# float32 inside and cast back.
extra__float64_rounded = change(
    right__elu, (":", ":", "    value, dtype = value.float(), value.dtype"),
    ("= F.elu(query) + 1, F.elu(key) + 1", "= F.elu(query.float()) + 1, F.elu(key.float()) + 1"),
    ("query @ state / normaliser", "(query @ state / normaliser).to(dtype)"),
)
# An error without a batch axis and with two.
extra__three_axes_only = change(
    right__elu, ("key.transpose(-2, -1) @ value", "torch.bmm(key.transpose(1, 2), value)"),
)
# The state is summed over the batch.
extra__batch_summed = change(
    right__einsum, ('"...qd,...dv->...qv"', '"...qd,dv->...qv"'), ('"...kd,...kv->...dv"', '"...kd,...kv->dv"'),
)
# One branch of φ is cut off.
extra__branch_detached = change(right__einsum, ("torch.exp(x.clamp(max=0))", "torch.exp(x.clamp(max=0)).detach()"))

# Two mistakes at once.
double__linear_no_plus_one__and_linear_no_normaliser = change(
    right__elu,
    ("F.elu(query) + 1, F.elu(key) + 1", "F.elu(query), F.elu(key)"),
    (" / normaliser", ""),
)

# Read as cards by somebody who had not seen the misconceptions.
def wrong__linear_plus_one_inside__1(query, key, value):
    """The 1 is added inside of elu."""
    q = F.elu(query + 1)
    k = F.elu(key + 1)
    kv = k.transpose(-1, -2) @ value
    z = q @ k.sum(dim=-2, keepdim=True).transpose(-1, -2)
    return q @ kv / z

def extra__mean_for_total(query, key, value):
    """The keys' mean stands below, and their sum above."""
    phi = lambda x: F.elu(x) + 1
    q, k = phi(query), phi(key)
    state = k.transpose(-2, -1) @ value
    norm = k.mean(dim=-2)
    return (q @ state) / (q * norm.unsqueeze(-2)).sum(-1, keepdim=True)

def wrong__linear_other_feature__1(query, key, value):
    """As in "efficient attention": a softmax of each side."""
    q = F.softmax(query, dim=-1)
    k = F.softmax(key, dim=-2)
    return q @ (k.transpose(-2, -1) @ value)

def wrong__linear_other_feature__2(query, key, value):
    """selu in place of elu."""
    q = F.selu(query) + 1
    k = F.selu(key) + 1
    memory = k.mT @ value
    return (q @ memory) / (q @ k.sum(-2).unsqueeze(-1))

def wrong__linear_other_normaliser__2(query, key, value):
    """Each key is divided by the sum of its own channels."""
    q = F.elu(query) + 1
    k = F.elu(key) + 1
    k = k / k.sum(dim=-1, keepdim=True)
    return q @ (k.mT @ value)

def wrong__linear_other_normaliser__3(query, key, value):
    """Each channel of the keys is divided by its sum over the keys."""
    q = F.elu(query) + 1
    k = F.elu(key) + 1
    k = k / k.sum(dim=-2, keepdim=True)
    return q @ (k.mT @ value)

def wrong__linear_other_normaliser__4(query, key, value):
    """One sum of likenesses for everything, batch included."""
    q = F.elu(query) + 1
    k = F.elu(key) + 1
    memory = torch.einsum("...nd,...ne->...de", k, value)
    return (q @ memory) / (q @ k.mT).sum()

def extra__loop_without_batch(query, key, value):
    """Written for one item without axes in front."""
    q = F.elu(query) + 1
    k = F.elu(key) + 1
    d, e = key.shape[-1], value.shape[-1]
    memory = torch.zeros(d, e)
    z = torch.zeros(d)
    for t in range(key.shape[0]):
        memory = memory + torch.outer(k[t], value[t])
        z = z + k[t]
    return (q @ memory) / (q @ z)[:, None]

def wrong__linear_no_feature_map__2(query, key, value):
    """The brackets move, and that is all."""
    return query @ (key.mT @ value)

def wrong__linear_no_feature_map__3(query, key, value):
    """The same, one key after the other."""
    memory = query.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    for k, v in zip(key.unbind(-2), value.unbind(-2)):
        memory = memory + k[..., :, None] * v[..., None, :]
    return query @ memory
