"""A head that is set by hand: each word attends to the other word with the same first letter."""

from collections.abc import Callable, Iterator
from math import pi
from typing import Any

import torch
from torch import Tensor

from course_attention.experiments.multi_head.partner_sentences import LETTER, PLACE, draw_sentences
from course_attention.mechanisms.self_attention import self_attention
from course_attention.practice.authoring import Misconception, Practice, Trial


def partner_head(letters, places):
    """Long vectors for the letters, which fit the same letter best, and short ones that keep a word from itself."""
    w_query, w_key = letters.new_zeros(44, 4), letters.new_zeros(44, 4)
    w_query[LETTER, :2] = w_key[LETTER, :2] = 200 * letters
    w_query[PLACE, 2:] = -20 * places  # a word's own place is the worst fit
    w_key[PLACE, 2:] = 20 * places
    return w_query, w_key


def letters_alone(letters, places):
    w_query, w_key = letters.new_zeros(44, 4), letters.new_zeros(44, 4)
    w_query[LETTER, :2] = w_key[LETTER, :2] = 200 * letters
    return w_query, w_key


def own_place_fits_best(letters, places):
    w_query, w_key = letters_alone(letters, places)
    w_query[PLACE, 2:] = w_key[PLACE, 2:] = 20 * places
    return w_query, w_key


def circle(n_points: int) -> Tensor:
    """Return points at equal distances on a circle, (n_points, 2)."""
    angles = 2 * pi * torch.arange(n_points) / n_points
    return torch.stack([angles.cos(), angles.sin()], dim=1)


def _attention_of(answer: Callable[..., Any], letters: Tensor, places: Tensor, x: Tensor, partner: Tensor) -> Any:
    """Return the shapes, and how much of its weight a word gives to its partner and to itself: any such head
    is right."""
    returned = answer(letters, places)
    if not isinstance(returned, tuple | list) or len(returned) != 2:
        return returned
    shapes = [str(tuple(getattr(weight, "shape", ()))) for weight in returned]
    if shapes != ["(44, 4)", "(44, 4)"]:
        return (*shapes, None, None)
    w_query, w_key = (weight.to(x) for weight in returned)
    _, weights = self_attention(x, w_query, w_key, x.new_zeros(44, 1))
    on_partner = (weights * partner).sum(dim=-1).mean().item()
    return (*shapes, on_partner, weights.diagonal(dim1=-2, dim2=-1).mean().item())


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one sentence of four words, and many of ten."""
    for n_sentences, n_words in ((1, 4), (50, 10)):
        drawn = draw_sentences(n_sentences, generator, n_words)
        yield Trial(
            "a sentence of 4 words" if n_sentences == 1 else f"{n_sentences} sentences of {n_words} words",
            {
                "letters": circle(26),
                "places": circle(10),
                "x": drawn.x,
                "partner": drawn.related[:, 1].float(),
            },
            ("(44, 4)", "(44, 4)", 1.0, 0.0),
            _attention_of,
            says="The same letter must fit much better than its neighbours on the circle, and among the two words with "
            "this letter, a word must not fit itself.",
            tolerance=1e-3,
        )


PRACTICE = Practice(
    name="partner_head",
    prompt="Weights with which every word attends to its partner, the other word with the same first letter.",
    minutes=15,
    hints=(
        "Use the first two dimensions for the letters, the same in queries and keys: each letter then fits "
        "itself best.",
        "The word that fits a letter best is the word itself. Use the other two dimensions for the places, in such a "
        "way that a word's own place is the *worst* fit: one minus sign does it.",
        "The letters must decide first, so their vectors have to be much longer than those of the places. The point of "
        "a letter is only a little nearer to itself than to its neighbours: lengths of 200 and 20 do.",
    ),
    given=partner_head,
    trials=trials,
    returns=(
        "the shape of w_query",
        "the shape of w_key",
        "the share of the weight on the partner",
        "the share of the weight on the word itself",
    ),
    misconceptions={
        "partner-and-itself": Misconception(
            "A word looks at itself and at its partner in equal shares",
            "Both have the same letter, and nothing tells them apart. The places can: a word is at its own place, and "
            "its partner is not.",
            (letters_alone,),
        ),
        "partner-is-itself": Misconception(
            "A word attends to itself",
            "Its own letter and its own place fit best. The place should be the *worst* fit where it is the "
            "word's own.",
            (own_place_fits_best,),
        ),
    },
)
