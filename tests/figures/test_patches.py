"""Pictures in patches, and where the weights lie."""

from __future__ import annotations

import numpy as np

from course_attention.figures.patches import patch_sequence, weight_maps


def test_patches_in_order() -> None:
    """The patches stand in the order in which `image_patches` gives them, numbered from 0."""
    import torch

    from course_attention import image_patches

    picture = np.arange(64.0).reshape(8, 8) / 64
    whole, sequence = patch_sequence(picture, n_patches=4, title="sixteen tokens")
    drawn = np.stack([image.get_array() for image in sequence.images]).reshape(16, 4)
    assert np.allclose(drawn, image_patches(torch.from_numpy(picture)[None], 2))
    lefts = [image.get_extent()[0] for image in sequence.images]
    assert lefts == sorted(lefts) and len(set(lefts)) == 16
    assert [text.get_text() for text in sequence.texts] == [str(n) for n in range(16)]
    assert len(whole.lines) == 6 and sequence.get_title() == "sixteen tokens"


def test_weights_below_their_picture() -> None:
    """A column for each picture, a map for each row of weights, patch by patch, over the whole picture."""
    pictures = np.random.default_rng(0).random((3, 8, 8))
    weights = np.random.default_rng(1).random((3, 2, 16))
    axes = weight_maps(pictures, weights, ["7", "1", "4"], ["head 0", "head 1"])
    assert axes.shape == (3, 3)
    assert [ax.get_title() for ax in axes[0]] == ["7", "1", "4"]
    assert [ax.get_ylabel() for ax in axes[:, 0]] == ["picture", "head 0", "head 1"]
    for column in range(3):
        assert np.allclose(axes[0, column].images[0].get_array(), pictures[column])
        for row in range(2):
            image = axes[row + 1, column].images[0]
            assert np.allclose(image.get_array(), weights[column, row].reshape(4, 4))
            assert tuple(image.get_extent()) == (-0.5, 7.5, 7.5, -0.5)
            assert image.get_clim() == (0, weights.max())  # one scale, so that equally dark is equally large


def test_borders() -> None:
    """One border across a picture of 8 by 8 pixels is in its middle, along both sides, in the map as well."""
    axes = weight_maps(np.zeros((1, 8, 8)), np.ones((1, 1, 4)), ["blank"], ["mean"], n_borders=1)
    for ax in axes[:, 0]:
        across, down = ax.lines
        assert list(across.get_ydata()) == [3.5, 3.5] and list(down.get_xdata()) == [3.5, 3.5]
