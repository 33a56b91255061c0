"""A reader with rotary positions: queries and keys are turned by angles that grow with their position."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.experiments.positions.readers import Reader
from course_attention.mechanisms.positions import rotary
from course_attention.practice.authoring import Misconception, Practice, Trial


class RotaryReader(Reader):
    """Token p is turned by the angles of position p, in every head."""

    def turn(self, vectors):
        return rotary(vectors, torch.arange(vectors.shape[-2]))


class NotTurned(Reader):
    def turn(self, vectors):
        return vectors


class HeadsAsPositions(Reader):
    def turn(self, vectors):
        return rotary(vectors.transpose(-2, -3), torch.arange(vectors.shape[-3])).transpose(-2, -3)


class FromOne(Reader):
    def turn(self, vectors):
        return rotary(vectors, torch.arange(1, vectors.shape[-2] + 1))


class Backwards(Reader):
    def turn(self, vectors):
        return rotary(vectors, -torch.arange(vectors.shape[-2]))


class FromTheEnd(Reader):
    def turn(self, vectors):
        return rotary(vectors, torch.arange(vectors.shape[-2]).flip(0))


class OnePosition(Reader):
    def turn(self, vectors):
        return rotary(vectors, torch.full((vectors.shape[-2],), vectors.shape[-2]))


class Added(Reader):
    def turn(self, vectors):
        return vectors + rotary(vectors, torch.arange(vectors.shape[-2]))


def _turned(answer: Callable[..., Any], vectors: Tensor) -> Any:
    return answer(n_heads=vectors.shape[1], d_head=vectors.shape[-1]).turn(vectors)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one pair that turns by one radian, then heads of several pairs."""
    cos, sin = 0.5403023, 0.8414710
    yield Trial(
        "one text, one head, 2 tokens, d_head 2",
        {"vectors": torch.tensor([[[[1.0, 0.0], [1.0, 0.0]]]])},
        torch.tensor([[[[1.0, 0.0], [cos, sin]]]]),
        _turned,
        says="At position 0 nothing turns. At position 1 the first pair turns by one radian, to (cos 1, sin 1).",
        tolerance=1e-5,
    )
    for batch, n_heads, n_tokens, d_head in ((2, 4, 3, 8), (3, 3, 3, 4), (1, 2, 7, 6)):
        yield Trial(
            f"{batch} texts, {n_heads} heads, {n_tokens} tokens, d_head {d_head}",
            {"vectors": torch.randn(batch, n_heads, n_tokens, d_head, generator=generator)},
            run=_turned,
            says="The position of a token is its place along the last axis but one. It is the same in every head.",
            tolerance=1e-4,
        )


PRACTICE = Practice(
    name="RotaryReader",
    prompt="A reader that turns its queries and keys by angles that grow with the position.",
    minutes=3,
    hints=(
        "`turn` gets the queries, and then the keys, (batch, n_heads, n_tokens, d_head), and gives them back turned. "
        "You have written a function that turns them.",
        "`rotary(x, positions)` takes a position for each token: 0, 1, 2, … `vectors.shape[-2]` says how many there "
        "are.",
    ),
    given=RotaryReader,
    trials=trials,
    returns=("vectors",),
    misconceptions={
        "rotary-not-turned": Misconception(
            "Nothing is turned",
            "The vectors come back as they were, at every position.",
            (NotTurned,),
        ),
        "rotary-heads-as-positions": Misconception(
            "The heads are taken for the positions",
            "The tokens are along the last axis but one, behind the heads.",
            (HeadsAsPositions,),
        ),
        "rotary-other-start": Misconception(
            "The positions do not begin at 0",
            "Scores depend only on the difference of two positions, so the model would be as good. But the task asks "
            "for the positions 0, 1, 2, …, as everywhere in this course.",
            (FromOne,),
        ),
        "rotary-backwards": Misconception(
            "The positions fall from token to token",
            "Token p has the position p, so positions rise by 1 from token to token.",
            (Backwards, FromTheEnd),
        ),
        "rotary-one-position": Misconception(
            "All tokens have the same position",
            "If all vectors are turned by the same angle, no score changes. Each token needs its own position.",
            (OnePosition,),
        ),
        "rotary-added": Misconception(
            "The turned vectors are added to the old ones",
            "The turned vectors replace the old ones. Turning keeps the length of a vector.",
            (Added,),
        ),
    },
)
