"""Two misconceptions at once: the computation that makes both mistakes, where it can be put together."""

from functools import lru_cache, partial

from course_attention.judging.exercise import Variant


@lru_cache(maxsize=100_000)  # one object for each pair: what a pair computes is remembered with the case
def composed(first: Variant, second: Variant) -> Variant | None:
    """Both mistakes in one computation; None where they change the same part, or their parts are not known.

    Args:
        first, second: variants. Those that are `partial(compute, part=wrong)` of the same computation can be joined.

    Example:
        >>> def scaled(x, factor=1, shift=0): return factor * x + shift
        >>> composed(partial(scaled, factor=2), partial(scaled, shift=1))(3)
        7
    """
    if not (isinstance(first, partial) and isinstance(second, partial)):
        return None
    if first.func is not second.func or first.args or second.args:
        return None
    parts = {**first.keywords, **second.keywords}
    for shared in first.keywords.keys() & second.keywords.keys():
        both = composed(first.keywords[shared], second.keywords[shared])
        if both is None:
            return None
        parts[shared] = both
    return partial(first.func, **parts)
