"""Answers to the practice `write(model, pairs)` of notebook 08."""

import torch

from course_attention.experiments.common.pairs import END, START
from course_attention.mechanisms.transformer import greedy_decode
from tests.corpus import change

def right__step(model, pairs):
    device = next(model.parameters()).device
    rows = torch.arange(len(pairs))
    source, allowed, target = pairs.batch(rows, device)
    with torch.no_grad():
        memory = model.encode(source, allowed)

        def step(written):
            logits, _ = model.decode(written.to(device), memory, allowed)
            return logits.cpu()

        return greedy_decode(step, START, END, target.shape[1] + 2, len(rows))

@torch.no_grad()
def right__lambda(model, pairs):
    device = next(model.parameters()).device
    source, allowed, target = pairs.batch(torch.arange(len(pairs)), device)
    memory = model.encode(source, allowed)
    return greedy_decode(
        step=lambda written: model.decode(written.to(device), memory, allowed)[0].cpu(),
        start_token=START,
        end_token=END,
        max_length=target.size(1) + 2,
        batch=source.size(0),
    )

# The source is encoded again for each symbol: slower, and the same.
@torch.no_grad()
def right__encoded_each_time(model, pairs):
    device = next(model.parameters()).device
    source, allowed, target = pairs.batch(torch.arange(len(pairs)), device)

    def step(written):
        return model.decode(written.to(device), model.encode(source, allowed), allowed)[0].cpu()

    return greedy_decode(step, START, END, target.shape[1] + 2, len(source))

wrong__write_with_start__1 = change(
    right__encoded_each_time,
    ("return greedy_decode(step", "first = torch.full((len(pairs), 1), START)", "written = greedy_decode(step"),
    ("len(source))", "len(source))", "return torch.cat([first, written], dim=1)"),
)
wrong__write_first_symbol_lost__1 = change(right__step, ("len(rows))", "len(rows))[:, 1:]"))
wrong__write_too_short__1 = change(right__step, ("target.shape[1] + 2", "target.shape[1]"))
wrong__write_padding_read__1 = change(right__lambda, ("memory, allowed)[0]", "memory, allowed | True)[0]"))
wrong__write_wrong_start__1 = change(right__lambda, ("start_token=START", "start_token=END"))
wrong__write_wrong_end__1 = change(right__lambda, ("end_token=END", "end_token=START"))
wrong__write_last_place__1 = change(right__lambda, ("[0].cpu()", "[0][:, -1].cpu()"))
wrong__write_one_pair__1 = change(right__step, ("len(rows))", "len(rows))[:1]"))
wrong__write_teacher_forcing__1 = change(
    right__step,
    ("def step(written):", "inputs = torch.cat([torch.full((len(target), 1), START), target[:, :-1]], dim=1)"),
    (
        "    logits, _ = model.decode(written.to(device), memory, allowed)",
        "logits, _ = model.decode(inputs, memory, allowed)",
    ),
    ("    return logits.cpu()", "return logits.argmax(-1)"),
    ("return greedy_decode(step, START, END, target.shape[1] + 2, len(rows))", ""),
)

# What has been written is shifted by the model, too, which takes it for targets.
@torch.no_grad()
def wrong__write_shifted_again__1(model, pairs):
    source, allowed, target = pairs.batch(torch.arange(len(pairs)), next(model.parameters()).device)
    return greedy_decode(
        lambda written: model(source, allowed, written.to(source.device)).cpu(),
        START,
        END,
        max_length=target.shape[1] + 2,
        batch=len(source),
    )

@torch.no_grad()
def wrong__write_teacher_forcing__2(model, pairs):
    source, allowed, target = pairs.batch(torch.arange(len(pairs)), next(model.parameters()).device)
    return model(source, allowed, target).argmax(-1).cpu()

# The step decodes the targets, whatever has been written.
wrong__write_unread__1 = change(right__encoded_each_time, ("written.to(device)", "target"))
# The same with the targets behind a start token.
wrong__write_unread__2 = change(
    right__lambda,
    ("written.to(device)", "torch.cat([torch.full_like(target[:, :1], START), target[:, :-1]], dim=1)"),
)
# The step returns both results of the decoder.
extra__pair = change(right__lambda, ("[0].cpu()", ""))
# The targets are returned.
extra__targets = change(right__lambda, ("memory = model.encode(source, allowed)", "return target"))
