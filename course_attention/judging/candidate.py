"""Functions that a test is to tell apart, the input that shows what is wrong with one, and what a test said of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from course_attention.execution.protocol import Outcome


@dataclass(frozen=True)
class Witness:
    """An input for which a wrong function errs, small enough to check by hand.

    Attributes:
        title: what the input looks like, in a line.
        inputs: argument name → array or None.
        part: which result errs: "output", "weights", "gradient of key", "query after the call".
        expected: what is right.
        received: what the wrong function gives; None where nothing comes.
    """

    title: str
    inputs: Mapping[str, Any]
    part: str
    expected: Any
    received: Any


@dataclass(frozen=True)
class Candidate:
    """A function that an answer is to accept or to refuse.

    Attributes:
        source: defines it.
        does: what tells it from others, to go on with "a function that …".
        witness: shows what is wrong with it; None where it is right.
        hidden_from: the misconception of a test that errs with this function; "" where none is known.
    """

    source: str
    does: str
    witness: Witness | None = field(default=None, compare=False)
    hidden_from: str = ""

    @property
    def is_right(self) -> bool:
        return self.witness is None


@dataclass(frozen=True)
class Told:
    """What an answer said of one function.

    Attributes:
        candidate: the function.
        accepted: True or False where the answer said so in time; None where it did not.
        outcome: what came of the call.
        in_time: whether it came within the time that there is.
    """

    candidate: Candidate
    accepted: bool | None
    outcome: Outcome
    in_time: bool = True

    @property
    def is_right(self) -> bool:
        """Whether the answer is right about the function."""
        return self.accepted is self.candidate.is_right
