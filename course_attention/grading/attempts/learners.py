"""Made-up learners whose speed is known: what the figures of their attempts must come to can be computed.

A learner passes a check with a probability that depends on the learner's speed and the exercise. After a mistake that
the card named it is higher by a fixed amount. Whether a mistake is named is drawn, and the harder an exercise is, the
more seldom it is: so a comparison that does not look at the exercises would find too large an effect.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from course_attention.course.attempts_file import Attempt

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
PATIENCE = 12  # checks of an exercise, after which a learner gives up


@dataclass(frozen=True)
class MadeUp:
    """An exercise of these learners.

    Attributes:
        name: of it.
        ease: the probability that a learner of middling speed passes a check.
        slope: by how much it is higher for a learner of speed 1, and lower for one of speed −1.
        named: the probability that a card names the mistake.
    """

    name: str
    ease: float
    slope: float
    named: float

    def chance(self, speed: float, after_named: bool, effect: float) -> float:
        """Return the probability that a check passes.

        Example:
            >>> MadeUp("e", ease=0.5, slope=0.1, named=0.5).chance(1.0, after_named=True, effect=0.125)
            0.725
        """
        return self.ease + self.slope * speed + effect * after_named


EXERCISES = (
    MadeUp("easy", 0.65, 0.15, 0.8),
    MadeUp("middling", 0.45, 0.15, 0.6),
    MadeUp("hard", 0.25, 0.15, 0.3),
    MadeUp("tells nobody apart", 0.45, 0.0, 0.6),
    MadeUp("tells apart well", 0.45, 0.35, 0.6),
    MadeUp("hard, tells apart well", 0.3, 0.25, 0.3),
    *(MadeUp(f"another {number}", 0.45, 0.2, 0.6) for number in range(1, 7)),
)


def speeds(n_learners: int) -> np.ndarray:
    """Return speeds from −1 to 1, evenly."""
    return np.linspace(-1, 1, n_learners)


def simulated(n_learners: int, effect: float, seed: int) -> dict[str, list[Attempt]]:
    """Return the attempts of a class, by learner."""
    rng = np.random.default_rng(seed)
    return {
        f"learner-{number:03d}": list(_of_learner(speed, effect, rng))
        for number, speed in enumerate(speeds(n_learners))
    }


def _of_learner(speed: float, effect: float, rng: np.random.Generator) -> Iterator[Attempt]:
    time = START
    for exercise in EXERCISES:
        after_named = False
        for _ in range(PATIENCE):
            time += timedelta(minutes=5)
            if rng.random() < exercise.chance(speed, after_named, effect):
                yield Attempt(time, exercise.name, "passed")
                break
            after_named = bool(rng.random() < exercise.named)
            yield Attempt(time, exercise.name, "failed", "a-mistake" if after_named else "")


def expected_attempts(exercise: MadeUp, n_learners: int, effect: float) -> float:
    """Return the attempts until an exercise passes, computed from the speeds: the mean over those who pass.

    Example:
        >>> round(expected_attempts(MadeUp("e", ease=0.5, slope=0.0, named=0.0), 3, effect=0.0), 2)
        2.0
    """
    passed, weighted = 0.0, 0.0
    for speed in speeds(n_learners):
        still = {False: 1.0, True: 0.0}  # the probability to go on, by whether the last mistake was named
        for attempt in range(1, PATIENCE + 1):
            chances = {named: exercise.chance(speed, named, effect) for named in still}
            now = sum(still[named] * chances[named] for named in still)
            failed = sum(still[named] * (1 - chances[named]) for named in still)
            passed, weighted = passed + now, weighted + attempt * now
            still = {False: failed * (1 - exercise.named), True: failed * exercise.named}
    return float(weighted / passed)
