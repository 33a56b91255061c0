from course_attention.authoring import Misconception
from course_attention.exercises.complexity.counts import count, multiplied, product, terms
from course_attention.exercises.complexity.words import WORDS


def oracle(n_tokens: int, kernel_size: int, d_in: int, d_out: int) -> int:
    """At each place of the kernel the whole sequence goes through a matrix."""
    return sum(product(n_tokens, d_in, d_out) for _ in range(kernel_size))


def _within(n_tokens: int, kernel_size: int, d_in: int, d_out: int) -> int:
    """Count the kernel's places that lie on tokens, over all outputs."""
    inside = sum(0 <= i + t - kernel_size // 2 < n_tokens for i in range(n_tokens) for t in range(kernel_size))
    return inside * d_in * d_out


EXERCISE = count(
    "convolution_multiply_adds",
    oracle,
    arguments={"n_tokens": (4096, 6), "kernel_size": (5, 3), "d_in": (512, 6), "d_out": (256, 6)},
    odd=("kernel_size",),
    words=WORDS,
    misconceptions={
        "kernel-forgotten": Misconception(
            "The kernel's size is forgotten",
            "Each output is a sum over all the tokens in the kernel.",
            terms(lambda n, t, i, o: n * i * o),
        ),
        "kernel-squared": Misconception(
            "The kernel is counted as a square",
            "Along a sequence the kernel is a row of `kernel_size` tokens. In an image it would be a square.",
            terms(lambda n, t, i, o: n * t**2 * i * o),
        ),
        "channels-not-crossed": terms(
            lambda n, t, i, o: n * t * i,
            lambda n, t, i, o: n * t * o,
            lambda n, t, i, o: n * t,
            lambda n, t, i, o: n * t * (i + o),
        ),
        "no-padding": Misconception(
            "Only outputs whose kernel fits within the sequence are counted",
            "Beyond the ends there are zeros, so that every token has an output: n_tokens of them.",
            terms(lambda n, t, i, o: (n - t + 1) * t * i * o, lambda n, t, i, o: max(0, n - t + 1) * t * i * o),
        ),
        "zeros-not-counted": Misconception(
            "Products with the zeros beyond the ends are left out",
            "They could be saved. The layer pads the sequence and multiplies all the same, and so does the count here.",
            (_within, *terms(lambda n, t, i, o: (n * t - (t**2 - 1) // 4) * i * o)),
        ),
        "zeros-have-outputs": Misconception(
            "The zeros beyond the ends are counted as tokens",
            "They stand beside the tokens so that the kernel fits there. Only the n_tokens tokens have an output.",
            terms(
                lambda n, t, i, o: (n + t - 1) * t * i * o,
                lambda n, t, i, o: (n + t // 2) * t * i * o,
                lambda n, t, i, o: (n + t) * t * i * o,
            ),
        ),
        "additions-only": terms(lambda n, t, i, o: n * o * (t * i - 1)),
        "sizes-added": Misconception(
            "Sizes are added that have to be multiplied",
            "Each of the kernel_size places has a matrix of its own, (d_in, d_out), and every token is "
            "multiplied by all "
            "of them.",
            terms(lambda n, t, i, o: n * (t + i * o), lambda n, t, i, o: n * (t + i + o)),
        ),
        "length-forgotten": terms(lambda n, t, i, o: t * i * o),
        "counted-twice": multiplied(oracle, 2),
        "quadratic-in-length": terms(lambda n, t, i, o: n**2 * i * o, lambda n, t, i, o: n**2 * t * i * o),
        "biases-counted": terms(lambda n, t, i, o: n * o * (t * i + 1)),
        "one-width": terms(lambda n, t, i, o: n * t * i**2, lambda n, t, i, o: n * t * o**2),
    },
    prompt="Count the multiply–adds of a convolution along a sequence, with zeros beyond its ends.",
    points=1,
    difficulty=1,
    minutes=2,
    hints=(
        "One channel of one output token is a sum. Over which numbers?",
        "The kernel lies over `kernel_size` tokens of d_in channels each: so many terms has each sum.",
        "There are n_tokens · d_out sums. The zeros beyond the ends are multiplied like any other number.",
    ),
)
