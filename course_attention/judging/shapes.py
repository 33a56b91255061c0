"""What is wrong with a shape, in words: axes exchanged, missing, left over, not joined, or as long as another one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import prod
from typing import Any

import numpy as np

Shape = tuple[int, ...]
Fault = tuple[str, Shape]
"""A kind of slip, and the axes that it is about, counted from the end, since cases differ in their leading axes."""

_MOST_ORDERED = 5  # axes; in more of them, nobody makes out an order from the lengths


@dataclass(frozen=True)
class Misshapen:
    """A result whose shape is not the one asked for.

    Attributes:
        expected, received: the two shapes.
        inputs: argument name → its shape.
    """

    expected: Shape
    received: Shape
    inputs: Mapping[str, Shape]


def shapes_of(inputs: Mapping[str, Any]) -> dict[str, Shape]:
    """Return the shapes of those inputs of a case that are arrays."""
    return {name: value.shape for name, value in inputs.items() if isinstance(value, np.ndarray)}


def explained_shape(axes: str, seen: Sequence[Misshapen]) -> str:
    """Return what is wrong with a shape; "" where no single slip explains it in every case.

    Args:
        axes: the axes asked for as the docstring writes them, "..., n_queries, d_value"; "" where they have no names.
        seen: the cases in which the shape is wrong. The words give the lengths of the first.

    Example:
        >>> explained_shape("batch, d_hidden", [Misshapen((2, 4), (2, 3, 4), {"memory": (2, 3, 4)})])
        'There is an axis too many: it is 3 long, as axis −2 of `memory` is. Is a sum over it missing?'
    """
    if all(one.expected == () for one in seen):
        return "One number is asked for, and several came. Should they be summed or averaged, or is one of them meant?"
    known = [set(_slips(one.expected, one.received)) for one in seen]
    common = (fault for fault in _slips(seen[0].expected, seen[0].received) if all(fault in k for k in known))
    fault = next(common, None)
    return _sentence(fault, axes, seen) if fault else ""


def _slips(expected: Shape, received: Shape) -> Iterator[Fault]:
    """Yield what may lead from one shape to the other, the likeliest first."""
    n, m = len(expected), len(received)
    if n == m:
        if _grown(expected, received):
            yield "grown", ()  # which axis it is may differ from case to case
        moved = [_moved(order) for order in _orders(expected, received)]
        yield from (("exchanged", tuple(sorted(axes))) for axes in moved if len(axes) == 2)
        yield from (("reordered", axes) for axes in moved)
        differing = [i for i in range(n) if expected[i] != received[i]]
        if len(differing) == 1:
            yield "length", (differing[0] - n,)
    if m == n + 1:
        yield from (("extra", (i - m,)) for i in range(m) if _without(received, i) == expected)
        yield from (("apart", (k - n,)) for k, *_ in _joined(expected, received))
    if m == n - 1:
        yield from (("missing", (i - n,)) for i in range(n) if _without(expected, i) == received)
        yield from (("together", (i - n, j - n)) for _, i, j in _joined(received, expected))
    if m < n and received == expected[n - m :]:
        yield "leading", ()
    if m != n:
        yield "number", (m - n,)
    elif prod(expected) == prod(received):
        yield "regrouped", ()


def _grown(expected: Shape, received: Shape) -> Shape:
    """Return the axes that broadcasting made longer than 1, counted from the end; none where more differs."""
    differing = [i for i, length in enumerate(expected) if length != received[i]]
    only_grown = all(expected[i] == 1 < received[i] for i in differing)
    return tuple(i - len(expected) for i in differing) if only_grown else ()


def _orders(expected: Shape, received: Shape) -> Iterator[Shape]:
    """Yield the orders in which the axes asked for give the shape that came."""
    if sorted(expected) == sorted(received) and len(expected) <= _MOST_ORDERED:
        orders = permutations(range(len(expected)))
        yield from (order for order in orders if tuple(expected[i] for i in order) == received)


def _moved(order: Shape) -> Shape:
    """Return the axes that do not stand in their own places, counted from the end, in the order in which they came."""
    return tuple(i - len(order) for place, i in enumerate(order) if i != place)


def _joined(shape: Shape, longer: Shape) -> Iterator[tuple[int, int, int]]:
    """Axis k of a shape, and the axes i and j of the longer one which, made one, would be it."""
    for i, j in combinations(range(len(longer)), 2):
        for k, length in enumerate(shape):
            if length == longer[i] * longer[j] and _without(shape, k) == _without(longer, i, j):
                yield k, i, j


def _without(shape: Shape, *left_out: int) -> Shape:
    return tuple(length for i, length in enumerate(shape) if i not in left_out)


def _sentence(fault: Fault, axes: str, seen: Sequence[Misshapen]) -> str:
    kind, places = fault
    if kind == "regrouped":
        return (
            "All the numbers are there, but axes are joined, or cut, in another way than asked for. `torch.cat` joins "
            "along the first axis unless it is told another one."
        )
    if kind == "number":
        many = f"{abs(places[0])} {'axis' if abs(places[0]) == 1 else 'axes'}"
        return f"The result has {many} too {'many' if places[0] > 0 else 'few'}."
    if kind == "grown":
        place = _grown(seen[0].expected, seen[0].received)[0]
        return (
            f"An axis of length 1 has grown: {_name(axes, place)} is {seen[0].received[place]} long. A tensor of shape "
            "(n, 1) and one of shape (n,), which counts as a row, together give (n, n). Does a sum, a mean or a "
            "maximum need `keepdim=True`, or a tensor `[..., None]`?"
        )
    names = [_name(axes, place) for place in places]
    if kind == "exchanged":
        return f"Two axes are exchanged: {names[0]} and {names[1]}. Is a transpose missing, or is there one too many?"
    if kind == "reordered":
        return f"The axes have come in another order: {', '.join(names)}."
    if kind == "leading":
        lost = range(-len(seen[0].expected), -len(seen[0].received))
        which = ", ".join(_name(axes, place) for place in lost)
        return f"Axes in front are missing: {which}. An index such as `x[0]` takes the first axis away."
    if kind == "apart":
        return f"What should be one axis, {names[0]}, has come as two. They still have to be joined."
    if kind == "together":
        return f"What should be two axes, {names[0]} and {names[1]}, has come as one."
    place = places[0]
    if kind == "missing":
        if all(one.expected[place] == 1 for one in seen):
            return "The axis of length 1 is missing. `unsqueeze` and `[:, None]` make one."
        return f"One axis is missing: {names[0]}. A sum, a mean and an index such as `x[0]` take an axis away."
    if kind == "extra" and all(one.received[place] == 1 for one in seen):
        return "There is an axis of length 1 too many. `unsqueeze`, `[:, None]` and `keepdim=True` make one."
    if kind == "extra" and axes.startswith("batch") and _is_a_second_batch(place, seen):
        return (
            "There is an axis too many: it is as long as `batch`, which is there already, so every item of the batch "
            "has met every other one. A product `@` takes the last two axes of each side for its matrices, and a "
            "vector for each item, (batch, d), becomes such a matrix with `[:, None, :]` or `[:, :, None]`."
        )
    length, like = seen[0].received[place], _as_long(place, seen)
    as_long = f"it is {length} long" + (f", as {like} is" if like else "")
    if kind == "extra":
        return f"There is an axis too many: {as_long}. Is a sum over it missing?"
    cause = " Was a sum, or a part, taken along another axis than the one asked for?" if like else ""
    return f"One axis has the wrong length, {names[0]}: {as_long}, and not {seen[0].expected[place]}.{cause}"


def _is_a_second_batch(place: int, seen: Sequence[Misshapen]) -> bool:
    """Whether this axis is as long as the first in every case, and not 1 long in all of them."""
    lengths = [(one.received[place], one.expected[0]) for one in seen]
    return all(length == batch for length, batch in lengths) and any(batch > 1 for _, batch in lengths)


def _name(axes: str, place: int) -> str:
    """Return an axis by its name, or by its number where it has none, as leading axes and those of length 1 have."""
    names = axes.split(", ") if axes else []
    name = names[place] if -place <= len(names) else "..."
    return f"axis −{-place}" if name in ("...", "1") else f"`{name}`"


def _as_long(place: int, seen: Sequence[Misshapen]) -> str:
    """Return the axis of an input that is as long as this one in every case; "" where there is none."""
    first = seen[0]
    for name, shape in first.inputs.items():
        for axis in range(-1, -len(shape) - 1, -1):
            if all(one.inputs[name][axis:][:1] == (one.received[place],) for one in seen if name in one.inputs):
                return f"{'the last axis' if axis == -1 else f'axis −{-axis}'} of `{name}`"
    return ""
