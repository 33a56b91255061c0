"""The readers of notebook 06 extend the same class in the notebook and in the package."""

import inspect
import json
from pathlib import Path

from course_attention.practice.positions.reader import Reader

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "06_positional_encoding.ipynb"


def test_reader_is_the_one_of_the_notebook():
    """The race runs the course's own reader where a student's is not right, so both have to compute the same."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    [source] = ["".join(cell["source"]) for cell in cells if "".join(cell["source"]).startswith("class Reader(")]
    assert source.strip() == inspect.getsource(Reader).strip()
