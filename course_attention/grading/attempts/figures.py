"""The figures of a class's attempts. They describe this class; they say nothing about causes."""

from dataclasses import dataclass

import numpy as np

from course_attention.grading.attempts.counts import Counts

FEWEST = 8  # students who tried an exercise: with fewer, no correlation is given
DRAWS = 1000  # classes that are drawn from the students, for an interval
LEVEL = 95  # per cent of the draws lie in the interval


@dataclass(frozen=True)
class OfExercise:
    """What the class did in one exercise.

    Attributes:
        name: of it.
        tried, passed: how many students.
        attempts: the mean of the checks until it passed, over those who passed; None where nobody did.
        tells_apart: the rank correlation between how few attempts a student needed here and how few elsewhere; None
            where too few tried it, or all needed as many.
    """

    name: str
    tried: int
    passed: int
    attempts: float | None
    tells_apart: float | None


@dataclass(frozen=True)
class AfterMistake:
    """How often the next check passed after a card that named the mistake, and after one that did not.

    Attributes:
        checks: how many next checks there were, after a named and after an unnamed mistake.
        share: of them passed, in either.
        difference: between the two within the same exercise, averaged over the exercises; None without any to compare.
        interval: in which it lies for 95 % of the classes that are drawn from these students.
    """

    checks: tuple[int, int]
    share: tuple[float, float]
    difference: float | None
    interval: tuple[float, float] | None


def of_exercises(found: Counts) -> list[OfExercise]:
    """Return a line for each exercise."""
    lines = []
    ranks = _ranks_elsewhere(found)
    for e, name in enumerate(found.exercises):
        tried, passed = found.tries[:, e] > 0, found.passed[:, e]
        mean = float(found.tries[passed, e].mean()) if passed.any() else None
        lines.append(OfExercise(name, int(tried.sum()), int(passed.sum()), mean, _tells_apart(found, ranks, e)))
    return lines


def after_mistakes(found: Counts, seed: int = 0) -> AfterMistake:
    """Return what followed a named mistake, against an unnamed one.

    An exercise counts as much as both kinds occur in it (Mantel and Haenszel's weights), so that exercises in which
    mistakes are seldom named, and which may be harder, do not make the difference. The interval draws students anew.

    Args:
        found: the counts of a class.
        seed: of the draws.
    """
    checks, passes = found.next_checks.sum(axis=1), found.next_passes.sum(axis=1)
    n_students = len(found.students)
    drawn = np.random.default_rng(seed).multinomial(n_students, np.full(n_students, 1 / n_students), size=DRAWS)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = passes.sum(axis=1) / checks.sum(axis=1)
        difference = float(_difference(checks[:, None], passes[:, None])[0])
        several = _difference(drawn @ found.next_checks, drawn @ found.next_passes)
    known = several[np.isfinite(several)]
    tail = (100 - LEVEL) / 2
    low, high = np.percentile(known, [tail, 100 - tail]) if len(known) else (0.0, 0.0)
    is_known = np.isfinite(difference)
    return AfterMistake(
        (int(checks[0].sum()), int(checks[1].sum())),
        (float(share[0]), float(share[1])),
        difference if is_known else None,
        (float(low), float(high)) if is_known else None,
    )


def _difference(checks: np.ndarray, passes: np.ndarray) -> np.ndarray:
    """Return the difference of the shares, (n_draws,), from counts of (2, n_draws, n_exercises)."""
    total = checks.sum(axis=0)
    weight = np.divide(checks[0] * checks[1], total, out=np.zeros(total.shape), where=total > 0)
    shares = np.divide(passes, checks, out=np.zeros(passes.shape), where=checks > 0)
    result: np.ndarray = (weight * (shares[0] - shares[1])).sum(axis=-1) / weight.sum(axis=-1)
    return result


def _ranks_elsewhere(found: Counts) -> np.ndarray:
    """Return (n_students, n_exercises) how few attempts a student needed, from 0 to 1; NaN where nothing was tried.

    Who did not pass needed more than anybody who did.
    """
    needed = np.where(found.passed, found.tries, found.tries.max(initial=0) + 1).astype(float)
    needed[found.tries == 0] = np.nan
    ranks = np.full(needed.shape, np.nan)
    for e in range(needed.shape[1]):
        known = ~np.isnan(needed[:, e])
        ranks[known, e] = 1 - _ranks(needed[known, e])
    return ranks


def _tells_apart(found: Counts, ranks: np.ndarray, e: int) -> float | None:
    others = np.delete(ranks, e, axis=1)
    both = (found.tries[:, e] > 0) & ~np.isnan(others).all(axis=1)
    if both.sum() < FEWEST:
        return None
    here, elsewhere = _ranks(ranks[both, e]), _ranks(np.nanmean(others[both], axis=1))
    if here.std() == 0 or elsewhere.std() == 0:
        return None
    return float(np.corrcoef(here, elsewhere)[0, 1])


def _ranks(values: np.ndarray) -> np.ndarray:
    """Return ranks from 0 to 1; equal values share the middle of their places."""
    below = (values[None, :] < values[:, None]).sum(axis=1)
    equal = (values[None, :] == values[:, None]).sum(axis=1)
    ranks: np.ndarray = (below + (equal - 1) / 2) / max(1, len(values) - 1)
    return ranks
