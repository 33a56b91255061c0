"""Which of the right numbers came, and where, in words: another order, rows all alike, a part that is right."""

from collections.abc import Sequence

import numpy as np

from course_attention.judging.seen_numbers import ENOUGH, SeenNumbers, agree, count, named_axes, same

_WHAT_DIFFERS = "What is different there?"


def reordered(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say that the right numbers came in other places."""
    if _square(seen) and agree(seen, (one.expected.swapaxes(-1, -2) for one in seen)):
        return "They are the right numbers, with rows and columns exchanged."
    for axis, name in named_axes(axes, seen):
        if agree(seen, (np.flip(one.expected, axis) for one in seen)):
            return f"They are the right numbers, back to front along {name}."
        for by, way in ((1, "after"), (-1, "before")):
            if agree(seen, (np.roll(one.expected, by, axis) for one in seen)):
                return f"They are the right numbers, moved along {name}: each is one place {way} its own."
        if count(seen) >= ENOUGH and all(_rolled(one, axis) for one in seen):
            return f"They are the right numbers, moved along {name}, all by the same number of places."
    if count(seen) >= ENOUGH and all(map(_same_when_sorted, seen)):
        return (
            "They are the right numbers, in other places. In which order do they have to come? `reshape` and `view` "
            "cut a row of numbers anew and exchange no axes; a transpose does exchange them."
        )
    return ""


def _rolled(one: SeenNumbers, axis: int) -> bool:
    return any(same(one.received, np.roll(one.expected, by, axis)) for by in range(1, one.expected.shape[axis]))


def _same_when_sorted(one: SeenNumbers) -> bool:
    return same(np.sort(one.received, axis=None), np.sort(one.expected, axis=None))


def alike(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say that all numbers along an axis are the same, and which."""
    for axis, name in named_axes(axes, seen):
        varied = [one for one in seen if one.expected.shape[axis] > 1]
        if not varied or not agree(varied, (_spread(one.received, axis) for one in varied)):
            continue
        said = f"Along {name} all numbers are the same, and the right ones are not."
        for which, place in (("first", 0), ("last", -1)):
            if all(same(one.received, _spread(one.expected, axis, place)) for one in varied):
                return f"{said} They are those of the {which} one."
        means = [np.broadcast_to(one.expected.mean(axis, keepdims=True), one.expected.shape) for one in varied]
        if agree(varied, means):
            return f"{said} They are the mean of the right ones."
        return f"{said} Which input should make them differ?"
    return ""


def _spread(array: np.ndarray, axis: int, place: int = 0) -> np.ndarray:
    """Return an array in which what is at one place of an axis is at all of them."""
    return np.broadcast_to(np.take(array, [place], axis), array.shape)


def accumulated(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say that the right numbers are added up along an axis."""
    for axis, name in named_axes(axes, seen):
        if agree(seen, (one.expected.cumsum(axis) for one in seen)):
            return f"Every number is a sum: of the right one, and of all before it along {name}."
    return ""


def on_one_side(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say on which side of the diagonal all that is wrong lies, where every result is square."""
    return _SIDES.get(_where_in_square(seen), "")


def in_square(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say that the diagonal is right, or what came symmetric, where every result is square."""
    where = _where_in_square(seen)
    if not where:
        return ""
    if where == (True, False, True):
        return "On the diagonal all numbers are right, and on both sides of it some are wrong."
    symmetric = agree(seen, (one.received.swapaxes(-1, -2) for one in seen))
    if symmetric and not any(same(one.expected, one.expected.swapaxes(-1, -2)) for one in seen):
        return "What came is the same for (i, j) and for (j, i), and the right numbers are not."
    return ""


_SIDES: dict[tuple[bool, ...], str] = {
    (True, False, False): "All wrong numbers are left of the diagonal. On it, and right of it, all are right.",
    (False, False, True): "All wrong numbers are right of the diagonal. On it, and left of it, all are right.",
    (False, True, False): "All wrong numbers are on the diagonal: they belong to a token and itself.",
}


def _where_in_square(seen: Sequence[SeenNumbers]) -> tuple[bool, ...]:
    """Return whether numbers are wrong left of the diagonal, on it, and right of it; () where cases differ in this."""
    if not _square(seen) or max(one.expected.shape[-1] for one in seen) < ENOUGH:
        return ()
    wrong = {_wrong_parts(one) for one in seen}
    return wrong.pop() if len(wrong) == 1 else (True, True, True)


def _wrong_parts(one: SeenNumbers) -> tuple[bool, ...]:
    wrong = np.abs(one.received - one.expected) > 1e-3 * np.abs(one.expected).max()
    parts = np.tril(wrong, -1), np.triu(np.tril(wrong)), np.triu(wrong, 1)
    return tuple(bool(part.any()) for part in parts)


def _square(seen: Sequence[SeenNumbers]) -> bool:
    return all(one.expected.ndim > 1 and one.expected.shape[-1] == one.expected.shape[-2] for one in seen)


def in_part(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say how far along an axis the numbers are right."""
    for axis, name in named_axes(axes, seen):
        right = [_right_along(one, axis) for one in seen if one.expected.shape[axis] > 1]
        if not right or any(map(all, right)):
            continue  # too near to be told apart here
        ends = (("first", right), ("last", [list(reversed(row)) for row in right]))
        for end, rows in ends:
            if any(len(row) > 2 for row in rows) and all(not row[0] and all(row[1:]) for row in rows):
                return f"Along {name} the {end} alone is wrong. {_WHAT_DIFFERS}"
        for end, rows in ends:
            until = {row.index(False) for row in rows}
            if len(until) == 1 and not any(any(row[min(until) :]) for row in rows) and (many := until.pop()):
                which = f"{end} is right" if many == 1 else f"{end} {many} are right"
                return f"Along {name} the {which}, and no other is. {_WHAT_DIFFERS}"
    return ""


def _right_along(one: SeenNumbers, axis: int) -> list[bool]:
    """Return, for each place of an axis, whether what is there is right."""
    places = range(one.expected.shape[axis])
    return [same(np.take(one.received, i, axis), np.take(one.expected, i, axis)) for i in places]


def zeros(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say that something came for 0, or 0 for something, and all else is right."""
    if count(seen) < ENOUGH:
        return ""
    if all(_right_where(one, one.expected != 0) for one in seen):
        return "Where the right number is not 0, it came. Where 0 should come, something else does."
    if all(_right_where(one, one.received != 0) for one in seen):
        return "What came is the right number or 0. Where it is 0, something is missing."
    return ""


def too_open(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say that a mask allows too much, and blocks nothing that should be allowed; or the other way round."""
    if all((one.received >= one.expected).all() for one in seen):
        return "What should be allowed is allowed, and so is some of what should be blocked."
    if all((one.received <= one.expected).all() for one in seen):
        return "What should be blocked is blocked, and so is some of what should be allowed."
    return ""


def _right_where(one: SeenNumbers, there: np.ndarray) -> bool:
    return bool(there.any()) and same(one.received[there], one.expected[there])
