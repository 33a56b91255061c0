"""The answer makes weights, and is judged by where attention looks with them."""

from functools import partial

import numpy as np

from course_attention.authoring import (
    Case,
    DesignCase,
    DesignExercise,
    Draw,
    Misconception,
    Undivided,
    properties,
)
from course_attention.exercises.positions.angles import BASE
from course_attention.exercises.positions.shift_matrix import oracle as shift
from course_attention.exercises.positions.sinusoidal_encoding import oracle as encoding

# The attention that is asked for.


def oracle(d_model: int, n_tokens: int, base: float = BASE) -> np.ndarray:
    """Token i attends to token i − 1; the first has nothing before it, and attends to itself."""
    weights = np.zeros((n_tokens, n_tokens))
    for i in range(n_tokens):
        weights[i, max(i - 1, 0)] = 1.0
    return weights


def attends(d_model: int, n_tokens: int, base: float = BASE) -> tuple[np.ndarray, np.ndarray]:
    return encoding(n_tokens, d_model, base), np.tri(n_tokens, dtype=bool)


# Weights that look to another place, or not sharply enough.


def _weights(d_model, base=BASE, offset=-1, strength=400.0, of=None) -> tuple[np.ndarray, np.ndarray]:
    return strength * shift(offset, d_model, base if of is None else of), np.eye(d_model)


def _channels_shifted(d_model, base=BASE, by=1, around=False) -> tuple[np.ndarray, ...]:
    return np.roll(np.eye(d_model), by, axis=1) if around else np.eye(d_model, k=by), np.eye(d_model)


def cases(draw: Draw) -> list[Case]:
    """Short sequences and long ones, several sizes, and other bases."""

    def case(property, n_tokens, d_model, base=None) -> Case:
        arguments = {"d_model": d_model} | ({} if base is None else {"base": base})
        title = f"{n_tokens} tokens, d_model {d_model}" + ("" if base is None else f", base {base:g}")
        return DesignCase(title, property, arguments, sequence={"n_tokens": n_tokens})

    n, d_model = int(draw.rng.integers(6, 12)), 2 * int(draw.rng.integers(17, 40))
    return [
        case(properties.VALUES, 3, 32),
        case(properties.VALUES, 4, 32),
        case(properties.VALUES, n, d_model),
        case(properties.MANY_POSITIONS, 64, 32),
        case(properties.MANY_POSITIONS, 64, d_model),
        case(properties.MANY_POSITIONS, 40, 128),
        case(properties.BASE, 5, 32, 2.0),
        case(properties.BASE, 30, 36, 100.0),
        case(properties.BASE, 64, 48, 3.0),
        case(properties.BASE, 64, 32, 1e5),
    ]


EXERCISE = DesignExercise(
    name="previous_token_weights",
    prompt="Set the weights of queries and keys so that each token attends to the one before it.",
    points=3,
    difficulty=3,
    minutes=15,
    hints=(
        "The product of two encodings, PE(p)·PE(q), is largest where p = q. So what should the query of token i be, if "
        "its key is to be found at i − 1?",
        "The encoding of position i − 1 is that of position i times a matrix, which you have built: `shift_matrix`.",
        "The products for neighbours differ by little, and attention divides them by √d_key. Multiply one of the two "
        "matrices by a large number.",
    ),
    oracle=oracle,
    attends=attends,
    cases=cases,
    tolerance=0.1,
    misconceptions={
        "no-scale": Misconception(
            "Without the division by √d_key the weights would be sharp enough",
            "Attention divides every score by √d_key, so the larger your d_key is, the larger the weights have to be.",
            (Undivided(partial(_weights, strength=12.0)),),
        ),
        "weights-not-sharp": Misconception(
            "The token before gets the largest weight, but not enough of it",
            "The scores of neighbouring positions differ by little, so the softmax shares the weight out "
            "among them. Which factor makes their differences larger?",
            (partial(_weights, strength=1.0),),
        ),
        "next-token": Misconception(
            "It looks for the token after it",
            "A query that was turned the wrong way fits the next position. The causal mask hides it, so "
            "most of the weight stays with the token itself.",
            (partial(_weights, offset=1),),
        ),
        "own-token": Misconception(
            "Each token looks for itself",
            "A query that equals the key of its own position fits that position best, even if both were "
            "moved by the same offset. The query has to fit the key of the position before.",
            (partial(_weights, offset=0),),
        ),
        "two-back": Misconception(
            "It looks two places back",
            "If both query and key are moved, the two moves add up.",
            (partial(_weights, offset=-2),),
        ),
        "channels-shifted": Misconception(
            "The channels are moved, not the positions",
            "An identity with its ones beside the diagonal hands each channel to its neighbour. The rows of the two "
            "matrices are channels of a token. To move its position, each pair of channels has to be turned.",
            tuple(partial(_channels_shifted, by=by, around=around) for by in (1, -1) for around in (False, True)),
        ),
        "uniform": Misconception(
            "Every key gets the same score",
            "The weights do not depend on the position: each token shares its weight equally among all "
            "tokens that it may see. Both matrices have to let the encoding through, or the product of "
            "query and key says nothing.",
            (partial(_weights, strength=0.0),),
        ),
        "base-ignored": Misconception(
            "base is ignored",
            "The encoding has other frequencies for another base, and the matrix that moves it has to have the same.",
            (partial(_weights, of=BASE),),
        ),
        "sign-reversed": Misconception(
            "The token before is avoided",
            "Its score is the lowest of all. What sign does the product of its key with the query have?",
            (partial(_weights, strength=-400.0),),
        ),
    },
)
