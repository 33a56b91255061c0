"""The mask with which each measurement is predicted from the others alone."""

from collections.abc import Iterator

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def may_use(n_points):
    """True everywhere but where a measurement would see itself."""
    return ~torch.eye(n_points, dtype=torch.bool)


def sees_everything(n_points):
    return torch.ones(n_points, n_points, dtype=torch.bool)


def sees_itself_alone(n_points):
    return torch.eye(n_points, dtype=torch.bool)


def earlier_ones_alone(n_points):
    return torch.ones(n_points, n_points).tril(-1).bool()


def earlier_ones_and_itself(n_points):
    return torch.ones(n_points, n_points).tril().bool()


def not_boolean(n_points):
    return 1 - torch.eye(n_points)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield the mask for three measurements, written out, and those for other numbers."""
    yield Trial(
        "three measurements",
        {"n_points": 3},
        torch.tensor([[False, True, True], [True, False, True], [True, True, False]]),
        says="Row 0 says what measurement 0 may see: the other two, and not itself. The other rows say the same.",
    )
    for n_points in (1, 2, 7):
        yield Trial(f"n_points is {n_points}", {"n_points": n_points})


PRACTICE = Practice(
    name="may_use",
    prompt="A mask with which the error says something about the curve.",
    minutes=4,
    hints=(
        "With True everywhere, each measurement is predicted with the help of itself. Which cell of row 0 allows that?",
        "One cell of each row has to be False. In row i it is the one in column i.",
        "`torch.eye(n, dtype=torch.bool)` is True on the diagonal, and `~` turns a boolean tensor around.",
    ),
    given=may_use,
    trials=trials,
    returns=("allowed",),
    misconceptions={
        "each-sees-itself": Misconception(
            "Each measurement still sees itself",
            "A measurement that sees itself can repeat its own noise, and then its error says nothing of the curve.",
            (sees_everything,),
        ),
        "each-sees-itself-alone": Misconception(
            "The mask is the other way round",
            "True means that a measurement may be used. Here each one may use itself alone.",
            (sees_itself_alone,),
        ),
        "earlier-ones-alone": Misconception(
            "Each measurement sees only those before it",
            "The measurements have no order in time. Those on both sides may be used.",
            (earlier_ones_alone, earlier_ones_and_itself),
        ),
        "mask-of-numbers": Misconception(
            "The mask holds numbers, not True and False",
            "`allowed` is boolean in the whole course. `.bool()` makes a boolean tensor of zeros and ones.",
            (not_boolean,),
        ),
    },
    start="""
def may_use(n_points):
    return torch.ones(n_points, n_points, dtype=torch.bool)
""",
)
