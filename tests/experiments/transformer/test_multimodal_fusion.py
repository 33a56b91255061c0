"""Cross-attention joins sound and text by content, wherever their parts stand."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.transformer.multimodal_fusion import (
    FUSIONS,
    FusionModel,
    accuracy,
    stretched_text,
    train,
)
from course_attention.experiments.transformer.spoken_sentences import (
    Recordings,
    draw_recordings,
    homophone_in_text,
    shuffle_words,
)


def _draw(seed: int = 7, **kind) -> Recordings:
    return draw_recordings(200, torch.Generator().manual_seed(seed), **kind)


@pytest.fixture(scope="module")
def listeners() -> dict[str, FusionModel]:
    # the third is measured in the notebook: here it only has to run
    steps = dict(zip(FUSIONS, (100, 100, 1, 150), strict=True))
    return {fusion: train(fusion, n_steps=n_steps) for fusion, n_steps in steps.items()}


def test_alongside() -> None:
    """Stretched, the text begins and ends with the sound, and its words stay in order."""
    drawn = _draw()
    for row, n_frames, text, n_words in zip(
        stretched_text(drawn), drawn.n_frames, drawn.text, drawn.n_words, strict=True
    ):
        assert row[0] == text[0]
        places = [text[:n_words].tolist().index(word) for word in row[:n_frames].tolist()]
        assert places == sorted(places) and places[0] == 0
        if n_frames >= n_words:
            assert places[-1] == n_words - 1


def test_what_each_can(listeners) -> None:
    """Sound alone is right every second time; a text laid alongside helps while the order holds; cross-attention finds
    its word wherever it stands, in sentences longer than any it has learned from too.
    """
    drawn, longer = _draw(), _draw(fewest=8, most=8)
    mixed = shuffle_words(drawn, torch.Generator().manual_seed(0))
    alone, beside, _, crossed = listeners.values()
    for recordings in (drawn, mixed, longer):
        assert 0.4 < accuracy(alone, recordings) < 0.6
        assert accuracy(crossed, recordings) > 0.97
    assert accuracy(beside, drawn) > accuracy(beside, mixed) + 0.15


def test_cross_attention_sees_no_order(listeners) -> None:
    """Shuffled words change its logits by rounding alone, and its weights move with them."""
    drawn = _draw()
    mixed = shuffle_words(drawn, torch.Generator().manual_seed(0))
    with torch.no_grad():
        (before, _), (after, _) = (listeners["cross-attention"](part) for part in (drawn, mixed))
    torch.testing.assert_close(before, after, atol=1e-3, rtol=1e-3)


def test_where_only_order_tells() -> None:
    """Two words of one sound in a sentence: every second time right without places, nearly always with them."""
    drawn = _draw(both=True)
    among = homophone_in_text(drawn)
    without, knowing = (
        train("cross-attention", n_steps=120, both=True, places=places) for places in (False, True)
    )
    assert 0.4 < accuracy(without, drawn, among) < 0.6
    assert accuracy(knowing, drawn, among) > 0.9


def test_nothing_to_read() -> None:
    """What is padding in one sentence is nothing to any other: alone or in a batch, a recording gives the same."""
    drawn = _draw()
    model = FusionModel("cross-attention", places=True)
    one = Recordings(
        drawn.sound[:1, : drawn.n_frames[0]],
        drawn.spoken[:1, : drawn.n_frames[0]],
        drawn.n_frames[:1],
        drawn.text[:1, : drawn.n_words[0]],
        drawn.n_words[:1],
    )
    with torch.no_grad():
        torch.testing.assert_close(
            model(one)[0][0], model(drawn)[0][0, : drawn.n_frames[0]], atol=1e-5, rtol=1e-4
        )
