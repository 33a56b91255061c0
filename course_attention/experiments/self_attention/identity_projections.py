"""Attention without projections, Q = K = V = X: how much weight does a token give to itself?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch

from course_attention.experiments.common.random_tensors import standard_normal
from course_attention.mechanisms.attention import attention


def self_weights(
    d_models: Sequence[int],
    n_tokens: int = 16,
    n_seeds: int = 20,
    attend: Callable = attention,
    device: str | torch.device = "cpu",
) -> np.ndarray:
    """The mean weight that a random token gives to itself; uniform weights would be 1/n_tokens.

    Args:
        d_models: sizes of the tokens.
        n_tokens: length of the sequence.
        n_seeds: drawings of the tokens.
        attend: has the arguments and results of `attention`.
        device: where to compute.

    Returns:
        `(n_seeds, n_sizes)`.
    """

    def own_weight(d_model: int, seed: int) -> float:
        x = standard_normal(n_tokens, d_model, seed=seed, device=device)
        return attend(x, x, x)[1].diagonal().mean().item()

    return np.array([[own_weight(d_model, seed) for d_model in d_models] for seed in range(n_seeds)])
