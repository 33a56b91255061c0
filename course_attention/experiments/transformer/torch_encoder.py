"""Comparison of our encoder block with PyTorch's `nn.TransformerEncoderLayer`, on the same weights."""

import torch
from torch import Tensor, nn

from course_attention.mechanisms.transformer import EncoderBlock

_SAME = {"norm_1": "norm1", "norm_2": "norm2", "feed_forward.0": "linear1", "feed_forward.2": "linear2"}


def torch_layer(block: EncoderBlock, n_heads: int) -> nn.TransformerEncoderLayer:
    """PyTorch's layer with the weights of an `EncoderBlock` of so many heads.

    Our attention has no biases, so PyTorch's are set to 0. PyTorch keeps the projections of query, key and value in one
    matrix; ours are joined into it. The other weights have the same shapes and other names.

    Example:
        >>> block, x = EncoderBlock(d_model=4, n_heads=2, d_hidden=8), torch.rand(1, 3, 4)
        >>> torch.allclose(torch_layer(block, 2)(x), block(x), atol=1e-6)
        True
    """
    weights = block.state_dict()
    d_hidden, d_model = weights["feed_forward.0.weight"].shape
    layer = nn.TransformerEncoderLayer(d_model, n_heads, d_hidden, dropout=0.0, activation="relu", batch_first=True)
    joined = torch.cat([weights[f"attention.w_{name}.weight"] for name in ("query", "key", "value")])
    theirs = {
        "self_attn.in_proj_weight": joined,
        "self_attn.in_proj_bias": joined.new_zeros(3 * d_model),
        "self_attn.out_proj.weight": weights["attention.w_out.weight"],
        "self_attn.out_proj.bias": joined.new_zeros(d_model),
    }
    for ours, name in _SAME.items():
        for kind in ("weight", "bias"):
            theirs[f"{name}.{kind}"] = weights[f"{ours}.{kind}"]
    layer = layer.to(joined)
    layer.load_state_dict(theirs)
    return layer


@torch.no_grad()
def largest_difference(
    block: EncoderBlock, n_heads: int, x: Tensor, allowed: Tensor, normed_first: bool = False
) -> float:
    """Return the largest difference between the two outputs at the tokens, as a share of the largest number in ours.

    Args:
        block: ours.
        n_heads: of its attention.
        x: (batch, n_tokens, d_model).
        allowed: (batch, n_tokens), True on tokens; in PyTorch's `src_key_padding_mask` True means padding.
        normed_first: let PyTorch's layer normalise before each sublayer (pre-norm), which ours does not do.
    """
    layer = torch_layer(block, n_heads)
    layer.norm_first = normed_first
    ours = block(x, allowed.unsqueeze(-2))[allowed]
    theirs = layer(x, src_key_padding_mask=~allowed)[allowed]
    return ((ours - theirs).abs().max() / ours.abs().max()).item()
