"""The scale √d_key: measurements against d_key, and loss curves with and without it."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np

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


def losses(runs: Mapping[str, Mapping[str, np.ndarray]], smooth: int = 5, axes: np.ndarray | None = None) -> np.ndarray:
    """Draw a panel for each group of trainings, with a loss curve for each setting.

    Args:
        runs: title of the panel → setting → `(n_seeds, n_steps)`.
        smooth: steps averaged for one point of a curve.
        axes: one per panel; made if None.
    """
    if axes is None:
        size = (4.2 * len(runs), 3.2)
        _, axes = plt.subplots(1, len(runs), figsize=size, layout="constrained", sharey=True, squeeze=False)
        axes = axes[0]
    for ax, (title, settings) in zip(axes, runs.items(), strict=True):
        means = {setting: _smoothed(loss, smooth) for setting, loss in settings.items()}
        n_points = min(len(mean[0]) for mean in means.values())
        curves(smooth * (np.arange(n_points) + 0.5), means, ax, title=title, x_label="training step")
        ax.axhline(1, color="0.6", linewidth=0.8, linestyle=":")
    axes[0].set_ylabel("error / variance of the values")
    return axes


def _smoothed(loss: np.ndarray, smooth: int) -> np.ndarray:
    n_points = loss.shape[1] // smooth
    return loss[:, : n_points * smooth].reshape(len(loss), n_points, smooth).mean(-1)
