"""When a loss has stopped falling: a plateau, at which a training ends or takes smaller steps."""

from dataclasses import dataclass


@dataclass
class Plateau:
    """Watches the measurements of one loss.

    Attributes:
        patience: how many measurements in a row without progress are a plateau.
        share, least: progress is a fall by this share of the smallest loss so far, and by at least this much.
        best: the smallest loss so far.
        since: how many measurements ago there was progress.

    Example:
        >>> plateau = Plateau(patience=2, share=0.01, least=0.001)
        >>> [plateau.reached(loss) for loss in (1.0, 0.5, 0.499, 0.498)]
        [False, False, False, True]
    """

    patience: int
    share: float
    least: float
    best: float = float("inf")
    since: int = 0

    def reached(self, loss: float) -> bool:
        """Take note of a measurement, and return whether there has been no progress for long enough."""
        is_progress = loss < min((1 - self.share) * self.best, self.best - self.least)
        self.since = 0 if is_progress else self.since + 1
        self.best = min(self.best, loss)
        return self.since == self.patience

    def begin_anew(self) -> None:
        """Wait as long again, as after the steps have become smaller."""
        self.since = 0
