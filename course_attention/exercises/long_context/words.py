"""What is said of misconceptions that several exercises of this topic share: id → (title, explanation)."""

from course_attention.exercises.common.words import WORDS as SHARED

WORDS: dict[str, tuple[str, str]] = SHARED | {
    "online-no-rescale": (
        "What was summed before is not rescaled when the maximum grows",
        "The running sums hold exponentials of score − maximum, with the maximum of their time. When a later "
        "block brings a larger one, everything summed so far is too large by exp(new − old): all running sums "
        "have to be brought to the new maximum before the block is added.",
    ),
    "online-rescale-inverted": (
        "The running sum is rescaled the wrong way",
        "With a larger maximum, exp(score − maximum) is smaller: the factor is at most 1. Here "
        "it is 1 or more, and infinite or NaN if the first maximum is −∞.",
    ),
    "online-last-block": (
        "A last, shorter block is dropped",
        "Where block_size does not divide the number of keys, some keys are left for a block "
        "that is not full. How many blocks does the loop make of 5 keys in blocks of 2?",
    ),
    "online-only-last-block": (
        "Each block replaces the one before it",
        "What is left at the end is the last block's alone. The sums run on from block to block.",
    ),
    "maximum-from-zero": (
        "The running maximum starts from 0",
        "If every score is far below 0, the largest is never found, and every exponential "
        "vanishes. Which number is smaller than any score?",
    ),
    "blocks-averaged": (
        "Each block has a softmax of its own",
        "Every block then counts by its number, however low its scores are. One softmax runs "
        "over all keys: a block of low scores gets next to nothing of the weight.",
    ),
}
