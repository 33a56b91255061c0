"""The weights at a temperature: the scores are divided before the softmax."""

from collections.abc import Iterator

import numpy as np
import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def weights_at(scores, temperature):
    """The softmax of the scores divided by the temperature."""
    exponentials = np.exp(scores / temperature)
    return exponentials / exponentials.sum()


def divided_above_the_bar(scores, temperature):
    return np.exp(scores / temperature) / np.exp(scores).sum()


def divided_below_the_bar(scores, temperature):
    return np.exp(scores) / np.exp(scores / temperature).sum()


def divided_after_exp(scores, temperature):
    return (np.exp(scores) / temperature) / (np.exp(scores) / temperature).sum()


def weights_divided(scores, temperature):
    return np.exp(scores) / np.exp(scores).sum() / temperature


def multiplied(scores, temperature):
    return weights_at(scores, 1 / temperature)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two words whose scores differ by ln 9, and the nine words of a sentence."""
    ninefold = np.array([np.log(9.0), 0.0])
    yield Trial(
        "two words, temperature 2",
        {"scores": ninefold, "temperature": 2.0},
        np.array([0.75, 0.25]),
        says="The first score is ln 9. Half of that is ln 3, so the first weight is three times the second.",
    )
    yield Trial("two words, temperature 1", {"scores": ninefold, "temperature": 1.0}, np.array([0.9, 0.1]))
    scores = torch.randn(9, generator=generator, dtype=torch.float64).numpy()
    for temperature in (0.5, 3.0):
        arguments = {"scores": scores, "temperature": temperature}
        yield Trial(f"nine words, temperature {temperature:g}", arguments)


PRACTICE = Practice(
    name="weights_at",
    prompt="The weights that softmax gives to scores which are all divided by a temperature.",
    minutes=3,
    hints=(
        "The temperature belongs to the scores: each score is divided before anything else happens to it.",
        "The scores are in the line twice, before the `/` and after it. Both have to be the divided ones.",
        "Write `scores / temperature` in the place of `scores`, inside `np.exp(…)`, both times.",
    ),
    given=weights_at,
    trials=trials,
    returns=("weights",),
    misconceptions={
        "temperature-above-only": Misconception(
            "The scores are divided in the numerator only",
            "The numerator has the exponentials of the divided scores, and the denominator still has the sum for the "
            "scores as they were. The weights then no longer sum to 1.",
            (divided_above_the_bar,),
        ),
        "temperature-below-only": Misconception(
            "The scores are divided in the denominator only",
            "The denominator has the sum for the divided scores, and the numerator still has the exponentials of the "
            "scores as they were. The weights then no longer sum to 1.",
            (divided_below_the_bar,),
        ),
        "temperature-no-effect": Misconception(
            "The temperature has no effect",
            "What comes is the softmax of the scores as they were. When every exponential is divided by the same "
            "number, their sum is as well, and the two cancel. When the same number is subtracted from every score, "
            "nothing changes either. Each score has to be divided before `exp`.",
            (divided_after_exp,),
        ),
        "temperature-on-weights": Misconception(
            "The weights are divided, not the scores",
            "All weights become smaller by the same factor, so they no longer sum to 1. A temperature changes how the "
            "weight is shared out.",
            (weights_divided,),
        ),
        "temperature-multiplied": Misconception(
            "The scores are multiplied by the temperature",
            "A high temperature should make the weights more alike. Multiplying the scores makes them differ more.",
            (multiplied,),
        ),
    },
    start='''
def weights_at(scores, temperature):
    """The softmax of the scores, each divided by the temperature."""
    return np.exp(scores) / np.exp(scores).sum()
''',
)
