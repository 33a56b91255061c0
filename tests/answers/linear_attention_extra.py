"""Wrong answers beyond the table to `linear_attention(query, key, value)` of notebook 09."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__linear_attention__n_by_n(query, key, value):
    """(φ(q) φ(k)ᵀ) v: the right numbers through an n × n matrix."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    weights = query @ key.transpose(-2, -1)
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return weights @ value / normaliser


def extra__linear_attention__n_by_n__normalised(query, key, value):
    """Weights that sum to 1, as a whole matrix: the right numbers, at quadratic cost."""
    q, k = F.elu(query) + 1, F.elu(key) + 1
    weights = q @ k.mT
    return weights / weights.sum(-1, keepdim=True) @ value


def extra__linear_attention__n_by_n__einsum(query, key, value):
    """One einsum for all three, which multiplies query and key first."""
    q, k = F.elu(query) + 1, F.elu(key) + 1
    mixed = torch.einsum("...qd,...kd->...qk", q, k)
    return torch.einsum("...qk,...kv->...qv", mixed, value) / mixed.sum(-1)[..., None]


def extra__linear_attention__n_by_n__products_kept(query, key, value):
    """The products of all queries and keys at once, channel by channel: n · n · d_key numbers."""
    q, k = F.elu(query) + 1, F.elu(key) + 1
    each = (q[..., :, None, :] * k[..., None, :, :]).sum(-1)
    return (each[..., None] * value[..., None, :, :]).sum(-2) / each.sum(-1, keepdim=True)


def extra__linear_attention__softmax(query, key, value):
    """Softmax attention."""
    return (query @ key.mT / query.shape[-1] ** 0.5).softmax(-1) @ value


def extra__linear_attention__softmax_feature_map(query, key, value):
    """softmax(q) (softmax(k)ᵀ v), as in efficient attention."""
    return query.softmax(-1) @ (key.softmax(-2).mT @ value)


def extra__linear_attention__causal(query, key, value):
    """Running sums: each query sees the keys before it."""
    q, k = F.elu(query) + 1, F.elu(key) + 1
    state = (k[..., :, None] * value[..., None, :]).cumsum(-3)
    return (q.unsqueeze(-2) @ state).squeeze(-2) / (q * k.cumsum(-2)).sum(-1, keepdim=True)


def extra__linear_attention__linear_no_normaliser__by_length(query, key, value):
    """Divided by the number of keys."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    return query @ state / key.shape[-2]


def extra__linear_attention__normaliser_of_keys_only(query, key, value):
    """Divided by the sum of the keys' features, whatever the query."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = key.sum(dim=(-2, -1), keepdim=True)
    return query @ state / normaliser


def extra__linear_attention__normaliser_over_queries(query, key, value):
    """The sum is taken over the queries."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = (query.sum(dim=-2, keepdim=True) * query).sum(-1, keepdim=True)
    return query @ state / normaliser


def extra__linear_attention__normaliser_of_state(query, key, value):
    """Divided by the sum of what is mixed."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = (query @ state).sum(-1, keepdim=True)
    return query @ state / normaliser


def extra__linear_attention__normaliser_multiplied(query, key, value):
    """Multiplied by the normaliser."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state * normaliser


def extra__linear_attention__normaliser_before_phi(query, key, value):
    """The sum of the keys as they were."""
    total = key.sum(dim=-2, keepdim=True)
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ total.transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_on_query_only(query, key, value):
    """The keys as they are."""
    query, key = F.elu(query) + 1, key
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_on_key_only(query, key, value):
    """The queries as they are."""
    query, key = query, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_missing(query, key, value):
    """No feature map."""
    query, key = query, key
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_plus_one_inside(query, key, value):
    """elu(x + 1)."""
    query, key = F.elu(query + 1), F.elu(key + 1)
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_minus_one(query, key, value):
    """elu(x) − 1."""
    query, key = F.elu(query) - 1, F.elu(key) - 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_plus_one_on_query_only(query, key, value):
    """elu(q) + 1 beside elu(k)."""
    query, key = F.elu(query) + 1, F.elu(key)
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_relu(query, key, value):
    """relu(x) + 1."""
    query, key = F.relu(query) + 1, F.relu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_relu_alone(query, key, value):
    """relu(x)."""
    query, key = F.relu(query), F.relu(key)
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_selu(query, key, value):
    """selu(x) + 1."""
    query, key = F.selu(query) + 1, F.selu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_celu(query, key, value):
    """elu with another alpha."""
    query, key = F.elu(query, alpha=0.5) + 1, F.elu(key, alpha=0.5) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_leaky(query, key, value):
    """leaky relu."""
    query, key = F.leaky_relu(query) + 1, F.leaky_relu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_gelu(query, key, value):
    """gelu(x) + 1."""
    query, key = F.gelu(query) + 1, F.gelu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_softplus(query, key, value):
    """log(1 + exp x)."""
    query, key = F.softplus(query), F.softplus(key)
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_exp(query, key, value):
    """exp, which overflows."""
    query, key = query.exp(), key.exp()
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__phi_on_value(query, key, value):
    """φ on the values as well."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ (F.elu(value) + 1)
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__scaled(query, key, value):
    """The queries are divided by √d_key first."""
    query, key = F.elu(query / query.shape[-1] ** 0.5) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__state_transposed(query, key, value):
    """vᵀ k: an error unless d_key equals d_value."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = (key.transpose(-2, -1) @ value).transpose(-2, -1)
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__query_sees_values(query, key, value):
    """q and v exchanged."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ query
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return value @ state / normaliser


def extra__linear_attention__normaliser_added(query, key, value):
    """An ε far too large."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / (normaliser + 1)


def extra__linear_attention__normaliser_returned(query, key, value):
    """The normaliser comes back too."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser, normaliser


def extra__linear_attention__weights_times_keys(query, key, value):
    """The keys' features are mixed in place of the values."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ key
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__weights_times_keys__plain(query, key, value):
    """The keys are mixed in place of the values."""
    value = key
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__self_only(query, key, value):
    """Each query is mixed with its own key only: an error unless as many."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = (query * key).sum(-1, keepdim=True)
    return query @ state / normaliser


def extra__linear_attention__gradient_misses_normaliser(query, key, value):
    """The normaliser is cut from the graph."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser.detach()


def extra__linear_attention__gradient_misses_value(query, key, value):
    """The values are cut from the graph."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = key.transpose(-2, -1) @ value.detach()
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__float64_rounded(query, key, value):
    """float32 inside and cast back."""
    value, dtype = value.float(), value.dtype
    query, key = F.elu(query.float()) + 1, F.elu(key.float()) + 1
    state = key.transpose(-2, -1) @ value
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return (query @ state / normaliser).to(dtype)


def extra__linear_attention__three_axes_only(query, key, value):
    """An error without a batch axis and with two."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state = torch.bmm(key.transpose(1, 2), value)
    normaliser = query @ key.sum(dim=-2, keepdim=True).transpose(-2, -1)
    return query @ state / normaliser


def extra__linear_attention__batch_summed(query, key, value):
    """The state is summed over the batch."""

    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))

    q, k = phi(query), phi(key)
    mixed = torch.einsum("...qd,dv->...qv", q, torch.einsum("...kd,...kv->dv", k, value))
    total = torch.einsum("...qd,...d->...q", q, k.sum(-2))
    return mixed / total[..., None]


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
