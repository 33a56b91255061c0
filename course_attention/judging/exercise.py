"""An exercise as data: what is asked, what is right, what goes wrong, and what it is worth.

There are four kinds. The answer to a `FunctionExercise` is a function, to a `ModuleExercise` an `nn.Module` class, to
a `ValueExercise` a number, and to a `FunctionTestExercise` a function that tests functions. `judging.judge` says what
an answer is worth.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from course_attention.judging import faults, properties
from course_attention.judging.asked import EVERYTHING, Asked
from course_attention.judging.candidate import Candidate
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.properties import Property

Variant = Callable[..., Any]
"""One wrong computation, which takes the arguments of the oracle. A misconception may have several."""
Words = tuple[str, str]
"""What is said of a misconception: a title, and an explanation that does not give the code away."""


@dataclass(frozen=True)
class Misconception:
    """A mistaken idea: what is said of it, and the wrong computations that it leads to.

    Attributes:
        title: the idea, in a line without a full stop.
        explanation: why it is wrong, without the code that is right.
        variants: wrong computations that make this mistake, each with the oracle's arguments; of a value exercise, the
            wrong numbers that it leads to. None where only what is said of a part of the contract is said anew.
    """

    title: str
    explanation: str
    variants: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Coarse:
    """A wrong computation that loses more digits than the right one, so that its numbers are compared less strictly.

    Attributes:
        compute: the wrong computation.
        noise: the error of its results, as in `FunctionExercise`.
    """

    compute: Variant
    noise: Callable[..., tuple[float | np.ndarray, ...]]

    def __call__(self, **arguments: Any) -> Any:
        """Return the wrong results."""
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
        misconceptions: id → the mistaken idea. Its variants are enough where exercises share what is said of it, and
            `words` has that.
        words: id → what is said of the misconceptions that are given by their variants.
        given: the code that the answer cell holds, where there is some to repair. Left as it is, it is no attempt.
        weights: property → what it weighs here, where that is another weight than the property itself has.
        partial_credit: whether an answer that does not pass may earn a part of the points.
        ready_made: full names of what contains it: functions of other libraries, such as "numpy.convolve", and helpers
            of earlier notebooks, such as "course_attention.cross_attention". The grader refuses them.
    """

    kind: ClassVar[str]

    name: str
    prompt: str
    points: float
    difficulty: int
    minutes: int
    hints: tuple[str, ...]
    library: str = "torch"
    misconceptions: Mapping[str, Misconception | tuple[Any, ...]] = field(default_factory=dict)
    words: Mapping[str, Words] = field(default_factory=dict)
    given: str = ""
    weights: Mapping[Property, float] = field(default_factory=dict)
    partial_credit: bool = True
    ready_made: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if silent := [
            id for id, one in self.misconceptions.items() if not isinstance(one, Misconception) and id not in self.words
        ]:
            raise ValueError(
                f"{self.name}: a misconception is Misconception(title, explanation, variants), or its variants where "
                f"`words` has its id; got {silent[0]!r} without words"
            )
        if unknown := [one for one in self.weights if not isinstance(one, Property)]:
            raise TypeError(f"{self.name}: weights are of properties, such as properties.MASK; got {unknown[0]!r}")

    @cached_property
    def ideas(self) -> Mapping[str, Misconception]:
        """Each misconception that a wrong answer can be named by, with what is said of it: the contract's come last."""
        own = {
            id: one if isinstance(one, Misconception) else Misconception(*self.words[id], one)
            for id, one in self.misconceptions.items()
        }
        of_contract = {check.misconception: self._words_of(check) for check in self.contract_checks}
        return own | {id: Misconception(*said) for id, said in of_contract.items() if id and id not in own}

    @property
    def misconception_ids(self) -> tuple[str, ...]:
        """The ids that a wrong answer can be named by."""
        return tuple(self.ideas)

    @property
    def contract_checks(self) -> tuple[Property, ...]:
        """What the course's contract asks of a right answer beside its numbers."""
        return ()

    def _words_of(self, check: Property) -> Words:
        """Return what is said where a rule of the contract is broken."""
        return check.title, check.explanation


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
        float32_is_enough: the numbers need be no more precise than float32 in float64 either, as with frequencies that
            are made of whole numbers, which torch takes to float32.
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
    float32_is_enough: bool = False
    differentiable: bool = True
    axes: tuple[str, ...] = ()

    def axes_of(self, name: str) -> str:
        """Return the axes of a result; "" where they have no names."""
        return dict(zip(self.names, self.axes, strict=False)).get(name, "")


@dataclass(frozen=True, kw_only=True)
class FunctionExercise(Exercise):
    """An exercise that is answered by a function.

    Attributes:
        returns: what the function gives back.
        oracle: the right computation, in NumPy float64. It gives an array, or a tuple of several results.
        cases: draws the cases.
        noise: the error of each result, in units of the dtype's epsilon, that one rounding at each step may leave: one
            number for all of a result, or one for each of its own. It takes the arguments as the oracle does; None
            means one unit.
        mutant_inputs: name of an argument, a size or a setting → draws it from a `mutants.inputs.Inputs`, where its
            annotation in the helper does not say all that it has to be. "..." stands for the leading axes.
        asked: which part of all that is asked for; everything, but of code that was written for another contract.
    """

    kind: ClassVar[str] = "function"

    oracle: Callable[..., Any]
    cases: Callable[[Draw], list[Case]]
    noise: Callable[..., tuple[float | np.ndarray, ...]] | None = None
    mutant_inputs: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    returns: Returns = Returns()
    asked: Asked = EVERYTHING

    @property
    def contract_checks(self) -> tuple[Property, ...]:
        """What is looked at beside the numbers."""
        return tuple(check for check in self._contract if check not in self.asked.without)

    @property
    def _contract(self) -> tuple[Property, ...]:
        """What the contract has beside the numbers: NumPy has no devices, and sizes are no inputs that could change."""
        returns = self.returns
        if returns.number:
            return () if returns.from_sizes_only else (properties.INPUTS_UNCHANGED,)
        if returns.from_sizes_only:
            return (properties.DTYPE,)
        torch = self.library == "torch"
        return (
            properties.INPUTS_UNCHANGED,
            properties.DTYPE,
            *((properties.GRADIENTS,) if torch and returns.differentiable and not returns.dtype else ()),
            *((properties.DEVICE,) if torch else ()),
        )

    def _words_of(self, check: Property) -> Words:
        """Return what is said where a rule of the contract is broken. Of a dtype it depends on which is asked for."""
        if check == properties.GRADIENTS:
            return faults.DETACHED
        if check == properties.DTYPE and self.returns.dtype:
            return faults.NOT_BOOLEAN if self.returns.dtype == "bool" else faults.NOT_WHOLE
        if check == properties.DTYPE and self.returns.from_sizes_only:
            return faults.NOT_FLOAT32
        return super()._words_of(check)

    def results(self, compute: Callable[..., Any], arguments: Mapping[str, Any]) -> tuple[np.ndarray, ...]:
        """Return what a computation gives, as a tuple of float64 arrays, one for each result."""
        returned = compute(**arguments)
        items = returned if isinstance(returned, (tuple, list)) else (returned,)
        return tuple(np.asarray(item, dtype=np.float64) for item in items)


@dataclass(frozen=True, kw_only=True)
class ModuleExercise(FunctionExercise):
    """An exercise that is answered by an `nn.Module` class. Its oracle takes settings and weights as well."""

    kind: ClassVar[str] = "module"

    @property
    def _contract(self) -> tuple[Property, ...]:
        """That of a function; and a module gives the same in evaluation mode."""
        return (*super()._contract, properties.EVALUATION_MODE)


@dataclass(frozen=True, kw_only=True)
class ValueExercise(Exercise):
    """An exercise that is answered by a number, predicted before it is computed.

    Attributes:
        value: the right number.
    """

    kind: ClassVar[str] = "value"

    value: float


@dataclass(frozen=True, kw_only=True)
class FunctionTestExercise(Exercise):
    """An exercise that is answered by a test: a function that is handed functions, and says which of them are right.

    Its misconceptions have no variants. Each names what a test does not see: all the candidates that are `hidden_from`
    it are answered wrongly.

    Attributes:
        candidates: draws the functions that are to be told apart, right ones and wrong ones, in the order in which the
            answer gets them.
        argument: how the answer calls the function that it is handed.
        everything_accepted, everything_refused: ids of the misconceptions that name an answer which says the same of
            every function.
        right_ones_refused: the id that names an answer which refuses more than half of the right functions.
        raised_instead: the id that names an answer which raises for wrong functions.
    """

    kind: ClassVar[str] = "test"

    candidates: Callable[[Draw], Sequence[Candidate]]
    argument: str
    everything_accepted: str
    everything_refused: str
    right_ones_refused: str
    raised_instead: str
