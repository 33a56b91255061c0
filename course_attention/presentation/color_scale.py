"""The colour scale of a heat map: the larger a number, the darker its cell."""

from collections.abc import Iterable, Sequence

import numpy as np

# The ends of the scale. Lightness alone tells the numbers apart, so that the scale works in greyscale and on paper.
# Each cell brings its own background and text colour, so that the scale is the same on a light and a dark page.
LIGHT, DARK = np.array([250.0, 247.0, 232.0]), np.array([0.0, 44.0, 95.0])
N_SHADES = 33  # with fewer, neighbouring shades would be seen as steps

Limits = tuple[float, float]


def limits_of(arrays: Iterable[np.ndarray]) -> Limits:
    """Return the lowest and the highest finite number of several arrays of floats; (0, 0) where there is none.

    Example:
        >>> limits_of([np.array([0.5, np.nan]), np.array([[2.0, np.inf]])])
        (0.5, 2.0)
    """
    values = np.concatenate([np.zeros(0), *(array[np.isfinite(array)] for array in arrays)])
    return (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)


def shade_of(value: float, limits: Limits) -> int | None:
    """Return the number of a value's shade, 0 (the lightest) to 32; None where the value is not finite.

    Example:
        >>> [shade_of(value, (0.0, 1.0)) for value in (0.0, 0.5, 1.0, float("nan"))]
        [0, 16, 32, None]
    """
    if not np.isfinite(value):
        return None
    low, high = limits
    # Halved, as the distance between two finite floats may be too large for a float.
    share = (value / 2 - low / 2) / (high / 2 - low / 2) if high > low else 0.0
    return round(min(max(share, 0.0), 1.0) * (N_SHADES - 1))


def colors(shade: int) -> tuple[str, str]:
    """Return the background of a shade, and the text colour, black or white, that has the higher contrast on it.

    Example:
        >>> colors(0), colors(32)
        (('#faf7e8', '#000000'), ('#002c5f', '#ffffff'))
    """
    background = (LIGHT + (DARK - LIGHT) * shade / (N_SHADES - 1)).round()
    text = max([0, 0, 0], [255, 255, 255], key=lambda color: contrast(background, color))
    return _hex(background), _hex(text)


def contrast(one: Sequence[float] | np.ndarray, other: Sequence[float] | np.ndarray) -> float:
    """Return the contrast ratio of two sRGB colours (channels 0 to 255) as WCAG defines it, 1 to 21.

    Example:
        >>> contrast([0, 0, 0], [255, 255, 255])
        21.0
    """
    channels = np.array([one, other], dtype=float) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    darker, lighter = sorted(linear @ [0.2126, 0.7152, 0.0722])
    return round(float((lighter + 0.05) / (darker + 0.05)), 6)


def _hex(color: Iterable[float]) -> str:
    return "#" + "".join(f"{int(channel):02x}" for channel in color)
