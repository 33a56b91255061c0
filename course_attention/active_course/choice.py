"""Chooses the active course: what a command names, else the environment, else the workspace, else the package's own."""

import os
from functools import cache
from pathlib import Path

from course_attention.active_course.course import Course, package_course, read_course
from course_attention.active_course.settings import FILE, ROUTES, CourseError

VARIABLE = "COURSE_ATTENTION_COURSE"
MARKER = ".course_attention"  # the folder by which a student's workspace is known
_REMEMBERED = "course"  # the file in it that names the folder of the workspace's course
ROUTE_VARIABLE = "COURSE_ATTENTION_ROUTE"
_ROUTE = "route"  # the file in it that names the route through the package's own course

COURSE_FILE = "course.txt"  # the file in a folder of results that names the folder of their course


@cache
def active() -> Course:
    """Return the course that this process teaches or grades.

    Raises:
        CourseError: it is one in a folder, and cannot be used as it is.

    Example:
        >>> active().topic_of("rotary").notebook
        '06_positional_encoding'
    """
    if named := os.environ.get(VARIABLE):
        return read_course(Path(named).resolve())
    marker = workspace()
    folder = remembered(marker.parent) if marker else None
    if folder:
        return read_course(folder)
    return package_course(os.environ.get(ROUTE_VARIABLE) or (remembered_route(marker.parent) if marker else "full"))


def choose(folder: Path) -> Course:
    """Make the course in a folder the active one, for this process and those that it starts.

    Raises:
        CourseError: it cannot be used as it is.
    """
    folder = folder.resolve()
    course = read_course(folder)
    os.environ[VARIABLE] = str(folder)
    active.cache_clear()
    return course


def follow_route(route: str | None, workspace: Path) -> None:
    """Take a route through the package's own course, for this process and those that it starts.

    Args:
        route: "full" or "core"; None for the one that the workspace has followed so far.
        workspace: a student's folder.

    Raises:
        CourseError: a route is named, and the active course is one in a folder: its author has chosen.
    """
    course = active()
    if course.folder is not None:
        if route is not None:
            raise CourseError(f"{course.folder / FILE} says which route its course takes; --route is for ours")
        return
    route = route or remembered_route(workspace)
    if route != course.settings.route:
        os.environ[ROUTE_VARIABLE] = route
        active.cache_clear()


def remembered_route(workspace: Path) -> str:
    """Return the route that a workspace follows through the package's own course, "full" unless it has noted another.

    A name that is no route, in a file that somebody has edited, counts as "full".
    """
    found = _line(workspace / MARKER / _ROUTE)
    return found if found in ROUTES else "full"


def remember_route(workspace: Path) -> str:
    """Let a workspace follow the active route from now on; returns a line where it followed another, else ""."""
    route, before = active().settings.route, remembered_route(workspace)
    if active().folder is not None or route == before:
        return ""
    file = workspace / MARKER / _ROUTE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{route}\n", encoding="utf-8")
    return f"follows the {route} route" + ("" if route == "full" else ': the sections headed "Deeper" are left out')


def follow(folder: Path | None) -> None:
    """Make a remembered course the active one, unless an option or the environment has named one.

    Raises:
        CourseError: it cannot be used as it is.
    """
    named = os.environ.get(VARIABLE)  # `choose` has set it, where there was an option
    if folder is not None and not named:
        choose(folder)


def workspace() -> Path | None:
    """Return the marker folder of the workspace that the current folder lies in, if it lies in one."""
    try:
        here = Path.cwd()
    except OSError:  # the current folder is gone
        return None
    # os.path says no where a folder above may not be entered; pathlib raises.
    return next((folder / MARKER for folder in (here, *here.parents) if os.path.isdir(folder / MARKER)), None)


def remembered(workspace: Path) -> Path | None:
    """Return the folder of the course that a workspace follows; None where it follows the package's own."""
    return noted(workspace / MARKER / _REMEMBERED)


def noted(file: Path) -> Path | None:
    """Return the folder of the course that a file names; None where there is no such file."""
    named = _line(file)
    return None if named is None else Path(named)


def _line(file: Path) -> str | None:
    """Return the line that a file consists of, None where there is no such file."""
    try:
        return file.read_text(encoding="utf-8").strip()
    except OSError:
        return None


def remember(workspace: Path) -> str:
    """Let a workspace follow the active course from now on; returns a line where it followed another, else ""."""
    file, folder = workspace / MARKER / _REMEMBERED, active().folder
    before = remembered(workspace)
    if folder is None or before == folder:
        return ""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{folder}\n", encoding="utf-8")
    return f"follows the course in {folder}" + (f", no longer the one in {before}" if before else "")
