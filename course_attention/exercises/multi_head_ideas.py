"""What is said of the mistakes that only multi-head attention knows: id → (title, explanation)."""

from __future__ import annotations

IDEAS: dict[str, tuple[str, str]] = {
    # heads
    "heads-by-view": (
        "The heads are cut by a reshape alone",
        "A reshape keeps the numbers in their order, and in that order a token comes after a token. Cut straight into "
        "(n_heads, n_tokens, d_head), the first head gets the first tokens, whole, instead of a share of every token. "
        "The channels are cut first, and then two axes change places.",
    ),
    "heads-interleaved": (
        "The heads take every n_heads-th channel",
        "Head h has neighbouring channels, h·d_head to (h + 1)·d_head − 1. Which of the two new axes is the outer one?",
    ),
    "heads-not-moved": (
        "The head axis stands after the tokens",
        "Cut, but not yet moved: (…, n_tokens, n_heads, d_head). Every head is to be a sequence of its own, so the "
        "heads come before the tokens.",
    ),
    "heads-axis-first": (
        "The head axis stands before the batch",
        "Heads come right before the tokens, after every leading axis: (…, n_heads, n_tokens, d_head).",
    ),
    "head-sizes-exchanged": (
        "n_heads is taken for d_head",
        "There are to be n_heads heads of d_model / n_heads channels. Here there are heads of n_heads channels.",
    ),
    "merge-by-view": (
        "The heads are merged by a reshape alone",
        "In memory one head's tokens follow one another, so a reshape joins tokens of one head instead of the heads "
        "of one token. Move the head axis back beside the channels first. Such a layer may still learn, only worse, "
        "so that no loss curve will tell.",
    ),
    "merge-interleaved": (
        "The heads' channels are dealt out in turn",
        "All channels of head 0 come first, then all of head 1. Here channel 0 of every head comes first.",
    ),
    "heads-averaged": (
        "The heads are summed or averaged, not put side by side",
        "Then nobody can tell any more which head said what. Side by side they are n_heads·d_head channels, and the "
        "output projection learns what to make of each.",
    ),
    "heads-along-tokens": (
        "The heads are put one after another, along the tokens",
        "There would be n_heads times as many tokens. The heads of one token stand side by side in its channels.",
    ),
    "heads-not-split": (
        "There is a single head",
        "Queries and keys are compared over all channels at once, which gives one set of weights. Each head compares "
        "its own d_key channels, and has weights of its own.",
    ),
    "first-head-everywhere": (
        "Every head uses the weights of head 0",
        "Each head mixes its values with its own weights. With the weights of one, the others cannot look elsewhere.",
    ),
    "weights-averaged": (
        "The weights are averaged over the heads",
        "The average hides what each head attends to. Asked for are the weights of every head, "
        "(…, n_heads, n_queries, n_keys).",
    ),
    "softmax-over-heads": (
        "The softmax runs over the heads",
        "Here the heads share out one pair of tokens among them. Every head has a softmax of its own, over the keys.",
    ),
    # mask and projections
    "mask-no-head-axis": (
        "The mask lines up with the heads",
        "The scores have an axis for the heads and `allowed` has none. Broadcasting counts axes from the end, so the "
        "batch of the mask meets the heads of the scores: an error in most shapes, and the masks of other items where "
        "there are as many heads as items. One mask serves all heads: where does it need an axis of size 1?",
    ),
    "mask-head-axis-second": (
        "The mask's head axis is put where a single batch axis would want it",
        "Counted from the front, the place is right for one batch axis only. Counted from the end it is right for "
        "none, one and several.",
    ),
    "no-output-projection": (
        "The output projection is left out",
        "Put side by side, the heads' results keep apart: channel by channel each comes from one head. W_O mixes them, "
        "and gives the output its size.",
    ),
    "output-projection-transposed": (
        "The output projection is transposed",
        "Weights are applied as x @ w, so w_out has a row for each of the n_heads·d_value channels.",
    ),
    "roles-swapped": (
        "Query and key have changed roles",
        "Queries are made with w_query and keys with w_key. Exchanged, each token is asked where it should ask.",
    ),
    # another sequence
    "value-from-query": (
        "Without a value, the query is the value",
        "Keys and values belong together: what is found under a key is that token's own value. A module that is "
        "called with a key and no value uses the key.",
    ),
    # transplant
    "transplant-order": (
        "The blocks are taken in another order",
        "PyTorch stacks query, key and value, in this order, along the rows of in_proj_weight.",
    ),
    "transplant-transposed": (
        "The weights are transposed",
        "Both modules hold a weight as nn.Linear does, (d_out, d_in), so it is copied as it is. All four are square: "
        "nothing but the numbers tells a transposed one.",
    ),
    "transplant-interleaved": (
        "The rows are dealt out in turn",
        "in_proj_weight holds all rows of the query, then all of the key, then all of the value. Here every third row "
        "goes to each.",
    ),
    "transplant-by-head": (
        "Query, key and value are taken head by head",
        "Some libraries store the three of one head together. PyTorch stores all heads' queries, then all keys, then "
        "all values.",
    ),
    # multi_head_parameters
    "output-projection-forgotten": (
        "The output projection is not counted",
        "After the heads are put side by side, W_O takes their 8 · 64 channels to d_model: one more matrix.",
    ),
    "heads-counted-twice": (
        "The heads are counted twice",
        "A matrix of 512 × 512 holds the projections of all 8 heads already: each head has 64 of its columns.",
    ),
    "one-head-only": (
        "The projections of a single head are counted",
        "Each of the 8 heads has its own W_Q, W_K and W_V of 512 × 64.",
    ),
    "output-of-one-head": (
        "The output projection is counted for one head",
        "W_O takes in what all heads put side by side: 8 · 64 rows, not 64.",
    ),
    "biases-counted": ("Biases are counted too", "There are none here: nn.Linear(…, bias=False)."),
    "one-projection-only": (
        "Only one of the matrices is counted",
        "Queries, keys and values have a projection each, and there is one more behind the heads.",
    ),
}
