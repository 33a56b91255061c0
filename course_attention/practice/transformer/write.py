"""What a model writes for the sources of some pairs: the source is encoded once, then the loop writes."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from course_attention.experiments.common.pairs import END, START, Pairs, Vocabulary
from course_attention.mechanisms.transformer import greedy_decode, shift_right
from course_attention.practice.authoring import Misconception, Practice, Trial


@torch.no_grad()
def write(model, pairs):
    """Encode the sources once, and let `greedy_decode` ask the decoder for one symbol after the other."""
    on = model.output.weight.device
    source, allowed, target = pairs.batch(torch.arange(len(pairs)), on)
    memory = model.encode(source, allowed)

    def step(tokens):
        logits, _ = model.decode(tokens.to(on), memory, allowed)
        return logits.cpu()

    return greedy_decode(step, START, END, max_length=target.shape[1] + 2, batch=len(pairs))


def _written(model, pairs, start=START, end=END, extra=2, masked=True, read=lambda tokens, target: tokens):
    on = model.output.weight.device
    source, allowed, target = pairs.batch(torch.arange(len(pairs)), on)
    memory = model.encode(source, allowed)
    allowed = allowed if masked else torch.ones_like(allowed)

    def step(tokens):
        return model.decode(read(tokens.to(on), target), memory, allowed)[0].cpu()

    return greedy_decode(step, start, end, max_length=target.shape[1] + extra, batch=len(pairs))


def with_the_start(model, pairs):
    written = write(model, pairs)
    return torch.cat([torch.full((len(written), 1), START), written], dim=1)


def without_the_start(model, pairs):
    return write(model, pairs)[:, 1:]


def too_short(model, pairs):
    return _written(model, pairs, extra=0)


def padding_read(model, pairs):
    return _written(model, pairs, masked=False)


def from_the_end_token(model, pairs):
    return _written(model, pairs, start=END)


def never_ends(model, pairs):
    return _written(model, pairs, end=START)


def first_pair_alone(model, pairs):
    return write(model, pairs)[:1]


def by_teacher_forcing(model, pairs):
    on = model.output.weight.device
    source, allowed, target = pairs.batch(torch.arange(len(pairs)), on)
    inputs = torch.cat([torch.full_like(target[:, :1], START), target[:, :-1]], dim=1)
    return model.decode(inputs, model.encode(source, allowed), allowed)[0].argmax(dim=-1).cpu()


def targets_in_step(model, pairs):
    return _written(model, pairs, read=lambda tokens, target: target)


def shifted_targets_in_step(model, pairs):
    return _written(model, pairs, read=lambda tokens, target: shift_right(target, START))


def shifted_again(model, pairs):
    on = model.output.weight.device
    source, allowed, target = pairs.batch(torch.arange(len(pairs)), on)

    def step(tokens):
        return model(source, allowed, tokens.to(on)).cpu()

    return greedy_decode(step, START, END, max_length=target.shape[1] + 2, batch=len(pairs))


def last_place(model, pairs):
    on = model.output.weight.device
    source, allowed, target = pairs.batch(torch.arange(len(pairs)), on)
    memory = model.encode(source, allowed)

    def step(tokens):
        return model.decode(tokens.to(on), memory, allowed)[0][:, -1].cpu()

    return greedy_decode(step, START, END, max_length=target.shape[1] + 2, batch=len(pairs))


class Copier(nn.Module):
    """A model that copies its source, symbol by symbol, as long as it writes what it read; it counts what it reads.

    Args:
        ends: whether it writes the end token behind the copy; if not, it repeats the last symbol for ever.
    """

    def __init__(self, ends: bool = True) -> None:
        super().__init__()
        self.output = nn.Linear(1, 1)  # by which the notebook's model tells its device
        self.ends = ends

    def encode(self, source: Tensor, allowed: Tensor) -> Tensor:
        """Return the symbols of the source, (batch, n_source, 1)."""
        return source.unsqueeze(-1) * 1.0

    def decode(self, tokens: Tensor, memory: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (batch, n, 8), and a weight of 1 on the symbol that is copied, (batch, 1, 1, n, n_source)."""
        if not bool((tokens[:, 0] == START).all()):  # what does not begin as the model has learned reads nothing
            return nn.functional.one_hot(torch.full_like(tokens, END), 8).float(), tokens
        lengths = allowed.sum(dim=1)
        place = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
        inside = place < lengths.unsqueeze(-1)
        symbols = memory.squeeze(-1).long()
        symbols = symbols.gather(1, place.clamp(max=symbols.shape[1] - 1))
        after = END if self.ends else 3
        return nn.functional.one_hot(torch.where(inside, symbols, after), 8).float(), tokens

    def forward(self, source: Tensor, allowed: Tensor, target: Tensor) -> Tensor:
        """Return logits (batch, n_target, 8), given the right symbols before, as the notebook's model does."""
        return self.decode(shift_right(target, START), self.encode(source, allowed), allowed)[0]


class OneAhead(Copier):
    """A model that writes the symbol after the one that it has read last: it depends on what it has written itself."""

    def decode(self, tokens: Tensor, memory: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (batch, n, 8)."""
        first = memory[:, :1, 0].long()
        following = torch.where(tokens == START, first, tokens + 1)
        following = torch.where(following > 6, END, following)
        return nn.functional.one_hot(following, 8).float(), tokens


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two words that are copied, then a model that never ends and one that goes on from what it has written."""
    letters = Vocabulary.of(["abcde"])
    copied = Pairs.of(["ab", "b"], ["ab", "b"], ["", ""], letters, letters)
    yield Trial(
        "the model copies: it reads “ab” and “b”, whose symbols are 3, 4 and 4; the end token is 2",
        {"model": Copier(), "pairs": copied},
        torch.tensor([[3, 4, 2], [4, 2, 2]]),
        says="The first row is 3, 4 and the end token. The second row has ended earlier, and holds the end token from "
        "there on. `greedy_decode` gives this form, without the start token.",
    )
    yield Trial(
        "the model never ends; the longest target has 3 symbols, so 5 are written",
        {"model": Copier(ends=False), "pairs": copied},
        torch.tensor([[3, 4, 3, 3, 3], [4, 3, 3, 3, 3]]),
        says="`max_length` is two more than the length of the targets, which have an end token.",
    )
    words = ["".join("abcde"[i] for i in torch.randperm(5, generator=generator)[:n].tolist()) for n in (4, 1, 3)]
    yield Trial(
        "the model counts on from the first symbol of the source, up to the last symbol of the alphabet",
        {"model": OneAhead(), "pairs": Pairs.of(words, [word[::-1] for word in words], [""] * 3, letters, letters)},
        says="The model reads what it has written itself, and not the targets.",
    )


PRACTICE = Practice(
    name="write",
    prompt="What a model writes for the sources of some pairs.",
    minutes=7,
    hints=(
        "Three things happen before the loop: `pairs.batch(…)` gives source, allowed and target; `model.encode` gives "
        "the memory; and you define a function `step` inside of `write`.",
        "`step(tokens)` calls `model.decode(tokens.to(on), memory, allowed)` and returns the first of its two results, "
        "on the CPU.",
        "`greedy_decode(step, START, END, max_length=target.shape[1] + 2, batch=len(pairs))` does the rest.",
    ),
    given=write,
    trials=trials,
    returns=("symbols",),
    misconceptions={
        "write-with-start": Misconception(
            "The start token is returned as well",
            "`greedy_decode` leaves it out already, and the targets do not have it.",
            (with_the_start,),
        ),
        "write-first-symbol-lost": Misconception(
            "The first symbol is cut off",
            "`greedy_decode` has left out the start token already, so nothing is left to cut.",
            (without_the_start,),
        ),
        "write-too-short": Misconception(
            "A model that does not end is stopped too early",
            "`max_length` is two more than the length of the targets, so that a text that is too long can be seen.",
            (too_short,),
        ),
        "write-padding-read": Misconception(
            "The decoder reads the padding of the source",
            "`model.decode` needs `allowed`, True on the symbols of the source and False on its padding.",
            (padding_read,),
        ),
        "write-wrong-start": Misconception(
            "The model does not begin with the start token",
            "In training every target began with `START`, so the model has to find it in front here, too.",
            (from_the_end_token,),
        ),
        "write-wrong-end": Misconception(
            "The end token does not end a row",
            "A row has ended when the model has written `END`. The order is `greedy_decode(step, START, END, …)`.",
            (never_ends,),
        ),
        "write-teacher-forcing": Misconception(
            "The decoder reads the targets",
            "That is teacher forcing, as in training. Here the model has to go on from its own symbols, one after "
            "another: `greedy_decode` calls your `step` with what has been written.",
            (by_teacher_forcing,),
        ),
        "write-unread": Misconception(
            "`step` does not read what has been written so far",
            "`greedy_decode` calls `step(tokens)` with all that has been written, and asks for the symbol that comes "
            "next. So it is `tokens` that goes to `model.decode`, and not the targets.",
            (targets_in_step, shifted_targets_in_step),
        ),
        "write-shifted-again": Misconception(
            "What has been written is shifted once more",
            "`model(source, allowed, target)` shifts the targets to the right before it decodes them, as in training. "
            "What `step` gets begins with the start token already: give it to `model.decode`.",
            (shifted_again,),
        ),
        "write-last-place": Misconception(
            "`step` returns the logits of the last place only",
            "`greedy_decode` wants logits at every place, (batch, n, n_vocabulary), and takes the last place itself.",
            (last_place,),
        ),
        "write-one-pair": Misconception(
            "Only the first pair is written",
            "There is a row for each pair: `batch=len(pairs)`.",
            (first_pair_alone,),
        ),
    },
)
