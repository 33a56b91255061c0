"""Code that was written elsewhere is judged by the part of a contract that it is meant to meet, in its own form."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention, softmax

import course_attention
from course_attention.exercises import CATALOGUE
from course_attention.judging.exercise import FunctionExercise
from course_attention.testing import assert_right, judge

ONLY = {"results": ["output"]}


def heads_last(query, key, value, allowed=None):
    query, key, value = (one.transpose(1, 2) for one in (query, key, value))
    return scaled_dot_product_attention(query, key, value, allowed).transpose(1, 2)


def sequence_first(query, key, value, allowed=None):
    query, key, value = (one.transpose(0, 1) for one in (query, key, value))
    return scaled_dot_product_attention(query, key, value, allowed).transpose(0, 1)


def flat_heads(query, key, value, allowed=None):
    batch, n_heads, _, _ = query.shape  # takes these four axes and no others
    flat = [one.reshape(batch * n_heads, *one.shape[2:]) for one in (query, key, value)]
    if allowed is not None:
        allowed = allowed.expand(batch, n_heads, -1, -1).flatten(0, 1)
    return scaled_dot_product_attention(*flat, allowed).reshape(batch, n_heads, *query.shape[2:3], value.shape[-1])


def in_numpy(query, key, value, allowed=None):
    scores = query @ key.swapaxes(-1, -2) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = np.where(allowed, scores, np.finfo(scores.dtype).min)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    if allowed is not None:
        weights = weights * allowed
    weights = weights / np.maximum(weights.sum(-1, keepdims=True), np.finfo(scores.dtype).tiny)
    return weights @ value, weights


def with_blocked(query, key, value, blocked=None):
    return scaled_dot_product_attention(query, key, value, None if blocked is None else ~blocked)


def unscaled(query, key, value, allowed=None):
    return scaled_dot_product_attention(query, key, value, allowed, scale=1.0)


RIGHT = {
    "axes as here": (scaled_dot_product_attention, {}),
    "a mask that is added": (scaled_dot_product_attention, {"mask": "added"}),
    "True where it may not": (with_blocked, {"mask": "blocked"}),
    "heads last": (heads_last, {"layout": "batch n heads d"}),
    "the sequence first": (sequence_first, {"layout": "n batch d"}),
    "four axes": (flat_heads, {"layout": "batch heads n d", "mask": "added"}),
}


@pytest.mark.parametrize("form", RIGHT)
def test_right_code_in_another_form(form):
    """What gives the right numbers in its own form passes whole: gradients, dtypes and the simulated GPU are tried."""
    function, how = RIGHT[form]
    verdict = judge("attention", function, **ONLY, **how)
    assert verdict.status == "passed", verdict.message
    assert {"gradients", "device", "dtypes", "mask"} <= {name for name, holds in verdict.properties if holds}


@pytest.mark.parametrize("form", RIGHT)
def test_the_form_matters(form):
    """The same code without its form, or in that of another, does not pass: what `how` says is what is done."""
    function, how = RIGHT[form]
    other = {"layout": "batch heads d n"} if not how or how == {"mask": "added"} else {}
    assert judge("attention", function, **ONLY, **other).status != "passed"


@pytest.mark.parametrize("layout", ["... n d", "batch n heads d", "n batch d"])
def test_a_mistake_has_the_same_name_in_every_layout(layout):
    """A wrong idea is named whatever form the code has, also where it returns the output alone."""
    forms = {"... n d": unscaled, "batch n heads d": heads_last, "n batch d": sequence_first}

    def wrong(query, key, value, allowed=None):
        return forms[layout](query * query.shape[-1] ** 0.5, key, value, allowed)

    wrong = unscaled if layout == "... n d" else wrong
    assert judge("attention", wrong, layout=layout, **ONLY).misconception == "no-scale"


def test_numpy():
    """NumPy code is judged by its numbers and its dtypes, and not by what NumPy has none of."""
    verdict = judge("attention", in_numpy, arrays="numpy")
    assert verdict.status == "passed", verdict.message
    assert not {"gradients", "device"} & set(dict(verdict.properties))
    assert judge("attention", in_numpy, arrays="numpy", layout="batch heads n d").status == "passed"


def test_numpy_that_changes_its_argument():
    """An argument that is changed is found where the code got a copy of it, with its axes moved."""

    def changing(query, key, value, allowed=None):
        query *= 1.5
        return in_numpy(query / 1.5, key, value, allowed)

    for layout in ("... n d", "batch n heads d"):
        verdict = judge("attention", changing, arrays="numpy", layout=layout, without=["dtypes"])
        assert (verdict.misconception, layout) == ("input-changed", layout)


def test_torch_for_an_exercise_on_arrays():
    """An exercise in NumPy takes code in torch too."""

    def in_torch(scores, axis=-1):
        return softmax(scores, axis, dtype=scores.dtype if scores.is_floating_point() else torch.float64)

    assert judge("softmax", in_torch, arrays="torch").status == "passed"
    assert judge("softmax", in_torch).status == "errored"


def test_an_argument_that_is_missing():
    """Code without a mask is right without masks, and not asked for them."""

    def no_mask(query, key, value):
        return scaled_dot_product_attention(query, key, value)

    assert judge("attention", no_mask, **ONLY).status == "errored"
    verdict = judge("attention", no_mask, without=["allowed"], **ONLY)
    assert verdict.status == "passed"
    assert not {"mask", "nothing allowed"} & set(dict(verdict.properties))
    assert_right("masked_softmax", lambda scores: softmax(scores, -1), without=["allowed"])


def test_a_property_that_is_left_out():
    """NaN for a query that may attend to nothing is a mistake in the course; elsewhere it may be meant."""

    def nan(query, key, value, allowed=None):
        scores = query @ key.mT / query.shape[-1] ** 0.5
        weights = (scores if allowed is None else scores.masked_fill(~allowed, float("-inf"))).softmax(-1)
        return weights @ value, weights

    assert judge("attention", nan).misconception == "mask-fully-nan"
    assert judge("attention", nan, without=["nothing allowed"]).status == "passed"
    detached = judge("attention", lambda *a: tuple(one.detach() for one in nan(*a)), without=["nothing allowed"])
    assert detached.misconception == "detached"
    left_out = ["nothing allowed", "gradients"]
    assert judge("attention", lambda *a: tuple(one.detach() for one in nan(*a)), without=left_out).status == "passed"


def test_dtypes():
    """Code for float32 alone gets nothing else, and is not asked for gradients."""
    seen = set()

    def in_float32(query, key, value, allowed=None):
        seen.update(one.dtype for one in (query, key, value))
        return scaled_dot_product_attention(query, key, value, allowed)

    verdict = judge("attention", in_float32, dtypes=["float32"], **ONLY)
    assert verdict.status == "passed"
    assert seen == {torch.float32}
    assert "gradients" not in dict(verdict.properties)


def test_results_in_another_order():
    """Results are known by their names, in the order that is said."""

    def weights_first(*arguments):
        return course_attention.attention(*arguments)[::-1]

    assert judge("attention", weights_first, results=["weights", "output"]).status == "passed"
    assert judge("attention", weights_first).status == "failed"


def test_a_module():
    """A module class is judged as it is; the form of functions is refused."""

    class Doubled(nn.Module):
        def forward(self, x):
            return 2 * x

    assert judge("SelfAttention", Doubled).status != "passed"
    assert judge("SelfAttention", Doubled, without=["gradients"]).status != "passed"
    with pytest.raises(ValueError, match="module class"):
        judge("SelfAttention", Doubled, layout="n batch d")


def test_a_number():
    """A predicted number has no form to choose."""
    assert judge("score_variance", 0.0).status == "failed"
    with pytest.raises(ValueError, match="answered by a value: only seed and device"):
        judge("score_variance", 0.0, layout="n batch d")


def test_assert_right_says_what_the_verdict_says():
    """A test of theirs fails with the name of the idea and the smallest case."""
    with pytest.raises(AssertionError) as failed:
        assert_right("attention", unscaled, **ONLY)
    text = str(failed.value)
    assert text.startswith("attention at seed 0: ")
    assert judge("attention", unscaled, **ONLY).idea in text
    assert "Smallest case" in text


def test_assert_right_tries_every_seed():
    """A seed draws cases of its own."""
    seen = []
    assert_right("masked_softmax", lambda scores: seen.append(scores) or softmax(scores, -1), without=["allowed"])
    once = len(seen)
    assert_right(
        "masked_softmax", lambda scores: seen.append(scores) or softmax(scores, -1), without=["allowed"], seeds=(0, 1)
    )
    assert len(seen) == 3 * once


BAD = [
    ("attentoin", {}, "no exercise is called 'attentoin'; did you mean attention"),
    ("attention", {"layout": "batch"}, "layout should be"),
    ("attention", {"mask": "inverted"}, "mask should be one of 'allowed', 'blocked', 'added'; got 'inverted'"),
    ("attention", {"arrays": "jax"}, "arrays should be one of 'torch', 'numpy'; got 'jax'"),
    ("attention", {"results": ["scores"]}, "has the results output, weights; got 'scores'"),
    ("attention", {"without": ["masks"]}, "without 'masks'; the arguments that can be left out are allowed"),
    ("attention", {"dtypes": ["float8"]}, "dtypes should be among float64, .*; got 'float8'"),
    ("attention", {"dtypes": ["bfloat16"], "arrays": "numpy"}, "NumPy has no bfloat16"),
]


@pytest.mark.parametrize(("name", "how", "said"), BAD)
def test_bad_options(name, how, said):
    """What is asked for and does not exist is said in words, before anything is judged."""
    with pytest.raises(ValueError, match=said):
        judge(name, scaled_dot_product_attention, **how)


def test_nothing_left_to_ask():
    """Where everything is left out there is no verdict: silence would be a pass."""
    every = [case.property.name for case in _cases("causal_mask")]
    with pytest.raises(ValueError, match="nothing is left to ask for"):
        judge("causal_mask", lambda *_: None, without=every)


def _cases(name):
    from course_attention.judging.drawn_cases import drawn_cases

    return [prepared.case for prepared in drawn_cases(CATALOGUE[name].exercise, 0)]


def takes_tensors(exercise):
    return isinstance(exercise, FunctionExercise) and exercise.kind == "function" and exercise.library == "torch"


ON_TENSORS = [
    name
    for name, entry in CATALOGUE.items()
    if takes_tensors(entry.exercise) and not entry.exercise.returns.from_sizes_only
]


@pytest.mark.parametrize("name", ON_TENSORS)
def test_every_right_answer_in_another_library(name):
    """Each helper, wrapped into NumPy code, passes as NumPy code: the wrapper loses no argument and no result."""
    helper = getattr(course_attention, name)

    def there(value):
        return torch.from_numpy(value) if isinstance(value, np.ndarray) else value

    def back(value):
        if isinstance(value, tuple):
            return tuple(map(back, value))
        return value.numpy() if isinstance(value, torch.Tensor) else value

    def code(*arguments):
        return back(helper(*(tuple(map(there, one)) if isinstance(one, tuple) else there(one) for one in arguments)))

    assert judge(name, code, arrays="numpy", without=["memory"]).status == "passed"
