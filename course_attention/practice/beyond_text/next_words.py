"""The decoder's forward pass of a captioner: words look at words before them, and at the patches."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from course_attention.mechanisms.masking import causal_mask
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.transformer.small_transformer import SumDecoderBlock


def next_words(model, words, memory):
    """Embed the words, add their positions, and let them ask the picture, under a causal mask."""
    x = model.word(words) + model.position[: words.shape[1]]
    x, weights = model.decoder(x, memory, causal_mask(words.shape[1]))
    return model.write(x), weights


def _placed(model, words):
    return model.word(words) + model.position[: words.shape[1]]


def later_words_seen(model, words, memory):
    x, weights = model.decoder(_placed(model, words), memory)
    return model.write(x), weights


def without_positions(model, words, memory):
    x, weights = model.decoder(model.word(words), memory, causal_mask(words.shape[1]))
    return model.write(x), weights


def neither_positions_nor_mask(model, words, memory):
    x, weights = model.decoder(model.word(words), memory)
    return model.write(x), weights


def positions_behind(model, words, memory):
    x, weights = model.decoder(model.word(words), memory, causal_mask(words.shape[1]))
    return model.write(x + model.position[: words.shape[1]]), weights


def mask_inverted(model, words, memory):
    x, weights = model.decoder(_placed(model, words), memory, ~causal_mask(words.shape[1]))
    return model.write(x), weights


def vectors(model, words, memory):
    return model.decoder(_placed(model, words), memory, causal_mask(words.shape[1]))


def all_positions(model, words, memory):
    x, weights = model.decoder(model.word(words) + model.position, memory, causal_mask(words.shape[1]))
    return model.write(x), weights


def last_positions(model, words, memory):
    x = model.word(words) + model.position[-words.shape[1] :]
    x, weights = model.decoder(x, memory, causal_mask(words.shape[1]))
    return model.write(x), weights


def patches_ask(model, words, memory):
    x, weights = model.decoder(memory, _placed(model, words))
    return model.write(x), weights


def last_word_alone(model, words, memory):
    logits, weights = next_words(model, words, memory)
    return logits[:, -1:], weights


class SmallCaptioner(nn.Module):
    """The decoder's parts of a captioner; its block adds up what it may see.

    Args:
        word: the embedding, (n_words, d_model).
        position: (5, d_model).
    """

    def __init__(self, word: Tensor, position: Tensor) -> None:
        super().__init__()
        self.word = nn.Embedding.from_pretrained(word.clone())
        self.position = nn.Parameter(position)
        self.decoder = SumDecoderBlock()
        self.write = nn.Linear(word.shape[1], 2, bias=False)
        with torch.no_grad():
            self.write.weight.copy_(torch.tensor([[1.0], [-1.0]]).expand(2, word.shape[1]) * (word.shape[1] ** 0.5))


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two words to add up by hand, then drawn captions of several lengths."""
    model = SmallCaptioner(torch.arange(3.0)[:, None], 10 * torch.arange(5.0)[:, None])
    yield Trial(
        "the words 1 and 2, whose vectors are 1 and 2; position p has the vector 10p; two patches, 100 and 200; the "
        "block adds to a word the sum of the words and of the patches that it may see; the logits are x and −x",
        {"model": model, "words": torch.tensor([[1, 2]]), "memory": torch.tensor([[[100.0], [200.0]]])},
        (torch.tensor([[[302.0, -302.0], [325.0, -325.0]]]), torch.full((1, 1, 2, 2), 0.5)),
        says="With their positions the words are 1 and 12. The first may see itself: 1 + 1 + 300 = 302. The second may "
        "see both: 12 + 13 + 300 = 325.",
    )
    for n_words in (5, 3, 1):
        yield Trial(
            f"2 captions of {n_words} words, 4 patches".replace("1 words", "1 word"),
            {
                "model": SmallCaptioner(torch.randn(7, 3, generator=generator), torch.randn(5, 3, generator=generator)),
                "words": torch.randint(7, (2, n_words), generator=generator),
                "memory": torch.randn(2, 4, 3, generator=generator),
            },
            says="Take only as many positions, and as large a mask, as there are words.",
        )


PRACTICE = Practice(
    name="next_words",
    prompt="Logits for the word after each word, and the weights on the patches.",
    minutes=8,
    hints=(
        "The words: `model.word(words)`, and the vectors of their positions. There are five positions, and "
        "`words.shape[1]` words.",
        "The words ask and the patches answer: the words are the first argument of `model.decoder`, and the memory is "
        "the second.",
        "The third argument is the mask that the words have among themselves, `causal_mask(words.shape[1])`. "
        "`model.write` makes the logits.",
    ),
    given=next_words,
    trials=trials,
    returns=("logits", "weights"),
    misconceptions={
        "next-words-later-seen": Misconception(
            "A word sees the words after it",
            "In training, the model could copy the word that it should name. The words need a causal mask among "
            "themselves.",
            (later_words_seen,),
        ),
        "next-words-no-positions": Misconception(
            "The positions are left out",
            "The model could not tell which digit comes next. Add `model.position` to the words.",
            (without_positions, neither_positions_nor_mask),
        ),
        "next-words-positions-behind": Misconception(
            "The positions are added behind the decoder",
            "They belong to what the decoder reads.",
            (positions_behind,),
        ),
        "next-words-inverted": Misconception(
            "A word sees only the words after it",
            "The mask is True where a word may look: at itself, and at what comes before it.",
            (mask_inverted,),
        ),
        "next-words-vectors": Misconception(
            "The vectors of the decoder are returned",
            "`model.write` makes logits of them.",
            (vectors,),
        ),
        "next-words-all-positions": Misconception(
            "There are always five positions",
            "While a caption is written there are fewer words. Take as many positions as there are words: "
            "`model.position[: words.shape[1]]`.",
            (all_positions,),
        ),
        "next-words-last-positions": Misconception(
            "The words get the last positions",
            "The first word has position 0: `model.position[: words.shape[1]]`.",
            (last_positions,),
        ),
        "next-words-patches-ask": Misconception(
            "The patches ask and the words answer",
            "The words ask: they are the first argument of `model.decoder`, and the memory is the second.",
            (patches_ask,),
        ),
        "next-words-last-only": Misconception(
            "There are logits for the last word only",
            "In training, every word predicts the one after it. So there are logits for all words.",
            (last_word_alone,),
        ),
    },
)
