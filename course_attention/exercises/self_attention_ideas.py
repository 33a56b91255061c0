"""What is said of the mistakes that notebook 03 alone has: (title, explanation)."""

from __future__ import annotations

IDEAS: dict[str, tuple[str, str]] = {
    "roles-swapped": (
        "Query and key have changed roles",
        "The queries are made with w_query, the keys with w_key. Row i of the scores belongs to the query of token i. "
        "Exchanged, every token attends to those that should attend to it.",
    ),
    "shared-projection": (
        "Two of the three share a projection",
        "Each of query, key and value has a matrix of its own. Where query and key share one, the scores are symmetric "
        "before the softmax: what i asks of j, j asks of i.",
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
    "values-first": (
        "The values come first",
        "One of the sources writes Attention(V, Q, K). Here the order is query, key, value, as in the definition.",
    ),
    "scale-added": (
        "The projections are scaled already",
        "The division by √d_key belongs to the scores. Here plain products are asked for.",
    ),
    "scale-wrong-axis": (
        "The square root is of another size than d_key",
        "The spread of a score comes from the number of terms in q·k, which is d_key: not the number of tokens, and "
        "not d_model, from which the projections start.",
    ),
    # interaction_matrix
    "interaction-order": (
        "The two matrices meet in another order or on another side",
        "The scores are (X W_Q)(X W_K)ᵀ. Write the transpose of the product out: W_Q stands on the left, and M has "
        "d_model rows and columns, not d_key.",
    ),
    "key-weight-not-transposed": (
        "w_key is not transposed",
        "(X W_K)ᵀ = W_Kᵀ Xᵀ. Where d_model and d_key are equal, W_Q W_K exists as well, and is another matrix.",
    ),
    # convolution_mixing
    "kernel-flipped": (
        "The kernel is turned round",
        "That is a convolution as mathematicians define it. In deep learning, kernel[0] meets the token furthest to "
        "the left: a cross-correlation.",
    ),
    "kernel-not-centred": (
        "The window is not centred",
        "The middle entry of the kernel belongs to the token itself, so it stands on the diagonal. The others reach as "
        "far to the left as to the right.",
    ),
    "kernel-wraps": (
        "The window wraps round at an end",
        "Beyond the ends of the sequence there are zeros. Here a token at one end gets a share of the other end. In "
        "Python a negative index counts from the end, without an error.",
    ),
    "edges-repeated": (
        "The first and last tokens are repeated beyond the ends",
        "Beyond the ends of the sequence there are zeros, so what the kernel has there is lost.",
    ),
    "kernel-normalised": (
        "The rows are divided by their sums",
        "A kernel is no distribution: its entries are used as they are, of either sign and with any sum. At the ends "
        "some are left out, and nothing makes up for them.",
    ),
    "no-padding": (
        "Only whole windows are used",
        "Every token has its row, those at the ends included: what a window covers beyond the ends is left out, and "
        "the rest of it stays.",
    ),
    # self_attention_parameters
    "output-projection-counted": (
        "An output projection is counted",
        "A matrix from d_value back to d_model belongs to multi-head attention. Here there are three matrices.",
    ),
    "biases-counted": ("Biases are counted", "The projections are matrices, without biases."),
    "one-matrix-forgotten": (
        "One matrix is left out",
        "There are three: for the queries, the keys and the values.",
    ),
    "one-matrix": ("That is one matrix", "There are three: for the queries, the keys and the values."),
    "square-matrices": (
        "The matrices are taken as square",
        "They lead from d_model to d_key, or to d_value. Three of d_model × d_model is what eight heads of this size "
        "have together.",
    ),
    "square-value": (
        "The value matrix is taken as square",
        "One of the sources has it so. Here it leads from d_model to d_value, which is 64.",
    ),
    "sizes-added": (
        "The sizes are added, not multiplied",
        "A matrix has an entry for each pair of row and column.",
    ),
    "model-size-forgotten": (
        "The matrices are taken as d_key × d_key",
        "They are applied to the tokens, which have d_model numbers.",
    ),
    "formula-alone": (
        "The formula alone is counted",
        "softmax(Q Kᵀ / √d_key) V has no parameters. What makes Q, K and V from the tokens has.",
    ),
    "interaction-counted": (
        "The interaction matrix is counted",
        "M is made of W_Q and W_K, and has d_model² entries. What is stored and trained are its two thin factors.",
    ),
}
