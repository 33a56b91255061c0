"""What is said of misconceptions that several exercises of this topic share: id → (title, explanation)."""

from course_attention.exercises.common.words import WORDS as SHARED

WORDS: dict[str, tuple[str, str]] = SHARED | {
    "key-reshaped": (
        "The memory is reshaped, not transposed",
        "A reshape keeps the numbers in their order and cuts them into other rows, so numbers of several encoder "
        "states are mixed. A transpose turns rows into columns.",
    ),
    "memory-summed": (
        "The memory is summed or averaged, and the distribution is not used",
        "Each encoder state counts as much as its weight in the distribution says.",
    ),
    "divided-again": (
        "The weighted states are averaged once more",
        "The weights of a distribution sum to 1, so the sum of the weighted states is their average already.",
    ),
}
