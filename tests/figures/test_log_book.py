"""The drawing of a log book shows its lines, and one arrow for each question."""

from __future__ import annotations

from course_attention.figures.log_book import log_book


def test_lines_and_arrows() -> None:
    """Each line has its letter and its digit; for each question an arrow leads from the last line to its answer."""
    answers = {"one": 0, "two": 1}
    ax = log_book(["b2", "c5", "d4"], answers)
    shown = [text.get_text() for text in ax.texts]
    assert [cell for cell in shown if cell in list("bcd254")] == list("b2c5d4")
    assert [text for text in shown if text in answers] == list(answers)
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    columns = sorted({patch.get_x() for patch in ax.patches})
    centres = [column + 0.5 for column in columns]
    assert [arrow.xy[0] for arrow in arrows] == [centres[line] for line in answers.values()]
    assert {arrow.xyann[0] for arrow in arrows} == {centres[-1]}
