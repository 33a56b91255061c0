import math

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.complexity.counts import (
    attention_oracle,
    different,
    noise,
    self_attention_oracle,
    terms,
)
from course_attention.exercises.complexity.words import WORDS


def oracle(d_model: int, d_key: int, d_value: int) -> float:
    """One token's projections over what each pair costs."""
    for_each_token = self_attention_oracle(1, d_model, d_key, d_value) - attention_oracle(1, 1, d_key, d_value)
    return for_each_token / attention_oracle(1, 1, d_key, d_value)


def cases(draw: Draw) -> list[Case]:
    """Sizes whose crossing lies between whole numbers, below and above a half, and one on a whole number."""

    def case(property, d_model, d_key, d_value) -> Case:
        arguments = {"d_model": d_model, "d_key": d_key, "d_value": d_value}
        return Case(f"d_model {d_model}, d_key {d_key}, d_value {d_value}", property, arguments)

    d_model, d_key, d_value = different(draw, 3, 5, 60)
    return [
        case(properties.VALUES, 4, 1, 3),
        case(properties.VALUES, 6, 2, 3),  # 8.4
        case(properties.VALUES, 7, 4, 2),  # 11.666…: no rounding to decimals meets it
        case(properties.VALUES, d_model, d_key, d_value),
        case(properties.VALUES, 6, 2, 2),
        case(properties.EDGES, 1, 1, 1),
        case(properties.EDGES, 512, 64, 64),
        case(properties.EDGES, 1023, 64, 256),
    ]


EXERCISE = FunctionExercise(
    name="crossover_length",
    prompt="Find the length at which scores and mixing cost as much as the three projections.",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        "One part grows with n, the other with n². Write down both, with all their factors.",
        "Set the two equal, and divide both sides by n.",
        "n · (d_key + d_value) = d_model · (…). The result is a real number.",
    ),
    library="numpy",
    returns=Returns(names=("length",), number=True, from_sizes_only=True),
    oracle=oracle,
    cases=cases,
    noise=noise(oracle),
    words=WORDS,
    misconceptions={
        "crossover-inverted": Misconception(
            "The ratio is upside down",
            "Set the two costs equal, n² · (…) = n · (…), and divide by n. The longer it takes the "
            "projections to be overtaken, the more they cost: they belong above the line.",
            terms(lambda d, k, v: (k + v) / (d * (2 * k + v)), lambda d, k, v: d * (k + v) / (2 * k + v)),
        ),
        "crossover-rounded": Misconception(
            "The length is rounded",
            "What is asked for is where the two curves meet, which may lie between two whole numbers.",
            tuple(
                lambda rounded=rounded, **sizes: rounded(oracle(**sizes))
                for rounded in (
                    round,
                    math.floor,
                    math.ceil,
                    lambda n: math.floor(n) + 1,
                    lambda n: round(n, 1),
                    lambda n: round(n, 2),
                )
            ),
        ),
        "length-squared": Misconception(
            "The projections are taken not to grow with the length",
            "Each token is projected, so that there is an n on that side as well, and one n cancels.",
            terms(lambda d, k, v: math.sqrt(d * (2 * k + v) / (k + v))),
        ),
        "scores-only": terms(lambda d, k, v: d * (2 * k + v) / k),
        "mixing-only": terms(lambda d, k, v: d * (2 * k + v) / v),
        "projection-missing": terms(
            lambda d, k, v: d,
            lambda d, k, v: d * 2 * k / (k + v),
            lambda d, k, v: d * k / (k + v),
            lambda d, k, v: d * v / (k + v),
        ),
        "output-projection-counted": terms(lambda d, k, v: 2 * d),
        "one-width": terms(
            lambda d, k, v: 1.5 * d, lambda d, k, v: 3 * d * k / (k + v), lambda d, k, v: d * (k + 2 * v) / (k + v)
        ),
        "whole-block": Misconception(
            "The border of a whole block is given",
            "6 · d_model belongs to a block with a feed-forward network and an output projection. Here only the three "
            "projections of one head stand against the pairs.",
            terms(lambda d, k, v: 6 * d),
        ),
        "square-projections": terms(lambda d, k, v: 3 * d**2 / (k + v), lambda d, k, v: 3 * d / 2 * d / k),
        "parentheses-forgotten": terms(
            lambda d, k, v: d * (2 * k + v) / k + v,
            lambda d, k, v: d * 2 * k + v / (k + v),
            lambda d, k, v: d * 2 * k + v / k + v,
        ),
    },
)
