"""Answers to the practice `accuracy(symbols, targets)` of notebook 01."""

import torch

from tests.corpus import change

def right__all(symbols, targets):
    return (symbols == targets).all(dim=1).float().mean().item()

def right__tensor(symbols, targets):
    return (symbols == targets).all(-1).double().mean()

def right__loop(symbols, targets):
    right = 0
    for row, target in zip(symbols, targets):
        if torch.equal(row, target):
            right += 1
    return right / len(targets)

def right__no_mistakes(symbols, targets):
    mistakes = (symbols != targets).sum(dim=1)
    return (mistakes == 0).sum().item() / len(mistakes)

def right__product(symbols, targets):
    return (symbols == targets).float().prod(dim=1).mean().item()

def right__lists(symbols, targets):
    pairs = list(zip(symbols.tolist(), targets.tolist()))
    return sum(one == other for one, other in pairs) / len(pairs)

wrong__accuracy_of_symbols__1 = change(right__all, (".all(dim=1)", ""))
wrong__accuracy_of_symbols__2 = change(
    right__no_mistakes,
    ("(mistakes == 0).sum().item() / len(mistakes)", "1 - mistakes.sum().item() / symbols.numel()"),
)
wrong__accuracy_of_any_symbol__1 = change(right__all, (".all(", ".any("))
wrong__accuracy_is_a_count__1 = change(right__loop, (" / len(targets)", ""))
wrong__accuracy_in_percent__1 = change(right__loop, ("right / len", "100 * right / len"))
wrong__accuracy_of_mistakes__1 = change(right__no_mistakes, ("== 0", "> 0"))
wrong__accuracy_of_places__1 = change(right__all, ("dim=1", "dim=0"))
wrong__accuracy_all_or_nothing__1 = change(right__all, (".all(dim=1)", ".all()"))
wrong__accuracy_not_averaged__1 = change(right__all, (".all(dim=1).float().mean().item()", ".all(dim=1)"))
wrong__accuracy_not_averaged__2 = change(right__all, (".all(dim=1).float().mean().item()", ".float().mean(dim=1)"))

# The mean of booleans, which torch refuses.
extra__mean_of_booleans = change(right__all, (".float()", ""))
# Divided by the number of symbols.
extra__over_symbols = change(right__loop, ("len(targets)", "targets.numel()"))
