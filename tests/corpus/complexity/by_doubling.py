"""Answers to the practice `by_doubling(x, a)` of notebook 07."""

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__rounds(x, a):
    n_tokens, s = len(x), 1
    states, power = x, a
    while s < n_tokens:
        earlier = F.pad(states[:-s], (0, 0, s, 0))
        states = states + earlier @ power
        power = power @ power
        s *= 2
    return states

def right__joined(x, a):
    s = 1
    while s < x.shape[0]:
        x = torch.cat([x[:s], x[s:] + x[:-s] @ a])
        a = a @ a
        s += s
    return x

wrong__doubling_one_by_one__1 = change(
    right__rounds,
    ("while s < n_tokens:", "rows = [x[:1]]", "for t in range(1, n_tokens):"),
    ("earlier = F.pad(states[:-s], (0, 0, s, 0))", "rows.append(rows[-1] @ a + x[t : t + 1])"),
    ("states = states + earlier @ power", ""),
    ("power = power @ power", ""),
    ("s *= 2", ""),
    ("return states", "return torch.cat(rows)"),
)
wrong__doubling_not_squared__1 = change(right__joined, ("a = a @ a", ""))
wrong__doubling_around_the_end__1 = change(
    right__rounds, ("F.pad(states[:-s], (0, 0, s, 0))", "torch.roll(states, s, 0)")
)
wrong__doubling_too_few_rounds__1 = change(right__rounds, ("while s < n_tokens:", "while 2 * s < n_tokens:"))
wrong__doubling_too_few_rounds__2 = change(right__rounds, ("while s < n_tokens:", "if s < n_tokens:"))
wrong__doubling_one_place__1 = change(right__rounds, ("states[:-s], (0, 0, s, 0)", "states[:-1], (0, 0, 1, 0)"))
wrong__doubling_not_kept__1 = change(right__rounds, ("states = states + earlier", "states = x + earlier"))

# The product comes from the wrong side.
extra__side = change(right__rounds, ("earlier @ power", "earlier @ power.T"))
# The rows after a row.
extra__later = change(right__rounds, ("states[:-s], (0, 0, s, 0)", "states[s:], (0, 0, 0, s)"))
