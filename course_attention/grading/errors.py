"""The error that tells an instructor why a class cannot be graded."""


class CannotGrade(Exception):
    """What was asked cannot be done; the message says why, and what to do."""
