"""Answers to the practice `write_one(model, source, allowed, longest=12)` of notebook 08."""

import torch

from course_attention.experiments.common.pairs import END, START
from tests.corpus import change

@torch.no_grad()
def right__repaired(model, source, allowed, longest=12):
    memory, tokens = model.encode(source, allowed), torch.tensor([[START]], device=source.device)
    for _ in range(longest):
        logits, _ = model.decode(tokens, memory, allowed)
        tokens = torch.cat([tokens, logits[:, -1:].argmax(dim=-1)], dim=1)
        if tokens[0, -1] == END:
            break
    return tokens[0, 1:]

# A list of numbers in place of a tensor that grows.
def right__list(model, source, allowed, longest=12):
    with torch.no_grad():
        memory = model.encode(source, allowed)
        written = [START]
        while len(written) <= longest and written[-1] != END:
            logits, _ = model.decode(torch.tensor([written], device=source.device), memory, allowed)
            written.append(int(logits[0, -1].argmax()))
    return torch.tensor(written[1:])

# The source is encoded again for each symbol: slower, and the same.
@torch.no_grad()
def right__encoded_each_time(model, source, allowed, longest=12):
    tokens = torch.full((1, 1), START, device=source.device)
    while True:
        logits = model.decode(tokens, model.encode(source, allowed), allowed)[0]
        tokens = torch.cat([tokens, logits.argmax(dim=-1)[:, -1:]], dim=1)
        if tokens[0, -1] == END or tokens.shape[1] > longest:
            return tokens[0, 1:]

wrong__write_one_first_place__1 = change(right__repaired, ("logits[:, -1:]", "logits[:, :1]"))
wrong__write_one_first_place__2 = change(right__repaired, ("logits[:, -1:]", "logits[:, 0].unsqueeze(1)"))
wrong__write_one_never_ends__1 = change(right__repaired, ("== END", "== START"))
wrong__write_one_never_ends__2 = change(right__list, (" and written[-1] != END", ""))
wrong__write_one_every_place__1 = change(right__repaired, ("logits[:, -1:]", "logits"))
wrong__write_one_newest_alone__1 = change(right__repaired, ("decode(tokens,", "decode(tokens[:, -1:],"))
wrong__write_one_with_start__1 = change(right__repaired, ("tokens[0, 1:]", "tokens[0]"))
wrong__write_one_too_short__1 = change(right__repaired, ("if tokens[0, -1] == END:", ""), ("    break", "break"))
wrong__write_one_end_lost__1 = change(
    right__list,
    ("while len(written) <= longest and written[-1] != END:", "for _ in range(longest):"),
    (
        "written.append(int(logits[0, -1].argmax()))",
        "symbol = int(logits[0, -1].argmax())",
        "if symbol == END:",
        "    break",
        "written.append(symbol)",
    ),
)
