"""The card of a verdict, as HTML and as plain text."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter

from course_attention.judging.verdict import Example, Verdict
from course_attention.presentation.card import verdict_card
from course_attention.presentation.display import Bundle, Unseen, show
from course_attention.presentation.notice import notice

EVIL = '<script>alert("x")</script><b>'


def verdict(**changes: object) -> Verdict:
    """Return a failed verdict with every part."""
    example = Example(
        title="2 queries, 3 keys",
        inputs={"query": np.array([[1.0, 2.0], [3.0, 4.0]]), "axis": -1, "allowed": None},
        part="weights",
        expected=np.array([[0.25, 0.75]]),
        received=np.array([[0.25, 0.5]]),
        where=(0, 1),
        note="",
    )
    parts = {
        "exercise": "attention",
        "status": "failed",
        "score": 0.25,
        "points": 2.0,
        "misconception": "no-scale",
        "idea": "No scale",
        "explanation": "A reason.",
        "example": example,
        "properties": (("values", False), ("mask", True)),
    }
    return Verdict(**(parts | changes))


class Tags(HTMLParser):
    """The tags of an HTML text, and whether each that opens also closes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.seen: list[tuple[str, dict]] = []
        self.feed(html)
        assert self.opened == []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag != "br":
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


def test_parts() -> None:
    """Both forms say status, points, idea, its name, the reason, the case, both numbers, and what holds."""
    card = verdict_card(verdict())
    for part in (
        "not right yet",
        "0.5 of 2 points",
        "No scale",
        "no-scale",
        "A reason.",
        "2 queries, 3 keys",
        "axis = -1, allowed = None",
        "First difference (marked ▸), at [0, 1]: expected 0.75, received 0.50.",
        "Does not hold: values",
        "Holds: mask",
    ):
        assert part in card.text
        assert part in card.html
    assert "▸0.75◂" in card.text
    assert "▸ 0.75" in card.html


def test_a_difference_in_the_last_digits() -> None:
    """Where two numbers differ beyond the decimals of the matrices, the sentence shows more of them."""
    example = replace(verdict().example, received=np.array([[0.25, 0.75 + 2**-40]]))
    text = " ".join(verdict_card(verdict(example=example)).text.split())
    assert "expected 0.750000000000, received 0.750000000001." in text


def test_accessible() -> None:
    """The card has a label, and every table's headers say what they head."""
    tags = Tags(verdict_card(verdict()).html).seen
    assert tags[0][1]["role"] == "group"
    assert tags[0][1]["aria-label"] == "attention: not right yet, 0.5 of 2 points"
    headers = [about for tag, about in tags if tag == "th"]
    assert headers
    assert all(about["scope"] in ("row", "col") for about in headers)


def test_escaped() -> None:
    """No text of an answer becomes markup."""
    example = Example(EVIL, {"query": EVIL}, EVIL, np.zeros(1), None, None, EVIL)
    card = verdict_card(verdict(idea=EVIL, explanation=EVIL, message=EVIL, example=example, properties=((EVIL, True),)))
    assert not {"script", "b"} & {tag for tag, _ in Tags(card.html).seen}
    assert EVIL in card.text


def test_no_addresses() -> None:
    """An object's address, which differs from run to run, is left out of both forms."""
    card = verdict_card(verdict(explanation="<f at 0x7fa4c0de12>"))
    assert "0x7fa" not in card.text + card.html
    assert "0x…" in card.text


def test_width() -> None:
    """The plain form fits a terminal of 80 columns."""
    wide = {name: np.full((8, 8), 0.123) for name in ("query", "key", "value")}
    example = Example("large", wide, "output", np.full((8, 8), 0.1), np.full((8, 8), 0.2), (7, 7))
    card = verdict_card(verdict(example=example, explanation="word " * 100))
    assert max(map(len, card.text.splitlines())) <= 80


@pytest.mark.parametrize("status", ["passed", "failed", "errored", "not_attempted"])
def test_bare(status: str) -> None:
    """A verdict with nothing but a message shows it; one not attempted shows its question."""
    bare = Verdict("attention", status, 0.0, 2.0, message="The message.")
    card = verdict_card(bare, prompt="The question.")
    Tags(card.html)
    said = {"not_attempted": "The question.", "passed": "your own"}.get(status, "The message.")
    assert said in card.text


@pytest.mark.parametrize("received", [None, 3, float("nan"), np.zeros((0, 2)), np.zeros((2, 3, 4)), np.array("x")])
def test_received(received: object) -> None:
    """Whatever came in place of the result can be shown."""
    example = Example("case", {}, "output", np.zeros((2, 2)), received, None, "a note")
    card = verdict_card(verdict(example=example))
    Tags(card.html)
    assert "a note" in card.text


def test_show_plain(capsys: pytest.CaptureFixture) -> None:
    """Outside a notebook the plain form is printed."""
    show(Bundle("<b>two</b>", "√two"))
    assert capsys.readouterr().out == "√two\n"


def test_bundle() -> None:
    """A notebook is given both forms."""
    assert Bundle("<b>two</b>", "two")._repr_mimebundle_() == {"text/html": "<b>two</b>", "text/plain": "two"}


def module(**changes: object) -> Example:
    """Return the failing case of a module: an input, a setting and weights."""
    weights = {f"layer_{i}.weight": np.full((4, 4), i / 8) for i in range(13)}
    inputs = {"x": np.ones((2, 4)), "d_model": 4, **weights}
    parts = {"title": "a block", "inputs": inputs, "part": "output", "where": (0, 1), "note": ""}
    return Example(**(parts | {"expected": np.zeros((2, 4)), "received": np.ones((2, 4))} | changes))


def test_weights_folded() -> None:
    """A module's weights are folded, the difference and the results stand above the inputs."""
    card = verdict_card(verdict(example=module()))
    above, folded = card.html.split("<details>")
    assert "layer_12.weight" in folded
    assert "layer_" not in above
    places = [above.index(part) for part in ("First difference", "expected output", "received output", "d_model = 4")]
    assert places == sorted(places)
    assert card.text.index("First difference") < card.text.index("d_model = 4")
    assert "layer_12.weight (4, 4)" in card.text
    Tags(card.html)


def test_no_weights_without_a_result() -> None:
    """Where the answer raised, its weights explain nothing."""
    card = verdict_card(verdict(status="errored", example=module(received=None, where=None)))
    assert "layer_" not in card.text + card.html


def test_a_module_as_input() -> None:
    """Where the weights are all that the answer was given, they are shown."""
    example = Example("case", {"layer.weight": np.ones((2, 2))}, "w", np.zeros(1), np.ones(1), (0,))
    card = verdict_card(verdict(example=example))
    assert "<details>" not in card.html
    assert "layer.weight" in card.text


def test_first_last_printed() -> None:
    """What comes first stands above the idea, what comes last below all, and prints are folded and escaped."""
    card = verdict_card(verdict(), first="Do this first.", last="One thing more.", printed=[EVIL, "line\n" * 99])
    for form in (card.html, card.text):
        assert form.index("Do this first.") < form.index("No scale") < form.index("One thing more.")
    tags = [tag for tag, _ in Tags(card.html).seen]
    assert "details" in tags and "script" not in tags
    assert card.text.count("  line") < 10


def test_notice() -> None:
    """A card without a verdict says in both forms what is in the way, with the line of code, escaped."""
    card = notice("errored", "softmax", f"Stopped: {EVIL}", "Mend `it`.", code="    x = (1 < 2")
    Tags(card.html)
    for part in ("Stopped: ", "softmax", "stopped with an error"):
        assert part in card.text and part in card.html
    assert "    x = (1 &lt; 2" in card.html
    assert "    x = (1 < 2" in card.text


def test_unseen() -> None:
    """IPython gives a cell's result as plain text that is a number, and as HTML that shows nothing."""
    formatter = DisplayFormatter()
    formatter.active_types = formatter.format_types
    assert formatter.format(Unseen(0.25))[0] == {"text/html": "", "text/plain": "0.25"}


@pytest.mark.parametrize("status", ["passed", "failed", "errored"])
def test_outcome_is_announced(status: str) -> None:
    """A screen reader reads out the line that says what came, and it alone; its text has an element of its own."""
    card = verdict_card(Verdict("attention", status, 0.0, 2.0, message="The message.")).html
    (said,) = re.findall(r'<div role="status">(.*?)</div>', card)
    assert said.startswith("<p>") and "attention" in said and "The message." not in said


def test_untouched_card_is_silent() -> None:
    """Whoever runs all cells does not hear of every exercise that waits."""
    assert 'role="status"' not in verdict_card(Verdict("attention", "not_attempted", 0.0, 2.0)).html
