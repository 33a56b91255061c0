"""Pictures for a page: as the notebook saved them, with as many colours as a drawing needs."""

import base64
import io

from PIL import Image

COLORS = 256


def lighter(png: str) -> str:
    """Return a PNG with a palette, in base64; the same where that is no smaller.

    Args:
        png: in base64, as a notebook holds it.
    """
    picture = Image.open(io.BytesIO(base64.b64decode(png)))
    if picture.mode != "RGB" and picture.getextrema()[-1] != (255, 255):  # it lets the ground show through
        return png
    made = io.BytesIO()
    picture.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    found = base64.b64encode(made.getvalue()).decode("ascii")
    return found if len(found) < len("".join(png.split())) else png
