"""The polynomial degree of self-attention's stages in their input, measured along a line."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from torch import Tensor

from course_attention.mechanisms.attention import mean_attention
from course_attention.mechanisms.self_attention import project, self_attention

Map = Callable[[Tensor], Tensor]


def stages(
    x: Tensor,
    projections: tuple[Tensor, Tensor, Tensor],
    attend: Callable = self_attention,
    projected: Callable = project,
) -> dict[str, Map]:
    """The stages of self-attention as functions of the tokens.

    Args:
        x: tokens, `(n_tokens, d_model)`; frozen weights are those of these tokens.
        projections: w_query, w_key and w_value.
        attend: has the arguments and results of `self_attention`.
        projected: has the arguments and results of `project`.
    """
    frozen = attend(x, *projections)[1]
    return {
        "values": lambda x: projected(x, *projections)[2],
        "scores": lambda x: projected(x, *projections)[0] @ projected(x, *projections)[1].mT,
        "output, weights frozen": lambda x: frozen @ projected(x, *projections)[2],
        "output, without softmax": lambda x: mean_attention(*projected(x, *projections))[0],
        "output": lambda x: attend(x, *projections)[0],
    }


def polynomial_degree(layer: Map, x: Tensor, direction: Tensor, highest: int = 6) -> int | None:
    """The lowest degree of a polynomial in t that fits `layer(x + t · direction)` to rounding; None above `highest`.

    Example:
        >>> import torch
        >>> x, direction = torch.ones(2, dtype=torch.float64), torch.tensor([1.0, -0.5], dtype=torch.float64)
        >>> polynomial_degree(lambda x: x**3, x, direction), polynomial_degree(torch.exp, x, direction)
        (3, None)
    """
    t = np.cos(np.pi * (np.arange(40) + 0.5) / 40)  # where polynomials fit best
    values = np.stack([layer(x + float(s) * direction).flatten().cpu().numpy() for s in t])
    for degree in range(highest + 1):
        basis = np.polynomial.chebyshev.chebvander(t, degree)
        residual = values - basis @ np.linalg.lstsq(basis, values, rcond=None)[0]
        if np.abs(residual).max() < 1e-9 * np.abs(values).max():
            return degree
    return None


def output_sizes(layer: Map, x: Tensor, factors: np.ndarray) -> np.ndarray:
    """Norm of `layer(factor · x)` as a share of that at factor 1, for each factor: `(n_factors,)`.

    Example:
        >>> import torch
        >>> output_sizes(lambda x: x**2, torch.ones(4), np.array([1.0, 3.0]))
        array([1., 9.])
    """
    norms = np.array([layer(float(factor) * x).norm().item() for factor in factors])
    return norms / layer(x).norm().item()


def additivity_gap(layer: Map, first: Tensor, second: Tensor) -> float:
    """Largest |f(a + b) − f(a) − f(b)|, as a share of the largest |f(a + b)|; 0 for a linear map.

    Example:
        >>> import torch
        >>> additivity_gap(lambda x: 2 * x, torch.eye(2), torch.ones(2, 2))
        0.0
    """
    whole = layer(first + second)
    return ((whole - layer(first) - layer(second)).abs().max() / whole.abs().max()).item()
