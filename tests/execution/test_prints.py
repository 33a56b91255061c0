"""What answers print: kept where somebody asks, and never without end."""

from __future__ import annotations

import sys

from course_attention.execution.local import LocalRunner
from course_attention.execution.prints import LONGEST, MOST_CALLS, prints_kept
from course_attention.execution.protocol import Call


def test_kept(capsys) -> None:
    """The prints of a few calls are kept, a repetition once; warnings are not, and nothing reaches the notebook."""

    def talks(n):
        print("n is", n)
        print("a warning", file=sys.stderr)
        return n

    with prints_kept() as printed:
        for n in (1, 1, 2, 3, 4, 5, 6, 7):
            LocalRunner(talks, "numpy").observe(Call({"n": n}))
    assert printed == [f"n is {n}\n" for n in range(1, MOST_CALLS + 1)]
    assert capsys.readouterr() == ("", "")


def test_capped() -> None:
    """Of a call that prints without end, the first characters are kept, also where it raised."""

    def shouts(n):
        for _ in range(1000):
            print("x" * 99)
        raise ValueError

    with prints_kept() as printed:
        LocalRunner(shouts, "numpy").observe(Call({"n": 1}))
    assert [len(text) for text in printed] == [LONGEST]


def test_nobody_asks() -> None:
    """Where nobody asks, nothing is kept and nothing is printed."""
    assert LocalRunner(lambda n: print(n), "numpy").observe(Call({"n": 1})).form == "nothing"
