"""The museum: bugs that happened, each with the judge's card for the misconception that explains it."""

from course_attention.encyclopedia.entries import words_of
from course_attention.encyclopedia.entry_verdict import verdict_on
from course_attention.encyclopedia.museum import Piece, museum
from course_attention.presentation.card import verdict_card
from course_site.cards import bare, raw
from course_site.misconception_pages import anchor_of


def page() -> str:
    """Return the page, in Markdown."""
    pieces = museum()
    text = (
        "# The museum: bugs that happened\n\n"
        f"These {len(pieces)} bugs were reported in projects that people use, and a few were no bugs at all. Each is "
        "told in our own words, with a link to its thread, and each is explained by a misconception that our judge "
        "knows: the card shows what the judge says of code that has it. Nobody is named here, because everybody "
        "makes such mistakes. The threads were read in November 2026, in stored "
        "copies, and long ones not to their end.\n\n"
    )
    return text + "\n".join(_piece(piece) for piece in pieces)


def _piece(piece: Piece) -> str:
    title, _ = words_of(piece.misconception, piece.exercise)
    verdict = verdict_on(piece.misconception, piece.exercise)
    folded = f"<details><summary>The judge’s card for it</summary>{bare(verdict_card(verdict).html)}</details>"
    nearly = f"\n\n{piece.nearly}" if piece.nearly else ""
    return (
        f"({anchor_of(piece)})=\n## {piece.title}\n\n"
        f"[{piece.project} {piece.number}]({piece.link}), {piece.date}. {piece.told}\n\n"
        f"**Was it mended?** {piece.mended}\n\n"
        f"**What it was:** [{title}](misconceptions/{piece.misconception}.md), `{piece.misconception}`, in the "
        f"exercise `{piece.exercise}`.{nearly}\n\n{raw(folded)}\n"
    )
