"""A course: its notebooks in the order taught, what each asks, and where the author's own exercises are."""

import ast
import importlib
import json
import sys
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from course_attention.active_course.route import asked_in, in_core, package_notebooks
from course_attention.active_course.settings import FILE, CourseError, Settings, read_settings
from course_attention.topics import TOPICS, Topic

# The author's files are modules of this package, so that they can import from each other: `from ._shared import f`.
_PACKAGE = "own_exercises"
_OURS = {topic.notebook: topic for topic in TOPICS}
_PRACTICE = {name for topic in TOPICS for name in topic.practice}


@dataclass(frozen=True)
class Course:
    """A course.

    Attributes:
        folder: where the author keeps it; None for the package's own.
        settings: what its `course.toml` says.
        topics: its notebooks in the order taught, each with the exercises that it asks.
        homes: exercise of the author's → the file that defines it.
        left_out: helpers of exercises that its notebooks would ask, and do not: an import takes their place.
    """

    folder: Path | None = None
    settings: Settings = field(default_factory=Settings)
    topics: tuple[Topic, ...] = TOPICS
    homes: Mapping[str, Path] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    def topic_of(self, exercise: str) -> Topic:
        """Return the topic whose notebook asks an exercise.

        Raises:
            KeyError: none does.
        """
        for topic in self.topics:
            if exercise in topic.exercises:
                return topic
        raise KeyError(f"no notebook of {self.settings.title!r} asks {exercise!r}")

    @property
    def files(self) -> tuple[Path, ...]:
        """The author's files of exercises and misconceptions, by name; those that begin with _ are parts of others."""
        if self.folder is None:
            return ()
        return tuple(path for path in _python_files(self.folder) if not path.name.startswith("_"))

    @property
    def sources(self) -> tuple[tuple[str, str], ...]:
        """The name and the text of each Python file of the author's, parts included."""
        files = () if self.folder is None else _python_files(self.folder)
        return tuple((path.name, path.read_text(encoding="utf-8")) for path in files)

    @property
    def own_files(self) -> tuple[Path, ...]:
        """All files of the author's that make the course; none of the package's own course."""
        folder = self.folder
        return () if folder is None else (folder / FILE, *_notebooks(folder), *_python_files(folder))

    def own_notebook(self, stem: str) -> Path | None:
        """Return the author's notebook of that name; None where the package's own is taught."""
        path = self.folder and self.folder / "notebooks" / f"{stem}.ipynb"
        return path if path and path.is_file() else None

    def notebook(self, stem: str) -> Path:
        """Return the notebook of that name: the author's, where they have one, else the package's own.

        Raises:
            CourseError: the package has lost its notebooks.
        """
        return self.own_notebook(stem) or package_notebooks() / f"{stem}.ipynb"

    def module(self, path: Path) -> ModuleType:
        """One of `files`, imported.

        Raises:
            CourseError: it cannot be imported.
        """
        package = sys.modules.get(_PACKAGE)
        if package is None:
            package = sys.modules[_PACKAGE] = types.ModuleType(_PACKAGE)
        package.__path__ = [str(path.parent)]
        try:
            return importlib.import_module(f"{_PACKAGE}.{path.stem}")
        except CourseError:
            raise
        except Exception as error:  # whatever an author's file raises
            raise CourseError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error


def package_course(route: str) -> Course:
    """Return the package's own course along a route.

    Raises:
        CourseError: the package has lost its notebooks.
    """
    course = Course(settings=Settings(route=route))
    return course if route == "full" else _core_of(course)


def _core_of(course: Course) -> Course:
    """Return a course without its deeper sections. Whatever they ask is left out: an import can take its place."""
    topics = []
    for topic in course.topics:
        asked = asked_in(in_core(_cells(course.notebook(topic.notebook))))
        exercises = tuple(name for name in topic.exercises if name in asked)
        practice = tuple(name for name in topic.practice if name in asked)
        topics.append(topic._replace(exercises=exercises, practice=practice))
    kept = {name for topic in topics for name in topic.exercises}
    deeper = [name for topic in course.topics for name in topic.exercises if name not in kept]
    return replace(course, topics=tuple(topics), left_out=(*course.left_out, *deeper))


def read_course(folder: Path) -> Course:
    """Read the course in a folder. Its notebooks are read, its exercises are not imported.

    Raises:
        CourseError: a name in it stands for nothing, or a file cannot be read.
    """
    settings = read_settings(folder)
    homes: dict[str, Path] = {}
    for path in _python_files(folder):
        for name in _exercises_in(path):
            if name in homes:
                raise CourseError(f"an exercise is defined once; {name!r} is in {homes[name].name} and {path.name}")
            homes[name] = path
    own = {path.stem: _own_topic(path) for path in _notebooks(folder)}
    known = {**_OURS, **own}
    stems = settings.notebooks if settings.notebooks is not None else tuple(sorted(known))
    _require_known("notebooks", stems, known)
    exercises = [name for stem in stems for name in known[stem].exercises]
    ours = [stem for stem in stems if stem in _OURS]
    if ours != sorted(ours):
        raise CourseError(
            f"notebooks must have the package's own in their order, {', '.join(sorted(ours))}; got {', '.join(ours)}"
        )
    _require_known("leave_out", settings.leave_out, [*stems, *exercises])
    out = set(settings.leave_out)
    taught = [known[stem] for stem in stems if stem not in out]
    topics = tuple(
        topic._replace(exercises=tuple(name for name in topic.exercises if name not in out)) for topic in taught
    )
    left_out = tuple(name for topic in taught for name in topic.exercises if name in out)
    course = Course(folder, settings, topics, homes, left_out)
    if settings.route == "core":
        course = _core_of(course)
    asked = [name for topic in course.topics for name in topic.exercises]
    _require_known("points", settings.points, asked)
    _require_once(topics)
    _require_defined(topics, homes, folder)
    if not asked:
        raise CourseError(f"a course asks at least one exercise; the notebooks of {folder} ask none")
    return course


def _notebooks(folder: Path) -> list[Path]:
    return sorted((folder / "notebooks").glob("*.ipynb"))


def _cells(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return cells


def _python_files(folder: Path) -> list[Path]:
    return sorted((folder / "exercises").glob("*.py"))


def _exercises_in(path: Path) -> list[str]:
    """Return the names in a file's `…Exercise(name="…")`, without importing it."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError, OSError) as error:
        raise CourseError(f"{path} must be Python; its reader says: {error}") from error
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    made = [call for call in calls if ast.unparse(call.func).endswith("Exercise")]
    names = [keyword.value for call in made for keyword in call.keywords if keyword.arg == "name"]
    return [str(name.value) for name in names if isinstance(name, ast.Constant)]


def _own_topic(path: Path) -> Topic:
    """Return the exercises of a notebook of the author's: those of its answer cells. Practice is the package's own."""
    try:
        cells = _cells(path)
        about = [cell["metadata"].get("nbgrader", {}) for cell in cells]
        exercises = [str(one["grade_id"]) for one in about if one.get("solution")]
        practice = [name for cell in cells if (name := cell["metadata"].get("practice")) in _PRACTICE]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"{path} must be a notebook of nbformat 4; got {error!r}") from error
    if not all(cell.get("id") for cell in cells):
        raise CourseError(
            f"each cell of {path} must have an id, as in nbformat 4.5; some have none. JupyterLab adds them"
        )
    ours = _OURS.get(path.stem)
    name, helpers = (ours.name, ours.helpers) if ours else (path.stem, ())
    return Topic(path.stem, name, tuple(exercises), helpers, tuple(practice))


def _require_known(key: str, names: Iterable[str], known: Iterable[str]) -> None:
    known = list(known)
    if unknown := [name for name in names if name not in known]:
        raise CourseError(f"{key} must name what the course has: {', '.join(known)}; got {unknown[0]!r}")


def _require_once(topics: Iterable[Topic]) -> None:
    asked: dict[str, str] = {}
    for topic in topics:
        for name in topic.exercises:
            if name in asked:
                both = f"{asked[name]} and {topic.notebook}"
                raise CourseError(f"an exercise is asked once; {name!r} is asked in {both}")
            asked[name] = topic.notebook


def _require_defined(topics: Iterable[Topic], homes: Mapping[str, Path], folder: Path) -> None:
    ours = {name for topic in TOPICS for name in topic.exercises}
    for topic in topics:
        for name in topic.exercises:
            if name not in ours and name not in homes:
                raise CourseError(
                    f"{topic.notebook} asks {name!r}; expected an exercise of that name in {folder / 'exercises'}, "
                    f"which has {', '.join(homes) or 'none'}"
                )
            if name in ours and name in homes and topic.notebook in _OURS:
                raise CourseError(
                    f"{homes[name]} defines {name!r}, which the package's own {topic.notebook} asks: name it otherwise"
                )
