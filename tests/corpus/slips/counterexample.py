"""Answers to the practice `counterexample()` of notebook 09."""

import torch

from tests.corpus import change

def right__by_hand():
    one = torch.tensor([[1.0]])
    return {
        "blocks_by_product": (torch.tensor([[0.0]]), one, one, torch.tensor([[True]])),
        "without_overflow": (torch.tensor([[1.0], [-1000.0]]), one, one, None),
        "takes_padding": (
            torch.ones(2, 2, 1),
            torch.ones(2, 2, 1),
            torch.tensor([[[1.0], [2.0]], [[3.0], [4.0]]]),
            torch.tensor([[True, False], [True, True]]),
        ),
    }

def right__not_small():
    """Right inputs need not be small. The mask for padding is a causal one, as in self-attention."""
    g = torch.Generator().manual_seed(3)
    query, key, value = (torch.randn(5, 4, generator=g, dtype=torch.float64) for _ in range(3))
    orthogonal = torch.eye(4, dtype=torch.float64)
    far = query * torch.tensor([[1.0], [1.0], [1.0], [1.0], [1e5]], dtype=torch.float64)
    texts = torch.randn(5, 5, 4, generator=g, dtype=torch.float64)
    return {
        "takes_padding": (texts, texts, texts, torch.ones(5, 5).bool().tril()),
        "without_overflow": (far, key, value, None),
        "blocks_by_product": (orthogonal, orthogonal, orthogonal, torch.ones(4, 4).bool().tril()),
    }

def right__in_a_batch():
    """The rows that are far apart are those of two texts; the mask is left out where there is none."""
    query = torch.tensor([[[0.0]], [[2000.0]]])
    ones = torch.ones_like(query)
    padding = torch.eye(2, dtype=torch.bool)
    counterexamples = dict.fromkeys(["blocks_by_product"], (query, ones, ones, torch.ones(1, 1).bool()))
    counterexamples["without_overflow"] = query, ones, ones
    counterexamples["takes_padding"] = *[torch.rand(2, 2, 3, dtype=torch.float64) for _ in range(3)], padding
    return counterexamples

# The value is 0, so that only the weights differ.
right__weights_alone = change(right__by_hand, ("(torch.tensor([[0.0]]), one, one,", "(0 * one, one, 0 * one,"))
# A query for which nothing is allowed, and a score of 0 beside it.
right__with_an_empty_row = change(
    right__by_hand,
    (
        "(torch.tensor([[0.0]]), one, one, torch.tensor([[True]]))",
        "(torch.zeros(2, 1), one, one, torch.tensor([[True], [False]]))",
    ),
)
# exp(−1000) is 0 in float64 as well.
right__in_float64 = change(
    right__by_hand,
    (
        "(torch.tensor([[1.0], [-1000.0]]), one, one, None)",
        "tuple(x.double() for x in (torch.tensor([[1.0], [-1000.0]]), one, one))",
    ),
)

wrong__counterexample_missing__1 = change(
    right__by_hand,
    ('"without_overflow": (torch.tensor([[1.0], [-1000.0]]), one, one, None),', ""),
)
# The first input is there, and the others are still to come.
wrong__counterexample_missing__2 = change(
    right__by_hand,
    ("(torch.tensor([[1.0], [-1000.0]]), one, one, None)", "(..., ..., ..., ...)"),
)
# One input is there, and it shows its mistake.
def wrong__counterexample_missing__3():
    one = torch.tensor([[1.0]])
    return {"without_overflow": (torch.tensor([[1.0], [-1000.0]]), one, one, None)}

# One input is there, and it is 500 apart, where exp gives no 0 in float64: the card speaks of it, not of the others.
def wrong__largest_agrees__3():
    rows = torch.tensor([[500.0], [0.0]], dtype=torch.float64)
    return {"without_overflow": (rows, torch.ones(1, 1).double(), torch.ones(1, 1).double(), None)}

# Lists in place of tensors.
wrong__counterexample_not_tensors__1 = change(
    right__by_hand,
    ("(torch.tensor([[0.0]]), one, one, torch.tensor([[True]]))", "([[0.0]], [[1.0]], [[1.0]], [[True]])"),
)
# The mask comes first.
wrong__counterexample_not_tensors__2 = change(
    right__by_hand,
    ("(torch.tensor([[1.0], [-1000.0]]), one, one, None)", "(None, torch.tensor([[1.0], [-1000.0]]), one, one)"),
)
wrong__counterexample_whole_numbers__1 = change(
    right__by_hand, ("torch.tensor([[1.0], [-1000.0]])", "torch.tensor([[1], [-1000]])")
)
wrong__counterexample_two_dtypes__1 = change(
    right__by_hand, ("torch.tensor([[1.0], [-1000.0]])", "torch.tensor([[1.0], [-1000.0]], dtype=torch.float64)")
)
wrong__counterexample_flat__1 = change(right__by_hand, ("torch.tensor([[0.0]])", "torch.tensor([0.0])"))
wrong__counterexample_empty__1 = change(
    right__by_hand, ("torch.tensor([[1.0], [-1000.0]])", "torch.ones(0, 1)")
)
# There is one query, and the mask has a row for each of two.
wrong__counterexample_refused__1 = change(
    right__by_hand,
    ("torch.ones(2, 2, 1),\n            torch.ones(2, 2, 1)", "torch.ones(2, 1, 1),", "torch.ones(2, 2, 1)"),
)
# Numbers in the mask.
wrong__counterexample_refused__2 = change(right__by_hand, ("torch.tensor([[True]])", "torch.tensor([[1.0]])"))
# exp overflows in both, because the score itself is infinite.
wrong__counterexample_infinite__1 = change(right__by_hand, ("-1000.0", "torch.inf"))
# Random numbers of different sizes, as above.
wrong__product_agrees__1 = change(
    right__by_hand,
    (
        "(torch.tensor([[0.0]]), one, one, torch.tensor([[True]]))",
        "(torch.randn(3, 2), torch.randn(4, 2), torch.randn(4, 5), torch.rand(3, 4) < 0.5)",
    ),
)
# The mask allows nothing, so the zeros are right.
wrong__product_agrees__2 = change(right__by_hand, ("[[True]]", "[[False]]"))
wrong__product_without_mask__1 = change(right__by_hand, ("torch.tensor([[True]])", "None"))
# One large score, as for `by_hand`.
wrong__largest_of_one_row__1 = change(right__by_hand, ("[[1.0], [-1000.0]]", "[[1000.0]]"))
# Both rows are large.
wrong__largest_agrees__1 = change(right__by_hand, ("-1000.0", "10.0"))
# Large scores, and as large in every row.
wrong__largest_agrees__2 = change(right__by_hand, ("[[1.0], [-1000.0]]", "[[5000.0], [5000.0]]"))
wrong__padding_without_mask__1 = change(right__by_hand, ("torch.tensor([[True, False], [True, True]])", "None"))
# As many queries as keys, but no batch.
wrong__padding_without_batch__1 = change(
    right__by_hand,
    ("torch.ones(2, 2, 1),\n            torch.ones(2, 2, 1)", "torch.ones(2, 1),", "torch.ones(2, 1)"),
    ("torch.tensor([[[1.0], [2.0]], [[3.0], [4.0]]])", "torch.tensor([[1.0], [2.0]])"),
)
# A mask for each text and each query.
wrong__padding_not_met__1 = change(
    right__by_hand, ("[[True, False], [True, True]]", "[[[True, False], [True, True]]] * 2")
)
# All queries see the same keys.
wrong__padding_agrees__1 = change(right__by_hand, ("[[True, False], [True, True]]", "[[True, False], [True, False]]"))

# A list in place of a dict.
wrong__counterexample_no_dict__1 = change(
    right__in_a_batch, ("return counterexamples", "return list(counterexamples.values())")
)
# A text in place of a number.
extra__raises = change(right__by_hand, ("one = torch.tensor([[1.0]])", 'one = torch.tensor([["1"]])'))
# It uses a function that the notebook does not have.
extra__not_defined = change(right__by_hand, ("torch.tensor([[True]])", "mask([[True]])"))
