"""The scores with which some words ask for others: the part of E M Eᵀ in which they meet."""

from collections.abc import Iterator

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def word_table(m, e_asking, e_asked):
    """The score of each word that asks, a row, for each word that is asked, a column."""
    return e_asking @ m @ e_asked.T


def roles_exchanged(m, e_asking, e_asked):
    return e_asking @ m.T @ e_asked.T


def asked_in_rows(m, e_asking, e_asked):
    return e_asked @ m.T @ e_asking.T


def both_exchanged(m, e_asking, e_asked):
    return e_asked @ m @ e_asking.T


def without_m(m, e_asking, e_asked):
    return e_asking @ e_asked.T


def scaled(m, e_asking, e_asked):
    return word_table(m, e_asking, e_asked) / m.shape[0] ** 0.5


def as_weights(m, e_asking, e_asked):
    return word_table(m, e_asking, e_asked).softmax(dim=-1)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one word that asks for two, in which one channel asks for the other, and drawn words."""
    yield Trial(
        "one word asks for two; channel 0 asks for channel 1, with the score 5",
        {
            "m": torch.tensor([[0.0, 5.0], [0.0, 0.0]]),
            "e_asking": torch.tensor([[1.0, 0.0]]),
            "e_asked": torch.tensor([[0.0, 1.0], [2.0, 0.0]]),
        },
        torch.tensor([[5.0, 0.0]]),
        says="A row of M asks, and a column is asked. The word that asks has its 1 in channel 0, and the first of the "
        "two words has its 1 in channel 1.",
    )
    for n_asking, n_asked, d_model in ((2, 3, 4), (5, 5, 3)):
        yield Trial(
            f"{n_asking} words ask for {n_asked}, d_model {d_model}",
            {
                "m": torch.randn(d_model, d_model, generator=generator),
                "e_asking": torch.randn(n_asking, d_model, generator=generator),
                "e_asked": torch.randn(n_asked, d_model, generator=generator),
            },
        )


PRACTICE = Practice(
    name="word_table",
    prompt="The scores with which words that ask, the rows, ask for words that are asked, the columns.",
    minutes=4,
    hints=(
        "One score is e_a M e_bᵀ: the word that asks is on the left of M, the word that is asked on the right.",
        "All of them at once are a product of three matrices. Look at the shapes: (n_asking, d_model), "
        "(d_model, d_model), and the last one has to be (d_model, n_asked).",
        "`e_asked.T` has that shape.",
    ),
    given=word_table,
    trials=trials,
    returns=("scores",),
    misconceptions={
        "table-roles-exchanged": Misconception(
            "The words that are asked do the asking",
            "M is not symmetric: its rows ask, and its columns are asked. M has been transposed here.",
            (roles_exchanged,),
        ),
        "table-asked-in-rows": Misconception(
            "The words that are asked are the rows",
            "The numbers are right, and the table is turned: each word that *asks* is to have a row.",
            (asked_in_rows,),
        ),
        "table-both-exchanged": Misconception(
            "The two lists of words are on the wrong sides of M",
            "The words that ask belong to the left of M, since its rows ask. The words that are asked "
            "belong to the right.",
            (both_exchanged,),
        ),
        "table-without-m": Misconception(
            "M is left out",
            "This compares the vectors of the words themselves. M says which channel asks for which.",
            (without_m,),
        ),
        "table-scaled": Misconception(
            "The scores are divided by √d_model",
            "The table is E M Eᵀ as it is. Attention divides by √d_key afterwards, and the matrix here is (d_model, "
            "d_model).",
            (scaled,),
        ),
        "table-of-weights": Misconception(
            "A softmax is taken",
            "Scores are asked for, which may be negative. Attention makes weights of them afterwards.",
            (as_weights,),
        ),
    },
)
