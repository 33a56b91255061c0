"""The mode that sees each operator that torch runs, also where no function is called from Python, as in TorchScript."""

from collections.abc import Callable
from typing import Any

from course_attention.execution.operator_mode import OperatorMode
from course_attention.execution.simulated_cuda.memory import came_of_cuda, on_cuda
from course_attention.execution.simulated_cuda.rules import tensors_in


class Dispatched(OperatorMode):
    """Marks what an operator makes of a tensor on the GPU. It checks nothing: `Simulation` checks the functions."""

    def __torch_dispatch__(
        self,
        function: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        result = function(*args, **kwargs)
        if any(map(on_cuda, tensors_in((*args, *kwargs.values())))):
            for tensor in tensors_in((result,)):
                came_of_cuda(tensor)
        return result
