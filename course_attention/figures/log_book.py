"""A log book: its lines as tokens, and the lines that the last one asks for."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from course_attention.figures import drawing


def log_book(lines: Sequence[str], answers: Mapping[str, int]) -> Axes:
    """Draw lines as tokens of a letter and a digit, and arrows from the last one to the lines that it asks for.

    Args:
        lines: a letter and a digit each, such as "d4".
        answers: question → the line with its answer, counted from 0; the first is drawn above the lines, the second
            below.

    Example:
        >>> ax = log_book(["d4", "a7", "d1"], {"last": 0, "one back": 1})
        >>> [text.get_text() for text in ax.texts if text.get_text() in ("last", "one back")]
        ['last', 'one back']
    """
    step, y = 1.9, 2.6
    ax = drawing.canvas(step * len(lines) + 0.8, 2 * y + 2)
    asking = len(lines) - 1
    places = [
        drawing.token(
            ax,
            0.8 + step * i,
            y,
            n_cells=2,
            role=drawing.QUERY if i == asking else drawing.TOKEN,
            values=list(line),
        )
        for i, line in enumerate(lines)
    ]
    for (question, line), side in zip(answers.items(), (1, -1), strict=True):
        start, end = ((place.top if side == 1 else place.bottom) for place in (places[asking], places[line]))
        drawing.arrow(ax, start, end, drawing.QUERY, bend=0.45 * side)
        drawing.label(ax, ((start[0] + end[0]) / 2, start[1] + 2.0 * side), question)
    return ax
