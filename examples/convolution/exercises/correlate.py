"""The exercise `correlate`: a kernel slides over a signal."""

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties


def correlate(signal, kernel):
    """At each place, the sum of the products of the kernel and the part of the signal that it covers.

    signal: (..., n)
    kernel: (k,), k at most n

    Returns (..., n - k + 1): only the places at which the kernel fits.
    """
    parts = np.lib.stride_tricks.sliding_window_view(signal, len(kernel), axis=-1)
    return parts @ kernel


# What is right, from the definition: one number of the kernel after the other.
def oracle(signal, kernel):
    places = signal.shape[-1] - len(kernel) + 1
    return sum(kernel[i] * signal[..., i : i + places] for i in range(len(kernel)))


def padded(signal, kernel):
    """The wrong computation of those who want as many results as there are numbers."""
    before = (len(kernel) - 1) // 2
    widths = [(0, 0)] * (signal.ndim - 1) + [(before, len(kernel) - 1 - before)]
    return oracle(np.pad(signal, widths), kernel)


def noise(signal, kernel):
    return (float(np.abs(signal).max() * np.abs(kernel).sum()) * len(kernel),)


def cases(draw: Draw):
    return [
        Case(
            "four numbers, a kernel of two",
            properties.VALUES,
            {"signal": draw.halves(4), "kernel": draw.halves(2)},
        ),
        Case(
            "seven numbers, a kernel of three",
            properties.VALUES,
            {"signal": draw.normal(7), "kernel": draw.normal(3)},
        ),
        Case("a kernel of one number", properties.EDGES, {"signal": draw.halves(3), "kernel": draw.halves(1)}),
        Case("as long as the signal", properties.EDGES, {"signal": draw.halves(3), "kernel": draw.halves(3)}),
        Case(
            "three signals",
            properties.LEADING_DIMENSIONS,
            {"signal": draw.normal(3, 6), "kernel": draw.normal(4)},
        ),
    ]


def right_in_a_loop(signal, kernel):
    places = range(signal.shape[-1] - len(kernel) + 1)
    return np.stack([(signal[..., i : i + len(kernel)] * kernel).sum(axis=-1) for i in places], axis=-1)


EXERCISES = [
    FunctionExercise(
        name="correlate",
        prompt="Slide a kernel over a signal, and sum the products at each place.",
        points=2,
        difficulty=1,
        minutes=15,
        hints=(
            "At how many places does a kernel of k numbers fit into n numbers? Begin with n = 4 and k = 2.",
            "At place i the kernel covers `signal[..., i : i + len(kernel)]`.",
        ),
        library="numpy",
        ready_made=("numpy.correlate", "numpy.convolve"),
        returns=Returns(names=("result",)),
        oracle=oracle,
        cases=cases,
        noise=noise,
        misconceptions={
            "kernel-flipped": Misconception(
                "The kernel is turned round",
                "The first number of the kernel meets the first number of each part. To turn the kernel round is "
                "the next exercise.",
                (lambda signal, kernel: oracle(signal, kernel[::-1]),),
            ),
            "padded": Misconception(
                "Zeros are added at the ends",
                "The result has as many numbers as the signal. Here only the places count at which the kernel fits.",
                (padded,),
            ),
            "last-place-missing": Misconception(
                "The last place is missing",
                "The kernel also fits where it ends with the signal: there are n − k + 1 places.",
                (lambda signal, kernel: oracle(signal, kernel)[..., :-1],),
            ),
        },
    )
]
RIGHT_ANSWERS = {"correlate": [right_in_a_loop]}
