"""Patches of images: the oracle's, whatever the sizes, and with any leading dimensions."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_attention import image_patches
from course_attention.exercises import CATALOGUE

sizes = st.integers(min_value=1, max_value=4)


@given(batch=sizes, n_channels=sizes, down=sizes, across=sizes, size=sizes)
def test_any_shape(batch: int, n_channels: int, down: int, across: int, size: int) -> None:
    """The patches are those of the oracle, and each image may come without a batch or with two batch axes."""
    exercise = CATALOGUE["image_patches"].exercise
    images = torch.arange(float(batch * n_channels * down * across * size**2))
    images = images.reshape(batch, n_channels, down * size, across * size)
    patches = image_patches(images, size)
    (right,) = exercise.results(exercise.oracle, {"images": images.numpy(), "size": size})
    np.testing.assert_array_equal(patches.numpy(), right)
    assert torch.equal(image_patches(images[0], size), patches[0])
    assert torch.equal(image_patches(images.unsqueeze(1), size), patches.unsqueeze(1))


@pytest.mark.parametrize(("size", "side"), [(4, "width of the images; got 4 for a width of 6"), (3, "height")])
def test_sides_that_do_not_fit(size: int, side: str) -> None:
    """A size that leaves a part of the image over is refused, and the error names the side."""
    with pytest.raises(ValueError, match=side):
        image_patches(torch.zeros(1, 1, 4, 6), size)
