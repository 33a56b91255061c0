"""Builds the zip that an instructor uploads to Gradescope as the autograder of an assignment."""

import json
import re
import secrets
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from course_attention.active_course import active
from course_attention.course.workspace import course_notebooks
from course_attention.grading.arguments import HIGHEST_SEED
from course_attention.grading.errors import CannotGrade
from course_attention.grading.sandbox.limits import Isolation

_PACKAGE = Path(__file__).resolve().parents[2]
_TEMPLATES = Path(__file__).resolve().parent / "templates"
_LEFT_OUT = {"__pycache__", "corpus", "notebooks"}  # the notebooks come from where the course keeps them
_NOT_NEEDED = {"jupyterlab"}
_NAME = re.compile(r"[\w.-]+")


def write_archive(path: Path, *, isolation: Isolation = "bubblewrap", timeout: float = 30.0) -> str:
    """Write Gradescope's autograder: `setup.sh` and `run_autograder` at the top, and the active course.

    The zip holds a secret seed, which draws the same cases for every submission.

    Args:
        path: of the zip.
        isolation: "process" where the container does not let bubblewrap make namespaces.
        timeout: seconds for each exercise.

    Returns:
        A line that says what was written.

    Raises:
        CannotGrade: the course is not installed, so that nobody knows what it needs.
        OSError: the zip cannot be written.
    """
    settings = {"seed": secrets.randbelow(HIGHEST_SEED), "isolation": isolation, "timeout": timeout}
    texts = {
        "requirements.txt": "\n".join(_requirements()) + "\n",
        "python-version.txt": f"{sys.version_info.major}.{sys.version_info.minor}\n",
        "settings.json": json.dumps(settings) + "\n",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for template in sorted(_TEMPLATES.iterdir()):
            entry = zipfile.ZipInfo(template.name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100755 << 16  # Gradescope runs both
            archive.writestr(entry, template.read_bytes(), zipfile.ZIP_DEFLATED)
        for name, text in texts.items():
            archive.writestr(name, text)
        for name, file in _course():
            archive.write(file, f"course/course_attention/{name}")
        for name, file in _of_author():
            archive.write(file, f"own_course/{name}")
    return f"autograder for Gradescope: {path}; it holds the seed, so keep it from students"


def _course() -> Iterator[tuple[str, Path]]:
    for file in sorted(_PACKAGE.rglob("*")):
        inside = file.relative_to(_PACKAGE)
        if file.is_file() and inside.parts[0] not in _LEFT_OUT and "__pycache__" not in inside.parts:
            yield inside.as_posix(), file
    own = active().own_files
    for notebook in course_notebooks():
        if notebook not in own:
            yield f"notebooks/{notebook.name}", notebook


def _of_author() -> Iterator[tuple[str, Path]]:
    """Return the files of the active course, where it is one in a folder; `run_autograder` makes it the active one."""
    folder = active().folder
    if folder is not None:
        for file in active().own_files:
            yield file.relative_to(folder).as_posix(), file


def _requirements() -> list[str]:
    """Return what the course needs, in the versions installed here: the container judges as this machine does."""
    try:
        stated = requires("course-attention") or []
    except PackageNotFoundError:
        raise CannotGrade("the course is on the path and not installed: pip install -e '.[lab,instructor]'") from None
    found = []
    for line in stated:
        requirement, _, condition = line.partition(";")
        match = _NAME.match(requirement)
        if match is None or match[0] in _NOT_NEEDED or not _is_wanted(condition):
            continue
        try:
            found.append(f"{match[0]}=={version(match[0]).partition('+')[0]}")
        except PackageNotFoundError:
            found.append(requirement.strip())
    return found


def _is_wanted(condition: str) -> bool:
    return "extra" not in condition or re.search(r"extra\s*==\s*['\"]lab['\"]", condition) is not None
