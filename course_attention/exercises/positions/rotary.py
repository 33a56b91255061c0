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
from course_attention.exercises.common.attention import largest
from course_attention.exercises.common.inputs import of
from course_attention.exercises.common.variants import variants
from course_attention.exercises.positions.angles import BASE, EXPONENTS, angle_of, angles_of, halves, paired
from course_attention.exercises.positions.words import WORDS


def oracle(x: np.ndarray, positions: np.ndarray, base: float = BASE) -> np.ndarray:
    """Each pair of neighbours turned by its own angle."""
    result = np.empty_like(x)
    for *lead, token, pair in np.ndindex(*x.shape[:-1], x.shape[-1] // 2):
        angle, row = angle_of(float(positions[token]), pair, x.shape[-1], base), (*lead, token)
        even, odd = x[(*row, 2 * pair)], x[(*row, 2 * pair + 1)]
        result[(*row, 2 * pair)] = even * np.cos(angle) - odd * np.sin(angle)
        result[(*row, 2 * pair + 1)] = even * np.sin(angle) + odd * np.cos(angle)
    return result


def _turned(x: np.ndarray, angles: np.ndarray, order=np.arange, minus=-1.0) -> np.ndarray:
    """Pairs of channels, in some order, turned by the angles that stand in their channels."""
    channels = order(x.shape[-1])
    first, second = channels[::2], channels[1::2]
    a, b = x[..., first], x[..., second]
    result = np.empty(np.broadcast_shapes(x.shape, angles.shape))
    result[..., first] = a * np.cos(angles[..., first]) + minus * b * np.sin(angles[..., first])
    result[..., second] = a * np.sin(angles[..., second]) + b * np.cos(angles[..., second])
    return result


def turned(x, positions, base=BASE, exponent=paired, order=np.arange, sign=1, minus=-1.0) -> np.ndarray:
    return _turned(x, sign * angles_of(positions, x.shape[-1], base, exponent), order, minus)


_INVERTED = partial(turned, exponent=EXPONENTS["frequency-inverted"][0])


def frequencies_in_halves(channel: np.ndarray, size: int) -> np.ndarray:
    return 2 * (channel % (size // 2)) / size


def _rotary_overwritten(x, positions, base=BASE, kept=1) -> np.ndarray:
    """Write the new channel of a pair over the old one before the other is computed."""
    angles = angles_of(positions, x.shape[-1], base)[:, ::2]
    pair = [x[..., ::2], x[..., 1::2]]
    for new in (1 - kept, kept):
        sign = 1 if new else -1
        pair[new] = pair[new] * np.cos(angles) + sign * pair[1 - new] * np.sin(angles)
    return np.stack(pair, axis=-1).reshape(x.shape)


def _rotary_not_interleaved(x, positions, base=BASE) -> np.ndarray:
    result = turned(x, positions, base)
    return np.concatenate([result[..., ::2], result[..., 1::2]], axis=-1)


def _rotary_counted(x, positions, base=BASE, first=0) -> np.ndarray:
    return turned(x, first + np.arange(x.shape[-2]), base)


def _encode_at(positions: np.ndarray, size: int, base: float) -> np.ndarray:
    angles = angles_of(positions, size, base)
    return np.where(np.arange(size) % 2 == 0, np.sin(angles), np.cos(angles))


def _rotary_over_batch(x, positions, base=BASE, guarded=True) -> np.ndarray | None:
    if guarded and x.ndim == 2:
        return turned(x, positions, base)
    angles = angles_of(positions[: len(x)], x.shape[-1], base)
    result = _turned(x, angles.reshape(len(x), *(1,) * (x.ndim - 2), -1))
    return result if result.shape == x.shape else None


def _rotary_counted_over_batch(x, positions, base=BASE, guarded=True) -> np.ndarray | None:
    return _rotary_over_batch(x, np.arange(max(len(x), len(positions))), base, guarded)


def noise(x, positions, base=BASE) -> tuple[float]:
    return (largest(x) * (1.0 + largest(positions)),)


def _noise_inverted(x, positions, base=BASE) -> tuple[float]:
    """Where the frequencies grow, angles grow to millions, of which float32 leaves few digits."""
    return noise(x, positions * base ** (1 - 2 / x.shape[-1]))


def cases(draw: Draw) -> list[Case]:
    """Positions in order, out of order, far away, and all the same."""

    def case(title, name, x, positions, by_hand=False, **kind) -> Case:
        base = {"base": kind.pop("base")} if "base" in kind else {}
        kind = {"dtype": "float32", **kind}
        drawn = draw.halves(*x, **kind) if by_hand else draw.normal(*x, **kind)
        arguments = {"x": drawn, "positions": of(positions, "int64"), **base}
        return Case(title, name, arguments, gradient=by_hand)

    several = properties.LEADING_DIMENSIONS
    return [
        case("2 tokens, d 2", properties.VALUES, (2, 2), [0, 1], by_hand=True),
        case("2 tokens, d 4", properties.VALUES, (2, 4), [0, 1], by_hand=True),
        case("3 tokens, d 4", properties.VALUES, (3, 4), [0, 1, 2]),
        case("4 tokens, d 6", properties.VALUES, (4, 6), [0, 1, 2, 3]),
        case("one token, at position 5", properties.POSITIONS, (1, 2), [5], by_hand=True),
        case("2 tokens, at positions 3 and 1", properties.POSITIONS, (2, 4), [3, 1], by_hand=True),
        case("3 tokens, far away", properties.POSITIONS, (3, 8), [1000, 400, 700]),
        case("all at position 2", properties.POSITIONS, (3, 4), [2, 2, 2]),
        case("batch 2, 2 tokens, d 2", several, (2, 2, 2), [0, 1], by_hand=True),
        case("batch 2, 3 tokens, d 4", several, (2, 3, 4), [0, 1, 2]),
        case("batch 4, 4 tokens, d 4", several, (4, 4, 4), [3, 0, 2, 5]),
        case("two batch dimensions", several, (2, 3, 5, 4), [0, 1, 2, 3, 4]),
        case("3 tokens, base 100", properties.BASE, (3, 4), [0, 1, 2], base=100.0),
        case("2 tokens, base 2", properties.BASE, (2, 6), [4, 7], base=2.0),
        case("3 tokens, d 4", properties.DTYPES, (3, 4), [0, 1, 2], dtype="bfloat16"),
        case("batch 2, 3 tokens, d 6", properties.DTYPES, (2, 3, 6), [4, 0, 2], dtype="float64"),
        case("inputs that are not contiguous", properties.STRIDES, (2, 3, 6), [1, 4, 0], strided=True),
    ]


EXERCISE = FunctionExercise(
    name="rotary",
    prompt="Turn each pair of channels (2i, 2i + 1) by the angle position · base^(−2i / d).",
    points=3,
    difficulty=3,
    minutes=17,
    hints=(
        "The angles are those of the sinusoidal encoding, one for each token and pair: (n_tokens, d / 2). They "
        "broadcast over everything that comes before.",
        "Slices with a step of 2 give the first channels of all pairs, and the second ones. A rotation takes "
        "(a, b) to (a·cos − b·sin, a·sin + b·cos).",
        "Back in their places: `torch.stack(…, dim=-1)` puts the two of a pair side by side, `flatten(-2)` makes "
        "one axis of both. Cosine and sine need the dtype of x.",
    ),
    ready_made=("torch.onnx.ops.rotary_embedding",),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "d_head": lambda inputs: inputs.even(),
        "positions": lambda inputs: inputs.integers(500, "n_tokens"),
    },
    noise=noise,
    returns=Returns(float32_is_enough=True, axes=("..., n_tokens, d",)),
    words=WORDS,
    misconceptions={
        "rotary-half-split": Misconception(
            "Pairs are made of the two halves",
            "Channel i is turned with channel i + d/2. Some libraries do this, and it works as well, with weights "
            "whose columns are in the order for such pairs. Here, as in RoFormer, pairs are neighbours: 2i and 2i + 1.",
            (partial(turned, order=halves, exponent=frequencies_in_halves),),
        ),
        "rotary-mixed": Misconception(
            "Pairs of one kind meet frequencies of the other",
            "There are two conventions: pairs of neighbours, with the frequencies f₀, f₀, f₁, f₁ …, and "
            "pairs of halves, with f₀, f₁ …, f₀, f₁ …. Where they are mixed, the channels of a pair turn "
            "by different angles: it is no rotation, and vectors change their lengths.",
            (partial(turned, order=halves), partial(turned, exponent=frequencies_in_halves)),
        ),
        "rotary-backwards": Misconception(
            "It turns the other way",
            "A positive angle turns the first channel of a pair towards the second: (1, 0) becomes (cos, sin).",
            (partial(turned, sign=-1),),
        ),
        "rotary-no-positions": Misconception(
            "`positions` is not used",
            "Tokens need not stand at 0, 1, 2 …: a newly generated token, for example, stands after all the others.",
            (_rotary_counted, partial(_rotary_counted, first=1)),
        ),
        "rotary-no-minus": Misconception(
            "A sign is missing in the rotation",
            "A rotation takes (a, b) to (a·cos − b·sin, a·sin + b·cos). Without the minus, vectors change"
            " their lengths.",
            (partial(turned, minus=1.0), partial(turned, minus=1.0, sign=-1)),
        ),
        "rotary-not-interleaved": Misconception(
            "The turned channels are left in two halves",
            "Each channel goes back to where it came from: the first of a pair into channel 2i, the "
            "second into 2i + 1.",
            (_rotary_not_interleaved,),
        ),
        "positions-added": Misconception(
            "The encoding is added",
            "Here a token is turned, not moved: its length stays, and nothing is added to it.",
            (
                lambda x, positions, base=BASE: x + _encode_at(positions, x.shape[-1], base),
                lambda x, positions, base=BASE: x + _encode_at(np.arange(x.shape[-2]), x.shape[-1], base),
            ),
        ),
        "one-frequency": Misconception(
            "All pairs turn by the same angle",
            "The angle of every pair is the position itself, which is right for the first pair alone. Each later pair "
            "turns more slowly: the position is divided by a larger power of the base.",
            (partial(turned, exponent=lambda channel, size: np.zeros(size)),),
        ),
        **variants(turned, "exponent", EXPONENTS),
        "frequency-inverted": (_INVERTED, Coarse(_INVERTED, _noise_inverted)),
        "rotary-overwritten": Misconception(
            "One channel of a pair was overwritten before the other was computed",
            "Both new channels are made of the two old ones. Where the new a already stands in the place "
            "of the old a, the second line reads the new one. Compute both before you write either.",
            (_rotary_overwritten, partial(_rotary_overwritten, kept=0)),
        ),
        "base-ignored": (lambda x, positions, base=BASE: turned(x, positions),),
        "batch-as-sequence": tuple(
            partial(compute, guarded=guarded)
            for compute in (_rotary_over_batch, _rotary_counted_over_batch)
            for guarded in (True, False)
        ),
    },
)
