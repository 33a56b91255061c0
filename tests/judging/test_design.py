"""A design is judged by what attention with its weights does, and by nothing else about them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch

from course_attention.exercises import CATALOGUE
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.verdict import Verdict
from course_attention.presentation.verdict_text import verdict_text

RELATION = CATALOGUE["relation_weights"]


def relation(score: float, d_key: int = 1) -> Callable:
    """Weights that give a token which asks this score with a token that it finds, and 0 with every other."""

    def relation_weights(n_features, asks, finds):
        w_query, w_key = torch.zeros(2, n_features, d_key, dtype=torch.float64)
        w_query[asks, 0], w_key[finds, 0] = score * math.sqrt(d_key), 1.0
        return w_query, w_key

    return relation_weights


def judged(answer: Callable, seed: int = 0) -> Verdict:
    return RELATION.judge(answer, seed=seed)


@pytest.mark.parametrize("d_key", [1, 2, 50, 500])
def test_just_sharp_enough(d_key, seeds):
    """0.99 of the weight on one token among 64 is enough and less is not, whatever d_key is."""
    needed = math.log(99 * 63)
    for seed in range(seeds):
        assert judged(relation(needed, d_key), seed).status == "passed"
        verdict = judged(relation(needed - 0.01, d_key), seed)
        too_weak = "weights-not-sharp" if d_key == 1 else "no-scale"  # the square root would be enough
        assert (verdict.status, verdict.misconception) == ("failed", too_weak)
        assert [name for name, held in verdict.properties if held is False] == ["long sequences"]


def test_a_little_uneven():
    """A token that asks for nothing may not prefer a key by more than a hundredth of its share."""

    def leaning(score: float) -> Callable:
        def relation_weights(n_features, asks, finds):
            w_query, w_key = torch.zeros(n_features, 1), torch.zeros(n_features, 1)
            w_query[:], w_query[asks], w_key[finds] = score / 20, 20.0, 20.0
            return w_query, w_key

        return relation_weights

    assert judged(leaning(0.005 / 20)).status == "passed"
    assert judged(leaning(0.05)).status == "failed"


@pytest.mark.parametrize("number", [0.0, 1.0, -3.0])
def test_constant_weights_earn_nothing(number, seeds):
    """Weights that are all the same make attention even, and no property holds but the shape."""

    def relation_weights(n_features, asks, finds):
        return torch.full((2, n_features, 3), number).unbind()

    for seed in range(seeds):
        verdict = judged(relation_weights, seed)
        assert {name for name, held in verdict.properties if held} <= {"shape"}
        assert verdict.misconception == "relation-nowhere"


@pytest.mark.parametrize(
    ("made", "kind", "part"),
    [
        (lambda n: torch.zeros(n, 2), "Something else is returned", "(w_query, w_key) should be returned"),
        (lambda n: (torch.zeros(n, 2), torch.zeros(n, 3)), "The shape", "the same d_key; got 2 and 3"),
        (
            lambda n: (torch.zeros(n + 1, 2), torch.zeros(n + 1, 2)),
            "The shape",
            "w_query should have shape (",
        ),
        (lambda n: (torch.zeros(n, 2), torch.zeros(n)), "The shape", "w_key should have shape ("),
        (lambda n: (torch.zeros(n, 0), torch.zeros(n, 0)), "The shape", "w_query should have shape ("),
        (lambda n: (torch.zeros(n, 1), "w"), "A result has another type", "w_key should be a tensor"),
        (lambda n: (torch.zeros(n, 1), 3.0), "A result has another type", "w_key should be a tensor"),
        (
            lambda n: (np.zeros((n, 1)), np.zeros((n, 1))),
            "A result has another type",
            "w_query should be a tensor",
        ),
        (lambda n: (torch.full((n, 1), math.nan), torch.ones(n, 1)), "The result holds NaN", "nan"),
    ],
)
def test_what_are_no_weights(made, kind, part):
    """What cannot be put into attention is said to be so, and how."""
    verdict = judged(lambda n_features, asks, finds: made(n_features))
    assert verdict.status == "failed" and verdict.idea.startswith(kind)
    assert part in verdict_text(verdict)
    assert "One number is asked for" not in verdict.explanation


def test_shows_both_matrices():
    """The example holds the sequence, the attention that was asked for, and the one that came."""
    example = judged(relation(1.0)).example
    assert list(example.inputs) == ["n_features", "asks", "finds", "tokens"]
    n_tokens = len(example.inputs["tokens"])
    assert example.part == "attention weights"
    assert example.expected.shape == example.received.shape == (n_tokens, n_tokens)
    np.testing.assert_allclose(example.received.sum(axis=-1), 1.0)


def test_sequences_differ(seeds):
    """The sequences have none, one and several tokens to find, equal features, and up to 64 tokens, at every seed."""
    for seed in range(seeds):
        plain = [prepared.case.plain() for prepared in drawn_cases(RELATION.exercise, seed)]
        found = [int((p["tokens"] == p["finds"]).sum()) for p in plain]
        assert {0, 1, 2} <= set(found)
        assert {p["asks"] == p["finds"] for p in plain} == {True, False}
        lengths = {len(p["tokens"]) for p in plain}
        assert (min(lengths), max(lengths)) == (1, 64)
        assert all(set(p["tokens"]) <= set(range(p["n_features"])) for p in plain)
