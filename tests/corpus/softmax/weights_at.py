"""Answers to the practice `weights_at(scores, temperature)` of notebook 00."""

import numpy as np

from tests.corpus import change

def right__twice(scores, temperature):
    return np.exp(scores / temperature) / np.exp(scores / temperature).sum()

def right__named(scores, temperature):
    divided = scores / temperature
    return np.exp(divided) / np.sum(np.exp(divided))

def right__powers(scores, temperature):
    powers = np.exp(scores) ** (1 / temperature)
    return powers / powers.sum()

def right__loop(scores, temperature):
    total = sum(np.exp(score / temperature) for score in scores)
    return [np.exp(score / temperature) / total for score in scores] * np.ones(len(scores))

wrong__temperature_above_only__1 = change(right__twice, ("exp(scores / temperature).sum", "exp(scores).sum"))
wrong__temperature_below_only__1 = change(right__twice, ("np.exp(scores / temperature) /", "np.exp(scores) /"))

def wrong__temperature_no_effect__1(scores, temperature):
    return np.exp(scores) / temperature / (np.exp(scores) / temperature).sum()

def wrong__temperature_on_weights__1(scores, temperature):
    return np.exp(scores) / np.exp(scores).sum() / temperature

def wrong__temperature_on_weights__2(scores, temperature):
    """The bracket is missing, and `/` goes from left to right."""
    return np.exp(scores) / temperature / np.exp(scores).sum()

wrong__temperature_multiplied__1 = change(right__named, ("scores / temperature", "scores * temperature"))

def wrong__temperature_no_effect__2(scores, temperature):
    """The temperature is subtracted, which cancels as 100 added to every score does."""
    return np.exp(scores - temperature) / np.exp(scores - temperature).sum()

# The largest weight alone.
extra__largest = change(right__named, ("np.sum(np.exp(divided))", "np.sum(np.exp(divided)).max() * 2"))
