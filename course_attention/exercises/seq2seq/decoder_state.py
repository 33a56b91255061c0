"""Scores of a decoder state with encoder states, their weighted average, and masks of padding."""

import numpy as np

from course_attention.authoring import Array
from course_attention.exercises.common.inputs import of


def scores_oracle(state: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Return e_i = s · h_i."""
    scores = np.empty(memory.shape[:-1])
    for index in np.ndindex(scores.shape):
        scores[index] = sum(s * h for s, h in zip(state[index[:-1]], memory[index], strict=True))
    return scores


def output_oracle(distribution: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Return a = Σ_i α_i h_i."""
    output = np.zeros((*memory.shape[:-2], memory.shape[-1]))
    for row in np.ndindex(output.shape[:-1]):
        for weight, state in zip(distribution[row], memory[row], strict=True):
            output[row] += weight * state
    return output


def dots(state: np.ndarray, memory: np.ndarray) -> np.ndarray:
    return np.einsum("...d,...nd->...n", state, memory)


def scaled_dots(state: np.ndarray, memory: np.ndarray) -> np.ndarray:
    return dots(state, memory) / np.sqrt(state.shape[-1])


# Divided by √d_hidden, as attention does later, by d_hidden, as a mean does, or by the root of the number of states.
SCALED_DOTS = (
    scaled_dots,
    lambda state, memory: dots(state, memory) / state.shape[-1],
    lambda state, memory: dots(state, memory) / np.sqrt(memory.shape[-2]),
)


def average_of(distribution: np.ndarray, memory: np.ndarray) -> np.ndarray:
    return np.einsum("...n,...nd->...d", distribution, memory)


def nothing_allowed(*shape: int) -> Array:
    """Return a mask in which the first row allows nothing, and the others something."""
    mask = np.ones(shape, dtype=bool)
    mask[..., -1] = False
    mask[0] = False
    return Array(mask, "bool")


def low_allowed() -> Array:
    """Allow the positions with the lowest scores: a fill that is not low enough shows."""
    return of([[False, True, False], [False, False, True]], "bool")


def dots_noise(state: np.ndarray, memory: np.ndarray) -> tuple[float]:
    return (float(dots(np.abs(state), np.abs(memory)).max()) * np.sqrt(state.shape[-1]),)
