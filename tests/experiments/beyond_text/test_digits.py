"""Digits and pages of them are what they say."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.beyond_text.digits import END, PAD, Digits, draw_pages, load

pytest.importorskip("sklearn", reason="the digits come with scikit-learn, of the extra `lab`")


@pytest.fixture(scope="module")
def parts() -> tuple[Digits, Digits]:
    return load()


def test_pictures(parts) -> None:
    """Nothing is in both parts, all ten digits are in each, and ink lies between 0 and 1."""
    learned, tested = parts
    assert (len(learned), len(tested)) == (1400, 397)
    seen = {tuple(picture.flatten().tolist()) for picture in learned.pictures}
    assert not seen & {tuple(picture.flatten().tolist()) for picture in tested.pictures}
    for part in parts:
        assert part.labels.unique().tolist() == list(range(10))
        assert part.pictures.min() == 0 and part.pictures.max() == 1


def test_captions(parts) -> None:
    """The words of a caption stand in reading order, each names the digit at its place, and empty places have none."""
    pages = draw_pages(100, parts[1], torch.Generator().manual_seed(0))
    by_picture = {
        tuple(p.flatten().tolist()): int(label) for p, label in zip(parts[1].pictures, parts[1].labels, strict=True)
    }
    numbers = set()
    for picture, caption, places in zip(pages.pictures[:, 0], pages.captions, pages.places, strict=True):
        n_words = caption.tolist().index(END)
        numbers.add(n_words)
        assert (caption[n_words + 1 :] == PAD).all() and (places[n_words:] == -1).all()
        assert places[:n_words].tolist() == sorted(set(places[:n_words].tolist()))
        for place in range(4):
            top, left = 8 * (place // 2), 8 * (place % 2)
            quarter = picture[top : top + 8, left : left + 8]
            if place in places:
                word = caption[places.tolist().index(place)]
                assert by_picture[tuple(quarter.flatten().tolist())] == word
            else:
                assert not quarter.any()
    assert numbers == {1, 2, 3, 4}
