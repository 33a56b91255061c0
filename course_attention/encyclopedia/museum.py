"""The museum: bugs that happened in projects that people use, each with the misconception that explains it.

`museum.toml` holds them. Each was read in its public tracker, and is told in a sentence or two of our own.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Piece:
    """A bug, or a report of one.

    Attributes:
        title: what went wrong, in a line without a full stop.
        project: as its host writes it, such as "huggingface/transformers".
        number: of the issue or pull request.
        date: when it was reported, as 2023-10-19.
        link: to the thread.
        told: what the thread says, in our words.
        mended: whether it was mended, and how.
        misconception: the id that explains it.
        exercise: in whose terms the judge's card shows it.
        nearly: how the reported code and ours differ, where they are not the same; "" where they are.
    """

    title: str
    project: str
    number: int
    date: str
    link: str
    told: str
    mended: str
    misconception: str
    exercise: str
    nearly: str = ""


@cache
def museum() -> tuple[Piece, ...]:
    """Return all pieces, the oldest first."""
    text = files("course_attention.encyclopedia").joinpath("museum.toml").read_text(encoding="utf-8")
    return tuple(sorted((Piece(**piece) for piece in tomllib.loads(text)["piece"]), key=lambda piece: piece.date))


def pieces_with(id: str) -> tuple[Piece, ...]:
    """Return the bugs that a misconception explains."""
    return tuple(piece for piece in museum() if piece.misconception == id)
