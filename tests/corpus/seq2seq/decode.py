"""Answers to the practice `decode(model, source, allowed, n_steps)` of notebook 01."""

import torch

from course_attention.experiments.common.pairs import START
from tests.corpus import change

@torch.no_grad()
def right__lists(model, source, allowed, n_steps):
    memory, state = model.encode(source, allowed)
    symbol = torch.full_like(source[:, 0], START)
    symbols, alignment = [], []
    for _ in range(n_steps):
        logits, state, distribution = model.step(symbol, state, memory, allowed)
        symbol = logits.argmax(dim=-1)
        symbols.append(symbol)
        alignment.append(distribution)
    return torch.stack(symbols, dim=1), alignment

@torch.no_grad()
def right__written_into(model, source, allowed, n_steps):
    memory, state = model.encode(source, allowed)
    symbols = torch.zeros(len(source), n_steps, dtype=torch.long, device=source.device)
    last = torch.tensor([START] * len(source), device=source.device)
    weights = []
    for t in range(n_steps):
        scores, state, alpha = model.step(last, state, memory, allowed)
        symbols[:, t] = last = scores.max(dim=1).indices
        weights += [alpha]
    return symbols, weights

# The most probable symbol is that of the largest probability as well.
right__softmax = change(right__lists, ("logits.argmax", "logits.softmax(dim=-1).argmax"))

@torch.no_grad()
def right__concatenated(model, source, allowed, n_steps):
    memory, state = model.encode(source, allowed)
    written, alignment = torch.full((len(source), 1), START, device=source.device), []
    while written.shape[1] <= n_steps:
        logits, state, distribution = model.step(written[:, -1], state, memory, allowed)
        written = torch.cat([written, logits.argmax(dim=1, keepdim=True)], dim=1)
        alignment.append(distribution)
    return written[:, 1:], alignment

wrong__decode_symbol_not_fed_back__1 = change(
    right__lists,
    ("symbol = logits.argmax(dim=-1)", ""),
    ("symbols.append(symbol)", "symbols.append(logits.argmax(dim=-1))"),
)
wrong__decode_symbol_not_fed_back__2 = change(right__concatenated, ("written[:, -1]", "written[:, 0]"))
wrong__decode_state_not_kept__1 = change(right__lists, ("logits, state, distribution", "logits, _, distribution"))
wrong__decode_least_probable__1 = change(right__lists, ("argmax", "argmin"))
wrong__decode_wrong_start__1 = change(right__lists, ("torch.full_like(source[:, 0], START)", "source[:, 0]"))
wrong__decode_wrong_start__2 = change(
    right__lists, ("torch.full_like(source[:, 0], START)", "torch.zeros_like(source[:, 0])")
)
wrong__decode_start_kept__1 = change(right__concatenated, ("written[:, 1:]", "written"))
wrong__decode_start_kept__2 = change(right__concatenated, ("written[:, 1:]", "written[:, :-1]"))
wrong__decode_no_mask__1 = change(right__lists, ("state, memory, allowed)", "state, memory, allowed | True)"))
wrong__decode_steps_in_rows__1 = change(right__lists, ("torch.stack(symbols, dim=1)", "torch.stack(symbols)"))
wrong__decode_distributions_stacked__1 = change(
    right__lists, ("dim=1), alignment", "dim=1), torch.stack(alignment, dim=1)")
)

# The symbols of the last step alone.
extra__last_step = change(right__lists, ("torch.stack(symbols, dim=1)", "symbol"))
# The logits of each step, not its symbols.
extra__logits = change(right__lists, ("symbols.append(symbol)", "symbols.append(logits)"))
# One step too many.
extra__one_more = change(right__lists, ("range(n_steps)", "range(n_steps + 1)"))
# The state is not handed on.
extra__no_state = change(
    right__lists, ("model.step(symbol, state, memory, allowed)", "model.step(symbol, memory, allowed)")
)
