"""An exercise as data: what is asked, what is right, what goes wrong, and what it is worth.

There are three kinds. The answer to a `FunctionExercise` is a function, to a `ModuleExercise` an `nn.Module` class, to
a `ValueExercise` a number. `judging.judge` says what an answer is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw

Variant = Callable[..., Any]
"""One wrong computation, which takes the arguments of the oracle. A misconception may have several."""
Words = tuple[str, str]
"""What is said of a misconception: a title, and an explanation that does not give the code away."""


@dataclass(frozen=True)
class Misconception:
    """A mistaken idea, as the author of a course adds it to an exercise.

    Attributes:
        title: the idea, in a line without a full stop.
        explanation: why it is wrong, without the code that is right.
        variants: wrong computations that make this mistake, each with the oracle's arguments; of a value exercise, the
            wrong numbers that it leads to.
    """

    title: str
    explanation: str
    variants: tuple[Any, ...]


CONTRACT_CHECKS = {
    "inputs unchanged": "input-changed",
    "dtype": "wrong-dtype",
    "gradients": "detached",
    "device": "wrong-device",
}
"""What the course's contract asks of a right answer beside its numbers, and the misconception where it is broken."""


@dataclass(frozen=True)
class Coarse:
    """A wrong computation that loses more digits than the right one, so that its numbers are compared less strictly.

    Attributes:
        compute: the wrong computation.
        noise: the error of its results, as in `FunctionExercise`.
    """

    compute: Variant
    noise: Callable[..., tuple[float, ...]]

    def __call__(self, **arguments: Any) -> Any:
        """The wrong results."""
        return self.compute(**arguments)


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """What all exercises have.

    Attributes:
        name: the name of the function, class or number that answers it.
        prompt: what is asked, in a line.
        points: what it is worth.
        difficulty: 1 to 3.
        minutes: how long it takes.
        library: "torch" or "numpy", for what its arrays are.
        hints: from a nudge to nearly all of it. The package's own helper comes after the last.
        words: misconception id → what is said of it.
        given: the code that the answer cell holds, where there is some to repair. Left as it is, it is no attempt.
        weights: property → what it weighs here, where that is another weight than in `scoring.WEIGHTS`.
        partial_credit: whether an answer that does not pass may earn a part of the points.
        ready_made: full names of what other libraries have ready-made for it, such as "numpy.convolve". The grader
            refuses them.
    """

    kind: ClassVar[str]

    name: str
    prompt: str
    points: float
    difficulty: int
    minutes: int
    hints: tuple[str, ...]
    library: str = "torch"
    words: Mapping[str, Words] = field(default_factory=dict)
    given: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)
    partial_credit: bool = True
    ready_made: tuple[str, ...] = ()

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """The ids that a wrong answer can be named by."""
        raise NotImplementedError


@dataclass(frozen=True)
class Returns:
    """What an answer gives back.

    Attributes:
        names: of the results, in the order returned; the keys, where a mapping is asked for.
        mapping: the results come back in a dict.
        groups: where results stand in a tuple of their own: (0, 2) for (first, (second, third)).
        dtype: of the results, where it is not that of the arguments: "bool", "int64".
        number: the result is one number, of whatever type.
        from_sizes_only: the results are made from sizes alone, with no tensor among the arguments. They are then on the
            CPU, boolean or in float32 (float64 is accepted), where they are not a number themselves.
        differentiable: gradients flow from the results to the arguments.
        axes: of each result, as the docstring writes them: "..., n_queries, d_value". A card speaks of them by these
            names where a shape is wrong.
    """

    names: tuple[str, ...] = ("output",)
    mapping: bool = False
    groups: tuple[int, ...] = ()
    dtype: str = ""
    number: bool = False
    from_sizes_only: bool = False
    differentiable: bool = True
    axes: tuple[str, ...] = ()

    def axes_of(self, name: str) -> str:
        """The axes of a result; "" where they have no names."""
        return dict(zip(self.names, self.axes, strict=False)).get(name, "")


@dataclass(frozen=True, kw_only=True)
class FunctionExercise(Exercise):
    """An exercise that is answered by a function.

    Attributes:
        returns: what the function gives back.
        oracle: the right computation, in NumPy float64. It gives an array, or a tuple of several results.
        cases: draws the cases.
        noise: the error of each result, in units of the dtype's epsilon, that one rounding at each step may leave. It
            takes the arguments as the oracle does; None means one unit.
        variants: misconception id → wrong computations that make this mistake, each like the oracle.
    """

    kind: ClassVar[str] = "function"

    oracle: Callable[..., Any]
    cases: Callable[[Draw], list[Case]]
    variants: Mapping[str, tuple[Variant, ...]] = field(default_factory=dict)
    noise: Callable[..., tuple[float, ...]] | None = None
    returns: Returns = Returns()

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """The ids of the variants, and of the contract checks that have one."""
        return (*self.variants, *(CONTRACT_CHECKS[c] for c in self.contract_checks if c in CONTRACT_CHECKS))

    @property
    def contract_checks(self) -> tuple[str, ...]:
        """What is looked at beside the numbers: NumPy has no devices, and sizes are no inputs that could change."""
        returns = self.returns
        if returns.number:
            return () if returns.from_sizes_only else ("inputs unchanged",)
        if returns.from_sizes_only:
            return ("dtype",)
        torch = self.library == "torch"
        return (
            "inputs unchanged",
            "dtype",
            *(("gradients",) if torch and returns.differentiable and not returns.dtype else ()),
            *(("device",) if torch else ()),
        )

    def results(self, compute: Callable[..., Any], arguments: Mapping[str, Any]) -> tuple[np.ndarray, ...]:
        """What a computation gives, as a tuple of float64 arrays, one for each result."""
        returned = compute(**arguments)
        items = returned if isinstance(returned, (tuple, list)) else (returned,)
        return tuple(np.asarray(item, dtype=np.float64) for item in items)


@dataclass(frozen=True, kw_only=True)
class ModuleExercise(FunctionExercise):
    """An exercise that is answered by an `nn.Module` class. Its oracle takes settings and weights as well."""

    kind: ClassVar[str] = "module"

    @property
    def contract_checks(self) -> tuple[str, ...]:
        """Those of a function; and a module gives the same in evaluation mode."""
        return (*super().contract_checks, "evaluation mode")


@dataclass(frozen=True, kw_only=True)
class ValueExercise(Exercise):
    """An exercise that is answered by a number, predicted before it is computed.

    Attributes:
        value: the right number.
        wrong_values: misconception id → the wrong numbers that it leads to.
    """

    kind: ClassVar[str] = "value"

    value: float
    wrong_values: Mapping[str, tuple[float, ...]]

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """The ids that a wrong number can be named by."""
        return tuple(self.wrong_values)
