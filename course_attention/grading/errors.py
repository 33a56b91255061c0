"""The error that tells an instructor why a class cannot be graded."""

from __future__ import annotations


class CannotGrade(Exception):
    """What was asked cannot be done; the message says why, and what to do."""
