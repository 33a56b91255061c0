"""Every explorer is one display of widgets, a picture and fixed text."""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable

import pytest
import torch

from course_attention.lesson.explore_attention import move_query
from course_attention.lesson.explore_masking import build_mask
from course_attention.lesson.explore_multi_head import type_a_sentence
from course_attention.lesson.explore_positions import turn_positions
from course_attention.lesson.explorer import Explorer, _with_name

VIEW = "application/vnd.jupyter.widget-view+json"


def one_head(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a model for the explorer of heads, which needs no training."""
    weights = (x @ x.mT).softmax(dim=-1).unsqueeze(0)
    return weights @ x, weights


EXPLORERS = [move_query, build_mask, lambda: type_a_sentence(one_head), turn_positions]
every_explorer = pytest.mark.parametrize("make", EXPLORERS, ids=["query", "mask", "heads", "positions"])


@every_explorer
def test_one_bundle(make: Callable[[], Explorer]) -> None:
    """Widgets, PNG and text come in one bundle; the text is always the same; IPython, in a kernel, keeps all three."""
    explorer = make()
    bundle, metadata = explorer._repr_mimebundle_()
    assert metadata == {"image/png": {"alt": explorer.alt()}}  # where a saved notebook keeps the picture's words
    assert set(bundle) == {VIEW, "image/png", "text/plain"}
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert bundle["text/plain"] == repr(explorer) == type(explorer).still
    assert bundle["text/plain"].startswith("Explorer: ")

    formatter = pytest.importorskip("IPython.core.formatters").DisplayFormatter()
    formatter.active_types = formatter.format_types
    data, kept = formatter.format(explorer)
    assert set(data) == {VIEW, "image/png", "text/plain"} and kept == metadata


@every_explorer
def test_without_widgets(make: Callable[[], Explorer], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where ipywidgets is missing the picture and the text remain."""
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert set(make()._repr_mimebundle_()[0]) == {"image/png", "text/plain"}


def test_fields_have_names_and_valid_values() -> None:
    """A field's label has no title "null", and the value that it begins with is on its steps."""
    widgets = pytest.importorskip("ipywidgets")
    log = _with_name(widgets, widgets.FloatLogSlider(1.0, min=-0.5, max=1, step=0.1, description="temperature"))
    even = _with_name(widgets, widgets.FloatSlider(0.8, min=-2.5, max=2.5, step=0.1, description="query x"))
    assert [box.children[0].tooltip for box in (log, even)] == ["", ""]
    assert log.children[0].step is None and even.children[0].step == 0.1
