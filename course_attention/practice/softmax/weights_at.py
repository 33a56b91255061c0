"""The weights at a temperature: the scores are divided before the softmax."""

from collections.abc import Iterator

import numpy as np
import torch

from course_attention.mechanisms.softmax import softmax
from course_attention.practice.authoring import Misconception, Practice, Trial


def weights_at(scores, temperature):
    """The softmax of the scores divided by the temperature."""
    return softmax(scores / temperature)


def plain_softmax_of_divided(scores, temperature):
    exponentials = np.exp(scores / temperature)
    return exponentials / exponentials.sum()


def powers_of_weights_shared(scores, temperature):
    powers = softmax(scores) ** (1 / temperature)
    return powers / powers.sum()


def powers_of_weights(scores, temperature):
    return softmax(scores) ** (1 / temperature)


def divided_above_the_bar(scores, temperature):
    return np.exp(scores / temperature) / np.exp(scores).sum()


def divided_below_the_bar(scores, temperature):
    return np.exp(scores) / np.exp(scores / temperature).sum()


def subtracted(scores, temperature):
    return softmax(scores - temperature)


def weights_divided(scores, temperature):
    return softmax(scores) / temperature


def weights_multiplied(scores, temperature):
    return softmax(scores) * temperature


def softmax_of_divided_weights(scores, temperature):
    return softmax(softmax(scores) / temperature)


def softmax_of_weights(scores, temperature):
    return softmax(softmax(scores / temperature))


def multiplied(scores, temperature):
    return softmax(scores * temperature)


def divided_by_root(scores, temperature):
    return softmax(scores / np.sqrt(temperature))


def as_axis(scores, temperature):
    return softmax(scores, temperature)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two words whose scores differ by ln 9, a very low temperature, and the nine words of a sentence."""
    ninefold = np.array([np.log(9.0), 0.0])
    yield Trial(
        "two words, temperature 2",
        {"scores": ninefold, "temperature": 2},
        np.array([0.75, 0.25]),
        says="The first score is ln 9. Half of that is ln 3, so the first weight is three times the second.",
    )
    yield Trial("two words, temperature 1", {"scores": ninefold, "temperature": 1}, np.array([0.9, 0.1]))
    yield Trial(
        "three words, temperature 0.001",
        {"scores": np.array([2.0, 2.0, 0.0]), "temperature": 0.001},
        np.array([0.5, 0.5, 0.0]),
        says="The divided scores are 2,000, 2,000 and 0. The two that are equal share all of the weight.",
        tolerance=1e-9,  # logarithms of sums near 2,000 have fewer digits behind the point
    )
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
        "You need not write `exp` again. `softmax` makes weights of any scores, also of very large ones. Which scores "
        "should it get?",
        "There are two steps: `divided = …`, then `return softmax(divided)`.",
    ),
    given=weights_at,
    trials=trials,
    returns=("weights",),
    misconceptions={
        "temperature-out-of-range": Misconception(
            "At a low temperature a number on the way is too large or too small",
            "At a temperature of 0.001, a score of 2 becomes 2,000. The exponential of 2,000 is too large for a 64-bit "
            "number, and a weight of 0.47 to the power 1,000 is too small for one. The result is infinity divided by "
            "infinity, or 0/0. The `softmax` of the exercise copes with large scores, so use it again.",
            (plain_softmax_of_divided, powers_of_weights_shared),
        ),
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
            "What comes is the softmax of the scores as they were. A number that divides every exponential cancels, "
            "and so does one that is subtracted from every score. `scores / temperature` on a line of its own leaves "
            "`scores` as they are. Each score has to be divided before `exp`.",
            (subtracted,),
        ),
        "temperature-on-weights": Misconception(
            "The temperature is applied to the weights, not to the scores",
            "All weights change by the same factor, so they no longer sum to 1. A temperature changes how the weight "
            "is shared out.",
            (weights_divided, weights_multiplied),
        ),
        "temperature-weights-as-powers": Misconception(
            "The weights are raised to a power, and no longer sum to 1",
            "The exponential of x/T is the exponential of x to the power 1/T, so these numbers are in the right "
            "proportion. But nothing divides them by their sum. Divide the scores before softmax, which does that.",
            (powers_of_weights,),
        ),
        "temperature-softmax-twice": Misconception(
            "Softmax is applied twice",
            "The first softmax makes weights between 0 and 1, and the second one takes these weights for scores. One "
            "softmax is enough: that of the divided scores.",
            (softmax_of_divided_weights, softmax_of_weights),
        ),
        "temperature-multiplied": Misconception(
            "The scores are multiplied by the temperature",
            "A high temperature should make the weights more alike. Multiplying the scores makes them differ more.",
            (multiplied,),
        ),
        "temperature-root": Misconception(
            "The scores are divided by the square root of the temperature",
            "The square root belongs to attention, which divides by √d_key. Here each score is divided by the "
            "temperature itself.",
            (divided_by_root,),
        ),
        "temperature-as-axis": Misconception(
            "The temperature is used as an axis",
            "The second argument of `softmax` is the axis along which the weights sum to 1. The temperature has to "
            "act on the scores, before softmax gets them.",
            (as_axis,),
        ),
    },
    start='''
def weights_at(scores, temperature):
    """The softmax of the scores, each divided by the temperature."""
    return softmax(scores)
''',
)
