"""What is said of the mistaken ideas that only notebook 07 knows: (title, explanation)."""

from __future__ import annotations

IDEAS: dict[str, tuple[str, str]] = {
    # every count
    "counted-twice": (
        "Multiplications and additions are counted apart",
        "Each term of a dot product is multiplied and added in one step, a multiply–add. Operations per second (FLOPS) "
        "count the two apart, and come to twice as much.",
    ),
    "length-forgotten": (
        "The cost of one token is given, not that of the sequence",
        "Every token goes through the layer. What does not grow with the length is the number of parameters.",
    ),
    "linear-in-length": (
        "The cost grows with the length, where it grows with its square",
        "There is something to be computed for each pair of tokens, and a sequence has n · n pairs.",
    ),
    "channels-not-crossed": (
        "Channels are left out",
        "Every channel that goes out is a sum over every channel that comes in, so that both sizes are factors. A "
        "layer that treats each channel by itself is another one.",
    ),
    "quadratic-in-length": (
        "The cost grows with the square of the length",
        "How much is done for one token? If that does not depend on the length, the whole is linear in it.",
    ),
    "biases-counted": (
        "Biases are counted",
        "The layers have none here. The same number comes out if the nonlinearity is counted, which is no product "
        "of matrices either.",
    ),
    "one-width": (
        "Two widths are taken to be the same",
        "They are arguments of their own, and may differ: what does each of them belong to?",
    ),
    "parentheses-forgotten": (
        "A part of the sum is not multiplied",
        "A product binds before a sum: a · b + c is not a · (b + c). Put the sum in parentheses.",
    ),
    "half-of-the-pairs": (
        "Half of the pairs are left out",
        "A causal mask blocks about half of them, after they have been computed. Here every query meets every key.",
    ),
    "square-projections": (
        "The projections are taken to be d_model × d_model",
        "A head's queries and keys have d_key channels, and its values d_value.",
    ),
    # attention
    "scores-only": (
        "The mixing of the values is forgotten",
        "There are two products. The first gives a score for each pair, of d_key terms. The second adds up the values, "
        "each multiplied with its weight.",
    ),
    "mixing-only": (
        "The scores are forgotten",
        "There are two products. What has to be computed before values can be mixed?",
    ),
    "softmax-counted": (
        "Scale and softmax are counted as well",
        "They take a few operations for each score, but there are no products of matrices in them. Only those are "
        "counted here: each multiply–add of them is a term of a dot product.",
    ),
    "sizes-multiplied": (
        "The two products are multiplied, not added",
        "One product is done after the other, so their costs add up. d_key and d_value never meet.",
    ),
    "queries-for-keys": (
        "Queries and keys are taken to be equally many",
        "Every query meets every key: n_queries · n_keys pairs. In cross-attention the two differ.",
    ),
    # self-attention
    "projections-forgotten": (
        "The projections are forgotten",
        "Before any pair meets, each token is multiplied with three matrices. In short sequences this is most of the "
        "work.",
    ),
    "projections-only": (
        "Only the projections are counted",
        "Making queries, keys and values is the first half. The scores and the mixing come after it.",
    ),
    "projection-missing": (
        "Not all three projections are counted",
        "Queries, keys and values have a matrix each: two of d_model × d_key, and one of d_model × d_value.",
    ),
    "output-projection-counted": (
        "An output projection is counted",
        "W_O belongs to multi-head attention. The layer here is that of notebook 03, and ends with the mixing.",
    ),
    "projections-once": (
        "The projections are counted for a single token",
        "Their matrices have d_model · (2·d_key + d_value) numbers, and every token is multiplied with all of them.",
    ),
    # recurrent
    "recurrent-input-only": (
        "The product with the last state is forgotten",
        "Each step has two products: the token with d_in × d_hidden weights, and the state before it with weights of "
        "its own.",
    ),
    "recurrent-state-only": (
        "The product with the token is forgotten",
        "Each step has two products: one with the state before it, and one with the token that comes in.",
    ),
    "gated-cell": (
        "A cell with gates is counted",
        "A GRU has three such pairs of products at each step, an LSTM four. A plain cell has one.",
    ),
    "first-state-skipped": (
        "The first step is counted without its state",
        "The first state is 0, and its product could be saved. The cell does the same at each step and does not look.",
    ),
    # convolution
    "kernel-forgotten": (
        "The kernel's size is forgotten",
        "Each output is a sum over all the tokens in the kernel.",
    ),
    "kernel-squared": (
        "The kernel is counted as a square",
        "Along a sequence the kernel is a row of `kernel_size` tokens. In an image it would be a square.",
    ),
    "no-padding": (
        "Only outputs whose kernel fits within the sequence are counted",
        "Beyond the ends there are zeros, so that every token has an output: n_tokens of them.",
    ),
    "zeros-not-counted": (
        "Products with the zeros beyond the ends are left out",
        "They could be saved. The layer pads the sequence and multiplies all the same, and so does the count here.",
    ),
    # crossover
    "crossover-inverted": (
        "The ratio is upside down",
        "Set the two costs equal, n² · (…) = n · (…), and divide by n. The longer it takes the projections to be "
        "overtaken, the more they cost: they belong above the line.",
    ),
    "length-squared": (
        "The projections are taken not to grow with the length",
        "Each token is projected, so that there is an n on that side as well, and one n cancels.",
    ),
    "crossover-rounded": (
        "The length is rounded",
        "What is asked for is where the two curves meet, which may lie between two whole numbers.",
    ),
    # bytes
    "heads-forgotten": (
        "The heads are forgotten",
        "Each head has weights of its own, and so a score matrix of its own.",
    ),
    "batch-forgotten": (
        "The batch is forgotten",
        "Each item of the batch has score matrices of its own.",
    ),
    "bytes-forgotten": (
        "Numbers are counted, not bytes",
        "Each number takes `bytes_per_number` bytes.",
    ),
    "precision-ignored": (
        "Every number is taken to have the same precision",
        "float32 takes 4 bytes and bfloat16 takes 2. The argument `bytes_per_number` says which it is.",
    ),
    "bits-for-bytes": ("Bits are counted", "A byte has 8 bits. The argument gives bytes already."),
    "weights-counted": (
        "The weights are counted as well",
        "Softmax does make a second matrix of the same size. Asked for is the memory of the scores alone.",
    ),
    "other-unit": (
        "The result is in kilobytes, megabytes or gigabytes",
        "Asked for are bytes.",
    ),
    # exponent
    "exponent-not-logged": (
        "The line is not fitted to both logarithms",
        "A power law, cost = factor · size^p, becomes a straight line of slope p where *both* are logarithms: "
        "log cost = log factor + p · log size.",
    ),
    "exponent-inverted": (
        "Size and cost have changed places",
        "The exponent says how the cost follows the size: the size lies along the horizontal axis.",
    ),
    "through-the-origin": (
        "The line is made to go through the origin",
        "A factor in front of the power moves the line up or down: log cost = log factor + p · log size. The factor is "
        "1 only by chance, and depends on the unit.",
    ),
    "not-least-squares": (
        "The slope is taken from pairs of points",
        "Costs are noisy, and the slope between two points takes over all of their noise. Least squares uses how far "
        "every point lies from the line.",
    ),
    "intercept-returned": (
        "The intercept is returned, not the slope",
        "It is the logarithm of the factor. `np.polyfit` gives the highest power first.",
    ),
    # the dense layer's weights
    "one-output-token": (
        "The weights of a single output token are counted",
        "100 · 64 numbers make one token of 64. There are 100 tokens to be made, each with weights of its own.",
    ),
    "bytes-counted": ("Bytes are counted", "Asked for is how many weights there are, whatever each takes."),
    "one-token-only": (
        "A layer for one token is counted",
        "64 · 64 weights take one token to one token. Here all 100 tokens that come in reach all 100 that go out.",
    ),
    "channels-forgotten": (
        "The channels are forgotten",
        "100 · 100 is a weight for each pair of tokens. Each token has 64 channels on either side.",
    ),
    "sizes-added": (
        "The sizes are added",
        "A dense layer has a weight for every pair of a number that comes in and a number that goes out.",
    ),
    "one-kernel": (
        "The same weights are used at every distance",
        "A weight for each distance between tokens is a convolution. A dense layer has its own for each pair.",
    ),
}
