"""Counts what a drawing holds."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgb


def filled(ax, role) -> int:
    """How many cells have a role's full colour."""
    return sum(bool(p.get_fill()) and np.allclose(p.get_facecolor()[:3], to_rgb(role.fill)) for p in ax.patches)
