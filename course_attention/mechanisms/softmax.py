"""Notebook 00: softmax, in NumPy."""

import numpy as np


def softmax(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    """Turn scores into weights: positive, and summing to 1 along `axis`.

    weights_i = exp(scores_i) / Σ_j exp(scores_j) is unchanged when a constant is taken from every score. Taking the
    largest keeps exp from overflowing.

    Args:
        scores: any shape; integers are taken as float64, floating dtypes are kept.
        axis: the axis along which the weights sum to 1.

    Returns:
        Weights of the same shape. `scores` is left as it was.

    Raises:
        ValueError: there is no number along `axis`, or `axis` is not an axis of `scores`.

    Source:
        Bridle (1990), "Training stochastic model recognition algorithms as networks", eq. 2.

    Example:
        >>> softmax(np.array([[0.0, np.log(3.0)], [5.0, 5.0]])).round(2)
        array([[0.25, 0.75],
               [0.5 , 0.5 ]])
    """
    scores = np.asarray(scores)
    if not np.issubdtype(scores.dtype, np.floating):
        scores = scores.astype(np.float64)
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
