"""What each step computes and what it keeps can be told apart."""

from __future__ import annotations

import numpy as np

from course_attention.figures.kv_cache import cache_steps


def test_states():
    """Computed cells are hatched, kept ones and absent ones are not, and differ in their ground."""
    ax = cache_steps(np.eye(2, dtype=bool), np.tri(2, k=-1, dtype=bool), title="two steps")
    computed, absent, kept, _ = ax.patches
    assert computed.get_hatch() and not absent.get_hatch() and not kept.get_hatch()
    assert len({patch.get_facecolor() for patch in (computed, absent, kept)}) == 3
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("token", "step", "two steps")


def test_first_step_above():
    """Step 0 is the topmost row, token 0 the first column."""
    ax = cache_steps(np.eye(3, dtype=bool), np.zeros((3, 3), dtype=bool))
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    assert [(p.get_x(), p.get_y()) for p in ax.patches if p.get_hatch()] == [
        (-0.5, -0.5),
        (0.5, 0.5),
        (1.5, 1.5),
    ]


def test_legend_names_what_is_there():
    """Without a cache, the legend has no line for what is taken from it."""
    ax = cache_steps(np.eye(2, dtype=bool), np.zeros((2, 2), dtype=bool))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "not written yet",
        "computed in this step",
    ]
