"""An ablation: one head gets other weights, and all other heads keep theirs."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial


def replaced(layer_and_head, pattern):
    """Return a function that writes the pattern into a copy of the weights, in its layer only."""

    def change(layer, weights):
        if layer == layer_and_head[0]:
            weights = weights.clone()
            weights[:, layer_and_head[1]] = pattern
        return weights

    return change


def in_every_layer(layer_and_head, pattern):
    def change(layer, weights):
        weights = weights.clone()
        weights[:, layer_and_head[1]] = pattern
        return weights

    return change


def every_head(layer_and_head, pattern):
    def change(layer, weights):
        return weights * 0 + pattern if layer == layer_and_head[0] else weights

    return change


def text_as_head(layer_and_head, pattern):
    def change(layer, weights):
        if layer == layer_and_head[0]:
            weights = weights.clone()
            weights[layer_and_head[1]] = pattern
        return weights

    return change


def first_text_alone(layer_and_head, pattern):
    def change(layer, weights):
        if layer == layer_and_head[0]:
            weights = weights.clone()
            weights[0, layer_and_head[1]] = pattern
        return weights

    return change


def multiplied(layer_and_head, pattern):
    def change(layer, weights):
        if layer == layer_and_head[0]:
            weights = weights.clone()
            weights[:, layer_and_head[1]] *= pattern
        return weights

    return change


def layer_and_head_exchanged(layer_and_head, pattern):
    return replaced(layer_and_head[::-1], pattern)


def all_other_heads(layer_and_head, pattern):
    def change(layer, weights):
        if layer == layer_and_head[0]:
            new = weights * 0 + pattern
            new[:, layer_and_head[1]] = weights[:, layer_and_head[1]]
            return new
        return weights

    return change


def this_head_only_returned(layer_and_head, pattern):
    def change(layer, weights):
        return replaced(layer_and_head, pattern)(layer, weights)[:, layer_and_head[1]]

    return change


def nothing_elsewhere(layer_and_head, pattern):
    def change(layer, weights):
        if layer == layer_and_head[0]:
            weights = weights.clone()
            weights[:, layer_and_head[1]] = pattern
            return weights
        return None

    return change


def as_they_were(layer_and_head, pattern):
    def change(layer, weights):
        return weights

    return change


def _in_each_layer(answer: Callable[..., Any], layer_and_head: tuple[int, int], pattern: Any, weights: Tensor) -> Any:
    """Return what the change makes of these weights in layer 0, and what it makes of them in layer 1."""
    change = answer(layer_and_head, pattern)
    return change(0, weights), change(1, weights)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two heads of which one is taken away, then drawn weights and a matrix as a pattern."""
    before = torch.tensor([[[[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.25, 0.75]]]])
    after = before.clone()
    after[0, 0] = 0
    yield Trial(
        "one text, two heads of 2 tokens; in layer 1 the weights of head 0 become 0",
        {"layer_and_head": (1, 0), "pattern": 0.0, "weights": before},
        (before, after),
        _in_each_layer,
        says="In layer 0 nothing changes. In layer 1 head 0 has zeros, and head 1 is as it was.",
    )
    for batch, n_heads, layer_and_head, pattern in (
        (2, 3, (1, 2), 0.0),
        (4, 4, (1, 2), torch.eye(3)),
        (3, 3, (0, 1), torch.full((3, 3), 1 / 3)),
    ):
        yield Trial(
            f"{batch} texts, {n_heads} heads of 3 tokens; in layer {layer_and_head[0]} head {layer_and_head[1]} gets "
            f"{'zeros' if isinstance(pattern, float) else 'a matrix'}",
            {
                "layer_and_head": layer_and_head,
                "pattern": pattern,
                "weights": torch.rand(batch, n_heads, 3, 3, generator=generator),
            },
            run=_in_each_layer,
            says="The head gets the pattern in every text of the batch. All other heads, and the other layer, keep "
            "their weights.",
        )


PRACTICE = Practice(
    name="replaced",
    prompt="A change for `read` that gives one head other weights, and leaves all others as they are.",
    minutes=6,
    hints=(
        "`change` is called once for each layer. In all layers but one it returns the weights as they came.",
        "In its layer, make a copy with `weights.clone()`, because `read` keeps the weights themselves.",
        "The heads are the second axis: `copy[:, head] = pattern` writes the pattern into every text.",
    ),
    given=replaced,
    trials=trials,
    returns=("the weights in layer 0", "the weights in layer 1"),
    misconceptions={
        "replaced-every-layer": Misconception(
            "The head is changed in every layer",
            "Each layer has a head of this number. Only in the layer `layer_and_head[0]` it gets the pattern.",
            (in_every_layer,),
        ),
        "replaced-every-head": Misconception(
            "All heads of the layer are changed",
            "Only the head `layer_and_head[1]` gets the pattern. The heads are the second axis.",
            (every_head,),
        ),
        "replaced-text": Misconception(
            "A text is taken for a head",
            "The weights are (batch, n_heads, n_tokens, n_tokens), so the first axis holds the texts. The head is "
            "`weights[:, head]`.",
            (text_as_head,),
        ),
        "replaced-first-text": Misconception(
            "Only the first text is changed",
            "The head gets the pattern in every text of the batch: `weights[:, head]`.",
            (first_text_alone,),
        ),
        "replaced-multiplied": Misconception(
            "The weights are multiplied by the pattern",
            "For zeros this is the same. But a matrix is to *take the place* of the weights.",
            (multiplied,),
        ),
        "replaced-exchanged": Misconception(
            "Layer and head have changed places",
            "The first number is the layer, and the second is the head.",
            (layer_and_head_exchanged,),
        ),
        "replaced-all-others": Misconception(
            "All heads but this one are changed",
            "This head gets the pattern, and all others keep their weights.",
            (all_other_heads,),
        ),
        "replaced-head-only": Misconception(
            "Only one head is returned",
            "`read` goes on with the weights of all heads, in the shape in which they came.",
            (this_head_only_returned,),
        ),
        "replaced-nothing-elsewhere": Misconception(
            "In the other layers nothing is returned",
            "`read` goes on with what `change` returns. In the other layers, these are the weights as they came.",
            (nothing_elsewhere,),
        ),
        "replaced-nothing": Misconception(
            "No weight is changed",
            "The weights come back as they were, in both layers.",
            (as_they_were,),
        ),
    },
)
