"""Cells of a spreadsheet are text or numbers, never formulas."""

from __future__ import annotations

import csv
import io

import pytest

from course_attention.grading.views.exports.spreadsheet import as_csv


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＠"])
def test_formulas_are_defused(begin: str) -> None:
    """A text that a spreadsheet would take for a formula begins with an apostrophe, whatever it holds."""
    text = f'{begin}cmd|"/c calc",A1'
    assert list(csv.reader(io.StringIO(as_csv([[text, 1.0]]), newline=""))) == [[f"'{text}", "1"]]


@pytest.mark.parametrize("text", ["a=b", "Ada, Countess", 'the "one"', "two\nlines", "Żółć 王芳", "", "a\\b", "'"])
def test_texts_are_kept(text: str) -> None:
    """Any other text comes back as it was."""
    assert list(csv.reader(io.StringIO(as_csv([["x", text]]), newline=""))) == [["x", text]]


def test_numbers_and_blanks() -> None:
    """Numbers have two decimals at most; what there is not is blank, and a zero is a zero."""
    assert as_csv([[1 / 3, 0.0, 10.0, None]]) == '"0.33","0","10",""\n'
