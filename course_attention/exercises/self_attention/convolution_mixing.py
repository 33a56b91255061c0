from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import largest


def oracle(kernel: np.ndarray, n_tokens: int) -> np.ndarray:
    """M_ij is the sum of the kernel[t] with j = i + t − len // 2, of which there is one or none."""
    mixing = np.zeros((n_tokens, n_tokens))
    for i in range(n_tokens):
        for t, weight in enumerate(kernel):
            j = i + t - len(kernel) // 2
            if 0 <= j < n_tokens:
                mixing[i, j] += weight
    return mixing


Mixing = Callable[[np.ndarray, int], np.ndarray]


def _filled(kernel, n_tokens, column, add=False) -> np.ndarray:
    """Make a matrix with kernel[t] in row i and column(i, t, size, n_tokens); None is left out.

    Two that meet are added, or the later one stays.
    """
    mixing = np.zeros((n_tokens, n_tokens))
    for i in range(n_tokens):
        for t, weight in enumerate(kernel):
            j = column(i, t, len(kernel), n_tokens)
            if j is not None:
                mixing[i, j] = weight + (mixing[i, j] if add else 0.0)
    return mixing


def _kept(j: int, n_tokens: int) -> int | None:
    return j if 0 <= j < n_tokens else None


def _shifted(shift: Callable[[int], int]) -> Mixing:
    """Begin the window at i − shift(size)."""
    return partial(_filled, column=lambda i, t, size, n: _kept(i + t - shift(size), n))


def _circular(i: int, t: int, size: int, n_tokens: int) -> int:
    return (i + t - size // 2) % n_tokens


def _wraps_on_the_left(i: int, t: int, size: int, n_tokens: int) -> int | None:
    # A negative index counts from the end; one that is too far below raises.
    return j if (j := i + t - size // 2) < n_tokens else None


def _wraps_if_it_can(i: int, t: int, size: int, n_tokens: int) -> int | None:
    return j if -n_tokens <= (j := i + t - size // 2) < n_tokens else None


def _right(kernel: np.ndarray, n_tokens: int) -> np.ndarray:
    return _shifted(lambda size: size // 2)(kernel, n_tokens)


def _normalised(kernel: np.ndarray, n_tokens: int) -> np.ndarray:
    mixing = _right(kernel, n_tokens)
    return mixing / mixing.sum(axis=-1, keepdims=True)


def _whole_windows(kernel: np.ndarray, n_tokens: int) -> np.ndarray:
    edge = len(kernel) // 2
    return _right(kernel, n_tokens)[edge : n_tokens - edge]


def _whole_windows_at(first_row: Callable[[int], int]) -> Mixing:
    """Rows for whole windows, from this one on; the others stay 0."""

    def mix(kernel: np.ndarray, n_tokens: int) -> np.ndarray:
        mixing, size = np.zeros((n_tokens, n_tokens)), len(kernel)
        for start in range(n_tokens - size + 1):
            mixing[start + first_row(size), start : start + size] = kernel
        return mixing

    return mix


def _both_ways(column: Callable[..., int | None]) -> tuple[Mixing, Mixing]:
    return partial(_filled, column=column, add=True), partial(_filled, column=column)


def cases(draw: Draw) -> list[Case]:
    """Kernels shorter than the sequence, as long, and longer."""

    def case(title, name, size, n_tokens, gradient=False, **kind) -> Case:
        kernel = draw.normal(size, **kind) if kind else draw.halves(size)
        return Case(title, name, {"kernel": kernel, "n_tokens": n_tokens}, gradient)

    return [
        case("kernel of 3, 4 tokens", properties.VALUES, 3, 4, gradient=True),
        case("kernel of 3, 3 tokens", properties.VALUES, 3, 3),
        case("kernel of 5, 7 tokens", properties.VALUES, 5, 7, dtype="float64"),
        case("kernel of 7, 9 tokens", properties.VALUES, 7, 9, dtype="float32"),
        case("kernel of 1, 3 tokens", properties.VALUES, 1, 3),
        case("kernel of 5, 3 tokens: longer than the sequence", properties.VALUES, 5, 3),
        case("kernel of 7, 2 tokens: longer than the sequence", properties.VALUES, 7, 2),
        case("one token", properties.VALUES, 3, 1, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, 5, 6, dtype="float64", strided=True),
        case("kernel of 3, 5 tokens", properties.DTYPES, 3, 5, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="convolution_mixing",
    prompt="Write the matrix by which a convolution with a given kernel mixes tokens.",
    points=2,
    difficulty=3,
    minutes=20,
    hints=(
        "Row i says what output i is made of: kernel[t] stands in the column i + t − len(kernel)//2.",
        "Columns before 0 and from n_tokens on do not exist, and what would stand there is left out. A loop over i "
        "and t does it; mind that an index of −1 is the last column.",
        "Gradients must reach the kernel, and the matrix has its dtype and device: see `kernel.new_zeros`.",
    ),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"kernel_size": lambda inputs: inputs.odd()},
    noise=lambda kernel, n_tokens: (largest(kernel),),
    returns=Returns(axes=("n_tokens, n_tokens",)),
    misconceptions={
        "kernel-flipped": Misconception(
            "The kernel is turned round",
            "In deep learning, kernel[0] belongs to the token furthest to the left. (A convolution as "
            "mathematicians define it turns the kernel round first.) The same comes of exchanging rows "
            "and columns: row i says what output i is made of.",
            (lambda kernel, n_tokens: _right(kernel[::-1], n_tokens),),
        ),
        "kernel-not-centred": Misconception(
            "The window is not centred",
            "The middle entry of the kernel belongs to the token itself, so it stands on the diagonal. "
            "The others reach as far to the left as to the right.",
            (
                _shifted(lambda size: 0),
                _shifted(lambda size: size - 1),
                _shifted(lambda size: size // 2 + 1),
                _shifted(lambda size: size // 2 - 1),
            ),
        ),
        "kernel-wraps": Misconception(
            "The window wraps round at an end",
            "Beyond the ends of the sequence there are zeros. Here a token at one end gets a share of the"
            " other end. In Python a negative index counts from the end, without an error.",
            (*_both_ways(_circular), *_both_ways(_wraps_on_the_left), *_both_ways(_wraps_if_it_can)),
        ),
        "edges-repeated": Misconception(
            "The first and last tokens are repeated beyond the ends",
            "Beyond the ends of the sequence there are zeros, so what the kernel has there is lost.",
            _both_ways(lambda i, t, size, n_tokens: min(max(i + t - size // 2, 0), n_tokens - 1)),
        ),
        "kernel-normalised": Misconception(
            "The rows are divided by their sums",
            "A kernel is no distribution: its entries are used as they are, of either sign and with any "
            "sum. At the ends some are left out, and nothing makes up for them.",
            (
                _normalised,
                lambda kernel, n_tokens: _normalised(kernel, n_tokens) * kernel.sum(),
                lambda kernel, n_tokens: _right(kernel / kernel.sum(), n_tokens),
            ),
        ),
        "no-padding": Misconception(
            "Only whole windows are used",
            "Every token has its row, those at the ends included: what a window covers beyond the ends is"
            " left out, and the rest of it stays.",
            (_whole_windows, _whole_windows_at(lambda size: 0), _whole_windows_at(lambda size: size // 2)),
        ),
    },
)
