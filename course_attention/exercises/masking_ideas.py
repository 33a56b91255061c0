"""What is said of the mistaken ideas that only notebook 05 knows: (title, explanation)."""

from __future__ import annotations

IDEAS: dict[str, tuple[str, str]] = {
    # causal
    "causal-strict": (
        "A query does not see its own position",
        "The diagonal is blocked. A token may use itself: what it must not see is what comes after it. The first query "
        "would be left with nothing at all.",
    ),
    "causal-off-by-one": (
        "A query sees one token of the future",
        "The bound lies one place too far. In a model that predicts the next token, that one place is the answer.",
    ),
    "causal-upper": (
        "The future is allowed, and the past is blocked",
        "True means that a query may attend. Row i is a query: what does it say of the keys before i? In some "
        "libraries True means blocked, and the future is what they mark.",
    ),
    "causal-top-left": (
        "The mask is aligned at the top left",
        "With as many queries as keys there is no difference. With more keys, the queries are the last tokens of the "
        "sequence: the last query sees every key, so the mask is aligned at the bottom right.",
    ),
    "causal-all": (
        "Everything is allowed",
        "No key is blocked. A query must not see the keys that come after it.",
    ),
    "axes-exchanged": (
        "Rows are keys, and columns are queries",
        "The mask has the shape of the scores: a row for each query, a column for each key.",
    ),
    "n-keys-ignored": (
        "The mask is square, whatever the number of keys",
        "There may be more keys than queries, or fewer: a column for each key.",
    ),
    "mask-to-be-added": (
        "The mask is one to be added to scores",
        "0 where allowed and a large negative number where blocked is another way to write a mask, which some "
        "libraries use. Here a mask is boolean, True where a query may attend.",
    ),
    # windows
    "window-off-by-one": (
        "The window has one key too many, or one too few",
        "A window of this width holds `width` keys, the query's own among them. The farthest is width − 1 places back.",
    ),
    "window-both-sides": (
        "The window reaches into the future",
        "Near keys are allowed on both sides. This window is causal: it holds the query itself and what came before.",
    ),
    "window-in-blocks": (
        "The sequence is cut into blocks",
        "Each query sees its own block alone, so the first of a block sees no past. A window moves with its query.",
    ),
    "window-ignored": (
        "The window has no end",
        "This is a causal mask: a query sees its whole past, not the last `width` keys.",
    ),
    # padding
    "padding-off-by-one": (
        "The edge between tokens and padding is off by one",
        "Positions count from 0: a sequence of length 3 has its tokens at 0, 1 and 2. Position 3 is padding.",
    ),
    "padding-inverted": (
        "True stands on the padding",
        "True means that a query may attend. In some libraries a padding mask marks what to leave out.",
    ),
    "padding-left": (
        "The tokens are taken to stand at the end",
        "Here a sequence is filled up behind its last token, so its tokens are the first `length` positions.",
    ),
    "padding-without-query-axis": (
        "The axis of the queries is missing",
        "A mask of (batch, n_keys) meets scores of (batch, n_queries, n_keys) from the right: its batch lines up with "
        "the queries. The axis of 1 between them stands for every query.",
    ),
    "padding-to-longest": (
        "The mask is as wide as the longest sequence",
        "The caller says how many keys there are, and there may be more than the longest sequence fills.",
    ),
    # softmax
    "mask-after-renormalised": (
        "The mask comes after the softmax, and the weights are divided again",
        "On paper that is the same. But the softmax has rounded by then: where the blocked scores are far above the "
        "allowed ones, all allowed weights are 0, and 0 divided by 0 is NaN.",
    ),
    # pairs
    "pairs-unmasked": (
        "All pairs are counted",
        "That is what the full matrix holds. The mask blocks the future.",
    ),
    "diagonal-left-out": ("The diagonal is left out", "Each token may attend to itself, too."),
    "half-of-all": (
        "That is half of all pairs",
        "The diagonal lies on neither side. Count the rows: how many keys does each query see?",
    ),
    "future-counted": (
        "One future key is counted for each query",
        "Query i sees the keys up to i and no further.",
    ),
    "pairs-not-halved": (
        "The sum is not halved",
        "1 + 2 + … + n is half of n · (n + 1): write the sum forwards and backwards, and add.",
    ),
}
