"""Finds the largest tensor that a piece of code makes: an answer that must never make an n × n matrix is held to it."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from traceback import walk_stack
from typing import Any

from torch import Tensor
from torch.utils._pytree import tree_leaves

from course_attention.execution.operator_mode import OperatorMode
from course_attention.execution.started_threads import started_within


class LargestTensor(OperatorMode):
    """Within it, and in threads that start there, every operation of torch is looked at.

    A view makes nothing new. What is written into a tensor that was there before counts as what is made.

    Args:
        whole: another one, which is told what this one finds; unless given, it is itself.

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

    def __init__(self, whole: LargestTensor | None = None) -> None:
        super().__init__()
        self.numbers = 0
        self.made_in: tuple[tuple[str, int], ...] = ()
        self._whole = whole or self
        self._threads: AbstractContextManager[None] | None = None

    def __enter__(self) -> LargestTensor:
        if self._whole is self:
            self._threads = started_within(lambda: LargestTensor(self))
            self._threads.__enter__()
        super().__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        if self._threads is not None:
            self._threads.__exit__(None, None, None)

    def __torch_dispatch__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        made = function(*args, **(kwargs or {}))
        known = {_storage(t) for t in tree_leaves((args, kwargs)) if isinstance(t, Tensor)}
        writes = function._schema.is_mutable
        for tensor in tree_leaves(made):
            if isinstance(tensor, Tensor):
                new = _storage(tensor) not in known
                held = tensor.untyped_storage().nbytes() // tensor.element_size() if new else 0
                self._whole.see(max(held, tensor.numel() if writes else 0))
        return made

    def see(self, numbers: int) -> None:
        """Take note of a tensor of so many numbers, which has just been made."""
        if numbers > self.numbers:
            self.numbers = numbers
            self.made_in = tuple((f.f_code.co_filename, n) for f, n in walk_stack(sys._getframe()))


def _storage(tensor: Tensor) -> int:
    return tensor.untyped_storage().data_ptr()
