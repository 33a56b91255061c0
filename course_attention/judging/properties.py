"""The table of properties: what is looked at in an answer, what it is worth, and what is said where it does not hold.

Points follow what was understood. The numbers in plain cases weigh most and the edges least. A right shape is worth
nothing by itself. An exercise may give weights of its own (`Exercise.weights`), and a course may change either.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Property:
    """One thing that holds of an answer or does not.

    Attributes:
        name: what cards and result files call it.
        weight: what it is worth, where an exercise says nothing else.
        title: what is said where it does not hold and no misconception explains that, in a line without a full stop.
        explanation: more about that, without the code that is right.
        next: what is to be looked at next, where another mistake is named first: "then look at …". "" where no case
            looks at it.
        edge: its cases look at a limit. They say little about the idea behind an answer.
        misconception: the id that an answer is named by which breaks this rule of the contract; "" where it has none.
    """

    name: str
    weight: float
    title: str
    explanation: str
    next: str = ""
    edge: bool = False
    misconception: str = ""


# Plain cases: is the formula right?

VALUES = Property(
    "values",
    6.0,
    "The numbers are not right",
    "Work the smallest case by hand, step by step, beside your code.",
    next="the formula once more",
)
VALUE = Property(
    "value",
    6.0,
    "That is not the number",
    "Work it out part by part, and write down each.",
)

# Of an answer that is a test of functions.

RIGHT_FUNCTIONS_ACCEPTED = Property(
    "right functions accepted",
    6.0,
    "A right function is refused",
    "There are many right ways to write it, and each rounds in its own way. Which of your comparisons does it fail?",
)
WRONG_FUNCTIONS_REFUSED = Property(
    "wrong functions refused",
    6.0,
    "A wrong function is accepted",
    "It is right for every input that your test tries. For which input would it show?",
)

# What the exercise is about beside the formula.

MASK = Property(
    "mask",
    3.0,
    "It holds without a mask, but not with one",
    "True in `allowed` means that a query may attend. A blocked key gets a weight of 0, and the weights of the "
    "allowed ones sum to 1. Take a row in which the results differ: which keys may its query see? Where the mask "
    "has an axis for them, each query and each item of a batch has a mask of its own.",
    next="the mask",
)
ADDED_BIAS = Property(
    "added bias",
    3.0,
    "It holds without a bias, but not with one",
    "The bias is added to the scores. Where it is 0, a query may attend. Where it is the most negative number of its "
    "dtype, or −∞, the weight is exactly 0.",
    next="the bias",
)
PADDING = Property(
    "padding",
    3.0,
    "It holds without padding, but not with it",
    "What is padding must not count, however much there is.",
    next="the padding",
)
OTHER_SEQUENCE = Property(
    "other sequence",
    3.0,
    "It holds for one sequence, but not for two",
    "Queries come from the first sequence, keys and values from the other, which may have another length. A "
    "missing key is the query, a missing value is the key.",
    next="the other sequence",
)
ALIGNMENT = Property(
    "alignment",
    3.0,
    "It goes wrong where queries and keys differ in number",
    "The last query belongs to the last key. Each query before it sees one key less, and where there are more queries "
    "than keys, the first queries see none.",
    next="queries and keys that differ in number",
)
NOTHING_TO_FIND = Property(
    "nothing to find",
    3.0,
    "It goes wrong where a token has nothing to find",
    "A token that asks for a feature which no token has spreads its weight evenly over all tokens. So does "
    "every token that does not ask. Which scores give equal weights?",
    next="tokens that have nothing to find",
)
ROWS_OF_DIFFERENT_LENGTHS = Property(
    "rows of different lengths",
    3.0,
    "It goes wrong where the rows of a batch end at different lengths",
    "A row that has ended waits for the others. It gets end tokens until all have ended.",
    next="rows that end at different lengths",
)
CACHE = Property(
    "cache",
    3.0,
    "It holds without a cache, but not with one",
    "A cache holds the keys and values of all tokens before these. The new tokens come behind them: in the "
    "cache, in their positions, and in what they may see.",
    next="the cache",
)
TOP_K = Property(
    "top_k",
    3.0,
    "It holds without top_k, but not with it",
    "The k most probable tokens are kept. The others get 0, and what is kept is scaled to sum to 1.",
    next="top_k",
)
TOP_P = Property(
    "top_p",
    3.0,
    "It holds without top_p, but not with it",
    "Go through the tokens from the most probable to the least, and stop as soon as the sum reaches p.",
    next="top_p",
)
GREEDY = Property(
    "greedy",
    2.0,
    "It goes wrong at temperature 0",
    "The lower the temperature, the more of the probability goes to the most probable token. At 0 it gets all of it.",
    next="temperature 0",
)
TOP_K_AND_TOP_P = Property(
    "top_k and top_p",
    2.0,
    "top_k and top_p are each right, but not together",
    "top_p works on what top_k has left: probabilities of k tokens that sum to 1.",
    next="top_k and top_p together",
)
SCATTERED_DOCUMENTS = Property(
    "scattered documents",
    3.0,
    "It goes wrong where a document is interrupted",
    "The tokens of a document need not stand in one piece: between two of them there may be tokens of another.",
    next="documents that stand in several pieces",
)
SINKS = Property(
    "sinks",
    3.0,
    "It holds without sinks, but not with them",
    "A sink is one of the first n_sinks tokens. It stays visible to itself and to every token after it, "
    "beside the window.",
    next="the sinks",
)
AXIS = Property(
    "axis",
    2.0,
    "It holds for the last axis, but not for another",
    "The caller chooses the axis, and each step of the softmax that has an axis runs along that one.",
    next="the axis",
)
POSITIONS = Property(
    "positions",
    2.0,
    "It holds for positions 0, 1, 2 …, but not for others",
    "Tokens may stand anywhere and in any order, and several at one position.",
    next="the positions",
)
CLIPPING = Property(
    "clipping",
    2.0,
    "It goes wrong beyond the reach of the table",
    "A table of 2·r + 1 entries reaches from offset −r to r. What lies beyond gets the entry at its end.",
    next="what lies beyond the table",
)
LAST_BLOCK = Property(
    "last block",
    2.0,
    "It goes wrong where the blocks do not come out even",
    "The last block may be shorter than the others, and a single block longer than the sequence.",
    next="the last block",
)
MEMORY = Property(
    "memory",
    2.0,
    "The numbers are right, but a large tensor is made on the way",
    "The exercise asks you to do without it. It may be the whole n × n matrix, all of its blocks at once, or "
    "the keys or values of all heads. A product `@` may make one as well: where one factor has an axis of "
    "length 1 in front and the other a longer one, torch may copy the first to that length. `einsum` makes no"
    " such copy.",
    next="the size of the tensors on the way",
    edge=True,
)
NOISE = Property(
    "noise",
    2.0,
    "It holds for exact powers, but not for costs with noise",
    "Measured costs lie beside the line, some above it and some below. Every point has its say in the slope.",
    next="costs with noise",
)
LONG_SEQUENCES = Property(
    "long sequences",
    2.0,
    "It holds for short sequences, but not for long ones",
    "A table or a buffer may end before the sequence does, what is carried on may be lost on the way, or many "
    "small weights may add up to a large one. Try 300 tokens.",
    next="long sequences",
)
MANY_POSITIONS = Property(
    "many positions",
    2.0,
    "It holds for short sequences, but not for long ones",
    "Among many tokens, one has to stand out. A fast pair of channels comes back to nearly the same angle after a few "
    "positions, and a slow pair hardly tells neighbours apart: it takes several pairs to find one position. How many "
    "of the d_model channels take part? Many small weights may also add up to a large one.",
    next="long sequences",
)
LEADING_DIMENSIONS = Property(
    "leading dimensions",
    1.0,
    "It does not hold for every number of leading dimensions",
    "There may be none, one or several axes before the ones that the docstring names. Count axes from the end, and "
    "turn round the last two alone: `.T` turns round all of them, `.mT` the last two. Each item along the axes in "
    "front is worked out as if it came alone: nothing of one item may reach another.",
    next="the axes in front",
)
EQUAL_INDEX_SCORES = Property(
    "equal index scores",
    1.0,
    "It goes wrong where index scores are equal",
    "Of equal index scores the first counts, and k keys are taken in all. `topk` does not promise that; a stable sort "
    "keeps equal ones in their order.",
    next="equal index scores",
)
BASE = Property(
    "base",
    1.0,
    "It holds for base 10000, but not for another",
    "The caller chooses the base.",
    next="the base",
)
ONE_FEATURE = Property(
    "one feature",
    1.0,
    "It goes wrong where `asks` equals `finds`",
    "A token may look for tokens of its own kind. It is one of them itself.",
    next="tokens that ask for their own feature",
)
ODD_D_MODEL = Property(
    "odd d_model",
    1.0,
    "It holds for an even d_model, but not for an odd one",
    "The last channel is then a sine without its cosine: there is one cosine fewer than there are sines.",
    next="an odd d_model",
)
FIRST_TOKEN = Property(
    "first token",
    1.0,
    "It goes wrong at the first token, where there is no cache",
    "The first token has none before it: it attends to itself alone, and the new cache holds its key and value.",
    next="the first token",
)

# Edges.

EDGES = Property(
    "edges",
    0.5,
    "It goes wrong at the smallest or the largest size",
    "Try the smallest and the largest that each argument may be: a single token, a length of 0, a width that "
    "reaches over the whole sequence, a share of 1, numbers that 32 bits do not hold.",
    next="the smallest and the largest size",
    edge=True,
)
NOTHING_ALLOWED = Property(
    "nothing allowed",
    0.5,
    "A query that may attend to nothing comes out wrong",
    "In this course such a query gets weights of 0 and an output of 0.",
    next="queries that may attend to nothing",
    edge=True,
)
LARGE_SCORES = Property(
    "large scores",
    0.5,
    "It goes wrong with large scores",
    "The weights of a row depend on the differences of its own scores alone. A number that is taken off all rows alike "
    "may leave nothing of a row far below the others, and a limit that cuts off large scores changes the differences.",
    next="large scores",
    edge=True,
)
STRIDES = Property(
    "strides",
    0.5,
    "It goes wrong with a tensor that is not contiguous",
    "A transpose moves no number in memory. What it gives is called not contiguous: it looks like any other "
    "tensor, but its numbers do not lie row after row. `.reshape` takes such a tensor and `.view` does not; "
    "`.contiguous()` makes a copy that both take.",
    next="tensors that are not contiguous",
    edge=True,
)
WHOLE_SCORES = Property(
    "whole scores",
    0.25,
    "It goes wrong with whole numbers",
    "Whole numbers are scores as well, and the result is float64. torch's softmax takes floating numbers alone. An "
    "array of whole numbers that is filled with weights cuts off what stands behind the point.",
    next="whole numbers",
    edge=True,
)
DTYPES = Property(
    "dtypes",
    0.25,
    "It goes wrong in another dtype",
    "float16, bfloat16, float32 and float64 are all asked for. A few of torch's functions are missing in bfloat16.",
    next="other dtypes",
    edge=True,
)

# The contract, which is looked at once all numbers are right.

INPUTS_UNCHANGED = Property(
    "inputs unchanged",
    1.0,
    "An input is changed",
    "The caller's own tensor was written to. Whoever uses it next gets other numbers. Methods that end in an "
    "underscore, `+=` and assignments to an index all write in place.",
    misconception="input-changed",
)
GRADIENTS = Property(
    "gradients",
    1.0,
    "The gradient is not right",
    "The numbers are right, but what flows back through them is not. A part of the way back is cut, as `.detach()` and "
    "`torch.no_grad()` do, or something else than the numbers show is differentiated.",
    misconception="detached",
)
DTYPE = Property(
    "dtype",
    0.5,
    "The result has another dtype than asked for",
    "The numbers are right. The dtype should be that of the inputs, whichever it is.",
    misconception="wrong-dtype",
)
DEVICE = Property(
    "device",
    0.5,
    "The answer works on the CPU alone",
    "With its inputs on a GPU it fails, or its result stays on the CPU. A new tensor needs the device of the "
    "inputs. NumPy cannot read a tensor that is on a GPU, and `apply_` and `map_` cannot change one; torch's "
    "other functions work on both. What is kept from one call to the next, in a dict or by `lru_cache`, stays"
    " on the device of the first.",
    misconception="wrong-device",
)
EVALUATION_MODE = Property(
    "evaluation mode",
    0.5,
    "The module does not give the same twice",
    "There is no dropout here, so training and evaluation mode agree, and a call leaves the weights as they are.",
)

# The form of the results.

SHAPE = Property(
    "shape",
    0.0,
    "The shape is wrong",
    "The docstring gives the shape of each result.",
)

PROPERTIES: tuple[Property, ...] = tuple(one for one in list(globals().values()) if isinstance(one, Property))
"""All of the above."""
