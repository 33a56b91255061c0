"""The pages of docs/claims have their table, and what it refers to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from course_attention.topics import TOPICS

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "claims").glob("[0-9]*.md"))
FIRST_PART = {topic.notebook for topic in TOPICS[:10]}


def test_the_first_part_has_its_pages() -> None:
    """Notebooks 00 to 09 have a page each, and no page is without its notebook."""
    stems = {page.stem for page in PAGES}
    assert stems >= FIRST_PART
    assert stems <= {topic.notebook for topic in TOPICS}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_table(page: Path) -> None:
    """Each claim has the change that would overturn it, what was run, and what came."""
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    cells = [[one.strip() for one in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]
    assert len(rows) > 3
    assert {len(row) for row in cells} == {4}
    assert all(all(row) for row in cells)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_it_names_is_there(page: Path) -> None:
    """The scripts and the data that a page names are files of the project."""
    named = re.findall(r"`((?:tools|experiments|course_attention|benchmarks|tests)/[\w/.-]+\.\w+)`", page.read_text())
    missing = [one for one in named if not ((ROOT / one).is_file() or (ROOT / "course_attention" / one).is_file())]
    assert missing == []
