"""The cases are those of `multi_head_attention`, whose sum over the heads this exercise takes apart."""

import numpy as np

from course_attention.authoring import FunctionExercise, Misconception, Returns
from course_attention.exercises.common.attention import attention_oracle
from course_attention.exercises.common.masking import MASK_MISTAKES
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import changed, each, made
from course_attention.exercises.multi_head.heads import multi_head_in_parts, multi_head_noise, split, times
from course_attention.exercises.multi_head.inputs import HEADS_DIVIDE
from course_attention.exercises.multi_head.mistakes import MISTAKES
from course_attention.exercises.multi_head.multi_head_attention import cases
from course_attention.exercises.multi_head.words import WORDS


def oracle(x, w_query, w_key, w_value, w_out, n_heads, allowed=None) -> np.ndarray:
    """Each head by itself, through its own rows of w_out."""
    queries, keys, values = (np.split(times(x, w), n_heads, axis=-1) for w in (w_query, w_key, w_value))
    added = []
    for query, key, value, rows in zip(queries, keys, values, np.split(w_out, n_heads), strict=True):
        output, _ = attention_oracle(query, key, value, allowed)
        added.append(times(output, rows))
    return np.stack(added, axis=-3)


def _by_block(heads: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    return heads @ w_out.reshape(heads.shape[-3], heads.shape[-1], -1)


def _function(x, w_query, w_key, w_value, w_out, n_heads, allowed=None, *, finish=_by_block, **parts) -> np.ndarray:
    weights = (w_query, w_key, w_value, w_out)
    added, _ = multi_head_in_parts(
        x, x, x, weights, n_heads, allowed, merge=lambda heads: heads, finish=finish, **parts
    )
    return added


def _every_nth_row(heads: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    n_heads, d_value = heads.shape[-3], heads.shape[-1]
    return heads @ w_out.reshape(d_value, n_heads, -1).swapaxes(0, 1)


def _shared_evenly(heads: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    added = _by_block(heads, w_out)
    return np.broadcast_to(added.mean(axis=-3, keepdims=True), added.shape)


def _without_head(heads: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    added = _by_block(heads, w_out)
    return added.sum(axis=-3, keepdims=True) - added


def _values_alone(x, w_query, w_key, w_value, w_out, n_heads, allowed=None) -> np.ndarray:
    return _by_block(split(x @ w_value, n_heads), w_out)


_IN_THE_HEADS = (
    "no-scale",
    "scale-multiplied",
    "softmax-over-queries",
    *MASK_MISTAKES,
    "mask-on-queries",
    "mask-first-item-for-all",
    "mask-no-head-axis",
    "heads-interleaved",
    "first-head-everywhere",
    "first-columns-for-all",
)


def noise(x, w_query, w_key, w_value, w_out, n_heads, allowed=None) -> tuple[float]:
    return multi_head_noise(x, x, x, (w_query, w_key, w_value, w_out), n_heads)[:1]


EXERCISE = FunctionExercise(
    name="head_outputs",
    prompt="Take multi-head attention apart: give what each head adds to the output.",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        "The output is one product: the heads' results side by side, times w_out. Which rows does head h meet there?",
        "Rows h·d_value to (h + 1)·d_value − 1 belong to head h. `unflatten` on axis 0 cuts w_out into "
        "(n_heads, d_value, d_out).",
        "The results of the heads are (…, n_heads, n_tokens, d_value) before they are merged. One matrix product "
        "multiplies each with its own block.",
    ),
    ready_made=ATTENTION,
    oracle=oracle,
    cases=cases,
    mutant_inputs=HEADS_DIVIDE,
    noise=noise,
    returns=Returns(axes=("..., n_heads, n_tokens, d_out",)),
    words=WORDS,
    misconceptions={
        **made(_function, {idea: MISTAKES[idea] for idea in _IN_THE_HEADS}),
        "heads-by-view": changed(_function, *(way for way in MISTAKES["heads-by-view"] if "merge" not in way)),
        "heads-interleaved": changed(_function, *(way for way in MISTAKES["heads-interleaved"] if "merge" not in way)),
        "output-rows-dealt-out": Misconception(
            "A head gets every n_heads-th row of w_out",
            "Side by side, all channels of head 0 come first. So the first d_value rows of w_out belong to head 0.",
            each(_function, "finish", _every_nth_row),
        ),
        "first-rows-for-all": Misconception(
            "Every head goes through the rows of head 0",
            "Each head has rows of its own in w_out. With the same rows for all, the sum is not the output any more.",
            each(_function, "finish", lambda heads, w_out: heads @ w_out[: heads.shape[-1]]),
        ),
        "output-shared-evenly": Misconception(
            "Every head gets an equal share of the output",
            "The sum is right, but the heads do not add the same. What a head adds depends on its own values and "
            "weights alone.",
            each(_function, "finish", _shared_evenly),
        ),
        "attention-left-out": Misconception(
            "The heads do not attend: each token gives its own value",
            "A head first averages the values of all tokens with its weights. What comes of that goes through its rows "
            "of w_out.",
            (_values_alone,),
        ),
        "heads-summed": Misconception(
            "The heads are summed",
            "That is the output of multi-head attention. Return its parts instead, with an axis for the heads.",
            each(_function, "finish", lambda heads, w_out: _by_block(heads, w_out).sum(axis=-3)),
        ),
        "head-left-out": Misconception(
            "It is the output without the head",
            "What a head adds is the difference between the output and this.",
            each(_function, "finish", _without_head),
        ),
        "outputs-accumulated": Misconception(
            "Each head's part contains those of the heads before it",
            "What a head adds does not depend on the order of the heads.",
            each(_function, "finish", lambda heads, w_out: _by_block(heads, w_out).cumsum(axis=-3)),
        ),
        "no-output-projection": Misconception(
            "The output projection is left out",
            "A head's result has d_value channels. What the head adds to the output is this result times the "
            "head's own rows of w_out.",
            each(_function, "finish", lambda heads, w_out: heads),
        ),
        "heads-axis-first": each(_function, "finish", lambda heads, w_out: np.moveaxis(_by_block(heads, w_out), -3, 0)),
        "heads-after-tokens": Misconception(
            "The axis of the heads stands behind that of the tokens",
            "The result should be (…, n_heads, n_tokens, d_out).",
            each(_function, "finish", lambda heads, w_out: _by_block(heads, w_out).swapaxes(-2, -3)),
        ),
    },
)
