"""Attention to a window of keys, by a program that computes only the scores it needs."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.experiments.common.cost_counters import multiply_adds
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.masking import window_mask
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.leaves import differences


def windowed_attention(query, key, value, width):
    """Let each query meet the keys of its window and no others."""
    outputs = []
    for i in range(len(query)):
        window = slice(max(0, i - width + 1), i + 1)
        outputs.append(attention(query[i : i + 1], key[window], value[window])[0])
    return torch.cat(outputs)


def _windows(query, key, value, window_of):
    found = [attention(query[i : i + 1], key[window_of(i)], value[window_of(i)])[0] for i in range(len(query))]
    return torch.cat(found)


def all_scores(query, key, value, width):
    return attention(query, key, value, window_mask(len(query), width).to(query.device))[0]


def one_key_more(query, key, value, width):
    return _windows(query, key, value, lambda i: slice(max(0, i - width), i + 1))


def one_key_less(query, key, value, width):
    return _windows(query, key, value, lambda i: slice(max(0, i - width + 2), i + 1))


def without_itself(query, key, value, width):
    return _windows(query, key, value, lambda i: slice(max(0, i - width), i))


def no_window(query, key, value, width):
    return _windows(query, key, value, lambda i: slice(0, i + 1))


def from_behind(query, key, value, width):
    return _windows(query, key, value, lambda i: slice(i - width + 1, i + 1))


def the_next_keys(query, key, value, width):
    return _windows(query, key, value, lambda i: slice(i, i + width))


def both_sides(query, key, value, width):
    return _windows(query, key, value, lambda i: slice(max(0, i - width + 1), i + width))


def equal_weights(query, key, value, width):
    return torch.stack([value[max(0, i - width + 1) : i + 1].mean(dim=0) for i in range(len(query))])


def blocks(query, key, value, width):
    return _windows(query, key, value, lambda i: slice(i // width * width, i + 1))


def _output_and_work(
    answer: Callable[..., Any], query: Tensor, key: Tensor, value: Tensor, width: int
) -> tuple[Any, str]:
    """Return the output, and where it is right, whether more products were computed than the windows have."""
    output = None

    def answered() -> None:
        nonlocal output
        output = answer(query, key, value, width)

    cost = multiply_adds(answered)
    enough = len(query) * width * (query.shape[-1] + value.shape[-1])
    if differences(windowed_attention(query, key, value, width), output):
        return output, "counted where the output is right"
    return output, "no more than the windows need" if cost <= enough else f"{cost} where {enough} are enough"


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield means to compute by hand, then windows that are narrow, wide, and wider than the text."""
    zeros = torch.zeros(3, 1)
    yield Trial(
        "queries and keys are 0, so all weights are equal; the values are 1, 2 and 6, and the width is 2",
        {"query": zeros, "key": zeros, "value": torch.tensor([[1.0], [2.0], [6.0]]), "width": 2},
        (torch.tensor([[1.0], [1.5], [4.0]]), "no more than the windows need"),
        _output_and_work,
        says="The first query has one key in its window, and its output is 1. The second has two, and the third has "
        "the last two: their means are 1.5 and 4. A window of 2 keys has 2 scores for each query.",
    )
    for n_tokens, width, d_value in ((12, 3, 4), (6, 1, 2), (4, 9, 3)):
        query, key = torch.randn(2, n_tokens, 4, generator=generator, dtype=torch.float64)
        value = torch.randn(n_tokens, d_value, generator=generator, dtype=torch.float64)
        yield Trial(
            f"{n_tokens} tokens, width {width}",
            {"query": query, "key": key, "value": value, "width": width},
            run=_output_and_work,
            says="Query i attends to the keys i − width + 1 to i, as far as there are any.",
        )


PRACTICE = Practice(
    name="windowed_attention",
    prompt="Each query attends to the last `width` keys, and no other score is computed.",
    minutes=14,
    hints=(
        "A loop over the queries. Query i is `query[i : i + 1]`, with an axis of length 1, so that `attention` can "
        "read it.",
        "Its keys are those from i − width + 1 to i. At the beginning of the text there are fewer: "
        "`max(0, i - width + 1)`.",
        "`attention(…)[0]` is the output of one query, (1, d_value). `torch.cat` joins the list of them.",
    ),
    given=windowed_attention,
    trials=trials,
    returns=("output", "multiply–adds"),
    misconceptions={
        "windowed-all-scores": Misconception(
            "More scores are computed than the windows have",
            "The outputs are right. But a mask blocks scores that have been computed already. Give each query only "
            "the keys of its window.",
            (all_scores,),
        ),
        "windowed-one-more": Misconception(
            "The window has one key too many",
            "With its own key, query i attends to `width` keys: i − width + 1 is the first.",
            (one_key_more,),
        ),
        "windowed-one-less": Misconception(
            "The window has one key too few",
            "Query i attends to `width` keys, its own included: i − width + 1 is the first, and i is the last.",
            (one_key_less,),
        ),
        "windowed-without-itself": Misconception(
            "A query does not see its own key",
            "A slice stops before its second number. The window ends with key i, so it is `key[… : i + 1]`.",
            (without_itself,),
        ),
        "windowed-no-window": Misconception(
            "Each query attends to everything before it",
            "Only the last `width` keys are in the window.",
            (no_window,),
        ),
        "windowed-from-behind": Misconception(
            "At the beginning the window starts with a negative number",
            "In Python, a negative start counts from the end, so the first windows are empty or wrong. The first key "
            "has the number 0: `max(0, i - width + 1)`.",
            (from_behind,),
        ),
        "windowed-ahead": Misconception(
            "The window reaches into the future",
            "The last `width` keys are those up to the query's own, not those after it.",
            (the_next_keys, both_sides),
        ),
        "windowed-equal-weights": Misconception(
            "All keys of a window get the same weight",
            "The weights come from the scores of the query with these keys, by a softmax.",
            (equal_weights,),
        ),
        "windowed-blocks": Misconception(
            "The text is cut into blocks",
            "Here a window begins anew at every multiple of `width`. Each query has its own window, which ends with "
            "its own key.",
            (blocks,),
        ),
    },
)
