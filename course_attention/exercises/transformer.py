"""Notebook 08: the Transformer's blocks, what its decoder reads and is told, and the ways to get them wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.exercises import transformer_cases
from course_attention.exercises.attention_parts import largest
from course_attention.exercises.transformer_ideas import IDEAS
from course_attention.exercises.transformer_mistakes import DECODER_MISTAKES, ENCODER_MISTAKES
from course_attention.exercises.transformer_parts import (
    backward_noise,
    decoder,
    decoder_oracle,
    encoder,
    encoder_oracle,
)
from course_attention.judging.exercise import Exercise

NOTEBOOK = "08_transformer"


# The oracles: one token at a time.


def shift_oracle(tokens: np.ndarray, start_token: int) -> np.ndarray:
    """Each place has the token of the place before, the first the start token."""
    shifted = np.empty_like(tokens)
    for index in np.ndindex(tokens.shape):
        *batch, place = index
        shifted[index] = tokens[(*batch, place - 1)] if place else start_token
    return shifted


def loss_oracle(logits: np.ndarray, targets: np.ndarray, pad_token: int) -> np.ndarray:
    """The mean of −log p over the targets that are not padding."""
    losses = []
    for index in np.ndindex(targets.shape):
        if targets[index] != pad_token:
            shifted = logits[index] - max(logits[index])
            losses.append(np.log(sum(np.exp(shifted))) - shifted[targets[index]])
    return np.array(sum(losses) / len(losses))


# The same in a line or two, with each part exchangeable for a wrong one.


def _joined(start: bool, kept: slice, end: bool = False) -> Callable[..., np.ndarray]:
    """A stretch of the tokens, with the start token before or after it."""

    def shift(tokens: np.ndarray, start_token: int) -> np.ndarray:
        one = np.full_like(tokens[..., :1], start_token)
        return np.concatenate(
            [*([one] if start else []), tokens[..., kept], *([one] if end else [])], axis=-1
        )

    return shift


def _along_batch(tokens: np.ndarray, start_token: int) -> np.ndarray:
    return np.concatenate([np.full_like(tokens[:1], start_token), tokens[:-1]])


def _from(start: int, tokens: np.ndarray, start_token: int) -> np.ndarray:
    return shift_oracle(tokens, start)


def _log_softmax(logits: np.ndarray, axis: int = -1) -> np.ndarray:
    shifted = logits - logits.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def _unstable(logits: np.ndarray) -> np.ndarray:
    return np.log(np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True))


def _unstable_sum(logits: np.ndarray) -> np.ndarray:
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


def _log_of_softmax(logits: np.ndarray) -> np.ndarray:
    return np.log(np.exp(_log_softmax(logits)))


def _mean_of_all(losses: np.ndarray, counted: np.ndarray) -> np.ndarray:
    return np.where(counted, losses, 0.0).sum() / counted.sum()


def _mean_of_means(losses: np.ndarray, counted: np.ndarray) -> np.ndarray:
    return (np.where(counted, losses, 0.0).sum(axis=-1) / counted.sum(axis=-1)).mean()


def _loss(
    logits: np.ndarray,
    targets: np.ndarray,
    pad_token: int,
    logs: Callable = _log_softmax,
    mean: Callable = _mean_of_all,
    counts: Callable = lambda targets, pad_token: targets != pad_token,
) -> np.ndarray:
    losses = -np.take_along_axis(logs(logits), targets[..., None], axis=-1)[..., 0]
    return mean(losses, counts(targets, pad_token))


def _without_pad_class(logits: np.ndarray, targets: np.ndarray, pad_token: int) -> np.ndarray:
    kept = np.where(np.arange(logits.shape[-1]) == pad_token, -np.inf, logits)
    return _loss(kept, targets, pad_token)


def _with_blank_logits(logits: np.ndarray, targets: np.ndarray, pad_token: int) -> np.ndarray:
    """Padding costs log(n_classes), whatever is predicted, and counts."""
    kept = np.where((targets == pad_token)[..., None], 0.0, logits)
    return _loss(
        kept, targets, pad_token, counts=lambda targets, pad_token: np.ones(targets.shape, dtype=bool)
    )


def _loss_noise(logits: np.ndarray, targets: np.ndarray, pad_token: int) -> tuple[float]:
    return (2 * largest(logits) + logits.shape[-1],)


EXERCISES = (
    Exercise(
        name="EncoderBlock",
        notebook=NOTEBOOK,
        kind="module",
        prompt="Attention and a feed-forward network, each added to its input and normalised.",
        points=4,
        difficulty=2,
        minutes=20,
        hints=(
            "Four submodules, by the names attention, norm_1, feed_forward and norm_2; `MultiHeadAttention`, "
            "`nn.LayerNorm` and `nn.Sequential` are what they are made of.",
            "`forward` has two lines of the same form: x = norm(x + sublayer(x)). `MultiHeadAttention` gives two "
            "things back, of which one is added to x.",
            "The mask is the fourth argument of `MultiHeadAttention`: pass it by name. In the feed-forward network "
            "the channels go from d_model to d_hidden and back.",
        ),
        parts=("output",),
        oracle=encoder_oracle,
        cases=transformer_cases.encoder_cases,
        noise=backward_noise(encoder),
        wrong=ENCODER_MISTAKES,
        ideas=IDEAS,
    ),
    Exercise(
        name="DecoderBlock",
        notebook=NOTEBOOK,
        kind="module",
        prompt="Attention to the own sequence, attention to the memory, a feed-forward network.",
        points=4,
        difficulty=2,
        minutes=20,
        hints=(
            "The encoder block with one sublayer more in the middle: six submodules, by the names self_attention, "
            "norm_1, cross_attention, norm_2, feed_forward and norm_3.",
            "Cross-attention asks from x, as the first norm left it, and finds its keys and values in the memory. A "
            "`MultiHeadAttention` that is called with a key and no value uses the key as value.",
            "Two masks: `allowed` for the attention to x, `memory_allowed` for the attention to the memory. What comes "
            "back beside x are the weights of the second.",
        ),
        parts=("output", "weights"),
        oracle=decoder_oracle,
        cases=transformer_cases.decoder_cases,
        noise=backward_noise(decoder),
        wrong=DECODER_MISTAKES,
        ideas=IDEAS,
    ),
    Exercise(
        name="shift_right",
        notebook=NOTEBOOK,
        prompt="What the decoder reads in training: at each place the target of the place before.",
        points=1,
        difficulty=1,
        minutes=10,
        hints=(
            "Write the targets A B C in a row, and below each what the decoder may have read when it predicts it.",
            "The result is as long as the targets: the start token, then all tokens but the last.",
            "`torch.full_like` makes a column of start tokens in the right shape, dtype and place; `torch.cat` joins.",
        ),
        parts=("inputs",),
        dtype="int64",
        oracle=shift_oracle,
        cases=transformer_cases.shift_cases,
        wrong={
            "shift-left": (
                _joined(False, slice(1, None), end=True),
                _joined(False, slice(1, None)),
                _joined(True, slice(1, None)),
                lambda tokens, start_token: np.roll(tokens, -1, axis=-1),
            ),
            "not-shifted": (lambda tokens, start_token: tokens,),
            "start-prepended": (_joined(True, slice(None)),),
            "start-forgotten": (_joined(False, slice(-1)),),
            "shift-wraps": (lambda tokens, start_token: np.roll(tokens, 1, axis=-1),),
            "start-ignored": tuple(partial(_from, start) for start in (0, 1)),
            "batch-as-sequence": (_along_batch,),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="sequence_loss",
        notebook=NOTEBOOK,
        prompt="The mean cross-entropy over all targets that are not padding.",
        points=2,
        difficulty=2,
        minutes=15,
        hints=(
            "For each place: minus the logarithm of the probability that the softmax of the logits gives the target. "
            "Then a mean, of some of the places.",
            "`F.cross_entropy` wants the classes on the second axis, or logits of (places, classes) beside targets of "
            "(places,): `flatten` makes them.",
            "Look through the keywords of `F.cross_entropy` for one that leaves a target out of sum and count.",
        ),
        parts=("loss",),
        oracle=loss_oracle,
        cases=transformer_cases.loss_cases,
        noise=_loss_noise,
        wrong={
            "loss-counts-padding": (
                partial(_loss, counts=lambda targets, pad_token: np.ones(targets.shape, dtype=bool)),
                _with_blank_logits,
            ),
            "loss-divides-by-all": (
                partial(_loss, mean=lambda losses, counted: np.where(counted, losses, 0.0).mean()),
            ),
            "loss-per-sequence": (partial(_loss, mean=_mean_of_means),),
            "loss-summed": (
                partial(_loss, mean=lambda losses, counted: np.where(counted, losses, 0.0).sum()),
            ),
            "loss-divided-by-batch": (
                partial(
                    _loss, mean=lambda losses, counted: np.where(counted, losses, 0.0).sum() / len(counted)
                ),
                partial(
                    _loss,
                    mean=lambda losses, counted: np.where(counted, losses, 0.0).sum(axis=-1).mean(),
                ),
            ),
            "loss-sign": (lambda logits, targets, pad_token: -_loss(logits, targets, pad_token),),
            "loss-without-softmax": (partial(_loss, logs=lambda logits: logits),),
            "loss-softmax-twice": (
                partial(_loss, logs=lambda logits: _log_softmax(np.exp(_log_softmax(logits)))),
            ),
            "softmax-over-tokens": (partial(_loss, logs=partial(_log_softmax, axis=-2)),),
            "softmax-overflows": tuple(
                partial(_loss, logs=logs) for logs in (_unstable, _unstable_sum, _log_of_softmax)
            ),
            "pad-token-assumed": (partial(_loss, counts=lambda targets, pad_token: targets != 0),),
            "pad-class-left-out": (_without_pad_class,),
            "padding-inverted": (partial(_loss, counts=lambda targets, pad_token: targets == pad_token),),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="attention_layers",
        notebook=NOTEBOOK,
        prompt="How many multi-head attention layers has an encoder–decoder of 6 + 6 blocks?",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "Count the attentions of one encoder block, and of one decoder block.",
            "A decoder block attends to two sequences, one after the other.",
        ),
        kind="value",
        value=18,
        wrong_values={
            "cross-attention-forgotten": (12,),
            "encoder-counted-twice": (24,),
            "one-stack-only": (6,),
            "sublayers-counted": (30,),
            "heads-counted": (144, 96),
            "projections-counted": (54, 36, 72),
        },
        ideas=IDEAS,
    ),
)
