"""A first state from elsewhere: the decoder looks at one text, and starts where another text has ended."""

from collections.abc import Iterator

import torch

from course_attention.experiments.seq2seq.translator import Translator
from course_attention.practice.authoring import Misconception, Practice, Trial


def other_start(model, source, allowed):
    """Return the memory of each text, and the first state of the text before it."""
    memory, state = model.encode(source, allowed)
    return memory, state.roll(1, dims=0)


def unchanged(model, source, allowed):
    return model.encode(source, allowed)


def memory_moved(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory.roll(1, dims=0), state


def memory_moved_back(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory.roll(-1, dims=0), state


def both_moved(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory.roll(1, dims=0), state.roll(1, dims=0)


def numbers_moved(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, state.roll(1, dims=-1)


def rolled_in_one_row(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, state.roll(1)


def text_after(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, state.roll(-1, dims=0)


def turned_round(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, state.flip(0)


def zeros(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, torch.zeros_like(state)


def first_for_all(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, state[:1].expand_as(state)


def last_for_all(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, state[-1:].expand_as(state)


def mean_for_all(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, state.mean(dim=0, keepdim=True).expand_as(state)


def first_keeps_its_own(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, torch.cat([state[:1], state[:-1]])


def first_gets_zeros(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, torch.cat([torch.zeros_like(state[:1]), state[:-1]])


class CopyingModel:
    """A model whose states can be foretold: one for each character c, (c, 10·c), and the last of them is the first."""

    def encode(self, source, allowed):
        memory = torch.stack([source, 10 * source], dim=-1).float()
        last = allowed.sum(dim=1) - 1
        return memory, memory[torch.arange(len(source), device=source.device), last]


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a model whose states can be foretold, then a small translator with weights of its own."""
    source = torch.tensor([[1, 2], [3, 4], [5, 6]])
    yield Trial(
        "three texts; the encoder's state at the character c is (c, 10·c)",
        {"model": CopyingModel(), "source": source, "allowed": torch.ones_like(source, dtype=torch.bool)},
        (
            torch.tensor([[[1.0, 10.0], [2.0, 20.0]], [[3.0, 30.0], [4.0, 40.0]], [[5.0, 50.0], [6.0, 60.0]]]),
            torch.tensor([[6.0, 60.0], [2.0, 20.0], [4.0, 40.0]]),
        ),
        says="`encode` gives the last state of each text, (2, 20), (4, 40) and (6, 60). Each moves one text on, and "
        "the last one comes to the first text. `memory` stays as it is.",
    )
    for lengths in ((4, 4, 4), (5, 2, 3, 4)):
        torch.manual_seed(int(torch.randint(1000, (), generator=generator)))
        model = Translator(12, 9, d_embedding=8, d_hidden=6)
        source = torch.randint(4, 12, (len(lengths), max(lengths)), generator=generator)
        allowed = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
        yield Trial(
            f"a small translator, {len(lengths)} texts{'' if allowed.all() else ', three with padding'}",
            {"model": model, "source": source.where(allowed, 0), "allowed": allowed},
            says="The encoder reads each text with its own row of `allowed`, and `memory` stays as `encode` gives it.",
            tolerance=1e-4,
        )


PRACTICE = Practice(
    name="other_start",
    prompt="What `encode` returns, but each text gets the first state of the text before it.",
    minutes=4,
    hints=(
        "`model.encode(source, allowed)` returns both: `memory`, which the decoder looks at, and `state`, from which "
        "it starts. Which of the two should stay with its text?",
        "`state` has the shape (batch, d_hidden), a row for each text. Each row moves to the next text, and the last "
        "one comes to the first text.",
        "`torch.roll` moves rows in this way. `dims` says along which axis, and it is needed: without it, `roll` makes "
        "one long row of all numbers first. The skeleton: `memory, state = …`, then `return memory, state.roll(…, "
        "dims=…)`.",
    ),
    given=other_start,
    trials=trials,
    returns=("memory", "state"),
    misconceptions={
        "other-start-unchanged": Misconception(
            "Each text starts from its own state",
            "`memory` and `state` are still from the same text. `roll` returns a new tensor and leaves the old one as "
            "it was, so return what it gives.",
            (unchanged,),
        ),
        "other-start-memory-moved": Misconception(
            "The memory moves to another text, and the state stays",
            "The decoder looks at `memory`, with the mask of its own text. So `memory` has to stay, and `state` has to "
            "come from another text.",
            (memory_moved, memory_moved_back),
        ),
        "other-start-both-moved": Misconception(
            "Memory and state come from the same other text",
            "Then the decoder starts from the date that it looks at, as always. The two have to come from different "
            "texts: move `state`, and leave `memory`.",
            (both_moved,),
        ),
        "other-start-numbers-moved": Misconception(
            "The single numbers move, not the states of whole texts",
            "A row of `state` is one text's state, and it moves as a whole, along axis 0. With `dims=1`, `roll` moves "
            "the numbers within each state. Without `dims`, it makes one long row of all numbers first.",
            (numbers_moved, rolled_in_one_row),
        ),
        "other-start-text-after": Misconception(
            "Each text gets the state of the text after it",
            "`roll(-1)` moves the rows up. The state of the text *before* is asked for, so the rows move down, by 1.",
            (text_after,),
        ),
        "other-start-turned-round": Misconception(
            "The states are in reverse order",
            "Then the first text starts from the last one's state, but the second from that of the last but one. In "
            "an odd number of texts, the middle one even keeps its own. Each row is to move by one text.",
            (turned_round,),
        ),
        "other-start-zeros": Misconception(
            "The decoder starts from zeros",
            "Zeros hold no date. The experiment asks which of two dates is written, so the first state has to come "
            "from another text.",
            (zeros,),
        ),
        "other-start-one-for-all": Misconception(
            "All texts start from the same state",
            "Each text is to get the first state of the text before it, so the rows have to differ. A loop that writes "
            "into `state` itself reads rows that it has already overwritten.",
            (first_for_all, last_for_all, mean_for_all),
        ),
        "other-start-first-text": Misconception(
            "The first text does not get the state of the last one",
            "No text comes before the first, so it takes the state of the last text of the batch. All others are "
            "right.",
            (first_keeps_its_own, first_gets_zeros),
        ),
    },
)
