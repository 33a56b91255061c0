"""Calls an answer to a task with copies of a trial's arguments, and reports what came."""

import contextlib
import copy
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from course_attention.execution.prints import prints_caught
from course_attention.execution.protocol import Raised
from course_attention.execution.raised import raised_by
from course_attention.practice.authoring import Trial
from course_attention.practice.leaves import differences


@dataclass(frozen=True)
class Came:
    """What came of a call.

    Attributes:
        result: what was returned, or what the trial's `run` made of it; None where the answer raised.
        error: what was raised, or None.
        changed: the names of the arguments that the answer changed, and was not asked to.
    """

    result: Any = None
    error: Raised | None = None
    changed: tuple[str, ...] = ()


def call(answer: Callable[..., Any], trial: Trial, device: str) -> Came:
    """Call an answer with fresh arguments on a device. Nothing that it raises gets out, but for an interrupt.

    The random numbers that it draws are the same at every call, so that two computations can be compared.
    """
    arguments = on_device(copy.deepcopy(dict(trial.arguments)), device)
    _seed()
    with _quiet():
        try:
            result = answer(*arguments.values()) if trial.run is None else trial.run(answer, **arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - sys.exit and the like are an answer's doing too
            return Came(error=raised_by(answer, error))
        changed = (
            name
            for name, value in arguments.items()
            if name not in trial.changes and differences(_content(trial.arguments[name]), _content(value))
        )
        return Came(result, changed=tuple(changed))


def _seed() -> None:
    """Draw random numbers from their beginning. `torch.manual_seed` writes down for each idle device who called it."""
    torch.default_generator.manual_seed(0)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(0)


def on_device(value: Any, device: str) -> Any:
    """Return a value with the tensors and modules in it on a device."""
    if isinstance(value, (Tensor, nn.Module)):
        return value.to(device)
    if isinstance(value, Mapping):
        return {name: on_device(item, device) for name, item in value.items()}
    if type(value) in (tuple, list):
        return type(value)(on_device(item, device) for item in value)
    return value


def _content(value: Any) -> Any:
    """Return what can be compared of an argument: of a module its weights, of an object of another class nothing."""
    if isinstance(value, nn.Module):
        return dict(value.state_dict())
    if isinstance(value, Mapping):
        return {name: _content(item) for name, item in value.items()}
    if type(value) in (tuple, list):
        return [_content(item) for item in value]
    return value if isinstance(value, (Tensor, np.ndarray, int, float, str)) else None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with prints_caught(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
