"""A notebook as a page of the site."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from course_site.lessons import page_of, target_of, verdicts_in
from course_site.predictions import asked_in

from course_attention.topics import TOPICS

ROOT = Path(__file__).resolve().parents[2]
STEMS = [topic.notebook for topic in TOPICS]


def notebook(stem: str) -> dict:
    return json.loads((ROOT / "notebooks" / f"{stem}.ipynb").read_text(encoding="utf-8"))


@cache
def lesson_page(stem: str) -> dict:
    """Return the page of a notebook, made once for all that look at it."""
    return page_of(notebook(stem), stem)


def sources(page: dict, kind: str) -> list[str]:
    return ["".join(cell["source"]) for cell in page["cells"] if cell["cell_type"] == kind]


@pytest.mark.parametrize("stem", STEMS)
def test_nothing_is_lost(stem):
    """The page has every cell but the standing ones; code is as it was, what was folded is folded."""
    before, page = notebook(stem), lesson_page(stem)
    assert sources(page, "code") == [
        "".join(cell["source"])
        for cell in before["cells"]
        if cell["cell_type"] == "code" and cell["id"] not in ("install", "review", "defend")
    ]
    for cell in page["cells"]:
        if cell["metadata"].get("jupyter", {}).get("source_hidden"):
            assert "hide-input" in cell["metadata"]["tags"]


@pytest.mark.parametrize("stem", STEMS)
def test_pictures_are_described(stem):
    """Each picture has an alt text, the one that the notebook saved where it saved one."""
    for cell in lesson_page(stem)["cells"]:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                alt = cell["metadata"]["mystnb"]["image"]["alt"]
                assert alt == output["metadata"].get("image/png", {}).get("alt", alt)
                assert len(alt.split()) > 3


@pytest.mark.parametrize("stem", STEMS)
def test_every_prediction_is_a_form(stem):
    """Each prediction can be made on the page, and no card of a prediction that asks for a cell remains."""
    before, page = notebook(stem), json.dumps(lesson_page(stem))
    asked = [one for source in sources(before, "code") for one in asked_in(source)]
    assert page.count('<form class=\\"prediction\\"') == len(asked)
    assert "write for example" not in page
    assert "You made no prediction" not in page


def test_no_style_and_no_badge():
    """Cards bring no style sheet of their own, and no picture comes from elsewhere."""
    for stem in STEMS:
        page = json.dumps(lesson_page(stem))
        assert "<style>" not in page
        assert "colab-badge.svg" not in page
        assert "Open in Colab" in page and "Download the notebook" in page


def test_verdicts_have_targets():
    """Each verdict on a claim has a place that the page of the verdicts links to."""
    assert sum(len(verdicts_in(notebook(stem))) for stem in STEMS) > 20
    for stem in STEMS:
        texts = "\n".join(sources(lesson_page(stem), "markdown"))
        for count in range(1, len(verdicts_in(notebook(stem))) + 1):
            assert f"({target_of(stem[:2], count)})=\n" in texts
