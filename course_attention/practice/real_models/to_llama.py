"""The way back: the weights of the student's own model, by the names and in the order of a published Llama."""

from collections.abc import Iterator

import torch
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.real_models.head_rows import Move, halves, neighbours


def to_llama(weights, parts, n_heads, n_groups):
    """Turn the names round, and put the rows of queries and keys back into pairs of halves."""
    stored = {"model.embed_tokens.weight": weights["embedding.weight"], "model.norm.weight": weights["norm.weight"]}
    if "output.weight" in weights:
        stored["lm_head.weight"] = weights["output.weight"]
    n_layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("blocks."))
    for number in range(n_layers):
        for theirs, ours in parts.items():
            weight = weights[f"blocks.{number}.{ours}.weight"]
            if ours in ("w_query", "w_key"):
                # In each head the neighbours 2i and 2i + 1 become i and i + d_head/2.
                by_head = weight.unflatten(0, (n_heads if ours == "w_query" else n_groups, -1, 2))
                weight = by_head.transpose(1, 2).flatten(0, 2)
            stored[f"model.layers.{number}.{theirs}.weight"] = weight
    return stored


def _moved(weights, parts, n_heads, n_groups, **moves: Move) -> dict[str, Tensor]:
    """Turn the names round, and change the weights of some parts."""
    stored = {"model.embed_tokens.weight": weights["embedding.weight"], "model.norm.weight": weights["norm.weight"]}
    stored |= {"lm_head.weight": weights["output.weight"]} if "output.weight" in weights else {}
    theirs = {ours: name for name, ours in parts.items()}
    for name, weight in weights.items():
        if name.startswith("blocks."):
            _, number, ours, _ = name.split(".")
            stored[f"model.layers.{number}.{theirs[ours]}.weight"] = moves.get(ours, lambda weight: weight)(weight)
    return stored


def not_put_back(weights, parts, n_heads, n_groups):
    return _moved(weights, parts, n_heads, n_groups)


def moved_again(weights, parts, n_heads, n_groups):
    return _moved(weights, parts, n_heads, n_groups, w_query=neighbours(n_heads), w_key=neighbours(n_groups))


def queries_alone(weights, parts, n_heads, n_groups):
    return _moved(weights, parts, n_heads, n_groups, w_query=halves(n_heads))


def keys_alone(weights, parts, n_heads, n_groups):
    return _moved(weights, parts, n_heads, n_groups, w_key=halves(n_groups))


def values_too(weights, parts, n_heads, n_groups):
    moved = halves(n_groups)
    return _moved(weights, parts, n_heads, n_groups, w_query=halves(n_heads), w_key=moved, w_value=moved)


def heads_for_groups(weights, parts, n_heads, n_groups):
    return _moved(weights, parts, n_heads, n_groups, w_query=halves(n_heads), w_key=halves(n_heads))


def across_heads(weights, parts, n_heads, n_groups):
    return _moved(weights, parts, n_heads, n_groups, w_query=halves(1), w_key=halves(1))


def input_channels(weights, parts, n_heads, n_groups):
    def of(heads: int) -> Move:
        return lambda weight: halves(heads)(weight.T).T

    return _moved(weights, parts, n_heads, n_groups, w_query=of(n_heads), w_key=of(n_groups))


def left_transposed(weights, parts, n_heads, n_groups):
    def of(heads: int) -> Move:
        return lambda weight: halves(heads)(weight).T

    return _moved(weights, parts, n_heads, n_groups, w_query=of(n_heads), w_key=of(n_groups))


def always_tied(weights, parts, n_heads, n_groups):
    tied = {name: weight for name, weight in weights.items() if name != "output.weight"}
    return to_llama(tied, parts, n_heads, n_groups)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one head whose rows can be numbered by hand, then drawn models, tied and not."""
    rows = 10 * torch.arange(6.0)[:, None] + torch.arange(6.0)
    embedding, norm = torch.stack([torch.full((6,), 7.0), torch.full((6,), 8.0)]), torch.ones(6)
    yield Trial(
        "one layer, of which only query and value are asked for; one head of 6 channels; row 3 is 30, 31, …, 35",
        {
            "weights": {
                "embedding.weight": embedding,
                "blocks.0.w_query.weight": rows,
                "blocks.0.w_value.weight": rows,
                "norm.weight": norm,
            },
            "parts": {"self_attn.q_proj": "w_query", "self_attn.v_proj": "w_value"},
            "n_heads": 1,
            "n_groups": 1,
        },
        {
            "model.embed_tokens.weight": embedding,
            "model.norm.weight": norm,
            "model.layers.0.self_attn.q_proj.weight": rows[[0, 2, 4, 1, 3, 5]],
            "model.layers.0.self_attn.v_proj.weight": rows,
        },
        says="Rows 0 and 1 of your query turn together. In a published Llama they are three rows apart, so the order "
        "is 0, 2, 4, 1, 3, 5. The value does not turn and stays as it is. There is no `output.weight`, so there is no "
        "`lm_head.weight`.",
    )
    turned = {"self_attn.q_proj": "w_query", "self_attn.k_proj": "w_key"}
    others = {"self_attn.v_proj": "w_value", "input_layernorm": "norm_1", "mlp.gate_proj": "w_gate"}
    for n_layers, n_heads, n_groups, parts in ((1, 2, 1, turned), (11, 4, 2, turned | others)):
        d_model, tied = n_heads * 8, n_layers == 1
        sizes = {
            "w_query": (d_model, d_model),
            "w_key": (n_groups * 8, d_model),
            "w_value": (n_groups * 8, d_model),
            "norm_1": (d_model,),
            "w_gate": (7, d_model),
        }
        shapes = {"embedding": (3, d_model), "norm": (d_model,)} | ({} if tied else {"output": (3, d_model)})
        shapes |= {f"blocks.{number}.{ours}": sizes[ours] for number in range(n_layers) for ours in parts.values()}
        yield Trial(
            f"{n_layers} layers, {n_heads} heads, groups: {n_groups}, {'without' if tied else 'with'} an output layer "
            "of its own",
            {
                "weights": {f"{name}.weight": torch.randn(one, generator=generator) for name, one in shapes.items()},
                "parts": parts,
                "n_heads": n_heads,
                "n_groups": n_groups,
            },
            says="Your `from_llama` is to undo it: what it makes of the result are the weights that you began with.",
        )


PRACTICE = Practice(
    name="to_llama",
    prompt="The weights of your own model, by the names and in the order of a published Llama.",
    minutes=12,
    hints=(
        "Every line of your `from_llama` has one that undoes it. Begin with a copy, exchange the two names in each "
        "assignment, and think about queries and keys last.",
        "How can an order be undone? Let `to_neighbouring_pairs` reorder the numbers 0, 1, 2, …, d_head − 1, as a "
        "weight with a single row. It says where each channel went, and its `argsort` says from where to take it back.",
        'In each layer, and for each of `parts`: take `weights[f"blocks.{number}.{ours}.weight"]`. If it is a query or '
        "a key, `unflatten` its rows into heads, (heads, d_head, d_in), index the second axis with the order that "
        "undoes, and `flatten` the heads again. Then store it under the library's name. The keys have n_groups heads. "
        "No transpose is needed where rows are indexed.",
    ),
    given=to_llama,
    trials=trials,
    returns=("stored",),
    misconceptions={
        "saver-not-put-back": Misconception(
            "Queries and keys are not put back",
            "The names are right, and the library would load the model. But it turns channels i and i + d_head/2 "
            "together, and yours are neighbours.",
            (not_put_back,),
        ),
        "saver-moved-again": Misconception(
            "Queries and keys are reordered as on the way in",
            "`to_neighbouring_pairs` makes neighbours of two halves. Here the neighbours are to become halves again. "
            "So the order has to be undone, and not applied once more.",
            (moved_again,),
        ),
        "saver-one-put-back": Misconception(
            "Only one of query and key is put back",
            "A score multiplies a channel of the query with the same channel of the key. Both have to be in one order.",
            (queries_alone, keys_alone),
        ),
        "saver-values-moved": Misconception(
            "The values are reordered as well",
            "Values are not turned, and `from_llama` left them as they were. There is nothing to undo.",
            (values_too,),
        ),
        "saver-heads-for-groups": Misconception(
            "The keys are put back as if there were a key for each head",
            "Several heads share a group: the weight of the key holds n_groups heads, fewer than that of the query.",
            (heads_for_groups,),
        ),
        "saver-across-heads": Misconception(
            "The order is undone across all heads",
            "Every head has pairs of its own, so its rows stay within the head.",
            (across_heads,),
        ),
        "saver-input-channels": Misconception(
            "The input channels are reordered",
            "`nn.Linear` stores a weight as (d_out, d_in). What turns are its outputs, and these are the rows.",
            (input_channels,),
        ),
        "saver-left-transposed": Misconception(
            "Queries and keys come back transposed",
            "The library wants (d_out, d_in) too. Whoever transposes before has to transpose back.",
            (left_transposed,),
        ),
        "saver-always-tied": Misconception(
            "The output layer is left out",
            "Where your model has an `output.weight`, the library expects it as `lm_head.weight`.",
            (always_tied,),
        ),
    },
)
