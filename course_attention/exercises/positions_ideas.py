"""What is said of the mistaken ideas of notebook 06: (title, explanation), code never given away."""

from __future__ import annotations

IDEAS: dict[str, tuple[str, str]] = {
    # the angles of the sinusoidal encoding, and of what is built on it
    "cosine-own-index": (
        "The cosine has a frequency of its own",
        "A sine and the cosine after it are a pair: they share one angle, with the exponent of the even channel. Only "
        "then does sin² + cos² = 1 hold in each pair, and only then is a shift a rotation.",
    ),
    "exponent-not-doubled": (
        "The exponent grows half as fast as it should",
        "Pair i has the exponent 2i/d_model, from 0 up to nearly 1. With i/d_model the slowest pair stays near the "
        "middle: it turns about √base times slower than the first, not base times.",
    ),
    "exponent-doubled-twice": (
        "The exponent grows twice as fast as it should",
        "A loop over the even channels has the 2 in its index already. Is the index that of the pair, or that of the "
        "channel?",
    ),
    "frequencies-from-one": (
        "The pairs are counted from 1",
        "The first pair has the exponent 0: its angle is the position itself. Counted from 1, as in the formula of the "
        "handout, the fastest pair is lost.",
    ),
    "frequency-inverted": (
        "The frequencies grow where they should fall",
        "Later pairs turn more slowly: the position is divided by a power of the base, not multiplied.",
    ),
    "base-ignored": (
        "base is ignored",
        "It is 10000 unless the caller asks for another.",
    ),
    "positions-from-one": (
        "The positions are counted from 1",
        "The first token has position 0, with every angle 0: its sines are 0 and its cosines 1.",
    ),
    "sin-cos-halves": (
        "First all sines, then all cosines",
        "The numbers are right, in another order. Here sine and cosine of one angle stand side by side, in channels "
        "2i and 2i + 1. Other libraries have halves; weights learned with one order are of no use with the other.",
    ),
    "cosine-first": (
        "Sine and cosine are exchanged",
        "The even channel holds the sine, the odd one after it the cosine.",
    ),
    "odd-dimension": (
        "An odd number of channels goes wrong",
        "d_model channels are asked for, whatever the number. If it is odd, the last one is a sine without its cosine.",
    ),
    # appended, compared
    "encoding-first": (
        "The two parts are in the other order",
        "The token comes first, then its position: [x; φ].",
    ),
    "concat-added": (
        "The encoding is added, not appended",
        "Appended, it has channels of its own, d_model + d_pos in all, and the two sizes need not agree. The notebook "
        "measures what adding does instead.",
    ),
    "concat-tokens": (
        "The encoding is appended as more tokens",
        "Each token gets longer; there are as many tokens as before. Along which axis are the channels?",
    ),
    "batch-as-sequence": (
        "The batch is taken as the sequence",
        "The tokens are the axis before the last, whatever comes before it. Here all tokens of one item get the same "
        "position, and each item of the batch another.",
    ),
    "similarity-normalised": (
        "The similarity is the cosine",
        "The vectors are divided by their lengths. A plain dot product is asked for: φ(i)·φ(i) is not 1.",
    ),
    "similarity-of-channels": (
        "Channels are compared, not positions",
        "A position is a row. The result has a row and a column for each position.",
    ),
    "scale-added": (
        "The products are divided by the square root of the size",
        "Plain dot products are asked for.",
    ),
    # shifts
    "shift-backwards": (
        "It shifts the other way",
        "The encoding is a row: PE(p) @ M, with M on the right. For a column, M @ PE(p), the matrix would be the "
        "transpose, and the transpose of a rotation turns back.",
    ),
    "shift-one-angle": (
        "Every pair is turned by the same angle",
        "Each pair has a frequency of its own: a shift by `offset` turns it by offset times this frequency.",
    ),
    # biases
    "bias-index-reversed": (
        "The offset is i − j, not j − i",
        "The offset says where the key is, seen from the query: a key to the right has a positive one.",
    ),
    "bias-not-clipped": (
        "Offsets beyond the table are not clipped",
        "The table reaches from −r to r. A key farther away gets the bias of ±r. A negative index does not fail: it "
        "counts from the end.",
    ),
    "bias-not-centred": (
        "The offset is used as the index",
        "Offset −r is the table's first entry, offset 0 its middle one.",
    ),
    "bias-bottom-right": (
        "The last query stands at the last key",
        "Here queries and keys both count from 0 at the top left: query i stands at key i.",
    ),
    "heads-last": (
        "The heads come last",
        "The bias is added to scores of (…, n_heads, n_queries, n_keys): the heads come first.",
    ),
    "alibi-sign": (
        "Distance is rewarded",
        "The bias is a penalty: 0 at the query's own position, and the more negative the farther away.",
    ),
    "alibi-exponent": (
        "The heads are counted from 0",
        "Counted from 1, the first slope is 2^(−8/n_heads) and the last 2^(−8). Counted from 0, the first would be 1.",
    ),
    "alibi-not-absolute": (
        "The distance has a sign",
        "Keys on one side are rewarded for being far away. A distance is never negative.",
    ),
    "alibi-past-only": (
        "Keys to the right get no penalty of their own",
        "The bias depends on |i − j| on both sides. What a query may not see is up to the mask, not to the bias.",
    ),
    "alibi-slopes-fixed": (
        "The slopes do not depend on the number of heads",
        "The exponents go from 8/n_heads to 8 in equal steps. Steps of 1 are right for 8 heads only.",
    ),
    "alibi-slope-not-a-power": (
        "The exponent is used as the slope",
        "The slope is 2 to the power of −8h/n_heads: positive, and at most 1.",
    ),
    # rotary
    "rotary-half-split": (
        "Pairs are made of the two halves",
        "Channel i is turned with channel i + d/2. Other libraries do so, and it works as well, with weights that were "
        "learned so. RoFormer's pairs, asked for here, are neighbours: 2i and 2i + 1.",
    ),
    "rotary-mixed": (
        "Pairs of one kind meet frequencies of the other",
        "There are two conventions: pairs of neighbours, with the frequencies f₀, f₀, f₁, f₁ …, and pairs of halves, "
        "with f₀, f₁ …, f₀, f₁ …. Where they are mixed, the channels of a pair turn by different angles: it is no "
        "rotation, and vectors change their lengths.",
    ),
    "rotary-backwards": (
        "It turns the other way",
        "A positive angle turns the first channel of a pair towards the second: (1, 0) becomes (cos, sin).",
    ),
    "rotary-no-positions": (
        "`positions` is not used",
        "Tokens need not stand at 0, 1, 2 …: a token that is generated next stands where the others end.",
    ),
    "rotary-no-minus": (
        "A sign is missing in the rotation",
        "A rotation takes (a, b) to (a·cos − b·sin, a·sin + b·cos). Without the minus, vectors change their lengths.",
    ),
    "rotary-not-interleaved": (
        "The turned channels are left in two halves",
        "Each channel goes back to where it came from: the first of a pair into channel 2i, the second into 2i + 1.",
    ),
    "positions-added": (
        "The encoding is added",
        "Here a token is turned, not moved: its length stays, and nothing is added to it.",
    ),
}

MADE_IDEAS: dict[str, tuple[str, str]] = {
    **IDEAS,
    "wrong-dtype": (
        "The result has another dtype than float32",
        "The numbers are right. Made of numbers alone, it is asked for in float32; float64 is accepted.",
    ),
}

NORM_IDEAS: dict[str, tuple[str, str]] = {
    "every-channel-one": (
        "Each channel is counted as 1",
        "No channel stays at 1: a sine is large where its cosine is small. What do the squares of the two make?",
    ),
    "root-taken": (
        "The root is taken",
        "That is the length, or what the length would be. Its square is asked for.",
    ),
    "unit-length": (
        "That is the length of one pair",
        "One pair contributes sin² + cos² = 1. How many pairs are there?",
    ),
    "mean-square": (
        "That is the mean over the channels",
        "The mean square of a channel is right so. The sum over all of them is asked for.",
    ),
    "pairs-halved": (
        "Halved once too often",
        "Each pair contributes 1, not ½: the ½ belongs to each of its two channels.",
    ),
}
