"""Answers to the practice `to_llama(weights, parts, n_heads, n_groups)` of notebook 14."""

import torch

from course_attention import to_neighbouring_pairs
from tests.corpus import change

def right__argsort(weights, parts, n_heads, n_groups):
    theirs = {ours: name for name, ours in parts.items()}
    stored = {}
    for name, weight in weights.items():
        if name == "embedding.weight":
            stored["model.embed_tokens.weight"] = weight
        elif name == "norm.weight":
            stored["model.norm.weight"] = weight
        elif name == "output.weight":
            stored["lm_head.weight"] = weight
        else:
            _, number, ours, _ = name.split(".")
            if ours in ("w_query", "w_key"):
                heads = n_heads if ours == "w_query" else n_groups
                d_head = weight.shape[0] // heads
                back = to_neighbouring_pairs(torch.arange(float(d_head))[None], 1)[0].argsort()
                weight = weight.unflatten(0, (heads, d_head))[:, back].flatten(0, 1)
            stored[f"model.layers.{number}.{theirs[ours]}.weight"] = weight
    return stored

def right__whole_order(weights, parts, n_heads, n_groups):
    def undone(weight, heads):
        numbers = torch.arange(weight.shape[0], dtype=torch.float64, device=weight.device)
        order = to_neighbouring_pairs(numbers[None, :], heads)[0].long()
        back = torch.empty_like(weight)
        back[order] = weight
        return back

    stored = {"model.embed_tokens.weight": weights["embedding.weight"], "model.norm.weight": weights["norm.weight"]}
    if "output.weight" in weights:
        stored["lm_head.weight"] = weights["output.weight"]
    number = 0
    while any(name.startswith(f"blocks.{number}.") for name in weights):
        for theirs, ours in parts.items():
            weight = weights[f"blocks.{number}.{ours}.weight"]
            if ours == "w_query":
                weight = undone(weight, n_heads)
            elif ours == "w_key":
                weight = undone(weight, n_groups)
            stored[f"model.layers.{number}.{theirs}.weight"] = weight
        number += 1
    return stored

def right__even_and_odd(weights, parts, n_heads, n_groups):
    heads = {"w_query": n_heads, "w_key": n_groups}
    stored = {}
    for theirs, ours in parts.items():
        for name in weights:
            if name.startswith("blocks.") and name.endswith(f".{ours}.weight"):
                weight = weights[name]
                if ours in heads:
                    by_head = weight.reshape(heads[ours], -1, weight.shape[1])
                    weight = torch.cat([by_head[:, 0::2], by_head[:, 1::2]], dim=1).reshape(weight.shape)
                stored[f"model.layers.{name.split('.')[1]}.{theirs}.weight"] = weight
    outside = {"embedding": "model.embed_tokens", "norm": "model.norm", "output": "lm_head"}
    for ours, theirs in outside.items():
        if f"{ours}.weight" in weights:
            stored[f"{theirs}.weight"] = weights[f"{ours}.weight"]
    return stored

wrong__saver_not_put_back__1 = change(
    right__argsort, ('if ours in ("w_query", "w_key"):', 'if ours in ("query", "key"):')
)
# The same function as in the loader, in place of its inverse.
wrong__saver_moved_again__1 = change(
    right__whole_order,
    ("back = torch.empty_like(weight)", ""),
    ("back[order] = weight", "back = weight[order]"),
)
wrong__saver_moved_again__2 = change(right__argsort, ("[0].argsort()", "[0].long()"))
wrong__saver_one_put_back__1 = change(right__whole_order, ('elif ours == "w_key":', 'elif ours == "key":'))
wrong__saver_one_put_back__2 = change(right__whole_order, ('if ours == "w_query":', 'if ours == "query":'))
wrong__saver_values_moved__1 = change(
    right__even_and_odd, ('"w_key": n_groups}', '"w_key": n_groups, "w_value": n_groups}')
)
wrong__saver_heads_for_groups__1 = change(
    right__argsort, ('heads = n_heads if ours == "w_query" else n_groups', "heads = n_heads")
)
wrong__saver_across_heads__1 = change(right__even_and_odd, ("weight.reshape(heads[ours], -1", "weight.reshape(1, -1"))
wrong__saver_input_channels__1 = change(
    right__even_and_odd,
    ("by_head = weight.reshape(heads[ours], -1, weight.shape[1])", "columns = weight.shape[1] // heads[ours]"),
    (
        "weight = torch.cat([by_head[:, 0::2], by_head[:, 1::2]], dim=1).reshape(weight.shape)",
        "weight = torch.cat([part[:, i::2] for part in weight.split(columns, dim=1) for i in (0, 1)], dim=1)",
    ),
)
wrong__saver_left_transposed__1 = change(
    right__argsort, ("[:, back].flatten(0, 1)", "[:, back].flatten(0, 1).T")
)
wrong__saver_always_tied__1 = change(
    right__whole_order, ('if "output.weight" in weights:', 'if "lm_head.weight" in weights:')
)
# The names of the student's own model are kept.
extra__own_names = change(
    right__even_and_odd, ("stored[f\"model.layers.{name.split('.')[1]}.{theirs}.weight\"]", "stored[name]")
)
# The first ten layers only: the number is taken to be one digit.
extra__one_digit = change(right__argsort, ("{number}.{theirs[ours]}", "{number[0]}.{theirs[ours]}"))
