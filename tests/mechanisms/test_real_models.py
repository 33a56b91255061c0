"""What lies between the course's own functions and published models: fused weights."""

from __future__ import annotations

import pytest
import torch

from course_attention import split_fused


def test_fused_weights_project_as_three() -> None:
    """A head's query, key and value, cut from the product with the fused weight, are those of the three weights."""
    torch.manual_seed(0)
    n_heads, d_head = 3, 4
    x, weight = (
        torch.randn(5, 6, dtype=torch.float64),
        torch.randn(6, n_heads * 3 * d_head, dtype=torch.float64),
    )
    projected = (x @ weight).unflatten(-1, (n_heads, 3 * d_head))
    for part, own in enumerate(split_fused(weight, n_heads)):
        heads = projected[..., part * d_head : (part + 1) * d_head]
        torch.testing.assert_close((x @ own).unflatten(-1, (n_heads, d_head)), heads)


@pytest.mark.parametrize("n_heads", [2, 0, 4.0])
def test_a_fused_weight_that_cannot_be_cut(n_heads: float) -> None:
    """Columns that do not make three equal parts for each head are refused, and the error says how many there are."""
    with pytest.raises(ValueError, match=rf"3 equal parts for each head; got {n_heads} for 9 channels"):
        split_fused(torch.zeros(5, 9), n_heads)  # type: ignore[arg-type]
