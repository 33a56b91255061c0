"""Q = K = V = X: what attention does with nothing learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from course_attention.mechanisms.attention import attention


def draw_tokens(n_tokens: int, d_model: int, seed: int = 0, device: str | torch.device = "cpu") -> Tensor:
    """Tokens with independent standard normal entries, `(n_tokens, d_model)`, the same on every device."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(n_tokens, d_model, generator=generator, dtype=torch.float64).to(device)


def own_weights(
    d_models: Sequence[int],
    n_tokens: int = 16,
    n_seeds: int = 20,
    attend: Callable = attention,
    device: str | torch.device = "cpu",
) -> np.ndarray:
    """The mean weight that a random token gives to itself: `(n_seeds, n_sizes)`. Even shares would be 1/n_tokens."""

    def own_weight(d_model: int, seed: int) -> float:
        x = draw_tokens(n_tokens, d_model, seed, device)
        return attend(x, x, x)[1].diagonal().mean().item()

    return np.array([[own_weight(d_model, seed) for d_model in d_models] for seed in range(n_seeds)])
