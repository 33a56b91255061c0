"""The late rules of a folder of results: kept beside the results, so that the views can be written again from there."""

import json
import tomllib
from pathlib import Path

from course_attention.active_course import active
from course_attention.course.cells import course_stems
from course_attention.course.whole_files import write_whole
from course_attention.grading.errors import CannotGrade
from course_attention.grading.marking.late_rules import LateRules
from course_attention.grading.marking.late_tables import late_rules, tables_of

FILE = "late_rules.json"


def read_toml(path: Path) -> LateRules:
    """Read the late rules of a TOML file; see `late_tables`.

    Raises:
        CannotGrade: the file is not TOML, or a rule in it is wrong.
        OSError: it cannot be read.
    """
    try:
        return late_rules(tomllib.loads(path.read_text(encoding="utf-8")), course_stems())
    except CannotGrade as error:
        raise CannotGrade(f"{path}: {error}") from error
    except ValueError as error:
        raise CannotGrade(f"{path} is not a TOML file in UTF-8: {error}") from error


def of_course() -> LateRules | None:
    """Return the late rules in the `course.toml` of the active course; None where it holds none.

    Raises:
        CannotGrade: a rule in it is wrong.
    """
    course = active()
    tables = {name: course.settings.table(name) for name in ("late", "drop")}
    if not any(tables.values()):
        return None
    try:
        return late_rules(tables, course_stems())
    except CannotGrade as error:
        raise CannotGrade(f"{course.folder}/course.toml: {error}") from error


def in_force(results: Path, given: LateRules | None = None) -> LateRules:
    """Decide which rules hold for a folder of results, for the command line and for programs alike.

    These are the rules that were given; else those of the active course; else those that were kept with the results.

    Raises:
        CannotGrade: a rule in the course's settings is wrong, or those that were kept cannot be read.
    """
    rules = of_course() if given is None else given
    return kept(results) if rules is None else rules


def keep(results: Path, rules: LateRules) -> None:
    """Keep rules with the results, in the place of those that were there."""
    path = results / FILE
    if rules != LateRules() or path.exists():
        write_whole(path, (json.dumps(tables_of(rules), indent=1) + "\n").encode())


def kept(results: Path) -> LateRules:
    """Return the rules that were kept last; no rules where there are none.

    Raises:
        CannotGrade: the file was changed by hand and cannot be read.
    """
    path = results / FILE
    try:
        return late_rules(json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):  # there are no results yet, or there never can be
        return LateRules()
    except (CannotGrade, ValueError, AttributeError) as error:
        raise CannotGrade(f"{path}: {error}; give the rules again with --late") from error
