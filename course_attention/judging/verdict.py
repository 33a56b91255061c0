"""What the judge says of an answer: plain data, to be shown, stored or sent."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Status = Literal["passed", "failed", "errored", "not_attempted"]
Properties = tuple[tuple[str, bool | None], ...]  # None: not looked at


class Credit(NamedTuple):
    """What a property that was looked at earned: which part (0 to 1) of its weight."""

    property: str
    weight: float
    part: float


@dataclass(frozen=True)
class Example:
    """The smallest failing case, small enough to check by hand.

    Attributes:
        title: what the case looks like, in a line.
        inputs: argument name → array, number or None, in the order of the arguments.
        part: which result is shown: "output", "weights", "gradient of key", …
        expected: the right array or number.
        received: the answer's array or number; None where nothing came.
        where: the index of the first place where the two part, or None where they cannot be compared.
        note: what else is to be said of this case, such as the error that the answer raised.
    """

    title: str
    inputs: dict[str, object]
    part: str
    expected: Any
    received: Any
    where: tuple[int, ...] | None = None
    note: str = ""


@dataclass(frozen=True)
class Verdict:
    """The judgement of one answer.

    Attributes:
        exercise: the exercise's name.
        status: "errored" means that the answer raised and no wrong idea explains it.
        score: share of the exercise earned, 0.0 to 1.0, see `scoring`. It is 1.0 for an answer that passed alone.
        points: what the exercise is worth in whole.
        misconception: the id of the mistaken idea, where one explains the answer.
        message: the verdict in words, the idea and its explanation among them; `presentation` adds the example.
        idea: the mistaken idea, or the property that does not hold, in a line.
        explanation: why it is wrong, without the code that is right.
        example: the smallest failing case.
        properties: what there is to look at, and whether it holds; None where it was not looked at, because the
            numbers were not right.
        credit: what each property that was looked at earned, from which the score follows; nothing where the score is a
            count, as for a test of functions.
    """

    exercise: str
    status: Status
    score: float
    points: float
    misconception: str | None = None
    message: str = ""
    idea: str = ""
    explanation: str = ""
    example: Example | None = None
    properties: Properties = ()
    credit: tuple[Credit, ...] = ()

    @property
    def earned(self) -> float:
        """Points earned: score · points, to the hundredth."""
        return round(self.score * self.points, 2)
