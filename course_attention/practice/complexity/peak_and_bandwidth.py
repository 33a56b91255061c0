"""What a machine can do at most: multiply–adds in a second, and bytes that it reads in a second."""

from collections.abc import Callable, Iterator

import torch

from course_attention.experiments.common.cost_counters import multiply_adds
from course_attention.practice.authoring import Misconception, Practice, Trial


def peak_and_bandwidth(square, long, timer):
    """Divide the work of a product by its time, and the bytes of a row by the time of its sum."""
    peak = len(square) ** 3 / timer(lambda: square @ square)
    bandwidth = long.nbytes / timer(long.sum)
    return peak, bandwidth


def wrong_order(square, long, timer):
    return peak_and_bandwidth(square, long, timer)[::-1]


def operations(square, long, timer):
    peak, bandwidth = peak_and_bandwidth(square, long, timer)
    return 2 * peak, bandwidth


def numbers_of_the_product(square, long, timer):
    return square.numel() / timer(lambda: square @ square), peak_and_bandwidth(square, long, timer)[1]


def numbers_read(square, long, timer):
    return peak_and_bandwidth(square, long, timer)[0], long.numel() / timer(long.sum)


def multiplied(square, long, timer):
    return len(square) ** 3 * timer(lambda: square @ square), long.nbytes * timer(long.sum)


def seconds_alone(square, long, timer):
    return timer(lambda: square @ square), timer(long.sum)


def results_timed(square, long, timer):
    peak = len(square) ** 3 / timer(square @ square)
    return peak, long.nbytes / timer(long.sum())


def _timer(compute: Callable[[], object]) -> float:
    """Return 2 seconds for a product of matrices, and 5 seconds for anything else."""
    if not callable(compute):
        raise TypeError("the timer needs a function that it can call, and got a result")
    if callable(compute()):
        raise TypeError("the timer called a function that computes nothing and gives another function")
    return 2.0 if multiply_adds(compute) else 5.0


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a pretended timer with small numbers, and then others."""
    yield Trial(
        "a pretended timer says 2 seconds for a product of 10 × 10 matrices, and 5 seconds for the sum of "
        "1,000 numbers",
        {"square": torch.ones(10, 10), "long": torch.ones(1000), "timer": _timer},
        (500.0, 800.0),
        says="Each of the 100 numbers of the product takes 10 multiply–adds: 1,000 in 2 seconds. The 1,000 numbers of "
        "the sum have 4 bytes each: 4,000 bytes in 5 seconds.",
    )
    yield Trial(
        "the same timer, 6 × 6 matrices and 50 numbers in double precision",
        {"square": torch.ones(6, 6), "long": torch.ones(50, dtype=torch.float64), "timer": _timer},
        says="`long.nbytes` says how many bytes there are.",
    )


PRACTICE = Practice(
    name="peak_and_bandwidth",
    prompt="What a machine can do at most: multiply–adds in a second, and bytes that it reads in a second.",
    minutes=6,
    hints=(
        "How many multiply–adds does the product of two matrices (n, n) take? Divide this number by the seconds that "
        "it takes.",
        "The timer needs a function that it can call: `timer(lambda: square @ square)`, or `timer(long.sum)`.",
        "`long.nbytes` is the number of bytes that the sum reads.",
    ),
    given=peak_and_bandwidth,
    trials=trials,
    returns=("peak", "bandwidth"),
    misconceptions={
        "peak-wrong-order": Misconception(
            "The two numbers come in the wrong order",
            "The peak is first, and the bandwidth second.",
            (wrong_order,),
        ),
        "peak-operations": Misconception(
            "The peak is twice as large",
            "A multiplication and an addition together are one multiply–add.",
            (operations,),
        ),
        "peak-numbers-of-product": Misconception(
            "The numbers of the product are counted",
            "Each of them is a sum of n products, so there are n³ multiply–adds and not n².",
            (numbers_of_the_product,),
        ),
        "peak-numbers-read": Misconception(
            "The numbers that are read are counted, and not their bytes",
            "A number in single precision has 4 bytes. `long.nbytes` counts them.",
            (numbers_read,),
        ),
        "peak-multiplied": Misconception(
            "The work is multiplied by the time",
            "In a second as much is done as the work *divided* by the seconds.",
            (multiplied,),
        ),
        "peak-seconds": Misconception(
            "The seconds are returned",
            "How much is done in one second? Divide the multiply–adds, and the bytes, by the seconds.",
            (seconds_alone,),
        ),
        "peak-results-timed": Misconception(
            "The timer gets a result, and not a function",
            "`timer(square @ square)` computes first, and then there is nothing left to measure. "
            "`timer(lambda: square @ square)` gives the timer something that it can call.",
            (results_timed,),
        ),
    },
)
