"""The exercise `sink_mask`: oracle, cases and misconceptions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.exercises.masking.common import to_be_added
from course_attention.exercises.masking.words import WORDS
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise, Returns

# The right computation, one number at a time.


def oracle(n_tokens: int, width: int, n_sinks: int) -> np.ndarray:
    """j ≤ i, and i − j < width or j < n_sinks."""
    allowed = np.zeros((n_tokens, n_tokens))
    for i, j in np.ndindex(allowed.shape):
        allowed[i, j] = j <= i and (i - j < width or j < n_sinks)
    return allowed


# The computation in a few lines, each part exchangeable for a wrong one.


def _mask(n_tokens: int, width: int, n_sinks: int, rule: Callable[..., np.ndarray]) -> np.ndarray:
    i, j = np.arange(n_tokens)[:, None], np.arange(n_tokens)
    allowed = np.broadcast_to(rule(i, j, width, n_sinks), (n_tokens, n_tokens))
    return allowed.astype(float)


def _ways(*rules: Callable[..., np.ndarray]) -> tuple[Callable[..., np.ndarray], ...]:
    return tuple(partial(_mask, rule=rule) for rule in rules)


# The cases.


def cases(draw: Draw) -> list[Case]:
    """Sinks beside windows and within them, none, and more of them than there are tokens."""

    def case(property: str, n_tokens: int, width: int, n_sinks: int) -> Case:
        arguments = {"n_tokens": n_tokens, "width": width, "n_sinks": n_sinks}
        return Case(f"{n_tokens} tokens, width {width}, {n_sinks} sinks", property, arguments)

    n = int(draw.rng.integers(9, 13))
    return [
        case("values", 4, 2, 1),
        case("values", 5, 2, 2),
        case("values", 7, 3, 2),
        case("values", 6, 1, 3),
        case("values", n, int(draw.rng.integers(2, 5)), int(draw.rng.integers(2, 5))),
        case("edges", 4, 2, 0),
        case("edges", 3, 1, 5),
        case("edges", 3, 5, 1),
        case("edges", 1, 1, 1),
    ]


EXERCISE = FunctionExercise(
    name="sink_mask",
    prompt="Let each token see a causal window, and the first tokens of the sequence beside it.",
    points=1,
    difficulty=1,
    minutes=10,
    hints=(
        "You already have a mask of the window: `window_mask`. Which pairs does it lack?",
        "A key j is a sink where j < n_sinks. Masks are joined by `|`, and a token must still not see what comes after "
        "it.",
    ),
    returns=Returns(names=("allowed",), dtype="bool", from_sizes_only=True, axes=("n_tokens, n_tokens",)),
    oracle=oracle,
    cases=cases,
    variants={
        "sinks-not-causal": _ways(lambda i, j, w, s: ((j <= i) & (i - j < w)) | (j < s)),
        "sinks-forgotten": _ways(lambda i, j, w, s: (j <= i) & (i - j < w)),
        "window-forgotten": _ways(lambda i, j, w, s: (j <= i) & (j < s)),
        "sinks-within-the-width": _ways(lambda i, j, w, s: (j <= i) & ((i - j < w - s) | (j < s))),
        "sinks-off-by-one": _ways(
            lambda i, j, w, s: (j <= i) & ((i - j < w) | (j <= s)),
            lambda i, j, w, s: (j <= i) & ((i - j < w) | (j < s - 1)),
        ),
        "window-off-by-one": _ways(
            lambda i, j, w, s: (j <= i) & ((i - j <= w) | (j < s)),
            lambda i, j, w, s: (j <= i) & ((i - j < w - 1) | (j < s)),
        ),
        "sinks-as-queries": _ways(lambda i, j, w, s: (j <= i) & ((i - j < w) | (i < s))),
        "window-both-sides": _ways(lambda i, j, w, s: (np.abs(i - j) < w) | (j < s)),
        "mask-inverted": (lambda **given: 1.0 - oracle(**given),),
        "mask-to-be-added": to_be_added(oracle),
    },
    words=WORDS
    | {
        "sinks-not-causal": (
            "A sink is seen by tokens that come before it",
            "The mask stays causal: the first tokens do not see the sinks that come after them.",
        ),
        "sinks-forgotten": (
            "The sinks are missing",
            "This is the window alone. The first tokens of the sequence stay visible to all that come after them.",
        ),
        "window-forgotten": (
            "The window is missing",
            "A token sees the sinks and also the last `width` tokens, its own among them.",
        ),
        "sinks-within-the-width": (
            "The sinks are taken out of the width",
            "The window keeps its `width`, and the sinks come beside it.",
        ),
        "sinks-off-by-one": (
            "There is one sink too many, or one too few",
            "Positions count from 0: with n_sinks = 2, the sinks are tokens 0 and 1.",
        ),
        "window-off-by-one": (
            "The window has one key too many, or one too few",
            "A window of this width holds `width` keys, the query's own among them.",
        ),
        "sinks-as-queries": (
            "The first queries see everything, in place of the first keys being seen",
            "A sink is a key, so it is a column of the mask, not a row.",
        ),
        "window-both-sides": (
            "The window reaches into the future",
            "This window is causal: it holds the query itself and what came before.",
        ),
    },
)
