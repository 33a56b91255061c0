import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.masking import soften
from course_attention.exercises.seq2seq.decoder_state import SCALED_DOTS, dots, dots_noise, scores_oracle
from course_attention.exercises.seq2seq.words import WORDS


def _cosines(state: np.ndarray, memory: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(state, axis=-1)[..., None] * np.linalg.norm(memory, axis=-1)
    return dots(state, memory) / lengths


def _reshaped(state: np.ndarray, memory: np.ndarray) -> np.ndarray:
    columns = memory.reshape(*memory.shape[:-2], memory.shape[-1], memory.shape[-2])
    return (state[..., None, :] @ columns)[..., 0, :]


def cases(draw: Draw) -> list[Case]:
    def case(title, name, batch, n_source, d_hidden, **dtype) -> Case:
        arguments = {
            "state": draw.normal(*batch, d_hidden, **dtype),
            "memory": draw.normal(*batch, n_source, d_hidden, **dtype),
        }
        return Case(title, name, arguments)

    by_hand = {"state": draw.halves(1, 2), "memory": draw.halves(1, 3, 2)}
    two = {"state": draw.halves(2, 2), "memory": draw.halves(2, 3, 2)}
    large = {"state": draw.normal(2, 4, dtype="float32"), "memory": draw.normal(2, 3, 4, dtype="float32")}
    large["state"] = Array(large["state"].values * 8192, "float32")
    return [
        Case("1 state, 3 encoder states, d_hidden 2", properties.VALUES, by_hand, gradient=True),
        Case("batch 2, 3 encoder states, d_hidden 2", properties.VALUES, two),
        case("batch 2, 5 encoder states, d_hidden 4", properties.VALUES, (2,), 5, 4),
        case("batch 3, 3 encoder states, d_hidden 3", properties.VALUES, (3,), 3, 3, dtype="float32"),
        case("one encoder state", properties.VALUES, (2,), 1, 4, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2,), 5, 3, strided=True),
        Case("large states", properties.LARGE_SCORES, large),
        case("batch 2, 3 encoder states", properties.DTYPES, (2,), 3, 4, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="attention_scores",
    prompt="Score each encoder state against the decoder state by their dot product.",
    points=1,
    difficulty=1,
    minutes=3,
    hints=(
        "There is one score for each encoder state: (batch, n_source). The axis that disappears is d_hidden.",
        "Give the state an axis of its own for n_source, so that it meets every encoder state of its item.",
        "A matrix product of (batch, n_source, d_hidden) with (batch, d_hidden, 1) leaves an axis of length 1 "
        "to be taken away. So does a product followed by a sum over the last axis, without the axis.",
    ),
    returns=Returns(names=("scores",), axes=("batch, n_source",)),
    oracle=scores_oracle,
    cases=cases,
    noise=dots_noise,
    words=WORDS,
    misconceptions={
        "scale-added": SCALED_DOTS,
        "scores-softmaxed": (lambda state, memory: soften(dots(state, memory)),),
        "key-reshaped": (_reshaped,),
        "cosine-scores": Misconception(
            "The score is the cosine, not the dot product",
            "The vectors are divided by their lengths. A plain dot product keeps the lengths: a longer "
            "state scores more.",
            (_cosines,),
        ),
    },
)
