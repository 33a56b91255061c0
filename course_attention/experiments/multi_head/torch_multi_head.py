"""Comparison of our multi-head attention with PyTorch's, on the same weights: results and gradients."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from course_attention.mechanisms.multi_head import MultiHeadAttention, transplant

DTYPES = (torch.float64, torch.float32, torch.float16, torch.bfloat16)


def differences(
    dtype: torch.dtype,
    masked: bool = False,
    layer: Callable[[int, int], nn.Module] = MultiHeadAttention,
    move: Callable = transplant,
    d_model: int = 32,
    n_heads: int = 4,
    n_tokens: int = 12,
    seed: int = 0,
    device: str | torch.device = "cpu",
) -> dict[str, float]:
    """Return the largest differences in output, weights, and the gradients of the input and of all four matrices.

    Args:
        dtype: of all tensors.
        masked: use a causal mask.
        layer: makes our layer from d_model and n_heads.
        move: takes the weights out of PyTorch's layer, as `transplant` does.
        d_model, n_heads, n_tokens: sizes.
        seed: of the weights and the input.
        device: where to compute.

    Returns:
        Name → largest difference, in units of the dtype's epsilon times the largest number of that name.

    Example:
        >>> max(differences(torch.float64).values()) < 100
        True
    """
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64).to(device, dtype)

    theirs = nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True, device=device, dtype=dtype)
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.copy_(draw(*parameter.shape) / d_model**0.5)
    ours = layer(d_model, n_heads).to(device, dtype)
    ours.load_state_dict(move(theirs))
    x, upstream = draw(3, n_tokens, d_model), draw(3, n_tokens, d_model)
    allowed = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=device).tril() if masked else None

    our_x, their_x = x.clone().requires_grad_(), x.clone().requires_grad_()
    our_output, our_weights = ours(our_x, allowed=allowed)
    # In PyTorch's layer, True in a mask means blocked; and it averages the weights over the heads unless told not to.
    blocked = None if allowed is None else ~allowed
    their_output, their_weights = theirs(their_x, their_x, their_x, attn_mask=blocked, average_attn_weights=False)
    (our_output * upstream).sum().backward()
    (their_output * upstream).sum().backward()
    names = ("w_query", "w_key", "w_value", "w_out")
    assert theirs.in_proj_weight.grad is not None  # for mypy: `backward` has set it
    their_gradients = (*theirs.in_proj_weight.grad.chunk(3), theirs.out_proj.weight.grad)
    pairs = {
        "output": (our_output, their_output),
        "weights": (our_weights, their_weights),
        "gradient of x": (our_x.grad, their_x.grad),
        **{
            f"gradient of {name}": (getattr(ours, name).weight.grad, gradient)
            for name, gradient in zip(names, their_gradients, strict=True)
        },
    }
    return {name: _largest_difference(*pair, torch.finfo(dtype).eps) for name, pair in pairs.items()}


def _largest_difference(a: Tensor, b: Tensor, epsilon: float) -> float:
    a, b = a.detach().double(), b.detach().double()
    return ((a - b).abs().max() / b.abs().max() / epsilon).item()
