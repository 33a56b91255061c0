"""Answers to `greedy_decode(step, start_token, end_token, max_length, batch)` of notebook 08."""

import torch

from tests.corpus import change


def right__ended(step, start_token, end_token, max_length, batch):
    tokens = torch.full((batch, 1), start_token)
    ended = torch.zeros(batch, dtype=torch.bool)
    for _ in range(max_length):
        new = step(tokens)[:, -1].argmax(-1)
        new = torch.where(ended, end_token, new)
        tokens = torch.cat([tokens, new.unsqueeze(1)], dim=1)
        ended = ended | (new == end_token)
        if ended.all():
            break
    return tokens[:, 1:]


def right__looks_back(step, start_token, end_token, max_length, batch):
    tokens = torch.full((batch, 1), start_token, dtype=torch.long)
    while tokens.shape[1] < max_length + 1:
        new = step(tokens)[:, -1, :].argmax(dim=-1, keepdim=True)
        new[(tokens[:, 1:] == end_token).any(dim=1)] = end_token
        tokens = torch.cat((tokens, new), dim=1)
        if (tokens[:, 1:] == end_token).any(dim=1).all():
            break
    return tokens[:, 1:]


wrong__end_noticed_late__1 = change(
    right__ended,
    ("ended = ended | (new == end_token)", "done = ended.all()\n        ended = ended | (new == end_token)"),
    ("if ended.all():", "if done:"),
)
wrong__end_noticed_late__2 = change(
    right__ended, ("ended | (new == end_token)", "ended | (tokens[:, -2] == end_token)")
)


def right__place_by_place(step, start_token, end_token, max_length, batch):
    """A whole tensor from the start, filled place by place; a row that has ended is known by its last token."""
    tokens = torch.full((batch, max_length + 1), end_token)
    tokens[:, 0] = start_token
    for place in range(max_length):
        logits = step(tokens[:, : place + 1])
        new = torch.max(logits[:, place], dim=-1).indices
        tokens[:, place + 1] = new
        if place:
            over = tokens[:, place] == end_token
            tokens[over, place + 1] = end_token
        if (tokens[:, place + 1] == end_token).all():
            return tokens[:, 1 : place + 2]
    return tokens[:, 1:]


def right__lists(step, start_token, end_token, max_length, batch):
    rows = [[start_token] for _ in range(batch)]
    ended = [False] * batch
    while not all(ended) and len(rows[0]) <= max_length:
        best = step(torch.tensor(rows))[:, -1].argmax(dim=-1).tolist()
        for number, token in enumerate(best):
            rows[number].append(end_token if ended[number] else token)
            ended[number] = ended[number] or token == end_token
    return torch.tensor([row[1:] for row in rows])


def right__cut_afterwards(step, start_token, end_token, max_length, batch):
    """Writes to the last place, then cleans up."""
    tokens = torch.full((batch, 1), start_token)
    for _ in range(max_length):
        tokens = torch.cat([tokens, step(tokens)[:, -1:].argmax(dim=-1)], dim=1)
    written = tokens[:, 1:]
    is_end = written == end_token
    after = is_end.cumsum(dim=1) > 0
    lengths = torch.where(is_end.any(dim=1), is_end.int().argmax(dim=1) + 1, max_length)
    return written.masked_fill(after, end_token)[:, : int(lengths.max())]


def right__columns(step, start_token, end_token, max_length, batch):
    columns = [torch.full((batch,), start_token)]
    unfinished = torch.ones(batch, dtype=torch.int64)
    for _ in range(max_length):
        probabilities = step(torch.stack(columns, dim=1)).softmax(dim=-1)
        chosen = probabilities[:, -1].topk(1).indices.squeeze(-1)
        columns.append(chosen * unfinished + end_token * (1 - unfinished))
        unfinished = unfinished * (chosen != end_token)
        if unfinished.sum() == 0:
            break
    return torch.stack(columns[1:], dim=1)


def right__recursive(step, start_token, end_token, max_length, batch):
    def grow(tokens):
        ended = (tokens[:, 1:] == end_token).any(dim=1)
        if ended.all() or tokens.size(1) > max_length:
            return tokens[:, 1:]
        best = step(tokens)[:, -1].argmax(dim=-1).masked_fill(ended, end_token)
        return grow(torch.cat([tokens, best[:, None]], dim=1))

    return grow(torch.full((batch, 1), start_token))


def right__generator(step, start_token, end_token, max_length, batch):
    def columns():
        written = torch.full((batch, 1), start_token)
        open_rows = torch.ones(batch, dtype=torch.bool)
        for _ in range(max_length):
            new = torch.where(open_rows, step(written)[:, -1].max(-1).indices, end_token)
            yield new
            open_rows = open_rows & (new != end_token)
            if not open_rows.any():
                return
            written = torch.cat([written, new[:, None]], dim=-1)

    return torch.stack(list(columns()), dim=1)

def odd__whole_buffer(model, bos, eos, n, b):
    """Other names; the model reads the empty places too, which it cannot see from the place before."""
    buffer = torch.full((b, n + 1), eos)
    buffer[:, 0] = bos
    done = torch.zeros(b, dtype=torch.bool)
    for i in range(n):
        best = model(buffer)[:, i].argmax(-1)
        buffer[~done, i + 1] = best[~done]
        done |= best == eos
        if done.all():
            break
    return buffer[:, 1 : i + 2]


# The loop looks at its condition first, as the course's helper does.
odd__while = change(
    right__ended,
    ("for _ in range(max_length):", "while tokens.shape[1] <= max_length and not ended.all():"),
    ("        if ended.all():", ""),
    ("            break", ""),
)


def wrong__end_ignored__1(step, start_token, end_token, max_length, batch):
    """The loop alone."""
    tokens = torch.full((batch, 1), start_token)
    for _ in range(max_length):
        best = step(tokens)[:, -1].argmax(dim=-1)
        tokens = torch.cat([tokens, best[:, None]], dim=1)
    return tokens[:, 1:]


# The boolean tensor is kept, and never used.
wrong__end_ignored__2 = change(
    right__ended,
    ("torch.where(ended, end_token, new)", "new"),
    ("        if ended.all():", ""),
    ("            break", ""),
)
# The model is asked whatever the row is.
wrong__writes_after_end__1 = change(right__ended, ("torch.where(ended, end_token, new)", "new"))
wrong__writes_after_end__2 = change(
    right__looks_back, ("        new[(tokens[:, 1:] == end_token).any(dim=1)] = end_token\n", "")
)
# All rows have to write the end token in the same step: nothing remembers those that did so before.
wrong__writes_after_end__3 = change(
    right__ended,
    ("        new = torch.where(ended, end_token, new)\n", ""),
    ("ended = ended | (new == end_token)", "ended = new == end_token"),
)
# Everything right but for the price.
wrong__never_stops_early__1 = change(right__ended, ("        if ended.all():\n            break\n", ""))
wrong__never_stops_early__2 = change(right__cut_afterwards, ("[:, : int(lengths.max())]", ""))
wrong__stops_at_first_end__1 = change(right__ended, ("ended.all()", "ended.any()"))
# One row is looked at for all.
wrong__stops_at_first_end__2 = change(right__ended, ("ended.all()", "ended[0]"))
wrong__filled_with_another_token__1 = change(
    right__ended, ("torch.where(ended, end_token, new)", "new * ~ended")
)
wrong__filled_with_another_token__2 = change(
    right__recursive, ("masked_fill(ended, end_token)", "masked_fill(ended, start_token)")
)
# The end token is never appended.
wrong__end_cut_off__1 = change(
    right__ended,
    ("        tokens = torch.cat([tokens, new.unsqueeze(1)], dim=1)\n", ""),
    (
        "            break\n",
        "            break\n        tokens = torch.cat([tokens, new.unsqueeze(1)], dim=1)\n",
    ),
)
wrong__start_kept__1 = change(right__ended, ("tokens[:, 1:]", "tokens"))
wrong__start_kept__2 = change(right__columns, ("columns[1:]", "columns"))
# The start token counts as one of max_length.
wrong__length_off_by_one__1 = change(right__looks_back, ("max_length + 1", "max_length"))
wrong__length_off_by_one__2 = change(right__ended, ("range(max_length)", "range(max_length + 1)"))
wrong__only_last_token_read__1 = change(right__ended, ("step(tokens)", "step(tokens[:, -1:])"))
# The newest token takes the place of what was written.
wrong__only_last_token_read__2 = change(
    right__columns, ("torch.stack(columns, dim=1)", "columns[-1][:, None]")
)
wrong__first_place_read__1 = change(right__ended, ("[:, -1]", "[:, 0]"))
wrong__least_probable__1 = change(right__ended, ("argmax", "argmin"))
wrong__start_ignored__1 = change(
    right__ended, ("torch.full((batch, 1), start_token)", "torch.ones(batch, 1).long()")
)
wrong__start_ignored__2 = change(right__lists, ("[[start_token] for", "[[0] for"))
wrong__end_token_assumed__1 = change(
    right__ended, ("(new == end_token)", "(new == 2)"), ("where(ended, end_token", "where(ended, 2")
)
wrong__wrong_dtype__1 = change(right__ended, ("tokens[:, 1:]", "tokens[:, 1:].int()"))
wrong__wrong_dtype__2 = change(
    right__lists, ("[row[1:] for row in rows]", "[row[1:] for row in rows], dtype=torch.float32")
)
# Drawn, and not chosen.
extra__sampled = change(
    right__ended,
    ("[:, -1].argmax(-1)", "[:, -1].softmax(-1)"),
    ("new = torch.where", "new = torch.multinomial(new, 1).squeeze(1)\n        new = torch.where"),
)
# The limit is forgotten: where a row never ends, neither does the loop.
extra__no_limit = change(odd__while, ("tokens.shape[1] <= max_length and ", ""))
# Rows that have ended leave the batch, and the model is asked for the others alone.
extra__rows_leave = change(
    right__lists,
    (
        "best = step(torch.tensor(rows))[:, -1].argmax(dim=-1).tolist()",
        "left = [number for number in range(batch) if not ended[number]]\n"
        "        best = step(torch.tensor([rows[number] for number in left]))[:, -1].argmax(dim=-1).tolist()",
    ),
    ("for number, token in enumerate(best)", "for number, token in zip(left, best, strict=True)"),
)
# The most probable row for each token.
extra__over_batch = change(right__ended, ("argmax(-1)", "argmax(0)"))
# Nested lists, not a tensor.
extra__list = change(right__lists, ("torch.tensor([row[1:] for row in rows])", "[row[1:] for row in rows]"))
# New tokens are put in front.
extra__in_front = change(right__ended, ("[tokens, new.unsqueeze(1)]", "[new.unsqueeze(1), tokens]"))
# The logits of the last place, and not its token.
extra__logits = change(right__ended, ("tokens[:, 1:]", "step(tokens)[:, -1]"))
# What was written stays without the end tokens of short rows: rows of different lengths in a list.
extra__ragged = change(
    right__lists,
    (
        "rows[number].append(end_token if ended[number] else token)",
        "rows[number] += [] if ended[number] else [token]",
    ),
)
# The start token is not read: the first step has nothing.
extra__nothing_to_read = change(right__ended, ("step(tokens)", "step(tokens[:, 1:])"))


# The largest logit, where the token is its place.
wrong__logit_for_token__1 = change(
    right__ended, (".argmax(-1)", ".max(-1).values"), ("torch.where(ended, end_token, new)", "new"),
)


def wrong__all_in_one_call__1(step, start_token, end_token, max_length, batch):
    """No loop at all."""
    tokens = torch.full((batch, max_length + 1), start_token)
    return step(tokens).argmax(-1)[:, 1:]


def wrong__first_row_for_all__1(step, start_token, end_token, max_length, batch):
    tokens = torch.full((batch, 1), start_token)
    for _ in range(max_length):
        new = step(tokens)[0, -1].argmax()
        tokens = torch.cat([tokens, new.expand(batch, 1)], dim=1)
        if new == end_token:
            break
    return tokens[:, 1:]


# The choices of all places are appended, so that a row doubles.
extra__all_places_appended = change(
    right__ended,
    ("[:, -1].argmax(-1)", ".argmax(-1)"),
    ("        new = torch.where(ended, end_token, new)", ""),
    ("new.unsqueeze(1)", "new"),
    ("(new == end_token)", "(new == end_token).any(1)"),
)
# Tokens that begin as float32.
extra__float_tokens = change(
    right__ended, ("torch.full((batch, 1), start_token)", "torch.ones(batch, 1) * start_token"),
)
# Drawn, and not the most probable.
extra__drawn = change(
    right__ended, ("step(tokens)[:, -1].argmax(-1)", "torch.multinomial(step(tokens)[:, -1].softmax(-1), 1)[:, 0]"),
)
# Lists of tokens.
extra__rows_as_lists = change(right__lists, ("torch.tensor([row[1:] for row in rows])", "[row[1:] for row in rows]"))
