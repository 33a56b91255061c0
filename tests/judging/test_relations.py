"""Where wrong numbers relate to the right ones in a simple way, the card says in which, and no more than is true."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from course_attention.exercises import CATALOGUE
from course_attention.judging import judge
from course_attention.judging.relations import relation
from course_attention.judging.seen_numbers import SeenNumbers


def _dot(state, memory):
    return (memory @ state[..., None]).squeeze(-1)


def _softmax(scores, axis=-1):
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


ANSWERS = {
    "factor": ("attention_scores", lambda state, memory: 3 * _dot(state, memory), "times 3. Is a factor missing"),
    "base of the logarithm": (
        "attention_scores",
        lambda state, memory: _dot(state, memory) / math.log(2),
        "times 1.44, which is 1 / ln 2, the factor between logarithms to the base 2 and natural ones.",
    ),
    "sign": ("attention_scores", lambda state, memory: -_dot(state, memory), "right but for its sign"),
    "length": (
        "attention_scores",
        lambda state, memory: _dot(state, memory) * memory.shape[-1],
        "times 2, which is how long the last axis of `state` is",
    ),
    "absolute value": ("attention_scores", lambda state, memory: _dot(state, memory).abs(), "has lost its sign"),
    "tanh": ("attention_scores", lambda state, memory: _dot(state, memory).tanh(), "Is there a tanh too many?"),
    "back to front": (
        "attention_scores",
        lambda state, memory: _dot(state, memory).flip(-1),
        "back to front along `n_source`",
    ),
    "one number added": ("attention_scores", lambda state, memory: _dot(state, memory) + 1, "the right one plus 1."),
    "of each row": (
        "attention_scores",
        lambda state, memory: _dot(state, memory) - _dot(state, memory).amax(-1, keepdim=True),
        "where another row has another number",
    ),
    "an input": (
        "project",
        lambda x, w_query, w_key, w_value: (x @ w_query, x @ w_key, (x @ w_value).tanh()),
        "tanh of the right one",
    ),
    "scores doubled": ("softmax", lambda scores, axis=-1: _softmax(2 * scores, axis), "of the right ones times 2"),
    "scores turned": ("softmax", lambda scores, axis=-1: _softmax(-scores, axis), "The lowest score gets the largest"),
    "powers of 2": (
        "softmax",
        lambda scores, axis=-1: _softmax(scores * np.log(2), axis),
        "where 2, and not e, is raised to the scores",
    ),
    "a sum that is not 1": (
        "softmax",
        lambda scores, axis=-1: _softmax(scores, axis) / np.shape(scores)[axis],
        "The weights do not sum to 1",
    ),
}


@pytest.mark.parametrize("slip", ANSWERS)
def test_relations_are_told(slip):
    """The sentence is true at every seed, and the answer has no other name."""
    exercise, answer, sentence = ANSWERS[slip]
    for seed in range(5):
        verdict = judge(CATALOGUE[exercise].exercise, answer, seed=seed)
        assert (verdict.status, verdict.misconception) == ("failed", None)
        assert sentence in f"{verdict.idea}. {verdict.explanation}"


def test_what_has_no_relation_is_asked_for_once_more():
    """Where nothing simple leads from the right numbers to the wrong ones, the card says what was asked for."""
    verdict = judge(
        CATALOGUE["attention_scores"].exercise, lambda state, memory: -torch.cdist(state[:, None], memory)[:, 0]
    )
    assert verdict.explanation.startswith("Asked for: Score each encoder state")


RIGHT = np.array([[1.0, -2.0, 0.5], [3.0, 5.0, -1.0]])
ARRAYS = {
    "one factor is no factor of every case": ([2 * RIGHT, RIGHT + 1], ""),
    "an input is added": ([RIGHT + 7 * RIGHT**3], "To the right numbers, `x` is added."),
    "an input comes": ([7 * RIGHT**3], "What came is `x` itself"),
    "rows alike": (
        [RIGHT[[0, 0]]],
        "Along `rows` all numbers are the same, and the right ones are not. They are those",
    ),
    "means": ([RIGHT.mean(0, keepdims=True) + 0 * RIGHT], "They are the mean of the right ones."),
    "alike": ([np.array([[1.0, 2.0, 3.0]] * 2)], "Which input should make them differ?"),
    "sums": ([RIGHT.cumsum(1)], "of the right one, and of all before it along `columns`"),
    "the first column": ([RIGHT + np.array([0.0, 1.0, 2.5])], "Along `columns` the first is right"),
    "the last column": ([RIGHT + np.array([0.0, 0.0, 2.5])], "Along `columns` the last alone is wrong"),
    "right in another case": ([RIGHT + np.array([0.0, 1.0, 2.5]), RIGHT], ""),
    "moved": ([RIGHT[:, [2, 0, 1]]], "each is one place after its own"),
    "elsewhere": ([RIGHT.T.reshape(2, 3)], "They are the right numbers, in other places."),
    "below 0": ([RIGHT.clip(0)], "What is below 0 has become 0"),
    "rows scaled": ([RIGHT * [[2.0], [3.0]]], "Each row is the right one times a number of its own: 2 for the first."),
    "nothing simple": ([RIGHT**2 + np.sin(np.arange(6.0)).reshape(2, 3)], ""),
    "not finite": ([RIGHT * np.inf], ""),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_sentences(name):
    """Each sentence holds of all the cases that it is said of."""
    received, sentence = ARRAYS[name]
    said = relation("rows, columns", [SeenNumbers(RIGHT, one, {"x": 7 * RIGHT**3}) for one in received])
    assert sentence in said if sentence else said == ""


SQUARE = np.arange(1.0, 17.0).reshape(4, 4) ** 2
IN_SQUARES = {
    "left": (SQUARE + np.tril(SQUARE**2, -1), "All wrong numbers are left of the diagonal."),
    "diagonal": (SQUARE + np.diag([3.0, 1.0, 4.0, 2.0]), "All wrong numbers are on the diagonal"),
    "both sides": (np.diag(np.diag(SQUARE)) + np.eye(4)[::-1], "On the diagonal all numbers are right"),
    "symmetric": (np.cos(SQUARE + SQUARE.T), "the same for (i, j) and for (j, i)"),
    "neither": (SQUARE + np.cos(SQUARE), ""),
}


@pytest.mark.parametrize("name", IN_SQUARES)
def test_squares(name):
    """Of a table of pairs, it is said where the wrong numbers lie."""
    received, sentence = IN_SQUARES[name]
    said = relation("n_tokens, n_tokens", [SeenNumbers(SQUARE, received, {})])
    assert sentence in said if sentence else "diagonal" not in said


MASK = np.tril(np.ones((4, 4))) * (1 - np.eye(4, k=-3))  # a causal window of 3
OF_MASKS = {
    "the future allowed": (np.maximum(MASK, np.triu(np.ones((4, 4)))), "All wrong entries are right of the diagonal."),
    "too much": (np.ones((4, 4)) - np.eye(4, k=2), "and so is some of what should be blocked"),
    "too little": (MASK * (1 - np.eye(4)[1]) * (1 - np.eye(4)[2])[:, None], "What should be blocked is blocked"),
    "turned": (MASK.T, "They are the right entries, with rows and columns exchanged."),
    "neither": (np.eye(4)[[3, 1, 0, 2]], ""),
}


@pytest.mark.parametrize("name", OF_MASKS)
def test_masks(name):
    """Of a mask, it is said where it allows too much or too little, and never that numbers are wrong."""
    received, sentence = OF_MASKS[name]
    said = relation("n_queries, n_keys", [SeenNumbers(MASK, received, {})], is_mask=True)
    assert (sentence in said if sentence else said == "") and "number" not in said


def test_a_mask_without_a_name():
    """The card speaks of a mask, and not of numbers."""

    def first_token_always(n_tokens, width):
        allowed = torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril().triu(1 - width)
        allowed[:, 0] = True
        return allowed

    verdict = judge(CATALOGUE["window_mask"].exercise, first_token_always)
    assert verdict.idea == "The mask is not right" and "number" not in verdict.explanation
