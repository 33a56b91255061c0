"""Equal wrong answers are listed where they are rare, with how rare they are, and for the instructor alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention.grading.views import write_all
from course_attention.grading.views.pages import report
from course_attention.grading.views.results import StoredResult, whole
from course_attention.grading.views.statistics.equal_answers import EqualAnswers, Rarity
from tests.grading.views.made import Outline, details, exercise, record, write
from tests.grading.views.pages.test_report import counted

LONG = """
def {f}({x}, key, value, allowed=None):
    total = 0.0
    for i in range({x}.shape[-2]):
        for j in range(key.shape[-2]):
            total = total + {x}[i] * key[j] * {number} - value[j].sum() / (i + j + 1)
    return total, total
"""
SHORT = "def attention(query, key, value, allowed=None):\n    return query.sum()"


def answer(number: int = 7, name: str = "attention", status: str = "failed", **fields) -> dict:
    code = fields.pop("code", LONG.format(f=name, x="query", number=number))
    return exercise(name, status, 0.25, details=details(), code=code, **fields)


def others(students: int) -> list[dict]:
    """Students who all wrote something else."""
    return [record(f"s{n:02}", [answer(100 + n)], source_sha256=f"{n}") for n in range(students)]


def added(*several: dict) -> EqualAnswers:
    equal = EqualAnswers()
    for one in several:
        equal.add([StoredResult(one["student"], one["notebook"], whole(one))])
    return equal


def test_equal_up_to_names() -> None:
    """Other names and comments make no other answer; how rare it is stands beside it."""
    ada = record("ada", [answer()], source_sha256="a")
    bob = record("bob", [answer(code=f"# mine{LONG.format(f='attention', x='q', number=7)}")])
    right = [record(f"r{n}", [exercise()]) for n in range(3)]
    (row,) = added(ada, *others(18), bob, *right).rows()
    assert list(row.students) == ["ada", "bob"] and not row.same_file
    assert row.exercises == [Rarity("attention", wrong=20, forms=19, answers=23)]


@pytest.mark.parametrize(
    ("several", "why"),
    [
        ([record(f"e{n}", [answer()]) for n in range(4)], "many wrote it"),
        ([record("ada", [answer(code=SHORT)]), record("bob", [answer(code=SHORT)])], "it is short"),
        (
            [record("ada", [answer(misconception="a")]), record("bob", [answer(misconception="b")])],
            "verdicts",
        ),
        ([record("ada", [answer()]), record("bob", [answer(status="passed")])], "one is right"),
        ([record("ada", [answer()]), record("ada", [answer()], assignment="again")], "one student"),
        ([record("ada", [answer(code="")]), record("bob", [answer(code="")])], "older results"),
        (
            [record(n, [answer(name="document_mask", code=LONG.format(f="f", x="x", number=1))]) for n in "ab"],
            "a repair, of which most is the course's",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_not_listed(several: list[dict], why: str) -> None:
    """What is common, short, judged otherwise or nobody else\'s says nothing."""
    assert added(*several, *others(40)).rows() == [], why


def test_small_class() -> None:
    """In a class of ten, two equal answers are a fifth of all: not rare."""
    assert added(record("ada", [answer()]), record("bob", [answer()]), *others(8)).rows() == []


def test_those_who_share_most_come_first() -> None:
    """Students are listed once, with all exercises in which they agree; a group\'s file is said to be one."""
    ada, bob = (record(name, [answer(), answer(5, "cross_attention")]) for name in ("ada", "bob"))
    rest = [record(f"r{n}", [answer(9 + n, "cross_attention")]) for n in range(20)]
    eve, joe = (record(name, [answer(8)], source_sha256=name) for name in ("eve", "joe"))
    first, second = added(eve, joe, ada, bob, *others(20), *rest).rows()
    assert [one.exercise for one in first.exercises] == ["attention", "cross_attention"]
    assert (list(first.students), first.same_file) == (["ada", "bob"], True)
    assert (list(second.students), second.same_file) == (["eve", "joe"], False)


def test_for_the_instructor_alone(tmp_path: Path) -> None:
    """The report lists them in neutral words; no other view knows of them."""
    several = [record("ada", [answer()]), record("bob", [answer()]), *others(30)]
    text = Outline(report.page(*counted(tmp_path, *several))).text
    assert "ada , bob (the same file) attention : 2 of 32 wrong answers, which have 31 forms" in text
    assert "Equality proves nothing" in text
    write(tmp_path, *several)
    write_all(tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.name != "report.html" and path.parts[-3:-2] != ("results",):
            assert "wrong answers, which" not in path.read_text(encoding="utf-8")
            assert not ("ada" in path.parts and "bob" in path.read_text(encoding="utf-8"))
