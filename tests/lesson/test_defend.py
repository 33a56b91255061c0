"""`defend` asks about the student's own answer, shows the judge's case, and keeps who was asked; nothing is scored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from course_attention.course.defended import defended_in
from course_attention.course.student_module import with_part
from course_attention.exercises import CATALOGUE
from course_attention.judging.verdict import Verdict
from course_attention.lesson import defences, defend, progress
from course_attention.lesson.choice import Choice
from course_attention.lesson.progress import record

OWN = """\
def attention_scores(state, memory):
    # one product for each word of the source
    return (memory * state.unsqueeze(1)).sum(dim=-1)
"""


def kept(name: str = "attention_scores", body: str = OWN) -> None:
    """Put an answer into the student's module, in the current folder."""
    Path("my_attention.py").write_text(with_part("", name, body), encoding="utf-8")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return a workspace that holds an answer that passed."""
    (tmp_path / ".course_attention").mkdir()
    kept()
    record(Verdict("attention_scores", "passed", 1.0, CATALOGUE["attention_scores"].points))
    return tmp_path / ".course_attention"


def last(shown: list) -> str:
    return " ".join(str(shown[-1]).split())


def right_name(choice: Choice, shown: list) -> str:
    """Answer a question, rightly or not, and return the right choice."""
    choice.answer = next(iter(choice.options))
    said = last(shown)
    return said.partition("Right: `" if "Right: `" in said else "It is `")[2].partition("`")[0]


def answer_rightly(shown: list, monkeypatch: pytest.MonkeyPatch) -> None:
    """Find out what is right on a copy of the progress, and then give that answer."""
    with monkeypatch.context() as aside:
        aside.setattr(defences, "keep", lambda *anything: defences.Defence())
        right = right_name(defend("attention_scores"), shown)
    question = defend("attention_scores")
    question.answer = right
    assert "Right: `" in last(shown)


def test_what_can_be_defended(shown: list, workspace: Path) -> None:
    """Without a name nothing is asked: a card names the answers that passed and are not defended yet."""
    assert defend() is None
    assert '`question = defend("attention_scores")`' in last(shown)
    for _ in range(defences.IN_A_ROW):
        defences.keep("attention_scores", True, "a → b")
    defend()
    assert last(shown) == "Defended: attention_scores. Nothing else that passed can be defended yet."
    record(Verdict("softmax", "passed", 1.0, CATALOGUE["softmax"].points))
    defend()
    assert "1 of 2 are defended" in last(shown) and 'defend("softmax")' in last(shown)


def test_nothing_passed(shown: list) -> None:
    """Before anything has passed, the card says what `defend` is."""
    record(Verdict("score_variance", "passed", 1.0, CATALOGUE["score_variance"].points))
    assert defend(quiet=True) is None and shown == []
    assert defend() is None
    assert "None of your functions or classes has passed a check yet." in last(shown)


def test_own_answer_is_asked_about(workspace: Path, shown: list) -> None:
    """The change is shown in the student's own text, with four properties to choose from and "nothing"."""
    question = defend("attention_scores")
    assert "from my_attention.py" in last(shown)
    assert "# one product for each word of the source" in str(shown[-1])
    assert len(question.options) == 5 and "nothing" in question.options
    for form in (shown[-1].text, shown[-1].html):
        assert all(name in form for name in question.options)
        assert "question.answer = " in form
    assert "−" in shown[-1].text and "ca-before" in shown[-1].html and "ca-after" in shown[-1].html


def test_the_judge_has_the_last_word(workspace: Path, shown: list) -> None:
    """After the answer come what the judge says and its case, or that the change breaks nothing."""
    seen = set()
    for _ in range(6):
        question = defend("attention_scores")
        right = right_name(question, shown)
        seen.add(right)
        said = last(shown)
        assert "The judge says of it: " in said or "The judge lets the changed answer pass" in said
        if right in ("values", "shape"):
            assert "Smallest case: " in said and "expected " in said
    assert len(seen) > 1


def test_three_in_a_row(workspace: Path, shown: list, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three right ones in a row defend an answer; a wrong one before them begins anew; a wrong one after takes none."""
    answer_rightly(shown, monkeypatch)
    assert "1 of 3 in a row." in last(shown)
    defences.keep("attention_scores", False, "a change")
    for row in (1, 2):
        answer_rightly(shown, monkeypatch)
        assert f"{row} of 3 in a row." in last(shown)
    assert defences.defended() == ()
    answer_rightly(shown, monkeypatch)
    assert "Three in a row: your `attention_scores` is defended." in last(shown)
    defences.keep("attention_scores", False, "another")
    assert defences.defended() == ("attention_scores",)
    bundle = shown[-1]._repr_mimebundle_()
    assert defended_in([{"data": bundle}]) == ("attention_scores",)


def test_kept_in_the_workspace(workspace: Path, shown: list) -> None:
    """Another notebook's session goes on where this one was; `progress` says it, and no points come of it."""
    for _ in range(3):
        defences.keep("attention_scores", True, "a change")
    defences._memory.clear()
    progress()
    assert "Defended, three changes in a row: 1 of 1 (attention_scores). This is not scored." in last(shown)
    points = f"{CATALOGUE['attention_scores'].points:g} of"
    assert points in last(shown)
    entry = json.loads((workspace / "defences.json").read_text())["attention_scores"]
    assert (entry["asked"], entry["row"], entry["defended"]) == (3, 3, True)


def test_an_open_question_comes_again(workspace: Path, shown: list) -> None:
    """Nobody gets an easier one by asking again; only an answer brings the next."""
    defend("attention_scores")
    first = str(shown[-1])
    question = defend("attention_scores")
    assert str(shown[-1]) == first
    question.answer = "nothing"
    defend("attention_scores")
    assert str(shown[-1]) != first


def test_course_own_where_none_passed(shown: list) -> None:
    """Without an answer that passed, the course's own is asked about, and nothing is kept."""
    question = defend("attention_scores")
    assert "the course's own answer" in last(shown)
    question.answer = "nothing"
    assert "Nothing is kept of this" in last(shown)
    assert defences.defended() == () and defences.defence_of("attention_scores").asked == 0


def test_module_that_was_spoilt(workspace: Path, shown: list) -> None:
    """An answer in the module that no longer passes is not asked about as if it were right."""
    kept(body=OWN.replace(".sum(dim=-1)", ".sum(dim=0)"))
    defend("attention_scores")
    assert "the course's own answer" in last(shown)


@pytest.mark.parametrize(
    "body",
    [
        "scores = lambda state, memory: (memory * state[:, None]).sum(-1)\nattention_scores = scores\n",
        "attention_scores = lambda state, memory: (memory * state[:, None]).sum(-1)\n",
        "def product(a, b):\n    return (a * b).sum(-1)\n\n\n"
        "def attention_scores(state, memory):\n    return product(memory, state[:, None])\n",
    ],
)
def test_forms_of_an_answer(body: str, workspace: Path, shown: list) -> None:
    """A lambda, another name for a function and a function with a helper of its own are asked about as they are."""
    kept(body=body)
    defend("attention_scores")
    assert "This is your own answer" in last(shown)


@pytest.mark.parametrize("name", ["score_variance", "accepts", "relation_weights", "attention_multiply_adds"])
def test_nothing_to_defend(name: str, shown: list) -> None:
    """Where there are no four properties, that is said, and nothing is asked."""
    assert defend(name) is None
    assert "There is nothing to defend" in last(shown)


def test_unknown() -> None:
    """A misspelt name is answered with those that come close."""
    with pytest.raises(ValueError, match="did you mean attention"):
        defend("atention")


@pytest.mark.parametrize(
    "content", ["{", '{"softmax": 3}', '{"softmax": {"asked": "two"}}', '{"softmax": {"row": -1}}']
)
def test_damaged_file(workspace: Path, shown: list, content: str) -> None:
    """A file that is no record is set aside as it is, and `progress` says so."""
    (workspace / "defences.json").write_text(content)
    assert defences.defended() == ()
    assert (workspace / "defences.damaged.json").read_text() == content
    progress()
    assert "defences.damaged.json" in last(shown)
