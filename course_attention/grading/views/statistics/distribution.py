"""The distribution of a class's points: its mean, median and ends, and a histogram."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median

BINS = 10


@dataclass(frozen=True)
class Bar:
    """A bar of a histogram, in pixels. Its `label` is the count."""

    x: int
    y: int
    width: int
    height: int
    label: str


@dataclass(frozen=True)
class Histogram:
    """A histogram of shares: its bars in pixels, and `alt_text`, the same in words."""

    width: int
    height: int
    bars: list[Bar]
    alt_text: str


@dataclass(frozen=True)
class Distribution:
    """The points of those who are graded."""

    count: int
    mean: float
    median: float
    lowest: float
    highest: float


def distribution(scores: Sequence[float]) -> Distribution | None:
    """Return the distribution of some scores; None where there is no score."""
    if not scores:
        return None
    return Distribution(len(scores), mean(scores), median(scores), min(scores), max(scores))


def histogram(shares: Sequence[float], width: int, height: int) -> Histogram:
    """Return the histogram of shares, 0 to 1, in ten bins. A bin holds its lower end; the last one holds 1 too.

    Example:
        >>> histogram([0.0, 0.95, 1.0], 100, 50).alt_text
        '0 to 9%: 1, 90 to 100%: 2'
    """
    counts = [0] * BINS
    for share in shares:
        counts[min(max(int(share * BINS + 1e-9), 0), BINS - 1)] += 1
    tallest, step = max(max(counts), 1), width // BINS
    bars = [
        Bar(i * step + 1, height - tall, step - 2, tall, str(count) if count else "")
        for i, count in enumerate(counts)
        for tall in [round(height * count / tallest)]
    ]
    bins = [f"{10 * i} to {10 * i + 9 if i < BINS - 1 else 100}%: {n}" for i, n in enumerate(counts) if n]
    return Histogram(width, height, bars, ", ".join(bins) or "nobody yet")
