import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import largest


def oracle(images: np.ndarray, size: int) -> np.ndarray:
    """Row r and column c of a patch are row top + r and column left + c of the image."""
    batch, n_channels, height, width = images.shape
    corners = [(top, left) for top in range(0, height, size) for left in range(0, width, size)]
    patches = np.empty((batch, len(corners), n_channels * size * size))
    for image in range(batch):
        for patch, (top, left) in enumerate(corners):
            place = 0
            for channel in range(n_channels):
                for row in range(size):
                    for column in range(size):
                        patches[image, patch, place] = images[image, channel, top + row, left + column]
                        place += 1
    return patches


# The computation in a few lines, each part exchangeable for a wrong one. In "bchywx" the image has an axis for each of:
# batch, channel, row of patches, row within a patch, column of patches, column within a patch.


def _cut(images, size, *, tokens="hw", numbers="cyx", interleaved=False) -> np.ndarray:
    batch, n_channels, height, width = images.shape
    across, down = width // size, height // size
    if interleaved:
        parts = images.reshape(batch, n_channels, size, down, size, across)
        axes = "bcyhxw"
    else:
        parts = images.reshape(batch, n_channels, down, size, across, size)
        axes = "bchywx"
    moved = np.einsum(f"{axes}->b{tokens}{numbers}", parts)
    n_tokens = int(np.prod([parts.shape[axes.index(axis)] for axis in tokens]))
    return moved.reshape(batch, n_tokens, -1)


def _by_view(images: np.ndarray, size: int) -> np.ndarray:
    batch, n_channels, height, width = images.shape
    return images.reshape(batch, height * width // size**2, n_channels * size**2)


def _channels_in_front(images: np.ndarray, size: int) -> np.ndarray:
    of_one_channel = _cut(images, size, tokens="chw", numbers="yx")
    return of_one_channel.reshape(len(images), -1, images.shape[1] * size**2)


def _size_as_count(images: np.ndarray, size: int) -> np.ndarray:
    batch, n_channels, height, width = images.shape
    parts = images.reshape(batch, n_channels, size, height // size, size, width // size)
    return np.einsum("bchywx->bhwcyx", parts).reshape(batch, size**2, -1)


def _size_in_front(images: np.ndarray, size: int) -> np.ndarray:
    """Cut each side into `size` parts, and count the numbers off anew for as many patches as are asked for."""
    n_patches = images.shape[2] // size * (images.shape[3] // size)
    return _size_as_count(images, size).reshape(len(images), n_patches, -1)


def _windows(images: np.ndarray, size: int) -> np.ndarray:
    """Return a window for each place at which one begins: (batch, down, across, channel·row·column)."""
    windows = np.lib.stride_tricks.sliding_window_view(images, (size, size), axis=(2, 3))
    return windows.transpose(0, 2, 3, 1, 4, 5).reshape(*windows.shape[:1], *windows.shape[2:4], -1)


def _every_window(images: np.ndarray, size: int) -> np.ndarray:
    windows = _windows(images, size)
    return windows.reshape(len(images), -1, windows.shape[-1])


def _by_one_pixel(images: np.ndarray, size: int) -> np.ndarray:
    """Begin each patch one pixel after the one before."""
    windows = _windows(images, size)[:, : images.shape[2] // size, : images.shape[3] // size]
    return windows.reshape(len(images), -1, windows.shape[-1])


def cases(draw: Draw) -> list[Case]:
    """Channels, rows and columns different, and pairwise the same."""

    def case(title, name, shape, size, **kind) -> Case:
        return Case(title, name, {"images": draw.normal(*shape, **kind), "size": size})

    by_hand = {"images": draw.halves(1, 1, 4, 4), "size": 2}
    wide = {"images": draw.halves(1, 1, 2, 6), "size": 2}
    colours = {"images": draw.halves(1, 2, 2, 4), "size": 2}
    return [
        Case("one image, 1 channel, 4 by 4, size 2", properties.VALUES, by_hand, gradient=True),
        Case("one image, 1 channel, 2 by 6, size 2", properties.VALUES, wide),
        Case("one image, 2 channels, 2 by 4, size 2", properties.VALUES, colours),
        case("2 images, 3 channels, 4 by 6, size 2", properties.VALUES, (2, 3, 4, 6), 2),
        case("3 images, 2 channels, 9 by 6, size 3", properties.VALUES, (3, 2, 9, 6), 3, dtype="float32"),
        case("3 images, 3 channels, 9 by 9, size 3", properties.VALUES, (3, 3, 9, 9), 3, dtype="float32"),
        case("patches of one pixel", properties.VALUES, (2, 3, 2, 5), 1, dtype="float32"),
        case("one patch, the whole image", properties.VALUES, (2, 3, 4, 4), 4, dtype="float32"),
        case("images that are not contiguous", properties.STRIDES, (2, 3, 4, 8), 2, strided=True),
        case("2 images, 2 channels, 2 by 4, size 2", properties.DTYPES, (2, 2, 2, 4), 2, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="image_patches",
    prompt="Cut images into square patches, so that each patch becomes one token.",
    points=2,
    difficulty=2,
    minutes=15,
    hints=(
        "Only two steps are needed: cut axes in two, and put axes in another order. Write the six axes down first.",
        "The height becomes (rows of patches, size), and the width becomes (columns of patches, size). Three of the "
        "six axes say which patch it is, and they come first. Which three are left for the numbers of one patch?",
        "`images.unflatten(2, (-1, size))` cuts the height. Cut the width too, `permute` to (batch, rows of patches, "
        "columns of patches, channel, row, column), and join axes with `flatten`.",
    ),
    returns=Returns(names=("patches",), axes=("batch, n_patches, n_channels·size²",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "height": lambda inputs: inputs.multiple("size"),
        "width": lambda inputs: inputs.multiple("size"),
    },
    noise=lambda images, size: (largest(images),),
    misconceptions={
        "patches-by-view": Misconception(
            "The numbers are only counted off in the order in which they are stored",
            "The image is stored row by row, so the first numbers are the upper row of the image, all the way to the "
            "right. A patch needs the beginning of that row and the beginning of the next one.",
            (_by_view,),
        ),
        "patches-column-by-column": Misconception(
            "The patches are in column order",
            "The second patch is the one below the first. In reading order it is the one to its right.",
            (lambda images, size: _cut(images, size, tokens="wh"),),
        ),
        "patch-transposed": Misconception(
            "Within each patch, rows and columns are exchanged",
            "Read the numbers of one patch: they go down its first column before they go on to the right.",
            (lambda images, size: _cut(images, size, numbers="cxy"),),
        ),
        "channels-last": Misconception(
            "The channels of a pixel stand together",
            "Within a patch, the channel comes first here: all numbers of channel 0, then all of channel "
            "1. Your numbers are right, and their order is (row, column, channel).",
            (lambda images, size: _cut(images, size, numbers="yxc"),),
        ),
        "pixels-spread": Misconception(
            "The pixels of a patch are spread over the whole image",
            "When an axis is cut in two, the last of the two new axes counts neighbours. Here your patch "
            "takes a pixel, then one from far away, since `size` stands first.",
            (lambda images, size: _cut(images, size, interleaved=True),),
        ),
        "channels-as-tokens": Misconception(
            "Every channel makes patches of its own",
            "A token is one place of the image with all of its channels: n_channels·size² numbers, not size².",
            (
                lambda images, size: _cut(images, size, tokens="chw", numbers="yx"),
                lambda images, size: _cut(images, size, tokens="hwc", numbers="yx"),
            ),
        ),
        "channels-in-front": Misconception(
            "The channel axis still stands in front of the patches",
            "Each token should hold one place of the image, with all of its channels. With the channel axis in "
            "front, all patches of channel 0 come before those of channel 1, so a token here gets numbers from "
            "several places. Move the channel axis behind the two axes that count patches before you join axes.",
            (_channels_in_front,),
        ),
        "patches-as-columns": Misconception(
            "The patches are columns",
            "Tokens are rows in this course. Here the numbers of a patch run down a column, which is how "
            "`unfold` of PyTorch gives them back.",
            (lambda images, size: _cut(images, size).swapaxes(1, 2),),
        ),
        "size-as-count": Misconception(
            "`size` is taken for the number of patches along a side",
            "`size` counts the pixels along a side of one patch. How many patches there are follows from it.",
            (_size_as_count, _size_in_front),
        ),
        "patches-overlap": Misconception(
            "The patches overlap",
            "Each patch begins one pixel after the one before, so most pixels are in several patches. Every pixel "
            "belongs to one patch: the next patch begins where this one ends.",
            (_every_window, _by_one_pixel),
        ),
    },
)
