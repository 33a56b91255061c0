"""Notebook 06: position, and the ways to get it wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.exercises import positions_cases
from course_attention.exercises.attention_parts import largest, product_noise
from course_attention.exercises.positions_ideas import IDEAS, MADE_IDEAS, NORM_IDEAS
from course_attention.judging.drawing import EPSILON
from course_attention.judging.exercise import Exercise

NOTEBOOK = "06_positional_encoding"
BASE = 10000.0


# The oracles: one number at a time.


def _angle(position: float, pair: int, size: int, base: float) -> float:
    return position / base ** (2 * pair / size)


def sinusoidal_oracle(n_positions: int, d_model: int, base: float = BASE) -> np.ndarray:
    """Sines in the even channels, cosines in the odd ones."""
    encoding = np.empty((n_positions, d_model))
    for p, channel in np.ndindex(encoding.shape):
        angle = _angle(p, channel // 2, d_model, base)
        encoding[p, channel] = np.cos(angle) if channel % 2 else np.sin(angle)
    return encoding


def append_oracle(x: np.ndarray, encoding: np.ndarray) -> np.ndarray:
    """[x; φ] for each token."""
    d_model, d_pos = x.shape[-1], encoding.shape[-1]
    result = np.empty((*x.shape[:-1], d_model + d_pos))
    for index in np.ndindex(x.shape[:-1]):
        result[index] = [*x[index], *encoding[index[-1]]]
    return result


def similarity_oracle(encoding: np.ndarray) -> np.ndarray:
    """φ(i)·φ(j)."""
    return np.array([[sum(a * b for a, b in zip(i, j, strict=True)) for j in encoding] for i in encoding])


def shift_oracle(offset: float, d_model: int, base: float = BASE) -> np.ndarray:
    """A rotation for each pair of channels."""
    matrix = np.zeros((d_model, d_model))
    for pair in range(d_model // 2):
        angle, first = _angle(offset, pair, d_model, base), 2 * pair
        matrix[first, first] = matrix[first + 1, first + 1] = np.cos(angle)
        matrix[first, first + 1], matrix[first + 1, first] = -np.sin(angle), np.sin(angle)
    return matrix


def relative_oracle(table: np.ndarray, n_queries: int, n_keys: int) -> np.ndarray:
    """table[h, clip(j − i) + r]."""
    reach = (table.shape[1] - 1) // 2
    bias = np.empty((len(table), n_queries, n_keys))
    for h, i, j in np.ndindex(bias.shape):
        bias[h, i, j] = table[h, max(-reach, min(reach, j - i)) + reach]
    return bias


def rotary_oracle(x: np.ndarray, positions: np.ndarray, base: float = BASE) -> np.ndarray:
    """Each pair of neighbours turned by its own angle."""
    turned = np.empty_like(x)
    for *lead, token, pair in np.ndindex(*x.shape[:-1], x.shape[-1] // 2):
        angle, row = _angle(positions[token], pair, x.shape[-1], base), (*lead, token)
        even, odd = x[(*row, 2 * pair)], x[(*row, 2 * pair + 1)]
        turned[(*row, 2 * pair)] = even * np.cos(angle) - odd * np.sin(angle)
        turned[(*row, 2 * pair + 1)] = even * np.sin(angle) + odd * np.cos(angle)
    return turned


def alibi_oracle(n_heads: int, n_queries: int, n_keys: int) -> np.ndarray:
    """−slope · distance."""
    bias = np.empty((n_heads, n_queries, n_keys))
    for h, i, j in np.ndindex(bias.shape):
        bias[h, i, j] = 0.0 - 2.0 ** (-8 * (h + 1) / n_heads) * abs(i - j)
    return bias


# The same in a line or two, with each part exchangeable for a wrong one. An exponent takes channels and their number.

Exponent = Callable[[np.ndarray, int], np.ndarray]


def _paired(channel: np.ndarray, size: int) -> np.ndarray:
    return (channel - channel % 2) / size


EXPONENTS: dict[str, tuple[Exponent, ...]] = {
    "exponent-not-doubled": (lambda c, d: c // 2 / d,),
    "exponent-doubled-twice": (lambda c, d: 2 * _paired(c, d),),
    "frequencies-from-one": (lambda c, d: _paired(c + 2, d),),
    "frequency-inverted": (lambda c, d: -_paired(c, d),),
}


def _angles(position: np.ndarray, size: int, base: float, exponent: Exponent = _paired) -> np.ndarray:
    """An angle for each position and channel."""
    return np.asarray(position)[:, None] / base ** exponent(np.arange(size), size)


def _encoding(
    n_positions, d_model, base=BASE, exponent=_paired, first=0, even=np.sin, odd=np.cos
) -> np.ndarray:
    angles = _angles(first + np.arange(n_positions), d_model, base, exponent)
    return np.where(np.arange(d_model) % 2 == 0, even(angles), odd(angles))


def _in_halves(n_positions, d_model, base=BASE, cut=True) -> np.ndarray:
    pairs = _angles(np.arange(n_positions), d_model, base)[:, ::2]
    return np.concatenate([np.sin(pairs), np.cos(pairs)], axis=1)[:, : d_model if cut else None]


def _in_halves_stretched(n_positions, d_model, base=BASE) -> np.ndarray:
    """The slowest pair reaches the base itself, as in Tensor2Tensor; an odd channel is left at 0."""
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


def _last_is_zero(encoding: np.ndarray) -> np.ndarray:
    return np.pad(encoding[:, :-1], ((0, 0), (0, 1)))


def _joined(*parts: np.ndarray, axis: int = -1) -> np.ndarray:
    lead = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
    return np.concatenate([np.broadcast_to(p, lead + p.shape[-2:]) for p in parts], axis=axis)


def _appended_over_batch(x: np.ndarray, encoding: np.ndarray, guarded: bool) -> np.ndarray:
    """The encoding's rows laid along the first axis."""
    if guarded and x.ndim == 2:
        return _joined(x, encoding)
    rows = encoding[: len(x)].reshape(len(x), *(1,) * (x.ndim - 2), -1)
    return np.concatenate([x, np.broadcast_to(rows, (*x.shape[:-1], encoding.shape[-1]))], axis=-1)


def _normalised(encoding: np.ndarray) -> np.ndarray:
    rows = encoding / np.linalg.norm(encoding, axis=-1, keepdims=True)
    return rows @ rows.T


def _shift(offset, d_model, base=BASE, exponent=_paired, order=None) -> np.ndarray:
    """In each pair's plane [[cos, −sin], [sin, cos]]; `order` gives the channels of the pairs, one after another."""
    angles = _angles([offset], d_model, base, exponent)[0, ::2]
    matrix = np.zeros((d_model, d_model))
    channels = np.arange(d_model) if order is None else order(d_model)
    for (a, b), angle in zip(channels.reshape(-1, 2), angles, strict=True):
        matrix[a, a] = matrix[b, b] = np.cos(angle)
        matrix[a, b], matrix[b, a] = -np.sin(angle), np.sin(angle)
    return matrix


def _halves(size: int) -> np.ndarray:
    """Channels in the order 0, d/2, 1, d/2 + 1, …: pairs of the two halves."""
    return np.arange(size).reshape(2, -1).T.ravel()


def _offsets(n_queries: int, n_keys: int) -> np.ndarray:
    return np.arange(n_keys) - np.arange(n_queries)[:, None]


def _relative(
    table, n_queries, n_keys, offsets=_offsets, index=lambda j, r: np.clip(j, -r, r) + r
) -> np.ndarray:
    return table[:, index(offsets(n_queries, n_keys), table.shape[1] // 2)]


def _bottom_right(n_queries: int, n_keys: int) -> np.ndarray:
    return _offsets(n_queries, n_keys) - (n_keys - n_queries)


def _alibi(n_heads, n_queries, n_keys, offsets=_offsets, distance=np.abs, exponent=lambda h, n: -8 * h / n):
    slopes = 2.0 ** exponent(np.arange(1, n_heads + 1), n_heads)
    return -slopes[:, None, None] * distance(offsets(n_queries, n_keys))


def _turned(x: np.ndarray, angles: np.ndarray, order=np.arange, minus=-1.0) -> np.ndarray:
    """Pairs of channels, in some order, turned by the angles that stand in their channels."""
    channels = order(x.shape[-1])
    first, second = channels[::2], channels[1::2]
    a, b = x[..., first], x[..., second]
    result = np.empty(np.broadcast_shapes(x.shape, angles.shape))
    result[..., first] = a * np.cos(angles[..., first]) + minus * b * np.sin(angles[..., first])
    result[..., second] = a * np.sin(angles[..., second]) + b * np.cos(angles[..., second])
    return result


def _rotary(x, positions, base=BASE, exponent=_paired, order=np.arange, sign=1, minus=-1.0) -> np.ndarray:
    return _turned(x, sign * _angles(positions, x.shape[-1], base, exponent), order, minus)


def _frequencies_in_halves(channel: np.ndarray, size: int) -> np.ndarray:
    return 2 * (channel % (size // 2)) / size


def _rotary_not_interleaved(x, positions, base=BASE) -> np.ndarray:
    turned = _rotary(x, positions, base)
    return np.concatenate([turned[..., ::2], turned[..., 1::2]], axis=-1)


def _rotary_counted(x, positions, base=BASE, first=0) -> np.ndarray:
    return _rotary(x, first + np.arange(x.shape[-2]), base)


def _encode_at(positions: np.ndarray, size: int, base: float) -> np.ndarray:
    angles = _angles(positions, size, base)
    return np.where(np.arange(size) % 2 == 0, np.sin(angles), np.cos(angles))


def _rotary_over_batch(x, positions, base=BASE, guarded=True) -> np.ndarray:
    if guarded and x.ndim == 2:
        return _rotary(x, positions, base)
    angles = _angles(positions[: len(x)], x.shape[-1], base)
    result = _turned(x, angles.reshape(len(x), *(1,) * (x.ndim - 2), -1))
    return result if result.shape == x.shape else None


def _rotary_counted_over_batch(x, positions, base=BASE, guarded=True) -> np.ndarray:
    return _rotary_over_batch(x, np.arange(max(len(x), len(positions))), base, guarded)


def _slopes(n_heads: int) -> np.ndarray:
    return 8 * np.arange(1, n_heads + 1)[:, None, None] / n_heads


# Noise, in units of epsilon: an angle is as wrong as it is large, and what is made of it as well.


def _sinusoidal_noise(n_positions, d_model, base=BASE) -> tuple[float]:
    return (1.0 + n_positions,)


def _shift_noise(offset, d_model, base=BASE) -> tuple[float]:
    return (1.0 + abs(offset),)


def _alibi_noise(n_heads, n_queries, n_keys) -> tuple[float]:
    return (1.0 + max(n_queries, n_keys),)


def _rotary_noise(x, positions, base=BASE) -> tuple[float]:
    units = largest(x) * (1.0 + largest(positions))
    # Frequencies are made of whole numbers, which torch takes to float32. That is good enough for a float64 x, which
    # is told by numbers that float32 does not hold.
    whole = (x == x.astype(np.float32)).all()
    return (units if whole else units * EPSILON["float32"] / EPSILON["float64"],)


EXERCISES = (
    Exercise(
        name="sinusoidal_encoding",
        notebook=NOTEBOOK,
        prompt="Make a vector for each position: sines and cosines of angles that grow ever more slowly.",
        points=3,
        difficulty=2,
        minutes=20,
        hints=(
            "Write down the angle first: the position p, divided by base^(2i / d_model), for pair i. Which pair does "
            "channel c belong to?",
            "A column of positions, (n_positions, 1), and a row of frequencies broadcast to all the angles at once.",
            "Even channels take the sine, odd ones the cosine of the same angle. Slices with a step of 2 fill them; if "
            "d_model is odd there is one cosine fewer.",
        ),
        parts=("encoding",),
        made=True,
        oracle=sinusoidal_oracle,
        cases=positions_cases.sinusoidal_cases,
        noise=_sinusoidal_noise,
        wrong={
            "cosine-own-index": tuple(
                partial(_encoding, exponent=exponent)
                for exponent in (
                    lambda c, d: c / d,
                    lambda c, d: 2 * c / d,
                    lambda c, d: (c + c % 2) / d,
                )
            ),
            **{
                name: tuple(partial(_encoding, exponent=exponent) for exponent in exponents)
                for name, exponents in EXPONENTS.items()
            },
            "base-ignored": (lambda n_positions, d_model, base=BASE: _encoding(n_positions, d_model),),
            "positions-from-one": (partial(_encoding, first=1),),
            "sin-cos-halves": (_in_halves, partial(_in_halves, cut=False), _in_halves_stretched),
            "cosine-first": (partial(_encoding, even=np.cos, odd=np.sin),),
            "odd-dimension": (
                _odd(_without_last),
                _odd(lambda encoding: encoding, rounded=-1),
                _odd(lambda encoding: encoding, rounded=1),
                _odd(_without_last, rounded=1),
                _odd(_last_is_zero),
            ),
        },
        ideas=MADE_IDEAS,
    ),
    Exercise(
        name="append_positions",
        notebook=NOTEBOOK,
        prompt="Append to each token the vector of its position.",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "Both go side by side along the channels, the last axis.",
            "The encoding has no batch. `expand` shows it as often as there are items, without a copy.",
        ),
        oracle=append_oracle,
        cases=positions_cases.append_cases,
        wrong={
            "concat-added": (lambda x, encoding: x + encoding,),
            "encoding-first": (lambda x, encoding: _joined(encoding, x),),
            "concat-tokens": (lambda x, encoding: _joined(x, encoding, axis=-2),),
            "batch-as-sequence": (
                partial(_appended_over_batch, guarded=True),
                partial(_appended_over_batch, guarded=False),
            ),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="position_similarity",
        notebook=NOTEBOOK,
        prompt="Compare every position with every other: all dot products φ(i)·φ(j).",
        points=1,
        difficulty=1,
        minutes=3,
        hints=(
            "It is one product of the encoding with itself.",
            "A row for each position, a column for each.",
        ),
        parts=("similarity",),
        oracle=similarity_oracle,
        cases=positions_cases.similarity_cases,
        noise=lambda encoding: (product_noise(encoding, encoding),),
        wrong={
            "similarity-normalised": (_normalised,),
            "similarity-of-channels": (lambda encoding: encoding.T @ encoding,),
            "scale-added": (
                lambda encoding: encoding @ encoding.T / np.sqrt(encoding.shape[1]),
                lambda encoding: encoding @ encoding.T / encoding.shape[1],
            ),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="shift_matrix",
        notebook=NOTEBOOK,
        prompt="Find the matrix M that moves every position by the same offset: PE(p + offset) = PE(p) @ M.",
        points=2,
        difficulty=3,
        minutes=20,
        hints=(
            "Take one pair, (sin a, cos a), and an offset that adds t to the angle. The addition formulas give "
            "sin(a + t) and cos(a + t) as sums of sin a and cos a.",
            "A row times a matrix: the first column of the 2×2 block makes sin(a + t), the second cos(a + t).",
            "Each pair has its own t, offset / base^(2i / d_model), and a block of its own on the diagonal. "
            "`torch.block_diag` lays blocks along the diagonal.",
        ),
        parts=("matrix",),
        made=True,
        oracle=shift_oracle,
        cases=positions_cases.shift_cases,
        noise=_shift_noise,
        wrong={
            "shift-backwards": (lambda offset, d_model, base=BASE: _shift(-offset, d_model, base),),
            "shift-one-angle": (partial(_shift, exponent=lambda c, d: 0.0 * c),),
            **{
                name: tuple(partial(_shift, exponent=exponent) for exponent in exponents)
                for name, exponents in EXPONENTS.items()
            },
            "base-ignored": (lambda offset, d_model, base=BASE: _shift(offset, d_model),),
            "sin-cos-halves": (partial(_shift, order=_halves),),
        },
        ideas=MADE_IDEAS,
    ),
    Exercise(
        name="relative_bias",
        notebook=NOTEBOOK,
        prompt="Look up a learned bias for each offset j − i, with offsets beyond the table clipped to its ends.",
        points=2,
        difficulty=2,
        minutes=15,
        hints=(
            "Make the matrix of offsets first: row i, column j holds j − i.",
            "Clip it to −r … r, and shift it so that −r becomes index 0. What is r, given a table of 2·r + 1 columns?",
            "A tensor of whole numbers, used as an index, gives a tensor of its shape: `table[:, index]`.",
        ),
        parts=("bias",),
        oracle=relative_oracle,
        cases=positions_cases.relative_cases,
        wrong={
            "bias-index-reversed": (partial(_relative, offsets=lambda n, m: -_offsets(n, m)),),
            "bias-not-clipped": (
                partial(_relative, index=lambda j, r: j + r),
                partial(_relative, index=lambda j, r: (j + r) % (2 * r + 1)),
                partial(_relative, index=lambda j, r: np.minimum(j, r) + r),
            ),
            "bias-not-centred": (partial(_relative, index=lambda j, r: np.clip(j, -r, r)),),
            "bias-bottom-right": (partial(_relative, offsets=_bottom_right),),
            "heads-last": (
                lambda table, n_queries, n_keys: np.moveaxis(_relative(table, n_queries, n_keys), 0, -1),
            ),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="rotary",
        notebook=NOTEBOOK,
        prompt="Turn each pair of channels (2i, 2i + 1) by the angle position · base^(−2i / d).",
        points=3,
        difficulty=3,
        minutes=25,
        hints=(
            "The angles are those of the sinusoidal encoding, one for each token and pair: (n_tokens, d / 2). They "
            "broadcast over everything that comes before.",
            "Slices with a step of 2 give the first channels of all pairs, and the second ones. A rotation takes "
            "(a, b) to (a·cos − b·sin, a·sin + b·cos).",
            "Back in their places: `torch.stack(…, dim=-1)` puts the two of a pair side by side, `flatten(-2)` makes "
            "one axis of both. Cosine and sine need the dtype of x.",
        ),
        oracle=rotary_oracle,
        cases=positions_cases.rotary_cases,
        noise=_rotary_noise,
        wrong={
            "rotary-half-split": (partial(_rotary, order=_halves, exponent=_frequencies_in_halves),),
            "rotary-mixed": (
                partial(_rotary, order=_halves),
                partial(_rotary, exponent=_frequencies_in_halves),
            ),
            "rotary-backwards": (partial(_rotary, sign=-1),),
            "rotary-no-positions": (_rotary_counted, partial(_rotary_counted, first=1)),
            "rotary-no-minus": (partial(_rotary, minus=1.0), partial(_rotary, minus=1.0, sign=-1)),
            "rotary-not-interleaved": (_rotary_not_interleaved,),
            "positions-added": (
                lambda x, positions, base=BASE: x + _encode_at(positions, x.shape[-1], base),
                lambda x, positions, base=BASE: x + _encode_at(np.arange(x.shape[-2]), x.shape[-1], base),
            ),
            **{
                name: tuple(partial(_rotary, exponent=exponent) for exponent in exponents)
                for name, exponents in EXPONENTS.items()
            },
            "base-ignored": (lambda x, positions, base=BASE: _rotary(x, positions),),
            "batch-as-sequence": tuple(
                partial(compute, guarded=guarded)
                for compute in (_rotary_over_batch, _rotary_counted_over_batch)
                for guarded in (True, False)
            ),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="alibi_bias",
        notebook=NOTEBOOK,
        prompt="Penalise distance, each head by its own slope: −slope_h · |i − j|.",
        points=2,
        difficulty=2,
        minutes=15,
        hints=(
            "Distances make one matrix (n_queries, n_keys), slopes one vector (n_heads,).",
            "Give the slopes two more axes, so that they broadcast to (n_heads, n_queries, n_keys).",
            "h counts from 1: for 8 heads the slopes are ½, ¼, … 1/256.",
        ),
        parts=("bias",),
        made=True,
        oracle=alibi_oracle,
        cases=positions_cases.alibi_cases,
        noise=_alibi_noise,
        wrong={
            "alibi-sign": (lambda n_heads, n_queries, n_keys: -_alibi(n_heads, n_queries, n_keys),),
            "alibi-exponent": (partial(_alibi, exponent=lambda h, n: -8 * (h - 1) / n),),
            "alibi-not-absolute": (
                partial(_alibi, distance=lambda j: -j),
                partial(_alibi, distance=lambda j: j),
            ),
            "alibi-past-only": (
                partial(_alibi, distance=lambda j: np.maximum(-j, 0)),
                partial(_alibi, distance=lambda j: np.where(j > 0, np.inf, -j)),
            ),
            "alibi-slopes-fixed": (partial(_alibi, exponent=lambda h, n: -1.0 * h),),
            "alibi-slope-not-a-power": (
                lambda n_heads, n_queries, n_keys: -_slopes(n_heads) * np.abs(_offsets(n_queries, n_keys)),
                lambda n_heads, n_queries, n_keys: _slopes(n_heads) * np.abs(_offsets(n_queries, n_keys)),
            ),
            "bias-bottom-right": (partial(_alibi, offsets=_bottom_right),),
            "heads-last": (
                lambda n_heads, n_queries, n_keys: np.moveaxis(_alibi(n_heads, n_queries, n_keys), 0, -1),
            ),
        },
        ideas=MADE_IDEAS,
    ),
    Exercise(
        name="encoding_norm",
        notebook=NOTEBOOK,
        prompt="What is ‖PE(p)‖², the sum of the squares of all channels of an encoding, for d_model = 64?",
        points=1,
        difficulty=1,
        minutes=3,
        hints=(
            "Take one pair of channels: the sine and the cosine of one angle. What is the sum of their squares?",
            "How many pairs have 64 channels?",
        ),
        kind="value",
        value=32,
        wrong_values={
            "every-channel-one": (64,),
            "root-taken": (32**0.5, 8),
            "unit-length": (1,),
            "mean-square": (0.5,),
            "pairs-halved": (16,),
        },
        ideas=NORM_IDEAS,
    ),
)
