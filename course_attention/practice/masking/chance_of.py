"""The probability that a model gives to one of several words."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from course_attention.mechanisms.masking import causal_mask
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.masking.next_word_loss import NextWordTable


@torch.no_grad()
def chance_of(words, model, said):
    """Add up the probabilities that the last position gives to these words."""
    chances = model(said, causal_mask(said.shape[1]).to(said.device))[0, -1].softmax(dim=-1)
    return chances[words].sum().item()


def _chances(model, said):
    return model(said, causal_mask(said.shape[1]).to(said.device))[0].softmax(dim=-1)


def mean(words, model, said):
    return _chances(model, said)[-1, words].mean().item()


def largest(words, model, said):
    return _chances(model, said)[-1, words].max().item()


def product(words, model, said):
    return _chances(model, said)[-1, words].prod().item()


def of_logits(words, model, said):
    return model(said, causal_mask(said.shape[1]).to(said.device))[0, -1, words].sum().item()


def among_these_words(words, model, said):
    return model(said, causal_mask(said.shape[1]).to(said.device))[0, -1, words].softmax(dim=-1).sum().item()


def after_the_first_word(words, model, said):
    return _chances(model, said)[0, words].sum().item()


def after_any_word(words, model, said):
    return _chances(model, said)[:, words].sum().item()


def without_mask(words, model, said):
    allowed = torch.ones(said.shape[1], said.shape[1], dtype=torch.bool, device=said.device)
    return model(said, allowed)[0, -1].softmax(dim=-1)[words].sum().item()


def of_one_word(words, model, said):
    return _chances(model, said)[-1, words[0]].item()


def _four_words(said: Tensor, allowed: Tensor) -> Tensor:
    """Logits of a model that gives 0.1, 0.2, 0.3 and 0.4 to the word after the last, and 1/4 to each one before."""
    logits = torch.full((*said.shape, 4), math.log(0.25), device=said.device)
    logits[:, -1] = torch.tensor([0.1, 0.2, 0.3, 0.4], device=said.device).log()
    return logits


class _TwoLayers(NextWordTable):
    """The second layer reads what the first has made of each word, so the mask of every row counts."""

    def forward(self, tokens: Tensor, allowed: Tensor) -> Tensor:
        once = super().forward(tokens, allowed)
        seen = allowed.to(once) / allowed.sum(dim=-1, keepdim=True)
        return once + seen @ once


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield four words with probabilities of 0.1 to 0.4, then models that depend on the mask."""
    yield Trial(
        "the next word is 0, 1, 2 or 3 with probabilities of 0.1, 0.2, 0.3 and 0.4",
        {"words": [1, 3], "model": _four_words, "said": torch.tensor([[2, 0]])},
        0.6,
        says="The next word is 1 with a probability of 0.2, and 3 with one of 0.4. It cannot be both, so the "
        "probabilities are added. The logits of the *last* position are about the next word.",
        tolerance=1e-5,
    )
    for words, n_tokens in (([3], 1), ([4, 2, 6], 5)):
        yield Trial(
            f"{n_tokens} words were said, and the chance of {', '.join(map(str, words))} is asked for".replace(
                "1 words were", "1 word was"
            ),
            {
                "words": words,
                "model": _TwoLayers(torch.randn(7, 7, generator=generator), 1.0),
                "said": torch.randint(1, 7, (1, n_tokens), generator=generator),
            },
            says="The model is asked under a causal mask, with a row and a column for each word that was said.",
            tolerance=1e-5,
        )


PRACTICE = Practice(
    name="chance_of",
    prompt="How probable is it, according to the model, that the next word is one of these?",
    minutes=5,
    hints=(
        "`causal_mask(n)` is the mask for n words. The model's logits have the shape (1, n, n_words).",
        "The logits at `[0, -1]` are about the next word. `.softmax(dim=-1)` makes probabilities of them.",
        "The probabilities of these words are `chances[words]`. The next word can be only one of them, so add them up.",
    ),
    given=chance_of,
    trials=trials,
    returns=("chance",),
    misconceptions={
        "chance-mean": Misconception(
            "The mean of the probabilities is returned",
            "The next word can be any one of these, and only one. So the chance that one of them comes is the sum.",
            (mean,),
        ),
        "chance-largest": Misconception(
            "Only the most probable of the words counts",
            "Each of the words may come, so their probabilities are added.",
            (largest,),
        ),
        "chance-product": Misconception(
            "The probabilities are multiplied",
            "A product is the chance that several things happen *together*. Here one word *or* another comes, and "
            "the probabilities are added.",
            (product,),
        ),
        "chance-one-word": Misconception(
            "Only the first of the words counts",
            "`words` is a list: the chance that the next word is any one of them is asked for.",
            (of_one_word,),
        ),
        "chance-of-logits": Misconception(
            "The logits are added, and not the probabilities",
            "Logits become probabilities by a softmax over all words.",
            (of_logits,),
        ),
        "chance-among-these": Misconception(
            "The softmax is taken over these words only",
            "Then their probabilities always sum to 1. The model chooses among *all* words: take the softmax first, "
            "and then these words.",
            (among_these_words,),
        ),
        "chance-first-position": Misconception(
            "The word after the first one is asked for",
            "Each position says what comes after it. What comes after the text, the last position says: `[0, -1]`.",
            (after_the_first_word,),
        ),
        "chance-every-position": Misconception(
            "All positions are added up",
            "Each position has its own next word. Only the last position is about the word after the text.",
            (after_any_word,),
        ),
        "chance-without-mask": Misconception(
            "The model is asked without a mask",
            "It was trained under a causal mask, in which a word never sees what comes after it. Without the mask, "
            "the vectors of the earlier words are other ones.",
            (without_mask,),
        ),
    },
)
