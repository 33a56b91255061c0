"""What all explorers share: a display of widgets, a picture and text at once."""

import base64
import html
import io
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


class Explorer:
    """A picture that a reader can change: widgets where there are any, a still picture everywhere else.

    A running notebook shows the widgets. A saved notebook keeps the picture and the text. A subclass sets `still`,
    the text, and `what`, the picture in a few words; defines `draw` and `controls`; and calls `start` at the end of
    its `__init__`.
    """

    still = ""
    what = ""

    def start(self) -> None:
        """Draw the first picture, and make the widgets that change it."""
        self.picture = self.draw()
        self.widget = self._widget()

    def draw(self, *args: Any, **kwargs: Any) -> bytes:
        """Return the picture for one choice, as PNG; without arguments the one that a saved notebook keeps."""
        raise NotImplementedError

    def alt(self, **choice: Any) -> str:
        """Return the picture for one choice, or the still picture, in words for a reader who does not see it."""
        chosen = ", ".join(
            f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}" for name, value in choice.items()
        )
        return f"{self.what}: {chosen}." if chosen else f"{self.what}."

    def controls(self, widgets: Any, image: Any) -> Any:
        """Return the widget that is shown: the image with the controls that change it.

        Args:
            widgets: the module `ipywidgets`.
            image: the widget that holds the picture.
        """
        raise NotImplementedError

    def image(self, picture: bytes, **choice: Any) -> str:
        """Return a picture for one choice as HTML, with its words."""
        source = f"data:image/png;base64,{base64.b64encode(picture).decode('ascii')}"
        return f'<img style="max-width:100%" alt="{html.escape(self.alt(**choice))}" src="{source}">'

    def _widget(self) -> Any:
        try:
            import ipywidgets as widgets
        except ImportError:
            return None
        # not widgets.Image, which has no words for who does not see it
        return self.controls(widgets, widgets.HTML(self.image(self.picture)))

    def __repr__(self) -> str:
        return self.still

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple[dict, dict]:
        """Widgets, picture and text, of which the front end takes the richest; and the words of the picture."""
        view = self.widget._repr_mimebundle_() if self.widget is not None else {}
        picture = base64.b64encode(self.picture).decode("ascii")
        return {**view, "image/png": picture, "text/plain": self.still}, {"image/png": {"alt": self.alt()}}


class SliderExplorer(Explorer):
    """An explorer whose every slider sets one argument of `draw`, which draws on the same axes again and again.

    A subclass calls `start_with_axes` in place of `start`, and defines `sliders` in place of `controls`. Its `draw`
    draws on `axes` and returns `png(self.figure)`.
    """

    def start_with_axes(self, n_axes: int, figsize: tuple[float, float], **options: Any) -> None:
        """Make a figure with axes side by side, and start.

        Args:
            n_axes: how many axes there are.
            figsize: width and height of the figure in inches.
            options: for `Figure.subplots`.
        """
        # The figure is kept: making a new one for each move of a slider would lag behind the hand.
        self.figure = Figure(figsize=figsize, dpi=80, layout="constrained")
        self.axes = self.figure.subplots(1, n_axes, **options)
        self.start()
        # The layout is kept as well: finding it anew would take most of the time of a redraw.
        self.figure.set_layout_engine("none")

    def sliders(self, widgets: Any) -> list[dict[str, Any]]:
        """Return the controls of the module `ipywidgets`, in rows, each under the argument of `draw` that it sets."""
        raise NotImplementedError

    def controls(self, widgets: Any, image: Any) -> Any:
        """Return the sliders in rows above the image."""
        rows = self.sliders(widgets)
        named = {name: slider for row in rows for name, slider in row.items()}

        def redraw(_change: object) -> None:
            choice = {name: slider.value for name, slider in named.items()}
            image.value = self.image(self.draw(**choice), **choice)

        for slider in named.values():
            slider.observe(redraw, "value")
        wrapping = {"layout": widgets.Layout(flex_flow="row wrap")}  # in a narrow window
        shown = [widgets.HBox([_with_name(widgets, s) for s in row.values()], **wrapping) for row in rows]
        return widgets.VBox([*shown, image])


def _with_name(widgets: Any, slider: Any) -> Any:
    """Return a slider behind a field for its number: a screen reader reads the names of fields, not of sliders."""
    if isinstance(slider, widgets.Checkbox):
        return slider
    is_log = isinstance(slider, widgets.FloatLogSlider)
    low, high = (slider.base**end if is_log else end for end in (slider.min, slider.max))
    make = widgets.BoundedIntText if isinstance(slider, widgets.IntSlider) else widgets.BoundedFloatText
    layout, style = widgets.Layout(width="auto"), {"description_width": "initial"}
    number = make(
        slider.value,
        min=low,
        max=high,
        step=None if is_log else slider.step,  # which counts powers, and would make most values of the field invalid
        description=slider.description,
        tooltip="",  # None would be read out, as "null"
        layout=layout,
        style=style,
    )
    slider.description, slider.readout, slider.layout.width = "", False, "10em"
    widgets.link((slider, "value"), (number, "value"), transform=(lambda value: round(value, 2), lambda value: value))
    return widgets.HBox([number, slider])


def png(figure: Figure) -> bytes:
    """Return a figure as PNG, without a window or pyplot."""
    file = io.BytesIO()
    FigureCanvasAgg(figure).print_png(file)
    return file.getvalue()
