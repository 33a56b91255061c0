"""A reader with ALiBi: each head subtracts a slope times the distance from its scores."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from course_attention.mechanisms.positions import alibi_bias
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.positions.reader import Reader


class ALiBiReader(Reader):
    """Its bias has no trained numbers."""

    def bias(self, n_tokens):
        return alibi_bias(self.n_heads, n_tokens, n_tokens).float()


class Rewarded(Reader):
    def bias(self, n_tokens):
        return -alibi_bias(self.n_heads, n_tokens, n_tokens).float()


class OneSlope(Reader):
    def bias(self, n_tokens):
        return alibi_bias(1, n_tokens, n_tokens).float()


class FourHeads(Reader):
    def bias(self, n_tokens):
        return alibi_bias(4, n_tokens, n_tokens).float()


class OneQuery(Reader):
    def bias(self, n_tokens):
        return alibi_bias(self.n_heads, 1, n_tokens).float()


class FirstHead(Reader):
    def bias(self, n_tokens):
        return alibi_bias(self.n_heads, n_tokens, n_tokens).float()[0]


def _bias(answer: Callable[..., Any], n_heads: int, n_tokens: int) -> Any:
    return answer(n_heads=n_heads, d_head=2).bias(n_tokens)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield the bias of 4 heads that can be computed by hand, then other numbers of heads and tokens."""
    distance = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    yield Trial(
        "4 heads, 2 tokens",
        {"n_heads": 4, "n_tokens": 2},
        -torch.stack([distance / 4, distance / 16, distance / 64, distance / 256]),
        _bias,
        says="The slopes of 4 heads are 1/4, 1/16, 1/64 and 1/256, and the two tokens are 1 apart.",
    )
    for n_heads, n_tokens in ((2, 3), (8, 5), (1, 4)):
        yield Trial(
            f"{n_heads} heads, {n_tokens} tokens".replace("1 heads", "1 head"),
            {"n_heads": n_heads, "n_tokens": n_tokens},
            run=_bias,
            says="`self.n_heads` says how many heads the reader has. Your own `alibi_bias` does the work.",
        )


PRACTICE = Practice(
    name="ALiBiReader",
    prompt="A reader that subtracts the distance of a key from its score, times the slope of the head.",
    minutes=3,
    hints=(
        "`bias` gives what is added to the scores, (n_heads, n_tokens, n_tokens). You have written a function that "
        "makes such a thing from three sizes.",
        "`alibi_bias(n_heads, n_queries, n_keys)`, with the heads of the reader, `self.n_heads`. Add `.float()`, for "
        "the model computes in float32.",
    ),
    given=ALiBiReader,
    trials=trials,
    returns=("bias",),
    misconceptions={
        "alibi-rewarded": Misconception(
            "Distance is rewarded",
            "A bias of ALiBi is 0 or negative: the farther away a key is, the lower its score becomes.",
            (Rewarded,),
        ),
        "alibi-one-slope": Misconception(
            "All heads have one slope",
            "Each head has its own slope. `alibi_bias` computes them when it is told how many heads there are.",
            (OneSlope, FirstHead),
        ),
        "alibi-heads-fixed": Misconception(
            "The number of heads is written into the code",
            "A reader may have another number of heads: `self.n_heads` says how many.",
            (FourHeads,),
        ),
        "alibi-one-query": Misconception(
            "There is a bias for one query only",
            "Every token is a query here, so there are n_tokens rows.",
            (OneQuery,),
        ),
    },
)
