"""Notebook 13: what becomes a token where there are no words."""

from jaxtyping import Float
from torch import Tensor


def image_patches(
    images: Float[Tensor, "... n_channels height width"], size: int
) -> Float[Tensor, "... n_patches d_patch"]:
    """Cut images into square patches and make each of them one token.

    Args:
        images: (..., n_channels, height, width), both sides multiples of `size`.
        size: pixels along a side of a patch.

    Returns:
        (..., n_patches, n_channels·size²): the patches in reading order; within a patch channel, then row, then column.

    Raises:
        ValueError: `size` does not divide height and width.

    Source:
        Dosovitskiy et al. (2021), section 3.1.

    Example:
        >>> import torch
        >>> image = torch.arange(8.0).reshape(1, 2, 4)  # one channel, 2 by 4 pixels
        >>> image_patches(image, size=2).tolist()
        [[0.0, 1.0, 4.0, 5.0], [2.0, 3.0, 6.0, 7.0]]
    """
    # (..., channel, row of patches, row, column of patches, column)
    parts = images.unflatten(-1, (-1, size)).unflatten(-3, (-1, size))
    parts = parts.movedim((-4, -2), (-5, -4))  # (..., row of patches, column of patches, channel, row, column)
    return parts.flatten(-3).flatten(-3, -2)
