"""The page that a student gets back says what the result says, and nothing in it is more than text."""

from __future__ import annotations

import re

import pytest
import torch

from course_attention.exercises import CATALOGUE
from course_attention.grading.run.results.verdict_record import forbidden, judged, lost
from course_attention.grading.views.pages.feedback import page
from course_attention.grading.views.pages.score_reasons import FOLLOWED, NOT_LOOKED_AT, reasons
from course_attention.grading.views.results import whole
from course_attention.presentation.card import verdict_card
from course_attention.presentation.example import example_html
from tests.grading.views.made import Outline, details, exercise, record

BODY = re.compile("<body>.*</body>", re.DOTALL)


def no_scale(query, key, value, allowed=None):
    scores = query @ key.mT
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0.0)
    return weights @ value, weights


def of(one: dict) -> Outline:
    return Outline(page(whole(one)))


def test_judged_answer() -> None:
    """Score, idea, explanation, properties and the smallest failing case are all there."""
    named = CATALOGUE["attention"]
    entry = judged(named, named.judge(no_scale, seed=7))
    assert entry["misconception"] == "no-scale"
    outline = of(record("Żółć", [entry, exercise("mean_attention")], score=4.25))
    for said in (
        entry["details"]["idea"],
        entry["details"]["explanation"],
        "no-scale",
        "Żółć",
        "4.25 of 8 points",
    ):
        assert said in outline.text
    tags = [tag for tag, _ in outline.elements]
    assert tags.count("table") >= 1 + 3 + 2 + 1  # all exercises; query, key, value; expected, received; why
    assert "First difference (marked ▸)" in outline.text and "values does not hold 0 of" in outline.text
    assert "31415" not in outline.text and "ab" * 32 not in outline.text


def right(query, key, value, allowed=None):
    return no_scale(query / key.shape[-1] ** 0.5, key, value, allowed)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (no_scale, {"holds", "does not hold", FOLLOWED, NOT_LOOKED_AT}),
        (lambda *given: right(*given)[0].sum(), {"does not hold", NOT_LOOKED_AT}),
        (right, {"holds"}),
        (lambda *given, **options: [one.detach() for one in right(*given, **options)], None),
        (lambda *given: 1 / 0, {"does not hold", NOT_LOOKED_AT}),
    ],
    ids=["named", "unnamed", "passed", "contract", "errored"],
)
def test_why_it_earned_that(answer: object, found: set[str] | None) -> None:
    """What the properties earned adds up to the score, and what they are worth to the points of the exercise."""
    attention = CATALOGUE["attention"]
    (entry,) = whole(record("ada", [judged(attention, attention.judge(answer, seed=7))]))["exercises"]
    told = reasons(entry)
    assert [reason.name for reason in told] == [name for name, _ in entry["details"]["properties"]]
    assert sum(reason.worth for reason in told) == pytest.approx(attention.points)
    assert sum(reason.earned for reason in told) == pytest.approx(attention.points * entry["score"], abs=1e-5)
    assert found is None or {reason.found for reason in told if reason.name != "shape"} == found
    text = of(record("ada", [entry])).text
    assert all(f"{reason.name} {reason.found}" in text for reason in told)


def test_code() -> None:
    """The page shows the student's own code, right or wrong, but not a stub that was left as it is."""
    entries = [
        exercise("attention", code="weights = 1  # mine"),
        exercise("mean_attention", "timeout", code="while True: pass"),
        exercise("score_variance", "not_attempted", code="score_variance = ..."),
    ]
    source = page(whole(record("ada", entries)))
    text = Outline(source).text
    assert "weights = 1 # mine" in text and "while True : pass" in text and "score_variance = ..." not in text
    assert '<span class="k">while</span>' in source


def test_older_results() -> None:
    """A result from before it held code and credit says which properties hold, as it did."""
    text = of(record("ada", [exercise(status="failed", details=details())])).text
    assert "Holds: values" in text and "Not looked at: mask" in text
    assert "Why it earned" not in text and "Your answer" not in text


@pytest.mark.parametrize("answer", [no_scale, None, lambda *given, **options: (1.0, "x")])
def test_same_matrices_as_on_the_card(answer: object) -> None:
    """A smallest case looks on the page as it does on the notebook's card, to the letter."""
    verdict = CATALOGUE["attention"].judge(answer, seed=7)
    entry = judged(CATALOGUE["attention"], verdict)
    shown = page(whole(record("ada", [entry])))
    assert (verdict.example is None) == (answer is None) == ("ca-example" not in BODY.search(shown)[0])
    if verdict.example is not None:
        assert example_html(verdict.example) in shown
        assert example_html(verdict.example) in verdict_card(verdict).html


def test_every_kind_of_end() -> None:
    """What was lost, forbidden or not attempted is told in words."""
    attention = CATALOGUE["attention"]
    entries = [
        lost(attention, "timeout"),
        forbidden(CATALOGUE["mean_attention"], "F.scaled_dot_product_attention"),
        judged(CATALOGUE["cross_attention"], CATALOGUE["cross_attention"].judge(None)),
        judged(CATALOGUE["score_variance"], CATALOGUE["score_variance"].judge(0.123)),
    ]
    text = of(record("ada", entries)).text
    for entry in entries[:3]:
        assert entry["message"] in text
    assert "Your number: 0.123" in text


def test_ungraded_is_not_zero() -> None:
    """A notebook that cannot be read has no score at all, and its notes say why."""
    text = of(record("ada", notes=["cut off half-way"])).text
    assert "Not graded" in text and "cut off half-way" in text
    assert not re.search(r"(?<!\S)0(?!\S)", text)


def test_copied_is_for_the_instructor() -> None:
    """Other notes are for the student as well."""
    notes = [
        "attention: the answer is the course's own source, up to names and layout",
        "added 1 was left out",
    ]
    text = of(record("ada", [exercise()], notes=notes)).text
    assert "own source" not in text and "added 1 was left out" in text


def test_notes_for_the_instructor() -> None:
    """A student reads the notes that are for students; the result holds all of them."""
    notes = ["added 1 was left out", "softmax names _getframe, which no answer needs: worth a look"]
    result = record("ada", [exercise()], notes=notes, student_notes=notes[:1])
    text = of(result).text
    assert "_getframe" not in text and "added 1 was left out" in text


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style><script>1</script>",
    "{{ 7 * 7 }}{% raw %}",
    "<!-- ]]> &lt;b&gt;",
    "javascript:alert(1)",
    "</textarea></pre></main><h1>",
]


def everywhere(text: str) -> dict:
    """Make a result in which every text is this one."""
    said = details(
        title=text,
        inputs={text: [[1.0, text]], f"{text}2": text},
        part=text,
        expected=[[1.0, text]],
        received=[[text, 2.0]],
        note=text,
    )
    said |= {"idea": text, "explanation": text, "properties": [[text, False]], "credit": [[text, 1.0, 0.0]]}
    wrong = exercise(text, "failed", misconception=text, message=text, details=said, code=text)
    unnamed = exercise(text, "failed", message=text, details=said, code=f"def f():\n    return {text!r}")
    plain = exercise(text, "crashed", message=text, code=text)
    passed = exercise(text, details=said, code=f"# {text}")
    fields = {"notebook": text, "assignment": text, "submitted": text, "package_version": text}
    return record(text, [wrong, unnamed, plain, passed], notes=[text], **fields)


def without_colours(outline: Outline) -> list[tuple[str, tuple[str, ...]]]:
    """Give the elements of a page, without those that the syntax colours make of a text."""
    return [one for one in outline.elements if one != ("span", ("class",))]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_texts(text: str) -> None:
    """Whatever is written in any field, the page has the elements and attributes of the template, and no others."""
    outline = of(everywhere(text))
    assert without_colours(outline) == without_colours(of(everywhere("harmless")))
    assert outline.text.count(" ".join(text.split())) >= 15
    assert {tag for tag, _ in outline.elements}.isdisjoint(
        {"script", "img", "link", "iframe", "object", "form", "base"}
    )


def test_policy() -> None:
    """Each page forbids all scripts and all loading, and lets its own style sheet hold."""
    source = page(whole(record("ada", [exercise()])))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', source)
    assert "default-src 'none'" in policy.replace("&#39;", "'") and "unsafe" not in policy
    assert "style=" not in source and "url(" not in source
