from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties


def oracle(tokens: np.ndarray, start_token: int) -> np.ndarray:
    """Each place has the token of the place before, the first the start token."""
    shifted = np.empty_like(tokens)
    for index in np.ndindex(tokens.shape):
        *batch, place = index
        shifted[index] = tokens[(*batch, place - 1)] if place else start_token
    return shifted


def _joined(start: bool, kept: slice, end: bool = False) -> Callable[..., np.ndarray]:
    """Take a stretch of the tokens, with the start token before or after it."""

    def shift(tokens: np.ndarray, start_token: int) -> np.ndarray:
        one = np.full_like(tokens[..., :1], start_token)
        return np.concatenate([*([one] if start else []), tokens[..., kept], *([one] if end else [])], axis=-1)

    return shift


def _along_batch(tokens: np.ndarray, start_token: int) -> np.ndarray:
    return np.concatenate([np.full_like(tokens[:1], start_token), tokens[:-1]])


def _start_in_first_item(tokens: np.ndarray, start_token: int) -> np.ndarray:
    shifted = np.roll(tokens, 1, axis=-1)
    shifted[:1] = start_token
    return shifted


def _from(start: int, tokens: np.ndarray, start_token: int) -> np.ndarray:
    return oracle(tokens, start)


def cases(draw: Draw) -> list[Case]:
    """Tokens from 3 on, so that neither 0 nor the start token is among them."""

    def case(title, name, shape, start_token, strided=False, dtype="int64") -> Case:
        rows = np.stack([draw.rng.permutation(np.arange(3, 3 + shape[-1])) for _ in range(int(np.prod(shape[:-1])))])
        tokens = Array(rows.reshape(shape), dtype, strided)
        return Case(title, name, {"tokens": tokens, "start_token": start_token})

    return [
        case("batch 1, 3 tokens", properties.VALUES, (1, 3), 1),
        case("batch 2, 4 tokens", properties.VALUES, (2, 4), 2),
        case("batch 3, 3 tokens", properties.VALUES, (3, 3), 1),
        case("batch 3, 5 tokens, start token 0", properties.VALUES, (3, 5), 0),
        case("batch 2, one token", properties.EDGES, (2, 1), 2),
        case("257 tokens, and start token 300", properties.LONG_SEQUENCES, (1, 257), 300),
        case("inputs that are not contiguous", properties.STRIDES, (3, 4), 1, strided=True),
        case("batch 2, 3 tokens, in int32", properties.DTYPES, (2, 3), 1, dtype="int32"),
    ]


EXERCISE = FunctionExercise(
    name="shift_right",
    prompt="What the decoder reads in training: at each place the target of the place before.",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "Write the targets A B C in a row, and below each what the decoder may have read when it predicts it.",
        "The result is as long as the targets: the start token, then all tokens but the last.",
        "`torch.full_like` makes a column of start tokens with the right shape, dtype and device. `torch.cat` puts it "
        "in front of the tokens.",
    ),
    returns=Returns(names=("inputs",), dtype="int64", axes=("batch, n_tokens",)),
    oracle=oracle,
    cases=cases,
    misconceptions={
        "shift-left": Misconception(
            "The tokens move to the left",
            "At each place the decoder would read a token that comes after the one that it is to predict there. A "
            "shift to the right drops the last target and puts the start token first.",
            (
                _joined(False, slice(1, None), end=True),
                _joined(False, slice(1, None)),
                lambda tokens, start_token: np.roll(tokens, -1, axis=-1),
            ),
        ),
        "not-shifted": Misconception(
            "The targets come back as they are",
            "At each place the decoder would read the very token that it is to predict. In training it "
            "learns to copy, and has nothing to copy from when it is used.",
            (lambda tokens, start_token: tokens,),
        ),
        "first-overwritten": Misconception(
            "The start token takes the place of the first target, and no token moves",
            "From the second place on, the decoder would read the very token that it is to predict there. Every target "
            "moves one place to the right, and the last one drops out.",
            (_joined(True, slice(1, None)),),
        ),
        "start-fills-an-item": Misconception(
            "The whole first item is filled with the start token",
            "The first index counts the items of the batch, and the second one the tokens. The start token stands at "
            "the first place of every item.",
            (_start_in_first_item,),
        ),
        "start-prepended": Misconception(
            "The result is one token too long",
            "The last token is a target that no later prediction follows, so the decoder does not need to"
            " read it. Drop it when you put the start token in front.",
            (_joined(True, slice(None)),),
        ),
        "start-forgotten": Misconception(
            "The start token is missing",
            "The last token is gone, as it should be. But the decoder also needs something to read when "
            "it makes its first prediction: the start token.",
            (_joined(False, slice(-1)),),
        ),
        "shift-wraps": Misconception(
            "The last token comes round to the front",
            "Rolled round, the sequence begins with its own end, which the decoder should not know. The "
            "first place gets the start token.",
            (lambda tokens, start_token: np.roll(tokens, 1, axis=-1),),
        ),
        "start-ignored": Misconception(
            "start_token is ignored",
            "The same token stands in front whatever the caller asked for.",
            tuple(partial(_from, start) for start in (0, 1)),
        ),
        "batch-as-sequence": Misconception(
            "The items of the batch are shifted, not the tokens",
            "The tokens of one item lie along the last axis. Each item gets the start token in front.",
            (_along_batch,),
        ),
    },
)
