"""The logarithm of the softmax, and the ways in which a loss gets it wrong."""

import numpy as np


def log_softmax(logits: np.ndarray, axis: int | None = -1) -> np.ndarray:
    shifted = logits - logits.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def softmax_twice(logits: np.ndarray) -> np.ndarray:
    return log_softmax(np.exp(log_softmax(logits)))


def _ratio(logits: np.ndarray) -> np.ndarray:
    return np.log(np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True))


def _without_shift(logits: np.ndarray) -> np.ndarray:
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


def _of_probabilities(logits: np.ndarray) -> np.ndarray:
    return np.log(np.exp(log_softmax(logits)))


UNSTABLE = (_ratio, _without_shift, _of_probabilities)

WITHOUT_LOGARITHM = (
    lambda logits: np.exp(log_softmax(logits)),
    lambda logits: np.exp(log_softmax(logits)) - 1.0,
)
