"""Angles, frequencies and offsets, right and wrong, of everything that encodes positions."""

from collections.abc import Callable

import numpy as np

BASE = 10000.0


def angle_of(position: float, pair: int, size: int, base: float) -> float:
    return position / base ** (2 * pair / size)


Exponent = Callable[[np.ndarray, int], np.ndarray]


def paired(channel: np.ndarray, size: int) -> np.ndarray:
    return (channel - channel % 2) / size


EXPONENTS: dict[str, tuple[Exponent, ...]] = {
    "exponent-not-doubled": (lambda c, d: c // 2 / d,),
    "exponent-doubled-twice": (lambda c, d: 2 * paired(c, d),),
    "frequencies-from-one": (lambda c, d: paired(c + 2, d),),
    "frequency-inverted": (lambda c, d: -paired(c, d),),
}


def angles_of(position: np.ndarray, size: int, base: float, exponent: Exponent = paired) -> np.ndarray:
    """Return an angle for each position and channel."""
    return np.asarray(position)[:, None] / base ** exponent(np.arange(size), size)


def halves(size: int) -> np.ndarray:
    """Channels in the order 0, d/2, 1, d/2 + 1, …: pairs of the two halves."""
    return np.arange(size).reshape(2, -1).T.ravel()


def offsets_of(n_queries: int, n_keys: int) -> np.ndarray:
    return np.arange(n_keys) - np.arange(n_queries)[:, None]


def bottom_right(n_queries: int, n_keys: int) -> np.ndarray:
    return offsets_of(n_queries, n_keys) - (n_keys - n_queries)
