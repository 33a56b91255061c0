"""What to say on Monday: the misconceptions that cost most, whom to see, an answer without its author."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from course_attention.grading.run.results.verdict_record import LONGEST_CODE
from course_attention.grading.views.pages import report
from course_attention.grading.views.pages.student_code import (
    LONGEST_COLOURED,
    anonymous,
    clipped,
    highlighted,
)
from course_attention.grading.views.results import StoredResult, whole
from course_attention.grading.views.statistics.costly_misconceptions import MOST, MisconceptionCosts
from course_attention.grading.views.statistics.holders import MOST_HOLDERS
from tests.grading.views.made import Outline, details, exercise, record
from tests.grading.views.pages.test_report import counted

SIGNED = '''
# Ada Lovelace
def attention(query, key, value, allowed=None):
    """By Ada Lovelace."""
    "Lovelace"
    return value  # A. L.
'''


def held(name: str, misconception: str | None, score: float = 0.5, code: str = "") -> dict:
    fields = {"misconception": misconception, "details": details(), "code": code}
    return exercise(name, "failed", score, **fields)


def costs(*several: dict) -> MisconceptionCosts:
    added = MisconceptionCosts()
    for one in several:
        added.add([StoredResult(one["student"], one["notebook"], whole(one))])
    return added


def test_points_decide() -> None:
    """A misconception that few hold and that costs much comes before one that many hold and that costs little."""
    cheap = [record(f"s{n}", [held("attention", "detached", 0.9)]) for n in range(5)]
    dear = record("ada", [held("attention", "no-scale", 0.0), held("cross_attention", "no-scale", 0.0)])
    first, second = costs(*cheap, dear).costliest()
    assert (first.name, first.lost, first.students) == ("no-scale", 8.0, 1)
    assert (second.name, second.lost, second.students) == ("detached", pytest.approx(2.0), 5)
    assert first.title == "The scores are not divided by √d_key" and first.explanation
    assert first.exercises == [("attention", 1), ("cross_attention", 1)]


def test_at_most_five() -> None:
    """The page has room for five, and whatever has no name, or was not tried, is none of them."""
    own = [held("attention", name) for name in "abcdefg"]
    own += [held("attention", None), exercise("softmax", "not_attempted")]
    added = costs(record("ada", own))
    assert [one.name for one in added.costliest()] == list("abcdefg")[:MOST]
    assert added.all_lost == 2.0 * 8


def test_who_lost_most_comes_first() -> None:
    """Office hours begin with those who lost most; a student counts once, and of many only the first are named."""
    several = [record(f"s{n:03}", [held("attention", "no-scale", n / 1000)]) for n in range(MOST_HOLDERS + 5)]
    twice = record("twice", [held("attention", "no-scale", 0.5), held("cross_attention", "no-scale", 0.4)])
    (one,) = costs(*reversed(several), twice).costliest()
    assert one.students == MOST_HOLDERS + 6 and len(one.first) == MOST_HOLDERS
    assert [holder.student for holder in one.first[:3]] == ["twice", "s000", "s001"]
    assert one.first[1].link == "feedback/s000/02_queries_keys_values.html"


def test_together() -> None:
    """What is seen together more often than by chance is told, with how many hold both and how many hold it at all."""
    both = [record(f"b{n}", [held("attention", "a"), held("attention", "b")]) for n in range(4)]
    apart = [record(f"c{n}", [held("attention", "c")]) for n in range(4)]
    seldom = [record(f"d{n}", [held("attention", "a"), held("attention", "c")]) for n in range(2)]
    told = {one.name: one.together for one in costs(*both, *apart, *seldom).costliest()}
    assert [(one.name, one.both, one.students) for one in told["a"]] == [("b", 4, 4)]
    assert [(one.name, one.both, one.students) for one in told["b"]] == [("a", 4, 6)]
    assert told["c"] == []


def test_the_shortest_answer_is_shown() -> None:
    """It has a failing case and a definition; in which order the students come does not matter."""
    bare = held("score_variance", "no-scale", code="score_variance = 1") | {"details": None}
    several = [
        record("ada", [held("attention", "no-scale", code="def attention():\n    x = 1\n    return x")]),
        record("bob", [held("attention", "no-scale", code="def attention():\n    return 1")]),
        record("eve", [held("attention", "no-scale", code="attention = f")]),
        record("joe", [bare]),
    ]
    for order in (several, several[::-1]):
        (one,) = costs(*order).costliest()
        assert one.sample.code.endswith("return 1")


def test_on_the_page(tmp_path: Path) -> None:
    """Share, points, explanation, case, answer and names are told; the answer does not say whose it is."""
    several = [record("Zoë", [held("attention", "no-scale", code=SIGNED)]), record("kim", [exercise()])]
    source = report.page(*counted(tmp_path, *several))
    text = Outline(source).text
    assert "50% of the class (1 of 2), 2 points lost, in attention 1." in text
    assert "the softmax comes nearer to picking a single key" in text
    assert "Smallest case: 2 queries, 3 keys" in text and "0.75" in text and "nan" in text
    assert "return value" in text and "Lovelace" not in source and "A. L." not in source
    assert "Office hours : Zoë" in text and source.index("monday") < source.index("Students by the share")


def test_older_results(tmp_path: Path) -> None:
    """Results without code and details are counted, and the page does without an answer."""
    older = record("ada", [exercise("attention", "failed", 0.5, misconception="no-scale")])
    text = Outline(report.page(*counted(tmp_path, older))).text
    assert "100% of the class" in text and "An answer to" not in text


def test_nobody_is_wrong(tmp_path: Path) -> None:
    """A class without a misconception is told so."""
    assert "No answer shows" in Outline(report.page(*counted(tmp_path, record("ada", [exercise()])))).text


def test_what_cannot_be_parsed_is_not_shown() -> None:
    """Who wrote it might stand anywhere in it; too deep a nesting is not followed."""
    assert anonymous("def f(:") == "" and anonymous("") == ""
    assert anonymous(f"x = {'(' * 150}1{')' * 150}") in ("", "x = 1")
    assert anonymous(f"x = {'-' * 20_000}1") == ""
    assert anonymous("%matplotlib inline\nx = 1") == "x = 1"


def test_colours_change_no_character() -> None:
    """The text between the tags is the code, blank lines and all; nothing of it becomes an element."""
    code = "\n\nif x < 1 && '</pre><script>':\n\t%time y  \n\n"
    outline = Outline(f"<pre>{highlighted(code)}</pre>")
    assert "".join(outline.texts) == code.rstrip("\n")
    assert {tag for tag, _ in outline.elements} == {"pre", "span"}


@pytest.mark.parametrize("text", [" \n", "(", '"', "f'{", "0_", "'''\\", "import a as "])
def test_long_code_takes_no_time(text: str) -> None:
    """However the longest code that a result holds is made, it is shown soon; what is longer has no colours."""
    began = time.process_time()
    shown = highlighted(f"<b>{text * LONGEST_CODE}"[:LONGEST_CODE])
    assert shown.startswith("&lt;b&gt;") and "<span" not in shown
    assert "<span" in highlighted(f"<b>{text * LONGEST_COLOURED}"[:LONGEST_COLOURED])
    assert time.process_time() - began < 5.0


def test_clipped() -> None:
    """Nothing is said to be left out where nothing is."""
    assert clipped("one\ntwo", 2) == "one\ntwo"
