"""The exercise `head_outputs`: oracle, cases and misconceptions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course_attention.exercises.common.attention import attention_oracle
from course_attention.exercises.multi_head.common import multi_head_in_parts, multi_head_noise, times
from course_attention.exercises.multi_head.mistakes import MISTAKES, made
from course_attention.exercises.multi_head.multi_head_attention import cases
from course_attention.exercises.multi_head.words import WORDS
from course_attention.judging.exercise import FunctionExercise, Returns

# The right computation, one number at a time.


def oracle(x, w_query, w_key, w_value, w_out, n_heads, allowed=None) -> np.ndarray:
    """Each head by itself, through its own rows of w_out."""
    queries, keys, values = (np.split(times(x, w), n_heads, axis=-1) for w in (w_query, w_key, w_value))
    added = []
    for query, key, value, rows in zip(queries, keys, values, np.split(w_out, n_heads), strict=True):
        output, _ = attention_oracle(query, key, value, allowed)
        added.append(times(output, rows))
    return np.stack(added, axis=-3)


# The computation in a few lines, each part exchangeable for a wrong one.


def _by_block(heads: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    return heads @ w_out.reshape(heads.shape[-3], heads.shape[-1], -1)


def _function(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None, *, finish=_by_block, **parts
) -> np.ndarray:
    weights = (w_query, w_key, w_value, w_out)
    added, _ = multi_head_in_parts(
        x, x, x, weights, n_heads, allowed, merge=lambda heads: heads, finish=finish, **parts
    )
    return added


def _every_nth_row(heads: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    n_heads, d_value = heads.shape[-3], heads.shape[-1]
    return heads @ w_out.reshape(d_value, n_heads, -1).swapaxes(0, 1)


def _first_block(heads: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    return heads @ w_out[: heads.shape[-1]]


def _shared_evenly(heads: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    added = _by_block(heads, w_out)
    return np.broadcast_to(added.mean(axis=-3, keepdims=True), added.shape)


def _total(heads: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    return _by_block(heads, w_out).sum(axis=-3)


def _without_head(heads: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    added = _by_block(heads, w_out)
    return added.sum(axis=-3, keepdims=True) - added


def _finished(*ways: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> tuple[dict, ...]:
    return tuple({"finish": way} for way in ways)


_IN_THE_HEADS = (
    "no-scale",
    "mask-ignored",
    "mask-fully-nan",
    "mask-fully-uniform",
    "mask-no-head-axis",
    "heads-interleaved",
    "first-head-everywhere",
)
_MISTAKES: dict[str, tuple[dict, ...]] = {name: MISTAKES[name] for name in _IN_THE_HEADS} | {
    "heads-by-view": tuple(way for way in MISTAKES["heads-by-view"] if "merge" not in way),
    "heads-interleaved": tuple(way for way in MISTAKES["heads-interleaved"] if "merge" not in way),
    "output-rows-dealt-out": _finished(_every_nth_row),
    "first-rows-for-all": _finished(_first_block),
    "output-shared-evenly": _finished(_shared_evenly),
    "heads-summed": _finished(_total),
    "head-left-out": _finished(_without_head),
    "outputs-accumulated": _finished(lambda heads, w_out: _by_block(heads, w_out).cumsum(axis=-3)),
    "no-output-projection": _finished(lambda heads, w_out: heads),
    "heads-after-tokens": _finished(lambda heads, w_out: _by_block(heads, w_out).swapaxes(-2, -3)),
}


# Rounding errors of a right answer, in units of the dtype's epsilon.


def noise(x, w_query, w_key, w_value, w_out, n_heads, allowed=None) -> tuple[float]:
    return multi_head_noise(x, x, x, (w_query, w_key, w_value, w_out), n_heads)[:1]


EXERCISE = FunctionExercise(
    name="head_outputs",
    prompt="Take multi-head attention apart: give what each head adds to the output.",
    points=2,
    difficulty=3,
    minutes=15,
    hints=(
        "The output is one product: the heads' results side by side, times w_out. Which rows does head h meet there?",
        "Rows h·d_value to (h + 1)·d_value − 1 belong to head h. `unflatten` on axis 0 cuts w_out into "
        "(n_heads, d_value, d_out).",
        "The results of the heads are (…, n_heads, n_tokens, d_value) before they are merged. One matrix product "
        "multiplies each with its own block.",
    ),
    oracle=oracle,
    cases=cases,
    noise=noise,
    returns=Returns(axes=("..., n_heads, n_tokens, d_out",)),
    variants=made(_function, _MISTAKES),
    words=WORDS
    | {
        "no-output-projection": (
            "The output projection is left out",
            "A head's result has d_value channels. What the head adds to the output is this result times the "
            "head's own rows of w_out.",
        ),
        "output-rows-dealt-out": (
            "A head gets every n_heads-th row of w_out",
            "Side by side, all channels of head 0 come first. So the first d_value rows of w_out belong to head 0.",
        ),
        "first-rows-for-all": (
            "Every head goes through the rows of head 0",
            "Each head has rows of its own in w_out. With the same rows for all, the sum is not the output any more.",
        ),
        "output-shared-evenly": (
            "Every head gets an equal share of the output",
            "The sum is right, but the heads do not add the same. What a head adds depends on its own values and "
            "weights alone.",
        ),
        "heads-summed": (
            "The heads are summed",
            "That is the output of multi-head attention. Return its parts instead, with an axis for the heads.",
        ),
        "head-left-out": (
            "It is the output without the head",
            "What a head adds is the difference between the output and this.",
        ),
        "outputs-accumulated": (
            "Each head's part contains those of the heads before it",
            "What a head adds does not depend on the order of the heads.",
        ),
        "heads-after-tokens": (
            "The axis of the heads stands behind that of the tokens",
            "The result should be (…, n_heads, n_tokens, d_out).",
        ),
    },
)
