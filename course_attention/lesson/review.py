"""Meet a former mistake again: a short piece of code that has it or not, a day and a week later, and then no more."""

import html

from course_attention.lesson import reviews
from course_attention.lesson.choice import Choice, options_html, show_widget
from course_attention.lesson.progress import kept_records
from course_attention.lesson.review_pieces import RIGHT, Piece, piece
from course_attention.presentation.display import Bundle, frame, paragraphs, remark, rich, show, wrapped

TITLE = "Meet it again"
NOTHING_DUE = (
    "Nothing is due. A misconception that a card names comes again a day later and a week later, in a question of half "
    "a minute."
)
IS_DUE = (
    "A mistake that you have met is due. `review()` in a cell of your own asks about it in half a minute, if you like."
)
_LETTERS = "abcdefgh"


def review(quiet: bool = False) -> Choice | None:
    """Ask about a misconception that you met a day or a week ago: here is some code, what is it? Always optional.

    Args:
        quiet: ask nothing. Say in one line that something is due, and say nothing where nothing is, as in the first
            cells of a notebook.

    Returns:
        The question, which `review().answer = "b"` answers where there is nothing to click. None where nothing is due.

    Example:
        >>> review(quiet=True)  # a session in which no check has named a misconception
    """
    found = _due()
    if quiet:
        if found is not None:
            show(remark(TITLE, IS_DUE))
        return None
    if found is None:
        show(remark(TITLE, NOTHING_DUE))
        return None
    return _ask(*found)


def _due() -> tuple[str, Piece] | None:
    records = kept_records()
    reviews.met_before(dict.fromkeys(id for record in records.values() for id in record.met))
    passed = {name for name, record in records.items() if record.passed}
    known = reviews.all_reviews()
    for id in reviews.due():
        met_in = {name for name, record in records.items() if id in record.met}
        if found := piece(id, passed, met_in, known[id].asked):
            return id, found
    return None


def _ask(id: str, one: Piece) -> Choice:
    options = dict(zip(_LETTERS, one.choices, strict=False))
    title = f"Half a minute: here is an answer to `{one.exercise}`. What is it?"
    how = (
        "You met one of these, a while ago. This is optional, and never scored. Where you see nothing to click, write "
        'for example `review().answer = "a"` in a cell of your own.'
    )
    asked = Bundle(
        _card(f'<p class="ca-idea">{rich(title)}</p>', _code(one), options_html(options), paragraphs(how)),
        "\n\n".join(
            [wrapped(title), one.code, "\n".join(f"  {name}: {said}" for name, said in options.items()), wrapped(how)]
        ),
    )
    handle = show(asked)

    def answered(letter: str) -> Bundle:
        told = _told(id, one, options[letter])
        nonlocal handle
        handle = show(told, handle)
        return told

    choice = Choice(options, answered, outcome=lambda letter: _outcome(one, options[letter]).replace("`", ""))
    show_widget(choice, lambda _shown: None)
    return choice


def _outcome(one: Piece, chosen: str) -> str:
    return f"Yes. {one.right}." if chosen == one.right else f"You said: {chosen}. What is so: {one.right}."


def _told(id: str, one: Piece, chosen: str) -> Bundle:
    is_right = chosen == one.right
    after = reviews.know(id, is_right)
    first = _outcome(one, chosen)
    then = "You will not be asked about it again." if after.is_safe else "It comes again in a week."
    if not is_right:
        then = (
            "It comes again in a day." if after.asked < reviews.MOST_ASKED else "You will not be asked about it again."
        )
    about = one.explanation
    if one.right == RIGHT:
        about = f"This code does not have the mistake that you met, “{one.met}”. {one.explanation}"
    return Bundle(
        _card(f'<p class="ca-idea">{rich(first)}</p>', _code(one), paragraphs(f"{about}\n\n{then}")),
        "\n\n".join([wrapped(first), wrapped(about), wrapped(then)]),
    )


def _card(*parts: str) -> str:
    return frame("prediction", TITLE, *parts)


def _code(one: Piece) -> str:
    return f'<pre tabindex="0">{html.escape(one.code)}</pre>'
