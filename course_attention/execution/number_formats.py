"""The bytes of numbers in the formats that tensors have, so that a dtype is what its bytes say.

NumPy has no bfloat16: its numbers are the upper halves of those of float32.
"""

import math

import numpy as np

# Named as torch and NumPy name them, little-endian.
FORMATS = {
    "float64": "<f8",
    "float32": "<f4",
    "float16": "<f2",
    "bfloat16": "<u2",
    "int64": "<i8",
    "int32": "<i4",
    "int16": "<i2",
    "int8": "|i1",
    "uint8": "|u1",
    "bool": "|b1",
}


def to_bytes(values: np.ndarray, dtype: str) -> np.ndarray:
    """Return the bytes of numbers in one of the `FORMATS`, which holds each of them exactly.

    Example:
        >>> to_bytes(np.array([1.0, -2.0]), "bfloat16").tolist()
        [128, 63, 0, 192]
    """
    with np.errstate(all="ignore"):
        if dtype == "bfloat16":
            stored = (values.astype("<f4").view("<u4") >> np.uint32(16)).astype("<u2")
        else:
            stored = values.astype(FORMATS[dtype])
    return np.frombuffer(np.ascontiguousarray(stored).tobytes(), np.uint8)


def from_bytes(raw: np.ndarray, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return the numbers that bytes hold: float64, int64 or bool.

    Raises:
        ValueError: the format is not known, or so many numbers are not in so many bytes.

    Example:
        >>> from_bytes(np.array([128, 63, 0, 192], np.uint8), "bfloat16", (2,))
        array([ 1., -2.])
    """
    if dtype not in FORMATS:
        raise ValueError(f"a format of numbers was expected, as in float32; got {dtype[:40]!r}")
    stored = np.dtype(FORMATS[dtype])
    n_bytes = math.prod(shape) * stored.itemsize
    if raw.dtype != np.uint8 or raw.shape != (n_bytes,):
        raise ValueError(
            f"an array of {n_bytes} bytes was expected, for numbers in {dtype} of shape {shape}; got {raw.dtype} of "
            f"shape {raw.shape}"
        )
    if dtype == "bool":
        truths: np.ndarray = raw != 0
        return truths.reshape(shape)
    values = np.frombuffer(raw.tobytes(), stored).reshape(shape)
    if dtype == "bfloat16":
        values = np.left_shift(values, 16, dtype="<u4", out=np.empty(shape, "<u4")).view("<f4")
    return values.astype(np.float64 if "float" in dtype else np.int64)
