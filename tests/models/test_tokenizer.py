"""The tokenizer loses nothing, and its merges are those that the training script learns."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_attention.models.tokenizer import Tokenizer

MERGES = files("course_attention.models") / "python_source" / "tokenizer.json"


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    """Return the tokenizer of the package."""
    with as_file(MERGES) as path:
        return Tokenizer.load(path)


@given(text=st.text())
def test_nothing_is_lost(tokenizer: Tokenizer, text: str) -> None:
    """Encoding and decoding any text gives the text."""
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_source_becomes_shorter(tokenizer: Tokenizer) -> None:
    """Python source takes fewer than half as many tokens as bytes; a line's end and indentation are one token."""
    source = Path(__file__).read_text(encoding="utf-8")
    assert len(tokenizer.encode(source)) < len(source.encode()) / 2
    assert len(tokenizer.encode("\n    ")) == 1
    assert len(tokenizer) == 2048


def test_saved_and_loaded(tokenizer: Tokenizer, tmp_path: Path) -> None:
    """A tokenizer that was saved is the same when it is loaded."""
    tokenizer.save(tmp_path / "merges.json")
    assert Tokenizer.load(tmp_path / "merges.json").merges == tokenizer.merges
