"""What is said of misconceptions that several exercises of this topic share: id → (title, explanation)."""

from course_attention.exercises.common.words import WORDS as SHARED

WORDS: dict[str, tuple[str, str]] = SHARED | {
    "pairs-not-formed": (
        "Each query meets one key alone",
        "Every query is compared with every key, which makes (…, n_queries, n_keys) pairs. Here "
        "the two line up along one axis: an error where there are more of one than of the other.",
    )
}
