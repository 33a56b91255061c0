"""Exact-match accuracy: the share of translations of which all symbols are right."""

from collections.abc import Iterator

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def accuracy(symbols, targets):
    """The share of rows that are right from the first symbol to the last."""
    return (symbols == targets).all(dim=1).float().mean().item()


def of_symbols(symbols, targets):
    return (symbols == targets).float().mean().item()


def of_any_symbol(symbols, targets):
    return (symbols == targets).any(dim=1).float().mean().item()


def count(symbols, targets):
    return (symbols == targets).all(dim=1).sum().item()


def of_wrong_ones(symbols, targets):
    return 1 - accuracy(symbols, targets)


def of_places(symbols, targets):
    return (symbols == targets).all(dim=0).float().mean().item()


def all_or_nothing(symbols, targets):
    return float(torch.equal(symbols, targets))


def percent(symbols, targets):
    return 100 * accuracy(symbols, targets)


def for_each_place(symbols, targets):
    return (symbols == targets).float().mean(dim=0)


def for_each_text(symbols, targets):
    return (symbols == targets).all(dim=1)


def shares_for_each_text(symbols, targets):
    return (symbols == targets).float().mean(dim=1)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a few translations to count by hand, then many of which about half have a wrong symbol."""
    targets = torch.tensor([[5, 3, 2], [7, 3, 2], [4, 4, 2], [6, 3, 2]])
    symbols = targets.clone()
    symbols[1, 0] = 9
    yield Trial(
        "4 translations of 3 symbols; in one of them, one symbol is wrong",
        {"symbols": symbols, "targets": targets},
        0.75,
        says="Three of the four translations are right from beginning to end.",
    )
    yield Trial("everything right", {"symbols": targets, "targets": targets}, 1.0)
    yield Trial("every symbol wrong", {"symbols": targets + 1, "targets": targets}, 0.0)
    many = torch.randint(4, 14, (200, 11), generator=generator)
    wrong = torch.rand(200, 11, generator=generator) < 0.06
    yield Trial("200 translations of 11 symbols", {"symbols": torch.where(wrong, many - 1, many), "targets": many})


PRACTICE = Practice(
    name="accuracy",
    prompt="The share of translations of which every symbol is right.",
    minutes=4,
    hints=(
        "`symbols == targets` says of every single symbol whether it is right. A translation is right when all symbols "
        "of its row are.",
        "`.all(dim=1)` asks this of each row. What it gives are booleans, one for each translation.",
        "The share of True among booleans is their mean, and a mean needs numbers: `.float().mean().item()`.",
    ),
    given=accuracy,
    trials=trials,
    returns=("accuracy",),
    misconceptions={
        "accuracy-of-symbols": Misconception(
            "Symbols are counted, not translations",
            "A translation with ten right symbols and a wrong one is a wrong date, and counts as 0. The mean over "
            "symbols counts it as 10/11.",
            (of_symbols,),
        ),
        "accuracy-of-any-symbol": Misconception(
            "One right symbol makes a translation right",
            "`any` asks whether some symbol is right. A translation is right when *all* its symbols are.",
            (of_any_symbol,),
        ),
        "accuracy-is-a-count": Misconception(
            "The number of right translations is returned, not their share",
            "A share is between 0 and 1: divide by the number of translations.",
            (count,),
        ),
        "accuracy-in-percent": Misconception(
            "The accuracy is in percent",
            "A share is between 0 and 1; no factor of 100 is asked for.",
            (percent,),
        ),
        "accuracy-of-mistakes": Misconception(
            "The share of wrong translations is returned",
            "This is the error rate, which is 1 minus the accuracy.",
            (of_wrong_ones,),
        ),
        "accuracy-of-places": Misconception(
            "Places are counted, not translations",
            "Axis 0 goes over the translations and axis 1 over the symbols of each. `all` has to go along axis 1.",
            (of_places,),
        ),
        "accuracy-all-or-nothing": Misconception(
            "All translations have to be right together",
            "The answer is 1 only when no translation at all has a mistake. Ask this of each translation by itself, "
            "and take the share.",
            (all_or_nothing,),
        ),
        "accuracy-not-averaged": Misconception(
            "There is a value for each row or place, and no mean over them",
            "One number is asked for: the share of all translations that are right.",
            (for_each_place, for_each_text, shares_for_each_text),
        ),
    },
)
