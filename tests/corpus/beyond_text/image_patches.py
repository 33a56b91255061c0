"""Answers to `image_patches(images, size)` of notebook 13."""

import torch
import torch.nn.functional as F

from tests.corpus import change


def right__permute(images, size):
    batch, n_channels, height, width = images.shape
    parts = images.reshape(batch, n_channels, height // size, size, width // size, size)
    return parts.permute(0, 2, 4, 1, 3, 5).reshape(batch, -1, n_channels * size**2)


def right__unflatten(images, size):
    parts = images.unflatten(3, (-1, size)).unflatten(2, (-1, size))
    return parts.movedim((2, 4), (1, 2)).flatten(3).flatten(1, 2)


def right__loops(images, size):
    height, width = images.shape[-2:]
    patches = []
    for top in range(0, height, size):
        for left in range(0, width, size):
            patches.append(images[:, :, top : top + size, left : left + size].flatten(1))
    return torch.stack(patches, dim=1)


def right__split(images, size):
    rows = images.split(size, dim=2)
    return torch.stack([patch.flatten(1) for row in rows for patch in row.split(size, dim=3)], dim=1)


def right__unfold(images, size):
    parts = images.unfold(2, size, size).unfold(3, size, size)  # (batch, channel, down, across, size, size)
    return parts.movedim(1, 3).flatten(3).flatten(1, 2)


def right__einsum(images, size):
    batch, n_channels, height, width = images.shape
    parts = images.reshape(batch, n_channels, height // size, size, width // size, size)
    return torch.einsum("bchywx->bhwcyx", parts).reshape(batch, height * width // size**2, -1)


def right__functional_unfold(images, size):
    return F.unfold(images, kernel_size=size, stride=size).mT


def right__image_by_image(images, size):
    def cut(image):
        rows = image.unflatten(2, (-1, size)).unflatten(1, (-1, size))
        return rows.permute(1, 3, 0, 2, 4).reshape(-1, image.shape[0] * size * size)

    return torch.stack([cut(image) for image in images])


def right__pixel_unshuffle(images, size):
    return F.pixel_unshuffle(images, size).flatten(2).mT

def right__convolution(images, size):
    n_numbers = images.shape[1] * size**2
    eye = torch.eye(n_numbers, dtype=images.dtype, device=images.device)
    return F.conv2d(images, eye.view(n_numbers, -1, size, size), stride=size).flatten(2).transpose(1, 2)

def odd__filled(images, size):
    """An empty tensor filled number by number of a patch."""
    batch, n_channels, height, width = images.shape
    patches = images.new_empty(batch, height // size, width // size, n_channels, size, size)
    for row in range(size):
        for column in range(size):
            patches[..., row, column] = images[:, :, row::size, column::size].movedim(1, 3)
    return patches.view(batch, -1, n_channels * size**2)


# A default more.
odd__default = change(right__unfold, ("images, size", "images, size=2"))

wrong__patches_by_view__1 = change(
    right__permute,
    ("parts = images.reshape(batch, n_channels, height // size, size, width // size, size)", ""),
    (
        "parts.permute(0, 2, 4, 1, 3, 5).reshape(batch, -1, n_channels * size**2)",
        "images.reshape(batch, -1, n_channels * size**2)",
    ),
)
wrong__patches_by_view__2 = change(
    right__permute, (".permute(0, 2, 4, 1, 3, 5)", ""), ("batch, -1,", "batch, height * width // size**2,")
)
wrong__patches_column_by_column__1 = change(right__permute, ("0, 2, 4,", "0, 4, 2,"))
wrong__patches_column_by_column__2 = change(
    right__loops,
    ("for top in range(0, height, size)", "for left in range(0, width, size)"),
    ("    for left in range(0, width, size):", "    for top in range(0, height, size):"),
)
wrong__patch_transposed__1 = change(right__permute, ("1, 3, 5", "1, 5, 3"))
wrong__patch_transposed__2 = change(right__loops, (".flatten(1)", ".mT.flatten(1)"))
wrong__channels_last__1 = change(right__permute, ("1, 3, 5", "3, 5, 1"))
wrong__channels_last__2 = change(right__split, ("patch.flatten", "patch.movedim(1, 3).flatten"))
wrong__pixels_spread__1 = change(
    right__permute,
    ("height // size, size, width // size, size", "size, height // size, size, width // size"),
    ("0, 2, 4, 1, 3, 5", "0, 3, 5, 1, 2, 4"),
)
# Every so-many-th pixel, from each of the first ones on.
wrong__pixels_spread__2 = change(
    right__loops,
    ("for top in range(0, height, size)", "for top in range(height // size)"),
    ("for left in range(0, width, size)", "for left in range(width // size)"),
    (
        "images[:, :, top : top + size, left : left + size]",
        "images[:, :, top :: height // size, left :: width // size]",
    ),
)
wrong__channels_as_tokens__1 = change(
    right__permute, ("0, 2, 4, 1, 3, 5", "0, 1, 2, 4, 3, 5"), ("n_channels * size**2", "size**2")
)
wrong__channels_as_tokens__2 = change(right__unfold, (".flatten(3).flatten(1, 2)", ".flatten(4).flatten(1, 3)"))
wrong__channels_in_front__1 = change(
    right__unfold, (".movedim(1, 3).flatten(3).flatten(1, 2)", ".reshape(len(images), -1, images.shape[1] * size**2)")
)
wrong__channels_in_front__2 = change(right__permute, ("0, 2, 4, 1, 3, 5", "0, 1, 2, 4, 3, 5"))
wrong__patches_as_columns__1 = change(right__functional_unfold, (".mT", ""))
wrong__patches_as_columns__2 = change(right__split, ("dim=1)", "dim=2)"))
wrong__size_as_count__1 = change(
    right__permute,
    ("height // size, size, width // size, size", "size, height // size, size, width // size"),
    ("batch, -1, n_channels * size**2", "batch, size**2, -1"),
)
wrong__size_as_count__2 = change(
    right__split,
    ("images.split(size, dim=2)", "images.chunk(size, dim=2)"),
    ("row.split(size, dim=3)", "row.chunk(size, dim=3)"),
)
# Works in place.
wrong__input_changed__1 = change(
    right__loops,
    ("patches.append(", "patch = "),
    (".flatten(1))", ".flatten(1).clone()", "patches.append(patch)", "images[:, :, top, left] = 0"),
)
wrong__wrong_dtype__1 = change(right__unfold, (".flatten(1, 2)", ".flatten(1, 2).float()"))
wrong__detached__1 = change(right__loops, ("images[:", "images.data[:"))
wrong__detached__2 = change(right__permute, ("images.reshape", "images.detach().reshape"))
wrong__wrong_device__1 = change(
    odd__filled, ("images.new_empty(", "torch.zeros("), ("size, size)", "size, size, dtype=images.dtype)")
)


def extra__overlapping(images, size):
    """A step of one pixel, as a convolution makes: the patches overlap."""
    return F.unfold(images, kernel_size=size).mT


# An error unless the image is square.
extra__square_only = change(right__permute, ("width // size", "height // size"))
# The channels are averaged away.
extra__grey = change(
    right__einsum, ("bhwcyx", "bhwyx"), ("parts)", "parts / n_channels)"), ("size**2, -1", "size**2, size**2")
)
# Right for one image alone, without a batch.
extra__no_batch = change(right__image_by_image, ("torch.stack([cut(image) for image in images])", "cut(images)"))
# The numbers of a patch keep their three axes.
extra__not_joined = change(right__unfold, (".flatten(3)", ""), ("(1, 2)", "(1, 2).contiguous()"))

# Read as cards by somebody who had not seen the misconceptions.
def wrong__size_as_count__3(images, size):
    """`size` is cut off first from each side."""
    b, c, h, w = images.shape
    x = images.reshape(b, c, size, h // size, size, w // size)
    x = x.permute(0, 2, 4, 1, 3, 5)
    return x.reshape(b, (h // size) * (w // size), -1)

def wrong__patches_overlap__1(images, size):
    """`unfold` without a stride."""
    return F.unfold(images, kernel_size=size).transpose(1, 2)

def wrong__patches_overlap__2(images, size):
    """The next patch begins one pixel further."""
    b, _, h, w = images.shape
    patches = []
    for i in range(h // size):
        for j in range(w // size):
            patches.append(images[:, :, i:i + size, j:j + size].reshape(b, -1))
    return torch.stack(patches, dim=1)

def extra__corner_exchanged(images, size):
    """Row and column of a corner are exchanged in the slices."""
    b, _, h, w = images.shape
    patches = []
    for i in range(0, h, size):
        for j in range(0, w, size):
            patches.append(images[:, :, j:j + size, i:i + size].reshape(b, -1))
    return torch.stack(patches, 1)

def extra__grid_kept(images, size):
    """Rows and columns of patches stay two axes."""
    x = images.unfold(2, size, size).unfold(3, size, size)
    x = x.permute(0, 2, 3, 1, 4, 5)
    return x.flatten(3)

def extra__cat_along_batch(images, size):
    """The patches are joined along the batch."""
    b, _, h, w = images.shape
    patches = []
    for i in range(h // size):
        for j in range(w // size):
            patches.append(images[:, :, i * size:(i + 1) * size, j * size:(j + 1) * size].reshape(b, 1, -1))
    return torch.cat(patches, dim=0)
