"""Show a figure with a description, which a screen reader reads and a saved notebook keeps."""

import html
import os
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist


class DescribedFigure:
    """A picture and its description, as IPython displays them.

    JupyterLab takes no alt text for an image of an output, but keeps the one of an image in HTML. In a running
    Jupyter the output is therefore HTML as well. Everywhere else it is the image, with its alt text in the metadata,
    where nbconvert looks for it; so a notebook that a tool has executed holds each picture once.
    """

    def __init__(self, png: str, alt: str) -> None:
        self.png = png
        self.alt = alt

    def __repr__(self) -> str:
        return f"[figure: {self.alt}]"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple[dict, dict]:
        data = {"image/png": self.png, "text/plain": repr(self)}
        if "JPY_SESSION_NAME" in os.environ:  # Jupyter's server has started this kernel for an open notebook
            data["text/html"] = f'<img alt="{html.escape(self.alt)}" src="data:image/png;base64,{self.png}">'
        return data, {"image/png": {"alt": self.alt}}


def show(figure: Any, *, alt: str) -> None:
    """Show a matplotlib figure in the cell's output, and close it.

    Args:
        figure: the figure, or axes in it, alone or in an array.
        alt: what somebody who cannot see the figure has to know: what is drawn and what it shows. It is the alt text
            of the image.

    Raises:
        TypeError: this is neither a figure nor axes.
        ValueError: alt says nothing.

    Example:
        >>> figure, ax = plt.subplots()
        >>> show(ax, alt="An empty pair of axes.")
        [figure: An empty pair of axes.]
    """
    if not isinstance(alt, str) or len(alt.split()) < 3:
        raise ValueError(f"alt must describe the figure in a sentence, of three words at least; got {alt!r}")
    first = next(iter(np.ravel(np.asarray(figure, dtype=object))), None)
    if not isinstance(first, Artist) or (whole := first.get_figure(root=True)) is None:
        raise TypeError(f"show takes a matplotlib figure or its axes; got {type(figure).__name__}")
    from IPython import get_ipython
    from IPython.core.pylabtools import print_figure
    from IPython.display import display

    described = DescribedFigure(print_figure(whole, fmt="png", base64=True), " ".join(alt.split()))
    plt.close(whole)  # or it would be drawn a second time at the end of the cell
    if get_ipython() is None:
        print(described)
    else:
        display(described)
