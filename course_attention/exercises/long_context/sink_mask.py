from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.masking import to_be_added
from course_attention.exercises.masking.words import WORDS


def oracle(n_tokens: int, width: int, n_sinks: int) -> np.ndarray:
    """j ≤ i, and i − j < width or j < n_sinks."""
    allowed = np.zeros((n_tokens, n_tokens))
    for i in range(n_tokens):
        allowed[i, max(0, i - width + 1) : i + 1] = 1.0
        allowed[i, : min(i + 1, n_sinks)] = 1.0
    return allowed


def _mask(n_tokens: int, width: int, n_sinks: int, rule: Callable[..., np.ndarray]) -> np.ndarray:
    i, j = np.arange(n_tokens)[:, None], np.arange(n_tokens)
    allowed = np.broadcast_to(rule(i, j, width, n_sinks), (n_tokens, n_tokens))
    return allowed.astype(float)


def _ways(*rules: Callable[..., np.ndarray]) -> tuple[Callable[..., np.ndarray], ...]:
    return tuple(partial(_mask, rule=rule) for rule in rules)


# The first token that has a window, where an answer gives one only to tokens with enough tokens before them.
_FIRST_FULL: tuple[Callable[[int, int], int], ...] = (
    lambda width, n_sinks: width - 1,
    lambda width, n_sinks: width,
    lambda width, n_sinks: n_sinks + width - 1,
    lambda width, n_sinks: n_sinks + width,
)


def cases(draw: Draw) -> list[Case]:
    """Sinks beside windows and within them, none, and more of them than there are tokens."""

    def case(property, n_tokens, width, n_sinks) -> Case:
        arguments = {"n_tokens": n_tokens, "width": width, "n_sinks": n_sinks}
        sinks = {0: "no sinks", 1: "1 sink"}.get(n_sinks, f"{n_sinks} sinks")
        return Case(f"{n_tokens} tokens, width {width}, {sinks}", property, arguments)

    n, width, n_sinks = (int(draw.rng.integers(*ends)) for ends in ((9, 13), (2, 5), (2, 5)))
    return [
        case(properties.VALUES, 4, 2, 0),
        case(properties.VALUES, 6, 3, 0),
        case(properties.VALUES, n, width, 0),
        case(properties.SINKS, 4, 2, 1),
        case(properties.SINKS, 5, 2, 2),
        case(properties.SINKS, 7, 3, 2),
        case(properties.SINKS, 6, 1, 3),
        case(properties.SINKS, 7, 4, 1),
        case(properties.SINKS, n, width, n_sinks),
        case(properties.EDGES, 3, 1, 0),
        case(properties.EDGES, 3, 1, 5),
        case(properties.EDGES, 3, 5, 1),
        case(properties.EDGES, 1, 1, 1),
        case(properties.LONG_SEQUENCES, 257, 130, 2),
    ]


EXERCISE = FunctionExercise(
    name="sink_mask",
    prompt="Let each token see a causal window, and the first tokens of the sequence beside it.",
    points=1,
    difficulty=1,
    minutes=8,
    hints=(
        "You already have a mask of the window: `window_mask`. Which pairs does it lack?",
        "A key j is a sink where j < n_sinks. Masks are joined by `|`, and a token must still not see what comes after "
        "it.",
    ),
    returns=Returns(names=("allowed",), dtype="bool", from_sizes_only=True, axes=("n_tokens, n_tokens",)),
    oracle=oracle,
    cases=cases,
    # The window alone is `window_mask`, which the student has.
    weights={properties.VALUES: 3.0, properties.SINKS: 6.0, properties.LONG_SEQUENCES: 0.5},
    words=WORDS,
    misconceptions={
        "sinks-not-causal": Misconception(
            "A sink is seen by tokens that come before it",
            "The mask stays causal: the first tokens do not see the sinks that come after them.",
            _ways(lambda i, j, w, s: ((j <= i) & (i - j < w)) | (j < s)),
        ),
        "sinks-forgotten": Misconception(
            "The sinks are missing",
            "This is the window alone. The first tokens of the sequence stay visible to all that come after them.",
            _ways(lambda i, j, w, s: (j <= i) & (i - j < w)),
        ),
        "window-forgotten": Misconception(
            "The window is missing",
            "A token sees the sinks and also the last `width` tokens, its own among them.",
            _ways(lambda i, j, w, s: (j <= i) & (j < s)),
        ),
        "window-not-yet-full": Misconception(
            "The first tokens have no window",
            "Where a window would begin before the sequence does, it is cut off there, and what is left of it counts: "
            "with width 3, token 1 sees tokens 0 and 1.",
            _ways(
                *(
                    lambda i, j, w, s, full=full: (j <= i) & (((i - j < w) & (i >= full(w, s))) | (j < s))
                    for full in _FIRST_FULL
                )
            ),
        ),
        "sinks-within-the-width": Misconception(
            "The sinks are taken out of the width",
            "The window keeps its `width`, and the sinks come beside it.",
            _ways(lambda i, j, w, s: (j <= i) & ((i - j < w - s) | (j < s))),
        ),
        "sinks-off-by-one": Misconception(
            "There is one sink too many, or one too few",
            "Positions count from 0: with n_sinks = 2, the sinks are tokens 0 and 1.",
            _ways(
                lambda i, j, w, s: (j <= i) & ((i - j < w) | (j <= s)),
                lambda i, j, w, s: (j <= i) & ((i - j < w) | (j < s - 1)),
            ),
        ),
        "window-off-by-one": Misconception(
            "The window has one key too many, or one too few",
            "A window of this width holds `width` keys, the query's own among them.",
            _ways(
                lambda i, j, w, s: (j <= i) & ((i - j <= w) | (j < s)),
                lambda i, j, w, s: (j <= i) & ((i - j < w - 1) | (j < s)),
            ),
        ),
        "sinks-as-queries": Misconception(
            "The first queries see everything, in place of the first keys being seen",
            "A sink is a key, so it is a column of the mask, not a row.",
            _ways(
                lambda i, j, w, s: (j <= i) & ((i - j < w) | (i < s)),
                lambda i, j, w, s: ((j <= i) & (i - j < w)) | (i < s),
            ),
        ),
        "sinks-blocked": Misconception(
            "The sinks are blocked, where they should stay visible",
            "The first tokens are the ones that every later token may see, however far back they lie.",
            _ways(lambda i, j, w, s: (j <= i) & (i - j < w) & (j >= s)),
        ),
        "sinks-for-later-tokens-only": Misconception(
            "The sinks do not see one another",
            "A sink is a token of the sequence as well. It sees itself, and the sinks before it, however small the "
            "window is.",
            _ways(lambda i, j, w, s: (j <= i) & ((i - j < w) | ((i >= s) & (j < s)))),
        ),
        "sinks-at-the-end": Misconception(
            "The last tokens are taken for the sinks",
            "The first tokens of the sequence are the sinks. `x[-n:]` are the last ones of x, and `x[:n]` the first.",
            _ways(lambda i, j, w, s: (j <= i) & ((i - j < w) | (j >= j.max() + 1 - s))),
        ),
        "comparison-unbracketed": _ways(
            lambda i, j, w, s: j <= (i & (i - j < w) | (j < s)),
            lambda i, j, w, s: j <= (i & ((i - j < w) | (j < s))),
        ),
        "window-both-sides": Misconception(
            "The window reaches into the future",
            "This window is causal: it holds the query itself and what came before.",
            _ways(lambda i, j, w, s: (np.abs(i - j) < w) | (j < s)),
        ),
        "causality-lost": Misconception(
            "A token sees everything that comes after it",
            "The window and the sinks are right. The mask is causal as well: token i sees token j only where j ≤ i.",
            _ways(lambda i, j, w, s: (i - j < w) | (j < s)),
        ),
        "causal-strict": _ways(
            lambda i, j, w, s: (j < i) & ((i - j < w) | (j < s)),
            lambda i, j, w, s: (j < i) & ((i - j <= w) | (j < s)),
        ),
        "mask-inverted": (lambda **given: 1.0 - oracle(**given),),
        "mask-to-be-added": to_be_added(oracle),
    },
)
