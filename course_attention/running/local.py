"""Runs an answer in this process, on torch tensors or NumPy arrays."""

from __future__ import annotations

import contextlib
import dis
import inspect
import io
import linecache
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from course_attention.running.protocol import Call, Outcome, Raised, Result

_NOTHING = (None, ..., NotImplemented)


class LocalRunner:
    """Runs a function, or a module class, that lives in this process.

    Args:
        answer: the function or class.
        library: "torch" or "numpy": what its arrays are.

    Example:
        >>> from course_attention.running.protocol import Array
        >>> call = Call({"scores": Array(np.zeros(2), "float64")})
        >>> outcome = LocalRunner(lambda scores: scores + 1, "numpy").observe(call)
        >>> outcome.results[0].values
        array([1., 1.])
    """

    def __init__(self, answer: Callable, library: str = "torch") -> None:
        self._answer = answer
        self._parameters: dict[str, inspect.Parameter] | None = None
        if library == "numpy":
            from course_attention.running import arrays as backend
        else:
            from course_attention.running import tensors as backend
        self._backend = backend

    def observe(self, call: Call) -> Outcome:
        """Call the answer once and report. What it prints, and its warnings, go nowhere."""
        stage = "construct"
        with _quiet(), self._backend.place(call) as place:
            try:
                answer = self._answer
                if call.settings is not None:
                    answer = answer(**call.settings)
                    stage = "load"
                    answer = place.load(answer)
                stage = "call"
                arguments = {name: place.make(value) for name, value in call.arguments.items()}
                before = {name: place.snapshot(value) for name, value in arguments.items()}
                returned = (
                    answer(**arguments) if self._by_name(answer, arguments) else answer(*arguments.values())
                )
                changed = tuple(n for n, value in arguments.items() if place.changed(value, before[n]))
                results, form, names = _results(returned, place.result)
                gradients = place.gradients(returned, arguments, answer) if call.directions else {}
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - sys.exit and the like are an answer's doing too
                return Outcome(error=self._raised(error, stage))
        idle = returned is NotImplemented or (form == "nothing" and _does_nothing(self._answer))
        return Outcome(results, form, None, changed, gradients, names, idle)

    def _by_name(self, answer: Callable, arguments: Mapping[str, Any]) -> bool:
        """Whether the answer has these names (it may want them by name); else it is called by position."""
        if self._parameters is None:
            try:
                self._parameters = dict(inspect.signature(answer).parameters)
            except (TypeError, ValueError):
                self._parameters = {}
        kinds = [self._parameters[name].kind for name in arguments if name in self._parameters]
        return len(kinds) == len(arguments) and inspect.Parameter.POSITIONAL_ONLY not in kinds

    def _raised(self, error: BaseException, stage: str) -> Raised:
        frames = traceback.extract_tb(error.__traceback__)
        own_files = _files_of(self._answer)
        own = [frame for frame in frames if frame.filename in own_files]
        message = _first_line(error)
        line = (
            (own[-1].line or linecache.getline(own[-1].filename, own[-1].lineno or 0).strip()) if own else ""
        )
        last_is_own = bool(own) and frames[-1] == own[-1]
        return Raised(
            type=type(error).__name__,
            message=message,
            line=line or "",
            stage=stage,
            unwritten=isinstance(error, NotImplementedError) and last_is_own,
            **self._backend.about(error, message),
        )


def _results(
    returned: Any, result: Callable[[Any], Result]
) -> tuple[tuple[Result, ...], str, tuple[str, ...]]:
    """What was returned, its form, and its names where it has any."""
    if any(returned is nothing for nothing in _NOTHING):
        return (), "nothing", ()
    if isinstance(returned, Mapping):
        return tuple(result(item) for item in returned.values()), "mapping", tuple(map(str, returned))
    if isinstance(returned, (tuple, list)):
        form = "tuple" if isinstance(returned, tuple) else "list"
        return tuple(result(item) for item in returned), form, ()
    return (result(returned),), "single", ()


def _does_nothing(answer: Callable) -> bool:
    """Whether a function reads no variable at all: `...`, `pass`, `return None`. A forgotten `return` is no stub."""
    code = getattr(answer, "__code__", None)
    return code is not None and not any(step.opname.startswith("LOAD_") and step.opname != "LOAD_CONST"
                                        for step in dis.get_instructions(code))  # fmt: skip


def _files_of(answer: Callable) -> set[str]:
    """Where the answer's own code stands: a function's, or that of a class's methods."""
    functions = vars(answer).values() if inspect.isclass(answer) else [answer]
    codes = (getattr(inspect.unwrap(f), "__code__", None) for f in functions if callable(f))
    return {code.co_filename for code in codes if code is not None}


def _first_line(error: BaseException) -> str:
    try:
        return next(iter(str(error).strip().splitlines()), "")[:300]
    except Exception:  # noqa: BLE001 - an exception's own __str__ may be a student's code
        return ""


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    sink = io.StringIO()
    with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with np.errstate(all="ignore"):
            yield
