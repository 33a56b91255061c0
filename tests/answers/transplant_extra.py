"""Wrong answers beyond the table to `transplant(torch_attention)` of notebook 04."""

from __future__ import annotations

import torch

from tests.answers.gather import gather


def extra__transplant__transplant_transposed__inputs(torch_attention):
    """The three input projections are transposed, the output projection is not."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    q, k, v = q.T, k.T, v.T
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}


def extra__transplant__transplant_transposed__output(torch_attention):
    """Only the output projection is transposed."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    out = out.T
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}


def extra__transplant__no_output_projection(torch_attention):
    """The output projection is left out."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v}


def extra__transplant__identity_output(torch_attention):
    """The identity for the output projection."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    out = torch.eye(len(out), dtype=out.dtype, device=out.device)
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}


def extra__transplant__shared_projection(torch_attention):
    """The key gets the query's weights."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    k = q
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}


def extra__transplant__chunked_by_columns(torch_attention):
    """The stacked weights are cut the other way: (3·d_model, d_model / 3) each."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3, dim=1)
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}


def extra__transplant__rows_interleaved(torch_attention):
    """Every third row to the query."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    stacked = torch_attention.in_proj_weight.detach()
    q, k, v = stacked[0::3], stacked[1::3], stacked[2::3]
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}


def extra__transplant__heads_interleaved(torch_attention):
    """The rows are taken as (heads, 3, d_head), as some other libraries keep them."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    stacked = torch_attention.in_proj_weight.detach().unflatten(0, (torch_attention.num_heads, 3, -1))
    q, k, v = (stacked[:, i].flatten(0, 1) for i in range(3))
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}


def extra__transplant__names_without_weight(torch_attention):
    """Keys without .weight."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    return {"w_query": q, "w_key": k, "w_value": v, "w_out": out}


def extra__transplant__other_names(torch_attention):
    """Names of its own."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    return {"q_proj.weight": q, "k_proj.weight": k, "v_proj.weight": v, "out_proj.weight": out}


def extra__transplant__key_too_many(torch_attention):
    """The stacked weights come along."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    q_k_v = torch.cat([q, k, v])
    return {
        "w_query.weight": q,
        "w_key.weight": k,
        "w_value.weight": v,
        "w_out.weight": out,
        "in_proj": q_k_v,
    }


def extra__transplant__tuple(torch_attention):
    """Four matrices in place of a state_dict."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    return q, k, v, out


def extra__transplant__scaled(torch_attention):
    """The scale is put into the query's weights: the module scales too."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    q = q / (len(q) // torch_attention.num_heads) ** 0.5
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}


def extra__transplant__arrays(torch_attention):
    """NumPy arrays in place of tensors."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    q, k, v, out = (w.double().cpu().numpy() for w in (q, k, v, out))
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}


def extra__transplant__their_names(torch_attention):
    """Their own state_dict handed back."""
    return torch_attention.state_dict()


def extra__transplant__fresh_weights(torch_attention):
    """New weights of the right shapes."""
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3)
    out = torch_attention.out_proj.weight.detach()
    torch.manual_seed(0)
    q, k, v, out = (torch.randn_like(w) for w in (q, k, v, out))
    return {"w_query.weight": q, "w_key.weight": k, "w_value.weight": v, "w_out.weight": out}


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
