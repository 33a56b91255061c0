"""Answers to `yarn_frequencies(d, base, factor, n_trained, slow=1.0, fast=32.0)` of notebook 11."""

import math

import numpy as np
import torch

from tests.corpus import change

def right__in_three_steps(d, base, factor, n_trained, slow=1.0, fast=32.0):
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    turns = n_trained * theta / (2 * math.pi)
    gamma = ((turns - slow) / (fast - slow)).clamp(0.0, 1.0)
    return ((1 - gamma) * theta / factor + gamma * theta).float()

def right__loop(d, base, factor, n_trained, slow=1.0, fast=32.0):
    found = []
    for i in range(d // 2):
        theta = base ** (-2 * i / d)
        turns = n_trained * theta / (2 * math.pi)
        if turns <= slow:
            share = 0.0
        elif turns >= fast:
            share = 1.0
        else:
            share = (turns - slow) / (fast - slow)
        found.append((1 - share) * theta / factor + share * theta)
    return torch.tensor(found)

right__float64 = change(right__in_three_steps, (".float()", ""))

def right__in_float32(d, base, factor, n_trained, slow=1.0, fast=32.0):
    theta = 1.0 / base ** (torch.arange(0, d, 2).float() / d)
    turns = n_trained * theta / (2 * torch.pi)
    gamma = torch.clamp((turns - slow) / (fast - slow), min=0, max=1)
    return theta * (gamma + (1 - gamma) / factor)

def right__wavelengths(d, base, factor, n_trained, slow=1.0, fast=32.0):
    """Turns are the trained length in wavelengths."""
    i = torch.arange(d // 2, dtype=torch.double)
    wavelength = 2 * math.pi * base ** (2 * i / d)
    gamma = ((n_trained / wavelength - slow) / (fast - slow)).clamp(0, 1)
    theta = 2 * math.pi / wavelength
    return torch.lerp(theta / factor, theta, gamma).to(torch.float32)

def right__numpy(d, base, factor, n_trained, slow=1.0, fast=32.0):
    theta = float(base) ** (-np.arange(0, d, 2) / d)
    gamma = np.clip((n_trained * theta / (2 * np.pi) - slow) / (fast - slow), 0, 1)
    return torch.from_numpy(((1 - gamma) / factor + gamma) * theta).float()

def right__where(d, base, factor, n_trained, slow=1.0, fast=32.0):
    theta = torch.exp(-math.log(base) * torch.arange(0, d, 2, dtype=torch.float64) / d)
    turns = n_trained * theta / math.tau
    between = (turns - slow) / (fast - slow)
    gamma = torch.where(turns < slow, 0.0, torch.where(turns > fast, 1.0, between))
    return (gamma * theta + (1 - gamma) * (theta / factor)).float()

right__interpolated_first = change(
    right__in_three_steps,
    (
        "return ((1 - gamma) * theta / factor + gamma * theta).float()",
        "stretched = theta / factor",
        "return (stretched + gamma * (theta - stretched)).float()",
    ),
)
right__factor_of_each_pair = change(
    right__in_three_steps,
    (
        "return ((1 - gamma) * theta / factor + gamma * theta).float()",
        "return (theta * (1 - (1 - gamma) * (1 - 1 / factor))).float()",
    ),
)
right__maximum_and_minimum = change(
    right__in_three_steps,
    (".clamp(0.0, 1.0)", ".maximum(torch.zeros(1, dtype=torch.float64)).minimum(torch.ones(1, dtype=torch.float64))"),
)
right__logspace = change(
    right__in_three_steps,
    (
        "base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)",
        "torch.tensor([base ** (-2 * i / d) for i in range(d // 2)], dtype=torch.float64)",
    ),
)
right__pow = change(
    right__in_three_steps,
    (
        "base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)",
        "torch.pow(torch.tensor(base, dtype=torch.float64), -2 * torch.arange(d // 2) / d)",
    ),
)

wrong__interpolate_all__1 = change(
    right__in_three_steps, ("((1 - gamma) * theta / factor + gamma * theta)", "(theta / factor)")
)
wrong__nothing_stretched__1 = change(
    right__in_three_steps, ("((1 - gamma) * theta / factor + gamma * theta)", "theta")
)
wrong__ramp_inverted__1 = change(
    right__in_three_steps, ("(1 - gamma) * theta / factor + gamma", "gamma * theta / factor + (1 - gamma)")
)
wrong__ramp_inverted__2 = change(
    right__in_three_steps, ("(turns - slow) / (fast - slow)", "(fast - turns) / (fast - slow)")
)
wrong__ramp_not_cut__1 = change(right__in_three_steps, (".clamp(0.0, 1.0)", ""))
wrong__ramp_not_cut__2 = change(right__in_three_steps, (".clamp(0.0, 1.0)", ".clamp(min=0.0)"))
wrong__ramp_not_cut__3 = change(right__in_three_steps, (".clamp(0.0, 1.0)", ".clamp(max=1.0)"))

def wrong__ramp_in_index__1(d, base, factor, n_trained, slow=1.0, fast=32.0):
    def pair_with(turns):
        return d * math.log(n_trained / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = max(math.floor(pair_with(fast)), 0), min(math.ceil(pair_with(slow)), d - 1)
    if low == high:
        high += 0.001
    ramp = ((torch.arange(d // 2, dtype=torch.float64) - low) / (high - low)).clamp(0, 1)
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    return (theta / factor * ramp + theta * (1 - ramp)).float()

wrong__ramp_a_step__1 = change(
    right__in_three_steps, ("((turns - slow) / (fast - slow)).clamp(0.0, 1.0)", "(turns >= fast).double()")
)
wrong__ramp_a_step__2 = change(
    right__in_three_steps, ("((turns - slow) / (fast - slow)).clamp(0.0, 1.0)", "(turns >= slow).double()")
)
wrong__ramp_smoothed__1 = change(
    right__in_three_steps,
    ("return", "gamma = gamma * gamma * (3 - 2 * gamma)", "return"),
)
wrong__ramp_not_from_slow__1 = change(
    right__in_three_steps, ("(turns - slow) / (fast - slow)", "(turns - slow) / fast")
)
wrong__ramp_not_from_slow__2 = change(
    right__in_three_steps, ("(turns - slow) / (fast - slow)", "turns / fast")
)
wrong__turns_without_two_pi__1 = change(right__in_three_steps, (" / (2 * math.pi)", ""))
wrong__turns_without_two_pi__2 = change(right__in_three_steps, ("(2 * math.pi)", "math.pi"))

def wrong__base_scaled__1(d, base, factor, n_trained, slow=1.0, fast=32.0):
    base = base * factor ** (d / (d - 2))
    return (1 / base ** (torch.arange(0, d, 2).double() / d)).float()

wrong__base_scaled__2 = change(
    right__in_three_steps, ("theta = base **", "theta = (base * factor) **"), ("theta / factor", "theta")
)
wrong__factor_multiplied__1 = change(right__in_three_steps, ("theta / factor", "theta * factor"))
wrong__wavelengths_mixed__1 = change(
    right__in_three_steps,
    ("((1 - gamma) * theta / factor + gamma * theta)", "(1 / ((1 - gamma) * factor / theta + gamma / theta))"),
)
wrong__exponent_without_two__1 = change(right__in_three_steps, ("torch.arange(0, d, 2,", "torch.arange(d // 2,"))
wrong__frequencies_inverted__1 = change(right__in_three_steps, ("base ** (-torch", "base ** (torch"))
wrong__limits_fixed__1 = change(
    right__in_three_steps, ("((turns - slow) / (fast - slow))", "((turns - 1.0) / (32.0 - 1.0))")
)
wrong__each_channel_its_own__1 = change(right__in_three_steps, (".float()", ".float().repeat_interleave(2)"))
wrong__wrong_dtype__1 = change(right__in_three_steps, (".float()", ".bfloat16()"))
# The trained length is divided by the factor.
extra__shorter_length = change(right__in_three_steps, ("n_trained * theta", "n_trained / factor * theta"))
# A list of numbers.
extra__list = change(right__in_three_steps, (".float()", ".tolist()"))

# Two times π is written out, without brackets.
wrong__turns_times_pi__1 = change(right__in_three_steps, ("/ (2 * math.pi)", "/ 2 * math.pi"))
# θ is taken for a length.
wrong__turns_inverted__1 = change(
    right__in_three_steps, ("n_trained * theta / (2 * math.pi)", "n_trained / (2 * math.pi * theta)")
)
# The turns of the text as it may be.
wrong__turns_of_the_longer_text__1 = change(right__in_three_steps, ("n_trained * theta", "n_trained * factor * theta"))
# Pairs are numbered as the paper numbers them, from 1, with the exponents of this notebook.
wrong__frequencies_from_the_second__1 = change(right__in_three_steps, ("arange(0, d, 2,", "arange(2, d + 2, 2,"))
