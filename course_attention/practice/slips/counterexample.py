"""Inputs at which functions are wrong that random inputs do not tell from attention."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.slips.outcome import DIFFER, NONE_MISSING, missing, tried
from course_attention.practice.slips.plausible import PLAUSIBLE


def counterexample():
    """A score of exactly 0; a row far below the largest score of all; as many texts, which share a key, as queries."""
    one = torch.ones(1, 1)
    return {
        "blocks_by_product": (torch.zeros(1, 1), one, one, torch.tensor([[True]])),
        "without_overflow": (torch.tensor([[0.0], [1000.0]]), one, one, None),
        "takes_padding": (torch.ones(2, 2, 1), one, one, torch.tensor([[True], [False]])),
    }


def with_input(name: str, found: Any) -> Callable[[], Any]:
    """Return an answer that is right but for one input."""

    def wrong():
        return {**counterexample(), name: found}

    return wrong


def without(*names: str) -> Callable[[], Any]:
    """Return an answer that leaves these inputs out."""

    def wrong():
        return {name: found for name, found in counterexample().items() if name not in names}

    return wrong


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a trial for each of the three functions, and last one for the inputs that are missing."""
    for name in PLAUSIBLE:
        yield Trial(f"the input for {name}", {}, DIFFER, run=partial(tried, name))
    yield Trial("an input for each function", {}, NONE_MISSING, run=missing)


def _wherever(found: Any) -> tuple[Callable[[], Any], ...]:
    """Return answers in which this is the input for one of the functions."""
    return tuple(with_input(name, found) for name in PLAUSIBLE)


_ONE, _TWO = torch.ones(1, 1), torch.ones(2, 1)

PRACTICE = Practice(
    name="counterexample",
    prompt="For each of three functions, the smallest input that shows that it is not attention.",
    minutes=8,
    hints=(
        "Read each function beside `right`, and look for the one line that differs. For which inputs does this line do "
        "what it should? The random inputs are all of this kind.",
        "`blocks_by_product`: which scores does its second line under `if` block? `without_overflow`: from how many "
        "rows does it take the largest score? `takes_padding`: for which sizes does a mask (n_queries, n_keys) look "
        "like one with a row for each text?",
        "With d_key 1 a score is one product. Return "
        '`{"blocks_by_product": (query, key, value, allowed), "without_overflow": …, "takes_padding": …}`. The first '
        "input needs a score of 0 that the mask allows. The second needs two queries, one with a score of 0 and one "
        "with a score of 1,000. The third needs as many texts as queries, and a mask whose rows differ.",
    ),
    given=counterexample,
    trials=trials,
    returns=("what came",),
    misconceptions={
        "counterexample-no-dict": Misconception(
            "The inputs are not in a dict",
            "Return a dict with an entry for each function. Its key is the function's name, as a text.",
            (lambda: [*counterexample().values()],),
        ),
        "counterexample-missing": Misconception(
            "An input is missing",
            "Each input that is there shows its mistake. The dict needs one for each of the three names: query, key, "
            "value, and a mask or None.",
            tuple(without(*names) for n in (1, 2, 3) for names in combinations(PLAUSIBLE, n)),
        ),
        "counterexample-not-tensors": Misconception(
            "An entry is not query, key, value and a mask",
            "Each entry is a tuple of four: three tensors, and a mask or None, in this order. `torch.tensor([[1.0]])` "
            "makes a tensor of nested lists.",
            _wherever([[[0.0]], [[1.0]], [[1.0]], None]),
        ),
        "counterexample-whole-numbers": Misconception(
            "A query, key or value holds whole numbers",
            "`torch.tensor([[1]])` is a tensor of integers, with which attention does not compute. Write `[[1.0]]`.",
            _wherever((_ONE.long(), _ONE, _ONE, None)),
        ),
        "counterexample-two-dtypes": Misconception(
            "Query, key and value have different dtypes",
            "`torch.tensor([[1.0]])` is float32, and the notebook's `random` gives float64. Write "
            "`torch.tensor([[1.0]]).double()`, or `.float()` behind the other.",
            _wherever((_ONE.double(), _ONE, _ONE, None)),
        ),
        "counterexample-flat": Misconception(
            "A vector is given where a matrix is expected",
            "Query, key and value have at least two axes, also where there is one token with one number: `[[1.0]]`, "
            "and not `[1.0]`.",
            _wherever((_ONE[0], _ONE, _ONE, None)),
        ),
        "counterexample-empty": Misconception(
            "An axis has size 0",
            "The smallest input has one query, one key and one number for each.",
            _wherever((_ONE, _ONE[:0], _ONE[:0], None)),
        ),
        "counterexample-refused": Misconception(
            "The right function does not take this input",
            "It takes query (..., n_queries, d_key), key (..., n_keys, d_key), value (..., n_keys, d_value), with axes "
            "in place of the dots that fit together, and a boolean mask that broadcasts to "
            "(..., n_queries, n_keys). A function can only be wrong where there is a right answer.",
            _wherever((_ONE, _TWO.mT, _ONE, None)),
        ),
        "counterexample-infinite": Misconception(
            "The right function gives NaN or ∞ there as well",
            "A function can only be wrong where there is a right answer. Take numbers that are finite, and whose "
            "products are.",
            _wherever((_ONE * torch.inf, _ONE, _ONE, None)),
        ),
        "product-without-mask": Misconception(
            "At your input, `blocks_by_product` is right, because there is no mask",
            "The two lines that differ from the right ones only run where there is a mask.",
            (with_input("blocks_by_product", (_ONE, _ONE, _ONE, None)),),
        ),
        "product-agrees": Misconception(
            "At your input, `blocks_by_product` is right",
            "Its first line makes every blocked score 0, and its second line blocks every score that is 0. What would "
            "have to be true of a score so that it is blocked, although the mask allows it?",
            (with_input("blocks_by_product", (_ONE, _ONE, _ONE, torch.tensor([[True]]))),),
        ),
        "largest-of-one-row": Misconception(
            "At your input, `without_overflow` is right, because there is one row of scores",
            "With one query, the largest of all scores is also the largest of its row, and subtracting it is right.",
            (with_input("without_overflow", (_ONE, _ONE, _ONE, None)),),
        ),
        "largest-agrees": Misconception(
            "At your input, `without_overflow` is right",
            "It subtracts the largest of all scores from every row. That does not change the weights of a row, as long "
            "as `exp` gives numbers that are not 0. How far below the largest of all would a whole row have to be, so "
            "that `exp` gives 0 for all its scores?",
            (with_input("without_overflow", (_TWO, _ONE, _ONE, None)),),
        ),
        "padding-without-mask": Misconception(
            "At your input, `takes_padding` is right, because there is no mask",
            "The line that differs from the right ones only runs where there is a mask.",
            (with_input("takes_padding", (_ONE[None], _ONE[None], _ONE[None], None)),),
        ),
        "padding-without-batch": Misconception(
            "At your input, `takes_padding` is right, because there is no batch",
            "The line that differs from the right ones only runs for a query with three axes. The first of them "
            "counts texts.",
            (with_input("takes_padding", (_ONE, _ONE, _ONE, torch.tensor([[True]]))),),
        ),
        "padding-not-met": Misconception(
            "At your input, `takes_padding` is right, because the condition of its `if` is not met",
            "With a query of three axes, the function takes a mask (batch, n_keys) for one of padding. Your input "
            "is not like that. When does an ordinary mask, (n_queries, n_keys), have the shape (batch, n_keys) as "
            "well?",
            (with_input("takes_padding", (_TWO[None], _ONE[None], _ONE[None], torch.ones(2, 1).bool())),),
        ),
        "padding-agrees": Misconception(
            "At your input, `takes_padding` is right, although it takes your mask for one of padding",
            "The mask is taken for a row for each text, where it has a row for each query. Here that gives the same. "
            "Does it, if the rows differ?",
            (
                with_input(
                    "takes_padding",
                    (torch.ones(2, 2, 1), torch.ones(2, 1, 1), torch.ones(2, 1, 1), torch.ones(2, 1).bool()),
                ),
            ),
        ),
    },
)
