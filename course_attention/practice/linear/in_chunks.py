"""A memory of added pairs, read causally, and computed a chunk of tokens at a time."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.experiments.common.cost_counters import multiply_adds
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.leaves import differences


def in_chunks(query, key, value, size):
    """Read a growing memory of key–value pairs: inside a chunk by scores, before it by the memory."""
    memory = key.new_zeros(key.shape[-1], value.shape[-1])
    outputs = []
    for q, k, v in zip(query.split(size), key.split(size), value.split(size), strict=True):
        outputs.append(q @ memory + (q @ k.mT).tril() @ v)
        memory = memory + k.mT @ v
    return torch.cat(outputs)


def _chunks(query, key, value, size, inside=torch.tril, read=lambda old, new: old, keep=1):
    memory = key.new_zeros(key.shape[-1], value.shape[-1])
    outputs = []
    for q, k, v in zip(query.split(size), key.split(size), value.split(size), strict=True):
        written = keep * memory + k.mT @ v
        outputs.append(q @ read(memory, written) + inside(q @ k.mT) @ v)
        memory = written
    return torch.cat(outputs)


def all_scores(query, key, value, size):
    return (query @ key.mT).tril() @ value


def not_causal(query, key, value, size):
    return _chunks(query, key, value, size, inside=lambda scores: scores)


def without_itself(query, key, value, size):
    return _chunks(query, key, value, size, inside=lambda scores: scores.tril(-1))


def no_memory(query, key, value, size):
    return _chunks(query, key, value, size, read=lambda old, new: 0 * old)


def no_scores(query, key, value, size):
    return _chunks(query, key, value, size, inside=lambda scores: 0 * scores)


def own_chunk_twice(query, key, value, size):
    return _chunks(query, key, value, size, read=lambda old, new: new)


def one_chunk_back(query, key, value, size):
    return _chunks(query, key, value, size, keep=0)


def softmaxed(query, key, value, size):
    def inside(scores):
        blocked = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return torch.softmax(scores.masked_fill(blocked, float("-inf")), dim=-1)

    return _chunks(query, key, value, size, inside=inside)


def _output_and_work(
    answer: Callable[..., Any], query: Tensor, key: Tensor, value: Tensor, size: int
) -> tuple[Any, str]:
    """Return the output, and where it is right, whether more products were computed than the chunks have."""
    output = None

    def answered() -> None:
        nonlocal output
        output = answer(query, key, value, size)

    cost = multiply_adds(answered)
    d_key, d_value = query.shape[-1], value.shape[-1]
    enough = len(query) * (2 * d_key * d_value + size * (d_key + d_value))
    if differences(in_chunks(query, key, value, size), output):
        return output, "counted where the output is right"
    return output, "no more than the chunks need" if cost <= enough else f"{cost} where {enough} are enough"


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield sums to compute by hand, then chunks of several sizes, the last one shorter or longer than the text."""
    ones = torch.ones(3, 1)
    yield Trial(
        "queries and keys are 1; the values are 1, 2 and 6, in chunks of 2",
        {"query": ones, "key": ones, "value": torch.tensor([[1.0], [2.0], [6.0]]), "size": 2},
        (torch.tensor([[1.0], [3.0], [9.0]]), "no more than the chunks need"),
        _output_and_work,
        says="All products are 1, so each output is the sum of the values so far: 1, 3 and 9. The third token has a "
        "chunk of its own, and finds 3 in the memory.",
    )
    for n_tokens, size, d_key, d_value in ((24, 4, 3, 2), (18, 5, 2, 3), (6, 1, 2, 2), (4, 9, 3, 2)):
        query, key = torch.randn(2, n_tokens, d_key, generator=generator, dtype=torch.float64)
        yield Trial(
            f"{n_tokens} tokens in chunks of {size}, d_key {d_key}, d_value {d_value}",
            {
                "query": query,
                "key": key,
                "value": torch.randn(n_tokens, d_value, generator=generator, dtype=torch.float64),
                "size": size,
            },
            run=_output_and_work,
            says="Output i is the sum of (q_i·k_j) v_j over all j ≤ i: those of earlier chunks come from the memory, "
            "those of its own chunk from scores.",
        )


PRACTICE = Practice(
    name="in_chunks",
    prompt="A growing memory, read causally, one chunk of tokens at a time.",
    minutes=12,
    hints=(
        "A token reads the memory as it was before its chunk, and the tokens of its own chunk up to itself.",
        "Before the chunk: `q @ memory` for all its queries at once. Inside: the scores `q @ k.mT`, without those of "
        "later keys (`.tril()`), times the values.",
        "After the outputs of a chunk, add `k.mT @ v` to the memory. `query.split(size)` gives the chunks, the last "
        "one perhaps shorter, and `torch.cat` joins the outputs.",
    ),
    given=in_chunks,
    trials=trials,
    returns=("output", "multiply–adds"),
    misconceptions={
        "chunks-all-scores": Misconception(
            "The scores of all queries and keys are computed",
            "The outputs are right, and the n × n matrix is back. Scores are needed inside a chunk only; what came "
            "before it is in the memory.",
            (all_scores,),
        ),
        "chunks-not-causal": Misconception(
            "Inside a chunk, a token reads later tokens",
            "A query may read the pairs up to its own place. Scores inside a chunk need the causal mask, and the "
            "memory after the chunk already holds what later tokens write.",
            (not_causal,),
        ),
        "chunks-without-itself": Misconception(
            "A token does not read what it has written itself",
            "The output of a token is read after its own pair was added, so the diagonal of the scores stays.",
            (without_itself,),
        ),
        "chunks-no-memory": Misconception(
            "Only the own chunk is read",
            "What earlier chunks have written is in the memory, and every query of a later chunk reads it.",
            (no_memory,),
        ),
        "chunks-no-scores": Misconception(
            "Only earlier chunks are read",
            "The memory is as it was before the chunk. What the chunk itself has written up to a token comes from the "
            "scores inside the chunk.",
            (no_scores,),
        ),
        "chunks-own-twice": Misconception(
            "The own chunk is read twice",
            "The memory already holds the chunk when it is read, and the scores add it once more. Read first, and "
            "write afterwards.",
            (own_chunk_twice,),
        ),
        "chunks-one-back": Misconception(
            "The memory holds the last chunk only",
            "Each chunk is added to what the memory holds already.",
            (one_chunk_back,),
        ),
        "chunks-softmax": Misconception(
            "There is a softmax inside the chunk",
            "A memory that is added up has no softmax. Inside a chunk and before it, a pair counts with its plain "
            "product q·k.",
            (softmaxed,),
        ),
    },
)
