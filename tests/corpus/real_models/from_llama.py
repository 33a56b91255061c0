"""Answers to the practice `from_llama(stored, parts, n_heads, n_groups)` of notebook 14."""

from course_attention import to_neighbouring_pairs
from tests.corpus import change

def right__name_by_name(stored, parts, n_heads, n_groups):
    weights = {}
    for name, weight in stored.items():
        if name == "model.embed_tokens.weight":
            weights["embedding.weight"] = weight
        elif name == "model.norm.weight":
            weights["norm.weight"] = weight
        elif name == "lm_head.weight":
            weights["output.weight"] = weight
        else:
            number, theirs = name.removeprefix("model.layers.").removesuffix(".weight").split(".", 1)
            if theirs == "self_attn.q_proj":
                weight = to_neighbouring_pairs(weight.T, n_heads).T
            if theirs == "self_attn.k_proj":
                weight = to_neighbouring_pairs(weight.T, n_groups).T
            weights[f"blocks.{number}.{parts[theirs]}.weight"] = weight
    weights.setdefault("output.weight", weights["embedding.weight"])
    return weights

def right__rows_reordered(stored, parts, n_heads, n_groups):
    heads = {"w_query": n_heads, "w_key": n_groups}
    weights = {"norm.weight": stored["model.norm.weight"]}
    weights["embedding.weight"] = weights["output.weight"] = stored["model.embed_tokens.weight"]
    if "lm_head.weight" in stored:
        weights["output.weight"] = stored["lm_head.weight"]
    number = 0
    while any(name.startswith(f"model.layers.{number}.") for name in stored):
        for theirs, ours in parts.items():
            weight = stored[f"model.layers.{number}.{theirs}.weight"]
            if ours in heads:
                by_head = weight.reshape(heads[ours], 2, -1, weight.shape[1])
                weight = by_head.transpose(1, 2).reshape(weight.shape)
            weights[f"blocks.{number}.{ours}.weight"] = weight
        number += 1
    return weights

wrong__pairs_not_moved__1 = change(right__rows_reordered, ("if ours in heads:", "if theirs in heads:"))
wrong__llama_one_reordered__1 = change(right__name_by_name, ('"self_attn.q_proj"', '"self_attn.query"'))
wrong__llama_one_reordered__2 = change(right__name_by_name, ('"self_attn.k_proj"', '"self_attn.key"'))
wrong__llama_values_reordered__1 = change(
    right__rows_reordered, ('"w_key": n_groups}', '"w_key": n_groups, "w_value": n_groups}')
)
wrong__pairs_moved_back__1 = change(
    right__rows_reordered,
    ("weight.reshape(heads[ours], 2, -1, weight.shape[1])", "weight.reshape(heads[ours], -1, 2, weight.shape[1])"),
)
wrong__llama_heads_for_groups__1 = change(right__rows_reordered, ('"w_key": n_groups}', '"w_key": n_heads}'))
wrong__pairs_across_heads__1 = change(right__rows_reordered, ("weight.reshape(heads[ours], 2", "weight.reshape(1, 2"))
wrong__pairs_of_rows__1 = change(
    right__name_by_name,
    ("to_neighbouring_pairs(weight.T, n_heads).T", "to_neighbouring_pairs(weight, n_heads)"),
    ("to_neighbouring_pairs(weight.T, n_groups).T", "to_neighbouring_pairs(weight, n_groups)"),
)
wrong__llama_left_transposed__1 = change(
    right__name_by_name,
    ("to_neighbouring_pairs(weight.T, n_heads).T", "to_neighbouring_pairs(weight.T, n_heads)"),
    ("to_neighbouring_pairs(weight.T, n_groups).T", "to_neighbouring_pairs(weight.T, n_groups)"),
)
wrong__llama_always_tied__1 = change(
    right__rows_reordered, ('if "lm_head.weight" in stored:', 'if "lm_head" in stored:')
)
# The output layer is forgotten where it is the embedding.
extra__no_output_layer = change(
    right__name_by_name, ('weights.setdefault("output.weight", weights["embedding.weight"])', "")
)
