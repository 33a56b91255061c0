"""Reads `course.toml`. Each error names the key, and says what is expected there and what came."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE = "course.toml"
# Tables that are handed on as they are: other parts of the grader say what may stand in them.
HANDED_ON = ("late", "drop")
_KEYS = ("title", "contact", "notebooks", "leave_out", "route", "partial_credit", "defend", "points", *HANDED_ON)
ROUTES = ("full", "core")


class CourseError(ValueError):
    """A course of one's own cannot be used as it is; the message says why, and what is expected."""

    def _render_traceback_(self) -> list[str]:
        return [f"CourseError: {self}"]  # all that a notebook shows


@dataclass(frozen=True)
class Settings:
    """What `course.toml` says.

    Attributes:
        title: the course's name.
        contact: whom students ask, "" where nobody is named.
        notebooks: stems, in the order taught; None where the order is that of their names.
        leave_out: notebooks and exercises that are not part of the course.
        route: "full", or "core": then the sections headed "Deeper: …" are not part of it either.
        points: exercise → what it is worth here, where that is not what its own file says.
        partial_credit: whether an answer that did not pass may earn a part of its points.
        defend: whether instructors read how many of the answers that passed were defended.
        document: the whole document, as TOML has it.
    """

    title: str = "A course on attention"
    contact: str = ""
    notebooks: tuple[str, ...] | None = None
    leave_out: tuple[str, ...] = ()
    route: str = "full"
    points: Mapping[str, float] = field(default_factory=dict)
    partial_credit: bool = True
    defend: bool = False
    document: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def table(self, name: str) -> Mapping[str, Any]:
        """Return the table of that name, as TOML has it, such as "late"; an empty one where there is none.

        Example:
            >>> settings_from({"title": "Mine", "late": {"per_day": 0.1}}).table("late")
            {'per_day': 0.1}
        """
        found: Mapping[str, Any] = self.document.get(name, {})
        return found


def read_settings(folder: Path) -> Settings:
    """Read the settings of the course in a folder.

    Raises:
        CourseError: there is no `course.toml`, or it breaks a rule.
    """
    path = folder / FILE
    try:
        return settings_from(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise CourseError(
            f"a course's folder holds a {FILE}; {folder} has none. `course-attention new-course DIR` writes one"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path} must be TOML; its reader says: {error}") from error
    except CourseError as error:
        raise CourseError(f"{path}: {error}") from None


def settings_from(document: Mapping[str, Any]) -> Settings:
    """Check a document, and return what it says.

    Raises:
        CourseError: it breaks a rule.

    Example:
        >>> settings_from({"points": {"attention": "four"}})
        Traceback (most recent call last):
        course_attention.active_course.settings.CourseError: points.attention must be a number above 0; got 'four'
    """
    for key in document:
        if key not in _KEYS:
            raise CourseError(f"the keys are {', '.join(_KEYS)}; got {key!r}")
    for name in ("points", *HANDED_ON):
        _require(isinstance(document.get(name, {}), dict), name, "a table", document.get(name))
    for name, worth in document.get("points", {}).items():
        number = isinstance(worth, (int, float)) and not isinstance(worth, bool) and 0 < worth < 1e6
        _require(number, f"points.{name}", "a number above 0", worth)
    default = Settings()
    switches = {name: document.get(name, getattr(default, name)) for name in ("partial_credit", "defend")}
    for name, switch in switches.items():
        _require(isinstance(switch, bool), name, "true or false", switch)
    route = document.get("route", default.route)
    _require(route in ROUTES, "route", '"full" or "core"', route)
    return Settings(
        title=_text(document, "title", default.title),
        contact=_text(document, "contact", ""),
        notebooks=_names(document, "notebooks") if "notebooks" in document else None,
        leave_out=_names(document, "leave_out"),
        route=route,
        points=dict(document.get("points", {})),
        **switches,
        document=dict(document),
    )


def _text(document: Mapping[str, Any], key: str, default: str) -> str:
    text = document.get(key, default)
    _require(isinstance(text, str), key, "a text in quotes", text)
    return str(text)


def _names(document: Mapping[str, Any], key: str) -> tuple[str, ...]:
    names = document.get(key, [])
    good = isinstance(names, list) and all(isinstance(name, str) for name in names)
    _require(good, key, 'a list of names, such as ["02_queries_keys_values"]', names)
    names = [name.removesuffix(".ipynb") for name in names]
    twice = next((name for name in names if names.count(name) > 1), None)
    _require(twice is None, key, "a list in which each name stands once", twice)
    return tuple(names)


def _require(holds: bool, key: str, expected: str, came: object) -> None:
    if not holds:
        raise CourseError(f"{key} must be {expected}; got {came!r}")
