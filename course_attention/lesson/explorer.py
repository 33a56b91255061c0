"""What all explorers share: one display of widgets, a picture and text."""

from __future__ import annotations

import base64
import io
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


class Explorer:
    """A picture that a reader can change: widgets where there are any, a still picture everywhere else.

    A notebook that is saved keeps the picture and the text; a running one shows the widgets. A subclass says in
    `still` what the picture shows, draws it in `draw`, calls `start` when it is ready to, and builds its widgets in
    `controls`.
    """

    still = ""

    def start(self) -> None:
        """Draw the first picture, and build the widgets that change it."""
        self.picture = self.draw()
        self.widget = self._widget()

    def draw(self, *args: Any, **kwargs: Any) -> bytes:
        """The picture for one choice, as PNG; without arguments the one that is kept."""
        raise NotImplementedError

    def controls(self, widgets: Any, image: Any) -> Any:
        """The widget to show, of the module `ipywidgets`, around the image that it changes."""
        raise NotImplementedError

    def _widget(self) -> Any:
        try:
            import ipywidgets as widgets
        except ImportError:
            return None
        image = widgets.Image(value=self.picture, format="png")
        image.layout.max_width = "100%"
        return self.controls(widgets, image)

    def __repr__(self) -> str:
        return self.still

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, Any]:
        """Widgets, picture and text at once: the front end takes the richest it can show."""
        view = self.widget._repr_mimebundle_() if self.widget is not None else {}
        picture = base64.b64encode(self.picture).decode("ascii")
        return {**view, "image/png": picture, "text/plain": self.still}


def png(figure: Figure) -> bytes:
    """A figure as PNG, without a window or pyplot."""
    file = io.BytesIO()
    FigureCanvasAgg(figure).print_png(file)
    return file.getvalue()
