"""What PyTorch has ready-made for every exercise that asks for attention, and for layers that contain it.

Of a multi-head attention, parts of PyTorch's are no use: `transplant` is handed one, and its parameter counts are
numbers.
"""

ATTENTION = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.attention.flex_attention.flex_attention",
    "torch.onnx.ops.attention",
    "torch.nn.MultiheadAttention",
    "torch.nn.TransformerEncoderLayer",
    "torch.nn.TransformerDecoderLayer",
    "torch.nn.TransformerEncoder",
    "torch.nn.TransformerDecoder",
    "torch.nn.Transformer",
)
