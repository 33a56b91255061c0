"""The museum: each bug is told whole, and the judge names the misconception that explains it."""

from __future__ import annotations

from datetime import date

import pytest

from course_attention.encyclopedia.entry_verdict import verdict_on
from course_attention.encyclopedia.museum import museum, pieces_with
from course_attention.exercises import CATALOGUE


@pytest.mark.parametrize("piece", museum(), ids=lambda piece: f"{piece.project}-{piece.number}")
def test_each_piece(piece):
    """A piece has a link to its own thread, a day, and something to say; its misconception is one of the exercise."""
    assert piece.link in {
        f"https://github.com/{piece.project}/{kind}/{piece.number}" for kind in ("issues", "pull", "discussions")
    }
    assert date.fromisoformat(piece.date) < date(2027, 1, 1)
    assert len(piece.told.split()) >= 15
    assert piece.mended.endswith(".") and not piece.title.endswith(".")
    assert piece.misconception in CATALOGUE[piece.exercise].misconceptions


def test_there_are_many():
    """At least 25 bugs, each of them once."""
    assert len(museum()) >= 25
    assert len({piece.link for piece in museum()}) == len(museum())
    assert set(museum()) == {one for piece in museum() for one in pieces_with(piece.misconception)}


@pytest.mark.parametrize("place", sorted({(piece.misconception, piece.exercise) for piece in museum()}))
def test_the_judge_names_it(place):
    """Each is reproduced: the judge gives this name to code with the mistake, in the exercise whose card is shown."""
    assert verdict_on(*place).misconception == place[0]
