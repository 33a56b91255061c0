"""A test for leaks: replace one token at a time, and see which outputs change."""

from collections.abc import Iterator

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def changes(function, x, new):
    """Replace each token in turn by its new one, and compare the outputs with those of x."""
    changed = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        replaced = x.clone()
        replaced[j] = new[j]
        changed[:, j] = (function(replaced) != function(x)).any(dim=-1)
    return changed


def rows_and_columns_exchanged(function, x, new):
    return changes(function, x, new).T


def in_every_channel(function, x, new):
    changed = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        replaced = x.clone()
        replaced[j] = new[j]
        changed[:, j] = (function(replaced) != function(x)).all(dim=-1)
    return changed


def in_the_first_channel(function, x, new):
    changed = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        replaced = x.clone()
        replaced[j] = new[j]
        changed[:, j] = (function(replaced) != function(x))[:, 0]
    return changed


def never_put_back(function, x, new):
    changed, replaced = torch.zeros(len(x), len(x), dtype=torch.bool), x.clone()
    for j in range(len(x)):
        replaced[j] = new[j]
        changed[:, j] = (function(replaced) != function(x)).any(dim=-1)
    return changed


def all_at_once(function, x, new):
    return (function(new) != function(x)).any(dim=-1, keepdim=True).repeat(1, len(x))


def what_stays(function, x, new):
    return ~changes(function, x, new)


def without_itself(function, x, new):
    return changes(function, x, new).fill_diagonal_(False)


def compared_with_tokens(function, x, new):
    changed = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        replaced = x.clone()
        replaced[j] = new[j]
        changed[:, j] = (function(replaced) != x).any(dim=-1)
    return changed


def nothing_replaced(function, x, new):
    return torch.zeros(len(x), len(x), dtype=torch.bool)


def _running_sum(x):
    return x.cumsum(dim=0)


def _first_channel_of_the_next(x):
    """Each output takes its first channel from the token after it, and its second channel from itself."""
    return torch.stack([x[:, 0].roll(-1), x[:, 1]], dim=1)


def _largest_before(x):
    return x.cummax(dim=0).values


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a running sum of three tokens, a layer that looks ahead in one channel, and whole numbers."""
    yield Trial(
        "a running sum of 3 tokens; each 0 becomes 1",
        {"function": _running_sum, "x": torch.zeros(3, 1), "new": torch.ones(3, 1)},
        torch.ones(3, 3).tril() == 1,
        says="The sum at place i contains the tokens 0 to i, so it changes when one of these is replaced. Entry "
        "(i, j) belongs to output i and token j.",
    )
    yield Trial(
        "the first channel of an output comes from the next token, and the second from its own",
        {"function": _first_channel_of_the_next, "x": torch.zeros(3, 2), "new": torch.ones(3, 2)},
        torch.tensor([[True, True, False], [False, True, True], [True, False, True]]),
        says="An output changes as soon as one of its channels changes. (After the last token comes the first.)",
    )
    x = torch.randint(0, 9, (5, 2), generator=generator)
    yield Trial(
        "the largest of the whole numbers so far, 5 tokens",
        {"function": _largest_before, "x": x, "new": x + torch.randint(1, 5, x.shape, generator=generator)},
    )
    x, new = torch.randn(2, 4, 3, generator=generator, dtype=torch.float64)
    yield Trial("a running sum of 4 tokens of length 3", {"function": _running_sum, "x": x, "new": new})


PRACTICE = Practice(
    name="changes",
    prompt="Replace one token at a time by a new one, and note which outputs change.",
    minutes=8,
    hints=(
        "One token j: copy x, put `new[j]` in the place of `x[j]`, and run the function on the copy. Which outputs "
        "differ from those of x?",
        "`function(replaced) != function(x)` is True wherever a channel differs, (n, d). `.any(dim=-1)` makes one "
        "value of each output.",
        "This is column j of the result. `x.clone()` makes a fresh copy for each j.",
    ),
    given=changes,
    trials=trials,
    returns=("changes",),
    misconceptions={
        "changes-transposed": Misconception(
            "Rows and columns have changed places",
            "Entry (i, j) is about output i and token j. Token j fills *column* j.",
            (rows_and_columns_exchanged,),
        ),
        "changes-every-channel": Misconception(
            "An output counts as changed only when all its channels have changed",
            "A leak in a single channel is a leak. One channel that differs is enough: `any` in place of `all`.",
            (in_every_channel,),
        ),
        "changes-first-channel": Misconception(
            "Only the first channel is compared",
            "An output changes as soon as one of its channels changes, whichever it is.",
            (in_the_first_channel,),
        ),
        "changes-stay": Misconception(
            "The tokens that were replaced before stay replaced",
            "One token at a time: token j gets its new value in a fresh copy of x, and all others keep the old one.",
            (never_put_back,),
        ),
        "changes-all-at-once": Misconception(
            "All tokens are replaced at once",
            "Then nobody can tell which token an output has changed with. Replace one token at a time.",
            (all_at_once,),
        ),
        "changes-inverted": Misconception(
            "True means that an output stays as it is",
            "True is asked for where output i *changes*.",
            (what_stays,),
        ),
        "changes-without-itself": Misconception(
            "A token's own output is left out",
            "Output i may change with token i, too, and the diagonal says so.",
            (without_itself,),
        ),
        "changes-tokens-compared": Misconception(
            "The outputs are compared with the tokens",
            "An output has changed where it differs from the output *before* the replacement, `function(x)`.",
            (compared_with_tokens,),
        ),
        "changes-nothing-found": Misconception(
            "No change is found at all",
            "Either nothing is replaced, or the outputs are compared with themselves. In PyTorch, `y = x` is no copy: "
            "what is written into y is in x as well.",
            (nothing_replaced,),
        ),
    },
)
