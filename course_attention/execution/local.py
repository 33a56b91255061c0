"""Calls an answer in this process, on torch tensors or NumPy arrays, and reports what came."""

import contextlib
import inspect
import linecache
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from course_attention.execution import inputs
from course_attention.execution.backend import Backend
from course_attention.execution.nesting import items_of
from course_attention.execution.prints import prints_caught
from course_attention.execution.protocol import Call, Outcome, Raised, Result
from course_attention.execution.raised import files_of, raised_by
from course_attention.execution.untouched import is_given, is_stub

_NOTHING = (None, ..., NotImplemented)


class LocalRunner:
    """Runs a function, or a module class, that lives in this process.

    Args:
        answer: the function or class.
        library: "torch" or "numpy": what its arrays are.
        given: the code that its cell held before, where there was some to repair; as long as it is that, it is a stub.

    Example:
        >>> from course_attention.execution.protocol import Array
        >>> call = Call({"scores": Array(np.zeros(2), "float64")})
        >>> outcome = LocalRunner(lambda scores: scores + 1, "numpy").observe(call)
        >>> outcome.results[0].values
        array([1., 1.])
    """

    def __init__(self, answer: Callable[..., Any], library: str = "torch", given: str = "") -> None:
        self._answer = answer
        self._stub = is_stub(answer) or is_given(answer, given)
        self._parameters: dict[str, Mapping[str, inspect.Parameter]] = {}
        self._backend = _backend(library)

    def observe(self, call: Call) -> Outcome:
        """Call the answer and report. Its warnings go nowhere, and what it prints goes to `prints`.

        On the simulated GPU, an answer that seems to have left a tensor on the CPU is called a second time. The second
        call is followed more closely, which takes longer. So nobody is blamed for what the first one cannot see, such
        as the operations of TorchScript.
        """
        if self._stub:
            return Outcome(is_stub=True)
        began = time.process_time()
        outcome = self._called(call)
        if call.device == "simulated-cuda" and outcome.left_behind:
            outcome = self._called(call, closely=True)
        took = time.process_time() - began  # a process that forked has a clock that began anew
        return replace(outcome, milliseconds=max(0, round(1000 * took)))

    def _called(self, call: Call, closely: bool = False) -> Outcome:
        stage = "construct"
        with _quiet(), self._backend.place(call, closely) as place:
            try:
                answer = named = self._answer
                if call.settings is not None:
                    module = self._call(stage, answer, answer, call.settings)
                    if any(module is nothing for nothing in _NOTHING):
                        return Outcome(is_stub=True)
                    stage = "load"
                    answer, named = place.load(module), module.forward
                stage = "call"
                if call.before:
                    self._call(stage, answer, named, {name: place.make(one) for name, one in call.before.items()})
                arguments = {name: place.make(value) for name, value in call.arguments.items()}
                with place.watched(call.measure) as watch:
                    returned = self._call(stage, answer, named, arguments)
                after = place.after(arguments) if inputs.looked_at(call) else None
                results, form, names, groups = _results(returned, place.result)
                gradients = place.gradients(returned, arguments, answer) if call.cotangents else {}
                steady = not call.again or place.steady(
                    answer, lambda: self._call(stage, answer, named, arguments), returned
                )
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - sys.exit and the like are an answer's doing too
                return Outcome(error=self._raised(error, stage))
        return Outcome(
            results,
            form,
            None,
            after,
            () if after is None else inputs.changed(call, after),
            gradients,
            names,
            groups,
            watch.numbers,
            self._line_of(watch.made_in),
            steady,
            returned is NotImplemented,
        )

    def _call(
        self, stage: str, answer: Callable[..., Any], named: Callable[..., Any], arguments: Mapping[str, Any]
    ) -> Any:
        """Call by name where the names are those of `named`, in the same order; else by position."""
        if stage not in self._parameters:
            try:
                self._parameters[stage] = inspect.signature(named).parameters
            except (TypeError, ValueError):
                self._parameters[stage] = {}
        parameters = self._parameters[stage]
        kinds = {name: parameters[name].kind for name in parameters if name in arguments}
        ordered = [name for name, kind in kinds.items() if kind is not inspect.Parameter.KEYWORD_ONLY]
        same_order = ordered == [name for name in arguments if name in ordered]
        by_name = len(kinds) == len(arguments) and same_order
        if by_name and inspect.Parameter.POSITIONAL_ONLY not in kinds.values():
            return answer(**arguments)
        return answer(*arguments.values())

    def _line_of(self, calls: tuple[tuple[str, int], ...]) -> str:
        """Return the answer's own line among calls that were under way, the innermost first."""
        if not calls:
            return ""
        own_files = files_of(self._answer)
        own = (linecache.getline(file, number) for file, number in calls if file in own_files)
        return next(own, "").strip()

    def _raised(self, error: BaseException, stage: str) -> Raised:
        raised = raised_by(self._answer, error, stage)
        return replace(raised, device_mismatch=self._backend.device_mismatch(raised.message))


def _backend(library: str) -> Backend:
    """Return the library's side of calling an answer; torch is loaded only for answers on torch."""
    if library == "numpy":
        from course_attention.execution import arrays

        return arrays
    from course_attention.execution import tensors

    return tensors


def _results(
    returned: Any, result: Callable[[Any], Result]
) -> tuple[tuple[Result, ...], str, tuple[str, ...], tuple[int, ...]]:
    """Return what was returned, its form, and its names and the tuples within it where it has any."""
    if any(returned is nothing for nothing in _NOTHING):
        return (), "nothing", (), ()
    if isinstance(returned, Mapping):
        return tuple(result(item) for item in returned.values()), "mapping", tuple(map(str, returned)), ()
    items, groups = items_of(returned)
    form = next((form.__name__ for form in (tuple, list) if isinstance(returned, form)), "single")
    return tuple(result(item) for item in items), form, (), groups


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with prints_caught(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with np.errstate(all="ignore"):
            yield
