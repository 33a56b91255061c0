"""The readers of notebook 06 are the same classes in the notebook and in the package."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

from course_attention.experiments.positions import readers

NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "06_positional_encoding.ipynb"
READERS = [name for name, member in inspect.getmembers(readers, inspect.isclass) if issubclass(member, readers.Reader)]


@pytest.mark.parametrize("name", READERS)
def test_reader_is_the_one_of_the_notebook(name: str) -> None:
    """The long race and the practice compute what the reader sees in the notebook."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert inspect.getsource(getattr(readers, name)).strip() + "\n" in text + "\n"
