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
LISTS = Fault(
    "Numbers in lists are returned, and not a tensor",
    "The docstring asks for a tensor. `torch.tensor(…)` makes one of lists that are equally long, and `np.array(…)` an "
    "array where one is asked for.",
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
    "A result has another type than asked for",
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
UNSTEADY = Fault(
    "The same inputs give something else at every call",
    "Nothing is to be drawn at random here. Is there a dropout, or `torch.multinomial`, or a tensor that begins with "
    "random numbers, or with what happened to be in memory, as `torch.empty` does?",
)
FIRST_ITEM = Fault(
    "It holds for the first item of a batch, but not for the others",
    "Each item has numbers of its own. Does the code take the first item where it should take the whole batch, as an "
    "index such as `x[0]` does?",
)
ONE_ITEM = Fault(
    "It holds for one item, but not for a batch of several",
    "Each item of a batch is worked out as if it came alone: nothing of one item may reach another. Work out the first "
    "item by hand, as if the others were not there.",
)
NAN = Fault(
    "The result holds NaN",
    "Look for 0/0, ∞ − ∞, 0 · ∞, exp of something large, or the logarithm or the root of a number below 0.",
)
NAN_NOTHING_ALLOWED = Fault(
    "A query that may attend to nothing gives NaN",
    "A softmax over nothing but −∞ is 0/0. In this course such a query gets weights of 0 and an output of 0.",
)
BLOCKED_WEIGHT = Fault(
    "A blocked position has a weight",
    "Where `allowed` is False, the weight is exactly 0.",
)
WITHOUT_WEIGHT = Fault(
    "A position that is not blocked has a weight of 0",
    "Each key that a query may attend to gets a weight larger than 0. Which line of the code blocks this one, or "
    "leaves it out?",
)
BESIDE_NOTHING_ALLOWED = Fault(
    "Where one query may attend to nothing, others come out wrong",
    "The query that may attend to nothing gets its zeros. Another one of the same case does not come out right. What "
    "is done for the first must leave the others as they are.",
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
GRADIENTS_RAISED = Fault(
    "The gradient cannot be taken",
    "The numbers are right, but on the way back torch raises an error.",
)

DETACHED = Fault(
    "No gradient reaches an input",
    "The numbers are right, but the gradient does not flow back to every input. What comes before that one could not "
    "be trained. "
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
