"""Refuses operators of torch while an answer is judged, by whatever name they are reached.

Torch has many names for one operator: `torch.softmax`, `torch.Tensor.softmax`, `torch._C._VariableFunctions.softmax`,
TorchScript. All of them pass the same two places in torch, and there one is told the operator's own name.
"""

from __future__ import annotations

import _thread
import contextlib
import threading
from collections.abc import Callable, Collection, Iterator
from typing import Any

from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

Refuse = Callable[[str], object]


class _Called(TorchFunctionMode):
    """Sees the functions of torch that Python calls."""

    def __init__(self, operators: Collection[str], refuse: Refuse) -> None:
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

    def __init__(self, operators: Collection[str], refuse: Refuse) -> None:
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
def refusing(operators: Collection[str], refuse: Refuse, deep: bool = True) -> Iterator[None]:
    """Call `refuse` with an operator's name before it runs, within this block and in threads that start in it.

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
    if not operators:
        yield
        return

    @contextlib.contextmanager
    def modes() -> Iterator[None]:
        below = _Dispatched(operators, refuse) if deep else contextlib.nullcontext()
        with _Called(operators, refuse), below:
            yield

    def started(start: Callable[..., Any]) -> Callable[..., Any]:
        def start_watched(function: Callable[..., Any], *rest: Any, **options: Any) -> Any:
            def watched(*args: Any, **kwargs: Any) -> Any:
                with modes():
                    return function(*args, **kwargs)

            return start(watched, *rest, **options)

        return start_watched

    with contextlib.ExitStack() as undone:
        for module, name in (
            (_thread, "start_new_thread"),
            (threading, "_start_new_thread"),
            (threading, "_start_joinable_thread"),
        ):
            if (
                start := getattr(module, name, None)
            ) is not None:  # which there is depends on Python's version
                undone.callback(setattr, module, name, start)
                setattr(module, name, started(start))
        with modes():
            yield
