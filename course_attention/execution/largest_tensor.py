"""Finds the largest tensor that a piece of code makes: an answer that must never make an n × n matrix is held to it."""

from __future__ import annotations

import sys
from traceback import walk_stack
from typing import Any

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class LargestTensor(TorchDispatchMode):
    """Within it, every operation of torch is looked at; views and what is written in place make nothing new.

    Attributes:
        numbers: how many numbers the largest tensor so far holds.
        made_in: file and line of each call that was under way when it was made, the innermost first.

    Example:
        >>> import torch
        >>> with LargestTensor() as largest:
        ...     _ = torch.ones(2, 3).expand(5, 2, 3).sum()
        >>> largest.numbers
        6
    """

    def __init__(self) -> None:
        super().__init__()
        self.numbers = 0
        self.made_in: tuple[tuple[str, int], ...] = ()

    def __torch_dispatch__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        made = function(*args, **(kwargs or {}))
        known = {_storage(t) for t in tree_leaves((args, kwargs)) if isinstance(t, Tensor)}
        for tensor in tree_leaves(made):
            if isinstance(tensor, Tensor) and _storage(tensor) not in known:
                numbers = tensor.untyped_storage().nbytes() // tensor.element_size()
                if numbers > self.numbers:
                    self.numbers = numbers
                    self.made_in = tuple((f.f_code.co_filename, n) for f, n in walk_stack(sys._getframe()))
        return made


def _storage(tensor: Tensor) -> int:
    return tensor.untyped_storage().data_ptr()
