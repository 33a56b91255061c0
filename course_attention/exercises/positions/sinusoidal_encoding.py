from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import (
    Case,
    Coarse,
    Draw,
    FunctionExercise,
    Misconception,
    Returns,
    properties,
)
from course_attention.exercises.positions.angles import BASE, EXPONENTS, angle_of, angles_of, paired
from course_attention.exercises.positions.words import WORDS


def oracle(n_positions: int, d_model: int, base: float = BASE) -> np.ndarray:
    """Sines in the even channels, cosines in the odd ones."""
    encoding = np.empty((n_positions, d_model))
    for p, channel in np.ndindex(encoding.shape):
        angle = angle_of(p, channel // 2, d_model, base)
        encoding[p, channel] = np.cos(angle) if channel % 2 else np.sin(angle)
    return encoding


def _encoding(n_positions, d_model, base=BASE, exponent=paired, first=0, even=np.sin, odd=np.cos) -> np.ndarray:
    angles = angles_of(first + np.arange(n_positions), d_model, base, exponent)
    return np.where(np.arange(d_model) % 2 == 0, even(angles), odd(angles))


def _by_log2(channel: np.ndarray, size: int) -> np.ndarray:
    return paired(channel, size) / np.log(2)


def _by_log10(channel: np.ndarray, size: int) -> np.ndarray:
    return paired(channel, size) / np.log(10)


def _scaled(n_positions, d_model, base=BASE, less=0) -> np.ndarray:
    """Let the positions run from 0 to 1, or nearly."""
    angles = angles_of(np.arange(n_positions) / max(n_positions - less, 1), d_model, base)
    return np.where(np.arange(d_model) % 2 == 0, np.sin(angles), np.cos(angles))


_INVERTED = partial(_encoding, exponent=EXPONENTS["frequency-inverted"][0])


def _in_halves(n_positions, d_model, base=BASE, cut=True) -> np.ndarray:
    pairs = angles_of(np.arange(n_positions), d_model, base)[:, ::2]
    return np.concatenate([np.sin(pairs), np.cos(pairs)], axis=1)[:, : d_model if cut else None]


def _in_halves_stretched(n_positions, d_model, base=BASE) -> np.ndarray:
    """Let the slowest pair reach the base itself, as in Tensor2Tensor; an odd channel is left at 0."""
    half = d_model // 2
    pairs = np.arange(n_positions)[:, None] / base ** (np.arange(half) / max(half - 1, 1))
    return np.pad(np.concatenate([np.sin(pairs), np.cos(pairs)], axis=1), ((0, 0), (0, d_model % 2)))


def _odd(change: Callable[[np.ndarray], np.ndarray], rounded: int = 0) -> Callable[..., np.ndarray]:
    """Right for an even d_model; changed for an odd one, made for `rounded` channels more."""

    def encode(n_positions, d_model, base=BASE):
        if d_model % 2 == 0:
            return _encoding(n_positions, d_model, base)
        return change(_encoding(n_positions, d_model + rounded, base))

    return encode


def _without_last(encoding: np.ndarray) -> np.ndarray:
    return encoding[:, :-1]


def noise(n_positions, d_model, base=BASE) -> tuple[float]:
    return (1.0 + n_positions,)


def _noise_inverted(n_positions, d_model, base=BASE) -> tuple[float]:
    """As in `rotary`: growing frequencies make angles of which float32 leaves few digits."""
    return (1.0 + n_positions * base ** (1 - 2 / max(d_model, 2)),)


def cases(draw: Draw) -> list[Case]:
    """Made of numbers alone: the seed changes nothing."""

    def case(name, n_positions, d_model, **base) -> Case:
        title = f"{n_positions} positions, d_model {d_model}" if n_positions > 1 else f"d_model {d_model}"
        return Case(title, name, {"n_positions": n_positions, "d_model": d_model, **base})

    return [
        case(properties.VALUES, 3, 2),
        case(properties.VALUES, 2, 4),
        case(properties.VALUES, 4, 4),
        case(properties.VALUES, 5, 6),
        case(properties.VALUES, 1, 6),
        case(properties.VALUES, 60, 8),
        case(properties.ODD_D_MODEL, 3, 3),
        case(properties.ODD_D_MODEL, 4, 7),
        case(properties.ODD_D_MODEL, 3, 1),
        case(properties.BASE, 3, 4, base=100.0),
        case(properties.BASE, 4, 6, base=2.0),
        case(properties.LONG_SEQUENCES, 257, 4),
    ]


EXERCISE = FunctionExercise(
    name="sinusoidal_encoding",
    prompt="Make a vector for each position: sines and cosines of angles that grow ever more slowly.",
    points=3,
    difficulty=2,
    minutes=17,
    hints=(
        "Write down the angle first: the position p, divided by base^(2i / d_model), for pair i. Which pair does "
        "channel c belong to?",
        "A column of positions, (n_positions, 1), and a row of frequencies broadcast to all the angles at once.",
        "Even channels take the sine, odd ones the cosine of the same angle. Slices with a step of 2 fill them; if "
        "d_model is odd there is one cosine fewer.",
    ),
    returns=Returns(names=("encoding",), from_sizes_only=True, axes=("n_positions, d_model",)),
    oracle=oracle,
    cases=cases,
    weights={properties.LONG_SEQUENCES: 0.5},
    noise=noise,
    words=WORDS,
    misconceptions={
        "cosine-own-index": Misconception(
            "The cosine has a frequency of its own",
            "A sine and the cosine after it are a pair: they share one angle, with the exponent of the even channel. "
            "Only then does sin² + cos² = 1 hold in each pair, and only then is a shift a rotation.",
            tuple(
                partial(_encoding, exponent=exponent)
                for exponent in (lambda c, d: c / d, lambda c, d: 2 * c / d, lambda c, d: (c + c % 2) / d)
            ),
        ),
        **{
            name: tuple(partial(_encoding, exponent=exponent) for exponent in exponents)
            for name, exponents in EXPONENTS.items()
        },
        "frequency-inverted": (_INVERTED, Coarse(_INVERTED, _noise_inverted)),
        "base-ignored": (lambda n_positions, d_model, base=BASE: _encoding(n_positions, d_model),),
        "positions-from-one": Misconception(
            "The positions are counted from 1",
            "The first token has position 0, with every angle 0: its sines are 0 and its cosines 1.",
            (partial(_encoding, first=1),),
        ),
        "another-logarithm": Misconception(
            "exp is given another logarithm than its own",
            "exp(a · ln base) is base^a with the natural logarithm alone, which is `math.log` and `torch.log`. With "
            "log2 or log10 each frequency is a power of another number than the base.",
            (partial(_encoding, exponent=_by_log2), partial(_encoding, exponent=_by_log10)),
        ),
        "positions-scaled": Misconception(
            "The positions are divided by how many there are",
            "The angle of position 1 in the first pair is 1, however many positions follow. Divided by their number, "
            "the same position has another encoding in a longer text.",
            (partial(_scaled, less=0), partial(_scaled, less=1)),
        ),
        "sin-cos-halves": (_in_halves, partial(_in_halves, cut=False), _in_halves_stretched),
        "cosine-first": Misconception(
            "Sine and cosine are exchanged",
            "The even channel holds the sine, the odd one after it the cosine.",
            (partial(_encoding, even=np.cos, odd=np.sin),),
        ),
        "odd-dimension": Misconception(
            "An odd number of channels goes wrong",
            "d_model channels are asked for, whatever the number. If it is odd, the last one is a sine "
            "without its cosine.",
            (
                _odd(_without_last),
                _odd(lambda encoding: encoding, rounded=-1),
                _odd(lambda encoding: encoding, rounded=1),
                _odd(_without_last, rounded=1),
                _odd(lambda encoding: np.pad(encoding[:, :-1], ((0, 0), (0, 1)))),
            ),
        ),
    },
)
