"""Reads with the language model and keeps what its blocks throw away: the attention weights of every head."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from course_attention.mechanisms.masking import masked_softmax
from course_attention.mechanisms.multi_head import merge_heads, split_heads
from course_attention.mechanisms.positions import rotary
from course_attention.models.language_model import LanguageModel


@torch.no_grad()
def read(model: LanguageModel, tokens: Tensor, allowed: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Return the logits of the model, and the attention weights of all its heads. Notebook 10 writes this out.

    Args:
        model: of the course's own blocks, without a cache.
        tokens: (batch, n_tokens).
        allowed: (n_tokens, n_tokens), True = may attend; None is causal, as the model was trained.

    Returns:
        Logits (batch, n_tokens, n_vocabulary), and weights (n_layers, batch, n_heads, n_tokens, n_tokens).

    Example:
        >>> model = LanguageModel(n_vocabulary=10, n_layers=2, d_model=8, n_heads=2, n_groups=1, d_hidden=16)
        >>> logits, weights = read(model, torch.tensor([[1, 2, 3]]))
        >>> torch.allclose(logits, model(torch.tensor([[1, 2, 3]]))[0], atol=1e-6), weights.shape
        (True, torch.Size([2, 1, 2, 3, 3]))
    """
    positions = torch.arange(tokens.shape[-1], device=tokens.device)
    allowed = positions <= positions[:, None] if allowed is None else allowed
    x, kept = model.embedding(tokens), []
    for block in model.blocks:
        y = block.norm_1(x)
        query = rotary(split_heads(block.w_query(y), block.n_heads), positions)
        key = rotary(split_heads(block.w_key(y), block.n_groups), positions)
        value = split_heads(block.w_value(y), block.n_groups)
        copies = block.n_heads // block.n_groups
        key, value = key.repeat_interleave(copies, dim=-3), value.repeat_interleave(copies, dim=-3)
        weights = masked_softmax(query @ key.mT / math.sqrt(query.shape[-1]), allowed)
        kept.append(weights)
        x = x + block.w_out(merge_heads(weights @ value))
        y = block.norm_2(x)
        x = x + block.w_down(F.silu(block.w_gate(y)) * block.w_up(y))
    return model.norm(x) @ model.embedding.weight.T, torch.stack(kept)
