"""Notebook 03: attention within one sequence, and the ways to get it wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.exercises import self_attention_cases
from course_attention.exercises.attention_parts import (
    ATTENTION_MISTAKES,
    Pair,
    attend,
    attention_noise,
    attention_oracle,
    dot,
    largest,
    pairwise,
    product_noise,
    scaled_by,
    variants,
)
from course_attention.exercises.convolution_mistakes import CONVOLUTION_MISTAKES
from course_attention.exercises.mask_mistakes import overflowing
from course_attention.exercises.self_attention_ideas import IDEAS
from course_attention.judging.exercise import Exercise

NOTEBOOK = "03_self_attention"
Triple = tuple[np.ndarray, np.ndarray, np.ndarray]


# The oracles: one number at a time.


def project_oracle(x: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, w_value: np.ndarray) -> Triple:
    """x · column of w, for each token and each column."""
    return tuple(pairwise(x, w.T, dot) for w in (w_query, w_key, w_value))


def self_oracle(
    x: np.ndarray,
    w_query: np.ndarray,
    w_key: np.ndarray,
    w_value: np.ndarray,
    allowed: np.ndarray | None = None,
) -> Pair:
    """Attention with queries, keys and values from x."""
    return attention_oracle(*project_oracle(x, w_query, w_key, w_value), allowed)


def interaction_oracle(w_query: np.ndarray, w_key: np.ndarray) -> np.ndarray:
    """M_ab = Σ_c w_query_ac · w_key_bc / √d_key."""
    return pairwise(w_query, w_key, lambda a, b: dot(a, b) / len(a) ** 0.5)


def convolution_oracle(kernel: np.ndarray, n_tokens: int) -> np.ndarray:
    """M_ij is the sum of the kernel[t] with j = i + t − len // 2, of which there is one or none."""
    mixing = np.zeros((n_tokens, n_tokens))
    for i in range(n_tokens):
        for t, weight in enumerate(kernel):
            j = i + t - len(kernel) // 2
            if 0 <= j < n_tokens:
                mixing[i, j] += weight
    return mixing


# The same in a line or two, with each part exchangeable for a wrong one.

Project = Callable[..., Triple]


def _project(x, w_query, w_key, w_value) -> Triple:
    return x @ w_query, x @ w_key, x @ w_value


def _transposed(*which: int) -> Project:
    """The projections with some of the three matrices turned."""

    def project(x, w_query, w_key, w_value):
        return tuple(x @ (w.T if n in which else w) for n, w in enumerate((w_query, w_key, w_value)))

    return project


def _from(*sources: int | None) -> Project:
    """Query, key and value, each made with the matrix of this number, or not projected."""

    def project(x, w_query, w_key, w_value):
        weights = (w_query, w_key, w_value)
        return tuple(x if source is None else x @ weights[source] for source in sources)

    return project


QUERY, KEY, VALUE = 0, 1, 2
VALUE_LIKE_KEY = _from(QUERY, KEY, KEY)
SHARED = (
    _from(QUERY, QUERY, VALUE),
    _from(KEY, KEY, VALUE),
    _from(QUERY, KEY, QUERY),
    _from(QUERY, QUERY, QUERY),
    _from(KEY, KEY, KEY),
    _from(VALUE, VALUE, VALUE),
)
PROJECTIONS: dict[str, tuple[Project, ...]] = {
    "roles-swapped": (_from(KEY, QUERY, VALUE),),
    "shared-projection": SHARED,
    "value-not-projected": (_from(QUERY, KEY, None),),
    "no-projection": (_from(None, None, None), _from(None, None, VALUE)),
    "projection-transposed": (_transposed(0, 1, 2), _transposed(0), _transposed(1), _transposed(2)),
}


def _self_attention(x, w_query, w_key, w_value, allowed=None, project=_project, attend=attend) -> Pair:
    return attend(*project(x, w_query, w_key, w_value), allowed)


def _scaled_by_model(x, w_query, w_key, w_value, allowed=None) -> Pair:
    score = scaled_by(lambda query, key, value: np.sqrt(x.shape[-1]))
    return _self_attention(x, w_query, w_key, w_value, allowed, attend=partial(attend, score=score))


def _overflowing_zeroed(scores, allowed=None) -> np.ndarray:
    # Who turns NaN into 0 for rows of nothing allowed turns ∞/∞ into 0 as well.
    return np.nan_to_num(overflowing(scores, allowed))


# Where values are made like keys, the weights average the keys: that has a name of its own.
_SELF_MISTAKES = {
    **variants(_self_attention, "attend", ATTENTION_MISTAKES),
    **variants(_self_attention, "project", PROJECTIONS),
}
_SELF_MISTAKES["scale-wrong-axis"] += (_scaled_by_model,)
_SELF_MISTAKES["softmax-overflows"] += (
    partial(_self_attention, attend=partial(attend, weigh=_overflowing_zeroed)),
)


def _layer(x, allowed=None, compute=_self_attention, **rest) -> Pair:
    """What takes matrices, as a layer: its weights are those of `nn.Linear`, the other way round."""
    return compute(x, *(rest[f"w_{name}.weight"].T for name in ("query", "key", "value")), allowed)


def layer_oracle(x: np.ndarray, allowed: np.ndarray | None = None, **rest) -> Pair:
    """Self-attention with the layer's weights."""
    return _layer(x, allowed, self_oracle, **rest)


def _interaction(w_query, w_key, multiply=lambda q, k: q @ k.T, scale=lambda q: np.sqrt(q.shape[-1])):
    return multiply(w_query, w_key) / scale(w_query)


# Noise, in units of epsilon: a projection's own, what the scores inherit from both sides, and what the softmax adds.


def _project_noise(x, w_query, w_key, w_value) -> tuple[float, ...]:
    return tuple(product_noise(x, w.T) for w in (w_query, w_key, w_value))


def _self_noise(x, w_query, w_key, w_value, allowed=None) -> tuple[float, float]:
    query, key, value = (np.abs(x) @ np.abs(w) for w in (w_query, w_key, w_value))
    inherited = np.sqrt(x.shape[-1])
    output, weights = attention_noise(2 * inherited * query, key, value)
    return output + inherited * largest(value), weights


def _layer_noise(x, allowed=None, **rest) -> tuple[float, float]:
    return _layer(x, allowed, _self_noise, **rest)


EXERCISES = (
    Exercise(
        name="project",
        notebook=NOTEBOOK,
        prompt="Make queries, keys and values from one sequence, with a matrix for each.",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "Tokens are rows, and a matrix is (d_in, d_out). Which product of the two keeps tokens as rows?",
            "Three such products, returned in the order query, key, value.",
        ),
        parts=("query", "key", "value"),
        oracle=project_oracle,
        cases=self_attention_cases.project_cases,
        noise=_project_noise,
        wrong={
            **PROJECTIONS,
            "shared-projection": (*SHARED, VALUE_LIKE_KEY),
            "values-first": (
                _from(VALUE, QUERY, KEY),
                _from(VALUE, KEY, QUERY),
                _from(QUERY, VALUE, KEY),
                _from(KEY, VALUE, QUERY),
            ),
            "scale-added": (
                lambda x, w_query, w_key, w_value: (
                    x @ w_query / np.sqrt(w_query.shape[-1]),
                    x @ w_key,
                    x @ w_value,
                ),
                lambda x, w_query, w_key, w_value: (
                    x @ w_query / w_query.shape[-1] ** 0.25,
                    x @ w_key / w_key.shape[-1] ** 0.25,
                    x @ w_value,
                ),
            ),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="self_attention",
        notebook=NOTEBOOK,
        prompt="Let a sequence attend to itself, with an optional mask, and give the output and the weights.",
        points=2,
        difficulty=1,
        minutes=10,
        hints=(
            "The queries, keys and values are those of the exercise before.",
            "What follows the projections is `attention` from notebook 02, which takes the mask as it is.",
        ),
        parts=("output", "weights"),
        oracle=self_oracle,
        cases=self_attention_cases.self_attention_cases,
        noise=_self_noise,
        wrong=_SELF_MISTAKES,
        ideas=IDEAS,
    ),
    Exercise(
        name="interaction_matrix",
        notebook=NOTEBOOK,
        prompt="Join W_Q, W_K and the scale in one matrix M, so that the scores are X M Xᵀ.",
        points=2,
        difficulty=2,
        minutes=10,
        hints=(
            "Write the scores out: (X W_Q)(X W_K)ᵀ / √d_key. What is the transpose of a product?",
            "Everything between X on the left and Xᵀ on the right is M. It is (d_model, d_model).",
        ),
        oracle=interaction_oracle,
        cases=self_attention_cases.interaction_cases,
        noise=lambda w_query, w_key: (product_noise(w_query, w_key),),
        wrong={
            "no-scale": (partial(_interaction, scale=lambda q: 1.0),),
            "scale-by-d": (partial(_interaction, scale=lambda q: q.shape[-1]),),
            "scale-multiplied": (partial(_interaction, scale=lambda q: q.shape[-1] ** -0.5),),
            "scale-wrong-axis": (partial(_interaction, scale=lambda q: np.sqrt(q.shape[0])),),
            "interaction-order": (
                partial(_interaction, multiply=lambda q, k: k @ q.T),
                partial(_interaction, multiply=lambda q, k: q.T @ k),
                partial(_interaction, multiply=lambda q, k: k.T @ q),
            ),
            "key-weight-not-transposed": (
                partial(_interaction, multiply=lambda q, k: q @ k),
                partial(_interaction, multiply=lambda q, k: q @ k.reshape(k.shape[::-1])),
            ),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="SelfAttention",
        notebook=NOTEBOOK,
        prompt="Make self-attention a layer: an nn.Module with three projections that can be trained.",
        points=3,
        difficulty=2,
        minutes=20,
        hints=(
            "`__init__` makes three `nn.Linear`, under the names in the docstring. Which two sizes has each? No bias.",
            "`nn.Linear` is applied by calling it: `self.w_query(x)`. It takes any leading axes.",
            "`forward` is `self_attention` with the layer's own projections. Both results are returned.",
        ),
        kind="module",
        parts=("output", "weights"),
        oracle=layer_oracle,
        cases=self_attention_cases.module_cases,
        noise=_layer_noise,
        wrong={
            name: tuple(partial(_layer, compute=compute) for compute in ways)
            for name, ways in _SELF_MISTAKES.items()
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="convolution_mixing",
        notebook=NOTEBOOK,
        prompt="Write the matrix by which a convolution with a given kernel mixes tokens.",
        points=2,
        difficulty=3,
        minutes=20,
        hints=(
            "Row i says what output i is made of: kernel[t] stands in the column i + t − len(kernel)//2.",
            "Columns before 0 and from n_tokens on do not exist, and what would stand there is left out. A loop over i "
            "and t does it; mind that an index of −1 is the last column.",
            "Gradients must reach the kernel, and the matrix has its dtype and device: see `kernel.new_zeros`.",
        ),
        oracle=convolution_oracle,
        cases=self_attention_cases.convolution_cases,
        noise=lambda kernel, n_tokens: (largest(kernel),),
        wrong=CONVOLUTION_MISTAKES,
        ideas=IDEAS,
    ),
    Exercise(
        name="self_attention_parameters",
        notebook=NOTEBOOK,
        prompt="How many parameters has self-attention with d_model 512 and d_key = d_value = 64, without biases?",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "The formula of attention has no parameters. Which matrices come before it?",
            "A matrix has as many entries as rows times columns.",
        ),
        kind="value",
        value=98304,
        wrong_values={
            "output-projection-counted": (131072,),
            "biases-counted": (98496,),
            "one-matrix-forgotten": (65536,),
            "one-matrix": (32768,),
            "square-matrices": (786432,),
            "square-value": (327680,),
            "sizes-added": (1728, 576, 192),
            "formula-alone": (0,),
            "model-size-forgotten": (12288,),
            "interaction-counted": (294912, 262144),
        },
        ideas=IDEAS,
    ),
)
