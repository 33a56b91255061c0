from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.masking import to_be_added
from course_attention.exercises.masking.words import WORDS


def oracle(n_tokens: int, width: int) -> np.ndarray:
    """0 ≤ i − j < width."""
    allowed = np.zeros((n_tokens, n_tokens))
    for i in range(n_tokens):
        allowed[i, max(0, i - width + 1) : i + 1] = 1.0
    return allowed


def _window(n_tokens: int, width: int, inside: Callable[..., np.ndarray]) -> np.ndarray:
    back = np.arange(n_tokens)[:, None] - np.arange(n_tokens)
    return inside(back, width).astype(float)


def _in_blocks(n_tokens: int, width: int) -> np.ndarray:
    block = np.arange(n_tokens) // width
    return np.tril(block[:, None] == block).astype(float)


def _cut_from_the_end(n_tokens: int, width: int) -> np.ndarray:
    """Slice each row as Python does: a negative beginning counts from the end."""
    allowed = np.zeros((n_tokens, n_tokens))
    for i in range(n_tokens):
        allowed[i, i - width + 1 : i + 1] = 1.0
    return allowed


def _causal_past(back: np.ndarray, width: int) -> np.ndarray:
    return (back >= 0) & (back < width)


def cases(draw: Draw) -> list[Case]:
    """Windows narrower than the sequence, of one key, as wide as the sequence, and wider."""

    def case(property, n_tokens, width) -> Case:
        return Case(f"{n_tokens} tokens, width {width}", property, {"n_tokens": n_tokens, "width": width})

    n = int(draw.rng.integers(7, 11))
    return [
        case(properties.VALUES, 4, 2),
        case(properties.VALUES, 5, 3),
        case(properties.VALUES, 8, 4),
        case(properties.VALUES, n, int(draw.rng.integers(3, n - 1))),
        case(properties.EDGES, 3, 1),
        case(properties.EDGES, 3, 3),
        case(properties.EDGES, 3, 5),
        case(properties.EDGES, 1, 1),
        case(properties.EDGES, 1, 2),
        case(properties.LONG_SEQUENCES, 257, 130),
    ]


EXERCISE = FunctionExercise(
    name="window_mask",
    prompt="Let each token see itself and the tokens before it, `width` keys in all.",
    points=1,
    difficulty=2,
    minutes=8,
    hints=(
        "For query i and key j, i − j says how far back the key lies. Which values of it are allowed?",
        "`torch.arange(n_tokens)` as a column, minus the same as a row, gives i − j for all pairs at once.",
        "Two conditions must hold together. Python's `0 <= back < width` works for numbers only. For tensors, write "
        "two comparisons, each in parentheses, and join them with `&`.",
    ),
    returns=Returns(names=("allowed",), dtype="bool", from_sizes_only=True, axes=("n_tokens, n_tokens",)),
    oracle=oracle,
    cases=cases,
    weights={properties.LONG_SEQUENCES: 0.5},
    words=WORDS,
    misconceptions={
        "causal-strict": (
            partial(_window, inside=lambda back, width: (back > 0) & (back < width)),
            partial(_window, inside=lambda back, width: (back > 0) & (back <= width)),
        ),
        "causal-off-by-one": (
            partial(_window, inside=lambda back, width: (back >= -1) & (back < width)),
            partial(_window, inside=lambda back, width: (back >= -1) & (back < width - 1)),
        ),
        "causal-upper": (
            partial(_window, inside=lambda back, width: (back <= 0) & (-back < width)),
            partial(_window, inside=lambda back, width: (back < 0) & (-back <= width)),
        ),
        "window-off-by-one": Misconception(
            "The window has one key too many, or one too few",
            "A window of this width holds `width` keys, the query's own among them. The farthest is width"
            " − 1 positions back.",
            (
                partial(_window, inside=lambda back, width: (back >= 0) & (back <= width)),
                partial(_window, inside=lambda back, width: (back >= 0) & (back < width - 1)),
            ),
        ),
        "window-both-sides": Misconception(
            "The window reaches into the future",
            "Keys that come after the query are allowed. This window is causal: it holds the query itself and "
            "what came before.",
            (
                partial(_window, inside=lambda back, width: back < width),
                partial(_window, inside=lambda back, width: np.abs(back) < width),
                partial(_window, inside=lambda back, width: np.abs(back) <= width),
                partial(_window, inside=lambda back, width: np.abs(back) <= width // 2),
            ),
        ),
        "window-in-blocks": Misconception(
            "The sequence is cut into blocks",
            "Each query sees its own block alone, so the first of a block sees no past. A window moves with its query.",
            (_in_blocks,),
        ),
        "window-ignored": Misconception(
            "The window has no end",
            "This is a causal mask: a query sees its whole past, not the last `width` keys.",
            (partial(_window, inside=lambda back, width: back >= 0),),
        ),
        "slice-before-start": (_cut_from_the_end,),
        "causal-all": (lambda n_tokens, width: np.ones((n_tokens, n_tokens)),),
        "mask-inverted": (partial(_window, inside=lambda back, width: ~_causal_past(back, width)),),
        "mask-to-be-added": to_be_added(oracle),
    },
)
