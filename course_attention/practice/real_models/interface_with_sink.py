"""Attention with the arguments that gpt-oss hands over: one of them is a sink for each head."""

from collections.abc import Iterator

import torch

from course_attention.mechanisms.long_context import attention_with_sink
from course_attention.mechanisms.real_models import interface_attention
from course_attention.practice.authoring import Misconception, Practice, Trial


def interface_with_sink(query, key, value, bias, scaling, sink):
    """Do what interface_attention does, with the attention of notebook 11."""
    query = query * (scaling * query.shape[-1] ** 0.5)  # attention_with_sink divides by √d_key
    copies = query.shape[1] // key.shape[1]
    key, value = (shared.repeat_interleave(copies, dim=1) for shared in (key, value))
    allowed = None if bias is None else bias == 0
    output, weights = attention_with_sink(query, key, value, sink, allowed)
    return output.transpose(1, 2), weights


def without_sink(query, key, value, bias, scaling, sink):
    return interface_attention(query, key, value, bias, scaling)


def own_scale(query, key, value, bias, scaling, sink):
    return interface_with_sink(query, key, value, bias, query.shape[-1] ** -0.5, sink)


def both_scales(query, key, value, bias, scaling, sink):
    return interface_with_sink(query, key, value, bias, scaling * query.shape[-1] ** -0.5, sink)


def sink_scaled(query, key, value, bias, scaling, sink):
    return interface_with_sink(query, key, value, bias, scaling, sink * scaling)


def sink_divided(query, key, value, bias, scaling, sink):
    return interface_with_sink(query, key, value, bias, scaling, sink * query.shape[-1] ** -0.5)


def mask_ignored(query, key, value, bias, scaling, sink):
    return interface_with_sink(query, key, value, None, scaling, sink)


def mask_as_boolean(query, key, value, bias, scaling, sink):
    turned = None if bias is None else bias.masked_fill(bias == 0, 1.0).masked_fill(bias != 0, 0.0)
    return interface_with_sink(query, key, value, turned, scaling, sink)


def groups_tiled(query, key, value, bias, scaling, sink):
    copies = query.shape[1] // key.shape[1]
    key, value = (shared.repeat(1, copies, 1, 1) for shared in (key, value))
    return interface_with_sink(query, key, value, bias, scaling, sink)


def heads_first(query, key, value, bias, scaling, sink):
    output, weights = interface_with_sink(query, key, value, bias, scaling, sink)
    return output.transpose(1, 2), weights


def one_sink(query, key, value, bias, scaling, sink):
    return interface_with_sink(query, key, value, bias, scaling, sink[:1].expand_as(sink))


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two heads that can be computed by hand, then drawn ones with a mask and groups."""
    lowest = torch.finfo(torch.float32).min
    yield Trial(
        "2 heads share a group, 1 query, 2 keys; all scores are 0, and the sinks are 0 and the logarithm of 2",
        {
            "query": torch.zeros(1, 2, 1, 1),
            "key": torch.zeros(1, 1, 2, 1),
            "value": torch.tensor([[[[3.0], [6.0]]]]),
            "bias": None,
            "scaling": 1.0,
            "sink": torch.tensor([1.0, 2.0]).log(),
        },
        (torch.tensor([[[[3.0], [2.25]]]]), torch.tensor([[[[1 / 3, 1 / 3]], [[1 / 4, 1 / 4]]]])),
        says="Head 0 has three equal exponentials, two keys and the sink, so each key gets 1/3. In head 1 the sink "
        "counts twice, so each key gets 1/4.",
    )
    for n_heads, n_groups, scaling in ((4, 2, 0.3), (6, 3, 1.0)):
        blocked = torch.ones(2, 1, 3, 5, dtype=torch.bool).triu(3)
        blocked[1, ..., 0] = True
        yield Trial(
            f"{n_heads} heads in {n_groups} groups, scaling {scaling}, some keys blocked",
            {
                "query": torch.randn(2, n_heads, 3, 4, generator=generator),
                "key": torch.randn(2, n_groups, 5, 4, generator=generator),
                "value": torch.randn(2, n_groups, 5, 7, generator=generator),
                "bias": torch.zeros(blocked.shape).masked_fill(blocked, lowest),
                "scaling": scaling,
                "sink": torch.randn(n_heads, generator=generator),
            },
            says="All but the sink is as in `interface_attention`: the scaling, the groups, the mask and the layout.",
        )


PRACTICE = Practice(
    name="interface_with_sink",
    prompt="Attention with what gpt-oss hands over: the sink of each head as well.",
    minutes=8,
    hints=(
        "Your `interface_attention` already deals with everything but the sink. Which function does it call in the "
        "end, and which one of notebook 11 could it call instead?",
        "`attention_with_sink(query, key, value, sink, allowed)` knows nothing of groups: give each head its own copy "
        "of the key and value of its group.",
        "The sink is not scaled. It has one number for each head, (n_heads,), and meets the heads by broadcasting.",
    ),
    given=interface_with_sink,
    trials=trials,
    returns=("output", "weights"),
    misconceptions={
        "sink-left-out": Misconception(
            "The sink plays no part",
            "The weights of each query sum to 1. With a sink, a part of the weight goes to it.",
            (without_sink,),
        ),
        "sink-scaled": Misconception(
            "The sink is scaled as well",
            "Only the products of queries and keys are multiplied by `scaling`. The sink is a learned score and is "
            "taken as it is.",
            (sink_scaled, sink_divided),
        ),
        "sink-of-one-head": Misconception(
            "All heads have the sink of the first",
            "`sink` has a number for each head.",
            (one_sink,),
        ),
        "interface-own-scale": Misconception(
            "The scores are divided by √d_key",
            "The library says by what the products are multiplied: `scaling`. `attention_with_sink` divides by √d_key "
            "by itself, so the query has to be multiplied by `scaling` and by √d_key first.",
            (own_scale, both_scales),
        ),
        "interface-mask-ignored": Misconception(
            "The mask plays no part",
            "A key may be attended to where `bias` is 0, and not where it is the most negative number.",
            (mask_ignored,),
        ),
        "interface-mask-as-boolean": Misconception(
            "The mask is turned round",
            "`bias` is added to scores: 0 means that a query may attend. As a boolean, 0 would be False.",
            (mask_as_boolean,),
        ),
        "groups-tiled": Misconception(
            "The groups are dealt out in turn",
            "Consecutive heads share a group: 0, 0, 1, 1. `repeat_interleave` copies in this order, `repeat` does not.",
            (groups_tiled,),
        ),
        "interface-layout": Misconception(
            "The heads come before the queries",
            "The output is wanted as (batch, n_queries, n_heads, d_value): the heads of a token are side by side.",
            (heads_first,),
        ),
    },
)
