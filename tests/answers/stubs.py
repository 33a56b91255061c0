"""Answers that count as not attempted, whatever the exercise."""

from __future__ import annotations


def raises(*args, **kwargs):
    raise NotImplementedError


def raises_with_words(*args, **kwargs):
    """Docstring with the shapes."""
    raise NotImplementedError("write me")


def returns_none(*args, **kwargs):
    return None


def passes(*args, **kwargs):
    pass


def ellipsis(*args, **kwargs): ...


def docstring_only(*args, **kwargs):
    """Docstring with the shapes."""


def returns_ellipsis(*args, **kwargs):
    return ...


def returns_not_implemented(*args, **kwargs):
    return NotImplemented


FUNCTIONS = [
    raises,
    raises_with_words,
    returns_none,
    passes,
    ellipsis,
    docstring_only,
    returns_ellipsis,
    returns_not_implemented,
    None,
]
VALUES = [None, ...]
