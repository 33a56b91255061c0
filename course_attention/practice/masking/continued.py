"""Generation: a model's next words are drawn and appended, one after another."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial


@torch.no_grad()
def continued(model, said, allowed, n_more):
    """Draw a word from the logits of the last position, append it, and ask the model again."""
    for n in range(said.shape[1], said.shape[1] + n_more):
        logits = model(said, allowed[:n, :n])
        said = torch.cat([said, torch.multinomial(logits[:, -1].softmax(dim=-1), 1)], dim=1)
    return said


def most_probable(model, said, allowed, n_more):
    for n in range(said.shape[1], said.shape[1] + n_more):
        logits = model(said, allowed[:n, :n])
        said = torch.cat([said, logits[:, -1:].argmax(dim=-1)], dim=1)
    return said


def from_the_first_position(model, said, allowed, n_more):
    for n in range(said.shape[1], said.shape[1] + n_more):
        logits = model(said, allowed[:n, :n])
        said = torch.cat([said, torch.multinomial(logits[:, 0].softmax(dim=-1), 1)], dim=1)
    return said


def reads_one_word(model, said, allowed, n_more):
    for _ in range(n_more):
        logits = model(said[:, -1:], allowed[:1, :1])
        said = torch.cat([said, torch.multinomial(logits[:, -1].softmax(dim=-1), 1)], dim=1)
    return said


def new_words_alone(model, said, allowed, n_more):
    return continued(model, said, allowed, n_more)[:, said.shape[1] :]


def never_reads_its_own(model, said, allowed, n_more):
    n = said.shape[1]
    drawn = [torch.multinomial(model(said, allowed[:n, :n])[:, -1].softmax(dim=-1), 1) for _ in range(n_more)]
    return torch.cat([said, *drawn], dim=1)


def whole_mask(model, said, allowed, n_more):
    for _ in range(n_more):
        logits = model(said, allowed)
        said = torch.cat([said, torch.multinomial(logits[:, -1].softmax(dim=-1), 1)], dim=1)
    return said


def lower_right_corner(model, said, allowed, n_more):
    for n in range(said.shape[1], said.shape[1] + n_more):
        logits = model(said, allowed[-n:, -n:])
        said = torch.cat([said, torch.multinomial(logits[:, -1].softmax(dim=-1), 1)], dim=1)
    return said


def one_word_more(model, said, allowed, n_more):
    return continued(model, said, allowed, n_more + 1)


def one_word_less(model, said, allowed, n_more):
    return continued(model, said, allowed, n_more - 1)


def evenly(model, said, allowed, n_more):
    for n in range(said.shape[1], said.shape[1] + n_more):
        logits = model(said, allowed[:n, :n])
        said = torch.cat([said, torch.multinomial((logits[:, -1] > -math.inf).float(), 1)], dim=1)
    return said


_N_WORDS = 32


def _sure_of(words: Tensor) -> Tensor:
    """Logits of a model that is sure of these words, (batch, n, _N_WORDS)."""
    logits = torch.full((*words.shape, _N_WORDS), -math.inf, device=words.device)
    return logits.scatter(2, words.unsqueeze(-1), 0.0)


def _check(said: Tensor, allowed: Tensor) -> None:
    if allowed.shape != (said.shape[1], said.shape[1]):
        raise ValueError("the mask needs a row and a column for each word that the model reads")


def _adds_its_place(said: Tensor, allowed: Tensor) -> Tensor:
    """After the word w at place p (counted from 1) comes w + p."""
    _check(said, allowed)
    return _sure_of(said + torch.arange(1, said.shape[1] + 1, device=said.device))


def _adds_what_it_sees(said: Tensor, allowed: Tensor) -> Tensor:
    """After a word w that may see n words comes w + n."""
    _check(said, allowed)
    return _sure_of(said + allowed.sum(dim=-1))


def _one_or_two(said: Tensor, allowed: Tensor) -> Tensor:
    """After the word w comes w + 1 with a probability of 3/4, and w + 2 with one of 1/4."""
    _check(said, allowed)
    logits = torch.full((*said.shape, _N_WORDS), -math.inf, device=said.device)
    logits = logits.scatter(2, said.unsqueeze(-1) + 1, math.log(3))
    return logits.scatter(2, said.unsqueeze(-1) + 2, 0.0)


def _shares(answer: Callable[..., Any], model: Any, said: Tensor, allowed: Tensor, n_more: int) -> Any:
    """Return how large a share of the first, second, … words that were drawn is the word before plus 1."""
    found = answer(model, said, allowed, n_more)
    if not isinstance(found, Tensor) or found.shape != (said.shape[0], said.shape[1] + n_more):
        return found
    return (found.diff(dim=1) == 1).float().mean(dim=0)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield models that are sure of what comes, to follow by hand, and one that is not."""
    everything = torch.ones(9, 9).bool()
    yield Trial(
        "the model is sure that w + p comes after the word w at place p = 1, 2, …; the text is 3, and 3 words follow",
        {"model": _adds_its_place, "said": torch.tensor([[3]]), "allowed": everything, "n_more": 3},
        torch.tensor([[3, 4, 6, 9]]),
        says="After 3 at place 1 comes 4, after 4 at place 2 comes 6, after 6 at place 3 comes 9.",
    )
    yield Trial(
        "the same model, two texts of 2 words, nothing to append",
        {"model": _adds_its_place, "said": torch.tensor([[3, 1], [2, 2]]), "allowed": everything, "n_more": 0},
        torch.tensor([[3, 1], [2, 2]]),
    )
    allowed = torch.rand(6, 6, generator=generator) < 0.5
    allowed[1:, 0] = allowed[0, 1:] = True
    allowed[3] = torch.tensor([True, False, False, True, False, False])
    allowed[-1] = True
    yield Trial(
        "the model is sure that w + n comes after a word w that may see n words; two texts of 2 words, 3 words follow",
        {"model": _adds_what_it_sees, "said": torch.tensor([[3, 1], [2, 4]]), "allowed": allowed, "n_more": 3},
        says="The mask of n words is the upper left corner of `allowed`: its first n rows and columns.",
    )
    yield Trial(
        "1,000 texts; w + 1 comes after the word w with a probability of 3/4, and w + 2 with one of 1/4",
        {"model": _one_or_two, "said": torch.zeros(1000, 1).long(), "allowed": everything, "n_more": 3},
        torch.full((3,), 0.75),
        _shares,
        says="The result is the share of the texts in which w + 1 came, for each of the three words that were drawn.",
        tolerance=0.08,
    )


PRACTICE = Practice(
    name="continued",
    prompt="Draw n_more words from the model, one after another, and append each to the text.",
    minutes=8,
    hints=(
        "One round: the model reads all words that there are, `said`. The logits of the last position, `[:, -1]`, "
        "are about the next word.",
        "`.softmax(dim=-1)` makes probabilities of them, and `torch.multinomial(probabilities, 1)` draws one word for "
        "each text, (batch, 1).",
        "`torch.cat([said, drawn], dim=1)` appends it. Where n words are there, the mask is `allowed[:n, :n]`.",
    ),
    given=continued,
    trials=trials,
    returns=("words",),
    misconceptions={
        "continued-most-probable": Misconception(
            "The most probable word is always taken",
            "`argmax` always takes the same word, so all texts would be the same. The words are to be *drawn*: a word "
            "with a probability of 3/4 comes in three of four draws.",
            (most_probable,),
        ),
        "continued-evenly": Misconception(
            "Every possible word is drawn equally often",
            "The draw does not use the probabilities of the model. `torch.multinomial` takes them as weights.",
            (evenly,),
        ),
        "continued-first-position": Misconception(
            "The logits of the first position are used",
            "Each position says what comes after it. The next word of the text comes after the last one: `[:, -1]`.",
            (from_the_first_position,),
        ),
        "continued-one-word-read": Misconception(
            "The model reads only the newest word",
            "It would not know what came before. In each round it reads all of `said`.",
            (reads_one_word,),
        ),
        "continued-not-read": Misconception(
            "The model never reads what it has said",
            "Every word is drawn from the same probabilities. Append each word to `said` before the next round.",
            (never_reads_its_own,),
        ),
        "continued-new-words-only": Misconception(
            "Only the new words are returned",
            "The result has n + n_more words: those that were said, and the new ones behind them.",
            (new_words_alone,),
        ),
        "continued-whole-mask": Misconception(
            "The model gets the whole mask",
            "The mask needs a row and a column for each word that the model reads. With n words, that is "
            "`allowed[:n, :n]`.",
            (whole_mask,),
        ),
        "continued-lower-corner": Misconception(
            "The mask is the lower right corner",
            "The words of a text begin at position 0, so their mask is the upper left corner, `allowed[:n, :n]`.",
            (lower_right_corner,),
        ),
        "continued-count": Misconception(
            "The number of new words is not n_more",
            "There is one word too many, or one too few. Each round appends one word, and there are n_more rounds.",
            (one_word_more, one_word_less),
        ),
    },
)
