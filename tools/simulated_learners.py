"""Tries the figures of `course-attention attempts` on made-up learners whose speed is known, and writes the table.

Usage: python tools/simulated_learners.py

The table is in docs/attempts.md, between two marks. What is true of the learners is computed from their speeds, not
drawn. A minute on one core.
"""

from pathlib import Path

import numpy as np

from course_attention.grading.attempts.counts import Counts, counts
from course_attention.grading.attempts.figures import after_mistakes, of_exercises
from course_attention.grading.attempts.learners import EXERCISES, expected_attempts, simulated

PAGE = Path(__file__).parents[1] / "docs" / "attempts.md"
START, END = "<!-- tools/simulated_learners.py writes this -->\n", "<!-- end -->\n"
CLASSES = 200
LEARNERS = 30
EFFECTS = (0.0, 0.15)


def main() -> None:
    rows = [_head()]
    classes = [counts(simulated(LEARNERS, 0.0, seed)) for seed in range(CLASSES)]
    rows += [_row(e, classes) for e, exercise in enumerate(EXERCISES) if not exercise.name.startswith("another")]
    rows += ["", _effects_head()]
    rows += [_effect_row(effect) for effect in EFFECTS]
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{START}{chr(10).join(rows)}\n{END}{after}", encoding="utf-8")


def _head() -> str:
    return (
        "| exercise | probability to pass a check: slowest, middle, fastest | attempts, true | attempts, found | "
        "tells apart, found |\n|---|---|---|---|---|"
    )


def _row(e: int, classes: list[Counts]) -> str:
    exercise = EXERCISES[e]
    lines = [of_exercises(one)[e] for one in classes]
    attempts = np.array([one.attempts for one in lines if one.attempts is not None])
    apart = np.array([one.tells_apart for one in lines if one.tells_apart is not None])
    chances = ", ".join(f"{exercise.chance(speed, False, 0.0):.2f}" for speed in (-1, 0, 1))
    true = expected_attempts(exercise, LEARNERS, 0.0)
    return f"| {exercise.name} | {chances} | {true:.2f} | {_spread(attempts)} | {_spread(apart, '+.2f')} |"


def _effects_head() -> str:
    return (
        "| true difference | difference, found | without regard to the exercises | intervals that hold the true one |\n"
        "|---|---|---|---|"
    )


def _effect_row(effect: float) -> str:
    found = [after_mistakes(counts(simulated(LEARNERS, effect, 1000 + seed))) for seed in range(CLASSES)]
    pairs = [(one.difference, one.interval) for one in found if one.difference is not None and one.interval is not None]
    holding = sum(low <= effect <= high for _, (low, high) in pairs)
    plain = np.array([100 * (one.share[0] - one.share[1]) for one in found])
    differences = np.array([100 * difference for difference, _ in pairs])
    cells = [f"{100 * effect:+.0f}", _spread(differences, "+.1f"), _spread(plain, "+.1f"), f"{holding} of {len(pairs)}"]
    return f"| {' | '.join(cells)} |"


def _spread(values: np.ndarray, form: str = ".2f") -> str:
    """Return the mean over the classes, and between what the middle 90 % of them lie."""
    low, high = np.percentile(values, [5, 95])
    return f"{values.mean():{form}} ({low:{form}} to {high:{form}})"


if __name__ == "__main__":
    main()
