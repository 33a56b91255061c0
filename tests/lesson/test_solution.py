"""`solution` shows the course's own answer beside one that passed, and before that how to get there."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention.course.helper_source import own_source
from course_attention.course.student_module import with_part
from course_attention.course.workspace import MARKER
from course_attention.exercises import CATALOGUE
from course_attention.lesson import check, hint, solution
from course_attention.lesson.own_answer import own_text
from course_attention.lesson.two_answers import NO_REASON, SAME, differences
from course_attention.practice import PRACTICE

OURS = own_source("attention_scores")


def text(shown: list) -> str:
    return " ".join(shown[-1].text.split())


@pytest.mark.parametrize("name", [*CATALOGUE, *PRACTICE])
def test_not_before_it_passed(name: str, shown: list) -> None:
    """What has not passed is not shown, in either form; the way there is."""
    solution(name)
    for form in (shown[-1].text, shown[-1].html):
        assert own_source(name) not in form
        assert "has not passed yet" in form and "hint(" in form


def test_the_way_there(shown: list) -> None:
    """It says what the last card said, and how many hints are left."""
    attention_scores = lambda state, memory: -(memory @ state.unsqueeze(-1)).squeeze(-1)  # noqa: E731
    hint("attention_scores")
    check(attention_scores, "attention_scores")
    solution("attention_scores")
    steps = len(CATALOGUE["attention_scores"].exercise.hints) + 1
    assert f"1 of {steps} so far" in text(shown)
    assert OURS not in shown[-1].text


def test_beside_the_students(shown: list) -> None:
    """After a pass, both stand beside each other, with what differs and why one may prefer either."""
    cell = (
        "import torch\n\ndef attention_scores(state, memory):\n    # one product after another\n"
        "    return torch.stack([(state * row).sum(-1) for row in memory.unbind(1)], dim=1)\n"
    )
    names: dict = {"__name__": "__main__", "In": ["", cell], "check": check, "solution": solution}
    import linecache

    linecache.cache["<cell>"] = (len(cell), None, cell.splitlines(keepends=True), "<cell>")
    exec(compile(cell, "<cell>", "exec"), names)
    exec('check("attention_scores")\nsolution("attention_scores")', names)
    assert "Yours:" in shown[-1].text and "# one product after another" in shown[-1].text
    assert OURS in shown[-1].text
    assert "Yours goes step by step, in a loop. The course's own does not." in text(shown)
    for head in ("Yours", "The course's own"):
        assert f'aria-label="{head}"' in shown[-1].html


def test_passed_elsewhere(shown: list) -> None:
    """Where the student's text is out of reach, the course's own is shown alone, and what to do for both."""
    check(lambda state, memory: (memory @ state.unsqueeze(-1)).squeeze(-1), "attention_scores")
    solution("attention_scores")
    assert OURS in shown[-1].text and "Yours:" not in shown[-1].text
    assert "can't be read here" in text(shown)


def test_own_text_from_the_module() -> None:
    """Of a part of the student's module, the definition is shown, and none of its imports."""
    Path(MARKER).mkdir()
    body = "import math\nimport torch\n\n\ndef attention_scores(state, memory):\n    return memory @ state.mT"
    Path("my_attention.py").write_text(with_part("", "attention_scores", body), encoding="utf-8")
    shown = own_text("attention_scores", {}, passed_here=False)
    assert shown.startswith("def attention_scores(") and "import" not in shown


def test_same_tool_under_two_names() -> None:
    """A function of a module and the method of that name are one tool, and so are two names of one function."""
    yours = "def f(x):\n    return np.sum(x.transpose(-1, -2))"
    assert differences(yours, "def f(x):\n    return x.mT.sum()") == [SAME]


def test_index_is_not_where() -> None:
    """What writes at an index is told so, and why one may prefer a new tensor."""
    told = " ".join(differences("def f(x, m):\n    x[m] = 0\n    return x", "def f(x, m):\n    return where(m, 0, x)"))
    assert "Yours writes into a tensor, at an index." in told and "The course's own chooses with `where`." in told


def test_a_number(shown: list) -> None:
    """Of a number, it is shown where it comes from."""
    check(256, "score_variance")
    solution("score_variance")
    assert own_source("score_variance") in shown[-1].text and "What differs" not in shown[-1].text


def test_unknown() -> None:
    """A misspelt name is answered with those that come close."""
    with pytest.raises(ValueError, match="did you mean attention"):
        solution("atention")


@pytest.mark.parametrize(
    ("yours", "ours", "said"),
    [
        ("def f(x): return x.softmax(-1)", "def f(x): return x.exp() / x.exp().sum(-1)", "writes the exponentials out"),
        (
            "def f(x, m): return torch.where(m, x, 0)",
            "def f(x, m): return x.masked_fill(~m, 0)",
            "chooses with `where`",
        ),
        ("f = lambda x: x", "def f(x):\n    return x", "is a lambda"),
        ("def f(x): return x.view(2, 2)", "def f(x): return x.unflatten(0, (2, 2))", "uses `view`"),
        ("def f(x): return np.nan_to_num(x / x)", "def f(x): return x / x", "lets NaN arise"),
        ("def f(x): return x.abs()", "def f(x): return abs(x)", SAME),
        ("def f(x): return x.mul(x)", "def f(x): return x.square()", NO_REASON),
        ("def f(x): return x + x", 'def f(y: int) -> int:\n    """Double."""\n    return y + y', SAME),
    ],
)
def test_differences(yours: str, ours: str, said: str) -> None:
    """What one does and the other does not is named, with a reason for either; the same words the other way round."""
    assert said in " ".join(differences(yours, ours))
    assert said in " ".join(differences(ours, yours))
