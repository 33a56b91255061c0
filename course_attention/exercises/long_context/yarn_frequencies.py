"""Frequencies lie powers of ten apart, so each is compared by its own relative error."""

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.variants import each


def oracle(d: int, base: float, factor: float, n_trained: int, slow: float = 1.0, fast: float = 32.0) -> np.ndarray:
    """Mix the stretched and the trained frequency of each pair, by the turns that it makes in the trained length."""
    found = []
    for i in range(d // 2):
        theta = base ** (-2 * i / d)
        turns = n_trained * theta / (2 * np.pi)
        share = min(max((turns - slow) / (fast - slow), 0.0), 1.0)
        found.append((1 - share) * theta / factor + share * theta)
    return np.array(found)


Ramp = Callable[..., np.ndarray]


def _frequencies(d: int, base: float) -> np.ndarray:
    return base ** (-np.arange(0, d, 2) / d)


def _linear(turns: np.ndarray, slow: float, fast: float) -> np.ndarray:
    return (turns - slow) / (fast - slow)


def _share(turns: np.ndarray, slow: float, fast: float) -> np.ndarray:
    return np.clip(_linear(turns, slow, fast), 0.0, 1.0)


def _yarn(
    d, base, factor, n_trained, slow=1.0, fast=32.0, *, share: Ramp = _share, turn=2 * np.pi, frequencies=_frequencies
) -> np.ndarray:
    theta = frequencies(d, base)
    kept = share(n_trained * theta / turn, slow, fast)
    return (1 - kept) * theta / factor + kept * theta


def _in_index(d, base, factor, n_trained, slow=1.0, fast=32.0, *, whole=False, cut=True) -> np.ndarray:
    """Let the share fall evenly from the pair that makes `fast` turns to the one that makes `slow`."""

    def place(turns: float) -> float:
        return d * np.log(n_trained / (turns * 2 * np.pi)) / (2 * np.log(base))

    first, last = place(fast), place(slow)
    if whole:
        first, last = np.floor(first), np.ceil(last)
    if cut:
        first, last = max(first, 0), min(last, d - 1)
    last = last + 0.001 if first == last else last
    theta = _frequencies(d, base)
    kept = 1 - np.clip((np.arange(d // 2) - first) / (last - first), 0.0, 1.0)
    return (1 - kept) * theta / factor + kept * theta


def _base_scaled(d, base, factor, n_trained, slow=1.0, fast=32.0, *, exponent=None) -> np.ndarray:
    """Stretch the base, by which the slowest pair is slowed down by the factor and the fastest stays as it is."""
    return _frequencies(d, base * factor ** (d / (d - 2) if exponent is None else exponent))


def _multiplied(d, base, factor, n_trained, slow=1.0, fast=32.0) -> np.ndarray:
    theta = _frequencies(d, base)
    kept = _share(n_trained * theta / (2 * np.pi), slow, fast)
    return (1 - kept) * theta * factor + kept * theta


def _turns_inverted(d, base, factor, n_trained, slow=1.0, fast=32.0) -> np.ndarray:
    theta = _frequencies(d, base)
    kept = _share(n_trained / (2 * np.pi * theta), slow, fast)
    return (1 - kept) * theta / factor + kept * theta


def _turns_of_longer(d, base, factor, n_trained, slow=1.0, fast=32.0) -> np.ndarray:
    """Count the turns in the length that the text may have, not in the trained one."""
    return _yarn(d, base, factor, n_trained, slow, fast, turn=2 * np.pi / factor)


def _wavelengths(d, base, factor, n_trained, slow=1.0, fast=32.0) -> np.ndarray:
    """Mix the wavelengths and turn the mix into a frequency: the harmonic mean in place of the arithmetic one."""
    theta = _frequencies(d, base)
    kept = _share(n_trained * theta / (2 * np.pi), slow, fast)
    return 1 / ((1 - kept) * factor / theta + kept / theta)


def _hard(limit: Callable[[float, float], float]) -> Ramp:
    return lambda turns, slow, fast: (turns >= limit(slow, fast)).astype(float)


def _smooth(turns: np.ndarray, slow: float, fast: float) -> np.ndarray:
    share = _share(turns, slow, fast)
    return 3 * share**2 - 2 * share**3


def noise(d, base, factor, n_trained, slow=1.0, fast=32.0) -> tuple[np.ndarray]:
    """Of each frequency: of itself, of its power, and of the turns, which the ramp makes larger.

    Where the share is nearly 0, a rounding of it counts as much more as the trained frequency is larger.
    """
    theta, right = _frequencies(d, base), oracle(d, base, factor, n_trained, slow, fast)
    turns = n_trained * theta / (2 * np.pi)
    power = 1 + np.log(base) * np.arange(0, d, 2) / d  # an error of the exponent, times the logarithm of the base
    inside = (turns > slow / 2) & (turns < 2 * fast)
    return ((right + inside * theta * (turns + slow + fast) / (fast - slow)) * power / 4,)


BY_HAND = "d 4, base 100, factor 4, n_trained 63"


def cases(draw: Draw) -> list[Case]:
    """Two pairs to many, fast ones and slow ones, ramps of other limits, a factor of 1 and of one that is not whole."""

    def case(title: str, d: int, base: float, factor: float, n_trained: int, **limits: float) -> Case:
        arguments = {"d": d, "base": base, "factor": factor, "n_trained": n_trained, **limits}
        return Case(title, properties.VALUES, arguments)

    trained = int(draw.rng.integers(500, 1500))
    return [
        case(BY_HAND, 4, 100.0, 4.0, 63),
        case("d 4, base 100, factor 2, n_trained 126, slow 2, fast 18", 4, 100.0, 2.0, 126, slow=2.0, fast=18.0),
        case(f"d 16, base 10,000, factor 8, n_trained {trained}", 16, 10000.0, 8.0, trained),
        case("d 64, base 10,000, factor 4, n_trained 2,048", 64, 10000.0, 4.0, 2048),
        case("d 128, base 500,000, factor 8, n_trained 8,192, fast 4", 128, 500000.0, 8.0, 8192, slow=1.0, fast=4.0),
        case("d 32, base 10,000, factor 1", 32, 10000.0, 1.0, 512),
        case("d 32, base 10,000, factor 2.5, n_trained 700", 32, 10000.0, 2.5, 700),
        case("d 12, nothing turns once", 12, 10000.0, 4.0, 5),
        case("d 12, everything turns often", 12, 4.0, 4.0, 5000),
        case("d 256, base 1,000,000, factor 32, slow 0.5, fast 8", 256, 1e6, 32.0, 4096, slow=0.5, fast=8.0),
        case("d 6, factor 3, n_trained 40, slow 0.25, fast 3", 6, 1000.0, 3.0, 40, slow=0.25, fast=3.0),
    ]


EXERCISE = FunctionExercise(
    name="yarn_frequencies",
    prompt="Stretch rotary frequencies by parts: each pair as far as it needs.",
    points=2,
    difficulty=2,
    minutes=15,
    hints=(
        "Three vectors of d/2 numbers, one after another: the frequencies θ, the turns r that each pair makes in the "
        "trained length, and the share γ by which it stays as it is.",
        "A pair turns by θ in one position, and a full turn is 2π. γ is 0 for `slow` turns and fewer, 1 for `fast` "
        "turns and more, and a straight line in r between the two: `clamp` cuts it off.",
        "The result mixes two frequencies: γ times the trained one, and 1 − γ times the one that is divided by the "
        "factor.",
    ),
    returns=Returns(names=("frequencies",), from_sizes_only=True, axes=("d/2",)),
    oracle=oracle,
    cases=cases,
    noise=noise,
    mutant_inputs={
        "d": lambda inputs: 2 * inputs.whole(1, 20),
        "base": lambda inputs: float(inputs.rng.uniform(50.0, 20000.0)),
        "factor": lambda inputs: float(inputs.rng.uniform(1.0, 16.0)),
        "n_trained": lambda inputs: inputs.whole(20, 4000),
        "slow": lambda inputs: float(inputs.rng.uniform(0.5, 2.0)),
        "fast": lambda inputs: float(inputs.rng.uniform(4.0, 40.0)),
    },
    misconceptions={
        "interpolate-all": Misconception(
            "Every frequency is divided by the factor",
            "This is plain interpolation. It squeezes neighbouring positions together for the fast pairs too, which "
            "have turned often enough in training and can stay as they are.",
            each(_yarn, "share", lambda turns, slow, fast: np.zeros_like(turns)),
        ),
        "nothing-stretched": Misconception(
            "No frequency is stretched",
            "Beyond the trained length a slow pair comes to angles that it has never had. Its frequency is divided by "
            "the factor.",
            each(_yarn, "share", lambda turns, slow, fast: np.ones_like(turns)),
        ),
        "ramp-inverted": Misconception(
            "Fast pairs are stretched, and slow ones stay",
            "A pair that turns often has met all its angles in training. One that does not turn once has not, and "
            "it is the one to be stretched.",
            each(
                _yarn,
                "share",
                lambda turns, slow, fast: 1 - _share(turns, slow, fast),
                lambda turns, slow, fast: 1 - _linear(turns, slow, fast),
            ),
        ),
        "ramp-not-cut": Misconception(
            "The share is not cut off at 0 and 1",
            "Outside of `slow` and `fast` the straight line goes on, below 0 and above 1. Such a share is no mix any "
            "more.",
            each(
                _yarn,
                "share",
                _linear,
                lambda turns, slow, fast: np.maximum(_linear(turns, slow, fast), 0),
                lambda turns, slow, fast: np.minimum(_linear(turns, slow, fast), 1),
            ),
        ),
        "ramp-in-index": Misconception(
            "The share is a straight line in the index of the pair",
            "The code published with the paper does this, between the pairs that make `fast` and `slow` turns. The "
            "paper's own definition, which is asked for, is a straight line in the turns r.",
            (
                _in_index,
                partial(_in_index, whole=True),
                partial(_in_index, cut=False),
                partial(_in_index, whole=True, cut=False),
            ),
        ),
        "ramp-a-step": Misconception(
            "A pair is stretched entirely or not at all",
            "Between `slow` and `fast` turns a pair is stretched in part: the share goes from 0 to 1 along a line.",
            each(_yarn, "share", _hard(max), _hard(min), _hard(lambda slow, fast: (slow + fast) / 2)),
        ),
        "ramp-smoothed": Misconception(
            "The share is a curve, where a straight line is asked for",
            "Halfway between `slow` and `fast` both agree. Take a pair a quarter of the way, and compare.",
            each(_yarn, "share", _smooth),
        ),
        "ramp-not-from-slow": Misconception(
            "The line begins at 0 turns and not at `slow`",
            "At `slow` turns the share is 0 and at `fast` it is 1. What is the difference r − slow divided by?",
            each(
                _yarn,
                "share",
                lambda turns, slow, fast: np.clip(turns / fast, 0, 1),
                lambda turns, slow, fast: np.clip((turns - slow) / fast, 0, 1),
                lambda turns, slow, fast: np.clip(turns / (fast - slow), 0, 1),
            ),
        ),
        "turns-without-two-pi": Misconception(
            "The angle is taken for the number of turns",
            "n_trained · θ is an angle, in radians. How many radians has one turn?",
            (partial(_yarn, turn=1.0), partial(_yarn, turn=np.pi)),
        ),
        "turns-times-pi": Misconception(
            "The angle is divided by 2 and multiplied by π",
            "One turn is 2π. Python reads `a / 2 * b` from left to right: it divides by 2, and then multiplies by b. "
            "What a number is divided by needs brackets.",
            (partial(_yarn, turn=2 / np.pi),),
        ),
        "turns-inverted": Misconception(
            "Slow pairs are counted as if they turned most often",
            "The angle of a position is its number times θ. So a pair with a large θ makes many turns in the trained "
            "length. Is something divided by θ?",
            (_turns_inverted,),
        ),
        "turns-of-the-longer-text": Misconception(
            "The turns are counted in the longer text",
            "What a pair has met depends on the length that the model was trained with, n_trained. The longer text "
            "comes in where the frequency is divided by the factor.",
            (_turns_of_longer,),
        ),
        "frequencies-from-the-second": Misconception(
            "The pairs are counted from 1",
            "Pair 0 comes first. Its exponent is 0, so its frequency is 1, whatever the base is.",
            (partial(_yarn, frequencies=lambda d, base: base ** (-np.arange(2, d + 2, 2) / d)),),
        ),
        "base-scaled": Misconception(
            "The base is stretched in place of the frequencies",
            "A larger base slows every pair down by another amount, and looks at no number of turns (“NTK-aware” "
            "scaling). Here each pair is stretched by what it has seen in training.",
            (_base_scaled, partial(_base_scaled, exponent=1.0)),
        ),
        "factor-multiplied": Misconception(
            "Slow pairs are made faster",
            "A longer text has to fit into the angles that were trained, so a slow pair has to turn more slowly: "
            "its frequency is divided by the factor.",
            (_multiplied,),
        ),
        "wavelengths-mixed": Misconception(
            "The wavelengths are mixed, and not the frequencies",
            "The mean of two wavelengths is not the wavelength of the mean frequency. Mix θ and θ/factor.",
            (_wavelengths,),
        ),
        "exponent-without-two": Misconception(
            "The exponents go up in steps of 1/d",
            "There are d/2 pairs, and the exponent of pair i is 2i/d.",
            (partial(_yarn, frequencies=lambda d, base: base ** (-np.arange(d // 2) / d)),),
        ),
        "frequencies-inverted": Misconception(
            "The frequencies grow from pair to pair",
            "The first pair turns fastest, by 1 in a position, and each one after it more slowly.",
            (
                partial(_yarn, frequencies=lambda d, base: base ** (np.arange(0, d, 2) / d)),
                partial(_yarn, frequencies=lambda d, base: _frequencies(d, base)[::-1]),
            ),
        ),
        "limits-fixed": Misconception(
            "`slow` and `fast` are 1 and 32 whatever is given",
            "They are arguments: 1 and 32 are used only where the caller gives nothing.",
            (lambda d, base, factor, n_trained, slow=1.0, fast=32.0: _yarn(d, base, factor, n_trained),),
        ),
        "each-channel-its-own": Misconception(
            "There is a frequency for each channel",
            "Two channels are turned together, so d channels have d/2 frequencies.",
            (
                lambda *given, **named: np.repeat(_yarn(*given, **named), 2),
                lambda *given, **named: np.tile(_yarn(*given, **named), 2),
            ),
        ),
    },
)
