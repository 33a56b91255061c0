"""What a library of arrays has to be able to do so that an answer can be called on it: `arrays` and `tensors` can."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from course_attention.execution.protocol import Call, Result


class Watch(Protocol):
    """What was seen while an answer ran.

    Attributes:
        numbers: how many numbers the largest array has that was made; 0 where nobody looked.
        made_in: file and line of each call that was under way when it was made, the innermost first.
    """

    numbers: int
    made_in: tuple[tuple[str, int], ...]


class Place(Protocol):
    """Where the arrays of one call are made and read."""

    def make(self, value: Any) -> Any:
        """Return an argument as the answer takes it."""

    def load(self, module: Any) -> Any:
        """Return the module with the call's weights in it."""

    def watched(self, measure: bool) -> AbstractContextManager[Watch]:
        """Within it, the largest array that is made is looked for, where that is asked."""

    def after(self, arguments: Mapping[str, Any]) -> dict[str, Result]:
        """Return the arrays among the arguments as they are now, by the names of `inputs.given`."""

    def result(self, value: Any) -> Result:
        """One thing that was returned, as plain data."""

    def gradients(self, returned: Any, arguments: dict[str, Any], answer: Any) -> dict[str, np.ndarray | None]:
        """Name → gradient of the results, multiplied with the call's cotangents and summed."""

    def steady(self, answer: Any, again: Callable[[], Any], returned: Any) -> bool:
        """Whether a module gives the same once more, in evaluation mode."""


class Backend(Protocol):
    """A module that makes such places."""

    def place(self, call: Call, closely: bool = False) -> AbstractContextManager[Place]:
        """Where a call's arrays are made and read.

        Args:
            call: the call.
            closely: on the simulated GPU, follow what Python does not call as well; it takes longer.
        """

    def device_mismatch(self, message: str) -> bool:
        """Whether an error with this message says that something is on the wrong device."""
