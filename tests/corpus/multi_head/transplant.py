"""Answers to `transplant(torch_attention)` of notebook 04."""

import torch
from torch import nn

from tests.corpus import change

def right__chunk(torch_attention):
    query, key, value = torch_attention.in_proj_weight.chunk(3)
    out = torch_attention.out_proj.weight
    return {"w_query.weight": query, "w_key.weight": key, "w_value.weight": value, "w_out.weight": out}

def right__slices(torch_attention):
    d_model, rows = torch_attention.embed_dim, torch_attention.in_proj_weight
    return {
        "w_query.weight": rows[:d_model].detach().clone(),
        "w_key.weight": rows[d_model : 2 * d_model].detach().clone(),
        "w_value.weight": rows[2 * d_model :].detach().clone(),
        "w_out.weight": torch_attention.out_proj.weight.detach().clone(),
    }

def right__state_dict(torch_attention):
    theirs = torch_attention.state_dict()
    names = ["w_query.weight", "w_key.weight", "w_value.weight"]
    ours = dict(zip(names, theirs["in_proj_weight"].tensor_split(3), strict=True))
    ours["w_out.weight"] = theirs["out_proj.weight"]
    return ours

def right__view(torch_attention):
    d_model = torch_attention.embed_dim
    stacked = torch_attention.in_proj_weight.data.view(3, d_model, d_model)
    parts = {f"w_{name}.weight": stacked[i] for i, name in enumerate(("query", "key", "value"))}
    return parts | {"w_out.weight": torch_attention.out_proj.weight.data}

def right__split(torch_attention):
    blocks = torch.split(torch_attention.in_proj_weight, torch_attention.embed_dim, dim=0)
    return {
        f"{name}.weight": block
        for name, block in zip(
            ("w_query", "w_key", "w_value", "w_out"), (*blocks, torch_attention.out_proj.weight), strict=True
        )
    }

def right__other_order(torch_attention):
    with torch.no_grad():
        query, key, value = torch_attention.in_proj_weight.unflatten(0, (3, -1)).unbind()
        out = torch_attention.out_proj.weight.clone()
    return {"w_out.weight": out, "w_value.weight": value, "w_key.weight": key, "w_query.weight": query}

def right__selected(torch_attention):
    weights = torch_attention.in_proj_weight
    d_model = weights.shape[1]
    ours = {}
    for i, name in enumerate(["w_query", "w_key", "w_value"]):
        rows = torch.arange(i * d_model, (i + 1) * d_model, device=weights.device)
        ours[name + ".weight"] = weights.index_select(0, rows)
    ours["w_out.weight"] = torch_attention.out_proj.weight
    return ours

def odd__module_dict(torch_attention):
    """The state_dict of four layers made here."""
    d_model, weights = torch_attention.embed_dim, torch_attention.in_proj_weight
    names = ("w_query", "w_key", "w_value", "w_out")
    layers = nn.ModuleDict({name: nn.Linear(d_model, d_model, bias=False) for name in names}).to(weights)
    with torch.no_grad():
        for name, block in zip(names, (*weights.chunk(3), torch_attention.out_proj.weight), strict=True):
            layers[name].weight.copy_(block)
    return layers.state_dict()

def odd__parameters(torch_attention):
    """Parameters as values."""
    blocks = (*torch_attention.in_proj_weight.chunk(3), torch_attention.out_proj.weight)
    names = ("w_query.weight", "w_key.weight", "w_value.weight", "w_out.weight")
    return {name: nn.Parameter(block.detach().clone()) for name, block in zip(names, blocks, strict=True)}

def odd__renamed(mha):
    """An argument with a name of its own."""
    q, k, v = mha.in_proj_weight.detach().chunk(3)
    return {
        "w_query.weight": q,
        "w_key.weight": k,
        "w_value.weight": v,
        "w_out.weight": mha.out_proj.weight.detach(),
    }

def odd__prefix(torch_attention, prefix=""):
    """An argument more, with a default."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    return {
        f"{prefix}w_{n}.weight": w
        for n, w in zip(("query", "key", "value", "out"), (q, k, v, out), strict=True)
    }

def wrong__transplant_order__key_first_2(torch_attention):
    stacked = torch_attention.in_proj_weight.detach().unflatten(0, (3, -1))
    ours = {f"w_{name}.weight": stacked[i] for i, name in enumerate(("key", "query", "value"))}
    return ours | {"w_out.weight": torch_attention.out_proj.weight.detach()}

def wrong__transplant_transposed__1(torch_attention):
    query, key, value = torch_attention.in_proj_weight.chunk(3)
    out = torch_attention.out_proj.weight
    return {
        "w_query.weight": query.T,
        "w_key.weight": key.T,
        "w_value.weight": value.T,
        "w_out.weight": out.T,
    }

def wrong__transplant_transposed__2(torch_attention):
    d_model = torch_attention.embed_dim
    columns = torch_attention.in_proj_weight.detach().t()
    ours = {}
    for i, name in enumerate(["w_query", "w_key", "w_value"]):
        ours[f"{name}.weight"] = columns[:, i * d_model : (i + 1) * d_model].contiguous()
    ours["w_out.weight"] = torch_attention.out_proj.weight.detach().t().contiguous()
    return ours

def wrong__input_changed__2(torch_attention):
    d_model = torch_attention.embed_dim
    stacked = torch_attention.in_proj_weight.data.view(3, d_model, d_model).clone()
    out = torch_attention.out_proj.weight.data.clone()
    torch_attention.out_proj.weight.data = out.T.contiguous()
    parts = {f"w_{name}.weight": stacked[i] for i, name in enumerate(("query", "key", "value"))}
    return parts | {"w_out.weight": out}

def wrong__wrong_device__1(torch_attention):
    d_model, weights = torch_attention.embed_dim, torch_attention.in_proj_weight
    ours = {}
    for i, name in enumerate(["w_query", "w_key", "w_value"]):
        ours[f"{name}.weight"] = torch.empty(d_model, d_model, dtype=weights.dtype)
        ours[f"{name}.weight"].copy_(weights[i * d_model : (i + 1) * d_model].detach())
    ours["w_out.weight"] = torch_attention.out_proj.weight.detach()
    return ours

def wrong__wrong_device__2(torch_attention):
    ours = {name: w.cpu() for name, w in torch_attention.state_dict().items()}
    query, key, value = ours["in_proj_weight"].chunk(3)
    out = ours["out_proj.weight"]
    return {"w_query.weight": query, "w_key.weight": key, "w_value.weight": value, "w_out.weight": out}

def wrong__wrong_dtype__2(torch_attention):
    d_model, weights = torch_attention.embed_dim, torch_attention.in_proj_weight.detach()
    ours = {}
    for i, name in enumerate(["w_query", "w_key", "w_value"]):
        ours[f"{name}.weight"] = torch.zeros(d_model, d_model, device=weights.device, dtype=torch.float32)
        ours[f"{name}.weight"][:] = weights[i * d_model : (i + 1) * d_model]
    ours["w_out.weight"] = torch_attention.out_proj.weight.detach().to(torch.float32)
    return ours

def wrong__transplant_interleaved__1(torch_attention):
    """Every third row to the query."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    stacked = torch_attention.in_proj_weight.detach()
    q, k, v = stacked[0::3], stacked[1::3], stacked[2::3]
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}

def wrong__transplant_by_head__1(torch_attention):
    """The rows are taken as (heads, 3, d_head), as some other libraries keep them."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    stacked = torch_attention.in_proj_weight.detach().unflatten(0, (torch_attention.num_heads, 3, -1))
    q, k, v = (stacked[:, i].flatten(0, 1) for i in range(3))
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}

wrong__transplant_order__key_first_1 = change(right__chunk, ("query, key", "key, query"))
wrong__transplant_order__value_second_1 = change(right__chunk, ("key, value", "value, key"))
wrong__transplant_order__value_first_1 = change(right__chunk, ("query, key, value", "value, key, query"))
wrong__transplant_order__value_second_2 = change(
    wrong__transplant_order__key_first_2, ('("key", "query", "value")', '("query", "value", "key")'),
)
wrong__transplant_order__value_first_2 = change(
    wrong__transplant_order__key_first_2, ('"key"', '"value", "key"'), (', "value"', ""),
)
wrong__transplant_order__rotated_1 = change(
    wrong__transplant_order__key_first_2, ('"query", "value"', '"value", "query"'),
)
wrong__transplant_order__rotated_2 = change(
    wrong__transplant_order__key_first_2, ('("key", "query", "value")', '("value", "query", "key")'),
)
wrong__input_changed__1 = change(
    right__chunk, (".chunk(3)", ".detach().clone().chunk(3)"),
    (".out_proj.weight", ".out_proj.weight.detach().clone()", "torch_attention.in_proj_weight.data.zero_()"),
)
wrong__wrong_dtype__1 = change(
    right__chunk, (".chunk(3)", ".float().chunk(3)"), (".out_proj.weight", ".out_proj.weight.float()"),
)

def natural__transplant_transposed__1(torch_attention):
    d_model = torch_attention.embed_dim
    w = torch_attention.in_proj_weight.detach()
    return {
        "w_query.weight": w[:d_model].T,
        "w_key.weight": w[d_model : 2 * d_model].T,
        "w_value.weight": w[2 * d_model :].T,
        "w_out.weight": torch_attention.out_proj.weight.detach().T,
    }

def extra__no_output_projection(torch_attention):
    """The output projection is left out."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v}

def extra__names_without_weight(torch_attention):
    """Keys without .weight."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    return {"w_query": q, "w_key": k, "w_value": v, "w_out": out}

def extra__other_names(torch_attention):
    """Names of its own."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    return {"q_proj.weight": q, "k_proj.weight": k, "v_proj.weight": v, "out_proj.weight": out}

def extra__their_names(torch_attention):
    """Their own state_dict handed back."""
    return torch_attention.state_dict()

# The three input projections are transposed, the output projection is not.
extra__transplant_transposed__inputs = change(
    wrong__transplant_interleaved__1, ("stacked = torch_attention.in_proj_weight.detach()", ""),
    ("stacked[0::3], stacked[1::3], stacked[2::3]", "q.T, k.T, v.T"),
)
# Only the output projection is transposed.
extra__transplant_transposed__output = change(
    wrong__transplant_interleaved__1, ("stacked = torch_attention.in_proj_weight.detach()", "out = out.T"),
    ("q, k, v = stacked[0::3], stacked[1::3], stacked[2::3]", ""),
)
# The identity for the output projection.
extra__identity_output = change(
    extra__transplant_transposed__output,
    ("out = out.T", "out = torch.eye(len(out), dtype=out.dtype, device=out.device)"),
)
# The key gets the query's weights.
extra__shared_projection = change(extra__transplant_transposed__output, ("out = out.T", "k = q"))
# The stacked weights are cut the other way: (3·d_model, d_model / 3) each.
extra__chunked_by_columns = change(
    extra__transplant_transposed__inputs,
    ("q.T, k.T, v.T", "torch_attention.in_proj_weight.detach().chunk(3, dim=1)"),
)
# The stacked weights come along.
extra__key_too_many = change(
    odd__renamed, ("(mha)", "(torch_attention)"), ("v = mha.", "v = torch_attention."),
    ("return", "out = torch_attention.out_proj.weight.detach()", "q_k_v = torch.cat([q, k, v])", "return"),
    ('"w_out.weight": mha.out_proj.weight.detach(),', '"w_out.weight": out,', '"in_proj": q_k_v,'),
)
# Four matrices in place of a state_dict.
extra__tuple = change(
    extra__names_without_weight,
    ('return {"w_query": q, "w_key": k, "w_value": v, "w_out": out}', "return q, k, v, out"),
)
# The scale is put into the query's weights: the module scales too.
extra__scaled = change(
    extra__transplant_transposed__output,
    (".weight.detach()", ".weight.detach()", "q = q / (len(q) // torch_attention.num_heads) ** 0.5"),
    ("out = out.T", ""),
)
# NumPy arrays in place of tensors.
extra__arrays = change(
    extra__transplant_transposed__inputs,
    ("v = q.T, k.T, v.T", "v, out = (w.double().cpu().numpy() for w in (q, k, v, out))"),
)
# New weights of the right shapes.
extra__fresh_weights = change(
    extra__transplant_transposed__inputs, (".weight.detach()", ".weight.detach()", "torch.manual_seed(0)"),
    ("v = q.T, k.T, v.T", "v, out = (torch.randn_like(w) for w in (q, k, v, out))"),
)
