"""The long run of notebook 11 computes what the notebook shows, is whole, and says what the notebook says of it."""

from __future__ import annotations

import inspect
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
import torch

from course_attention.experiments.common.long_runs import long_run
from course_attention.experiments.long_context import longer, readers
from tools.long_runs import long_texts as script

NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "11_long_context.ipynb"
CELLS = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]


def value(**settings: str) -> float:
    (row,) = (row for row in long_run("long_context", "long_texts") if settings.items() <= row.items())
    return row["value"]


@pytest.mark.parametrize(
    "part",
    [longer.turned, longer.LongBlock, longer.NoNewDistance, readers.ListReader, readers.train, readers.shares],
    ids=lambda one: one.__name__,
)
def test_is_the_one_of_the_notebook(part: object) -> None:
    """The script computes with what the reader sees in the notebook."""
    text = "\n".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code")
    assert inspect.getsource(part).strip() + "\n" in text + "\n"


def test_gives_what_the_notebook_gives() -> None:
    """The mean of the notebook's two texts is what its tables show, to the last digit."""
    tables = [cell for cell in CELLS if cell["id"] in ("ways-table", "one-change")]
    shown = "".join("".join(output.get("text", "")) for cell in tables for output in cell["outputs"])
    for way in (*script.WAYS, *script.NO_NEW, *script.BY_PAIR):
        ends = [value(run="order", way=way, of=f"end of {name}") for name in script.BEGINNINGS[:2]]
        last = re.search(rf"^{way} .* (\S+)$", shown, re.M)
        assert last and abs(float(last[1]) - sum(ends) / 2) < 0.006


def test_is_whole() -> None:
    """All three runs have all their rows, and the order of the ways is the same in each of the eight texts."""
    rows = long_run("long_context", "long_texts")
    n_copies = 2 * sum(map(len, script.PLACES.values())) * len(script.COPIED) * 2
    assert len(rows) == 8 * (len((*script.WAYS, *script.NO_NEW, *script.BY_PAIR)) + 1) + n_copies + len(
        script.SEEDS
    ) * len(script.N_LINES)
    for text in {row["of"] for row in rows if row["run"] == "order"}:
        nats = [value(run="order", of=text, way=way) for way in script.WAYS[:-1]]
        assert all(more > less for more, less in pairwise(nats))


def test_copied_text() -> None:
    """The piece comes twice, 700 tokens apart, or once; the rest is the same."""
    one, other = torch.arange(10_000), -torch.arange(10_000)
    with_copy, without = (script.copied(one, other, 1000, there) for there in (True, False))
    assert with_copy.shape == without.shape == (1500,)
    assert (with_copy[600:800] == with_copy[1300:]).all() and (without[600:800] < 0).all()
    assert (with_copy == without)[:600].all() and (with_copy == without)[800:].all()
    further = script.copied(one, other, 1000, True, later=1400)
    assert (further[600:800] == further[-200:]).all() and len(further) == 2200
