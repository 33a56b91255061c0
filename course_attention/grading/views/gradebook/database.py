"""The database of a gradebook: open it, or say why it cannot be opened."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbgrader.api import Gradebook
    from sqlalchemy import URL


class NoGradebook(Exception):
    """The gradebook cannot be filled; the message says why, and what to do."""


def check() -> None:
    """See that nbgrader is there, before a class is graded.

    Raises:
        NoGradebook: it is not.
    """
    try:
        import nbgrader.api  # noqa: F401 - whether it can be imported is the question
    except ImportError:
        raise NoGradebook("nbgrader is not installed; type: pip install 'course-attention[instructor]'") from None


@contextmanager
def opened(database: str) -> Iterator[tuple[Gradebook, URL]]:
    """Open a gradebook, and return it with its address. A database that is not there is made.

    Args:
        database: a file, or an SQLAlchemy URL.

    Raises:
        NoGradebook: nbgrader is missing, or the database cannot be opened or refuses what is written.
    """
    check()
    from nbgrader.api import Gradebook, InvalidEntry
    from sqlalchemy.exc import SQLAlchemyError

    which = "the gradebook"
    try:
        url = _url(database)
        which = f"the gradebook {url.render_as_string()}"
        with _scripts_on_path():
            gradebook = Gradebook(url)
        with gradebook:
            yield gradebook, url
    except ImportError as error:
        raise NoGradebook(f"{database.partition(':')[0]} databases need {error.name}: install it") from error
    except (SQLAlchemyError, InvalidEntry) as error:
        why = str(getattr(error, "orig", error)).partition("\n")[0]
        raise NoGradebook(f"{which} cannot be filled: {why}") from error


def _url(database: str) -> URL:
    from sqlalchemy import URL, make_url

    return make_url(database) if "://" in database else URL.create("sqlite", database=database)


@contextmanager
def _scripts_on_path() -> Iterator[None]:
    """Put Python's scripts on the PATH: nbgrader calls the command `alembic`, which lies there."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before
