"""NumPy's side of calling an answer: it makes the arguments and reads the results."""

import contextlib
import numbers
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from course_attention.execution.nesting import labelled
from course_attention.execution.protocol import Array, Call, Result


class _Unwatched:
    numbers = 0
    made_in: tuple[tuple[str, int], ...] = ()


class _ArrayPlace:
    def make(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(self.make(item) for item in value)
        if not isinstance(value, Array):
            return value
        array = value.values.astype(value.dtype)
        if value.strided:  # laid out as `tensors` does it
            array = np.asfortranarray(array) if array.ndim > 1 else np.repeat(array, 2)[::2].reshape(array.shape)
        return array

    def watched(self, measure: bool) -> contextlib.AbstractContextManager[_Unwatched]:
        return contextlib.nullcontext(_Unwatched())

    def load(self, module: Any) -> Any:
        raise TypeError(f"an answer on NumPy arrays should be a function; got {module!r}")

    def after(self, arguments: Mapping[str, Any]) -> dict[str, Result]:
        arrays = {n: a for n, a in labelled(arguments).items() if isinstance(a, np.ndarray)}
        return {name: self.result(array) for name, array in arrays.items()}

    def result(self, value: Any) -> Result:
        if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "fiub":
            return Result("array", str(value.dtype), "cpu", value.shape, np.array(value, dtype=np.float64))
        if _is_scalar_tensor(value):
            dtype = str(value.dtype).removeprefix("torch.")
            return Result("array", dtype, "cpu", (), np.array(float(value)))
        if isinstance(value, numbers.Real) and not isinstance(value, bool):
            return Result("number", type(value).__name__, "cpu", (), np.array(float(value)))
        return Result(type(value).__name__)

    def gradients(self, returned: Any, arguments: dict[str, Any], answer: Any) -> dict[str, np.ndarray | None]:
        return {}  # NumPy has none

    def steady(self, answer: Any, again: Callable[[], Any], returned: Any) -> bool:
        return True  # no module answers on NumPy arrays


def _is_scalar_tensor(value: Any) -> bool:
    """Whether it is a tensor of one number and no axes; asked without loading torch."""
    return type(value).__module__ == "torch" and getattr(value, "shape", None) == () and not value.is_complex()


@contextlib.contextmanager
def place(call: Call, closely: bool = False) -> Iterator[_ArrayPlace]:
    """Where a call's arrays are made and read."""
    yield _ArrayPlace()


def device_mismatch(message: str) -> bool:
    """Whether an error with this message says that something is on the wrong device. NumPy has only one device."""
    return False
