"""The drawings of tokens that are not words show what they were given."""

from __future__ import annotations

import numpy as np

from course_attention.figures.beyond_text import captioner, kinds_of_tokens


def test_every_piece_is_a_token() -> None:
    """Each word, quarter and frame has an arrow or a number to its token, and the quarters are the picture's."""
    picture = np.arange(16.0).reshape(4, 4) / 16
    ax = kinds_of_tokens(["sea", "see", "sun"], picture, np.random.default_rng(0).random((5, 8)))
    quarters = [image.get_array() for image in ax.images[:4]]
    assert np.allclose(np.block([quarters[:2], quarters[2:]]), picture)
    assert len(ax.images) == 4 + 5
    shown = [text.get_text() for text in ax.texts]
    assert {"sea", "see", "sun"} <= set(shown) and all(shown.count(str(i)) == 2 for i in range(4))


def test_words_are_read_one_step_later() -> None:
    """The captioner reads the start and all words but the last, and writes all of them."""
    shown = [text.get_text() for text in captioner(np.eye(4), ["one", "two", "<end>"]).texts]
    assert shown.count("<start>") == shown.count("<end>") == 1
    assert shown.count("one") == shown.count("two") == 2
