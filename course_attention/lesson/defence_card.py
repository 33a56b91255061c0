"""The card of `defend`: an answer with one change in it, the choices, and afterwards what the judge says."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from course_attention.judging import properties
from course_attention.judging.verdict import Verdict
from course_attention.lesson.choice import options_html
from course_attention.mutants.fates import SEEDS
from course_attention.mutants.questions import Question
from course_attention.presentation.display import frame, paragraphs, rich, wrapped
from course_attention.presentation.example import EXAMPLE_STYLE, example_html, example_text

NOTHING = "nothing"
# What a card says of wrong numbers leaves open whether they are wrong everywhere. Here it is one choice of several.
_SAID = {
    properties.VALUES: "The shape is right, but already the plain cases have wrong numbers",
    properties.SHAPE: "Already the plain cases have another shape than asked for",
}
HOW = (
    "Exactly one of these is right. A plain case is small, with nothing special in it, such as a mask or large scores. "
    "Where plain cases already come out wrong, that is the answer. Every other choice means that they stay right."
)
LETS_PASS = "The judge lets it pass: the change breaks none of these"
_STYLE = """<style>
.ca-card pre.ca-change{padding:.5em 0}
.ca-card .ca-change span{display:block;padding:0 .8em}
.ca-card .ca-change .ca-before{background:#fbdcd8;color:#5c0c06}
.ca-card .ca-change .ca-after{background:#d3efdc;color:#0b3d1e}
</style>"""
_CLASSES = {"-": ' class="ca-before"', "+": ' class="ca-after"', " ": ""}
_MARKS = {"-": "−", "+": "+", " ": " "}  # a minus sign is read out, a hyphen is not


@dataclass(frozen=True)
class Told:
    """A question that was answered.

    Attributes:
        question: the question.
        chosen: the name that was chosen.
        verdict: what the judge says of the changed answer.
        after: what is said of the questions so far.
    """

    question: Question
    chosen: str
    verdict: Verdict
    after: str


def options_of(question: Question) -> dict[str, str]:
    """Return what there is to choose from: the name of each property, and what is said where it does not hold."""
    return {**{one.name: _SAID.get(one, one.title) for one in question.choices}, NOTHING: LETS_PASS}


def right_choice(question: Question) -> str:
    """Return the name of the right choice."""
    return NOTHING if question.right is None else question.right.name


def question_html(title: str, whose: str, question: Question, how: str) -> str:
    """Return the open question, as HTML."""
    return "\n".join(
        [
            f'<p class="ca-idea">{rich(title)}</p>',
            paragraphs(whose),
            _change_html(question),
            paragraphs(how),
            options_html(options_of(question)),
        ]
    )


def question_text(title: str, whose: str, question: Question, how: str) -> str:
    """Return the open question, as plain text."""
    items = "\n".join(f"  - {name}: {said}" for name, said in options_of(question).items())
    return "\n\n".join([wrapped(title), wrapped(whose), _change_text(question), f"{wrapped(how)}\n{items}"])


def told_html(told: Told) -> str:
    """Return a question that was answered, as HTML: what was chosen, what the judge says, and its case."""
    example = told.verdict.example
    return "\n".join(
        [
            _change_html(told.question),
            f'<p class="ca-idea">{rich(outcome(told.question, told.chosen))}</p>',
            paragraphs(_reason(told)),
            "" if example is None else f"<style>{EXAMPLE_STYLE}</style>",
            "" if example is None else f"<p>{html.escape(f'Smallest case: {example.title}')}</p>",
            "" if example is None else example_html(example),
            paragraphs(told.after),
        ]
    )


def told_text(told: Told) -> str:
    """Return a question that was answered, as plain text."""
    example = told.verdict.example
    parts = [_change_text(told.question), wrapped(outcome(told.question, told.chosen)), wrapped(_reason(told))]
    return "\n\n".join([*parts, *([example_text(example)] if example else []), wrapped(told.after)])


def whole_html(name: str, told: Sequence[Told], parts: Sequence[str]) -> str:
    """Return the card: the questions that were answered before, folded, and then the given parts."""
    folded = [
        f"<details><summary>Question {number}: {rich(outcome(one.question, one.chosen))}</summary>"
        f"{told_html(one)}</details>"
        for number, one in enumerate(told, start=1)
    ]
    return frame("prediction", f"Defend {name}", _STYLE, *folded, *parts)


def _change_html(question: Question) -> str:
    lines = (f"<span{_CLASSES[mark]}>{_MARKS[mark]} {html.escape(line)}</span>" for mark, line in question.lines)
    return f'<pre tabindex="0" class="ca-change">{"".join(lines)}</pre>'


def _change_text(question: Question) -> str:
    return "\n".join(f"{_MARKS[mark]} {line}" for mark, line in question.lines)


def outcome(question: Question, chosen: str) -> str:
    """Return what came of a choice, without a full stop."""
    right = right_choice(question)
    return f"Right: `{right}`" if chosen == right else f"You said `{chosen}`. It is `{right}`"


def _reason(told: Told) -> str:
    """Return why: what the judge says of the changed answer."""
    right = told.question.right
    if right is None:
        return (
            f"The judge lets the changed answer pass at {len(SEEDS)} seeds. It also gives the same as yours on inputs "
            "that the judge does not draw. Why does it make no difference? Say it in a sentence before you go on."
        )
    said = " ".join(filter(None, [f"{told.verdict.idea}." if told.verdict.idea else "", told.verdict.explanation]))
    first = "" if f"{right.title}." in said else f"{_SAID.get(right, right.title)}.\n\n"
    return f"{first}The judge says of it: {said}"
