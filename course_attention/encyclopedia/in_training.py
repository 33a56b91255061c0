"""What a training run showed of a misconception, where the course has measured it.

`tools/long_runs/mistakes_in_training.py` trained the same small language model with the code of each of these entries.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import isnan
from statistics import mean

from course_attention.experiments.common.long_runs import long_run, made_by

RIGHT = "right"


@dataclass(frozen=True)
class Trained:
    """What the runs with one piece of code gave.

    Attributes:
        losses: on new sentences, in nats for each word, a run each.
        sentences: the share of sentences written by the model that obey the grammar, a run each.
        exercise: whose code was trained with.
    """

    losses: Sequence[float]
    sentences: Sequence[float]
    exercise: str

    @property
    def learns(self) -> bool:
        """Whether it comes close to what the right code reaches, in both."""
        right = trained(RIGHT)
        assert right is not None, "the right code was trained with"
        near = mean(self.losses) < mean(right.losses) + 0.05
        return near and mean(self.sentences) > mean(right.sentences) - 0.05


@cache
def trained(id: str) -> Trained | None:
    """Return what came of training with a misconception; None where nobody has tried."""
    rows = [row for row in long_run("masking", "mistakes_in_training") if row["misconception"] == id]
    if not rows:
        return None
    return Trained([row["loss"] for row in rows], [row["sentences"] for row in rows], rows[0]["exercise"])


def told(id: str) -> str:
    """Say what came of training with a misconception beside the right code; "" where nobody has tried."""
    came, right = trained(id), trained(RIGHT)
    if came is None or right is None:
        return ""
    return (
        f"We trained a small model that guesses the next word, {len(came.losses)} times with this mistake in "
        f"`{came.exercise}`. Its loss on new sentences was {_range(came.losses)} nats for each word, and "
        f"{_shares(came.sentences)} of the sentences that it wrote were right. With the right code the loss was "
        f"{_range(right.losses)}, and {_shares(right.sentences)} of the sentences were right. "
        f"{_verdict(came, right)} ({made_by('masking', 'mistakes_in_training')})"
    )


def _verdict(came: Trained, right: Trained) -> str:
    if any(isnan(loss) for loss in came.losses):
        return "So a training run shows that something is wrong at once."
    if came.learns:
        return "So a training run does not show this mistake: the model learned all the same."
    if mean(came.losses) < mean(right.losses) - 0.05:
        return "So the loss looks better than with the right code, and the model has learned to look at the answer."
    if mean(came.sentences) > mean(right.sentences) - 0.05:
        return "So the sentences look right, and only the loss is worse."
    return "So a training run shows that something is wrong, and not what."


def _range(numbers: Sequence[float]) -> str:
    if any(isnan(number) for number in numbers):
        return "NaN"
    low, high = (f"{number:.2f}" for number in (min(numbers), max(numbers)))
    return low if low == high else f"{low} to {high}"


def _shares(numbers: Sequence[float]) -> str:
    low, high = (f"{number:.0%}" for number in (min(numbers), max(numbers)))
    return low if low == high else f"{low} to {high}"
