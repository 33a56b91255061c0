"""Refuses operators of torch while an answer is judged, by whatever name they are reached.

Torch has many names for one operator: `torch.softmax`, `torch.Tensor.softmax`, `torch._C._VariableFunctions.softmax`,
TorchScript. All of them pass the same two places in torch, and there one is told the operator's own name.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Iterator
from typing import Any

from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from course_attention.execution.started_threads import started_within

Refuse = Callable[[str], object]


class _Called(TorchFunctionMode):
    """Sees the functions of torch that Python calls."""

    def __init__(self, operators: Container[str], refuse: Refuse) -> None:
        super().__init__()
        self._operators, self._refuse = operators, refuse

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        name = getattr(function, "__name__", "").partition(".")[0]  # of aten's softmax.int, say
        if name in self._operators:
            self._refuse(name)
        return function(*args, **(kwargs or {}))


class _Dispatched(TorchDispatchMode):
    """Sees the operators that these functions, and TorchScript, are made of."""

    def __init__(self, operators: Container[str], refuse: Refuse) -> None:
        super().__init__()
        self._operators, self._refuse = operators, refuse

    def __torch_dispatch__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        name = function.name().removeprefix("aten::").partition(".")[0]
        if name in self._operators:
            self._refuse(name)
        return function(*args, **(kwargs or {}))


@contextlib.contextmanager
def refusing(operators: Container[str], refuse: Refuse, deep: bool = True) -> Iterator[None]:
    """Call `refuse` with an operator's name before it runs, within this block and in this thread.

    Args:
        operators: their names, as in "softmax".
        refuse: what is called.
        deep: see those in TorchScript too. That takes an answer on tensors twice its own time; without it, a tenth.

    Example:
        >>> import torch
        >>> seen = []
        >>> with refusing({"softmax"}, seen.append):
        ...     _ = torch._C.TensorBase.softmax(torch.ones(2), 0)
        >>> seen
        ['softmax']
    """
    below = _Dispatched(operators, refuse) if deep else contextlib.nullcontext()
    with _Called(operators, refuse), below:
        yield


@contextlib.contextmanager
def refusing_in_threads(operators: Container[str], refuse: Refuse) -> Iterator[None]:
    """Do the same in each thread that starts within this block, for as long as that thread runs.

    A thread may wait for work, and get it while an answer is judged.
    """
    with started_within(lambda: refusing(operators, refuse)):
        yield
