"""A mistake that the student writes: of twelve families of models, one alone notices it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Generator, Tensor

from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.real_models import interface_attention
from course_attention.practice.authoring import Misconception, Practice, Trial

ONE = "one family alone notices it"
NONE = "no family notices it"
ALL = "all twelve families notice it"
NO_FOUR = "it does not return query, key, value and scaling"
_NOTICED = 1e-4  # an output that changes by less may be rounding


@dataclass(frozen=True)
class Call:
    """What the library hands over in a family: sizes, the scaling, and a mask.

    Attributes:
        mask: "causal", "padded", or "" for none.
    """

    n_queries: int = 9
    n_keys: int = 9
    n_groups: int = 4
    d_key: int = 8
    scaling: float = 8**-0.5
    mask: str = "causal"


_WITH_GROUPS = Call(n_groups=2)
CALLS: Mapping[str, tuple[Call, ...]] = {
    "Llama": (_WITH_GROUPS,),
    "Mistral": (_WITH_GROUPS,),
    "Qwen3": (_WITH_GROUPS,),
    "Gemma 3": (Call(n_groups=2, scaling=0.25),),
    "SmolLM3": (_WITH_GROUPS,),
    "GPT-2": (Call(),),
    "BERT": (Call(mask="padded"),),
    "ViT": (Call(17, 17, mask=""),),
    "Whisper": (Call(16, 16, scaling=1.0, mask=""), Call(scaling=1.0), Call(9, 16, scaling=1.0, mask="")),
    "DeepSeek-V3": (Call(d_key=12, scaling=0.541),),  # 1/√12, times 1.87 for its stretched positions
    "Qwen3-Next": (_WITH_GROUPS,),
    "gpt-oss": (_WITH_GROUPS,),
}
"""What the small models of notebook 14 hand over, without windows and sinks, of which the mistake sees nothing."""


def own_mistake(query, key, value, scaling):
    """Take as many numbers of queries and keys as values have, as if d_key were d_value everywhere."""
    d_value = value.shape[-1]
    return query[..., :d_value], key[..., :d_value], value, scaling


def _drawn(call: Call, generator: Generator) -> tuple[tuple[Tensor, Tensor, Tensor, float], Tensor | None]:
    query = torch.randn(2, 4, call.n_queries, call.d_key, generator=generator)
    key = torch.randn(2, call.n_groups, call.n_keys, call.d_key, generator=generator)
    value = torch.randn(2, call.n_groups, call.n_keys, 8, generator=generator)
    if not call.mask:
        return (query, key, value, call.scaling), None
    blocked = torch.zeros(2, 1, call.n_queries, call.n_keys, dtype=torch.bool)
    if call.mask == "causal":
        blocked |= torch.ones_like(blocked).triu(1)
    else:
        blocked[1, ..., -3:] = True
    return (query, key, value, call.scaling), torch.zeros(blocked.shape).masked_fill(
        blocked, torch.finfo(torch.float32).min
    )


def _notices(answer: Any, call: Call, generator: Generator) -> bool | None:
    """Say whether the output of attention changes; None where the answer does not give four things."""
    given, bias = _drawn(call, generator)
    changed = answer(*(one.clone() if isinstance(one, Tensor) else one for one in given))
    if not isinstance(changed, tuple | list) or len(changed) != 4:
        return None
    query, key, value, scaling = changed
    if not all(isinstance(one, Tensor) and one.ndim == 4 for one in (query, key, value)):
        return None
    right, _ = interface_attention(*given[:3], bias, given[3])
    wrong, _ = interface_attention(query, key, value, bias, float(scaling))
    return wrong.shape != right.shape or not torch.allclose(wrong, right, rtol=0.0, atol=_NOTICED)


def tried(seed: int, answer: Any) -> str:
    """Say which families notice an answer."""
    generator = Generator().manual_seed(seed)
    noticed = {name: [_notices(answer, call, generator) for call in calls] for name, calls in CALLS.items()}
    if any(None in said for said in noticed.values()):
        return NO_FOUR
    names = [name for name, said in noticed.items() if any(said)]
    if len(names) < 2:
        return ONE if names else NONE
    return ALL if len(names) == len(CALLS) else f"{', '.join(names[:-1])} and {names[-1]} notice it"


def trials(generator: Generator) -> Iterator[Trial]:
    """Yield one trial: a call of each family, with drawn numbers."""
    seed = int(torch.randint(10**6, (), generator=generator))
    yield Trial(
        "what the library hands over in each of the twelve families: with your mistake, and without it",
        {},
        ONE,
        run=partial(tried, seed),
        says="More than one family notices it. Ask what one of them alone has: a size, or its scaling. Let the mistake "
        "touch only that.",
    )


def unchanged(query, key, value, scaling):
    return query, key, value, scaling


def own_scale(query, key, value, scaling):
    return query, key, value, query.shape[-1] ** -0.5


def scale_of_values(query, key, value, scaling):
    return query, key, value, value.shape[-1] ** -0.5


def not_scaled(query, key, value, scaling):
    return query, key, value, 1.0


def doubled(query, key, value, scaling):
    return query, key, value, 2 * scaling


def tiled(query, key, value, scaling):
    copies = query.shape[1] // key.shape[1]
    return query, key.repeat(1, copies, 1, 1), value.repeat(1, copies, 1, 1), scaling


def small_scaling(query, key, value, scaling):
    return query, key, value, min(scaling, 0.4)


def nine_keys(query, key, value, scaling):
    return query, key[:, :, :9], value[:, :, :9], scaling


def other_order(query, key, value, scaling):
    return query, key.flip(-2), value.flip(-2), scaling


def groups_of_one(query, key, value, scaling):
    if key.shape[1] < query.shape[1]:
        return query, key, value, scaling
    return query, key[:, :1], value[:, :1], scaling


def scaling_alone(query, key, value, scaling):
    return scaling


def attended(query, key, value, scaling):
    copies = query.shape[1] // key.shape[1]
    return attention(query, key.repeat_interleave(copies, 1), value.repeat_interleave(copies, 1))


PRACTICE = Practice(
    name="own_mistake",
    prompt="A mistake in attention that one of the twelve families alone notices.",
    minutes=8,
    hints=(
        "A mistake shows where it changes a number. So look for what one family alone has: a size that differs from "
        "another, or a scaling that no other has.",
        "In eleven families d_key is d_value, and in DeepSeek-V3 it is not. In eleven families the scaling is less "
        "than 1, and in Whisper it is 1. In eleven families there are as many queries as keys, and in the "
        "cross-attention of Whisper there are not. Somebody who knows only the eleven makes a mistake in the twelfth.",
        "Choose one of these facts, and write as if it were so everywhere. Return `query, key, value, scaling`, of "
        "which one or two are changed. For example: let a size that should be d_key, `query.shape[-1]`, be taken from "
        "the value; or the number of keys, `key.shape[-2]`, from the queries. Cut `query` or `key` to this size: in "
        "eleven families nothing is cut off.",
    ),
    given=own_mistake,
    trials=trials,
    returns=("what came",),
    misconceptions={
        "own-mistake-unnoticed": Misconception(
            "No family notices it",
            "In all twelve the output of attention is what it was, so it is no mistake yet. What you change has to "
            "matter in one of them.",
            (unchanged,),
        ),
        "own-mistake-everywhere": Misconception(
            "Nearly every family notices it",
            "What you change matters in every model, so the first test would find it. Let the mistake touch "
            "something that one family alone has.",
            (doubled, not_scaled),
        ),
        "own-mistake-of-three": Misconception(
            "Three families have a scaling of their own",
            "A scaling that is computed from d_key or d_value shows in Gemma 3, Whisper and DeepSeek-V3, to which the "
            "library gives another one: 0.25, 1 and 0.54. These three numbers differ, so a mistake that touches one "
            "of them alone shows in one family.",
            (own_scale, scale_of_values),
        ),
        "own-mistake-of-groups": Misconception(
            "Every family with shared keys notices it",
            "Seven of the twelve have groups, and their calls look alike. A mistake with groups shows in all seven. "
            "Look for something that one family alone has.",
            (tiled,),
        ),
        "own-mistake-of-several": Misconception(
            "More than one family notices it",
            "Your mistake touches something that these families share. Ask what one of them alone has: a size, or its "
            "scaling. Let the mistake touch only that.",
            (small_scaling, nine_keys, other_order, groups_of_one),
        ),
        "own-mistake-form": Misconception(
            "The four arguments do not come back",
            "Your function changes what attention is given, and does not compute attention. Return query, key, value "
            "and scaling, in this order.",
            (scaling_alone, attended),
        ),
    },
)
