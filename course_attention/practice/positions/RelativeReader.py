"""A reader with relative positions: a trained number for each offset is added to the scores."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from course_attention.mechanisms.positions import relative_bias
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.positions.reader import Reader


class RelativeReader(Reader):
    """Its table has a row for each head and a column for each offset from −reach to reach."""

    def __init__(self, reach=16):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(self.n_heads, 2 * reach + 1))

    def bias(self, n_tokens):
        return relative_bias(self.table, n_tokens, n_tokens)


class Turned(RelativeReader):
    def bias(self, n_tokens):
        return super().bias(n_tokens).mT


class OneForAllHeads(RelativeReader):
    def bias(self, n_tokens):
        return super().bias(n_tokens).mean(dim=0)


class FirstHead(RelativeReader):
    def bias(self, n_tokens):
        return super().bias(n_tokens)[0]


class OneQuery(RelativeReader):
    def bias(self, n_tokens):
        return relative_bias(self.table, 1, n_tokens)


class Detached(RelativeReader):
    def bias(self, n_tokens):
        return super().bias(n_tokens).detach()


def _bias(answer: Callable[..., Any], table: Tensor, n_tokens: int) -> Any:
    """Return the bias of a reader with this table, and whether the table can learn from it."""
    reader = answer(reach=table.shape[-1] // 2).to(table.device)
    with torch.no_grad():
        reader.table.copy_(table)
    bias = reader.bias(n_tokens)
    learns = isinstance(bias, Tensor) and bias.requires_grad
    return bias, "the table learns" if learns else "nothing is learned"


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a bias to read off the table by hand, then one of random tables, short texts and long ones."""
    table = torch.tensor([[1.0, 2.0, 3.0]]) * torch.tensor([[1.0], [10.0], [100.0], [1000.0]])
    head = torch.tensor([[2.0, 3.0], [1.0, 2.0]])
    yield Trial(
        "2 tokens, reach 1",
        {"table": table, "n_tokens": 2},
        (torch.stack([head, 10 * head, 100 * head, 1000 * head]), "the table learns"),
        _bias,
        says="The middle column belongs to a token itself, the one before it to the token before.",
    )
    for reach, n_tokens in ((2, 5), (3, 3), (1, 6)):
        yield Trial(
            f"{n_tokens} tokens, reach {reach}",
            {"table": torch.randn(4, 2 * reach + 1, generator=generator), "n_tokens": n_tokens},
            run=_bias,
            says="Your own `relative_bias` does the work: what does it take?",
        )


PRACTICE = Practice(
    name="RelativeReader",
    prompt="A reader that adds a trained number for each offset to its scores.",
    minutes=3,
    hints=(
        "`bias` gives what is added to the scores, (n_heads, n_tokens, n_tokens). You have written a function that "
        "makes such a thing from a table.",
        "`relative_bias(table, n_queries, n_keys)`: a text attends to itself, so there are as many of both.",
    ),
    given=RelativeReader,
    trials=trials,
    returns=("bias", "what learns"),
    misconceptions={
        "relative-turned": Misconception(
            "The offsets have the other sign",
            "Rows are queries and columns are keys. A query and a key have changed places.",
            (Turned,),
        ),
        "relative-one-head": Misconception(
            "All heads have the same bias",
            "The table has a row for each head, and each head gets the bias of its own row.",
            (OneForAllHeads, FirstHead),
        ),
        "relative-one-query": Misconception(
            "There is a bias for one query only",
            "Every token is a query here, so there are n_tokens rows.",
            (OneQuery,),
        ),
        "relative-detached": Misconception(
            "The table cannot learn",
            "No gradient reaches the table, so the training does not change it. `detach`, `no_grad` and `.data` cut "
            "the bias off from the table.",
            (Detached,),
        ),
    },
)
