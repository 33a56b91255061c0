"""What lies between the course's functions and published models: fused weights, rotary pairs, an interface."""

from __future__ import annotations

import pytest
import torch

from course_attention import interface_attention, rotary, split_fused, to_neighbouring_pairs


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


def turned_by_halves(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Rotary positions with the pairs (i, i + d_head/2), each as a complex number that is multiplied by e^(i·angle)."""
    first, second = x.chunk(2, dim=-1)
    frequencies = base ** (-torch.arange(first.shape[-1], dtype=x.dtype) / first.shape[-1])
    angles = positions.to(x.dtype)[:, None] * frequencies
    turned = torch.complex(first, second) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([turned.real, turned.imag], dim=-1)


@pytest.mark.parametrize("d_head", [2, 4, 6, 10])
def test_reordered_weights_give_the_same_scores(d_head: int) -> None:
    """Queries and keys of reordered weights, turned by `rotary`, score as the others do, turned by halves."""
    torch.manual_seed(0)
    n_heads, positions = 3, torch.arange(7)
    x = torch.randn(7, 5, dtype=torch.float64)
    w_query, w_key = torch.randn(2, 5, n_heads * d_head, dtype=torch.float64)

    def heads(weight: torch.Tensor) -> torch.Tensor:
        return (x @ weight).unflatten(-1, (n_heads, d_head)).transpose(0, 1)

    published = turned_by_halves(heads(w_query), positions) @ turned_by_halves(heads(w_key), positions).mT
    query, key = (rotary(heads(to_neighbouring_pairs(w, n_heads)), positions) for w in (w_query, w_key))
    torch.testing.assert_close(query @ key.mT, published)


@pytest.mark.parametrize("lowest", [torch.finfo(torch.float64).min, -torch.inf])
def test_the_interface_is_that_of_scaled_dot_product_attention(lowest: float) -> None:
    """Groups, scaling and an added mask mean what PyTorch's own function means by them."""
    torch.manual_seed(0)
    query = torch.randn(2, 6, 4, 5, dtype=torch.float64)
    key, value = torch.randn(2, 2, 2, 7, 5, dtype=torch.float64)
    bias = torch.full((4, 7), lowest, dtype=torch.float64).triu(1).expand(2, 1, 4, 7)
    theirs = torch.nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=bias, scale=0.3, enable_gqa=True
    )
    output, weights = interface_attention(query, key, value, bias, scaling=0.3)
    torch.testing.assert_close(output, theirs.transpose(1, 2))
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 6, 4, dtype=torch.float64))
