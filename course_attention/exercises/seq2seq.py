"""Notebook 01: the attention of an encoder–decoder, step by step, and the ways to get it wrong."""

from __future__ import annotations

from functools import partial

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises import mask_mistakes
from course_attention.exercises.mask_mistakes import MASK_MISTAKES, Weigh, weigh
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import Exercise

NOTEBOOK = "01_seq2seq_attention"


# The oracles, by the slides' formulas, one number at a time.


def scores_oracle(state: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """e_i = s · h_i."""
    scores = np.empty(memory.shape[:-1])
    for index in np.ndindex(scores.shape):
        scores[index] = sum(s * h for s, h in zip(state[index[:-1]], memory[index], strict=True))
    return scores


def distribution_oracle(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """α_i = exp(e_i) / Σ_j exp(e_j), over the allowed positions."""
    allowed = np.ones(scores.shape, dtype=bool) if allowed is None else allowed
    distribution = np.zeros(scores.shape)
    for row in np.ndindex(scores.shape[:-1]):
        positions = np.flatnonzero(allowed[row])
        if len(positions) == 0:
            continue
        largest = max(scores[row][i] for i in positions)
        total = sum(np.exp(scores[row][i] - largest) for i in positions)
        for i in positions:
            distribution[(*row, i)] = np.exp(scores[row][i] - largest) / total
    return distribution


def output_oracle(distribution: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """a = Σ_i α_i h_i."""
    output = np.zeros((*memory.shape[:-2], memory.shape[-1]))
    for row in np.ndindex(output.shape[:-1]):
        for weight, state in zip(distribution[row], memory[row], strict=True):
            output[row] += weight * state
    return output


def concat_oracle(
    state: np.ndarray, memory: np.ndarray, allowed: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """[a; s], and α."""
    distribution = distribution_oracle(scores_oracle(state, memory), allowed)
    return np.concatenate([output_oracle(distribution, memory), state], axis=-1), distribution


# The same in one line each, for the wrong computations to vary.


def _dots(state: np.ndarray, memory: np.ndarray) -> np.ndarray:
    return np.einsum("...d,...nd->...n", state, memory)


def _cosines(state: np.ndarray, memory: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(state, axis=-1)[..., None] * np.linalg.norm(memory, axis=-1)
    return _dots(state, memory) / lengths


def _scaled_dots(state: np.ndarray, memory: np.ndarray) -> np.ndarray:
    return _dots(state, memory) / np.sqrt(state.shape[-1])


def _average(distribution: np.ndarray, memory: np.ndarray) -> np.ndarray:
    return np.einsum("...n,...nd->...d", distribution, memory)


def _concat(
    state: np.ndarray,
    memory: np.ndarray,
    allowed: np.ndarray | None = None,
    score=_dots,
    weigh: Weigh = weigh,
    average=_average,
    join=lambda output, state: np.concatenate([output, state], axis=-1),
) -> tuple[np.ndarray, np.ndarray]:
    distribution = weigh(score(state, memory), allowed)
    return join(average(distribution, memory), state), distribution


# Cases.


def _nothing_allowed(*shape: int) -> Array:
    """A mask in which the first row allows nothing, and the others something."""
    mask = np.ones(shape, dtype=bool)
    mask[..., -1] = False
    mask[0] = False
    return Array(mask, "bool")


def _scores_cases(draw: Draw) -> list[Case]:
    def case(title: str, name: str, batch: tuple[int, ...], n_source: int, d_hidden: int, **dtype) -> Case:
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
        Case("1 state, 3 encoder states, d_hidden 2", "values", by_hand, gradient=True),
        Case("batch 2, 3 encoder states, d_hidden 2", "values", two),
        case("batch 2, 5 encoder states, d_hidden 4", "values", (2,), 5, 4),
        case("batch 3, 3 encoder states, d_hidden 3", "values", (3,), 3, 3, dtype="float32"),
        case("one encoder state", "values", (2,), 1, 4, dtype="float32"),
        case("no batch", "leading dimensions", (), 5, 3, dtype="float32"),
        case("two batch dimensions", "leading dimensions", (2, 3), 4, 5),
        case("not contiguous", "leading dimensions", (2,), 5, 3, strided=True),
        Case("large states", "large scores", large),
        case("batch 2, 3 encoder states", "dtypes", (2,), 3, 4, dtype="bfloat16"),
    ]


def _distribution_cases(draw: Draw) -> list[Case]:
    masked = "2 rows, 3 positions, padding"
    large = np.array([[1e4, -1e4, 9.99e3, 1e4 - 2], [-1e4, -1e4 - 1, -1e4, -1.01e4]])
    low = np.array([[1e4, -1.01e4, 9.9e3], [-9.9e3, -9.9e3 - 1, -1.02e4]])
    return [
        Case("2 rows, 3 positions", "values", {"scores": draw.halves(2, 3)}, gradient=True),
        Case("batch 2, 5 positions", "values", {"scores": draw.normal(2, 5)}),
        Case(
            "batch 3, 3 positions", "values", {"scores": draw.normal(3, 3, dtype="float32"), "allowed": None}
        ),
        Case("one position", "values", {"scores": draw.normal(2, 1, dtype="float32")}),
        Case("no batch", "leading dimensions", {"scores": draw.normal(5, dtype="float32")}),
        Case("two batch dimensions", "leading dimensions", {"scores": draw.normal(2, 3, 4)}),
        Case("not contiguous", "leading dimensions", {"scores": draw.normal(2, 5, strided=True)}),
        Case(masked, "mask", {"scores": draw.halves(2, 3), "allowed": draw.allowed(2, 3)}, True),
        Case("batch 4, 6 positions", "mask", {"scores": draw.normal(4, 6), "allowed": draw.allowed(4, 6)}),
        Case("batch 4, 4 positions", "mask", {"scores": draw.normal(4, 4), "allowed": draw.allowed(4, 4)}),
        Case(
            "no batch, padding", "leading dimensions", {"scores": draw.normal(5), "allowed": draw.allowed(5)}
        ),
        Case(
            "2 rows, 3 positions, nothing allowed in the first row",
            "nothing allowed",
            {"scores": draw.halves(2, 3), "allowed": _nothing_allowed(2, 3)},
            gradient=True,
        ),
        Case(
            "batch 3, 5 positions, nothing allowed in the first row",
            "nothing allowed",
            {"scores": draw.normal(3, 5, dtype="float32"), "allowed": _nothing_allowed(3, 5)},
        ),
        Case("scores near ±10,000", "large scores", {"scores": Array(large, "float32")}),
        Case(
            "scores near ±10,000, padding",
            "large scores",
            {"scores": Array(low, "float32"), "allowed": _low_allowed()},
        ),
        Case(
            "2 rows, 3 positions, padding",
            "dtypes",
            {"scores": draw.normal(2, 3, dtype="bfloat16"), "allowed": draw.allowed(2, 3)},
        ),
        Case("float64", "dtypes", {"scores": draw.normal(2, 4), "allowed": None}),
    ]


def _output_cases(draw: Draw) -> list[Case]:
    def case(title: str, name: str, batch: tuple[int, ...], n_source: int, d_hidden: int, **dtype) -> Case:
        arguments = {
            "distribution": draw.weights(*batch, n_source, dtype=dtype.get("dtype", "float64")),
            "memory": draw.normal(*batch, n_source, d_hidden, **dtype),
        }
        return Case(title, name, arguments)

    def quarters(batch: int) -> Array:
        return Array(draw.rng.permuted([[0.25, 0.25, 0.5]] * batch, axis=1), "float64")

    by_hand = {"distribution": quarters(1), "memory": draw.halves(1, 3, 2)}
    two = {"distribution": quarters(2), "memory": draw.halves(2, 3, 2)}
    return [
        Case("3 encoder states, d_hidden 2", "values", by_hand, gradient=True),
        Case("batch 2, 3 encoder states, d_hidden 2", "values", two),
        case("batch 2, 5 encoder states, d_hidden 4", "values", (2,), 5, 4),
        case("batch 3, 3 encoder states, d_hidden 3", "values", (3,), 3, 3, dtype="float32"),
        case("one encoder state", "values", (2,), 1, 4, dtype="float32"),
        case("no batch", "leading dimensions", (), 5, 3, dtype="float32"),
        case("two batch dimensions", "leading dimensions", (2, 3), 4, 5),
        case("not contiguous", "leading dimensions", (2,), 5, 3, strided=True),
        case("batch 2, 3 encoder states", "dtypes", (2,), 3, 4, dtype="bfloat16"),
    ]


def _concat_cases(draw: Draw) -> list[Case]:
    def case(title: str, name: str, batch: tuple[int, ...], n: int, d: int, allowed=None, **dtype) -> Case:
        arguments = {"state": draw.normal(*batch, d, **dtype), "memory": draw.normal(*batch, n, d, **dtype)}
        arguments |= {} if allowed is None else {"allowed": allowed}
        return Case(title, name, arguments, gradient=name == "nothing allowed" and not dtype)

    by_hand = {"state": draw.halves(1, 2), "memory": draw.halves(1, 3, 2)}
    two = {"state": draw.halves(2, 2), "memory": draw.halves(2, 3, 2)}
    padded = {"state": draw.halves(1, 2), "memory": draw.halves(1, 3, 2), "allowed": draw.allowed(1, 3)}
    # One of the states points along the large state and another against it: scores of ±1e4 and well apart.
    large = {
        "state": Array(np.array([[100.0, 0.0], [0.0, -100.0]]), "float32"),
        "memory": Array(
            np.array([[[100.0, 1], [-100, 2], [90, 0]], [[3, 100], [1, 100], [2, 104.0]]]), "float32"
        ),
    }
    blind = "2 rows, 3 encoder states, nothing allowed in the first row"
    return [
        Case("1 state, 3 encoder states, d_hidden 2", "values", by_hand, gradient=True),
        Case("batch 2, 3 encoder states, d_hidden 2", "values", two),
        case("batch 2, 5 encoder states, d_hidden 4", "values", (2,), 5, 4),
        case("batch 3, 3 encoder states, d_hidden 3", "values", (3,), 3, 3, dtype="float32"),
        case("one encoder state", "values", (2,), 1, 4, dtype="float32"),
        case("no batch", "leading dimensions", (), 5, 3, dtype="float32"),
        case("two batch dimensions", "leading dimensions", (2, 3), 4, 5),
        case("not contiguous", "leading dimensions", (2,), 5, 3, strided=True),
        Case("1 state, 3 encoder states, padding", "mask", padded),
        case("batch 4, 6 encoder states, padding", "mask", (4,), 6, 3, draw.allowed(4, 6)),
        case("batch 3, 3 encoder states, padding", "mask", (3,), 3, 3, draw.allowed(3, 3)),
        case(blind, "nothing allowed", (2,), 3, 2, _nothing_allowed(2, 3)),
        case("the same in float32", "nothing allowed", (3,), 5, 4, _nothing_allowed(3, 5), dtype="float32"),
        Case("scores near ±10,000", "large scores", large),
        Case("scores near ±10,000, padding", "large scores", {**large, "allowed": _low_allowed()}),
        case(
            "batch 2, 3 encoder states, padding", "dtypes", (2,), 3, 4, draw.allowed(2, 3), dtype="bfloat16"
        ),
    ]


def _low_allowed() -> Array:
    """Allows the positions with the lowest scores: a fill that is not low enough shows."""
    return Array(np.array([[False, True, False], [False, False, True]]), "bool")


# Noise, in units of epsilon.


def _largest(values: np.ndarray) -> float:
    return float(np.abs(values).max(initial=0.0))


def _dots_noise(state: np.ndarray, memory: np.ndarray) -> tuple[float]:
    return (float(_dots(np.abs(state), np.abs(memory)).max()) * np.sqrt(state.shape[-1]),)


def _distribution_noise(scores: np.ndarray, allowed: np.ndarray | None = None) -> tuple[float]:
    return (_largest(scores) + scores.shape[-1],)


def _output_noise(distribution: np.ndarray, memory: np.ndarray) -> tuple[float]:
    return (_largest(memory) * memory.shape[-2],)


def _concat_noise(
    state: np.ndarray, memory: np.ndarray, allowed: np.ndarray | None = None
) -> tuple[float, float]:
    weights = _dots_noise(state, memory)[0] + memory.shape[-2]
    return weights * _largest(memory), weights


_MASKED_CONCATS = {
    name: tuple(partial(_concat, weigh=wrong) for wrong in ways) for name, ways in MASK_MISTAKES.items()
}

EXERCISES = (
    Exercise(
        name="attention_scores",
        notebook=NOTEBOOK,
        prompt="Score each encoder state against the decoder state by their dot product.",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "There is one score for each encoder state: (batch, n_source). The axis that disappears is d_hidden.",
            "Give the state an axis of its own for n_source, so that it meets every encoder state of its item.",
            "A matrix product of (batch, n_source, d_hidden) with (batch, d_hidden, 1) leaves an axis of length 1 "
            "to be taken away. So does a product followed by a sum over the last axis, without the axis.",
        ),
        parts=("scores",),
        oracle=scores_oracle,
        cases=_scores_cases,
        noise=_dots_noise,
        wrong={"scale-added": (_scaled_dots,), "cosine-scores": (_cosines,)},
    ),
    Exercise(
        name="attention_distribution",
        notebook=NOTEBOOK,
        prompt="Turn the scores into a distribution over the source positions, padding left out.",
        points=2,
        difficulty=2,
        minutes=15,
        hints=(
            "Without a mask this is a softmax over the last axis; torch has one.",
            "A blocked position needs a weight of exactly 0, before the weights are divided by their sum. Which score "
            "gives exp(score) = 0?",
            "A row in which nothing is allowed has no softmax. Find such rows first, and make sure that no NaN arises "
            "on the way: it would come back in the gradient.",
        ),
        parts=("distribution",),
        oracle=distribution_oracle,
        cases=_distribution_cases,
        noise=_distribution_noise,
        wrong={
            "softmax-over-batch": mask_mistakes.softmax_along(0),
            "softmax-overflows": mask_mistakes.OVERFLOWING,
            "softmax-missing": mask_mistakes.MISSING,
            **MASK_MISTAKES,
            "mask-first-item-for-all": mask_mistakes.first_item_for_all(1),
        },
    ),
    Exercise(
        name="attention_output",
        notebook=NOTEBOOK,
        prompt="Average the encoder states with the weights of the distribution.",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "Each encoder state is multiplied by its weight, and all are added. The axis that disappears is n_source.",
            "Give the distribution an axis for d_hidden, or make it a row of length n_source to multiply the memory "
            "with.",
        ),
        oracle=output_oracle,
        cases=_output_cases,
        noise=_output_noise,
        wrong={
            "memory-summed": (
                lambda distribution, memory: memory.sum(axis=-2),
                lambda distribution, memory: memory.mean(axis=-2),
            ),
            "divided-again": (
                lambda distribution, memory: _average(distribution, memory) / memory.shape[-2],
            ),
        },
    ),
    Exercise(
        name="attend_and_concat",
        notebook=NOTEBOOK,
        prompt="Put the three together and give [a_t; s_t] and the distribution.",
        points=2,
        difficulty=1,
        minutes=10,
        hints=(
            "Call the three functions above, one after the other.",
            "Hand `allowed` on to the one that takes it.",
            "torch.cat joins a list of tensors along an axis; here it is the last one, and a_t comes first.",
        ),
        parts=("joined", "distribution"),
        oracle=concat_oracle,
        cases=_concat_cases,
        noise=_concat_noise,
        wrong={
            "concat-order": (partial(_concat, join=lambda a, s: np.concatenate([s, a], axis=-1)),),
            "concat-added": (partial(_concat, join=lambda a, s: a + s),),
            "scale-added": (partial(_concat, score=_scaled_dots),),
            "softmax-overflows": tuple(partial(_concat, weigh=wrong) for wrong in mask_mistakes.OVERFLOWING),
            "softmax-over-batch": tuple(
                partial(_concat, weigh=wrong) for wrong in mask_mistakes.softmax_along(0)
            ),
            "memory-summed": (
                partial(_concat, average=lambda distribution, memory: memory.sum(axis=-2)),
                partial(_concat, average=lambda distribution, memory: memory.mean(axis=-2)),
            ),
            "divided-again": (
                partial(_concat, average=lambda d, memory: _average(d, memory) / memory.shape[-2]),
            ),
            "softmax-missing": tuple(partial(_concat, weigh=wrong) for wrong in mask_mistakes.MISSING),
            **_MASKED_CONCATS,
            "mask-first-item-for-all": tuple(
                partial(_concat, weigh=wrong) for wrong in mask_mistakes.first_item_for_all(1)
            ),
        },
    ),
    Exercise(
        name="additive_parameters",
        notebook=NOTEBOOK,
        prompt="How many weights does additive attention wᵀ tanh(W₁h + W₂s) add, for d_hidden 64 and an inner width "
        "of 32, without biases?",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "There are three things to learn: W₁, W₂ and w.",
            "W₁ takes a vector of 64 to one of 32. So does W₂. w turns 32 numbers into one.",
        ),
        kind="value",
        value=4128,
        wrong_values={
            "score-vector-forgotten": (4096,),
            "one-projection": (2080, 2048),
            "biases-counted": (4192, 4193, 4161, 4160),
            "square-projections": (8192, 8224, 8256),
        },
        ideas={
            "score-vector-forgotten": (
                "The vector w is left out",
                "W₁ and W₂ are counted. What turns the 32 hidden units into a single score?",
            ),
            "one-projection": (
                "Only one of the two projections is counted",
                "The encoder state and the decoder state each have a matrix of their own.",
            ),
            "biases-counted": ("Biases are counted too", "The formula has none: wᵀ tanh(W₁h + W₂s)."),
            "square-projections": ("The inner width is taken as 64", "W₁ and W₂ lead from 64 numbers to 32."),
        },
    ),
)
