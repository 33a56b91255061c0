"""Makes the pictures of saved notebooks smaller: half of the wheel would be colours that nobody can tell apart."""

from __future__ import annotations

import base64
import io

from PIL import Image

COLORS = 256  # as many as one byte for each pixel can name


def with_palette(png: str) -> str:
    """Return a PNG with a palette, in base64; the same where that is no smaller, or where it has one already.

    A picture through which the page shows keeps its colours, since a palette would blur its edges.

    Args:
        png: in base64, as a notebook holds it.
    """
    picture = Image.open(io.BytesIO(base64.b64decode(png)))
    if picture.mode == "P" or (picture.mode != "RGB" and picture.getextrema()[-1] != (255, 255)):
        return png
    made = io.BytesIO()
    # MAXCOVERAGE, since the default spends the palette on frequent colours, and a heat map's rare ones are its message.
    # Then one step of k-means: without it a grey grid may become a little yellow.
    reduced = picture.convert("RGB").quantize(COLORS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    reduced.save(made, "PNG", optimize=True)
    found = base64.b64encode(made.getvalue()).decode("ascii")
    return found if len(found) < len("".join(png.split())) else png
