from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import largest
from course_attention.exercises.common.inputs import of
from course_attention.exercises.common.masking import (
    MASK_MISTAKES,
    MISSING,
    OVERFLOWING,
    Weigh,
    distribution_oracle,
    first_item_for_all,
    softmax_along,
    weigh,
)
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.seq2seq.decoder_state import (
    SCALED_DOTS,
    average_of,
    dots,
    dots_noise,
    low_allowed,
    nothing_allowed,
    output_oracle,
    scores_oracle,
)
from course_attention.exercises.seq2seq.words import WORDS


def oracle(state: np.ndarray, memory: np.ndarray, allowed: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return [a; s] and α."""
    distribution = distribution_oracle(scores_oracle(state, memory), allowed)
    return np.concatenate([output_oracle(distribution, memory), state], axis=-1), distribution


def _concat(
    state: np.ndarray,
    memory: np.ndarray,
    allowed: np.ndarray | None = None,
    score=dots,
    weigh: Weigh = weigh,
    average=average_of,
    join=lambda output, state: np.concatenate([output, state], axis=-1),
) -> tuple[np.ndarray, np.ndarray]:
    distribution = weigh(score(state, memory), allowed)
    return join(average(distribution, memory), state), distribution


_MASKED_CONCATS = {name: tuple(partial(_concat, weigh=wrong) for wrong in ways) for name, ways in MASK_MISTAKES.items()}


def noise(state: np.ndarray, memory: np.ndarray, allowed: np.ndarray | None = None) -> tuple[float, float]:
    weights = dots_noise(state, memory)[0] + memory.shape[-2]
    return weights * largest(memory), weights


def cases(draw: Draw) -> list[Case]:
    def case(title, name, batch, n, d, allowed=None, **dtype) -> Case:
        arguments = {"state": draw.normal(*batch, d, **dtype), "memory": draw.normal(*batch, n, d, **dtype)}
        arguments |= {} if allowed is None else {"allowed": allowed}
        return Case(title, name, arguments, gradient=name == blocked and not dtype)

    by_hand = {"state": draw.halves(1, 2), "memory": draw.halves(1, 3, 2)}
    two = {"state": draw.halves(2, 2), "memory": draw.halves(2, 3, 2)}
    padded = {"state": draw.halves(1, 2), "memory": draw.halves(1, 3, 2), "allowed": draw.allowed(1, 3)}
    # One of the states points along the large state and another against it: scores of ±1e4 and well apart.
    large = {
        "state": of([[100.0, 0.0], [0.0, -100.0]]),
        "memory": of([[[100.0, 1], [-100, 2], [90, 0]], [[3, 100], [1, 100], [2, 104.0]]]),
    }
    blind = "2 rows, 3 encoder states, nothing allowed in the first row"
    blocked = properties.NOTHING_ALLOWED
    return [
        Case("1 state, 3 encoder states, d_hidden 2", properties.VALUES, by_hand, gradient=True),
        Case("batch 2, 3 encoder states, d_hidden 2", properties.VALUES, two),
        case("batch 2, 5 encoder states, d_hidden 4", properties.VALUES, (2,), 5, 4),
        case("batch 3, 3 encoder states, d_hidden 3", properties.VALUES, (3,), 3, 3, dtype="float32"),
        case("one encoder state", properties.VALUES, (2,), 1, 4, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2,), 5, 3, strided=True),
        Case("1 state, 3 encoder states, padding", properties.MASK, padded),
        case("batch 4, 6 encoder states, padding", properties.MASK, (4,), 6, 3, draw.allowed(4, 6)),
        case("batch 3, 3 encoder states, padding", properties.MASK, (3,), 3, 3, draw.allowed(3, 3)),
        case(blind, blocked, (2,), 3, 2, nothing_allowed(2, 3)),
        case("the same in float32", blocked, (3,), 5, 4, nothing_allowed(3, 5), dtype="float32"),
        Case("scores near ±10,000", properties.LARGE_SCORES, large),
        Case("scores near ±10,000, padding", properties.LARGE_SCORES, {**large, "allowed": low_allowed()}),
        case(
            "batch 2, 3 encoder states, padding",
            properties.DTYPES,
            (2,),
            3,
            4,
            draw.allowed(2, 3),
            dtype="bfloat16",
        ),
    ]


EXERCISE = FunctionExercise(
    name="attend_and_concat",
    prompt="Put the three together and give [a_t; s_t] and the distribution.",
    points=1,
    difficulty=1,
    minutes=3,
    hints=(
        "Call the three functions above, one after the other.",
        "Hand `allowed` on to the one that takes it.",
        "torch.cat joins a list of tensors along an axis; here it is the last one, and a_t comes first.",
    ),
    ready_made=ATTENTION,
    returns=Returns(names=("joined", "distribution"), axes=("batch, 2·d_hidden", "batch, n_source")),
    oracle=oracle,
    cases=cases,
    noise=noise,
    words=WORDS,
    misconceptions={
        "concat-order": Misconception(
            "The two halves are in the other order",
            "The attention output a_t comes first, then s_t.",
            (partial(_concat, join=lambda a, s: np.concatenate([s, a], axis=-1)),),
        ),
        "concat-added": Misconception(
            "The two vectors are added, not concatenated",
            "Concatenated, both are still there for the next layer to tell apart: the result is twice as long.",
            (partial(_concat, join=lambda a, s: a + s),),
        ),
        "scale-added": tuple(partial(_concat, score=scaled) for scaled in SCALED_DOTS),
        "softmax-overflows": tuple(partial(_concat, weigh=wrong) for wrong in OVERFLOWING),
        "softmax-over-batch": tuple(partial(_concat, weigh=wrong) for wrong in softmax_along(0)),
        "memory-summed": (
            partial(_concat, average=lambda distribution, memory: memory.sum(axis=-2)),
            partial(_concat, average=lambda distribution, memory: memory.mean(axis=-2)),
        ),
        "divided-again": (partial(_concat, average=lambda d, memory: average_of(d, memory) / memory.shape[-2]),),
        "softmax-missing": tuple(partial(_concat, weigh=wrong) for wrong in MISSING),
        **_MASKED_CONCATS,
        "mask-first-item-for-all": tuple(partial(_concat, weigh=wrong) for wrong in first_item_for_all(1)),
    },
)
