"""The card for a check that has no verdict: what is in its way, and what to do."""

import html
from collections.abc import Sequence

from course_attention.presentation.display import Bundle, folded, frame, paragraphs, rich, wrapped
from course_attention.presentation.wording import PRINTED, STATUSES


def notice(
    status: str,
    name: str,
    title: str,
    text: str,
    *,
    code: str = "",
    badge: str = "",
    printed: Sequence[str] = (),
) -> Bundle:
    """Return the card, as HTML and as plain text.

    Args:
        status: one of the statuses of a verdict, for the badge and the colours.
        name: the exercise.
        title: what is in the way, in a line.
        text: what to do.
        code: the line of the student's code that this is about.
        badge: the text of the badge; that of the status unless given.
        printed: what the answer printed, call by call.

    Example:
        >>> print(notice("not_attempted", "softmax", "There is no `softmax` yet", "Run the cell above."))
        ○ not attempted   softmax
        <BLANKLINE>
        There is no `softmax` yet
        <BLANKLINE>
        Run the cell above.
    """
    badge = badge or " ".join(STATUSES[status])
    head = f'<p><span class="ca-badge">{html.escape(badge)}</span>&ensp;<code class="ca-key">{name}</code></p>'
    in_html = [
        head,
        f'<p class="ca-idea">{rich(title)}</p>',
        f'<pre tabindex="0">{html.escape(code)}</pre>' if code else "",
        paragraphs(text),
        folded(PRINTED, "\n".join(printed)),
    ]
    in_text = [f"{badge}   {name}", wrapped(title), code, wrapped(text)]
    label = f"{name}: {title.replace('`', '')}"
    return Bundle(frame(status, label, *in_html), "\n\n".join(part for part in in_text if part))
