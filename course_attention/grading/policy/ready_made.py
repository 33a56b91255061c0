"""Lists what other libraries have ready-made for an exercise. An answer that uses it has built nothing."""

from __future__ import annotations

from course_attention.exercises import CATALOGUE

# Functions and classes, which are refused by name, and torch's operators, which are refused by whatever name they are
# reached. A test walks torch's and SciPy's namespaces for others.
_ATTENTION = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.attention.flex_attention.flex_attention",
    "torch._higher_order_ops.flex_attention.math_attention",
    "torch._higher_order_ops.flex_attention.sdpa_dense",
    "torch._higher_order_ops.flex_attention._math_attention_inner",
    "torch.onnx.ops.attention",
    "torch.ops.onnx.Attention",
    "torch.nn.MultiheadAttention",
    "torch.nn.TransformerEncoderLayer",
    "torch.nn.TransformerDecoderLayer",
    "torch.nn.TransformerEncoder",
    "torch.nn.TransformerDecoder",
    "torch.nn.Transformer",
    "torch._C._nn.scaled_dot_product_attention",
    "torch._scaled_dot_product_attention_math",
    "torch._scaled_dot_product_flash_attention_for_cpu",
    "torch._native_multi_head_attention",
    "torch._C._dispatch_call_boxed",
    "torch.ops.aten.scaled_dot_product_attention",
    "torch.ops.aten._scaled_dot_product_attention_math",
    "torch.ops.aten._scaled_dot_product_attention_math_for_mps",
    "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu",
    "torch.ops.aten._scaled_dot_product_flash_attention",
    "torch.ops.aten._scaled_dot_product_efficient_attention",
    "torch.ops.aten._scaled_dot_product_cudnn_attention",
    "torch.ops.aten._scaled_dot_product_fused_attention_overrideable",
    "torch.ops.aten._flash_attention_forward",
    "torch.ops.aten._efficient_attention_forward",
    "torch.ops.aten._cudnn_attention_forward",
    "torch.ops.aten._native_multi_head_attention",
    "torch.ops.aten._transformer_encoder_layer_fwd",
    "torch.ops.aten._triton_multi_head_attention",
    "torch.ops.aten._triton_scaled_dot_attention",
)
_SOFTMAX = (
    "torch.softmax",
    "torch.nn.functional.softmax",
    "torch.special.softmax",
    "torch.Tensor.softmax",
    "torch._softmax",
    "torch._safe_softmax",
    "torch.log_softmax",
    "torch.special.log_softmax",
    "torch.Tensor.log_softmax",
    "torch._log_softmax",
    "torch.nn.functional.log_softmax",
    "torch.nn.functional.softmin",
    "torch.nn.Softmax",
    "torch.nn.LogSoftmax",
    "torch.nn.Softmin",
    "torch.ops.aten.softmax",
    "torch.ops.aten._softmax",
    "torch.ops.aten._safe_softmax",
    "torch.ops.aten.special_softmax",
    "torch.ops.aten.log_softmax",
    "torch.ops.aten._log_softmax",
    "torch.ops.aten.special_log_softmax",
    "torch.ops.aten._sparse_softmax",
    "torch.ops.aten._sparse_log_softmax",
    "torch.ops.aten._masked_softmax",
    "torch._refs.softmax",
    "torch._refs.log_softmax",
    "torch._refs.special.softmax",
    "torch._refs.special.log_softmax",
    "torch._refs.nn.functional.softmax",
    "torch._refs.nn.functional.log_softmax",
    "torch._refs.nn.functional.softmin",
    "torch._decomp.decompositions._softmax",
    "torch._decomp.decompositions._log_softmax",
    "torch._decomp.decompositions.safe_softmax",
    "torch.masked.softmax",
    "torch.masked.log_softmax",
    "torch.masked.softmin",
    "scipy.special.softmax",
    "scipy.special.log_softmax",
    "sklearn.utils.extmath.softmax",
    "sklearn.neural_network._base.inplace_softmax",
)
_MASKED_SOFTMAX = (
    "torch.masked.softmax",
    "torch._masked_softmax",
    "torch.ops.aten._masked_softmax",
    "torch._C._dispatch_call_boxed",
)
_ROTARY = ("torch.onnx.ops.rotary_embedding", "torch.ops.onnx.RotaryEmbedding")

# Exercise → what is ready-made for it elsewhere. Of a multi-head attention, parts of PyTorch's are no use: `transplant`
# is handed one, and the parameter counts are numbers.
READY_MADE = {
    "softmax": _SOFTMAX,
    "masked_softmax": _MASKED_SOFTMAX,
    "rotary": _ROTARY,
    **dict.fromkeys(
        (
            "attend_and_concat",
            "attention",
            "attention_columns",
            "cross_attention",
            "self_attention",
            "SelfAttention",
            "multi_head_attention",
            "MultiHeadAttention",
            "head_outputs",
            "rotary_attention",
            "EncoderBlock",
            "DecoderBlock",
            "cached_attention",
            "grouped_query_attention",
            "blockwise_attention",
            "DecoderOnlyBlock",
        ),
        _ATTENTION,
    ),
}


def ready_made(exercise: str) -> tuple[str, ...]:
    """Return the full names of what other libraries have ready-made for an exercise.

    Example:
        >>> ready_made("rotary")
        ('torch.onnx.ops.rotary_embedding', 'torch.ops.onnx.RotaryEmbedding')
    """
    return (*READY_MADE.get(exercise, ()), *CATALOGUE[exercise].exercise.ready_made)
