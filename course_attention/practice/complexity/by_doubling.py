"""A linear recurrence in few sequential steps: after each round, every row is a sum of twice as many terms."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from course_attention.experiments.common.cost_counters import sequential_steps
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.leaves import differences


def by_doubling(x, a):
    """Join each row with the one `terms` places before it, and square the matrix."""
    states, terms = x, 1
    while terms < len(x):
        earlier = F.pad(states[:-terms], (0, 0, terms, 0))
        states = states + earlier @ a
        a, terms = a @ a, 2 * terms
    return states


def one_by_one(x, a):
    states = [x[:1]]
    for t in range(1, len(x)):
        states.append(states[-1] @ a + x[t])
    return torch.cat(states)


def _rounds(x, a, n_rounds=None, square=True, stride=2, roll=False, keep=True):
    states, terms, done = x, 1, 0
    while terms < len(x) and (n_rounds is None or done < n_rounds):
        earlier = states.roll(terms, 0) if roll else F.pad(states[:-terms], (0, 0, terms, 0))
        states = (states if keep else x) + earlier @ a
        a, terms, done = a @ a if square else a, stride * terms if stride > 1 else terms + 1, done + 1
    return states


def matrix_not_squared(x, a):
    return _rounds(x, a, square=False)


def around_the_end(x, a):
    return _rounds(x, a, roll=True)


def one_round(x, a):
    return _rounds(x, a, n_rounds=1)


def one_round_less(x, a):
    return _rounds(x, a, n_rounds=max((len(x) - 1).bit_length() - 1, 0))


def always_one_place(x, a):
    states, terms = x, 1
    while terms < len(x):
        states = states + F.pad(states[:-1], (0, 0, 1, 0)) @ a
        a, terms = a @ a, 2 * terms
    return states


def sums_not_kept(x, a):
    return _rounds(x, a, keep=False)


def _states_and_steps(answer: Callable[..., Any], x: Tensor, a: Tensor) -> Any:
    """Return the states, and where they are right, whether there were more steps than rounds are needed."""
    states = answer(x, a)
    if differences(one_by_one(x, a), states):
        return states, "counted where the states are right"
    steps = sequential_steps(lambda: answer(x, a))
    enough = (len(x) - 1).bit_length()
    return states, "no more than needed" if steps <= enough else f"{steps} where {enough} are enough"


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield three tokens of one number, then texts whose lengths are powers of two and others."""
    yield Trial(
        "three tokens, all 1; A is 0.5",
        {"x": torch.ones(3, 1), "a": torch.tensor([[0.5]])},
        (torch.tensor([[1.0], [1.5], [1.75]]), "no more than needed"),
        _states_and_steps,
        says="h₀ = 1, h₁ = 1 + 0.5 · 1 and h₂ = 1 + 0.5 · 1.5. After the first round the rows are 1, 1.5 and 1.5. The "
        "second round adds 0.25 times the row two places before. Two steps are enough.",
    )
    for n_tokens in (13, 8, 1, 5):
        x, a = (torch.randn(n, 4, generator=generator, dtype=torch.float64) / 4 for n in (n_tokens, 4))
        tokens = "one token" if n_tokens == 1 else f"{n_tokens} tokens"
        yield Trial(
            f"{tokens} of length 4",
            {"x": x, "a": a},
            run=_states_and_steps,
            says="The number of terms doubles in each round, so the number of rounds is the logarithm of n_tokens with "
            "base 2, rounded up.",
        )


PRACTICE = Practice(
    name="by_doubling",
    prompt="The states of a linear recurrence, in as few sequential steps as you can.",
    minutes=12,
    hints=(
        "Before each round, row t is the sum of the first s terms of h_t. The next s terms are in the row s places "
        "before it, times A^s.",
        "`F.pad(states[:-s], (0, 0, s, 0))` is the row s places before. Add its product with the matrix.",
        "Then the matrix is squared and s is doubled. Go on while s is less than the number of tokens.",
    ),
    given=by_doubling,
    trials=trials,
    returns=("states", "sequential steps"),
    misconceptions={
        "doubling-one-by-one": Misconception(
            "There are as many steps as tokens",
            "The states are right. But each of your products waits for the one before it. In each round, one product "
            "can serve all tokens.",
            (one_by_one,),
        ),
        "doubling-not-squared": Misconception(
            "The matrix stays the same in every round",
            "In the second round the rows are two places apart, so two factors A lie between them: A². Each round "
            "squares the matrix of the round before.",
            (matrix_not_squared,),
        ),
        "doubling-around-the-end": Misconception(
            "Rows from the end of the text come before its beginning",
            "`roll` brings the last rows to the front. Where there is no earlier row, there should be zeros.",
            (around_the_end,),
        ),
        "doubling-too-few-rounds": Misconception(
            "There are too few rounds",
            "After r rounds each row is a sum of 2^r terms. Go on until that is at least the number of tokens.",
            (one_round, one_round_less),
        ),
        "doubling-one-place": Misconception(
            "Each round looks one place back",
            "After the first round a row has two terms, so the next two terms are in the row *two* places before.",
            (always_one_place,),
        ),
        "doubling-not-kept": Misconception(
            "Each round adds to x, and not to the sums so far",
            "What the earlier rounds have added up stays: states = states + earlier @ a.",
            (sums_not_kept,),
        ),
    },
)
