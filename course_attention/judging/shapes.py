"""What is wrong with a shape, in words: axes exchanged, missing, left over, not joined, or as long as another one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from course_attention.judging.shape_slips import Shape, Slip, grown, slips


@dataclass(frozen=True)
class Misshapen:
    """A result whose shape is not the one asked for.

    Attributes:
        expected, received: the two shapes.
        inputs: argument name → its shape.
        sizes: argument name → the whole number that it is.
    """

    expected: Shape
    received: Shape
    inputs: Mapping[str, Shape]
    sizes: Mapping[str, int] = field(default_factory=dict)


def shapes_of(inputs: Mapping[str, Any]) -> dict[str, Shape]:
    """Return the shapes of those inputs of a case that are arrays.

    What a model is going to write is shown beside the inputs, under words and not under a name. The answer is not
    handed that, and its shape explains nothing.
    """
    return {name: value.shape for name, value in inputs.items() if isinstance(value, np.ndarray) and " " not in name}


def sizes_of(inputs: Mapping[str, Any]) -> dict[str, int]:
    """Return those inputs of a case that are whole numbers."""
    return {name: value for name, value in inputs.items() if isinstance(value, int) and not isinstance(value, bool)}


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
        if all(prod(one.received) == 1 for one in seen):
            return (
                "The one number that is asked for has come in an axis of length 1. A mean along one axis of two, "
                "`keepdim=True` and `[None]` leave such an axis. A mean over everything leaves none."
            )
        return "One number is asked for, and several came. Should they be summed or averaged, or is one of them meant?"
    known = [set(slips(one.expected, one.received)) for one in seen]
    common = (slip for slip in slips(seen[0].expected, seen[0].received) if all(slip in k for k in known))
    slip = next(common, None)
    return _sentence(slip, axes, seen) if slip else ""


def _sentence(slip: Slip, axes: str, seen: Sequence[Misshapen]) -> str:
    kind, places = slip
    if kind == "regrouped":
        return (
            "All the numbers are there, but axes are joined, or cut, in another way than asked for. `torch.cat` joins "
            "along the first axis unless it is told another one, and `flatten(1)` joins all axes from axis 1 on."
        )
    if kind == "number":
        many = f"{abs(places[0])} {'axis' if abs(places[0]) == 1 else 'axes'}"
        stacked = (
            " `torch.stack` makes a new axis; `torch.cat` joins along one that is there." if places[0] == 1 else ""
        )
        return f"The result has {many} too {'many' if places[0] > 0 else 'few'}.{stacked}"
    if kind == "grown":
        place = grown(seen[0].expected, seen[0].received)[0]
        like = _as_long(place, seen[:1])
        said = (
            f"An axis of length 1 has grown: {axis_name(axes, place)} is {seen[0].received[place]} long"
            f"{f', as {like} is' if like else ''}. Broadcasting does that where something longer is added to it, or "
            "multiplied with it."
        )
        whole = _of_whole_shape(seen)
        if whole:
            return f"{said} `{whole}` has just this shape. Is it added, or multiplied, where nothing asks for it?"
        if not all(map(_grown_to_another, seen)):
            return said
        return (
            f"{said} A tensor of shape (n, 1) and one of shape (n,), which counts as a row, together give (n, n). "
            "Does a sum, a mean or a maximum need `keepdim=True`, or a tensor `[..., None]`?"
        )
    if kind == "squeezed":
        ones = [i - len(seen[0].expected) for i, length in enumerate(seen[0].expected) if length == 1]
        return _missing_one(", ".join(axis_name(axes, place) for place in ones))
    names = [axis_name(axes, place) for place in places]
    if kind == "exchanged":
        return f"Two axes are exchanged: {names[0]} and {names[1]}. Is a transpose missing, or is there one too many?"
    if kind == "reordered":
        return f"The axes have come in another order: {', '.join(names)}."
    if kind == "moved":
        return (
            "Each axis is as long as asked for, but they have come in another order. An axis that is moved to another "
            "place, by `moveaxis` or a transpose, has to be moved back in the end."
        )
    if kind == "leading":
        lost = range(-len(seen[0].expected), -len(seen[0].received))
        which = ", ".join(axis_name(axes, place) for place in lost)
        return (
            f"Axes in front are missing: {which}. An index such as `x[0]` takes the first axis away. So does a sum "
            "over it, and `einsum` sums over all letters, and over the `...`, that are missing on its right side."
            f"{_column_needed(seen)}"
        )
    if kind == "apart":
        return f"What should be one axis, {names[0]}, has come as two. They still have to be joined."
    if kind == "together":
        return f"What should be two axes, {names[0]} and {names[1]}, has come as one."
    place = places[0]
    if kind == "missing":
        if all(one.expected[place] == 1 for one in seen):
            return _missing_one(names[0])
        return (
            f"One axis is missing: {names[0]}. A sum, a mean and an index such as `x[0]` take an axis away."
            f"{_column_needed(seen)}"
        )
    if kind == "extra" and all(one.received[place] == 1 for one in seen):
        return "There is an axis of length 1 too many. `unsqueeze`, `[:, None]` and `keepdim=True` make one."
    if kind == "extra" and axes.startswith("batch") and _is_a_second_batch(place, seen):
        return (
            "There is an axis too many: it is as long as `batch`, which is there already, so every item of the batch "
            "has met every other one. A product `@` takes the last two axes of each side for its matrices, and a "
            "vector for each item, (batch, d), becomes such a matrix with `[:, None, :]` or `[:, :, None]`."
        )
    length, like = seen[0].received[place], _as_long(place, seen)
    size = next((name for name in seen[0].sizes if all(one.sizes.get(name) == one.received[place] for one in seen)), "")
    as_long = f"it is {length} long" + (f", as {like} is" if like else f", which is `{size}`" if size else "")
    if kind == "extra":
        return f"There is an axis too many: {as_long}. Is a sum over it missing?"
    return (
        f"One axis has the wrong length, {names[0]}: {as_long}, and not {seen[0].expected[place]}."
        f"{_why_that_long(place, names[0], bool(like), seen)}"
    )


def _column_needed(seen: Sequence[Misshapen]) -> str:
    """Return how a table comes of two vectors, where a vector came and no input is more."""
    if any(len(one.received) > 1 or len(shape) > 1 for one in seen for shape in ((), *one.inputs.values())):
        return ""
    return (
        " Two vectors that are compared, or added, entry by entry give a vector again. For a table of all pairs, one "
        "of them has to be a column, `[:, None]`."
    )


def _why_that_long(place: int, name: str, like_an_input: bool, seen: Sequence[Misshapen]) -> str:
    """Return what may have led to an axis of the wrong length; "" where nothing is likely."""
    if "·" in name and all(one.expected[place] % max(one.received[place], 1) == 0 for one in seen):
        return " Several parts should stand side by side there. Is one left out, or are they added up?"
    if len(seen) > 1 and all(one.received[place] == 1 for one in seen):
        return (
            " A sum, a mean or a maximum with `keepdim=True` leaves an axis of length 1, and so does a slice `x[:1]`."
        )
    longer = {one.received[place] - one.expected[place] for one in seen}
    if longer == {1}:
        return " It is one longer than asked for in every case: is something put in front, or behind?"
    if longer == {-1}:
        return " It is one shorter than asked for in every case: is the first, or the last, left out?"
    if not like_an_input:
        both = _sum_of_two(place, seen)
        return f" That is as long as {both} together. Is joined what should be kept apart?" if both else ""
    asked = " Was a sum, or a part, taken along another axis than the one asked for, or not taken at all?"
    whole = _of_whole_shape(seen)
    if not whole:
        return asked
    return f"{asked} Since it has the whole shape of `{whole}`: is there a `*`, which works entry by entry, for a `@`?"


def _sum_of_two(place: int, seen: Sequence[Misshapen]) -> str:
    """Return the two axes of inputs that are together as long as this one in every case; "" where there are none."""
    axes = [(name, axis) for name, shape in seen[0].inputs.items() for axis in range(-1, -len(shape) - 1, -1)]
    for a, b in combinations(axes, 2):
        lengths = [[one.inputs.get(name, ())[axis:][:1] for name, axis in (a, b)] for one in seen]
        if len(seen) > 1 and all(
            sum(map(sum, pair)) == one.received[place] for pair, one in zip(lengths, seen, strict=True)
        ):
            return " and ".join(_axis_of(name, axis) for name, axis in (a, b))
    return ""


def _missing_one(which: str) -> str:
    return (
        f"An axis that is 1 long is missing: {which}. `squeeze()` takes away every axis that happens to be 1 long, and "
        "`squeeze(dim)` that one alone. A sum, a mean and an index such as `x[0]` take an axis away as well. "
        "`[:, None]` and `unsqueeze` put one back."
    )


def _grown_to_another(one: Misshapen) -> bool:
    """Whether the axes of length 1 are now as long as another axis that is asked for."""
    return all(one.received[place] in one.expected for place in grown(one.expected, one.received))


def _of_whole_shape(seen: Sequence[Misshapen]) -> str:
    """Return the input whose whole shape the result has in every case; "" where there is none."""
    return next((name for name in seen[0].inputs if all(one.inputs.get(name) == one.received for one in seen)), "")


def _is_a_second_batch(place: int, seen: Sequence[Misshapen]) -> bool:
    """Whether this axis is as long as the first in every case, and not 1 long in all of them."""
    lengths = [(one.received[place], one.expected[0]) for one in seen]
    return all(length == batch for length, batch in lengths) and any(batch > 1 for _, batch in lengths)


def axis_name(axes: str, place: int) -> str:
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
                return _axis_of(name, axis)
    return ""


def _axis_of(name: str, axis: int) -> str:
    return f"{'the last axis' if axis == -1 else f'axis −{-axis}'} of `{name}`"
