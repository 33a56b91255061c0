"""What may lead from the shape that was asked for to the one that came."""

from collections.abc import Iterator
from itertools import combinations, permutations
from math import prod

Shape = tuple[int, ...]
Slip = tuple[str, Shape]
"""A kind of slip, and the axes that it is about, counted from the end, since cases differ in their leading axes."""

_MOST_ORDERED = 5  # axes; in more of them, nobody makes out an order from the lengths


def slips(expected: Shape, received: Shape) -> Iterator[Slip]:
    """Yield what may lead from one shape to the other, the likeliest first."""
    n, m = len(expected), len(received)
    if n == m:
        if grown(expected, received):
            yield "grown", ()  # which axis it is may differ from case to case
        moved = [_moved(order) for order in _orders(expected, received)]
        yield from (("exchanged", tuple(sorted(axes))) for axes in moved if len(axes) == 2)
        yield from (("reordered", axes) for axes in moved)
        if moved:
            yield "moved", ()  # which axes have moved may differ from case to case
        differing = [i for i in range(n) if expected[i] != received[i]]
        if len(differing) == 1:
            yield "length", (differing[0] - n,)
    if m == n + 1:
        yield from (("extra", (i - m,)) for i in range(m) if _without(received, i) == expected)
        yield from (("apart", (k - n,)) for k, *_ in _joined(expected, received))
    if m < n and _without_ones(expected) == _without_ones(received) == received:
        yield "squeezed", ()
    if m == n - 1:
        yield from (("missing", (i - n,)) for i in range(n) if _without(expected, i) == received)
        yield from (("together", (i - n, j - n)) for _, i, j in _joined(received, expected))
    if m < n and received == expected[n - m :]:
        yield "leading", ()
    if m != n:
        yield "number", (m - n,)
    if prod(expected) == prod(received):
        yield "regrouped", ()


def grown(expected: Shape, received: Shape) -> Shape:
    """Return the axes that broadcasting made longer than 1, counted from the end; none where more differs."""
    differing = [i for i, length in enumerate(expected) if length != received[i]]
    only_grown = all(expected[i] == 1 < received[i] for i in differing)
    return tuple(i - len(expected) for i in differing) if only_grown else ()


def _without_ones(shape: Shape) -> Shape:
    return tuple(length for length in shape if length != 1)


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
