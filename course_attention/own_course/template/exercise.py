"""The exercise `moving_average`: its reference solution, oracle, cases and misconceptions."""

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties


def moving_average(x, width):
    """The mean of each `width` neighbours.

    x: (..., n)
    width: a whole number from 1 to n

    Returns (..., n - width + 1).
    """
    sums = np.cumsum(x, axis=-1)
    sums = np.concatenate([np.zeros_like(sums[..., :1]), sums], axis=-1)
    return (sums[..., width:] - sums[..., :-width]) / width


# What is right, from the definition and in another way than above: only `verify` compares the two.
def oracle(x, width):
    return np.stack([x[..., i : i + width].mean(axis=-1) for i in range(x.shape[-1] - width + 1)], axis=-1)


def cases(draw: Draw):
    return [
        Case("four numbers, two at a time", properties.VALUES, {"x": draw.halves(4), "width": 2}),
        Case("six numbers, three at a time", properties.VALUES, {"x": draw.normal(6), "width": 3}),
        Case("one at a time", properties.EDGES, {"x": draw.halves(3), "width": 1}),
        Case("all at once", properties.EDGES, {"x": draw.halves(3), "width": 3}),
        Case("two leading axes", properties.LEADING_DIMENSIONS, {"x": draw.normal(2, 3, 7), "width": 4}),
    ]


EXERCISES = [
    FunctionExercise(
        name="moving_average",
        prompt="Average each `width` neighbours.",
        points=2,
        difficulty=1,
        minutes=10,
        hints=(
            "How many windows of `width` numbers fit into n numbers?",
            "`np.cumsum` sums all of them at once.",
        ),
        library="numpy",
        returns=Returns(names=("averages",)),
        oracle=oracle,
        cases=cases,
        noise=lambda x, width: (float(np.abs(x).sum()),),  # rounding errors to expect, in units of the last digit
        misconceptions={
            "average-not-divided": Misconception(
                "The windows are summed, not averaged",
                "A mean is a sum divided by how many numbers are in it.",
                (lambda x, width: width * oracle(x, width),),
            ),
            "window-shifted": Misconception(
                "The first window is missing",
                "The first window begins with the first number.",
                (lambda x, width: oracle(x, width)[..., 1:],),
            ),
        },
    )
]
