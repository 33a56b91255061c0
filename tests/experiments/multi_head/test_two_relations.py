"""Two relations at once: one head loses half, two heads nothing."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.experiments.multi_head import two_relations
from course_attention.experiments.multi_head.partner_sentences import D_PAYLOAD
from course_attention.experiments.multi_head.two_relations import (
    Trained,
    measure,
    read,
    train,
)

SENTENCE = ["six", "brown", "dogs", "saw", "big", "deer"]


SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2))]


@pytest.fixture(scope="module", params=SEEDS)
def two_heads(request: pytest.FixtureRequest) -> Trained:
    return train(2, seed=request.param)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_head_cannot(seed: int) -> None:
    """One head loses half of what is asked for, as the arithmetic says, whichever half it is."""
    run = train(1, seed=seed)
    error, _ = measure(run)
    assert abs(error.mean() - 0.5) < 0.03
    assert abs(run.loss[-50:].mean() - 0.5) < 0.03


def test_two_heads_can(two_heads: Trained) -> None:
    """Two heads of half the size lose nothing, and each relation has its own head."""
    error, shares = measure(two_heads)
    assert (error < 0.05).all()
    assert sorted(shares.argmax(axis=1)) == [0, 1] and (shares.max(axis=1) > 0.9).all()
    assert two_heads.n_parameters == train(1, n_steps=1).n_parameters


def test_removal(two_heads: Trained) -> None:
    """Without a head its relation is lost, and the other stays as it was."""
    whole, shares = measure(two_heads)
    for head in range(2):
        error, _ = measure(two_heads.without_head(head))
        lost = shares[head].argmax()
        assert error[lost] > 0.9 and abs(error[1 - lost] - whole[1 - lost]) < 0.01


def test_untrained_knows_nothing() -> None:
    """Before training, the errors are 1 or more."""
    assert (measure(train(2, n_steps=1))[0] > 0.9).all()


def test_no_difference_without_w_out() -> None:
    """Heads side by side cannot take one from another: half of a difference is lost, and nothing with w_out."""
    joined = train(2, target=two_relations.difference)
    apart = train(2, target=two_relations.difference, project_out=False, d_values=D_PAYLOAD)
    assert joined.loss[-20:].mean() < 0.05 < 0.45 < apart.loss[-20:].mean() < 0.55


def test_passed_function_is_used() -> None:
    """Training uses the function handed in."""
    calls = []

    def attend(*arguments):
        calls.append(len(arguments))
        return two_relations.multi_head_attention(*arguments)

    train(2, n_steps=3, attend=attend)
    assert calls == [6, 6, 6]


def test_reads_words(two_heads: Trained) -> None:
    """A typed sentence is read: word before and partner, as words."""
    weights, given = read(SENTENCE, two_heads)
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
    partners = ["saw", "big", "deer", "six", "brown", "dogs"]
    assert given[1:] == list(zip(SENTENCE[:-1], partners[1:], strict=True))


@pytest.mark.parametrize(
    ("words", "message"),
    [([], "1 to 10 words; got 0"), (["a"] * 11, "got 11"), (["a", "4th"], "got '4th'"), (["élan"], "a to z")],
)
def test_refuses(words: list[str], message: str) -> None:
    """What it has no vector for is refused, and it says why."""
    with pytest.raises(ValueError, match=message):
        read(words, train(2, n_steps=1))
