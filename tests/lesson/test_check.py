"""Tests of lesson/check.py and lesson/naming.py."""

from __future__ import annotations

from functools import partial

import nbformat
import numpy as np
import pytest
import torch
from IPython.core.formatters import DisplayFormatter

import course_attention
from course_attention.lesson import check, hint, points


def unscaled(query, key, value, allowed=None):
    """Attention without √d_key."""
    scores = query @ key.mT
    if allowed is not None:
        scores = scores.masked_fill(~allowed, float("-inf"))
    weights = scores.softmax(dim=-1).nan_to_num(0.0)
    return weights @ value, weights


def own(scores, axis=-1):
    """Return a right softmax."""
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def stub(scores, axis=-1):
    """Return a notebook's answer cell as shipped."""
    raise NotImplementedError


def test_passed(shown) -> None:
    """A right answer comes back itself and earns all points."""
    softmax = own
    assert check(softmax) is own
    assert points("softmax") == 2.0
    assert "✓ passed" in shown[0].text


def test_failed(shown) -> None:
    """A wrong answer is named, earns a part, and the course's helper comes back."""
    assert check(unscaled, "attention") is course_attention.attention
    assert 0.0 < points("attention") < 4.0
    assert "no-scale" in shown[0].text
    assert "no-scale" in shown[0].html


@pytest.mark.parametrize("answer", [stub, None, ...])
def test_blank(answer: object, shown) -> None:
    """What was not written yet earns nothing, and its question is shown."""
    assert check(answer, "softmax") is course_attention.softmax
    assert points("softmax") == 0.0
    assert "not attempted" in shown[0].text


def test_points_plain(shown) -> None:
    """Points are a float, 0.0 before the first check, and written as one: what nbgrader reads."""
    assert points("softmax") == 0.0
    check(own, "softmax")
    assert isinstance(points("softmax"), float)
    assert repr(points("softmax")) == "2.0"


def test_nbgrader_reads_points(shown) -> None:
    """What IPython keeps of the points is what nbgrader takes for the score of a check cell."""
    utils = pytest.importorskip("nbgrader.utils")
    check(unscaled, "attention")
    formatter = DisplayFormatter()
    formatter.active_types = formatter.format_types
    data, metadata = formatter.format(points("attention"))
    cell = nbformat.v4.new_code_cell(metadata={"nbgrader": {"grade": True, "solution": False, "points": 4}})
    cell.outputs = [
        nbformat.v4.new_output("display_data", data=shown[0]._repr_mimebundle_()),
        nbformat.v4.new_output("execute_result", data=data, metadata=metadata),
    ]
    assert 0.0 < points("attention") < 4.0
    assert utils.determine_grade(cell) == (points("attention"), 4.0)


def test_last_check_counts(shown) -> None:
    """Points are those of the last check, not of the best."""
    check(own, "softmax")
    check(stub, "softmax")
    assert points("softmax") == 0.0


@pytest.mark.parametrize("misdeed", [1 / 2, "text", object(), [], np.zeros(3), int, print, KeyError("x")])
def test_any_object(misdeed: object, shown) -> None:
    """Whatever is handed in, the check shows a card and the notebook goes on."""
    assert check(misdeed, "softmax") is course_attention.softmax
    assert len(shown) == 1


def test_raising(shown) -> None:
    """An answer that raises, even with a message that cannot be read, does not stop the notebook."""

    class UnreadableError(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    def softmax(scores, axis=-1):
        raise UnreadableError

    assert check(softmax) is course_attention.softmax
    assert "stopped with an error" in shown[0].text


def test_names(shown) -> None:
    """A lambda, a partial and a renamed function answer the name they are bound to."""
    for softmax in (lambda scores, axis=-1: own(scores, axis), partial(own), own):
        assert check(softmax) is softmax
    assert points("softmax") == 2.0


def test_binding_first(shown) -> None:
    """A function that answers one exercise under the name of another is judged by what it is bound to."""

    def attention(query, key, value):
        return query

    mean_attention = attention
    del attention
    check(mean_attention)
    assert shown[0].text.startswith("✗ not right yet   mean_attention ")


def test_unnamed() -> None:
    """Where nothing says which exercise is meant, the error says what to write."""
    with pytest.raises(ValueError, match=r'check\(my_answer, "softmax"\)'):
        check(lambda scores: scores)


@pytest.mark.parametrize("call", [points, lambda name: check(own, name)])
def test_unknown_name(call) -> None:
    """A name that the course does not have is answered with those that come close."""
    with pytest.raises(ValueError, match=r"no exercise.* named 'sofmax'; did you mean softmax"):
        call("sofmax")


def test_no_frames_of_the_course() -> None:
    """In a notebook, a misspelt name shows one line and none of the course's own."""
    with pytest.raises(ValueError, match="sofmax") as raised:
        hint("sofmax")
    (line,) = raised.value._render_traceback_()  # what IPython shows in place of a traceback
    assert line == "ValueError: there is no exercise and no practice named 'sofmax'; did you mean softmax?"


def test_lent(shown) -> None:
    """The helper that a failed check lent is no answer: a second run of the check cell earns nothing more."""
    attention = check(unscaled, "attention")
    earned = points("attention")
    assert check(attention) is attention
    assert points("attention") == earned
    assert "lent" in shown[1].text
    assert check(course_attention.softmax) is course_attention.softmax
    assert points("softmax") == 2.0  # never lent: judged as any answer


def test_lent_number(shown) -> None:
    """The right number that was lent earns nothing; the same number typed in passes."""
    score_variance = check(16, "score_variance")
    assert score_variance == 256
    assert repr(score_variance) == "256"
    check(score_variance, "score_variance")
    assert points("score_variance") == 0.0
    assert check(256, "score_variance") == 256
    assert points("score_variance") == 1.0


def test_quiet(shown, capsys: pytest.CaptureFixture) -> None:
    """An answer that prints does not bury its card under the prints of many calls."""

    def softmax(scores, axis=-1):
        print("scores have shape", np.shape(scores))
        return own(scores, axis)

    check(softmax)
    assert capsys.readouterr().out == ""


def test_random_state(shown) -> None:
    """An answer that draws numbers leaves the generator of the following cells as it was."""

    def attention(query, key, value, allowed=None):
        torch.manual_seed(1)
        return unscaled(query, key, value + torch.rand(1), allowed)

    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    check(attention)
    assert torch.equal(torch.rand(3), expected)


def test_repeats(shown) -> None:
    """The same answer gives the same card, to the letter: nbval compares both forms."""
    check(unscaled, "attention")
    check(unscaled, "attention")
    assert (shown[0].text, shown[0].html) == (shown[1].text, shown[1].html)
