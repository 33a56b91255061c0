"""`python -m tests.corpus` shows an answer whole, with the verdict on it, and helps who misspells a name."""

from __future__ import annotations

import re
import sys

import pytest

from course_attention.answer_corpus.answer_value import value_of
from course_attention.answer_corpus.corpus import answers
from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.exercises import CATALOGUE
from course_attention.presentation.card import verdict_card
from tests.corpus.__main__ import main

COLOUR = re.compile(r"\x1b\[[\d;]*m")


def answer_named(exercise: str, label: str) -> Answer:
    return next(answer for answer in answers(exercise) if answer.label == label)


# A changed answer, a class, a number.
@pytest.mark.parametrize(
    ("exercise", "label"),
    [
        ("softmax", "wrong__softmax_not_normalised__1"),
        ("SelfAttention", "right__einsum"),
        ("dense_parameters", "right__int"),
    ],
)
def test_answer_and_verdict(exercise: str, label: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An answer is shown as it stands in a cell, between the note about it and its card at the seed."""
    answer = answer_named(exercise, label)
    cards = [str(verdict_card(CATALOGUE[exercise].judge(value_of(answer), seed))) for seed in (0, 3)]
    for arguments, seed, card in (([], 0, cards[0]), (["--seed", "3"], 3, cards[1])):
        main([exercise, label, *arguments])
        head, _, rest = capsys.readouterr().out.partition(answer.cell)
        assert head == f"# {label}\n" + (f"# {answer.note}\n" if answer.note else "") + "\n"
        assert rest == f"\n\nAt seed {seed} the judge says:\n\n{card}\n"
    assert exercise != "softmax" or cards[0] != cards[1]


def test_forbidden(capsys: pytest.CaptureFixture[str]) -> None:
    """The judge would let ready-made attention pass; that the grader refuses it is said as well."""
    main(["attention", "forbidden__scaled_dot_product_attention"])
    refused = "The grader refuses this answer: it uses torch.nn.functional.scaled_dot_product_attention."
    assert refused in capsys.readouterr().out
    main(["attention", "wrong__no_scale__1"])
    assert "refuses" not in capsys.readouterr().out


def test_colours(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Code has colours in a terminal, unless NO_COLOR asks for none; a file gets none."""
    plain = answer_named("softmax", "right__shift").cell
    for is_terminal, no_color, coloured in ((True, "", True), (True, "1", False), (False, "", False)):
        monkeypatch.setattr(sys.stdout, "isatty", lambda is_terminal=is_terminal: is_terminal)
        monkeypatch.setenv("NO_COLOR", no_color)
        main(["softmax", "right__shift"])
        shown = capsys.readouterr().out
        assert bool(COLOUR.search(shown)) is coloured
        assert f"\n\n{plain}\n\n" in COLOUR.sub("", shown)


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    """An exercise alone lists all its answers in the order of their file, with what is said of them."""
    main(["softmax"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [answer.label for answer in answers("softmax")]
    assert re.search(r"^odd__prints +Prints what it gets and warns\.$", "\n".join(lines), re.MULTILINE)


def test_practice(capsys: pytest.CaptureFixture[str]) -> None:
    """Answers to practice are listed and shown as those to exercises are."""
    main(["entropy"])
    assert "wrong__entropy_in_nats__1" in capsys.readouterr().out
    main(["entropy", "wrong__entropy_in_nats__1"])
    assert "[entropy-in-nats]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["sofmax"], "there is no exercise and no practice named 'sofmax'; did you mean softmax?"),
        (
            ["sofmax", "right__shift"],
            "there is no exercise and no practice named 'sofmax'; did you mean softmax?",
        ),
        (["softmax", "right_shift"], "softmax has no answer named 'right_shift'; did you mean right__shift"),
        (["softmax", "?"], "softmax has no answer named '?'; `python -m tests.corpus softmax` lists those"),
    ],
)
def test_unknown_name(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown name is an error, which says which names come near or where to find them."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2 and told in capsys.readouterr().err
