"""The scale √d_key: measurements against d_key, and how fast trainings with and without it are."""

import math
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
    """Draw a panel for each quantity, with a curve for each setting: the median, in a band of all seeds.

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
        n_draws = max(len(np.atleast_2d(runs)) for runs in settings.values())
        what = f"d_key (median; band: all {n_draws} draws)" if n_draws > 1 else "d_key"
        curves(d_keys, settings, ax, title=title, x_label=what, y_label=quantity)
        ax.set_xscale("log", base=2)
        ax.set_yscale("log" if quantity in logarithmic else "linear")
    return axes


def steps_against_rate(
    outcomes: Mapping[str, np.ndarray],
    ax: Axes | None = None,
    title: str = "",
    never: float = 1e4,
    apart: float = 1.16,
) -> Axes:
    """Draw a dot for each training: how many steps it needed, against its learning rate.

    Settings that share learning rates are drawn a little beside each other, so that none hides another one.

    Args:
        outcomes: setting → `(n_runs, 2)`, the learning rate and the steps, infinite where a run never got there.
        ax: where to draw; None makes a figure.
        title: what to see.
        never: the height of the runs that never got there, which are drawn hollow.
        apart: how far beside each other, as a factor; 1 draws every run at its own rate.

    Example:
        >>> ax = steps_against_rate({"divided": np.array([[0.1, 20.0], [0.2, np.inf]])}, never=1000)
        >>> [text.get_text() for text in ax.texts]
        ['never']
    """
    ax = style.axes(ax, width=5, height=3.8)
    crowded = [name for name in outcomes if _shares_a_rate(name, outcomes)]
    for i, (setting, runs) in enumerate(outcomes.items()):
        aside = apart ** (crowded.index(setting) - (len(crowded) - 1) / 2) if setting in crowded else 1.0
        rate, steps = aside * runs[:, 0], runs[:, 1]
        look: dict[str, Any] = {"marker": style.MARKERS[i], "color": style.PALETTE[i], "linestyle": "", "alpha": 0.8}
        ax.plot(rate, np.where(np.isinf(steps), np.nan, steps), label=setting, **look)
        ax.plot(rate, np.where(np.isinf(steps), never, np.nan), markerfacecolor="none", **look)
    without = [rate for runs in outcomes.values() for rate, steps in runs if np.isinf(steps)]
    if without:
        ax.annotate("never", (min(without), never), (-24, 0), textcoords="offset points", ha="right", va="center")
    rates = [rate for runs in outcomes.values() for rate in runs[:, 0]]
    decades = range(math.floor(math.log10(min(rates))), math.ceil(math.log10(max(rates))) + 1)
    ticks = [first * 10.0**decade for decade in decades for first in (1, 3)]
    ticks = [tick for tick in ticks if 0.99 * min(rates) <= tick <= 1.01 * max(rates)]
    ax.set(xscale="log", yscale="log", title=title, xlabel="learning rate", ylabel="steps until the error is halved")
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.grid(axis="y", alpha=0.3)
    return ax


def _shares_a_rate(setting: str, outcomes: Mapping[str, np.ndarray]) -> bool:
    others = [runs[:, 0] for name, runs in outcomes.items() if name != setting]
    return any(bool(np.isclose(one[:, None], outcomes[setting][:, 0], rtol=0.01).any()) for one in others)
