"""The greedy decoding loop for one text: the last place says what comes next, and the end token ends it."""

from collections.abc import Iterator

import torch

from course_attention.experiments.common.pairs import END, START, Pairs, Vocabulary
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.transformer.write import Copier, OneAhead


@torch.no_grad()
def write_one(model, source, allowed, longest=12):
    """Append the most probable symbol of the last place, until the end token or the greatest length is reached."""
    memory, tokens = model.encode(source, allowed), torch.tensor([[START]], device=source.device)
    for _ in range(longest):
        logits, _ = model.decode(tokens, memory, allowed)
        tokens = torch.cat([tokens, logits[:, -1:].argmax(dim=-1)], dim=1)
        if tokens[0, -1] == END:
            break
    return tokens[0, 1:]


def _written(model, source, allowed, longest, read=slice(-1, None), ends=True, keeps_end=True, seen=slice(None)):
    memory, tokens = model.encode(source, allowed), torch.tensor([[START]], device=source.device)
    for _ in range(longest):
        logits, _ = model.decode(tokens[:, seen], memory, allowed)
        following = logits[:, read].argmax(dim=-1)
        if ends and not keeps_end and following[0, -1] == END:
            break
        tokens = torch.cat([tokens, following], dim=1)
        if ends and tokens[0, -1] == END:
            break
    return tokens[0, 1:]


def as_it_was(model, source, allowed, longest=12):
    return _written(model, source, allowed, longest, read=slice(0, 1), ends=False)


def first_place(model, source, allowed, longest=12):
    return _written(model, source, allowed, longest, read=slice(0, 1))


def never_ends(model, source, allowed, longest=12):
    return _written(model, source, allowed, longest, ends=False)


def without_the_end(model, source, allowed, longest=12):
    return _written(model, source, allowed, longest, keeps_end=False)


def every_place(model, source, allowed, longest=12):
    return _written(model, source, allowed, longest, read=slice(None))


def newest_alone(model, source, allowed, longest=12):
    return _written(model, source, allowed, longest, seen=slice(-1, None))


def with_the_start(model, source, allowed, longest=12):
    written = write_one(model, source, allowed, longest)
    return torch.cat([torch.full((1,), START, device=written.device), written])


def one_too_few(model, source, allowed, longest=12):
    return _written(model, source, allowed, longest - 1)


def ends_at_once(model, source, allowed, longest=12):
    return _written(model, source, allowed, 1)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a word that is copied, a model that never ends, and one that goes on from what it has written."""
    letters = Vocabulary.of(["abcde"])
    source, allowed, _ = Pairs.of(["ab"], ["ab"], [""], letters, letters).batch(torch.arange(1), torch.device("cpu"))
    yield Trial(
        "the model copies: it reads “ab”, whose symbols are 3 and 4; the end token is 2",
        {"model": Copier(), "source": source, "allowed": allowed},
        torch.tensor([3, 4, 2]),
        says="It writes 3, then 4, then the end token, which is the last symbol of the result.",
    )
    yield Trial(
        "the model never ends, and `longest` is 5",
        {"model": Copier(ends=False), "source": source, "allowed": allowed, "longest": 5},
        torch.tensor([3, 4, 3, 3, 3]),
        says="Where no end token comes, `longest` symbols are written.",
    )
    word = "abcde"[int(torch.randint(1, 4, (), generator=generator))]
    source, allowed, _ = Pairs.of([word], [word], [""], letters, letters).batch(torch.arange(1), torch.device("cpu"))
    yield Trial(
        "the model counts on from the symbol of the source, up to the last symbol of the alphabet",
        {"model": OneAhead(), "source": source, "allowed": allowed},
        says="The model reads all that it has written itself.",
    )


PRACTICE = Practice(
    name="write_one",
    prompt="What a model writes for one source, symbol after symbol.",
    minutes=3,
    hints=(
        "What has been written so far is in `tokens`. `logits` has a row for each of its places: the row at place i "
        "says what comes after symbol i. Which row is about the symbol that is not there yet?",
        "A slice from the end, `[:, -1:]`, keeps the axis that `torch.cat` joins along. For the end, look at the "
        "symbol that was appended last, and leave the loop with `break`.",
        "Read `logits[:, -1:]`, and put `if tokens[0, -1] == END: break` into the loop, below the `torch.cat`.",
    ),
    given=write_one,
    trials=trials,
    returns=("symbols",),
    misconceptions={
        "write-one-first-place": Misconception(
            "The logits of the first place are read in every step",
            "The first place holds the start token, so its logits are always about the first symbol. The next symbol "
            "is at the last place: `logits[:, -1:]`.",
            (first_place, as_it_was),
        ),
        "write-one-never-ends": Misconception(
            "The loop goes on after the end token",
            "Leave the loop when the symbol that was appended last is `END`.",
            (never_ends,),
        ),
        "write-one-end-lost": Misconception(
            "The end token is not in the result",
            "It is a symbol that the model has written. Append it first, and leave the loop then.",
            (without_the_end,),
        ),
        "write-one-every-place": Misconception(
            "In each step the symbols of all places are appended",
            "The decoder says at every place what comes next, but for all places except the last one it is there "
            "already. Append one symbol in a step: `logits[:, -1:]`.",
            (every_place,),
        ),
        "write-one-newest-alone": Misconception(
            "The decoder gets the newest symbol alone",
            "It has to read all that has been written, from the start token on.",
            (newest_alone,),
        ),
        "write-one-with-start": Misconception(
            "The start token is in the result",
            "The start token is given and not written: `tokens[0, 1:]` leaves it out.",
            (with_the_start,),
        ),
        "write-one-too-short": Misconception(
            "The loop is left before all symbols are written",
            "Leave it only when the newest symbol is `END`, or after `longest` symbols. A `return` or a `break` that "
            "belongs to the loop, and not to the `if`, ends it in the first step.",
            (one_too_few, ends_at_once),
        ),
    },
    start="""
def write_one(model, source, allowed, longest=12):
    memory, tokens = model.encode(source, allowed), torch.tensor([[START]], device=source.device)
    for _ in range(longest):
        logits, _ = model.decode(tokens, memory, allowed)  # (1, n, 14): at every place, for the symbol that comes next
        tokens = torch.cat([tokens, logits[:, :1].argmax(dim=-1)], dim=1)
    return tokens[0, 1:]
""",
)
