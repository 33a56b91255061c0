"""A property that needs no right answer: values ten times as large must give an output ten times as large."""

from collections.abc import Iterator

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def grows_with_values(formula, values):
    """Values ten times as large give an output ten times as large, up to rounding."""
    return torch.allclose(formula(10 * values), 10 * formula(values))


def stays_as_it_is(formula, values):
    return torch.allclose(formula(10 * values), formula(values))


def is_larger(formula, values):
    return bool((formula(10 * values) > formula(values)).all())


def is_not_smaller(formula, values):
    return bool((formula(10 * values) >= formula(values)).all())


def some_number_is_larger(formula, values):
    return bool((formula(10 * values) > formula(values)).any())


def differs(formula, values):
    return not torch.allclose(formula(10 * values), formula(values))


def to_the_last_digit(formula, values):
    return torch.equal(formula(10 * values), 10 * formula(values))


def by_its_sum(formula, values):
    return torch.allclose(formula(10 * values).sum(), 10 * formula(values).sum())


def by_its_row_sums(formula, values):
    return torch.allclose(formula(10 * values).sum(dim=-1), 10 * formula(values).sum(dim=-1))


def by_its_mean_of_some(formula, values):
    return bool(torch.isclose(formula(10 * values), 10 * formula(values)).any())


def inverted(formula, values):
    return not grows_with_values(formula, values)


def everything(formula, values):
    return True


def nothing(formula, values):
    return False


def each_number(formula, values):
    return torch.isclose(formula(10 * values), 10 * formula(values))


def each_number_exactly(formula, values):
    return formula(10 * values) == 10 * formula(values)


def _unchanged(values):
    return values


def _softmax(values):
    return values.softmax(dim=-1)


def _one_more(values):
    return values + 1


def _ones(values):
    return torch.ones_like(values)


def _shared_by_softmax(values):
    return values.sum(dim=-1, keepdim=True) * values.softmax(dim=-1)


def _averaged(values):
    return torch.tensor([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]], dtype=values.dtype) @ values


def _squared(values):
    return values**2


def _first_alone(values):
    return torch.cat([values[..., :1], values[..., 1:].sign()], dim=-1)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two formulas for two numbers that can be followed, then outputs that grow in part, or in another way."""
    pair = torch.tensor([[1.0, 2.0]])
    yield Trial(
        "the formula gives its values as they are",
        {"formula": _unchanged, "values": pair},
        True,
        says="For 10 and 20 the output is 10 and 20, ten times the output for 1 and 2.",
    )
    yield Trial(
        "the formula is the softmax of its values",
        {"formula": _softmax, "values": pair},
        False,
        says="For 1 and 2 the output is 0.27 and 0.73. For 10 and 20 it is 0.00 and 1.00, and not 2.7 and 7.3.",
    )
    yield Trial(
        "the formula adds 1 to each value",
        {"formula": _one_more, "values": pair},
        False,
        says="For 1 and 2 the output is 2 and 3. For 10 and 20 it is 11 and 21, and not 20 and 30.",
    )
    yield Trial("the formula gives 1 whatever the values", {"formula": _ones, "values": pair}, False)
    yield Trial(
        "the formula gives its values as they are, and they are negative",
        {"formula": _unchanged, "values": -pair},
        True,
    )
    yield Trial("the formula squares its values", {"formula": _squared, "values": pair}, False)
    yield Trial(
        "the formula gives the first value as it is, and the sign of the others",
        {"formula": _first_alone, "values": pair},
        False,
        says="Every number of the output has to grow, and not one of them alone.",
    )
    yield Trial(
        "the formula shares out the sum of a row by a softmax",
        {"formula": _shared_by_softmax, "values": pair},
        False,
        says="The row sums grow with the values here, and the single numbers do not.",
    )
    values = torch.randn(3, 4, generator=generator, dtype=torch.float64)
    yield Trial(
        "the formula is a weighted sum of 3 random values",
        {"formula": _averaged, "values": values},
        True,
        says="The two outputs are equal up to rounding. `torch.allclose` allows for that.",
    )


PRACTICE = Practice(
    name="grows_with_values",
    prompt="Whether the output of a formula is ten times as large when its values are.",
    minutes=4,
    hints=(
        "Call the formula twice: once with the values as they are, and once with `10 * values`. What should the second "
        "output be, if the first is `output`?",
        "`torch.allclose(one, other)` says whether two tensors are equal up to rounding, as one True or False.",
        "It is one line: `return torch.allclose(formula(…), 10 * …)`. Only what the two dots stand for is missing.",
    ),
    given=grows_with_values,
    trials=trials,
    returns=("grows",),
    misconceptions={
        "growth-stays": Misconception(
            "It is True where the output stays the same",
            "The output for `10 * values` is compared with the output for `values`. It should be ten times that.",
            (stays_as_it_is,),
        ),
        "growth-larger": Misconception(
            "It asks whether the output becomes larger, and not whether it becomes ten times as large",
            "An output can become larger in many ways, and a negative output that is ten times as large is a smaller "
            "number. Compare with ten times the output.",
            (is_larger, is_not_smaller, some_number_is_larger),
        ),
        "growth-differs": Misconception(
            "It asks whether the output changes at all",
            "The softmax changes with its values too. Compare with ten times the output.",
            (differs,),
        ),
        "growth-last-digit": Misconception(
            "The last digit decides",
            "Ten times a rounded number is not always the rounded result for ten times the values. `==` and "
            "`torch.equal` allow no rounding, and `torch.allclose` does.",
            (to_the_last_digit,),
        ),
        "growth-sum": Misconception(
            "Only sums are compared",
            "A sum can grow with the values while the numbers in it do not. Compare every number of the output.",
            (by_its_sum, by_its_row_sums),
        ),
        "growth-one-number": Misconception(
            "One number that grows is enough",
            "Every number of the output has to become ten times as large: `all` in place of `any`.",
            (by_its_mean_of_some,),
        ),
        "growth-inverted": Misconception(
            "True and False have changed places",
            "True is asked for where the output does grow with the values.",
            (inverted,),
        ),
        "growth-everything": Misconception(
            "It is True for every formula that was tried",
            "A test that no formula fails says nothing. Is something compared that is always equal, such as shapes?",
            (everything,),
        ),
        "growth-nothing": Misconception(
            "It is False for every formula that was tried",
            "Two outputs are to be compared: the one for `10 * values`, and ten times the one for `values`. Is the "
            "factor missing in one of them, or on one side alone?",
            (nothing,),
        ),
        "growth-each-number": Misconception(
            "There is an answer for each number",
            "One True or False is asked for, for all numbers together. `torch.allclose` gives one.",
            (each_number, each_number_exactly),
        ),
    },
)
