"""What docs/judge_your_own.md says can be done is done so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from torch.nn.functional import scaled_dot_product_attention

from course_attention.exercises import CATALOGUE
from course_attention.judging.properties import PROPERTIES
from course_attention.testing import judge

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "judge_your_own.md").read_text(encoding="utf-8")
OPTIONS = re.findall(r"^\| [^|]+ \| `(\w+=[^`]+)` \|$", PAGE, re.MULTILINE)
JUDGED = re.findall(r"^\| \S+ \d[^|]* \| [^|]+ \| `(\w+)` \|", PAGE, re.MULTILINE)


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_is_one(option):
    """Each option of the page is taken, and a verdict comes."""
    how = eval(f"dict({option})")
    assert judge("attention", scaled_dot_product_attention, **how).exercise == "attention"


def test_there_are_options():
    """The page's table was found."""
    assert {option.split("=")[0] for option in OPTIONS} == {"layout", "mask", "results", "without", "dtypes", "arrays"}


def test_table_of_packages():
    """The table names exercises that there are, from at least eight packages."""
    assert set(JUDGED) <= set(CATALOGUE)
    assert len(set(re.findall(r"^\| (\S+ \d\S*) \|", PAGE, re.MULTILINE))) >= 8


def test_what_is_left_out_exists():
    """The table leaves out properties and arguments that an exercise has."""
    left_out = re.findall(r"\| without ([^;:|]+)[;:]", PAGE)
    names = {name.strip() for one in left_out for name in one.split(",")}
    assert names
    assert names <= {one.name for one in PROPERTIES} | {"allowed", "base"}
