"""Greedy decoding of a caption: five words, each the most probable one."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from course_attention.experiments.beyond_text import digits
from course_attention.practice.authoring import Misconception, Practice, Trial


@torch.no_grad()
def caption(model, pictures):
    """Look at the pictures once, and append the most probable word five times."""
    memory, words = model.see(pictures), torch.full((len(pictures), 1), digits.START)
    for _ in range(5):
        logits, weights = model(words, memory)
        words = torch.cat([words, logits[:, -1:].argmax(dim=-1)], dim=1)
    return words[:, 1:], weights


def _written(model, pictures, n_words=5, start=digits.START, place=-1):
    memory, words = model.see(pictures), torch.full((len(pictures), 1), start)
    for _ in range(n_words):
        logits, weights = model(words, memory)
        words = torch.cat([words, logits[:, place, None].argmax(dim=-1)], dim=1)
    return words, weights


def start_left_in(model, pictures):
    return _written(model, pictures)


def four_words(model, pictures):
    words, weights = _written(model, pictures, n_words=4)
    return words[:, 1:], weights


def start_as_a_word(model, pictures):
    return _written(model, pictures, n_words=4)


def first_place(model, pictures):
    words, weights = _written(model, pictures, place=0)
    return words[:, 1:], weights


def other_start(model, pictures):
    words, weights = _written(model, pictures, start=digits.END)
    return words[:, 1:], weights


def looks_each_time(model, pictures):
    words = torch.full((len(pictures), 1), digits.START)
    for _ in range(5):
        logits, weights = model(words, model.see(pictures))
        words = torch.cat([words, logits[:, -1:].argmax(dim=-1)], dim=1)
    return words[:, 1:], weights


def newest_word_alone(model, pictures):
    memory, words = model.see(pictures), torch.full((len(pictures), 1), digits.START)
    for _ in range(5):
        logits, weights = model(words[:, -1:], memory)
        words = torch.cat([words, logits[:, -1:].argmax(dim=-1)], dim=1)
    return words[:, 1:], weights


def words_alone(model, pictures):
    return caption(model, pictures)[0]


def weights_first(model, pictures):
    return caption(model, pictures)[::-1]


class Counter:
    """A model that counts: it begins with the digit of the picture, and each place adds its number to the word before.

    Attributes:
        n_looks: how many times it looked at the pictures.
    """

    def __init__(self) -> None:
        self.n_looks = 0

    def see(self, pictures: Tensor) -> Tensor:
        """Return the pictures, which are digits, (batch,), as a memory of one patch, (batch, 1, 1)."""
        self.n_looks += 1
        return pictures.view(-1, 1, 1).float()

    def __call__(self, words: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (batch, n, 11), and weights (batch, 1, n, 1) that say how many words were read."""
        place = torch.arange(words.shape[1])
        following = torch.where(words == digits.START, memory[:, 0].long(), words + place) % 10
        weights = torch.full((len(words), 1, words.shape[1], 1), float(words.shape[1]))
        return F.one_hot(following, 11).float(), weights


def _caption_and_looks(answer: Callable[..., Any], model: Counter, pictures: Tensor) -> Any:
    """Return what the answer gives, and how many times the model looked at the pictures."""
    found = answer(model, pictures)
    looked = "the model looks once" if model.n_looks == 1 else f"the model looks {model.n_looks} times"
    return (*found, looked) if isinstance(found, (tuple, list)) and len(found) == 2 else found


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one picture whose caption can be counted, then several."""
    yield Trial(
        "the first word is the digit of the picture, 3; after the word w at place p = 1, 2, … comes w + p",
        {"model": Counter(), "pictures": torch.tensor([3])},
        (torch.tensor([[3, 4, 6, 9, 3]]), torch.full((1, 1, 5, 1), 5.0), "the model looks once"),
        _caption_and_looks,
        says="3, then 3 + 1, 4 + 2, 6 + 3 and 9 + 4 = 13, which is written as 3. The weights are those of the last "
        "pass, which reads the start word and four others.",
    )
    yield Trial(
        "four pictures",
        {"model": Counter(), "pictures": torch.randint(10, (4,), generator=generator)},
        run=_caption_and_looks,
        says="There are five words for each picture, without the start word.",
    )


PRACTICE = Practice(
    name="caption",
    prompt="What the model writes, five words, and the weights of its last pass.",
    minutes=8,
    hints=(
        "Before the loop: `model.see(pictures)`, and a column of start words, `torch.full((len(pictures), 1), "
        "digits.START)`.",
        "In each of five rounds: `logits, weights = model(words, memory)`. The most probable word after the last one "
        "is `logits[:, -1:].argmax(dim=-1)`.",
        "`torch.cat` appends it along `dim=1`. At the end the start word is left out: `words[:, 1:]`.",
    ),
    given=caption,
    trials=trials,
    returns=("words", "weights", "looks"),
    misconceptions={
        "caption-start-left": Misconception(
            "The start word is returned as well",
            "Return the five words that the model has written: `words[:, 1:]`.",
            (start_left_in, start_as_a_word),
        ),
        "caption-four-words": Misconception(
            "Four words are written",
            "Five words are asked for: five rounds.",
            (four_words,),
        ),
        "caption-first-place": Misconception(
            "The word after the first place is taken again and again",
            "The newest logits are those of the last place: `logits[:, -1]`.",
            (first_place,),
        ),
        "caption-other-start": Misconception(
            "The text does not begin with `digits.START`",
            "In training every caption began with this word, so the model has to find it in front.",
            (other_start,),
        ),
        "caption-looks-again": Misconception(
            "The model looks at the pictures in every round",
            "The result is right, but the pictures have not changed. Call `model.see` once, before the loop.",
            (looks_each_time,),
        ),
        "caption-newest-only": Misconception(
            "The model reads only the newest word",
            "It has no cache. In each round it reads all words that are there.",
            (newest_word_alone,),
        ),
        "caption-no-weights": Misconception(
            "The weights are not returned",
            "Two things come back: the words, and the weights of the last pass.",
            (words_alone,),
        ),
        "caption-weights-first": Misconception(
            "The weights come first",
            "Return the words, and after them the weights.",
            (weights_first,),
        ),
    },
)
