"""An exercise: what is asked, what is right, what goes wrong, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.verdict import Verdict

Wrong = Callable[..., Any]

# What a right answer keeps to beside its numbers, and the misconception where it does not (some have none).
KEPT = {
    "inputs unchanged": "input-changed",
    "dtype": "wrong-dtype",
    "gradients": "detached",
    "device": "wrong-device",
}


@dataclass(frozen=True)
class Exercise:
    """One exercise of the course.

    Attributes:
        name: the name of the function, class or number that answers it.
        notebook: the stem of the notebook that asks it.
        prompt: what is asked, in a line.
        points: what it is worth.
        difficulty: 1 to 3.
        minutes: how long it takes.
        hints: from a nudge to nearly all of it; the package's helper comes after the last.
        kind: "function", "module" or "value".
        library: "torch" or "numpy", for what its arrays are.
        parts: names of the results, in the order returned; the keys, where a mapping is asked for.
        mapping: the results come back in a dict.
        groups: where results stand in a tuple of their own: (0, 2) for (first, (second, third)).
        dtype: of the results, where it is not that of the arguments: "bool", "int64".
        number: the result is one number, of whatever type.
        made: the results are made from numbers alone: on the CPU, boolean or in float32 (float64 is accepted),
            where they are not a number themselves.
        differentiable: gradients flow from the results to the arguments.
        oracle: the right computation, in NumPy float64; gives an array, or a tuple where there are several parts.
        cases: draws the cases.
        noise: the error of each part, in units of the dtype's epsilon, that one rounding at each step may leave;
            takes the arguments as the oracle does.
        wrong: misconception id → computations that make this mistake, each like the oracle.
        value: the right number of a value exercise.
        wrong_values: misconception id → the wrong numbers that it leads to.
        ideas: texts of its own for a misconception, (title, explanation), where the common ones do not fit.
    """

    name: str
    notebook: str
    prompt: str
    points: float
    difficulty: int
    minutes: int
    hints: tuple[str, ...]
    kind: str = "function"
    library: str = "torch"
    parts: tuple[str, ...] = ("output",)
    mapping: bool = False
    groups: tuple[int, ...] = ()
    dtype: str = ""
    number: bool = False
    made: bool = False
    differentiable: bool = True
    oracle: Callable[..., Any] | None = None
    cases: Callable[[Draw], list[Case]] | None = None
    noise: Callable[..., tuple[float, ...]] | None = None
    wrong: Mapping[str, tuple[Wrong, ...]] = field(default_factory=dict)
    value: float | None = None
    wrong_values: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    ideas: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @cached_property
    def misconceptions(self) -> tuple[str, ...]:
        """The ids that a wrong answer can be named by."""
        if self.kind == "value":
            return tuple(self.wrong_values)
        return (*self.wrong, *(KEPT[name] for name in self.kept if name in KEPT))

    @property
    def kept(self) -> tuple[str, ...]:
        """What is looked at beside the numbers: NumPy has no devices, and what is made of numbers no inputs."""
        if self.number:
            return () if self.made else ("inputs unchanged",)
        if self.made:
            return ("dtype",)
        gradients = self.library == "torch" and self.differentiable and not self.dtype
        return (
            "inputs unchanged",
            "dtype",
            *(("gradients",) if gradients else ()),
            *(("device",) if self.library == "torch" else ()),
            *(("evaluation mode",) if self.kind == "module" else ()),
        )

    def judge(self, answer: Any, seed: int = 0, device: str = "cpu") -> Verdict:
        """Judge an answer.

        Args:
            answer: a function, a module class, a number, or a `execution.protocol.Runner` for one that lives elsewhere.
            seed: draws the cases.
            device: "cpu" (fake CUDA is looked at as well) or "cuda".

        Returns:
            The verdict. Whatever the answer does, nothing is raised.

        Raises:
            ValueError: the device is neither "cpu" nor "cuda", or there is no CUDA here.
        """
        if device not in ("cpu", "cuda"):
            raise ValueError(f"device must be 'cpu' or 'cuda'; got {device!r}")
        from course_attention.judging import calls, numbers

        if self.kind == "value":
            return numbers.judge(self, answer)
        return calls.judge(self, answer, seed, device)

    def results(self, compute: Callable[..., Any], arguments: Mapping[str, Any]) -> tuple[np.ndarray, ...]:
        """What a computation gives, as a tuple of float64 arrays, one for each part."""
        returned = compute(**arguments)
        items = returned if isinstance(returned, (tuple, list)) else (returned,)
        return tuple(np.asarray(item, dtype=np.float64) for item in items)
