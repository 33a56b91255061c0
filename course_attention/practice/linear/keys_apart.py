"""Keys for the names of a text that do not overlap, so that a memory to which pairs are added returns every value."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F

from course_attention.practice.authoring import Misconception, Practice, Trial


def keys_apart(n_names, d_key):
    """Give each name an axis of its own."""
    return torch.eye(d_key)[:n_names]


def random_keys(n_names, d_key):
    return F.normalize(torch.randn(n_names, d_key), dim=-1)


def random_keys_divided(n_names, d_key):
    keys = torch.randn(n_names, d_key)
    return keys / keys.norm(dim=-1, keepdim=True)


def random_and_long(n_names, d_key):
    return torch.randn(n_names, d_key)


def one_key_for_all(n_names, d_key):
    return torch.ones(n_names, d_key) / d_key**0.5


def first_axis_for_all(n_names, d_key):
    return torch.eye(d_key)[:1].repeat(n_names, 1)


def opposite(n_names, d_key):
    """Use each axis twice: once as it is, once with its sign turned."""
    axes = torch.eye(d_key)
    return torch.stack([axes, -axes], dim=1).flatten(0, 1)[:n_names]


def on_a_circle(n_names, d_key):
    angles = 2 * torch.pi * torch.arange(n_names) / n_names
    plane = torch.stack([angles.cos(), angles.sin()], dim=-1)
    return F.pad(plane, (0, d_key - 2)) if d_key >= 2 else plane[:, :1]


def on_half_a_circle(n_names, d_key):
    angles = torch.pi * torch.arange(n_names) / n_names
    plane = torch.stack([angles.cos(), angles.sin()], dim=-1)
    return F.pad(plane, (0, d_key - 2)) if d_key >= 2 else plane[:, :1]


def ones_only(n_names, d_key):
    return torch.ones(n_names, d_key)


def numbered(n_names, d_key):
    return torch.diag(torch.arange(1.0, d_key + 1))[:n_names]


def for_names_alone(n_names, d_key):
    return torch.eye(n_names)


def columns(n_names, d_key):
    return torch.eye(d_key)[:, :n_names]


def _size_and_overlaps(answer: Callable[..., Any], n_names: int, d_key: int) -> tuple[Any, Any]:
    keys = answer(n_names, d_key)
    return list(keys.shape), keys @ keys.mT


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two names and keys of three numbers, as many names as numbers, and one name alone."""
    for n_names, d_key in ((2, 3), (3, 3), (8, 16), (16, 16), (1, 4)):
        yield Trial(
            f"{n_names} names, keys of {d_key} numbers" if n_names > 1 else f"one name, a key of {d_key} numbers",
            {"n_names": n_names, "d_key": d_key},
            ([n_names, d_key], torch.eye(n_names)),
            _size_and_overlaps,
            says="The overlaps are the products of all keys with all keys. A key with itself should give 1, its length "
            "squared, and with every other key 0.",
        )


PRACTICE = Practice(
    name="keys_apart",
    prompt="Keys of length 1 that do not overlap, one for each name.",
    minutes=3,
    hints=(
        "Two keys do not overlap when their dot product is 0. Write down two such keys of length 1, of 2 numbers each.",
        "A third key needs a third number: one that the first two do not use. No random numbers are needed.",
        "Which matrix has rows of length 1 whose products with each other are all 0? Take as many of its rows as there "
        "are names.",
    ),
    given=keys_apart,
    trials=trials,
    returns=("size of the keys", "overlaps"),
    misconceptions={
        "apart-random": Misconception(
            "The keys are drawn at random",
            "Random directions are nearly orthogonal where keys have many numbers, and never quite. Each read then "
            "brings a little of the other values. Choose the keys.",
            (random_keys, random_keys_divided, random_and_long),
        ),
        "apart-the-same": Misconception(
            "All names have the same key",
            "Then the memory holds the sum of all values under this one key, and no query can tell them apart.",
            (one_key_for_all, first_axis_for_all, ones_only),
        ),
        "apart-opposite": Misconception(
            "Opposite keys are taken for keys that do not overlap",
            "A key and its opposite have the product −1: a read with one subtracts the value of the other. Keys that "
            "do not overlap are at right angles.",
            (opposite,),
        ),
        "apart-on-a-circle": Misconception(
            "The keys lie in one plane",
            "A plane has room for two keys at right angles. The others need the other numbers of a key.",
            (on_a_circle, on_half_a_circle),
        ),
        "apart-not-of-length-one": Misconception(
            "The keys do not have length 1",
            "They are at right angles. But a value that is written and read with a key of length 2 comes back four "
            "times as large.",
            (numbered, lambda n_names, d_key: 2 * keys_apart(n_names, d_key)),
        ),
        "apart-wrong-size": Misconception(
            "The keys do not have the size that was asked for",
            "There is a row for each name, and a row has d_key numbers, also where there are fewer names.",
            (for_names_alone, columns),
        ),
    },
)
