"""What is said of misconceptions that several exercises of this topic share: id → (title, explanation)."""

from course_attention.exercises.common.words import WORDS as SHARED

WORDS: dict[str, tuple[str, str]] = SHARED | {
    "heads-by-view": (
        "The heads are cut by a reshape alone",
        "A reshape keeps the numbers in their order, one whole token after another. A reshape straight to "
        "(n_heads, n_tokens, d_head) gives head 0 the first tokens whole, instead of a share of every token. "
        "First cut the last axis into two, then exchange two axes.",
    ),
    "heads-interleaved": (
        "The heads take every n_heads-th channel",
        "Head h has neighbouring channels, h·d_head to (h + 1)·d_head − 1. Which of the two new axes is the outer one?",
    ),
    "merge-by-view": (
        "The heads are merged by a reshape alone",
        "In memory one head's tokens follow one another, so a reshape joins tokens of one head "
        "instead of the heads of one token. Move the head axis back beside the channels first. "
        "Such a layer may still learn, only worse, so that no loss curve will tell.",
    ),
    "merge-interleaved": (
        "The heads' channels are dealt out in turn",
        "All channels of head 0 come first, then all of head 1. Here channel 0 of every head comes first.",
    ),
    "heads-averaged": (
        "The heads are summed or averaged, not put side by side",
        "In a sum, nobody can tell any more what came from which head. Side by side, the heads are "
        "n_heads·d_head channels, and the output projection learns what to make of each.",
    ),
    "other-axes-exchanged": (
        "Two other axes are exchanged",
        "The axes of heads and tokens have to change places. Here the channels change places with one of them. Write "
        "down the shape after each step.",
    ),
    "axes-from-the-front": (
        "The axes are counted from the front",
        "Axes 0 and 1, or 1 and 2, are those of heads and tokens for one number of leading axes only. With one batch "
        "axis more, or none, they are others. Counted from the end, they are always the same.",
    ),
    "mask-no-head-axis": (
        "The mask lines up with the heads",
        "The scores have an axis for the heads and `allowed` has none. Broadcasting counts axes from the end, so the "
        "batch of the mask meets the heads of the scores: an error in most shapes, and the masks of other items "
        "where there are as many heads as items. One mask serves all heads: where does it need an axis of size 1?",
    ),
    "mask-head-axis-second": (
        "The mask's head axis is put where a single batch axis would want it",
        "Counted from the front, the place is right for one batch axis only. Counted from the "
        "end it is right for none, one and several.",
    ),
    "scale-by-d-model": (
        "The scores are divided by √d_model",
        "Each head compares d_key channels, so the product is a sum of d_key terms and its "
        "spread is √d_key. The size of the whole token plays no part.",
    ),
    "shared-projection": (
        "Two of the projections are the same",
        "Queries, keys and values have a matrix each. With one for query and key, token i scores "
        "token j as j scores i, so that no relation with a direction can be learned.",
    ),
    "roles-swapped": (
        "Query and key have changed roles",
        "Queries are made with w_query and keys with w_key. If the two are exchanged, each token is "
        "asked where it should ask.",
    ),
    "heads-not-split": (
        "There is a single head",
        "Queries and keys are compared over all channels at once, which gives one set of "
        "weights. Each head compares its own d_key channels, and has weights of its own.",
    ),
    "first-head-everywhere": (
        "Every head uses the weights of head 0",
        "Each head mixes its values with its own weights. With the weights of one, the others cannot look elsewhere.",
    ),
    "first-columns-for-all": (
        "Every head gets the columns of head 0",
        "Each head has columns of its own in w_query, w_key and w_value: head h begins at column h·d_key, and in "
        "w_value at h·d_value. Where all take the same ones, all heads are the same.",
    ),
    "value-cut-by-d-key": (
        "The values are cut every d_key columns",
        "A head's values have d_value columns, and d_value may differ from d_key. Some heads get columns of others, "
        "or none are left for the last ones.",
    ),
    "no-projection": (
        "Nothing is projected: Q = K = V = X",
        "What is cut into heads are the products of x with w_query, w_key and w_value, not x itself.",
    ),
    "heads-axis-first": (
        "The head axis stands before the batch",
        "Heads come right before the last two axes, after every leading one. A stack along axis 0 puts them in front, "
        "which is the right place only where there is no batch.",
    ),
    "weights-averaged": (
        "The weights are averaged over the heads",
        "The average hides what each head attends to. Return the weights of every head, "
        "(…, n_heads, n_queries, n_keys).",
    ),
    "no-output-projection": (
        "The output projection is left out",
        "Put side by side, the heads' results keep apart: channel by channel each comes from one "
        "head. W_O mixes them, and gives the output its size.",
    ),
    "output-projection-transposed": (
        "The output projection is transposed",
        "Weights are applied as x @ w, so w_out has a row for each of the n_heads·d_value channels.",
    ),
}
