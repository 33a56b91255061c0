"""What else is said of a wrong answer than that a property does not hold: how its results are wrong."""

from typing import NamedTuple


class Fault(NamedTuple):
    """A way in which results are wrong that shows itself, whatever the exercise asks.

    Attributes:
        title: the fault, in a line without a full stop.
        explanation: more about it.
    """

    title: str
    explanation: str


FORM = Fault(
    "Something else is returned than asked for",
    "The docstring says what is returned, and in what order.",
)
NOTHING_RETURNED = Fault(
    "Nothing is returned",
    "The function works something out and ends without a `return`, so that whoever calls it gets None.",
)
ORDER = Fault(
    "The results come in another order",
    "The docstring says which comes first.",
)
TYPE = Fault(
    "Something else is returned than numbers",
    "The docstring says what is returned.",
)
PLAIN_NUMBER = Fault(
    "A plain number is returned, not a tensor",
    "`.item()`, `float(…)` and NumPy take a number out of its tensor. Leave it in: a tensor without axes is "
    "one number as well.",
)
KEPT = Fault(
    "The module keeps something from one call for the next",
    "Alone, each call is right. What was made for the tokens of one call, such as a mask, positions or a cache, is not "
    "right for the tokens of another. Make it anew in each call, or make it once for every length.",
)
NAN = Fault(
    "The result holds NaN",
    "Look for 0/0, ∞ − ∞ or exp of something large.",
)
NAN_NOTHING_ALLOWED = Fault(
    "A query that may attend to nothing gives NaN",
    "A softmax over nothing but −∞ is 0/0. In this course such a query gets weights of 0 and an output of 0.",
)
BLOCKED_WEIGHT = Fault(
    "A blocked position has a weight",
    "Where `allowed` is False, the weight is exactly 0.",
)
PRECISION = Fault(
    "The numbers are right to the precision of float32 only",
    "The inputs are float64, which holds about 16 digits, and about 7 of the result's are right. Somewhere on"
    " the way a number is rounded to float32. `.float()` does that. So does a tensor that the code makes "
    "itself, which is float32 unless it is given a dtype, as in `torch.sqrt(torch.tensor(d))`; `math.sqrt(d)`"
    " keeps all digits. A small number that is added so that nothing is divided by 0, such as 1e-9, shows in "
    "these digits as well.",
)
ROW_SUMS = Fault(
    "The weights do not sum to 1",
    "They sum to 1 along the axis of the softmax: in attention over the keys, for each query.",
)
GRADIENTS_NAN = Fault(
    "The gradient is NaN",
    "The numbers are right, but NaN flows back. On the way there is a NaN or an infinity that is replaced "
    "afterwards, with `nan_to_num` or `where`. That mends the numbers and not the gradient, since 0 · NaN is "
    "NaN. A softmax over nothing but −∞ is such a place. `masked_fill` before it stops the gradient there; a "
    "mask of −∞ that is added does not.",
)

DETACHED = Fault(
    "The result is cut off from its inputs",
    "The numbers are right, but no gradient flows back, so nothing before this step could be trained. "
    "`.detach()`, `.data`, `.item()`, NumPy and `torch.tensor(…)` all cut the graph.",
)
NOT_BOOLEAN = Fault(
    "The mask is not boolean",
    "It says the right thing, in another dtype than torch.bool.",
)
NOT_WHOLE = Fault(
    "The result has another dtype than asked for",
    "The numbers are right. Tokens are whole numbers, and stay torch.int64.",
)
NOT_FLOAT32 = Fault(
    "The result has another dtype than asked for",
    "The numbers are right. What is made of numbers alone comes in float32.",
)
