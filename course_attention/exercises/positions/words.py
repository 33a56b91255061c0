"""What is said of misconceptions that several exercises of this topic share: id → (title, explanation)."""

from course_attention.exercises.common.words import WORDS as SHARED

WORDS: dict[str, tuple[str, str]] = SHARED | {
    "exponent-not-doubled": (
        "The exponent grows half as fast as it should",
        "Pair i has the exponent 2i/d of d channels, from 0 up to nearly 1. With i/d the slowest pair stays near "
        "the middle: it turns about √base times slower than the first, not base times.",
    ),
    "exponent-doubled-twice": (
        "The exponent grows twice as fast as it should",
        "A loop over the even channels has the 2 in its index already. Is the index that of the "
        "pair, or that of the channel?",
    ),
    "frequencies-from-one": (
        "The pairs are counted from 1",
        "The first pair has the exponent 0: its angle is the position itself. Counted from 1, as "
        "in the formula of the handout, the fastest pair is lost.",
    ),
    "frequency-inverted": (
        "The frequencies grow where they should fall",
        "Later pairs turn more slowly: the position is divided by a power of the base, not multiplied.",
    ),
    "base-ignored": ("base is ignored", "It is 10000 unless the caller asks for another."),
    "sin-cos-halves": (
        "First all sines, then all cosines",
        "The numbers are right, in another order. Here sine and cosine of one angle stand side by side, in channels "
        "2i and 2i + 1. Other libraries have halves; weights learned with one order are of no use with the other.",
    ),
    "batch-as-sequence": (
        "The batch is taken as the sequence",
        "The tokens are the axis before the last, whatever comes before it. Here all tokens of "
        "one item get the same position, and each item of the batch another.",
    ),
    "bias-bottom-right": (
        "The last query stands at the last key",
        "Here queries and keys both count from 0 at the top left: query i stands at key i.",
    ),
    "heads-last": (
        "The heads come last",
        "The bias is added to scores of (…, n_heads, n_queries, n_keys): the heads come first.",
    ),
}
