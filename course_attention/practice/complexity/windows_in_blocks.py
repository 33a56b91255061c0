"""Attention to windows, with one call for each block of queries."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.experiments.common.cost_counters import multiply_adds, products
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.masking import window_mask
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.leaves import differences


def windows_in_blocks(query, key, value, width):
    """Let the queries of a block attend together, to the keys from the first one's window to the last one's own."""
    outputs = []
    for start in range(0, len(query), width):
        end = min(start + width, len(query))
        first = max(0, start - width + 1)  # the first key that the first query sees
        allowed = window_mask(end - first, width)[start - first :].to(query.device)
        output, _ = attention(query[start:end], key[first:end], value[first:end], allowed)
        outputs.append(output)
    return torch.cat(outputs)


def one_by_one(query, key, value, width):
    outputs = []
    for i in range(len(query)):
        seen = slice(max(0, i - width + 1), i + 1)
        outputs.append(attention(query[i : i + 1], key[seen], value[seen])[0])
    return torch.cat(outputs)


def all_pairs(query, key, value, width):
    return attention(query, key, value, window_mask(len(query), width).to(query.device))[0]


def _in_blocks(query, key, value, width, first_of, mask_of):
    outputs = []
    for start in range(0, len(query), width):
        end, first = min(start + width, len(query)), first_of(start)
        allowed = mask_of(start, end, first)
        allowed = None if allowed is None else allowed.to(query.device)
        outputs.append(attention(query[start:end], key[first:end], value[first:end], allowed)[0])
    return torch.cat(outputs)


def without_mask(query, key, value, width):
    return _in_blocks(query, key, value, width, lambda s: max(0, s - width + 1), lambda s, e, f: None)


def first_rows_of_the_mask(query, key, value, width):
    def mask_of(start, end, first):
        return window_mask(end - first, width)[: end - start]

    return _in_blocks(query, key, value, width, lambda s: max(0, s - width + 1), mask_of)


def own_block_alone(query, key, value, width):
    return _in_blocks(query, key, value, width, lambda s: s, lambda s, e, f: window_mask(e - s, width))


def own_block_without_mask(query, key, value, width):
    return _in_blocks(query, key, value, width, lambda s: s, lambda s, e, f: None)


def causal_in_the_block(query, key, value, width):
    def mask_of(start, end, first):
        return torch.ones(end - first, end - first).tril().bool()[start - first :]

    return _in_blocks(query, key, value, width, lambda s: max(0, s - width + 1), mask_of)


def one_key_less(query, key, value, width):
    def mask_of(start, end, first):
        return window_mask(end - first, width)[start - first :]

    return _in_blocks(query, key, value, width, lambda s: max(0, s - width + 2) if s else 0, mask_of)


def last_block_lost(query, key, value, width):
    return windows_in_blocks(query, key, value, width)[: len(query) // width * width]


def last_block_never_computed(query, key, value, width):
    n_full = len(query) // width * width
    outputs = [windows_in_blocks(query[:n_full], key[:n_full], value[:n_full], width)] if n_full else []
    return torch.cat(outputs)


def _output_and_work(answer: Callable[..., Any], query: Tensor, key: Tensor, value: Tensor, width: int) -> Any:
    """Return the output, and where it is right, whether there is one call for each block, and no more work in it."""
    output = answer(query, key, value, width)
    if differences(one_by_one(query, key, value, width), output):
        return output, "counted where the output is right"

    def answered() -> Any:
        return answer(query, key, value, width)

    n_blocks = -(-len(query) // width)
    work, enough = multiply_adds(answered), n_blocks * width * 2 * width * (query.shape[-1] + value.shape[-1])
    if work > enough:
        return output, f"{work} multiply–adds where {enough} are enough"
    made = products(answered)
    if made > 2 * n_blocks:
        return output, f"{made} products where {2 * n_blocks} are enough"
    return output, "two products for each block, and few scores outside of the windows"


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield means to compute by hand, then texts of several lengths, also shorter than a window."""
    zeros = torch.zeros(4, 1)
    yield Trial(
        "queries and keys are 0, so all weights are equal; the values are 1, 2, 6 and 8, and the width is 2",
        {"query": zeros, "key": zeros, "value": torch.tensor([[1.0], [2.0], [6.0], [8.0]]), "width": 2},
        (
            torch.tensor([[1.0], [1.5], [4.0], [7.0]]),
            "two products for each block, and few scores outside of the windows",
        ),
        _output_and_work,
        says="Each output is the mean of its own value and the one before. The second block has the queries 2 and 3: "
        "its keys are 1 to 3. Query 2 sees the keys 1 and 2, and query 3 sees the keys 2 and 3.",
    )
    for n_tokens, width in ((14, 4), (7, 3), (3, 5), (6, 1)):
        query, key = torch.randn(2, n_tokens, 4, generator=generator, dtype=torch.float64)
        value = torch.randn(n_tokens, 3, generator=generator, dtype=torch.float64)
        yield Trial(
            f"{n_tokens} tokens, width {width}",
            {"query": query, "key": key, "value": value, "width": width},
            run=_output_and_work,
            says="Query i sees the keys i − width + 1 to i and no others, whichever block it is in.",
        )


PRACTICE = Practice(
    name="windows_in_blocks",
    prompt="The outputs of `windows_one_by_one`, with one call of attention for each block of width queries.",
    minutes=12,
    hints=(
        "A loop over the first queries of the blocks: `range(0, len(query), width)`. The block ends before "
        "`min(start + width, len(query))`.",
        "The first query sees the keys from `max(0, start - width + 1)` on, and the last one ends with its own key.",
        "`window_mask(n, width)` for the n keys of the call has n rows. The queries are the last of these tokens: "
        "`[start - first :]`.",
    ),
    given=windows_in_blocks,
    trials=trials,
    returns=("output", "work"),
    misconceptions={
        "blocks-one-by-one": Misconception(
            "There are two products for each query",
            "The outputs are right. Let all queries of a block attend in a single call.",
            (one_by_one,),
        ),
        "blocks-all-pairs": Misconception(
            "Scores are computed that the windows do not need",
            "The outputs are right. But a mask blocks scores that have been computed already. Give each block only the "
            "keys that its queries may see.",
            (all_pairs,),
        ),
        "blocks-no-mask": Misconception(
            "All queries of a block see the same keys",
            "Each query has its own window. Within a block the call needs a mask.",
            (without_mask, own_block_without_mask),
        ),
        "blocks-first-rows": Misconception(
            "The queries get the first rows of the mask",
            "The mask is made for all tokens from the first key on, and the queries are the *last* of them. So the "
            "last rows are theirs.",
            (first_rows_of_the_mask,),
        ),
        "blocks-own-keys": Misconception(
            "A block sees only its own keys",
            "The first query of a block sees the width − 1 keys before it, which are in the block before.",
            (own_block_alone,),
        ),
        "blocks-causal": Misconception(
            "Later queries of a block see too many keys",
            "The mask is causal, but the windows also end on the other side: query i sees nothing before the key "
            "i − width + 1. `window_mask` blocks both.",
            (causal_in_the_block,),
        ),
        "blocks-one-key-less": Misconception(
            "The keys of a block begin one too late",
            "With its own key, the first query of a block sees `width` keys: they begin at start − width + 1.",
            (one_key_less,),
        ),
        "blocks-last-lost": Misconception(
            "The last block is missing where it is not full",
            "The length of the text need not be a multiple of `width`. The last block ends with the text.",
            (last_block_lost, last_block_never_computed),
        ),
    },
)
