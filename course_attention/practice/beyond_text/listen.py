"""Cross-attention from sound to text: each frame looks for its word."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

from course_attention.mechanisms.masking import padding_mask
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.transformer.small_transformer import SumDecoderBlock


def listen(model, sound, text, recordings):
    """Let the frames ask and the words answer, each under the mask of its own padding."""
    hearable = padding_mask(recordings.n_frames, sound.shape[1])
    readable = padding_mask(recordings.n_words, text.shape[1])
    x, weights = model.block(sound, text, hearable, readable)
    return model.say(x), weights


def _masks(sound, text, recordings):
    return padding_mask(recordings.n_frames, sound.shape[1]), padding_mask(recordings.n_words, text.shape[1])


def without_masks(model, sound, text, recordings):
    x, weights = model.block(sound, text)
    return model.say(x), weights


def text_not_masked(model, sound, text, recordings):
    x, weights = model.block(sound, text, _masks(sound, text, recordings)[0])
    return model.say(x), weights


def sound_not_masked(model, sound, text, recordings):
    x, weights = model.block(sound, text, None, _masks(sound, text, recordings)[1])
    return model.say(x), weights


def masks_inverted(model, sound, text, recordings):
    hearable, readable = _masks(sound, text, recordings)
    x, weights = model.block(sound, text, ~hearable, ~readable)
    return model.say(x), weights


def frames_among_frames(model, sound, text, recordings):
    hearable, _ = _masks(sound, text, recordings)
    x, weights = model.block(sound, sound, hearable, hearable)
    return model.say(x), weights


def words_ask(model, sound, text, recordings):
    hearable, readable = _masks(sound, text, recordings)
    x, weights = model.block(text, sound, readable, hearable)
    return model.say(x), weights


def probabilities(model, sound, text, recordings):
    logits, weights = listen(model, sound, text, recordings)
    return logits.softmax(dim=-1), weights


def vectors(model, sound, text, recordings):
    hearable, readable = _masks(sound, text, recordings)
    return model.block(sound, text, hearable, readable)


def weights_first(model, sound, text, recordings):
    logits, weights = listen(model, sound, text, recordings)
    return weights, logits


class SmallListener(nn.Module):
    """The block and the last layer of a listener; the block adds up what it may see."""

    def __init__(self, d_model: int, n_symbols: int) -> None:
        super().__init__()
        self.block = SumDecoderBlock()
        self.say = nn.Linear(d_model, n_symbols, bias=False)
        with torch.no_grad():
            self.say.weight.copy_(torch.arange(n_symbols)[:, None] - torch.arange(d_model)[None] % 2 * 0.5)


def _heard(
    answer: Callable[..., Any], model: SmallListener, sound: Tensor, text: Tensor, n_frames: Tensor, n_words: Tensor
) -> Any:
    """Return logits and weights, with zeros at the padding of the sound: what comes out there does not count."""
    found = answer(model, sound, text, SimpleNamespace(n_frames=n_frames, n_words=n_words))
    if not isinstance(found, (tuple, list)) or len(found) != 2 or not all(isinstance(one, Tensor) for one in found):
        return found
    logits, weights = found
    real = torch.arange(sound.shape[1], device=sound.device) < n_frames[:, None]
    if logits.shape[:2] == real.shape:
        logits = logits.where(real[..., None], 0)
    if weights.ndim == 4 and weights.shape[2] == real.shape[1]:
        weights = weights.where(real[:, None, :, None], 0)
    return logits, weights


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two frames and one word to add up, then recordings with padding in both."""
    yield Trial(
        "two frames, 1 and 2, one word, 10, and padding in both; the block adds to a frame the sum of the frames and "
        "the sum of the words that it may see; the logits are 0 and x",
        {
            "model": SmallListener(1, 2),
            "sound": torch.tensor([[[1.0], [2.0], [50.0]]]),
            "text": torch.tensor([[[10.0], [100.0]]]),
            "n_frames": torch.tensor([2]),
            "n_words": torch.tensor([1]),
        },
        (
            torch.tensor([[[0.0, 14.0], [0.0, 15.0], [0.0, 0.0]]]),
            torch.tensor([[[[1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]]]),
        ),
        _heard,
        says="The first frame becomes 1 + (1 + 2) + 10 = 14, and the second 2 + (1 + 2) + 10 = 15. The third frame and "
        "the second word are padding. (Zeros are put at the padding of the sound before the comparison.)",
    )
    for n_frames, n_words in (((5, 4), (3, 2)), ((2, 4, 3), (4, 1, 2))):
        yield Trial(
            f"{len(n_frames)} recordings of {' and '.join(map(str, n_frames))} frames and "
            f"{' and '.join(map(str, n_words))} words",
            {
                "model": SmallListener(3, 5),
                "sound": torch.randn(len(n_frames), max(n_frames), 3, generator=generator),
                "text": torch.randn(len(n_words), max(n_words), 3, generator=generator),
                "n_frames": torch.tensor(n_frames),
                "n_words": torch.tensor(n_words),
            },
            run=_heard,
            says="The frames have a mask from `n_frames`, and the words one from `n_words`. `model.say` makes the "
            "logits.",
        )


PRACTICE = Practice(
    name="listen",
    prompt="The forward pass of cross-attention: each frame looks for its word in the text.",
    minutes=10,
    hints=(
        "Who asks? Each frame looks for its word, so the queries come from the sound: it is the first argument of "
        "`model.block`, and the text is the second.",
        "`padding_mask(recordings.n_frames, sound.shape[1])` says which frames may be seen. The words need such a mask "
        "as well.",
        "`model.block(sound, text, hearable, readable)` gives x and the weights. `model.say(x)` makes logits.",
    ),
    given=listen,
    trials=trials,
    returns=("logits", "weights"),
    misconceptions={
        "listen-no-masks": Misconception(
            "Frames attend to the padding of both sequences",
            "Sound and text are filled up with padding. Each attention needs a mask of its own.",
            (without_masks,),
        ),
        "listen-text-not-masked": Misconception(
            "Frames attend to the padding of the text",
            "The words need a mask, too, from their own lengths: the fourth argument of `model.block`.",
            (text_not_masked,),
        ),
        "listen-sound-not-masked": Misconception(
            "Frames attend to the padding of the sound",
            "The frames attend to each other first, and need a mask from their own lengths: the third argument of "
            "`model.block`.",
            (sound_not_masked,),
        ),
        "listen-inverted": Misconception(
            "The masks are the wrong way round",
            "True is where a key may be seen, as `padding_mask` gives it.",
            (masks_inverted,),
        ),
        "listen-frames-only": Misconception(
            "Frames look for their word among the frames",
            "Keys and values come from the text: it is the second argument of `model.block`.",
            (frames_among_frames,),
        ),
        "listen-words-ask": Misconception(
            "The words ask and the frames answer",
            "Each *frame* looks for its word. So the queries come from the sound, the first argument of `model.block`.",
            (words_ask,),
        ),
        "listen-probabilities": Misconception(
            "Probabilities are returned",
            "The loss expects logits, and applies the softmax itself.",
            (probabilities,),
        ),
        "listen-vectors": Misconception(
            "The vectors of the block are returned",
            "`model.say` makes a logit for each word of them.",
            (vectors,),
        ),
        "listen-weights-first": Misconception(
            "The weights come first",
            "Return the logits, and after them the weights.",
            (weights_first,),
        ),
    },
)
