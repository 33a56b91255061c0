import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import largest
from course_attention.exercises.common.inputs import of
from course_attention.exercises.common.masking import soften
from course_attention.exercises.seq2seq.decoder_state import average_of, output_oracle
from course_attention.exercises.seq2seq.words import WORDS


def noise(distribution: np.ndarray, memory: np.ndarray) -> tuple[float]:
    return (largest(memory) * memory.shape[-2],)


def _one_hot(distribution: np.ndarray) -> np.ndarray:
    return np.eye(distribution.shape[-1])[distribution.argmax(axis=-1)]


def _reshaped(distribution: np.ndarray, memory: np.ndarray) -> np.ndarray:
    batch, n_source, d_hidden = memory.shape
    return np.einsum("bdn,bn->bd", memory.reshape(batch, d_hidden, n_source), distribution)


def cases(draw: Draw) -> list[Case]:
    def case(title, name, batch, n_source, d_hidden, **dtype) -> Case:
        arguments = {
            "distribution": draw.weights(*batch, n_source, dtype=dtype.get("dtype", "float64")),
            "memory": draw.normal(*batch, n_source, d_hidden, **dtype),
        }
        return Case(title, name, arguments)

    def quarters(batch: int) -> Array:
        return Array(draw.rng.permuted([[0.25, 0.25, 0.5]] * batch, axis=1), "float64")

    by_hand = {"distribution": quarters(1), "memory": draw.halves(1, 3, 2)}
    # What comes of a row in which no place is allowed: there is nothing to divide.
    nothing = {"distribution": of([[0, 0, 0], [0.25, 0.5, 0.25]], "float64"), "memory": draw.halves(2, 3, 2)}
    two = {"distribution": quarters(2), "memory": draw.halves(2, 3, 2)}
    return [
        Case("3 encoder states, d_hidden 2", properties.VALUES, by_hand, gradient=True),
        Case("batch 2, 3 encoder states, d_hidden 2", properties.VALUES, two),
        case("batch 2, 5 encoder states, d_hidden 4", properties.VALUES, (2,), 5, 4),
        case("batch 3, 3 encoder states, d_hidden 3", properties.VALUES, (3,), 3, 3, dtype="float32"),
        case("one encoder state", properties.VALUES, (2,), 1, 4, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2,), 5, 3, strided=True),
        Case("batch 2, 3 encoder states, nothing allowed in the first row", properties.NOTHING_ALLOWED, nothing),
        case("batch 2, 3 encoder states", properties.DTYPES, (2,), 3, 4, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="attention_output",
    prompt="Average the encoder states with the weights of the distribution.",
    points=1,
    difficulty=1,
    minutes=2,
    hints=(
        "Each encoder state is multiplied by its weight, and all are added. The axis that disappears is n_source.",
        "Give the distribution an axis for d_hidden, or make it a row of length n_source to multiply the memory with.",
    ),
    oracle=output_oracle,
    cases=cases,
    noise=noise,
    returns=Returns(axes=("batch, d_hidden",)),
    words=WORDS,
    misconceptions={
        "memory-summed": (
            lambda distribution, memory: memory.sum(axis=-2),
            lambda distribution, memory: memory.mean(axis=-2),
        ),
        "softmax-twice": Misconception(
            "The distribution goes through a softmax once more",
            "Its numbers are weights already: they are positive, and each row sums to 1. A second softmax brings them "
            "nearer to each other.",
            (lambda distribution, memory: average_of(soften(distribution), memory),),
        ),
        "key-reshaped": (_reshaped,),
        "only-the-largest": Misconception(
            "Only the state with the largest weight is taken",
            "Each encoder state adds as much as its weight says. A choice of one state would have no gradient with "
            "which the weights could be trained.",
            (lambda distribution, memory: average_of(_one_hot(distribution), memory),),
        ),
        "divided-by-sum": Misconception(
            "The weights are divided by their sum",
            "They sum to 1 already. A row in which nothing is allowed holds zeros alone, and 0 divided by 0 is NaN.",
            (lambda distribution, memory: average_of(distribution / distribution.sum(-1, keepdims=True), memory),),
        ),
        "divided-again": (lambda distribution, memory: average_of(distribution, memory) / memory.shape[-2],),
    },
)
