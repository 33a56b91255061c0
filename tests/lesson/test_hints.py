"""Tests of lesson/hints.py."""

from __future__ import annotations

import pytest

import course_attention
from course_attention.course.helper_source import own_source
from course_attention.exercises import CATALOGUE
from course_attention.lesson import hint


@pytest.mark.parametrize("name", CATALOGUE)
def test_steps(name: str, shown) -> None:
    """Each call gives one more hint; the last is the solution, and stays."""
    hints = CATALOGUE[name].exercise.hints
    for _ in range(len(hints) + 2):
        hint(name)
    titles = [bundle.text.splitlines()[0] for bundle in shown]
    assert titles[:-2] == [f"Hint {i + 1} of {len(hints) + 1} for `{name}`" for i in range(len(hints))]
    assert titles[-1] == titles[-2]
    assert "the last" in titles[-1]
    assert own_source(name) in shown[-1].text
    assert all(own_source(name) not in bundle.text for bundle in shown[:-2])


@pytest.mark.parametrize("name", CATALOGUE)
def test_solution(name: str) -> None:
    """The solution defines the exercise's name; a number's comes with the comment that derives it."""
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
