"""What the file of a task imports: `Practice`, `Trial` and `Misconception`."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from torch import Generator

from course_attention.judging.exercise import Misconception

__all__ = ["Misconception", "Practice", "Trial"]

AS_GIVEN: Any = object()
"""In the place of an expected result: what the course's own function gives."""


@dataclass(frozen=True)
class Trial:
    """One case in which an answer is tried.

    Attributes:
        title: what the case looks like, in a line: "2 texts, the second with padding".
        arguments: name → tensor, array, model or plain value, in the order of the signature. Each call gets copies.
        expected: what should come: a tensor, an array, a number, a text, None, or a tuple, list or dict of such things.
            Without it, what the course's own function gives. The first trial of a task always has it.
        run: takes the answer and the arguments, and returns what is compared with `expected`. None: the answer is
            called with the arguments, and what it returns is compared.
        says: a sentence or two that help where this trial fails and no misconception explains it.
        changes: the arguments that the answer is asked to change, such as the model that a training step updates.
        tolerance: how far a number may be from the expected one; None for a few roundings of its dtype.
    """

    title: str
    arguments: Mapping[str, Any]
    expected: Any = AS_GIVEN
    run: Callable[..., Any] | None = None
    says: str = ""
    changes: tuple[str, ...] = ()
    tolerance: float | None = None


@dataclass(frozen=True, kw_only=True)
class Practice:
    """A task of a notebook that earns no points.

    Attributes:
        name: the name of the function or class that the student writes.
        prompt: what is asked, in a line.
        minutes: how long it takes.
        hints: from a nudge to nearly all of it. The course's own function comes after the last.
        given: the course's own function or class, of that name. The notebook goes on with it until the student's works.
        trials: takes a generator of random numbers and yields the trials, from plain to edge, the smallest first. What
            it needs of the notebook, such as a trained model, are its keyword-only parameters, by the notebook's names.
        returns: the names of the results, as the docstring of the stub has them; a function that returns one thing has
            one.
        misconceptions: id → the mistaken idea, with functions (or classes) in place of a right answer.
        start: the code that the cell holds, where there is some to change. Left as it is, it is no attempt.
    """

    name: str
    prompt: str
    minutes: int
    hints: tuple[str, ...]
    given: Callable[..., Any]
    trials: Callable[..., Iterable[Trial]]
    returns: tuple[str, ...] = ("result",)
    misconceptions: Mapping[str, Misconception] = field(default_factory=dict)
    start: str = ""

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of the notebook that the trials need."""
        parameters = inspect.signature(self.trials).parameters.values()
        return tuple(one.name for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY)

    def drawn(self, seed: int, notebook: Mapping[str, Any]) -> list[Trial]:
        """Return the trials of a seed.

        Args:
            seed: from which they draw.
            notebook: the names of the notebook, among them all that the trials need.
        """
        generator = Generator().manual_seed(seed)
        return list(self.trials(generator, **{name: notebook[name] for name in self.needs}))
