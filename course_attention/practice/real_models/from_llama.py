"""The weights of a published Llama, by the names and in the order that the student's own model has."""

from collections.abc import Iterator

import torch
from torch import Tensor

from course_attention.mechanisms.real_models import to_neighbouring_pairs
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.real_models.head_rows import Move, halves, neighbours


def from_llama(stored, parts, n_heads, n_groups):
    """Rename every weight, and reorder the rows of queries and keys, whose channels turn in pairs."""
    weights = {
        "embedding.weight": stored["model.embed_tokens.weight"],
        "norm.weight": stored["model.norm.weight"],
        # A model whose output layer is its embedding stores it once.
        "output.weight": stored.get("lm_head.weight", stored["model.embed_tokens.weight"]),
    }
    n_layers = 1 + max(int(name.split(".")[2]) for name in stored if name.startswith("model.layers."))
    for number in range(n_layers):
        for theirs, ours in parts.items():
            weight = stored[f"model.layers.{number}.{theirs}.weight"]
            if ours in ("w_query", "w_key"):
                # nn.Linear stores (d_out, d_in), and to_neighbouring_pairs reorders columns.
                weight = to_neighbouring_pairs(weight.T, n_heads if ours == "w_query" else n_groups).T
            weights[f"blocks.{number}.{ours}.weight"] = weight
    return weights


def _moved(stored, parts, n_heads, n_groups, **moves: Move) -> dict[str, Tensor]:
    """Rename every weight, and change those of some parts."""
    renamed = from_llama(stored, {}, n_heads, n_groups)
    for name, weight in stored.items():
        if name.startswith("model.layers."):
            _, _, number, *theirs, _ = name.split(".")
            ours = parts[".".join(theirs)]
            renamed[f"blocks.{number}.{ours}.weight"] = moves.get(ours, lambda weight: weight)(weight)
    return renamed


def not_reordered(stored, parts, n_heads, n_groups):
    return _moved(stored, parts, n_heads, n_groups)


def queries_alone(stored, parts, n_heads, n_groups):
    return _moved(stored, parts, n_heads, n_groups, w_query=neighbours(n_heads))


def keys_alone(stored, parts, n_heads, n_groups):
    return _moved(stored, parts, n_heads, n_groups, w_key=neighbours(n_groups))


def values_too(stored, parts, n_heads, n_groups):
    moved = neighbours(n_groups)
    return _moved(stored, parts, n_heads, n_groups, w_query=neighbours(n_heads), w_key=moved, w_value=moved)


def reordered_back(stored, parts, n_heads, n_groups):
    return _moved(stored, parts, n_heads, n_groups, w_query=halves(n_heads), w_key=halves(n_groups))


def heads_for_groups(stored, parts, n_heads, n_groups):
    return _moved(stored, parts, n_heads, n_groups, w_query=neighbours(n_heads), w_key=neighbours(n_heads))


def across_heads(stored, parts, n_heads, n_groups):
    return _moved(stored, parts, n_heads, n_groups, w_query=neighbours(1), w_key=neighbours(1))


def input_channels(stored, parts, n_heads, n_groups):
    def of(heads: int) -> Move:
        return lambda weight: to_neighbouring_pairs(weight, heads)

    return _moved(stored, parts, n_heads, n_groups, w_query=of(n_heads), w_key=of(n_groups))


def left_transposed(stored, parts, n_heads, n_groups):
    def of(heads: int) -> Move:
        return lambda weight: to_neighbouring_pairs(weight.T, heads)

    return _moved(stored, parts, n_heads, n_groups, w_query=of(n_heads), w_key=of(n_groups))


def always_tied(stored, parts, n_heads, n_groups):
    tied = {name: weight for name, weight in stored.items() if name != "lm_head.weight"}
    return from_llama(tied, parts, n_heads, n_groups)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one head whose rows can be numbered by hand, then drawn models, tied and not."""
    rows = 10 * torch.arange(6.0)[:, None] + torch.arange(6.0)
    embedding, norm = torch.stack([torch.full((6,), 7.0), torch.full((6,), 8.0)]), torch.ones(6)
    yield Trial(
        "one layer, of which only query and value are asked for; one head of 6 channels; row 3 is 30, 31, …, 35",
        {
            "stored": {
                "model.embed_tokens.weight": embedding,
                "model.layers.0.self_attn.q_proj.weight": rows,
                "model.layers.0.self_attn.v_proj.weight": rows,
                "model.norm.weight": norm,
            },
            "parts": {"self_attn.q_proj": "w_query", "self_attn.v_proj": "w_value"},
            "n_heads": 1,
            "n_groups": 1,
        },
        {
            "embedding.weight": embedding,
            "norm.weight": norm,
            "output.weight": embedding,
            "blocks.0.w_query.weight": rows[[0, 3, 1, 4, 2, 5]],
            "blocks.0.w_value.weight": rows,
        },
        says="Rows 0 and 3 of the query turn together, so they become neighbours: 0, 3, 1, 4, 2, 5. The value does not "
        "turn and stays as it is. There is no `lm_head.weight`, so the output layer is the embedding.",
    )
    turned = {"self_attn.q_proj": "w_query", "self_attn.k_proj": "w_key"}
    others = {"self_attn.v_proj": "w_value", "input_layernorm": "norm_1", "mlp.gate_proj": "w_gate"}
    for n_layers, n_heads, n_groups, parts in ((1, 2, 1, turned), (11, 4, 2, turned | others)):
        d_model, tied = n_heads * 8, n_layers == 1
        sizes = {
            "self_attn.q_proj": (d_model, d_model),
            "self_attn.k_proj": (n_groups * 8, d_model),
            "self_attn.v_proj": (n_groups * 8, d_model),
            "input_layernorm": (d_model,),
            "mlp.gate_proj": (7, d_model),
        }
        shapes = {"model.embed_tokens": (3, d_model), "model.norm": (d_model,)}
        shapes |= {} if tied else {"lm_head": (3, d_model)}
        shapes |= {f"model.layers.{number}.{name}": sizes[name] for number in range(n_layers) for name in parts}
        yield Trial(
            f"{n_layers} layers, {n_heads} heads, groups: {n_groups}, {'without' if tied else 'with'} an output layer "
            "of its own",
            {
                "stored": {f"{name}.weight": torch.randn(one, generator=generator) for name, one in shapes.items()},
                "parts": parts,
                "n_heads": n_heads,
                "n_groups": n_groups,
            },
            says="Every name of `parts` occurs once in each layer. The key has n_groups heads, the query has n_heads.",
        )


PRACTICE = Practice(
    name="from_llama",
    prompt="The weights of a published Llama, by the names and in the order of your own model.",
    minutes=15,
    hints=(
        "Most of the work is renaming: `model.layers.3.mlp.up_proj.weight` becomes `blocks.3.w_up.weight`. Two loops, "
        "over the layers and over `parts`, name all weights of the blocks.",
        "Three weights belong to no layer: the embedding, the last norm, and the output layer, which is "
        "`lm_head.weight` where this is stored, and else the embedding.",
        "Queries and keys are reordered by `to_neighbouring_pairs`. It takes weights as (d_in, d_out), and `nn.Linear` "
        "stores (d_out, d_in): transpose before, and back afterwards. The keys have n_groups heads.",
    ),
    given=from_llama,
    trials=trials,
    returns=("weights",),
    misconceptions={
        "pairs-not-moved": Misconception(
            "Queries and keys are not reordered",
            "The names are right, and the model would even run. But `rotary` would turn channels together that are no "
            "pair. `to_neighbouring_pairs` puts them side by side.",
            (not_reordered,),
        ),
        "llama-one-reordered": Misconception(
            "Only one of query and key is reordered",
            "A score multiplies a channel of the query with the same channel of the key. Both have to be in one order.",
            (queries_alone, keys_alone),
        ),
        "llama-values-reordered": Misconception(
            "The values are reordered as well",
            "Values are not turned, so they have no pairs. Their order is the one that the output projection expects.",
            (values_too,),
        ),
        "pairs-moved-back": Misconception(
            "Queries and keys are reordered the other way round",
            "Rows i and i + d_head/2 of the stored weight belong together, and are to become neighbours.",
            (reordered_back,),
        ),
        "llama-heads-for-groups": Misconception(
            "The keys are reordered as if there were a key for each head",
            "Several heads share a group: the weight of the key holds n_groups heads, fewer than that of the query.",
            (heads_for_groups,),
        ),
        "pairs-across-heads": Misconception(
            "The pairs are looked for across all heads",
            "Every head turns its own channels. `to_neighbouring_pairs` has to know how many heads there are.",
            (across_heads,),
        ),
        "pairs-of-rows": Misconception(
            "The input channels are reordered",
            "`to_neighbouring_pairs` reorders the columns of (d_in, d_out). A stored weight is (d_out, d_in): without "
            "a transpose its columns are the channels of the token.",
            (input_channels,),
        ),
        "llama-left-transposed": Misconception(
            "Queries and keys come back transposed",
            "`nn.Linear` wants (d_out, d_in) again. Transpose the reordered weight back.",
            (left_transposed,),
        ),
        "llama-always-tied": Misconception(
            "The output layer is always the embedding",
            "Where `lm_head.weight` is stored, the model has an output layer of its own.",
            (always_tied,),
        ),
    },
)
