"""Moves the axes of an exercise's arrays to where somebody else's code has them, and back.

The course has its leading axes first: (..., n_tokens, d_model). Other code has a batch axis, and often one for the
heads, and it may have them elsewhere: (batch, n, heads, d), (n, batch, d).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, get_args

from torch import Tensor

_LEADING = ("batch", "heads")
_HEADS = ("n_heads", "n_groups")
OURS = "... n d"


@dataclass(frozen=True)
class Axes:
    """Where somebody's code has the axes of its tokens, such as its queries: (..., n, d) in the course.

    What has a number for each token, (..., n), has the same axes without d. A mask, scores and weights have the
    leading axes first and the two axes of the tokens last, as everywhere.

    Args:
        layout: "... n d", or the axes in their order, such as "batch heads n d", "batch n heads d" or "n batch d":
            "n" and "d" and "batch", and "heads" where there are any.

    Raises:
        ValueError: the layout is none of these.
    """

    layout: str = OURS

    def __post_init__(self) -> None:
        names = set(self._order)
        if self.layout != OURS and not (len(names) == len(self._order) and {"batch", "n", "d"} <= names <= _ALL):
            raise ValueError(
                f"layout should be '{OURS}', or each of batch, n, d and maybe heads, once, in the order of the axes, "
                f"such as 'batch n heads d'; got {self.layout!r}"
            )

    @property
    def _order(self) -> tuple[str, ...]:
        return tuple(self.layout.split())

    def there(self, array: Tensor, names: Sequence[str], several: tuple[int, ...]) -> Tensor:
        """Return an array of the course with its axes where the code has them.

        Args:
            array: the array.
            names: its axes, as in its annotation; the first is "..." for any number of leading axes.
            several: the sizes of the leading axes of the case, without an axis of heads that has a name.
        """
        if self.layout == OURS or not names or names[0] != "...":
            return array
        rest = array.shape[array.ndim - len(names) + 1 :]
        own = array.shape[: array.ndim - len(rest)]
        own = (1,) * (len(several) - len(own)) + tuple(own)  # a mask may have fewer, and broadcasts from the right
        length = self._n_leading(names)
        if len(own) > length:
            array = array.expand(*several, *rest)
            own = (prod(several[: len(own) - length + 1]), *several[len(own) - length + 1 :])
        # Our tensor may be contiguous: so is theirs then, in the order that it has there.
        contiguous = array.is_contiguous()
        array = array.reshape(*own, *(1,) * (length - len(own)), *rest)
        order = self._moved(names)
        moved = array.permute(order) if order != sorted(order) else array
        return moved.contiguous() if contiguous else moved

    def back(self, array: Tensor, names: Sequence[str], several: tuple[int, ...]) -> Tensor:
        """Return a result of the code with its axes where the course has them; as it is where its shape is another."""
        if self.layout == OURS or not names or names[0] != "...":
            return array
        order = self._moved(names)
        if array.ndim != len(order):
            return array
        array = array.permute([order.index(axis) for axis in range(len(order))])
        leading, rest = array.shape[: self._n_leading(names)], array.shape[self._n_leading(names) :]
        return array.reshape(*several, *rest) if prod(leading) == prod(several) else array

    def _n_leading(self, names: Sequence[str]) -> int:
        """How many leading axes the code has where the course has any number of them."""
        leading = [name for name in _LEADING if name in self._order]
        return len(leading) - ("heads" in leading and names[1:2] != () and names[1] in _HEADS)

    def _moved(self, names: Sequence[str]) -> list[int]:
        """For each axis of the code's array, which axis of ours it is, once ours has the code's leading axes first."""
        leading = [name for name in _LEADING if name in self._order]
        last = list(names[1:])
        if "heads" in leading and last and last[0] in _HEADS:
            last = last[1:]
        tokens = ["d" if "d_" in name else name.lstrip("#")[0] for name in last]
        ours = [*leading, *tokens]
        if tokens not in (["n", "d"], ["n"]):
            return list(range(self._n_leading(names) + len(names) - 1))
        return [ours.index(axis) for axis in self._order if axis in ours]


_ALL = {*_LEADING, "n", "d"}


def argument_axes(function: Any) -> dict[str, list[tuple[str, ...]]]:
    """Return the axes of each argument of a helper: for each array in it, their names, as its annotation has them.

    Example:
        >>> from course_attention.mechanisms.attention import attention
        >>> argument_axes(attention)["allowed"]
        [('...', '#n_queries', '#n_keys')]
    """
    return {name: _axes(hint) for name, hint in function.__annotations__.items() if name != "return"}


def _axes(hint: Any) -> list[tuple[str, ...]]:
    """Return the axes of each array in an annotation: of one, of each in a tuple, of one that may be None."""
    if hasattr(hint, "dim_str"):
        return [tuple(hint.dim_str.split())]
    return [axes for part in get_args(hint) for axes in _axes(part)]
