"""Which input shows which mistake: the blind spots of a test are its white cells."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from course_attention.figures import style

_WHITE_AND_DARK = ListedColormap(["white", style.PALETTE[0]])


def blind_spots(
    shown: np.ndarray,
    inputs: Sequence[str],
    functions: Sequence[str],
    ax: Axes | None = None,
    title: str = "",
    groups: Mapping[str, int] | None = None,
) -> Axes:
    """Draw a row for each input and a column for each wrong function: dark where the input shows the mistake.

    At the end of each row is the number of functions whose mistake it shows.

    Args:
        shown: (n_inputs, n_functions), True where the input shows that the function is wrong.
        inputs: what each row is: an input, several of them, or a test.
        functions: what is wrong with each function.
        ax: where to draw; None makes a figure.
        title: what to see.
        groups: name → the number of columns that belong to it, from the left. Heavy lines part the groups.

    Raises:
        ValueError: the names do not match the shape, or the groups do not have as many columns.

    Example:
        >>> ax = blind_spots(np.array([[True, False], [True, True]]), ["small", "large"], ["no root", "exp"])
        >>> [text.get_text() for text in ax.texts]
        ['1 of 2', '2 of 2']
    """
    shown = np.asarray(shown, dtype=bool)
    if shown.shape != (expected := (len(inputs), len(functions))):
        raise ValueError(f"shown must be (n_inputs, n_functions) {expected}, as the names; got {shown.shape}")
    if groups is not None and sum(groups.values()) != len(functions):
        raise ValueError(f"the groups must have {len(functions)} columns together; got {sum(groups.values())}")
    ax = style.axes(ax, width=3.6 + 0.42 * len(functions), height=2.0 + 0.3 * len(inputs))
    ax.imshow(shown, cmap=_WHITE_AND_DARK, vmin=0, vmax=1, aspect="auto")
    ax.set_xticks(range(len(functions)), functions, **style.SLANTED)
    ax.set_yticks(range(len(inputs)), inputs)
    ax.set_xticks(np.arange(len(functions) + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(len(inputs) + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="0.6", linewidth=0.8)
    ax.tick_params(which="both", length=0, labelsize="small")
    for row, found in enumerate(shown.sum(axis=1)):
        ax.text(len(functions) - 0.3, row, f"{found} of {len(functions)}", va="center", fontsize="small")
    start = 0
    for name, n_columns in (groups or {}).items():
        ax.text(start + (n_columns - 1) / 2, -0.65, name, ha="center", va="bottom", fontsize="small", style="italic")
        start += n_columns
        if start < len(functions):
            ax.axvline(start - 0.5, color="black", linewidth=2.2)
    ax.set_title(title, pad=22 if groups else None)
    ax.set(xlabel="wrong function", ylabel="input or look")
    return ax
