"""The accuracy of a listener over the frames that count."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from course_attention.experiments.beyond_text import spoken_sentences
from course_attention.practice.authoring import Misconception, Practice, Trial


@torch.no_grad()
def hearing_accuracy(model, recordings, among=True):
    """Compare the most probable word of each frame with the right one, where frames count."""
    right = model(recordings)[0].argmax(dim=-1) == recordings.spoken
    counted = (recordings.spoken != spoken_sentences.PAD) & among
    return right[counted].float().mean().item()


def _right(model, recordings):
    return model(recordings)[0].argmax(dim=-1) == recordings.spoken


def all_frames(model, recordings, among=True):
    return _right(model, recordings).float().mean().item()


def all_frames_among(model, recordings, among=True):
    right = _right(model, recordings)
    return right[torch.ones_like(right) & among].float().mean().item()


def among_ignored(model, recordings, among=True):
    return hearing_accuracy(model, recordings)


def all_words_divide(model, recordings, among=True):
    words = recordings.spoken != spoken_sentences.PAD
    return ((_right(model, recordings) & words & among).sum() / words.sum()).item()


def all_frames_divide(model, recordings, among=True):
    words = recordings.spoken != spoken_sentences.PAD
    return (_right(model, recordings) & words & among).float().mean().item()


def recordings_divide(model, recordings, among=True):
    words = recordings.spoken != spoken_sentences.PAD
    return ((_right(model, recordings) & words & among).sum() / len(words)).item()


def mean_of_recordings(model, recordings, among=True):
    counted = (recordings.spoken != spoken_sentences.PAD) & among
    right = (_right(model, recordings) & counted).sum(dim=1)
    return (right / counted.sum(dim=1)).mean().item()


def number_of_right_ones(model, recordings, among=True):
    words = recordings.spoken != spoken_sentences.PAD
    return float((_right(model, recordings) & words & among).sum())


def percentage(model, recordings, among=True):
    return 100 * hearing_accuracy(model, recordings, among)


def errors(model, recordings, among=True):
    return 1 - hearing_accuracy(model, recordings, among)


def _accuracy(answer: Callable[..., Any], named: Tensor, spoken: Tensor, among: Any = True) -> Any:
    """Return the accuracy of a model that names these words."""

    def model(recordings: Any) -> tuple[Tensor, None]:
        return F.one_hot(named, len(spoken_sentences.WORDS)).float(), None

    recordings = SimpleNamespace(spoken=spoken)
    return answer(model, recordings) if among is True else answer(model, recordings, among)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield four frames to count, then several recordings, and some in which only a part of the frames counts."""
    yield Trial(
        "the words 3, 4 and 4 are spoken, with a silent frame (0) between them; the model names 3, 3, 4 and 5",
        {"named": torch.tensor([[3, 3, 4, 5]]), "spoken": torch.tensor([[3, 0, 4, 4]])},
        2 / 3,
        _accuracy,
        says="Three frames are frames of words, and two of them are right. What the model names in silence does not "
        "count.",
    )
    yield Trial(
        "the same, and only the last two frames count",
        {
            "named": torch.tensor([[3, 3, 4, 5]]),
            "spoken": torch.tensor([[3, 0, 4, 4]]),
            "among": torch.tensor([[False, False, True, True]]),
        },
        0.5,
        _accuracy,
        says="Two frames count, and one of them is right.",
    )
    for some in (False, True):
        spoken = torch.randint(0, 5, (3, 9), generator=generator)
        spoken[1, 6:] = spoken[2, 4:] = 0
        spoken[:, 0] = torch.tensor([1, 2, 3])
        named = spoken.where(torch.rand(3, 9, generator=generator) < 0.6, 1)
        among = torch.rand(3, 9, generator=generator) < 0.6
        among[:, 0] = True
        arguments: dict[str, Any] = {"named": named, "spoken": spoken}
        yield Trial(
            f"3 recordings with silence and padding{', and only some frames count' if some else ''}",
            arguments | ({"among": among} if some else {}),
            run=_accuracy,
            says="Each frame that counts has the same say, whichever recording it is in.",
        )


PRACTICE = Practice(
    name="hearing_accuracy",
    prompt="The share of frames that are named rightly, among the frames of words.",
    minutes=6,
    hints=(
        "The logits are `model(recordings)[0]`. The word that the model names is where they are largest, along the "
        "last axis.",
        "The frames that count: `(recordings.spoken != spoken_sentences.PAD) & among`. `&` joins two conditions frame "
        "by frame, also where `among` is True.",
        "`right[counted]` has an entry for each frame that counts. Their mean, as floats, is the accuracy.",
    ),
    given=hearing_accuracy,
    trials=trials,
    returns=("accuracy",),
    misconceptions={
        "hearing-silence-counts": Misconception(
            "Silence and padding count",
            "Only the frames of words count. The others are marked with `spoken_sentences.PAD`.",
            (all_frames, all_frames_among),
        ),
        "hearing-among-ignored": Misconception(
            "`among` is ignored",
            "Where only some frames count, `among` is True on those.",
            (among_ignored,),
        ),
        "hearing-wrong-divisor": Misconception(
            "The number of right frames is divided by too large or too small a number",
            "An accuracy is a share of the frames that count. Divide by how many those are.",
            (all_words_divide, all_frames_divide, recordings_divide, number_of_right_ones),
        ),
        "hearing-mean-of-recordings": Misconception(
            "Each recording has the same say",
            "This is the mean over the recordings of their accuracies. Each frame that counts should have "
            "the same say.",
            (mean_of_recordings,),
        ),
        "hearing-percentage": Misconception(
            "A percentage is returned",
            "A share between 0 and 1 is asked for.",
            (percentage,),
        ),
        "hearing-errors": Misconception(
            "The share of wrong frames is returned",
            "The share of *right* frames is asked for.",
            (errors,),
        ),
    },
)
