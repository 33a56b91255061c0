"""Ways to get the mixing matrix of a convolution wrong. Each takes a kernel and a number of tokens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

Mixing = Callable[[np.ndarray, int], np.ndarray]


def _filled(
    kernel: np.ndarray,
    n_tokens: int,
    column: Callable[[int, int, int, int], int | None],
    add: bool = False,
) -> np.ndarray:
    """A matrix with kernel[t] in row i and column(i, t, size, n_tokens); None is left out.

    Two that meet are added, or the later one stays.
    """
    mixing = np.zeros((n_tokens, n_tokens))
    for i in range(n_tokens):
        for t, weight in enumerate(kernel):
            j = column(i, t, len(kernel), n_tokens)
            if j is not None:
                mixing[i, j] = weight + (mixing[i, j] if add else 0.0)
    return mixing


def _kept(j: int, n_tokens: int) -> int | None:
    return j if 0 <= j < n_tokens else None


def _shifted(shift: Callable[[int], int]) -> Mixing:
    """The window begins at i − shift(size)."""
    return partial(_filled, column=lambda i, t, size, n: _kept(i + t - shift(size), n))


def _circular(i: int, t: int, size: int, n_tokens: int) -> int:
    return (i + t - size // 2) % n_tokens


def _wraps_on_the_left(i: int, t: int, size: int, n_tokens: int) -> int | None:
    # A negative index counts from the end; one that is too far below raises.
    return j if (j := i + t - size // 2) < n_tokens else None


def _wraps_if_it_can(i: int, t: int, size: int, n_tokens: int) -> int | None:
    return j if -n_tokens <= (j := i + t - size // 2) < n_tokens else None


def _clamped(i: int, t: int, size: int, n_tokens: int) -> int:
    return min(max(i + t - size // 2, 0), n_tokens - 1)


def _right(kernel: np.ndarray, n_tokens: int) -> np.ndarray:
    return _shifted(lambda size: size // 2)(kernel, n_tokens)


def _normalised(kernel: np.ndarray, n_tokens: int) -> np.ndarray:
    mixing = _right(kernel, n_tokens)
    return mixing / mixing.sum(axis=-1, keepdims=True)


def _whole_windows(kernel: np.ndarray, n_tokens: int) -> np.ndarray:
    edge = len(kernel) // 2
    return _right(kernel, n_tokens)[edge : n_tokens - edge]


def _whole_windows_at(first_row: Callable[[int], int]) -> Mixing:
    """Rows for whole windows, from this one on; the others stay 0."""

    def mix(kernel: np.ndarray, n_tokens: int) -> np.ndarray:
        mixing, size = np.zeros((n_tokens, n_tokens)), len(kernel)
        for start in range(n_tokens - size + 1):
            mixing[start + first_row(size), start : start + size] = kernel
        return mixing

    return mix


def _both_ways(column: Callable[..., int | None]) -> tuple[Mixing, Mixing]:
    return partial(_filled, column=column, add=True), partial(_filled, column=column)


CONVOLUTION_MISTAKES: dict[str, tuple[Mixing, ...]] = {
    "kernel-flipped": (lambda kernel, n_tokens: _right(kernel[::-1], n_tokens),),
    "kernel-not-centred": (
        _shifted(lambda size: 0),
        _shifted(lambda size: size - 1),
        _shifted(lambda size: size // 2 + 1),
        _shifted(lambda size: size // 2 - 1),
    ),
    "kernel-wraps": (*_both_ways(_circular), *_both_ways(_wraps_on_the_left), *_both_ways(_wraps_if_it_can)),
    "edges-repeated": _both_ways(_clamped),
    "kernel-normalised": (
        _normalised,
        lambda kernel, n_tokens: _normalised(kernel, n_tokens) * kernel.sum(),
        lambda kernel, n_tokens: _right(kernel / kernel.sum(), n_tokens),
    ),
    "no-padding": (
        _whole_windows,
        _whole_windows_at(lambda size: 0),
        _whole_windows_at(lambda size: size // 2),
    ),
}
