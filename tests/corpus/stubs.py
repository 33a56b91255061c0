"""Answers that count as not attempted, whatever the exercise."""

from __future__ import annotations

from torch import nn


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


class RaisesInInit(nn.Module):
    """Docstring with the arguments."""

    def __init__(self, *args, **kwargs):
        super().__init__()
        raise NotImplementedError

    def forward(self, *args, **kwargs):
        raise NotImplementedError


class RaisesInForward(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, *args, **kwargs):
        raise NotImplementedError("write me")


class Passes(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, *args, **kwargs):
        pass


class PassesInBoth(nn.Module):
    def __init__(self, *args, **kwargs):
        pass

    def forward(self, *args, **kwargs): ...


class ReturnsNone(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, *args, **kwargs):
        return None


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
MODULES = [RaisesInInit, RaisesInForward, Passes, PassesInBoth, ReturnsNone, raises, None, ...]
VALUES = [None, ...]
