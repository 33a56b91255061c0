"""Learned positions: to each token, the row of a table is added that belongs to its position."""

from collections.abc import Iterator

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def add_learned(x, table):
    """The first n_tokens rows, one for each token."""
    return x + table[: x.shape[-2]]


def last_rows(x, table):
    return x + table[-x.shape[-2] :]


def first_row_for_all(x, table):
    return x + table[0]


def row_of_the_item(x, table):
    return x + table[: x.shape[0], None]


def counted_from_one(x, table):
    return x + table[1 : x.shape[-2] + 1]


def rows_alone(x, table):
    return table[: x.shape[-2]].expand_as(x)


def multiplied(x, table):
    return x * table[: x.shape[-2]]


def side_by_side(x, table):
    return torch.cat([x, table[: x.shape[-2]].expand_as(x)], dim=-1)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two tokens to add up by hand, then a batch, one in which every size is the same, and a single token."""
    yield Trial(
        "one text of 2 tokens, and a table of 3 positions",
        {
            "x": torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]),
            "table": torch.tensor([[10.0, 20.0], [30.0, 40.0], [5.0, 5.0]]),
        },
        torch.tensor([[[11.0, 22.0], [33.0, 44.0]]]),
        says="Token 0 gets row 0, (10, 20), and token 1 gets row 1, (30, 40). The third row is for a third token.",
    )
    sizes = (((2, 3, 4), 7), ((3, 3, 3), 6), ((2, 1, 4), 5), ((2, 5, 4), 5))
    for shape, n_positions in sizes:
        yield Trial(
            f"{shape[0]} texts of {shape[1]} tokens, d_model {shape[2]}, and a table of {n_positions} positions",
            {
                "x": torch.randn(shape, generator=generator),
                "table": torch.randn(n_positions, shape[-1], generator=generator),
            },
            says="The position of a token is its place along the second axis, and it is the same in every text.",
        )


PRACTICE = Practice(
    name="add_learned",
    prompt="Add to each token the row of its position.",
    minutes=3,
    hints=(
        "The table has more rows than there are tokens. How many of them are needed, and which?",
        "`table[:n]` has the first n rows, (n, d_model). It broadcasts over the batch.",
    ),
    given=add_learned,
    trials=trials,
    returns=("x with positions",),
    misconceptions={
        "learned-last-rows": Misconception(
            "The last rows of the table are added",
            "Positions count from 0, so the first token gets the first row, however long the table is.",
            (last_rows,),
        ),
        "learned-one-row": Misconception(
            "Every token gets the same row",
            "Then no token can be told from another by its place. Each position has a row of its own.",
            (first_row_for_all,),
        ),
        "learned-row-of-the-text": Misconception(
            "A text gets the row of its place in the batch",
            "Rows belong to the tokens of a text, along the second axis of x. All texts begin at position 0.",
            (row_of_the_item,),
        ),
        "learned-from-one": Misconception(
            "The first token gets row 1",
            "Positions count from 0, so row 0 belongs to the first token.",
            (counted_from_one,),
        ),
        "learned-without-tokens": Misconception(
            "The rows are returned without the tokens",
            "A token keeps what it says, and the row of its position is added to it.",
            (rows_alone,),
        ),
        "learned-multiplied": Misconception(
            "The rows are multiplied with the tokens",
            "The formula is x_p + t_p, a sum.",
            (multiplied,),
        ),
        "learned-appended": Misconception(
            "The rows stand beside the tokens",
            "Then a token has twice as many channels. The row is added, channel by channel.",
            (side_by_side,),
        ),
    },
)
