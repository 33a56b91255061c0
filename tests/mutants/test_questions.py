"""Each question of `defend` has exactly one right choice: all four properties are looked at, and "nothing"."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from course_attention.exercises import CATALOGUE
from course_attention.judging import properties
from course_attention.mutants import questions as room
from course_attention.mutants.choices import CHOICES, FEWEST, choices
from course_attention.mutants.endless_loops import LIMITED
from course_attention.mutants.fairness import is_fair
from course_attention.mutants.making import Mutant, mutants
from course_attention.mutants.own_text import change_of
from course_attention.mutants.questions import Questions, can_be_asked
from course_attention.mutants.right_answer import RightAnswer, helper
from course_attention.mutants.what_breaks import is_so, what_breaks

NEW_SEED = max(room.SEEDS) + 1
SAMPLE = ["softmax", "attention_distribution", "relative_bias", "append_positions"]
ASKED = [name for name in CATALOGUE if can_be_asked(name)]
DISTANCE = "def attention_scores(state, memory):\n    return (memory * state.unsqueeze(1)).sum(dim=-1)\n"


def right_choices(right: RightAnswer, question: room.Question, seed: int) -> list[str]:
    """Return the choices that are right at a seed, each looked at by itself."""
    held = what_breaks(question.exercise, right.built(question.mutant.source), seed)
    return [one.name if one else "nothing" for one in (*question.choices, None) if is_so(one, held)]


@pytest.mark.parametrize("name", SAMPLE)
def test_one_right_choice(name: str) -> None:
    """At a seed that nobody looked at when the question was drawn, one choice of five is right, and it is that one."""
    right = helper(name)
    found = list(Questions(right).every())
    assert len(found) >= 5
    for question in found:
        assert FEWEST <= len(question.choices) <= CHOICES
        expected = question.right.name if question.right else "nothing"
        assert right_choices(right, question, NEW_SEED) == [expected], question.mutant.change


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.skipif(not LIMITED, reason="a mutant that never ends could not be ended here")
@pytest.mark.parametrize("name", [name for name in ASKED if name not in SAMPLE])
def test_one_right_choice_of_drawn(name: str) -> None:
    """The same of the first questions about every exercise that can be asked about."""
    right = helper(name)
    drawn = Questions(right).draw(0), Questions(right).draw(1)
    assert drawn[0] is not None
    for question in filter(None, drawn):
        expected = question.right.name if question.right else "nothing"
        assert right_choices(right, question, NEW_SEED) == [expected], question.mutant.change


def test_of_an_answer_in_another_style() -> None:
    """A student's own text is asked about as the course's is."""
    right = RightAnswer("attention_scores", "own", DISTANCE)
    for question in Questions(right).every():
        assert right_choices(right, question, NEW_SEED) == [question.right.name if question.right else "nothing"]
        assert ("-", "    return (memory * state.unsqueeze(1)).sum(dim=-1)") in question.lines


def test_nothing_is_not_a_gap_of_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that the judge lets pass, and that shows on other inputs, is not asked about as breaking nothing."""
    right = helper("softmax")
    nothing = [q.mutant.change for q in Questions(right).every() if q.right is None]
    assert nothing
    monkeypatch.setattr(room, "differs", lambda *anything: type("Fate", (), {"kind": "survived"}))
    assert [q.mutant.change for q in Questions(right).every() if q.right is None] == []


def test_drawn_questions() -> None:
    """A number draws the same question again; what was asked is not drawn; no kind is right nearly always."""
    questions = Questions(helper("attention_distribution"))
    assert questions.draw(3) == questions.draw(3)
    asked: list[str] = []
    kinds: Counter[str] = Counter()
    for number in range(24):
        question = questions.draw(number, asked)
        assert question is not None and question.mutant.change not in asked
        asked.append(question.mutant.change)
        kinds[question.right.name if question.right else "nothing"] += 1
    assert len(kinds) >= 4
    assert kinds.most_common(1)[0][1] <= 16


def test_successive_questions_differ() -> None:
    """Three questions in a row are about different statements, where the answer has as many."""
    questions = Questions(helper("attention_distribution"))
    asked: list[str] = []
    for number in range(3):
        question = questions.draw(number, asked)
        assert question is not None
        asked.append(question.mutant.change)
    lines = [tuple(line for mark, line in _asked_about(questions, change).lines if mark == "-") for change in asked]
    assert len({*lines}) == 3


@pytest.mark.parametrize("name", ["attention_scores", "window_mask"])
def test_no_answer_three_times_in_a_row(name: str) -> None:
    """Who has said the same twice is asked about something else, where the answer has a change that breaks it."""
    questions = Questions(helper(name))
    asked: list[str] = []
    said: list[str] = []
    for number in range(6):
        question = questions.draw(number, asked)
        assert question is not None
        asked.append(question.mutant.change)
        said.append(question.right.name if question.right else "nothing")
    assert all(len({*said[n : n + 3]}) > 1 for n in range(4)), said


def test_one_statement_is_enough() -> None:
    """Where all that can be asked about is in one statement, the next question is about that one again."""
    questions = Questions(helper("SelfAttention"))
    first = questions.draw(0)
    assert first is not None and questions.draw(1, [first.mutant.change]) is not None


def _asked_about(questions: Questions, change: str) -> room.Question:
    return next(question for question in questions.every() if question.mutant.change == change)


def test_choices_that_one_may_suspect() -> None:
    """The formula and what the changed piece suggests are offered, rather than what nobody would think of."""
    others = [one for one in properties.PROPERTIES if one.name not in ("dtypes", "mask")]
    for number in range(20):
        found = choices(properties.MASK, others, "scores.amax(dim=-1) → scores", random.Random(number))
        assert {properties.MASK, properties.VALUES} <= {*found}
        assert not {properties.DEVICE, properties.INPUTS_UNCHANGED} & {*found}
        assert {*found} <= {
            properties.MASK,
            properties.VALUES,
            properties.LARGE_SCORES,
            properties.LEADING_DIMENSIONS,
            properties.SHAPE,
            properties.AXIS,
        }


def test_nothing_left_to_ask() -> None:
    """Where every change was asked about, there is no question."""
    right = RightAnswer("attention_scores", "own", DISTANCE)
    assert Questions(right).draw(0, [mutant.change for mutant in mutants(right.source)]) is None


def test_what_can_be_asked_about() -> None:
    """Numbers, tests, designs and formulas have no four properties."""
    left_out = [name for name in CATALOGUE if not can_be_asked(name)]
    assert {"score_variance", "accepts", "relation_weights", "attention_multiply_adds"} <= {*left_out}
    assert {CATALOGUE[name].kind for name in ASKED} == {"function", "module"}
    assert len(ASKED) >= 50


def test_defaults_and_refusals_are_left_out() -> None:
    """What the judge never tries is no question: a default, and an error for wrong arguments; nor is nonsense."""
    source = (
        "def f(x, n=2):\n    if n < 1:\n        raise ValueError(n)\n    assert n\n    y = x * -3\n    return x + n"
    )
    fair = {m.change: is_fair(change_of(source, m)) for m in mutants(source, tensors=False)}
    assert fair["x + n → x - n"]
    for change in ("2 → 3", "n < 1 → n <= 1", "raise ValueError(n) → pass", "x * -3 → -3"):
        assert not fair[change], change


def test_a_tiny_constant_is_no_question() -> None:
    """Twice the constant that keeps a division from zero shows in tiny inputs alone; leaving it away may be asked."""
    source = "def f(x):\n    return x / (x.square().mean() + 1e-06).sqrt()"
    fair = {m.change: is_fair(change_of(source, m)) for m in mutants(source, tensors=False)}
    assert not fair["1e-06 → 2e-06"] and not fair["1e-06 → -1e-06"]
    assert any(is_so for change, is_so in fair.items() if "1e-06" in change)
    source = "def f(x):\n    return nn.RMSNorm(8, eps=1e-06)(x)"
    fair = {m.change: is_fair(change_of(source, m)) for m in mutants(source, tensors=False)}
    assert not fair["nn.RMSNorm(8, eps=1e-06) → nn.RMSNorm(8)"]


def test_long_runs_decide_nothing() -> None:
    """What only a long sequence shows is neither right nor a choice."""
    for question in Questions(helper("causal_mask")).every():
        assert properties.LONG_SEQUENCES not in question.choices


@pytest.mark.skipif(not LIMITED, reason="a mutant that never ends could not be ended here")
def test_endless_change_is_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that makes a loop endless is given up, and nobody is asked about it."""
    monkeypatch.setattr(room, "SECONDS", 0.3)
    right = RightAnswer("attention_scores", "own", DISTANCE)
    endless = Mutant("endless", DISTANCE.replace("    return", "    while True:\n        pass\n    return"))
    monkeypatch.setattr(room, "mutants", lambda *anything: [endless])
    assert Questions(right).draw(0) is None
