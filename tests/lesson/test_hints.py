"""Tests of lesson/hints.py."""

from __future__ import annotations

import pytest

import course_attention
from course_attention.course.helper_source import own_source
from course_attention.course.skeleton import skeleton_of
from course_attention.exercises import CATALOGUE
from course_attention.lesson import hint
from course_attention.practice import PRACTICE


@pytest.mark.parametrize("name", [*CATALOGUE, *PRACTICE])
def test_steps(name: str, shown) -> None:
    """Each call gives one more hint; the last is a skeleton, and stays. None of them shows the solution."""
    hints = CATALOGUE[name].exercise.hints if name in CATALOGUE else PRACTICE[name].hints
    for _ in range(len(hints) + 2):
        hint(name)
    titles = [bundle.text.splitlines()[0] for bundle in shown]
    assert titles[:-2] == [f"Hint {i + 1} of {len(hints) + 1} for `{name}`" for i in range(len(hints))]
    assert titles[-1] == titles[-2]
    assert "the last: a skeleton" in titles[-1]
    assert skeleton_of(own_source(name)) in shown[-1].text
    assert all(own_source(name) not in bundle.text for bundle in shown)


def test_condition_of_a_loop(shown) -> None:
    """The last hint says that a loop's condition is to be written too, where there is such a loop."""
    for name, there in (("greedy_decode", True), ("softmax", False)):
        for _ in range(len(CATALOGUE[name].exercise.hints) + 1):
            hint(name)
        assert ("So is the condition after `while`" in " ".join(shown[-1].text.split())) is there


@pytest.mark.parametrize("name", CATALOGUE)
def test_solution(name: str) -> None:
    """The course's own defines the exercise's name; a number's comes with the comment that derives it."""
    source = own_source(name)
    if CATALOGUE[name].kind == "value":
        names: dict[str, object] = {}
        exec(source, names)
        assert source.startswith("# ")
        assert names[name] == getattr(course_attention, name) == CATALOGUE[name].exercise.value
    else:
        assert source.startswith((f"def {name}(", f"class {name}("))


def test_apart(shown) -> None:
    """Hints for one exercise use up none of another's."""
    hint("softmax")
    hint("softmax")
    hint("attention")
    assert shown[-1].text.startswith("Hint 1 of")


def test_unknown() -> None:
    """A misspelt name is answered with those that come close, what is no answer with what to write."""
    with pytest.raises(ValueError, match="did you mean attention"):
        hint("atention")
    with pytest.raises(ValueError, match=r'Write its name, as in hint\("softmax"\)'):
        hint(print)


def test_object(shown) -> None:
    """The answer itself stands for its name: what the name is bound to, or a function of that name."""
    score_variance = 7
    hint(score_variance)
    hint(course_attention.softmax)
    assert [bundle.text.split("`")[1] for bundle in shown] == ["score_variance", "softmax"]
