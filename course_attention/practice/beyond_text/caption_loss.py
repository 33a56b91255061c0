"""The loss of a captioner: its words are predicted from the picture and from the words before."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from course_attention.experiments.beyond_text import digits
from course_attention.mechanisms.transformer import sequence_loss, shift_right
from course_attention.practice.authoring import Misconception, Practice, Trial


def caption_loss(model, pictures, captions):
    """Let the model read the shifted caption, and compare its logits with the caption itself."""
    logits, _ = model(shift_right(captions, digits.START), model.see(pictures))
    return sequence_loss(logits, captions, digits.PAD)


def not_shifted(model, pictures, captions):
    return sequence_loss(model(captions, model.see(pictures))[0], captions, digits.PAD)


def other_start(model, pictures, captions):
    logits, _ = model(shift_right(captions, digits.END), model.see(pictures))
    return sequence_loss(logits, captions, digits.PAD)


def padding_as_start(model, pictures, captions):
    logits, _ = model(shift_right(captions, digits.PAD), model.see(pictures))
    return sequence_loss(logits, captions, digits.PAD)


def end_ignored(model, pictures, captions):
    logits, _ = model(shift_right(captions, digits.START), model.see(pictures))
    real = (captions != digits.PAD) & (captions != digits.END)
    return sequence_loss(logits, captions.where(real, digits.PAD), digits.PAD)


def summed(model, pictures, captions):
    return caption_loss(model, pictures, captions) * (captions != digits.PAD).sum()


class Guesser(nn.Module):
    """A model whose logits are the sum of a row for the word before and a number times the picture.

    Args:
        table: (13, 11), a row for each word that may be read.
    """

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = nn.Parameter(table)

    def see(self, pictures: Tensor) -> Tensor:
        """Return the pictures, which are numbers (batch,), as a memory, (batch, 1, 1)."""
        return pictures.view(-1, 1, 1)

    def forward(self, words: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (batch, n, 11), and the memory, in the place of weights."""
        return self.table[words] + memory * torch.arange(11), memory


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a caption of one digit, then drawn models and captions with padding."""
    table = torch.zeros(13, 11)
    table[digits.START, 4] = torch.tensor(10.0).log()
    pad = digits.PAD
    yield Trial(
        "the caption is “four <end>” and padding; after the start word the model gives “four” a probability of 1/2, "
        "and after “four” it gives all 11 words the same",
        {
            "model": Guesser(table),
            "pictures": torch.zeros(1),
            "captions": torch.tensor([[4, digits.END, pad, pad, pad]]),
        },
        (torch.tensor(2.0).log() + torch.tensor(11.0).log()) / 2,
        says="Two words are named: “four” costs −ln ½, and <end> costs ln 11. Their mean is 1.545. Padding does not "
        "count.",
    )
    for lengths in ((4, 2), (1, 3, 4)):
        captions = torch.randint(10, (len(lengths), 5), generator=generator)
        for row, length in zip(captions, lengths, strict=True):
            row[length] = digits.END
            row[length + 1 :] = pad
        yield Trial(
            f"{len(lengths)} captions of {' and '.join(map(str, lengths))} digits",
            {
                "model": Guesser(torch.randn(13, 11, generator=generator)),
                "pictures": torch.randn(len(lengths), generator=generator),
                "captions": captions,
            },
            says="The model reads the caption shifted to the right, with the start word in front. The targets are the "
            "caption itself.",
        )


PRACTICE = Practice(
    name="caption_loss",
    prompt="The mean cross-entropy of the words of the captions, without those that are padding.",
    minutes=5,
    hints=(
        "The model is called as `model(words, memory)`. The memory is `model.see(pictures)`.",
        "It reads the caption shifted to the right: `shift_right(captions, digits.START)`.",
        "`sequence_loss(logits, captions, digits.PAD)` compares its logits with the caption.",
    ),
    given=caption_loss,
    trials=trials,
    returns=("loss",),
    misconceptions={
        "caption-loss-not-shifted": Misconception(
            "The model reads the very words that it should name",
            "Shift the captions to the right, so that the model has read only the words before.",
            (not_shifted,),
        ),
        "caption-loss-start": Misconception(
            "The captions begin with another word than `digits.START`",
            "The start word is `digits.START`. `digits.END` ends a caption, and `digits.PAD` fills it up.",
            (other_start, padding_as_start),
        ),
        "caption-loss-end-ignored": Misconception(
            "The end of a caption is not counted",
            "<end> is a word that the model has to name. Only the padding does not count.",
            (end_ignored,),
        ),
        "caption-loss-sum": Misconception(
            "The losses are added up",
            "The mean over all words is asked for, as `sequence_loss` gives it.",
            (summed,),
        ),
    },
)
