"""What is said of each mistaken idea, and of each property that may not hold: (title, explanation).

An explanation says why the idea is wrong and what to look at. It never gives the code away.
"""

from __future__ import annotations

_AXES = "Each query shares out its attention over the keys, so the weights of one query sum to 1"

IDEAS: dict[str, tuple[str, str]] = {
    # softmax: over what?
    "softmax-over-queries": (
        "The softmax runs over the queries",
        f"{_AXES}. Here the columns sum to 1: each key shares itself out over the queries.",
    ),
    "softmax-over-batch": (
        "The softmax runs over the first axis",
        f"{_AXES}. Here the weights sum to 1 over the first axis, so one item of the batch changes another.",
    ),
    "softmax-over-everything": (
        "One softmax runs over the whole array",
        "All weights together sum to 1. Each row should sum to 1 by itself.",
    ),
    "softmax-overflows": (
        "exp overflows",
        "exp of a large score is infinite, and infinity over infinity is NaN; exp of very negative scores is 0, and "
        "so is their sum. Which number can be taken from all scores without changing the weights?",
    ),
    "softmax-missing": (
        "The scores are used as weights, without a softmax",
        "Scores may be negative and sum to anything. Weights are positive and sum to 1.",
    ),
    "softmax-not-normalised": (
        "The exponentials are not divided by their sum",
        "The weights are positive and in the right proportion, but they do not sum to 1.",
    ),
    "axis-ignored": (
        "axis is ignored",
        "The softmax always runs along the last axis. The caller may ask for another.",
    ),
    "keepdims-forgotten": (
        "The axis that was reduced is lost",
        "A maximum or a sum along an axis drops that axis. Broadcast against the scores, it then lines up with "
        "another axis: an error in most shapes, and wrong numbers where two sizes are equal.",
    ),
    # scale
    "no-scale": (
        "The scores are not divided by √d_key",
        "A dot product of d_key independent terms has a spread of √d_key. Without the division, the softmax comes "
        "nearer to picking a single key as d_key grows.",
    ),
    "scale-by-d": (
        "The scores are divided by d_key, not by its square root",
        "The variance of the dot product is d_key, so its spread is √d_key. Divided by d_key, the scores shrink "
        "towards 0 as d_key grows, and the weights become uniform.",
    ),
    "scale-multiplied": (
        "The scores are multiplied by √d_key",
        "The division is there to undo the spread of the dot product. Multiplying doubles the harm.",
    ),
    "scale-wrong-axis": (
        "The square root is of another size than d_key",
        "The spread of a dot product comes from the number of terms in it. How many terms does q·k have? The number "
        "of keys and the size of the values play no part.",
    ),
    "scale-by-d-model": (
        "The scores are divided by √d_model",
        "Each head compares d_key channels, so the product is a sum of d_key terms and its spread is √d_key. The size "
        "of the whole token plays no part.",
    ),
    "scale-added": (
        "The scores are scaled, where plain ones are asked for",
        "This exercise defines its scores without the division by √d_key, as its source does.",
    ),
    # which vectors
    "key-reshaped": (
        "The key is reshaped, not transposed",
        "A reshape keeps the numbers in their order and cuts them into other rows, so numbers of several keys are "
        "mixed. A transpose turns rows into columns.",
    ),
    "weights-times-keys": (
        "The weights average the keys, not the values",
        "Keys decide where to look. What is brought back from there are the values.",
    ),
    "memory-summed": (
        "The memory is summed or averaged, and the distribution is not used",
        "Each encoder state counts as much as its weight in the distribution says.",
    ),
    "divided-again": (
        "The weighted states are averaged once more",
        "The weights of a distribution sum to 1, so the sum of the weighted states is their average already.",
    ),
    "concat-order": (
        "The two halves are in the other order",
        "The attention output a_t comes first, then s_t.",
    ),
    "concat-added": (
        "The two vectors are added, not concatenated",
        "Concatenated, both are still there for the next layer to tell apart: the result is twice as long.",
    ),
    "cosine-scores": (
        "The score is the cosine, not the dot product",
        "The vectors are divided by their lengths. A plain dot product keeps the lengths: a longer state scores more.",
    ),
    "columns-as-rows": (
        "The other convention: tokens as rows",
        "Here each token is a column: (d_key, n_queries). With Qᵀ K of shape (n_queries, n_keys), a row belongs to a "
        "query, the softmax runs along it, and the output has a column for each query.",
    ),
    "batch-as-sequence": (
        "The batch is taken as the sequence",
        "Items of a batch have nothing to do with each other. Here a query attends to the same position in the other "
        "items, instead of to the positions of its own.",
    ),
    # masks
    "mask-inverted": (
        "The mask is read the other way round",
        "True in `allowed` means that a query may attend. Here it is taken to mean blocked.",
    ),
    "mask-ignored": (
        "The mask has no effect",
        "Blocked positions are weighted as if they were allowed. Some methods return a new tensor and leave the old "
        "one as it was: is the result used?",
    ),
    "mask-after-softmax": (
        "The mask is applied after the softmax",
        "The blocked weights are 0, but the others were computed with the blocked ones in the sum, so that a row no "
        "longer sums to 1.",
    ),
    "mask-scores-to-zero": (
        "Blocked scores are set to 0",
        "A score of 0 is an ordinary score: exp(0) = 1, more than a negative score gets. Which score has exp = 0?",
    ),
    "mask-tiny-fill": (
        "Blocked scores are filled with a number that is not low enough",
        "However low a finite number seems, a score may be lower, or the number may leave a weight that is not 0. A "
        "blocked position has a weight of exactly 0.",
    ),
    "mask-added-as-01": (
        "The mask is added to the scores as 0 and 1",
        "Adding 1 to the allowed scores makes them a little heavier. The blocked ones still get their weight.",
    ),
    "mask-fully-nan": (
        "A query that may attend to nothing gives NaN",
        "A softmax over nothing but −∞ is 0/0. In this course such a query gets weights of 0 and an output of 0.",
    ),
    "mask-fully-uniform": (
        "A query that may attend to nothing attends to blocked positions",
        "Where all scores are equally low, softmax shares the weight out among them. In this course such a query gets "
        "weights of 0 and an output of 0.",
    ),
    "mask-on-queries": (
        "The key mask lies along the queries",
        "`allowed` has the shape of the scores, (…, n_queries, n_keys). A mask of keys belongs to the last axis.",
    ),
    "mask-first-item-for-all": (
        "The first item's mask is used for the whole batch",
        "Each item has padding of its own.",
    ),
    # other scores
    "bilinear-transposed": (
        "The two sides of W are exchanged",
        "W has d_query rows and d_key columns: the query meets its rows, the key its columns.",
    ),
    "additive-no-tanh": (
        "The tanh is left out",
        "Without it the score is a sum of a query's part and a key's part. The query's part is then the same for all "
        "keys and drops out of the softmax: every query would attend alike.",
    ),
    "additive-tanh-outside": (
        "The tanh comes after w_score",
        "The network has a hidden layer: tanh acts on each hidden unit, and w_score sums the units afterwards.",
    ),
    "additive-product": (
        "The projections are multiplied, not added",
        "This score is called additive: what goes into the tanh is the sum of the two projections.",
    ),
    "gaussian-no-half": (
        "The factor ½ is left out",
        "The exponent of a Gaussian of this width is −distance² / (2·width²).",
    ),
    "gaussian-width-not-squared": (
        "The width is not squared",
        "Distance² over width has a unit left over. Squared over squared, the score does not depend on the unit.",
    ),
    "gaussian-sign": (
        "The sign is the other way round",
        "Far keys get the higher scores. A score is high where query and key are near.",
    ),
    "gaussian-not-squared": (
        "The distance is not squared",
        "Its softmax is a kernel with a peak, exp(−distance), not a Gaussian.",
    ),
    "gaussian-exponentiated": (
        "exp is applied already",
        "The score is the exponent. The softmax that follows applies exp.",
    ),
    "mean-over-queries": (
        "The scores are not divided by the number of keys",
        "Each output is a mean over the keys, so the divisor is n_keys: not the number of queries, and not the sum of "
        "the scores themselves, which may be 0.",
    ),
    "divided-by-batch": (
        "The scores are divided by the size of the first axis",
        "`len` counts the first axis. That is the keys where there is no batch, and the batch where there is one.",
    ),
    "pairs-not-formed": (
        "Each query meets one key alone",
        "Every query is compared with every key, which makes (…, n_queries, n_keys) pairs. Here the two line up along "
        "one axis: an error where there are more of one than of the other.",
    ),
    "mean-with-softmax": (
        "There is a softmax all the same",
        "Here the dot products, divided by n_keys, are the weights as they are. They may be negative.",
    ),
    "roles-swapped": (
        "Query and key have changed roles",
        "The queries come from x, projected by w_query. The keys come from the context, projected by w_key.",
    ),
    "value-not-projected": (
        "The values are not projected",
        "What the weights average is context · w_value, not the context itself.",
    ),
    "shared-projection": (
        "Two of the projections are the same",
        "Queries, keys and values have a matrix each. With one for query and key, token i scores token j as j scores "
        "i, so that no relation with a direction can be learned.",
    ),
    "cross-ignores-context": (
        "The other sequence is not looked at",
        "Key and value are handed over, but the query attends to itself. What is found has to come from the other "
        "sequence.",
    ),
    # every answer
    "detached": (
        "The result is cut off from its inputs",
        "The numbers are right, but no gradient flows back, so nothing before this step could be trained. `.detach()`, "
        "`.data`, `.item()`, NumPy and `torch.tensor(…)` all cut the graph.",
    ),
    "input-changed": (
        "An input is changed",
        "The caller's own tensor was written to. Whoever uses it next gets other numbers. Methods that end in an "
        "underscore, `+=` and assignments to an index all write in place.",
    ),
    "wrong-device": (
        "A tensor is made on the CPU",
        "It works here, but fails with its inputs on a GPU. A new tensor needs the device of the inputs.",
    ),
    "wrong-dtype": (
        "The result has another dtype than asked for",
        "The numbers are right. The dtype should be that of the inputs, whichever it is.",
    ),
    "wrong-dtype: bool": (
        "The mask is not boolean",
        "It says the right thing, in another dtype than torch.bool.",
    ),
    "wrong-dtype: int64": (
        "The result has another dtype than asked for",
        "The numbers are right. Tokens are whole numbers, and stay torch.int64.",
    ),
    "wrong-dtype: made": (
        "The result has another dtype than asked for",
        "The numbers are right. What is made of numbers alone comes in float32.",
    ),
}

PROPERTIES: dict[str, tuple[str, str]] = {
    "value": ("That is not the number", "Work it out part by part, and write down each."),
    "form": (
        "Something else is returned than asked for",
        "The docstring says what is returned, and in what order.",
    ),
    "order": ("The results come in another order", "The docstring says which comes first."),
    "type": ("Something else is returned than numbers", "The docstring says what is returned."),
    "shape": ("The shape is wrong", "The docstring gives the shape of each result."),
    "nan": ("The result holds NaN", "Look for 0/0, ∞ − ∞ or exp of something large."),
    "nan: nothing allowed": IDEAS["mask-fully-nan"],
    "blocked weight": (
        "A blocked position has a weight",
        "Where `allowed` is False, the weight is exactly 0.",
    ),
    "precision": (
        "The numbers are right to the precision of float32 only",
        "The inputs are float64. Somewhere on the way they are rounded to float32.",
    ),
    "row sums": ("The weights do not sum to 1", "The weights of each query sum to 1 over the keys."),
    "values": (
        "The numbers are not right",
        "Work the smallest case by hand, step by step, beside your code.",
    ),
    "alignment": (
        "It goes wrong where queries and keys differ in number",
        "Rows are queries, columns are keys. Write down the smallest case by hand, row by row.",
    ),
    "edges": (
        "It goes wrong at the smallest or the largest size",
        "Try a single token, a length of 0, and a width or a length that reaches over the whole sequence.",
    ),
    "leading dimensions": (
        "It does not hold for every number of leading dimensions",
        "There may be none, one or several axes before the ones that the docstring names. Count axes from the end, and "
        "turn round the last two alone: `.T` turns round all of them, `.mT` the last two.",
    ),
    "mask": ("It holds without a mask, but not with one", "True in `allowed` means that a query may attend."),
    "padding": (
        "It holds without padding, but not with it",
        "What is padding must not count, however much there is.",
    ),
    "nothing allowed": (
        "A query that may attend to nothing comes out wrong",
        "In this course such a query gets weights of 0 and an output of 0.",
    ),
    "large scores": (
        "It goes wrong with large scores",
        "The weights depend on differences of scores alone, and those are small enough.",
    ),
    "noise": (
        "It holds for exact powers, but not for costs with noise",
        "Measured costs lie beside the line, some above it and some below. Every point has its say in the slope.",
    ),
    "odd d_model": (
        "It holds for an even d_model, but not for an odd one",
        "The last channel is then a sine without its cosine: there is one cosine fewer than there are sines.",
    ),
    "base": ("It holds for base 10000, but not for another", "The caller chooses the base."),
    "positions": (
        "It holds for positions 0, 1, 2 …, but not for others",
        "Tokens may stand anywhere and in any order, and several at one position.",
    ),
    "clipping": (
        "It goes wrong beyond the reach of the table",
        "A table of 2·r + 1 entries reaches from offset −r to r. What lies beyond gets the entry at its end.",
    ),
    "memory": (
        "The numbers are right, but a large tensor is made on the way",
        "This form of attention is there to do without the n × n matrix. Look for the line that still makes one, or "
        "all of its blocks at once.",
    ),
    "first token": (
        "It goes wrong at the first token, where there is no cache",
        "The first token has none before it: it attends to itself alone, and the new cache holds its key and value.",
    ),
    "last block": (
        "It goes wrong where the blocks do not come out even",
        "The last block may be shorter than the others, and a single block longer than the sequence.",
    ),
    "axis": ("It holds for the last axis, but not for another", "The caller chooses the axis."),
    "other sequence": (
        "It holds for one sequence, but not for two",
        "Queries come from the first sequence, keys and values from the other, which may have another length. A "
        "missing key is the query, a missing value is the key.",
    ),
    "dtypes": (
        "It goes wrong in another dtype",
        "float32, float64 and bfloat16 are all asked for. A few of torch's functions are missing in bfloat16.",
    ),
    "dtype": IDEAS["wrong-dtype"],
    "evaluation mode": (
        "The module does not give the same twice",
        "There is no dropout here, so training and evaluation mode agree, and a call leaves the weights as they are.",
    ),
    "gradients": (
        "The gradient is not right",
        "The numbers are right, but what flows back through them is not. Look for branches that cut it, and for NaN.",
    ),
}
