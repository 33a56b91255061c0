"""Eviction: a query loses keys, and their weight is shared among the others."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial


def evict(keys):
    """Return a function that sets the weights of the lost keys to 0, and scales the others to a sum of 1."""

    def change(layer, weights):
        kept = weights.masked_fill(keys, 0.0)
        return kept / kept.sum(dim=-1, keepdim=True).clamp(min=1e-9)

    return change


def not_scaled(keys):
    def change(layer, weights):
        return weights.masked_fill(keys, 0.0)

    return change


def empty_rows_divided(keys):
    def change(layer, weights):
        kept = weights.masked_fill(keys, 0.0)
        return kept / kept.sum(dim=-1, keepdim=True)

    return change


def kept_keys_lost(keys):
    return evict(~keys)


def queries_and_keys_exchanged(keys):
    return evict(keys.mT)


def softmax_again(keys):
    def change(layer, weights):
        return weights.masked_fill(keys, 0.0).softmax(dim=-1)

    return change


def softmax_of_masked(keys):
    def change(layer, weights):
        return weights.masked_fill(keys, float("-inf")).softmax(dim=-1).nan_to_num()

    return change


def scaled_over_queries(keys):
    def change(layer, weights):
        kept = weights.masked_fill(keys, 0.0)
        return kept / kept.sum(dim=-2, keepdim=True).clamp(min=1e-9)

    return change


def shared_evenly(keys):
    def change(layer, weights):
        kept = weights.masked_fill(keys, 0.0)
        missing = weights.sum(dim=-1, keepdim=True) - kept.sum(dim=-1, keepdim=True)
        return torch.where(keys, 0.0, kept + missing / (~keys).sum(dim=-1, keepdim=True).clamp(min=1))

    return change


def empty_rows_even(keys):
    def change(layer, weights):
        kept = evict(keys)(layer, weights)
        empty = kept.sum(dim=-1, keepdim=True) == 0
        return torch.where(empty, 1 / weights.shape[-1], kept)

    return change


def first_layer_alone(keys):
    def change(layer, weights):
        return evict(keys)(layer, weights) if layer == 0 else weights

    return change


def _in_both_layers(answer: Callable[..., Any], keys: Tensor, weights: Tensor) -> Any:
    """Return what the change makes of these weights in layer 0, and what it makes of them in layer 3."""
    change = answer(keys)
    return change(0, weights), change(3, weights)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield three queries that each lose a key, then drawn causal weights."""
    weights = torch.tensor([[[[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.25, 0.25]]]])
    lost = torch.tensor([[True, False, False], [True, False, False], [False, True, False]])
    right = torch.tensor([[[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2 / 3, 0.0, 1 / 3]]]])
    yield Trial(
        "one head of 3 tokens; the first two queries lose token 0, and the third one loses token 1",
        {"keys": lost, "weights": weights},
        (right, right),
        _in_both_layers,
        says="The first query has nothing left, and its row stays 0. The second one has 0.5 left, which becomes 1. The "
        "third one has 0.5 and 0.25 left, with the sum 0.75: they become 2/3 and 1/3.",
    )
    for batch, n_heads, n_tokens in ((2, 3, 4), (3, 2, 5)):
        scores = torch.randn(batch, n_heads, n_tokens, n_tokens, generator=generator, dtype=torch.float64)
        causal = torch.ones(n_tokens, n_tokens).tril().bool()
        yield Trial(
            f"{batch} texts, {n_heads} heads, {n_tokens} tokens",
            {
                "keys": torch.rand(n_tokens, n_tokens, generator=generator) < 0.4,
                "weights": scores.masked_fill(~causal, -torch.inf).softmax(dim=-1),
            },
            run=_in_both_layers,
            says="A key is lost where `keys` is True, in every text, every head and every layer.",
        )


PRACTICE = Practice(
    name="evict",
    prompt="A change for `read` that takes keys away from queries, and shares their weight among the others.",
    minutes=6,
    hints=(
        "`weights.masked_fill(keys, 0.0)` makes a copy in which the lost keys have the weight 0.",
        "What is left of a row has the sum `kept.sum(dim=-1, keepdim=True)`. Divide by it.",
        "In a row in which nothing is left, this sum is 0, and 0/0 is not a number. `.clamp(min=1e-9)` keeps the "
        "divisor away from 0.",
    ),
    given=evict,
    trials=trials,
    returns=("the weights in layer 0", "the weights in layer 3"),
    misconceptions={
        "evict-not-scaled": Misconception(
            "The other weights are not scaled",
            "The lost keys have no weight, and that is right. But each row should sum to 1 again, as after a softmax.",
            (not_scaled,),
        ),
        "evict-empty-row": Misconception(
            "A row in which nothing is left is divided by 0",
            "0/0 is nan, and a single nan makes the whole loss nan. Such a row stays 0.",
            (empty_rows_divided,),
        ),
        "evict-empty-row-even": Misconception(
            "A row in which nothing is left gets equal weights",
            "Such a query would look at keys that it has lost. Its row stays 0.",
            (empty_rows_even,),
        ),
        "evict-inverted": Misconception(
            "The keys that should stay are lost",
            "A query *loses* the keys at which `keys` is True.",
            (kept_keys_lost,),
        ),
        "evict-transposed": Misconception(
            "Queries and keys have changed places",
            "In `keys[i, j]` the query is i and the key is j, as in the weights.",
            (queries_and_keys_exchanged,),
        ),
        "evict-softmax-again": Misconception(
            "A softmax is applied to weights",
            "The weights have been through a softmax already. A second one makes them more equal. Divide each row by "
            "its sum.",
            (softmax_again, softmax_of_masked),
        ),
        "evict-over-queries": Misconception(
            "The weights of each key are scaled to a sum of 1",
            "Each *row* sums to 1, the weights of one query: the last axis.",
            (scaled_over_queries,),
        ),
        "evict-shared-evenly": Misconception(
            "The lost weight is shared in equal parts",
            "The other weights are *scaled*: each is divided by the sum of those that are left, so that their ratios "
            "stay the same.",
            (shared_evenly,),
        ),
        "evict-one-layer": Misconception(
            "The keys are lost in one layer only",
            "A token that has left the cache is missing in every layer.",
            (first_layer_alone,),
        ),
    },
)
