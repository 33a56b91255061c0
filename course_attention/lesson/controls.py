"""Shows the controls of a question where there is a front end with widgets, and nothing where there is none."""

from collections.abc import Callable
from typing import Any


def show_controls(make: Callable[[Any], Any]) -> None:
    """Show controls below what a cell has shown.

    Args:
        make: makes them, from the module `ipywidgets`.

    Example:
        >>> show_controls(lambda widgets: widgets.Button())  # outside a notebook, nothing happens
    """
    try:
        import ipywidgets as widgets
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        return
    if get_ipython() is None:
        return
    view = make(widgets)._repr_mimebundle_()
    # The view alone, without a text in its place: in a saved notebook, where no widget lives, the card above is enough.
    display({key: view[key] for key in view if key.endswith("widget-view+json")}, raw=True)
