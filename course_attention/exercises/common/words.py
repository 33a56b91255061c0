"""What is said of misconceptions that exercises of several topics share: id → (title, explanation).

An explanation says why the idea is wrong and what to look at. It never gives the code away.
"""

from course_attention.judging import faults

WORDS: dict[str, tuple[str, str]] = {
    "softmax-over-queries": (
        "The softmax runs over the queries",
        "Each query shares out its attention over the keys, so the weights of one query sum to "
        "1. Here the columns sum to 1: each key shares itself out over the queries.",
    ),
    "softmax-over-batch": (
        "The softmax runs over the first axis",
        "Each query shares out its attention over the keys, so the weights of one query sum to 1. Here the "
        "weights sum to 1 over the first axis, so one item of the batch changes another. A softmax that is not told "
        "its axis takes the first of three.",
    ),
    "softmax-over-everything": (
        "One softmax runs over the whole array",
        "All weights together sum to 1. Each row should sum to 1 by itself.",
    ),
    "softmax-overflows": (
        "exp becomes infinite, or 0 for every score",
        "exp of a large score is infinite, and infinity over infinity is NaN; exp of very negative scores is "
        "0, and so is their sum. One number may be taken off all scores that share a sum, and the weights stay as they "
        "are. Which number keeps exp in range, in every row?",
    ),
    "weights-without-exp": (
        "Something else than exp makes weights of the scores",
        "Each score goes through exp, and all are then divided by their sum. exp is larger than 0 for every score. "
        "What is added to all scores alike is a common factor after exp, and the division takes it away.",
    ),
    "softmax-missing": (
        "The scores are used as weights, without a softmax",
        "Scores may be negative and sum to anything. Weights are positive and sum to 1.",
    ),
    "no-scale": (
        "The scores are not divided by √d_key",
        "A dot product of d_key independent terms has a spread of √d_key. Without the division, "
        "the softmax comes nearer to picking a single key as d_key grows.",
    ),
    "scale-by-d": (
        "The scores are divided by d_key, not by its square root",
        "The variance of the dot product is d_key, so its spread is √d_key. Divided by d_key, "
        "the scores shrink towards 0 as d_key grows, and the weights become uniform.",
    ),
    "scale-multiplied": (
        "The scores are multiplied by √d_key",
        "The division is there to undo the spread of the dot product. Multiplying doubles the harm.",
    ),
    "key-reshaped": (
        "The key is reshaped, not transposed",
        "A reshape keeps the numbers in their order and cuts them into other rows, so numbers of "
        "several keys are mixed. A transpose turns rows into columns.",
    ),
    "key-not-transposed": (
        "The key is not transposed",
        "Each query meets each key in a dot product. Transpose the last two axes of the key, so that its rows become "
        "columns. As it is, the product is an error unless n_keys equals d_key, and then it mixes several keys.",
    ),
    "weights-times-keys": (
        "The weights average the keys, not the values",
        "Keys decide where to look. What is brought back from there are the values.",
    ),
    "mask-inverted": (
        "The mask is read the other way round",
        "True in `allowed` means that a query may attend. Here it is taken to mean blocked.",
    ),
    "mask-ignored": (
        "The mask has no effect",
        "Blocked positions are weighted as if they were allowed. Some methods return a new "
        "tensor and leave the old one as it was: is the result used?",
    ),
    "mask-after-softmax": (
        "The mask is applied after the softmax",
        "The blocked weights are 0, but the others were computed with the blocked ones in the "
        "sum, so that a row no longer sums to 1.",
    ),
    "mask-scores-to-zero": (
        "Blocked scores are set to 0",
        "A score of 0 is an ordinary score: exp(0) = 1, more than a negative score gets, and 1 is part of the sum by "
        "which all are divided. Which score has exp = 0?",
    ),
    "mask-tiny-fill": (
        "Blocked scores are filled with a number that is not low enough",
        "However low a finite number seems, a score may be lower, or the number may leave a "
        "weight that is not 0. A blocked position has a weight of exactly 0.",
    ),
    "mask-added-as-01": (
        "The mask is added to the scores as 0 and 1",
        "Adding 1 to the allowed scores makes them a little heavier. The blocked ones still get their weight.",
    ),
    "mask-after-renormalised": (
        "Blocked scores are left out too late",
        "On paper it is the same to leave them out after exp, and to divide again. But before exp the largest score is "
        "taken off, in a softmax as well. Where that is a blocked one, far above the allowed ones, the exponentials of "
        "all allowed scores are rounded to 0, and so is their sum.",
    ),
    "mask-fully-nan": faults.NAN_NOTHING_ALLOWED,
    "mask-fully-uniform": (
        "A query that may attend to nothing attends to blocked positions",
        "Where all scores are equally low, softmax shares the weight out among them. In this "
        "course such a query gets weights of 0 and an output of 0.",
    ),
    "mask-on-queries": (
        "Queries and keys are exchanged in the mask",
        "`allowed` has the shape of the scores, (…, n_queries, n_keys): a row for each query and a column for each "
        "key. A mask of keys alone belongs to the last axis.",
    ),
    "mask-first-item-for-all": (
        "The first item's mask is used for the whole batch",
        "Each item of a batch may have a mask of its own.",
    ),
    "batch-as-sequence": (
        "The batch is taken as the sequence",
        "Items of a batch have nothing to do with each other. Here a query attends to the same "
        "position in the other items, instead of to the positions of its own.",
    ),
    "scale-added": (
        "The scores are scaled, where plain ones are asked for",
        "This exercise defines its scores without a division, as its source does.",
    ),
    "scores-softmaxed": (
        "The softmax is taken already",
        "A score may be of either sign and of any size. The softmax, which makes weights of the scores, comes in a "
        "later step.",
    ),
    "scale-wrong-axis": (
        "The square root is of another size than d_key",
        "The spread of a dot product comes from the number of terms in it. How many terms does "
        "q·k have? The number of keys and the size of the values play no part.",
    ),
    "scale-by-d-model": (
        "The scores are divided by the square root of all heads' channels",
        "Each head compares d_key channels, so the product is a sum of d_key terms and its "
        "spread is √d_key. How many heads there are plays no part.",
    ),
    "softmax-over-heads": (
        "The softmax runs over the heads",
        "Here the heads share out one pair of tokens among them. Every head has a softmax of its own, over the keys.",
    ),
    "value-not-projected": (
        "The values are not projected",
        "What the weights average is context · w_value, not the context itself.",
    ),
    "keepdims-forgotten": (
        "The axis that was reduced is lost",
        "A maximum or a sum along an axis drops that axis. Broadcast against the scores, it then lines up "
        "with another axis: an error in most shapes, and wrong numbers where the sizes happen to fit.",
    ),
    "softmax-not-normalised": (
        "The exponentials are not divided by their sum",
        "The weights are positive and in the right proportion, but they do not sum to 1.",
    ),
}
