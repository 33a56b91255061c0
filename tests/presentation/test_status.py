"""Every status has words, a mark and colours."""

from __future__ import annotations

from typing import get_args

import pytest

from course_attention.judging.verdict import Status
from course_attention.presentation.card_style import STATUS_COLORS, STYLE, status_rules
from course_attention.presentation.color_scale import contrast
from course_attention.presentation.wording import STATUSES


def test_statuses() -> None:
    """Those of the judge are among them; the words differ, so that no status is told by its colour alone."""
    assert set(get_args(Status)) < set(STATUSES) == set(STATUS_COLORS)
    assert len({words for _, words in STATUSES.values()}) == len(STATUSES)


@pytest.mark.parametrize("status", STATUS_COLORS)
def test_badge_can_be_read(status: str) -> None:
    """White text has a contrast of 4.5 on each badge."""
    badge, _ = STATUS_COLORS[status]
    assert contrast([int(badge[i : i + 2], 16) for i in (1, 3, 5)], [255, 255, 255]) >= 4.5


def test_rules() -> None:
    """Each status has its rules, in the card's style as well."""
    assert ".a-failed{background:#b3261e}.b-failed{border-left-color:#d0453b}" in status_rules(".a-{}", ".b-{}")
    assert all(f".ca-card.ca-{status} .ca-badge{{" in STYLE for status in STATUSES)
