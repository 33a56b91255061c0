"""Answers to the practice `caption_loss(model, pictures, captions)` of notebook 13."""

import torch
import torch.nn.functional as F

from course_attention.experiments.beyond_text import digits
from course_attention.mechanisms.transformer import sequence_loss, shift_right
from tests.corpus import change

def right__steps(model, pictures, captions):
    memory = model.see(pictures)
    read = shift_right(captions, digits.START)
    logits = model(read, memory)[0]
    return sequence_loss(logits, captions, digits.PAD)

def right__cross_entropy(model, pictures, captions):
    starts = torch.full_like(captions[:, :1], digits.START)
    logits, _ = model(torch.cat([starts, captions[:, :-1]], dim=1), model.see(pictures))
    return F.cross_entropy(logits.transpose(1, 2), captions, ignore_index=digits.PAD)

wrong__caption_loss_not_shifted__1 = change(right__steps, ("model(read, memory)", "model(captions, memory)"))
wrong__caption_loss_start__1 = change(right__steps, ("digits.START", "digits.END"))
wrong__caption_loss_start__2 = change(
    right__steps, ("shift_right(captions, digits.START)", "shift_right(captions, digits.PAD)")
)
wrong__caption_loss_sum__1 = change(
    right__cross_entropy, ("ignore_index=digits.PAD", 'ignore_index=digits.PAD, reduction="sum"')
)

# The targets are shifted as well.
extra__shifted_targets = change(right__steps, ("sequence_loss(logits, captions", "sequence_loss(logits, read"))
# The padding is none of the eleven words.
extra__padding_counts = change(right__cross_entropy, (", ignore_index=digits.PAD", ""))
