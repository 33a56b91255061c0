"""Drawings for tokens that are not words: what becomes a token, and a model that captions pictures."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures.drawing import (
    INK,
    KEY,
    QUERY,
    RESULT,
    VALUE,
    Place,
    arrow,
    canvas,
    label,
    token,
)
from course_attention.figures.signed_heat_map import SIGNED_MAP


def kinds_of_tokens(words: list[str], picture: np.ndarray, sound: np.ndarray) -> Axes:
    """Draw a text, a picture and a sound side by side, and above each of them the tokens that it becomes.

    Args:
        words: of the text; each becomes a token.
        picture: (side, side), 0 = paper, 1 = ink; its four quarters become tokens.
        sound: (n_frames, n_bands); each frame becomes a token.

    Example:
        >>> ax = kinds_of_tokens(["a", "b"], np.eye(4), np.ones((3, 2)))
        >>> [text.get_text() for text in ax.texts][-3:]
        ['words', 'patches of a picture', 'frames of a sound']
    """
    ax = canvas(30.5, 11.8)
    low, high = 1.6, 7.2
    for i, word in enumerate(words):
        place = token(ax, 1.2 + 2.1 * i, high)
        label(ax, (place.centre[0], low + 1.5), word)
        arrow(ax, (place.centre[0], low + 2.1), (place.centre[0], high - 0.15))
    side = len(picture) // 2
    quarters = picture.reshape(2, side, 2, side).swapaxes(1, 2).reshape(4, side, side)
    for i, quarter in enumerate(quarters):
        corner = (12.0 + 2.1 * (i % 2), low + 2.1 * (1 - i // 2))
        _image(ax, quarter, Place(*corner, 2, 2))
        label(ax, (corner[0] - 0.35 if i % 2 == 0 else corner[0] + 2.35, corner[1] + 1), str(i))
        place = token(ax, 11.0 + 1.75 * i, high)
        label(ax, (place.centre[0], high - 0.5), str(i))
        arrow(ax, (12.3 + 1.2 * i, low + 4.2), (place.centre[0], high - 0.85))
    for i, frame in enumerate(sound):
        place = token(ax, 20.8 + 1.7 * i, high)
        box = (place.x - 0.2, place.x + 1.2, low, low + 3.5)
        ax.imshow(
            frame[:, None],
            cmap=SIGNED_MAP,
            vmin=-np.abs(sound).max(),
            vmax=np.abs(sound).max(),
            extent=box,
            aspect="auto",
        )
        arrow(ax, (place.centre[0], low + 3.6), (place.centre[0], high - 0.15))
    ax.set(xlim=(0, 30.5), ylim=(0, 11.8), aspect="equal")
    for x, kind in ((4.9, "words"), (14.1, "patches of a picture"), (25.4, "frames of a sound")):
        label(ax, (x, 0.6), kind, size=12)
    return ax


def captioner(picture: np.ndarray, words: list[str]) -> Axes:
    """Draw a captioner: patches go through an encoder, and a decoder that writes words attends to them.

    Args:
        picture: (side, side), 0 = paper, 1 = ink.
        words: of the caption, the last one ends it.

    Example:
        >>> ax = captioner(np.eye(4), ["one", "<end>"])
        >>> [text.get_text() for text in ax.texts if "block" in text.get_text()]
        ['encoder block', 'decoder block']
    """
    ax = canvas(24.5, 11.6)
    _image(ax, picture, Place(0.6, 3.6, 3.5, 3.5))
    label(ax, (2.35, 3.1), "picture")
    patches = [token(ax, 5.4 + 0.95 * i, 1.2, 3) for i in range(4)]
    label(ax, (7.5, 0.55), "patches + places")
    memory = [token(ax, 5.4 + 0.95 * i, 7.2, 3) for i in range(4)]
    label(ax, (7.3, 10.75), "memory")
    encoder = _box(ax, Place(4.9, 5.0, 4.9, 1.4), "encoder block")
    arrow(ax, (4.2, 4.3), (5.3, 3.6))
    arrow(ax, (encoder.centre[0], patches[0].top[1]), encoder.bottom)
    arrow(ax, encoder.top, (encoder.centre[0], memory[0].bottom[1]))
    decoder = _box(ax, Place(13.4, 5.0, 10.3, 1.4), "decoder block")
    for i, (read, written) in enumerate(zip(["<start>", *words], words, strict=False)):
        x = 14.3 + 9.2 / max(1, len(words) - 0.4) * i
        place = token(ax, x, 1.2, 3, word=read)
        arrow(ax, place.top, (place.centre[0], decoder.y), QUERY)
        above = token(ax, x, 7.2, 3, RESULT)
        label(ax, (above.top[0], above.top[1] + 0.5), written)
        arrow(ax, (place.centre[0], decoder.top[1]), above.bottom)
    end = memory[-1].right
    arrow(ax, (end[0] + 0.1, end[1] - 0.2), (decoder.x, decoder.y + 1.0), KEY, weight=0.3)
    arrow(ax, (end[0] + 0.1, end[1] + 0.6), (decoder.x + 0.4, decoder.y + 1.4), VALUE, weight=0.3, bend=-0.15)
    label(ax, (11.3, 6.3), "keys")
    label(ax, (11.6, 9.1), "values")
    label(ax, (11.5, 3.3), "queries come\nfrom the words")
    return ax


def _image(ax: Axes, picture: np.ndarray, place: Place) -> None:
    extent = (place.x, place.x + place.width, place.y, place.y + place.height)
    ax.imshow(picture, cmap="Greys", vmin=0, vmax=1, extent=extent)
    _box(ax, place, "")


def _box(ax: Axes, place: Place, text: str) -> Place:
    ax.add_patch(Rectangle((place.x, place.y), place.width, place.height, fill=False, edgecolor=INK))
    label(ax, place.centre, text)
    return place
