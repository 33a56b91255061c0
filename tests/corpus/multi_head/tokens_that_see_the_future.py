"""Answers to the practice `tokens_that_see_the_future(attend)` of notebook 04."""

import torch

from tests.corpus import change

def right__loop(attend):
    x, weights = torch.randn(6, 8), [torch.randn(8, 8) for _ in range(4)]
    allowed = torch.ones(6, 6, dtype=torch.bool).tril()
    other = x.clone()
    other[3] = torch.randn(8)
    before, _ = attend(x, *weights, 2, allowed)
    after, _ = attend(other, *weights, 2, allowed)
    found = []
    for i in range(3):
        if not torch.allclose(before[i], after[i], atol=1e-4):
            found.append(i)
    return found

def right__nonzero(attend):
    x, w = torch.randn(6, 8), torch.randn(4, 8, 8)
    mask = torch.ones(6, 6, dtype=torch.bool).tril()
    later = torch.cat([x[:3], x[3:4] * 2 + 1, x[4:]])
    outputs = [attend(one, *w, n_heads=2, allowed=mask)[0][:3] for one in (x, later)]
    return ((outputs[0] - outputs[1]).abs().amax(dim=1) > 1e-4).nonzero().flatten().tolist()

wrong__leak_test_in_every_layer__1 = change(
    right__loop,
    ("attend(x, *weights, 2, allowed)", "attend(x, *weights, 2)"),
    ("attend(other, *weights, 2, allowed)", "attend(other, *weights, 2)"),
)
wrong__leak_test_in_every_layer__2 = change(right__loop, (".tril()", ".triu()"))
wrong__leak_test_counts_later_tokens__1 = change(right__loop, ("range(3)", "range(6)"))
wrong__leak_test_finds_nothing__1 = change(right__loop, ("x.clone()", "x"))
wrong__leak_test_opposite__1 = change(right__loop, ("if not torch", "if torch"))
wrong__leak_test_in_every_layer__3 = change(right__loop, ("other[3]", "other[0]"))

# A tensor in place of a list.
extra__tensor = change(right__nonzero, (".tolist()", ""))
# How many there are, not which.
extra__number = change(right__loop, ("return found", "return len(found)"))
