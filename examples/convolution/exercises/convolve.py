"""The exercise `convolve`: a correlation with the kernel turned round."""

import numpy as np

from course_attention.authoring import (
    Case,
    Draw,
    FunctionExercise,
    Misconception,
    Property,
    Returns,
    properties,
)


def convolve(signal, kernel):
    """The convolution of a signal and a kernel, at every place at which they meet.

    signal: (n,)
    kernel: (k,)

    Returns (n + k - 1,).
    """
    result = np.zeros(len(signal) + len(kernel) - 1)
    for i, weight in enumerate(kernel):
        result[i : i + len(signal)] += weight * signal
    return result


# What is right, from the definition: result[t] is the sum of signal[s] · kernel[t − s].
def oracle(signal, kernel):
    result = np.zeros(len(signal) + len(kernel) - 1)
    for t in range(len(result)):
        for s in range(len(signal)):
            if 0 <= t - s < len(kernel):
                result[t] += signal[s] * kernel[t - s]
    return result


def noise(signal, kernel):
    return (float(np.abs(signal).max() * np.abs(kernel).sum()) * len(kernel),)


def cases(draw: Draw):
    def case(property: Property, n: int, k: int) -> Case:
        arguments = {"signal": draw.halves(n), "kernel": draw.halves(k)}
        return Case(f"{n} numbers, a kernel of {k}", property, arguments)

    return [
        case(properties.VALUES, 3, 2),
        case(properties.VALUES, 5, 3),
        case(properties.EDGES, 1, 1),
        case(properties.EDGES, 4, 1),
        case(properties.EDGES, 2, 4),
    ]


EXERCISES = [
    FunctionExercise(
        name="convolve",
        prompt="Convolve a signal with a kernel.",
        points=2,
        difficulty=2,
        minutes=20,
        hints=(
            "Each number of the signal leaves a copy of the kernel, times itself. Where does that copy begin?",
            "Put k − 1 zeros at both ends of the signal. Then `correlate` gives it, for a kernel that is turned round.",
        ),
        library="numpy",
        ready_made=("numpy.convolve", "numpy.correlate"),
        returns=Returns(names=("result",)),
        oracle=oracle,
        cases=cases,
        noise=noise,
        misconceptions={
            "kernel-not-flipped": Misconception(
                "The kernel is not turned round",
                "That is a correlation. A convolution multiplies the last number of the kernel with the first "
                "of a part.",
                (lambda signal, kernel: oracle(signal, kernel[::-1]),),
            ),
            "only-where-it-fits": Misconception(
                "Only the places count at which the kernel fits",
                "A convolution also has the places at the ends, at which only a part of the kernel meets the signal.",
                (lambda signal, kernel: np.convolve(signal, kernel, "valid"),),
            ),
        },
    )
]
