"""Answers to the practice `weights_at(scores, temperature)` of notebook 00."""

import numpy as np

from course_attention import softmax
from tests.corpus import change

def right__named(scores, temperature):
    divided = scores / temperature
    return softmax(divided)

def right__factor(scores, temperature):
    return softmax((1 / temperature) * scores, axis=0)

def right__without_softmax(scores, temperature):
    exponentials = np.exp((scores - np.max(scores)) / temperature)
    return exponentials / np.sum(exponentials)

def right__logarithm(scores, temperature):
    divided = scores / temperature
    return np.exp(divided - np.logaddexp.reduce(divided))

def right__powers(scores, temperature):
    """No share is above 1, and the largest is 1, so that no power overflows and their sum is not 0."""
    shares = np.exp(scores - scores.max())
    powers = shares ** (1 / temperature)
    return powers / powers.sum()

def right__loop(scores, temperature):
    divided = [(score - max(scores)) / temperature for score in scores]
    total = sum(np.exp(score) for score in divided)
    return np.array([np.exp(score) / total for score in divided])

def wrong__temperature_out_of_range__1(scores, temperature):
    return np.exp(scores / temperature) / np.exp(scores / temperature).sum()

def wrong__temperature_out_of_range__2(scores, temperature):
    powers = np.exp(scores) ** (1 / temperature)
    return powers / powers.sum()

# A weight below ½ to the power 1,000 is 0.
wrong__temperature_out_of_range__3 = change(wrong__temperature_out_of_range__2, ("np.exp(scores)", "softmax(scores)"))
# What is subtracted is the largest of the scores as they were.
wrong__temperature_out_of_range__4 = change(
    right__without_softmax, ("(scores - np.max(scores)) / temperature", "scores / temperature - np.max(scores)")
)

wrong__temperature_above_only__1 = change(
    wrong__temperature_out_of_range__1, ("exp(scores / temperature).sum", "exp(scores).sum")
)
wrong__temperature_below_only__1 = change(
    wrong__temperature_out_of_range__1, ("np.exp(scores / temperature) /", "np.exp(scores) /")
)

def wrong__temperature_no_effect__1(scores, temperature):
    return np.exp(scores) / temperature / (np.exp(scores) / temperature).sum()

def wrong__temperature_no_effect__2(scores, temperature):
    """The temperature is subtracted, which cancels as 100 added to every score does."""
    return softmax(scores - temperature)

def wrong__temperature_no_effect__3(scores, temperature):
    """The result of the first line is not used."""
    scores / temperature
    return softmax(scores)

def wrong__temperature_on_weights__1(scores, temperature):
    return softmax(scores) / temperature

def wrong__temperature_on_weights__2(scores, temperature):
    """The bracket is missing, and `/` goes from left to right."""
    return np.exp(scores) / temperature / np.exp(scores).sum()

wrong__temperature_on_weights__3 = change(wrong__temperature_on_weights__1, ("/ temperature", "* temperature"))

# The powers are in the right proportion, and their sum is not 1.
wrong__temperature_weights_as_powers__1 = change(
    wrong__temperature_on_weights__1, ("/ temperature", "** (1 / temperature)")
)
wrong__temperature_softmax_twice__1 = change(
    wrong__temperature_on_weights__1, ("softmax(scores) / temperature", "softmax(softmax(scores) / temperature)")
)
wrong__temperature_softmax_twice__2 = change(right__named, ("softmax(divided)", "softmax(softmax(divided))"))
wrong__temperature_multiplied__1 = change(right__named, ("scores / temperature", "scores * temperature"))
wrong__temperature_root__1 = change(right__named, ("/ temperature", "/ np.sqrt(temperature)"))
wrong__temperature_as_axis__1 = change(
    wrong__temperature_on_weights__1, ("softmax(scores) / temperature", "softmax(scores, temperature)")
)

# The largest weight is 1, and nothing is shared out.
extra__largest = change(right__without_softmax, (" / np.sum(exponentials)", ""))
# `//` cuts off what is behind the point.
extra__floor = change(right__named, ("/ temperature", "// temperature"))

def extra__one_hot(scores, temperature):
    """Near 0 all of the weight goes to one word, also where two words have the largest score."""
    if temperature < 0.01:
        return np.eye(len(scores))[scores.argmax()]
    return softmax(scores / temperature)
