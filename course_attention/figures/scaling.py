"""The scale √d_key: measurements against d_key, and how fast trainings with and without it are."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullFormatter, StrMethodFormatter

from course_attention.figures import style
from course_attention.figures.curves import curves


def against_d_key(
    d_keys: np.ndarray,
    quantities: Mapping[str, Mapping[str, np.ndarray]],
    logarithmic: tuple[str, ...] = (),
    titles: Sequence[str] = (),
    axes: np.ndarray | None = None,
) -> np.ndarray:
    """Draw a panel for each quantity, with a curve for each setting.

    Args:
        d_keys: `(n_sizes,)`.
        quantities: label of the vertical axis → setting ("scaled", "not scaled") → `(n_seeds, n_sizes)`.
        logarithmic: the quantities to be drawn on a logarithmic axis.
        titles: what to see in each panel; none if empty.
        axes: one per quantity; made if None.
    """
    if axes is None:
        size = (3.3 * len(quantities), 3.2)
        _, axes = plt.subplots(1, len(quantities), figsize=size, layout="constrained", squeeze=False)
        axes = axes[0]
    titles = titles or [""] * len(quantities)
    for ax, title, (quantity, settings) in zip(axes, titles, quantities.items(), strict=True):
        curves(d_keys, settings, ax, title=title, x_label="d_key", y_label=quantity)
        ax.set_xscale("log", base=2)
        ax.set_yscale("log" if quantity in logarithmic else "linear")
    return axes


def steps_against_rate(
    outcomes: Mapping[str, np.ndarray], ax: Axes | None = None, title: str = "", never: float = 1e4
) -> Axes:
    """Draw a dot for each training: how many steps it needed, against its learning rate.

    Args:
        outcomes: setting → `(n_runs, 2)`, the learning rate and the steps, infinite where a run never got there.
        ax: where to draw; None makes a figure.
        title: what to see.
        never: the height of the runs that never got there, which are drawn hollow.

    Example:
        >>> ax = steps_against_rate({"divided": np.array([[0.1, 20.0], [0.2, np.inf]])}, never=1000)
        >>> [text.get_text() for text in ax.texts]
        ['never']
    """
    ax = style.axes(ax, width=5, height=3.8)
    for i, (setting, runs) in enumerate(outcomes.items()):
        aside = 1.16 ** (i - (len(outcomes) - 1) / 2)  # so that no setting hides another one
        rate, steps = aside * runs[:, 0], runs[:, 1]
        look: dict[str, Any] = {"marker": style.MARKERS[i], "color": style.PALETTE[i], "linestyle": "", "alpha": 0.8}
        ax.plot(rate, np.where(np.isinf(steps), np.nan, steps), label=setting, **look)
        ax.plot(rate, np.where(np.isinf(steps), never, np.nan), markerfacecolor="none", **look)
    without = [rate for runs in outcomes.values() for rate, steps in runs if np.isinf(steps)]
    if without:
        ax.annotate("never", (min(without), never), (-24, 0), textcoords="offset points", ha="right", va="center")
    rates = sorted({rate for runs in outcomes.values() for rate in runs[:, 0]})
    ax.set(xscale="log", yscale="log", title=title, xlabel="learning rate", ylabel="steps until the error is halved")
    ax.set_xticks(rates, [f"{rate:g}" for rate in rates])
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.grid(axis="y", alpha=0.3)
    return ax
