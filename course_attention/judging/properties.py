"""What is said where a property does not hold and no misconception explains the answer: (title, explanation)."""

from __future__ import annotations

CONTRACT_WORDS: dict[str, tuple[str, str]] = {
    "detached": (
        "The result is cut off from its inputs",
        "The numbers are right, but no gradient flows back, so nothing before this step could be trained. "
        "`.detach()`, `.data`, `.item()`, NumPy and `torch.tensor(…)` all cut the graph.",
    ),
    "input-changed": (
        "An input is changed",
        "The caller's own tensor was written to. Whoever uses it next gets other numbers. Methods that end in "
        "an underscore, `+=` and assignments to an index all write in place.",
    ),
    "wrong-device": (
        "The answer works on the CPU alone",
        "With its inputs on a GPU it fails, or its result stays on the CPU. A new tensor needs the device of the "
        "inputs. NumPy cannot read a tensor that is on a GPU, and `apply_` and `map_` cannot change one; torch's other "
        "functions work on both. What is kept from one call to the next, in a dict or by `lru_cache`, stays on the "
        "device of the first.",
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
    "wrong-dtype: from sizes only": (
        "The result has another dtype than asked for",
        "The numbers are right. What is made of numbers alone comes in float32.",
    ),
}
"""Said of a right computation that breaks a rule of the contract: misconception id → (title, explanation)."""

PROPERTIES: dict[str, tuple[str, str]] = {
    "value": ("That is not the number", "Work it out part by part, and write down each."),
    "form": (
        "Something else is returned than asked for",
        "The docstring says what is returned, and in what order.",
    ),
    "nothing returned": (
        "Nothing is returned",
        "The function works something out and ends without a `return`, so that whoever calls it gets None.",
    ),
    "order": ("The results come in another order", "The docstring says which comes first."),
    "type": ("Something else is returned than numbers", "The docstring says what is returned."),
    "plain number": (
        "A plain number is returned, not a tensor",
        "`.item()`, `float(…)` and NumPy take a number out of its tensor. Leave it in: a tensor without axes is one "
        "number as well.",
    ),
    "shape": ("The shape is wrong", "The docstring gives the shape of each result."),
    "nan": ("The result holds NaN", "Look for 0/0, ∞ − ∞ or exp of something large."),
    "nan: nothing allowed": (
        "A query that may attend to nothing gives NaN",
        "A softmax over nothing but −∞ is 0/0. In this course such a query gets weights of 0 and an output of 0.",
    ),
    "blocked weight": (
        "A blocked position has a weight",
        "Where `allowed` is False, the weight is exactly 0.",
    ),
    "precision": (
        "The numbers are right to the precision of float32 only",
        "The inputs are float64, which holds about 16 digits, and about 7 of the result's are right. Somewhere on the "
        "way a number is rounded to float32. `.float()` does that. So does a tensor that the code makes itself, which "
        "is float32 unless it is given a dtype, as in `torch.sqrt(torch.tensor(d))`; `math.sqrt(d)` keeps all digits. "
        "A small number that is added so that nothing is divided by 0, such as 1e-9, shows in these digits as well.",
    ),
    "row sums": (
        "The weights do not sum to 1",
        "They sum to 1 along the axis of the softmax: in attention over the keys, for each query.",
    ),
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
    "strides": (
        "It goes wrong with a tensor that is not contiguous",
        "A transpose moves no number in memory. What it gives is called not contiguous: it looks like any other "
        "tensor, but its numbers do not lie row after row. `.reshape` takes such a tensor and `.view` does not; "
        "`.contiguous()` makes a copy that both take.",
    ),
    "mask": ("It holds without a mask, but not with one", "True in `allowed` means that a query may attend."),
    "padding": (
        "It holds without padding, but not with it",
        "What is padding must not count, however much there is.",
    ),
    "rows of different lengths": (
        "It goes wrong where the rows of a batch end at different lengths",
        "A row that has ended waits for the others. It gets end tokens until all have ended.",
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
        "The exercise asks you to do without it. It may be the whole n × n matrix, all of its blocks at once, or the "
        "keys or values of all heads. A product `@` may make one as well: where one factor has an axis of length 1 in "
        "front and the other a longer one, torch may copy the first to that length. `einsum` makes no such copy.",
    ),
    "first token": (
        "It goes wrong at the first token, where there is no cache",
        "The first token has none before it: it attends to itself alone, and the new cache holds its key and value.",
    ),
    "cache": (
        "It holds without a cache, but not with one",
        "A cache holds the keys and values of all tokens before these. The new tokens come behind them: in the cache, "
        "in their positions, and in what they may see.",
    ),
    "greedy": (
        "It goes wrong at temperature 0",
        "The lower the temperature, the more of the probability goes "
        "to the most probable token. At 0 it gets all of it.",
    ),
    "top_k": (
        "It holds without top_k, but not with it",
        "The k most probable tokens are kept. The others get 0, and what is kept is scaled to sum to 1.",
    ),
    "top_p": (
        "It holds without top_p, but not with it",
        "Go through the tokens from the most probable to the least, and stop as soon as the sum reaches p.",
    ),
    "top_k and top_p": (
        "top_k and top_p are each right, but not together",
        "top_p works on what top_k has left: probabilities of k tokens that sum to 1.",
    ),
    "last block": (
        "It goes wrong where the blocks do not come out even",
        "The last block may be shorter than the others, and a single block longer than the sequence.",
    ),
    "scattered documents": (
        "It goes wrong where a document is interrupted",
        "The tokens of a document need not stand in one piece: between two of them there may be tokens of another.",
    ),
    "nothing to find": (
        "It goes wrong where a token has nothing to find",
        "A token that asks for a feature which no token has spreads its weight evenly over all tokens. So does every "
        "token that does not ask. Which scores give equal weights?",
    ),
    "long sequences": (
        "It holds for short sequences, but not for long ones",
        "The tokens that should get no weight all get a little. The more of them there are, the more that is together.",
    ),
    "one feature": (
        "It goes wrong where `asks` equals `finds`",
        "A token may look for tokens of its own kind. It is one of them itself.",
    ),
    "axis": ("It holds for the last axis, but not for another", "The caller chooses the axis."),
    "other sequence": (
        "It holds for one sequence, but not for two",
        "Queries come from the first sequence, keys and values from the other, which may have another length. A "
        "missing key is the query, a missing value is the key.",
    ),
    "dtypes": (
        "It goes wrong in another dtype",
        "float16, bfloat16, float32 and float64 are all asked for. A few of torch's functions are missing in bfloat16.",
    ),
    "dtype": CONTRACT_WORDS["wrong-dtype"],
    "evaluation mode": (
        "The module does not give the same twice",
        "There is no dropout here, so training and evaluation mode agree, and a call leaves the weights as they are.",
    ),
    "gradients: nan": (
        "The gradient is NaN",
        "The numbers are right, but NaN flows back. On the way there is a NaN or an infinity that is replaced "
        "afterwards, with `nan_to_num` or `where`. That mends the numbers and not the gradient, since 0 · NaN is NaN. "
        "A softmax over nothing but −∞ is such a place. `masked_fill` before it stops the gradient there; a mask of "
        "−∞ that is added does not.",
    ),
    "gradients": (
        "The gradient is not right",
        "The numbers are right, but what flows back through them is not. Look for branches that cut it, and for NaN.",
    ),
}
"""A property that does not hold → (title, explanation)."""

NEXT: dict[str, str] = {
    "mask": "the mask",
    "padding": "the padding",
    "values": "the formula once more",
    "nothing allowed": "queries that may attend to nothing",
    "large scores": "large scores",
    "dtypes": "other dtypes",
    "leading dimensions": "the axes in front",
    "strides": "tensors that are not contiguous",
    "edges": "the smallest and the largest size",
    "alignment": "queries and keys that differ in number",
    "noise": "costs with noise",
    "odd d_model": "an odd d_model",
    "base": "the base",
    "positions": "the positions",
    "clipping": "what lies beyond the table",
    "memory": "the size of the tensors on the way",
    "first token": "the first token",
    "cache": "the cache",
    "greedy": "temperature 0",
    "top_k": "top_k",
    "top_p": "top_p",
    "top_k and top_p": "top_k and top_p together",
    "last block": "the last block",
    "axis": "the axis",
    "other sequence": "the other sequence",
    "rows of different lengths": "rows that end at different lengths",
    "nothing to find": "tokens that have nothing to find",
    "long sequences": "long sequences",
    "one feature": "tokens that ask for their own feature",
    "scattered documents": "documents that stand in several pieces",
}
"""Property → what is to be looked at next, where another mistake is named first: "then look at …"."""
