"""What is said of misconceptions that several exercises of this topic share: id → (title, explanation)."""

from course_attention.exercises.common.words import WORDS as SHARED

WORDS: dict[str, tuple[str, str]] = SHARED | {
    "roles-swapped": (
        "Query and key have changed roles",
        "The queries are made with w_query, the keys with w_key. Row i of the scores belongs to "
        "the query of token i. Exchanged, every token attends to those that should attend to it.",
    ),
    "shared-projection": (
        "Two of the three share a projection",
        "Each of query, key and value has a matrix of its own. Where query and key share one, "
        "the scores are symmetric before the softmax: the score of i for j equals that of j for i.",
    ),
    "value-not-projected": (
        "The values are not projected",
        "What the weights average is x · w_value, not x itself.",
    ),
    "no-projection": (
        "Nothing is projected: Q = K = V = X",
        "Without the matrices there is nothing to learn, and each token attends mostly to itself.",
    ),
    "projection-transposed": (
        "A projection is transposed",
        "A matrix of (d_in, d_out) is applied as x @ w. `nn.Linear` keeps its weight the other way round, (d_out, "
        "d_in), and turns it when it is called. Where both sizes are equal, the mistake raises no error.",
    ),
    "scale-wrong-axis": (
        "The square root is of another size than d_key",
        "The spread of a score comes from the number of terms in q·k, which is d_key: not the "
        "number of tokens, and not d_model, from which the projections start.",
    ),
}
