"""What is said of misconceptions that several exercises of this topic share: id → (title, explanation)."""

from course_attention.exercises.common.words import WORDS as SHARED

WORDS: dict[str, tuple[str, str]] = SHARED | {
    "causal-strict": (
        "A query does not see its own position",
        "The diagonal is blocked. A token may use itself: what it must not see is what comes "
        "after it. The first query would be left with nothing at all.",
    ),
    "causal-off-by-one": (
        "A query sees one token of the future",
        "The bound lies one position too far. In a model that predicts the next token, that one "
        "position holds the answer.",
    ),
    "causal-upper": (
        "The future is allowed, and the past is blocked",
        "True means that a query may attend. Row i is a query: what does it say of the keys "
        "before i? In some libraries True means blocked, and the future is what they mark.",
    ),
    "slice-before-start": (
        "A slice has a negative bound, which counts from the end",
        "In Python, `x[-1:3]` begins at the last entry, and `x[:-1]` ends before it. Where the bound comes out "
        "negative, 0 is what is meant.",
    ),
    "comparison-unbracketed": (
        "A comparison has no brackets, and `&` comes before it",
        "In Python, `&` and `|` bind more closely than `<=` and `<` do: `a <= b & c` is read as `a <= (b & c)`. Each "
        "comparison needs brackets around it.",
    ),
    "causal-all": (
        "Everything is allowed",
        "No key is blocked. A query must not see the keys that come after it.",
    ),
    "mask-to-be-added": (
        "The mask is one to be added to scores",
        "0 where allowed and a large negative number where blocked is another way to write a "
        "mask, which some libraries use. Here a mask is boolean, True where a query may attend.",
    ),
}
