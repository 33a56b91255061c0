"""The loss of a language model: the mean cross-entropy of the words that really came next."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_attention.experiments.masking import grammar
from course_attention.practice.authoring import Misconception, Practice, Trial


def next_word_loss(model, tokens, allowed):
    """Ask the model for every next word of a batch, and compare its logits with the words that came."""
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    logits = model(inputs, allowed)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=grammar.PAD)


def with_padding(model, tokens, allowed):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    return F.cross_entropy(model(inputs, allowed).flatten(0, 1), targets.flatten())


def of_its_own_words(model, tokens, allowed):
    inputs = tokens[:, :-1]
    return F.cross_entropy(model(inputs, allowed).flatten(0, 1), inputs.flatten(), ignore_index=grammar.PAD)


def of_the_words_before(model, tokens, allowed):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    return F.cross_entropy(model(targets, allowed).flatten(0, 1), inputs.flatten(), ignore_index=grammar.PAD)


def summed(model, tokens, allowed):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    logits = model(inputs, allowed).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=grammar.PAD, reduction="sum")


def summed_and_divided_by_all(model, tokens, allowed):
    return summed(model, tokens, allowed) / tokens[:, 1:].numel()


def mean_of_texts(model, tokens, allowed):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    losses = F.cross_entropy(model(inputs, allowed).mT, targets, ignore_index=grammar.PAD, reduction="none")
    return (losses.sum(dim=1) / (targets != grammar.PAD).sum(dim=1)).mean()


def of_probabilities(model, tokens, allowed):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    probabilities = model(inputs, allowed).softmax(dim=-1)
    return F.cross_entropy(probabilities.flatten(0, 1), targets.flatten(), ignore_index=grammar.PAD)


def without_logarithm(model, tokens, allowed):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    probabilities = model(inputs, allowed).softmax(dim=-1)
    return F.nll_loss(probabilities.flatten(0, 1), targets.flatten(), ignore_index=grammar.PAD)


def without_gradient(model, tokens, allowed):
    return next_word_loss(model, tokens, allowed).detach()


def without_mask(model, tokens, allowed):
    return next_word_loss(model, tokens, torch.ones_like(allowed))


class NextWordTable(nn.Module):
    """A model whose logits for the next word are a row of a table, plus the mean row of the words that it may see."""

    def __init__(self, table: Tensor, of_the_others: float = 0.0) -> None:
        super().__init__()
        self.table = nn.Parameter(table)
        self.of_the_others = of_the_others

    def forward(self, tokens: Tensor, allowed: Tensor) -> Tensor:
        """Read words (batch, n) under a mask (n, n). Returns logits (batch, n, n_words)."""
        n_tokens = tokens.shape[-1]
        if allowed.shape != (n_tokens, n_tokens):
            raise ValueError(
                f"the model reads {n_tokens} tokens of each text under a mask {tuple(allowed.shape)}. The mask needs a "
                "row and a column for each token that is read. No word comes after the last token, so it is not read"
            )
        own = self.table[tokens]
        seen = allowed.to(own) / allowed.sum(dim=-1, keepdim=True).clamp(min=1)
        return own + self.of_the_others * (seen @ own)


def _loss(answer: Callable[..., Any], model: nn.Module, tokens: Tensor, allowed: Tensor) -> Any:
    """Return the loss, and whether a model can learn from it."""
    loss = answer(model, tokens, allowed)
    learns = isinstance(loss, Tensor) and loss.requires_grad
    return loss, "a gradient reaches the model" if learns else "no gradient reaches the model"


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a loss that can be computed by hand, then batches of random words with padding."""
    table = torch.zeros(4, 4)
    table[1, 2] = table[2, 3] = torch.tensor(3.0).log()
    yield Trial(
        "one text, 1, 2, 3 and padding; the model gives the right next word a probability of 1/2",
        {"model": NextWordTable(table), "tokens": torch.tensor([[1, 2, 3, 0]]), "allowed": torch.ones(3, 3).bool()},
        (torch.tensor(2.0).log(), "a gradient reaches the model"),
        _loss,
        says="There are two questions: what comes after 1, and what comes after 2. Padding is not a word, so nothing "
        "is asked after 3. Each answer costs −ln ½ = 0.693, and so does the mean. The model learns by the gradient of "
        "the loss, so return a tensor that still has its gradient.",
    )
    for lengths in ((5, 3), (4, 6, 2)):
        tokens = torch.randint(1, 7, (len(lengths), max(lengths)), generator=generator)
        for row, length in zip(tokens, lengths, strict=True):
            row[length:] = grammar.PAD
        n_questions = tokens.shape[1] - 1
        yield Trial(
            f"{len(lengths)} texts of {' and '.join(map(str, lengths))} words, under a causal mask",
            {
                "model": NextWordTable(torch.randn(7, 7, generator=generator), 1.0),
                "tokens": tokens,
                "allowed": torch.ones(n_questions, n_questions).tril().bool(),
            },
            run=_loss,
            says="The mean goes over all questions of the batch whose answer is a word.",
        )


PRACTICE = Practice(
    name="next_word_loss",
    prompt="The mean cross-entropy over all questions of a batch.",
    minutes=8,
    hints=(
        "A sentence of 4 tokens asks 3 questions. The inputs are all tokens but the last, `tokens[:, :-1]`, and the "
        "targets are all but the first.",
        "The model takes the inputs and `allowed`. `.log_softmax(dim=-1)` makes log probabilities of its logits "
        "(batch, n, n_words), and `.gather(-1, targets.unsqueeze(-1)).squeeze(-1)` chooses those of the targets.",
        "`targets != grammar.PAD` says which questions have a word as their answer. The loss is minus the mean of "
        "their log probabilities.",
    ),
    given=next_word_loss,
    trials=trials,
    returns=("loss", "what learns"),
    misconceptions={
        "loss-of-padding": Misconception(
            "The padding counts as words",
            "Padding fills up the shorter texts. A loss that asks for it measures how well the model knows where a "
            "text ends, over and over. Leave out the questions whose target is `grammar.PAD`.",
            (with_padding,),
        ),
        "loss-without-shift": Misconception(
            "The model is asked for the word that it has just read",
            "The answer to the question at position i is the word at position i + 1. Leave the first token out of the "
            "targets.",
            (of_its_own_words,),
        ),
        "loss-backwards": Misconception(
            "The model is asked for the word before",
            "Inputs and targets have changed places: the model reads the inputs, and the targets are the answers.",
            (of_the_words_before,),
        ),
        "loss-sum": Misconception(
            "The losses are added up",
            "The mean is asked for. A sum grows with the size of the batch, and so would each step of the training.",
            (summed,),
        ),
        "loss-divided-by-padding": Misconception(
            "The sum is divided by the number of all places",
            "The padding costs nothing here, but it counts in the number by which the sum is divided. Divide by the "
            "number of questions whose answer is a word.",
            (summed_and_divided_by_all,),
        ),
        "loss-mean-of-texts": Misconception(
            "Each text has the same say, however long it is",
            "This is the mean over the texts of their mean losses. The mean over all questions is asked for, so a "
            "long text counts more than a short one.",
            (mean_of_texts,),
        ),
        "loss-of-probabilities": Misconception(
            "The softmax is taken twice",
            "`log_softmax` and `F.cross_entropy` take logits and apply the softmax themselves, so yours is the second.",
            (of_probabilities,),
        ),
        "loss-without-logarithm": Misconception(
            "The logarithm is missing",
            "An answer costs minus the logarithm of its probability, so a probability near 0 costs much. Here only the "
            "probability itself counts.",
            (without_logarithm,),
        ),
        "loss-without-gradient": Misconception(
            "The loss has no gradient",
            "The value is right, but the training needs `loss.backward()`. So return the tensor itself: `.item()`, "
            "`.detach()`, `float(…)` and `torch.no_grad` cut it off from the model.",
            (without_gradient,),
        ),
        "loss-without-mask": Misconception(
            "The model does not get the mask",
            "Every word may be seen by every question here. Give the model `allowed`, as it came.",
            (without_mask,),
        ),
    },
)
