"""A former mistake is met again a day and a week later, in another exercise's clothes, and then no more."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from course_attention.answer_corpus.corpus import answers
from course_attention.exercises import CATALOGUE
from course_attention.judging.verdict import Verdict
from course_attention.lesson import progress, review, reviews
from course_attention.lesson.progress import record
from course_attention.lesson.review_pieces import MOST_LINES, RIGHT, TITLES, piece
from tests.lesson.conftest import REVIEW

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
NO_SCALE = CATALOGUE["attention"].exercise.ideas["no-scale"].title


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / ".course_attention").mkdir()
    return tmp_path / ".course_attention"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch):
    """Return a function that lets so many days pass."""
    time = [START]
    monkeypatch.setattr(reviews, "now", lambda: time[0])

    def later(days: float) -> None:
        time[0] += timedelta(days=days)

    return later


def checked(name: str, status: str, misconception: str | None = None) -> None:
    verdict = Verdict(name, status, float(status == "passed"), CATALOGUE[name].points)
    record(replace(verdict, misconception=misconception))


def met_and_passed() -> None:
    checked("attention", "failed", "no-scale")
    checked("attention", "passed")


def last(shown: list) -> str:
    return " ".join(str(shown[-1]).split())


def letter(question, rightly: bool) -> str:
    """Return a choice that is right, or one that is not: the code says which, as each stands in the corpus."""
    code = question.code
    found = {a.idea if a.kind == "wrong" else RIGHT for n in CATALOGUE for a in answers(n) if a.source == code}
    assert len(found) == 1
    (what,) = found
    title = RIGHT if what == RIGHT else CATALOGUE["attention"].exercise.ideas[what].title
    is_it = [name for name, said in question.options.items() if said == title]
    return is_it[0] if rightly else next(name for name in question.options if name not in is_it)


def asked(shown: list):
    """Ask, and note which code was shown."""
    question = review()
    lines = str(shown[-1]).split("\n\n  a: ")[0].split("\n\n", 1)[1]
    question.code = lines
    return question


def is_due() -> bool:
    """Whether a later notebook would say that something is due."""
    return REVIEW._due() is not None


def test_line_in_a_later_notebook(workspace: Path, shown: list, clock) -> None:
    """The first cells of a notebook say in one line that something is due, and ask nothing by themselves."""
    met_and_passed()
    assert review(quiet=True) is None and shown == []
    clock(1)
    assert review(quiet=True) is None
    assert last(shown).startswith("A mistake that you have met is due. `review()`")
    assert len(shown) == 1


def test_a_day_and_a_week_later(workspace: Path, shown: list, clock) -> None:
    """It is due after a day, after a week once it was known, and never again once it was known twice."""
    met_and_passed()
    assert not is_due()
    clock(1)
    question = asked(shown)
    question.answer = letter(question, rightly=True)
    assert last(shown).startswith("Yes. ") and "It comes again in a week." in last(shown)
    clock(6.9)
    assert not is_due()
    clock(0.2)
    question = asked(shown)
    question.answer = letter(question, rightly=True)
    assert "You will not be asked about it again." in last(shown)
    clock(1000)
    assert not is_due()
    progress()
    assert "Safe by now, because you recognised them a day and a week later: `no-scale`." in last(shown)


def test_not_known(workspace: Path, shown: list, clock) -> None:
    """Who does not know it is told what it is, and asked a day later; not for ever."""
    met_and_passed()
    times = 0
    for _ in range(20):
        clock(1)
        if not is_due():
            break
        question = asked(shown)
        question.answer = letter(question, rightly=False)
        assert "You said: " in last(shown) and "What is so: " in last(shown)
        times += 1
    assert times == reviews.MOST_ASKED
    assert "You will not be asked about it again." in last(shown)
    progress()
    assert "Not safe yet: `no-scale`." in last(shown) and "Safe by now" not in last(shown)


def test_met_once_more(workspace: Path, shown: list, clock) -> None:
    """A mistake that is made again is not safe any more."""
    met_and_passed()
    for days in (1, 7):
        clock(days)
        reviews.know("no-scale", True)
    assert reviews.all_reviews()["no-scale"].is_safe
    checked("cross_attention", "failed", "no-scale")
    assert not reviews.all_reviews()["no-scale"].is_safe


def test_only_what_passed_is_shown(workspace: Path, shown: list, clock) -> None:
    """No answer is shown, right or wrong, to an exercise that has not passed."""
    checked("attention", "failed", "no-scale")
    clock(3)
    assert not is_due()
    checked("multi_head_attention", "passed")
    review()
    assert "multi_head_attention" in last(shown)


def test_in_other_clothes() -> None:
    """The exercise in which it was met is taken only where there is no other."""
    for number in range(10):
        other = piece("no-scale", ["attention", "cross_attention", "self_attention"], ["attention"], number)
        assert other is not None and other.exercise != "attention"
        same = piece("no-scale", ["attention"], ["attention"], number)
        assert same is not None and same.exercise == "attention"


def test_an_open_question_comes_again(workspace: Path, shown: list, clock) -> None:
    """The question stays the same until it is answered, so that `review().answer = …` answers what is on the table."""
    met_and_passed()
    clock(2)
    review()
    first = str(shown[-1])
    review()
    assert str(shown[-1]) == first
    review().answer = "a"
    assert ("Yes. " in last(shown)) or ("You said: " in last(shown))


def test_said_where_nothing_is_due(workspace: Path, shown: list, clock) -> None:
    """Whoever asks by hand hears that nothing is due, and when it would be."""
    assert review() is None
    assert "Nothing is due." in last(shown)


def test_misconceptions_of_an_older_course(workspace: Path, shown: list, clock) -> None:
    """What was met before times were kept is due a day after it was first looked at."""
    met_and_passed()
    (workspace / "reviews.json").unlink()
    reviews._memory.clear()
    assert not is_due()
    clock(1)
    assert is_due()


@pytest.mark.parametrize(
    "content", ["{", '{"no-scale": 1}', '{"no-scale": {"due": "soon"}}', '{"a": {"due": "2026-01-01"}}']
)
def test_damaged_file(workspace: Path, shown: list, clock, content: str) -> None:
    """A file that is no record is set aside as it is, and `progress` says so."""
    (workspace / "reviews.json").write_text(content)
    progress()
    assert (workspace / "reviews.damaged.json").read_text() == content
    assert "reviews.damaged.json" in last(shown)


def test_file(workspace: Path, clock) -> None:
    """The file says when, and holds no code."""
    met_and_passed()
    kept = json.loads((workspace / "reviews.json").read_text())
    assert kept == {"no-scale": {"due": (START + timedelta(days=1)).isoformat(), "known": 0, "asked": 0}}


IDS = sorted(
    {id for entry in CATALOGUE.values() if entry.kind in ("function", "module") for id in entry.misconceptions}
)


def test_pieces() -> None:
    """A piece is short, its choices are different, one of them is right, and both kinds come."""
    pieces = [piece(id, [*CATALOGUE], [], number) for id in IDS for number in range(3)]
    there = [one for one in pieces if one is not None]
    assert len(there) > 0.7 * len(pieces)
    for one in there:
        assert len(one.code.splitlines()) <= MOST_LINES
        assert len(set(one.choices)) == len(one.choices) <= TITLES + 1
        assert one.right in one.choices and one.choices[-1] == RIGHT
    share = sum(one.right == RIGHT for one in there) / len(there)
    assert 0.2 < share < 0.5


@pytest.mark.parametrize("id", ["no-scale", "mask-ignored", "heads-by-view", "softmax-overflows", "detached"])
def test_the_judge_says_the_same(id: str) -> None:
    """What is said to be right is what the judge names: the mistake, or nothing."""
    from course_attention.answer_corpus.answer_value import value_of

    for number in range(3):
        one = piece(id, [*CATALOGUE], [], number)
        assert one is not None
        answer = next(a for a in answers(one.exercise) if a.source == one.code)
        verdict = CATALOGUE[one.exercise].judge(value_of(answer), 0)
        if one.right == RIGHT:
            assert verdict.status == "passed"
        else:
            assert CATALOGUE[one.exercise].exercise.ideas[verdict.misconception].title == one.right
