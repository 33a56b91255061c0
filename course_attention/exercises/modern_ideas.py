"""What is said of the mistakes that only notebook 09 knows: id → (title, explanation)."""

from __future__ import annotations

IDEAS: dict[str, tuple[str, str]] = {
    # cached_attention
    "cache-order": (
        "The newest token is put first",
        "A cache is in the order of the sequence: the newest key and value come behind the others. The output does not "
        "show it, since attention does not ask for an order; whatever reads positions off the cache does.",
    ),
    "cache-not-extended": (
        "The old cache is handed on",
        "The next step gets what this one returns. The newest key and value are not in it, so that no later token can "
        "ever attend to this one.",
    ),
    "cache-excludes-self": (
        "The newest token is not attended to",
        "The diagonal of a causal mask is allowed: a token sees all before it, and itself. So its own key and value "
        "join the cache before the attention is computed.",
    ),
    "cache-ignored": (
        "Only the newest token is attended to",
        "With a single key, its weight is 1 whatever the query is, and the output is the newest value. The keys and "
        "values of the cache belong in front of it.",
    ),
    "cache-only-newest": (
        "The new cache holds the newest token alone",
        "The output is right this time. The next step gets what this one returns, and all the earlier tokens are lost "
        "to it.",
    ),
    "cache-wrong-axis": (
        "The new token is joined along an axis counted from the front",
        "Tokens are the last axis but one, whatever comes before. Counted from the front it is another axis as soon "
        "as there is one leading dimension more, or fewer.",
    ),
    "causal-top-left": (
        "A causal mask for one query is aligned at the top left",
        "The lower triangle of a single row is its first entry alone, so only the oldest token is seen. Here the query "
        "is the newest token: all that the cache holds lies in its past, and nothing needs a mask.",
    ),
    # grouped_query_attention
    "groups-tiled": (
        "The groups are dealt out in turn: 0, 1, 0, 1",
        "Consecutive heads share a group: with 4 heads and 2 groups, heads 0 and 1 read group 0, heads 2 and 3 group "
        "1. Each group is repeated in its place, not the whole row of them one after another. Trained weights are "
        "stored in that order, so a model that was trained one way is of no use the other way.",
    ),
    "first-group-everywhere": (
        "Every head reads group 0",
        "With one group for all it is multi-query attention. Here there are several, and each serves its own heads.",
    ),
    "groups-wrong-axis": (
        "The groups are repeated along an axis counted from the front",
        "The heads are the last axis but two. Counted from the front that axis is the batch, or the tokens, as soon as "
        "the number of leading dimensions changes.",
    ),
    "mask-head-axis-added": (
        "The mask is given a head axis that it has already, or does not need",
        "`allowed` broadcasts to the scores as it comes. One more axis in it makes one more axis in the result, or "
        "lines the batch of the mask up with something else.",
    ),
    "softmax-over-heads": (
        "The softmax runs over the heads",
        "Here the heads share out one pair of tokens among them. Every head has a softmax of its own, over the keys.",
    ),
    "scale-by-d-model": (
        "The scores are divided by the square root of all heads' channels",
        "Each head compares d_key channels, so the product is a sum of d_key terms and its spread is √d_key. How many "
        "heads there are plays no part.",
    ),
    # online_logsumexp and blockwise_attention
    "online-no-rescale": (
        "What was summed before is not rescaled when the maximum grows",
        "The running sums hold exponentials of score − maximum, with the maximum of their time. When a later block "
        "brings a larger one, everything summed so far is too large by exp(new − old): all running sums have to be "
        "brought to the new maximum before the block is added.",
    ),
    "online-rescale-inverted": (
        "The running sum is rescaled the wrong way",
        "With a larger maximum, exp(score − maximum) is smaller: the factor is at most 1. Here it is 1 or more, and "
        "infinite or NaN if the first maximum is −∞.",
    ),
    "online-last-block": (
        "A last, shorter block is dropped",
        "Where block_size does not divide the number of keys, some keys are left for a block that is not full. How "
        "many blocks does the loop make of 5 keys in blocks of 2?",
    ),
    "online-only-last-block": (
        "Each block replaces the one before it",
        "What is left at the end is the last block's alone. The sums run on from block to block.",
    ),
    "online-not-normalised": (
        "The weighted sum is not divided by the sum of the exponentials",
        "Exponentials are not weights yet. The division by their sum can wait until the last block, and cannot be left "
        "out.",
    ),
    "logsumexp-overflows": (
        "exp overflows",
        "exp of a large score is infinite, and exp of a very negative one 0, whose logarithm is −∞. The largest score "
        "so far is taken from all of them, and added to the logarithm at the end; the largest of the first block is "
        "not large enough for those after it.",
    ),
    "maximum-from-zero": (
        "The running maximum starts from 0",
        "If every score is far below 0, the largest is never found, and every exponential vanishes. Which number is "
        "smaller than any score?",
    ),
    "maximum-not-added": (
        "The maximum is not added at the end",
        "The running sum holds exponentials of score − maximum. Its logarithm is short by the maximum.",
    ),
    "log-missing": (
        "The logarithm is missing",
        "The result is the logarithm of the sum of the exponentials, in the scores' own unit.",
    ),
    "blocks-added": (
        "The blocks' results are added up",
        "Each block's log-sum-exp is a logarithm. Sums of exponentials may be added; their logarithms may not.",
    ),
    "blocks-averaged": (
        "Each block has a softmax of its own",
        "Every block then counts by its number, however low its scores are. One softmax runs over all keys: a block of "
        "low scores gets next to nothing of the weight.",
    ),
    "blocks-diagonal": (
        "A block of queries sees its own block of keys alone",
        "That is local attention, another mechanism. Here every query attends to every key; blocks are an order to "
        "work in.",
    ),
    # linear_attention
    "linear-no-normaliser": (
        "The denominator is left out",
        "The likenesses φ(q)·φ(k) are positive but sum to anything. Divided by their sum over the keys they become "
        "weights that sum to 1.",
    ),
    "linear-no-plus-one": (
        "φ is elu, without the 1",
        "elu reaches down to −1, so likenesses may be negative and their sum 0. elu(x) + 1 is positive everywhere.",
    ),
    "linear-one-sided": (
        "φ is applied to one side alone",
        "A likeness is φ(q)·φ(k): both sides go through φ, or it need not be positive.",
    ),
    "linear-other-normaliser": (
        "The outputs are divided by something else than the sum of their own likenesses",
        "Each query has a denominator of its own, the sum of φ(q)·φ(k) over all keys. Then, and only then, its weights "
        "sum to 1.",
    ),
    "linear-values-too": (
        "φ is applied to the values too",
        "φ serves to compare query and key. The values are averaged as they are.",
    ),
    "linear-causal": (
        "Each query sees the keys up to its own place only",
        "Running sums over the tokens make the causal form. Here every query attends to every key.",
    ),
    "softmax-kept": (
        "There is a softmax all the same",
        "This attention compares by φ(q)·φ(k), which comes apart into two factors; exp(q·k) does not. That is what "
        "lets keys and values meet before the queries.",
    ),
    # kv_cache_bytes
    "factor-two-forgotten": (
        "One factor of two is missing",
        "There are two of them: a key and a value for each token, and 2 bytes for each number.",
    ),
    "both-twos-forgotten": (
        "Two factors of two are missing",
        "Each token leaves a key and a value, and each number of them takes 2 bytes.",
    ),
    "one-layer-or-head": (
        "The heads, or the layers, are counted once",
        "Each of the 32 layers has 32 heads, and every one of these 1024 heads keeps its own keys and values.",
    ),
    "one-token": (
        "That is the share of a single token",
        "Every token before the newest one stays in the cache: 4096 of them.",
    ),
    "bits-for-bytes": ("That is the number of bits", "A byte has 8 of them."),
    "four-bytes": (
        "Four bytes are counted for a number",
        "Here a number takes 2, as in float16 and bfloat16.",
    ),
    "scores-counted": (
        "The score matrices are counted",
        "The cache holds keys and values. Scores are made anew at every step and thrown away.",
    ),
    "another-unit": ("That is in another unit", "The number of bytes is asked for."),
}
