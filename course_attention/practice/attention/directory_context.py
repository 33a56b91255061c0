"""The trained directory as the context of a cross-attention: a context and two matrices, set by hand."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.mechanisms.attention import attention, cross_attention
from course_attention.practice.authoring import Misconception, Practice, Trial


def directory_context(keys, places, w_key):
    """Names and places side by side; the matrix of the keys leaves out the places, that of the values the names."""
    n_letters, n_numbers = keys.shape[-1], places.shape[-1]
    context = torch.cat([keys, places], dim=-1)
    for_keys = torch.cat([w_key, w_key.new_zeros(n_numbers, w_key.shape[-1])])
    for_values = torch.cat([w_key.new_zeros(n_letters, n_numbers), torch.eye(n_numbers).to(w_key)])
    return context, for_keys, for_values


def value_takes_letters(keys, places, w_key):
    context, for_keys, _ = directory_context(keys, places, w_key)
    return context, for_keys, torch.eye(context.shape[-1]).to(w_key)[:, : places.shape[-1]]


def value_takes_everything(keys, places, w_key):
    context, for_keys, _ = directory_context(keys, places, w_key)
    return context, for_keys, torch.eye(context.shape[-1]).to(w_key)


def coordinates_added(keys, places, w_key):
    context, for_keys, for_values = directory_context(keys, places, w_key)
    return context, for_keys, for_values.sum(dim=-1, keepdim=True).expand_as(for_values)


def ones_for_values(keys, places, w_key):
    context, for_keys, for_values = directory_context(keys, places, w_key)
    return context, for_keys, torch.ones_like(for_values)


def letters_left_in(keys, places, w_key):
    context, for_keys, for_values = directory_context(keys, places, w_key)
    return (
        context,
        for_keys,
        torch.cat([torch.ones_like(for_values[: keys.shape[-1]]), for_values[-places.shape[-1] :]]),
    )


def places_in_the_scores(keys, places, w_key):
    context, for_keys, for_values = directory_context(keys, places, w_key)
    n_numbers = places.shape[-1]
    return context, torch.cat([w_key, torch.ones_like(for_keys[-n_numbers:])]), for_values


def places_scored_as_letters(keys, places, w_key):
    context, _, for_values = directory_context(keys, places, w_key)
    return context, torch.cat([w_key, w_key[: places.shape[-1]]]), for_values


def zeros_above(keys, places, w_key):
    context, for_keys, for_values = directory_context(keys, places, w_key)
    return context, for_keys.roll(places.shape[-1], dims=0), for_values


def places_first(keys, places, w_key):
    _, for_keys, for_values = directory_context(keys, places, w_key)
    return torch.cat([places, keys], dim=-1), for_keys, for_values


def projected_before(keys, places, w_key):
    context = torch.cat([keys @ w_key, places], dim=-1)
    n_projected, n_numbers = w_key.shape[-1], places.shape[-1]
    chooses = torch.eye(n_projected + n_numbers).to(w_key)
    return context, chooses[:, :n_projected], chooses[:, n_projected:]


def _output(
    answer: Callable[..., Any], keys: Tensor, places: Tensor, w_key: Tensor, asked: Tensor, w_query: Tensor
) -> Any:
    """Return the output of cross_attention with what an answer gives, and the size of its context."""
    given = answer(keys, places, w_key)
    if given is None:
        return None
    context, for_keys, for_values = given
    n_numbers, d_key = context.shape[-1], w_query.shape[-1]
    if for_keys.shape != (n_numbers, d_key) or len(for_values) != n_numbers:
        raise ValueError(
            f"A row of the context has {n_numbers} numbers here, so the matrix for the keys should be {n_numbers} by "
            f"d_key = {d_key}, and that for the values should have {n_numbers} rows. Their shapes are "
            f"{tuple(for_keys.shape)} and {tuple(for_values.shape)}. Take the sizes from the arguments"
        )
    output, _ = cross_attention(asked, context, w_query, for_keys, for_values)
    return output, _size(*context.shape)


def _size(n_rows: int, n_columns: int) -> str:
    return f"{n_rows} rows of {n_columns} numbers"


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two entries to work out by hand, and directories of other sizes."""
    yield Trial(
        "two entries with two letters each; what cross_attention gives for one call",
        {
            "keys": torch.tensor([[1.0, 0], [0, 1]]),
            "places": torch.tensor([[0.0, 4], [2, 0]]),
            "w_key": torch.tensor([[1.0], [1]]),
            "asked": torch.tensor([[1.0, 0]]),
            "w_query": torch.tensor([[1.0], [1]]),
        },
        (torch.tensor([[1.0, 2]]), _size(2, 4)),
        _output,
        says="Both names are projected to 1. So both weights are 1/2, and the output is the mean of the places (0, 4) "
        "and (2, 0), which is (1, 2). A row of the context has the 2 letters and the 2 numbers of the place.",
    )
    for n_keys, n_letters, d_key, n_calls in ((5, 4, 3, 6), (3, 6, 8, 2)):
        keys, w_key, asked, w_query = (
            torch.randn(*shape, generator=generator)
            for shape in ((n_keys, n_letters), (n_letters, d_key), (n_calls, n_letters), (n_letters, d_key))
        )
        places = 5 * torch.randn(n_keys, 2, generator=generator)
        output, _ = attention(asked @ w_query, keys @ w_key, places)
        yield Trial(
            f"{n_keys} entries with {n_letters} letters, d_key {d_key}; what cross_attention gives for {n_calls} calls",
            {"keys": keys, "places": places, "w_key": w_key, "asked": asked, "w_query": w_query},
            (output, _size(n_keys, n_letters + 2)),
            _output,
            says="The output should be that of attention(asked @ w_query, keys @ w_key, places).",
            tolerance=1e-3,
        )


PRACTICE = Practice(
    name="directory_context",
    prompt="The trained directory as a context, and the two matrices with which cross_attention answers its calls.",
    minutes=6,
    hints=(
        "A row of the context has the numbers of a name and of its place. `cross_attention` multiplies the whole row "
        "by each of the two matrices. Which of its numbers may have a say in the key, and which in the value?",
        "A row of a matrix meets one number of the token. Where this row holds zeros, that number has no say. "
        "Where a part of the matrix is the identity (`torch.eye`), that part of the token comes back as it is.",
        "Three times `torch.cat`. Context: keys and places side by side, `dim=-1`. For the keys: `w_key`, and below it "
        "as many rows of zeros as a place has numbers. For the values: a row of zeros for each letter, and what "
        "belongs below them?",
    ),
    given=directory_context,
    trials=trials,
    returns=("output", "the context"),
    misconceptions={
        "directory-value-letters": Misconception(
            "The values are the first two letters",
            "The first rows of a matrix meet the first numbers of a token, which belong to the name. The place comes "
            "last.",
            (value_takes_letters,),
        ),
        "directory-value-everything": Misconception(
            "The output brings back the name, too",
            "An identity for the whole token makes the whole token the value. Only the columns that belong to the "
            "place should come back, so the matrix has two columns.",
            (value_takes_everything,),
        ),
        "directory-coordinates-added": Misconception(
            "The two coordinates are added up",
            "A column of the values' matrix says which numbers of the token are added to make one number of the value. "
            "The first column should take the first coordinate only, the second column the other.",
            (coordinates_added,),
        ),
        "directory-letters-in-value": Misconception(
            "The letters have a say in the value",
            "The rows of the values' matrix that meet letters are not zero, so the letters are added to the place.",
            (ones_for_values, letters_left_in),
        ),
        "directory-places-in-scores": Misconception(
            "The place has a say in the score",
            "The rows of the keys' matrix that meet the place are not zero. Then a city in the east and one in the "
            "west get other scores for the same name.",
            (places_in_the_scores, places_scored_as_letters),
        ),
        "directory-rows-above": Misconception(
            "The rows of the keys' matrix are in another order than the numbers of the token",
            "Row i of the matrix meets number i of the token. The letters come first in the token, so `w_key` comes "
            "first in the matrix.",
            (zeros_above,),
        ),
        "directory-places-first": Misconception(
            "The token begins with the place, and the matrices with the letters",
            "Row i of a matrix meets number i of the token. Either order will do, but it has to be the same in the "
            "context and in both matrices.",
            (places_first,),
        ),
        "directory-projected-before": Misconception(
            "The projection is in the context already",
            "The output is right, but the context holds projected names, and a training could no longer change the "
            "projection. The context should be the directory as it is: `w_key` belongs into the matrix.",
            (projected_before,),
        ),
    },
)
