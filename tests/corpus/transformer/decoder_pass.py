"""Answers to the practice `decoder_pass(model, tokens, memory, allowed)` of notebook 08."""

import torch

from course_attention.mechanisms.masking import causal_mask
from tests.corpus import change

def right__lists(model, tokens, memory, allowed):
    n = tokens.shape[-1]
    mask = None
    if model.causal:
        mask = causal_mask(n).to(memory.device)
    source_mask = allowed[:, None, :]
    x = model.place(model.embed_target(tokens))
    collected = []
    for block in model.decoder:
        x, w = block(x, memory, allowed=mask, memory_allowed=source_mask)
        collected.append(w)
    logits = model.output(x)
    return logits, torch.stack(collected, dim=1)

def right__all_ones(model, tokens, memory, allowed):
    n = tokens.shape[1]
    mask = torch.ones(n, n, dtype=torch.bool, device=tokens.device)
    mask = mask.tril() if model.causal else mask
    x, found = model.place(model.embed_target(tokens)), []
    for i, _ in enumerate(model.decoder):
        x, w = model.decoder[i](x, memory, mask, allowed.unsqueeze(1))
        found += [w.unsqueeze(1)]
    return [model.output(x), torch.cat(found, dim=1)]

wrong__decoder_future_seen__1 = change(
    right__lists, ("if model.causal:", "if not model.causal:"), ("causal_mask(n)", "torch.ones(n, n)")
)
wrong__decoder_future_seen__2 = change(right__all_ones, ("mask.tril() if model.causal else mask", "mask"))
wrong__decoder_always_causal__1 = change(right__all_ones, ("mask.tril() if model.causal else mask", "mask.tril()"))
wrong__decoder_padding_seen__1 = change(right__lists, ("memory_allowed=source_mask", "memory_allowed=None"))
wrong__decoder_padding_seen__2 = change(
    right__lists, ("source_mask = allowed[:, None, :]", "source_mask = allowed[:, None, :] if model.causal else None")
)
wrong__decoder_no_positions__1 = change(
    right__lists, ("model.place(model.embed_target(tokens))", "model.embed_target(tokens)")
)
wrong__decoder_shifted_again__1 = change(
    right__lists,
    ("embed_target(tokens)", "embed_target(torch.cat([torch.ones_like(tokens[:, :1]), tokens[:, :-1]], 1))"),
)
wrong__decoder_last_place__1 = change(right__lists, ("model.output(x)", "model.output(x[:, -1])"))
wrong__decoder_no_output_layer__1 = change(right__lists, ("model.output(x)", "x"))
wrong__decoder_blocks_in_front__1 = change(right__lists, ("dim=1", "dim=0"))
wrong__decoder_last_weights__1 = change(right__lists, ("torch.stack(collected, dim=1)", "w"))
# The weights of the last block, with an axis for the blocks.
wrong__decoder_last_weights__2 = change(right__lists, ("torch.stack(collected, dim=1)", "w[:, None]"))
wrong__decoder_source_embedding__1 = change(right__lists, ("embed_target", "embed_source"))
wrong__decoder_mask_axis__1 = change(right__lists, ("allowed[:, None, :]", "allowed"))
wrong__decoder_mask_axis_last__1 = change(right__lists, ("allowed[:, None, :]", "allowed[:, :, None]"))
wrong__decoder_masks_exchanged__1 = change(
    right__lists, ("allowed=mask, memory_allowed=source_mask", "allowed=source_mask, memory_allowed=mask")
)

wrong__decoder_weights_in_a_list__1 = change(right__lists, ("torch.stack(collected, dim=1)", "collected"))
wrong__decoder_probabilities__1 = change(right__lists, ("model.output(x)", "model.output(x).softmax(-1)"))
wrong__decoder_blocks_joined__1 = change(
    right__lists, ("torch.stack(collected, dim=1)", "torch.cat(collected, dim=1)")
)
wrong__decoder_blocks_joined__2 = change(right__lists, ("torch.stack(collected, dim=1)", "torch.cat(collected)"))

# The weights are left out.
extra__logits = change(right__lists, ("return logits, torch.stack(collected, dim=1)", "return logits"))
