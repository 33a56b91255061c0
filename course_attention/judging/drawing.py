"""Draws the numbers of a case, such that its dtype holds each of them exactly."""

import numpy as np

from course_attention.execution.protocol import Array

# The distance from 1 to the next number.
EPSILON = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}


def rounded(values: np.ndarray, dtype: str) -> np.ndarray:
    """Return the nearest numbers that `dtype` holds, as float64.

    Example:
        >>> rounded(np.array([1.001, 3.0]), "bfloat16")
        array([1., 3.])
        >>> rounded(np.array(1.001), "bfloat16").shape
        ()
    """
    with np.errstate(over="ignore"):  # beyond the largest number lies infinity, as in torch
        if dtype == "bfloat16":  # NumPy has none: float32 with its lower 16 bits rounded away, ties to even
            # NumPy's `ascontiguousarray` gives one number an axis, and this does not.
            bits = np.asarray(values, dtype=np.float32, order="C").view(np.uint32)
            bits = np.asarray((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000))
            return bits.view(np.float32).astype(np.float64)
        return np.asarray(values).astype(dtype).astype(np.float64)


class Draw:
    """Draws arguments from a seed.

    Args:
        seed: the same seed, or several, give the same numbers.

    Example:
        >>> Draw(0).normal(2, 3, dtype="float32").values.shape
        (2, 3)
    """

    def __init__(self, *seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def normal(self, *shape: int, dtype: str = "float64", strided: bool = False) -> Array:
        """Independent entries of mean 0 and variance 1."""
        return Array(rounded(self.rng.normal(size=shape), dtype), dtype, strided)

    def halves(self, *shape: int, dtype: str = "float64") -> Array:
        """Few-digit numbers to reckon with by hand: ±0.5, ±1, ±1.5, ±2."""
        sizes = self.rng.integers(1, 5, size=shape) / 2
        return Array(np.asarray(sizes * self.rng.choice([-1.0, 1.0], size=shape)), dtype)  # of no axes, a number came

    def weights(self, *shape: int, dtype: str = "float64") -> Array:
        """Positive numbers that sum to 1 along the last axis, as a distribution does."""
        drawn = self.rng.uniform(0.1, 1.0, size=shape)
        return Array(rounded(drawn / drawn.sum(axis=-1, keepdims=True), dtype), dtype)

    def allowed(self, *shape: int) -> Array:
        """Return a mask that blocks something and allows something in every row, and differs from row to row."""
        width = shape[-1]
        rows = int(np.prod(shape[:-1], dtype=int))
        counts = self.rng.integers(1, width, size=rows)
        mask = np.zeros((rows, width), dtype=bool)
        for row, count in enumerate(counts):
            mask[row, self.rng.permutation(width)[:count]] = True
        if rows > 1 and (mask == mask[0]).all():
            mask[-1] = ~mask[-1]
        return Array(mask.reshape(shape), "bool")

    def padded(self, batch: int, n_keys: int) -> Array:
        """Key padding, (batch, 1, n_keys): the first keys of each item, a different number in each."""
        lengths = self.rng.permutation(np.arange(1, n_keys))[:batch]
        return Array(np.arange(n_keys)[None, None, :] < lengths[:, None, None], "bool")
