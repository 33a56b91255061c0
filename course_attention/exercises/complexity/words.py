"""What is said of misconceptions that several exercises of this topic share: id → (title, explanation)."""

from course_attention.exercises.common.words import WORDS as SHARED

WORDS: dict[str, tuple[str, str]] = SHARED | {
    "scores-only": (
        "The mixing of the values is forgotten",
        "There are two products. The first gives a score for each pair, of d_key terms. The "
        "second adds up the values, each multiplied with its weight.",
    ),
    "mixing-only": (
        "The scores are forgotten",
        "There are two products. What has to be computed before values can be mixed?",
    ),
    "linear-in-length": (
        "The cost grows with the length, where it grows with its square",
        "There is something to be computed for each pair of tokens, and a sequence has n · n pairs.",
    ),
    "queries-for-keys": (
        "Queries and keys are taken to be equally many",
        "Every query meets every key: n_queries · n_keys pairs. In cross-attention the two differ.",
    ),
    "counted-twice": (
        "Multiplications and additions are counted apart",
        "Each term of a dot product takes one multiplication and one addition, and together they are one multiply–add. "
        "FLOPs count the two separately, so that number is twice as large.",
    ),
    "additions-only": (
        "Only the additions are counted",
        "A sum of d terms takes d − 1 additions. But each of its d terms takes a multiplication as well, and a "
        "multiply–add is counted for each term.",
    ),
    "parentheses-forgotten": (
        "A part of the sum is not multiplied",
        "A product binds before a sum: a · b + c is not a · (b + c). Put the sum in parentheses.",
    ),
    "one-width": (
        "Two widths are taken to be the same",
        "They are arguments of their own, and may differ: what does each of them belong to?",
    ),
    "half-of-the-pairs": (
        "Half of the pairs are left out",
        "A causal mask blocks about half of them, after they have been computed. Here every query meets every key.",
    ),
    "projection-missing": (
        "Not all three projections are counted",
        "Queries, keys and values have a matrix each: two of d_model × d_key, and one of d_model × d_value.",
    ),
    "output-projection-counted": (
        "An output projection is counted",
        "W_O belongs to multi-head attention. The layer here is that of notebook 03, and ends with the mixing.",
    ),
    "biases-counted": (
        "Biases or a nonlinearity are counted",
        "The layers have no biases here, and only the terms of products of matrices count. A nonlinearity, which is "
        "applied to each number of a result, is no such product.",
    ),
    "square-projections": (
        "The projections are taken to be d_model × d_model",
        "A head's queries and keys have d_key channels, and its values d_value.",
    ),
    "length-forgotten": (
        "The cost of one token is given, not that of the sequence",
        "Every token goes through the layer. Only the number of parameters does not grow with the length.",
    ),
    "quadratic-in-length": (
        "The cost grows with the square of the length",
        "How much is done for one token? If that does not depend on the length, the whole is linear in it.",
    ),
    "channels-not-crossed": (
        "Channels are left out",
        "Every channel that goes out is a sum over every channel that comes in, so that both "
        "sizes are factors. A layer that treats each channel by itself is another one.",
    ),
    "sizes-added": (
        "The sizes are added",
        "A dense layer has a weight for every pair of a number that comes in and a number that goes out.",
    ),
}
