"""Says what decides whether a file of tests passes, as a digest: of a notebook, of tests, of examples in docstrings.

- A notebook: itself, the modules of the course that it imports, over however many others, with the data files of their
  rooms.
- The tests in one of the folders of `READS`: the package, and what the table says.
- All others: every file of the project.

For all of them, also what is installed, Python, the device, and the programs that tests call.

In a folder of `BY_TASK`, the tests of one exercise or task of practice are a part of their file: the files of the other
exercises and tasks do not decide over them, unless its own file imports one. In the other folders of `READS`, the file
of an exercise decides over the tests that name the exercise or its notebook, and over those that ask for all of them.

`progress()` reads the points of every exercise, also of those that a notebook does not name. Their files do not
count: nbval does not compare what it shows.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path

from course_attention.topics import TOPICS
from tools.computes_with import PACKAGE, ROOT, code_of, computes_with, with_imports

# What the tests of a folder read, beside the package, their own folder, and what all tests share.
READS: dict[str, tuple[str, ...]] = {
    PACKAGE.name: (),
    "tests/answer_corpus": ("notebooks",),
    "tests/encyclopedia": (),
    "tests/execution": (),
    "tests/exercises": ("tests/active_course",),
    "tests/figures": (),
    "tests/grading": ("tests/active_course", "notebooks", "docs/instructors.md"),
    "tests/judging": (),
    "tests/lesson": (),
    "tests/mechanisms": (),
    "tests/mutants": (),
    "tests/practice": (),
    "tests/presentation": (),
}
SHARED = (PACKAGE.name, "tests/corpus", "tests/passed", "conftest.py", "pyproject.toml")  # and the files in tests/
BY_TASK = ("tests/exercises", "tests/mutants", "tests/practice")
# Of each exercise and each task of practice, its file in the package and that of its answers.
_FILES = {
    name: (f"{PACKAGE.name}/{room}/{topic.name}/{name}.py", f"tests/corpus/{topic.name}/{name}.py")
    for topic in TOPICS
    for room, names in (("exercises", topic.exercises), ("practice", topic.practice))
    for name in names
}
_OF_NOTEBOOK = {topic.notebook: {*topic.exercises, *topic.practice} for topic in TOPICS}
# What may look at any exercise: the catalogue without one exercise's name behind it, or what goes through all of them.
_EVERY = re.compile(
    r"""\b(?:CATALOGUE|PRACTICE)\b(?!\["\w+"\])|\b(?:TOPICS|asking_stems|course_stems|encyclopedia|homes)\b"""
)
_IMPORT_OF_CATALOGUE = re.compile(r"^ *from \S+ import (?:CATALOGUE|PRACTICE)$", re.MULTILINE)
_TASK = re.compile(r"\[(\w+)[]-]")  # in the name of a test, such as test_right[softmax-right__exp]
PROGRAMS = ("bwrap", "chromium", "git", "make", "node")


def fingerprint(file: Path, task: str = "") -> str:
    """Return a digest of everything that decides whether a file passes, and of what a notebook shows.

    Args:
        file: a notebook, or a Python file with tests or examples. It lies in the project.
        task: an exercise or a task of practice, if only its tests are meant, see `task_of`.
    """
    return _of_notebook(file) if file.suffix == ".ipynb" else _of_tests(file, task)


def task_of(test: str) -> str:
    """Return the exercise or the task of practice that a test is about; "" if it may be about several.

    Args:
        test: its name, as pytest has it.

    Example:
        >>> task_of("tests/exercises/test_answers.py::test_right[softmax-right__exp]")
        'softmax'
        >>> task_of("tests/grading/test_honest.py::test_right[softmax]"), task_of("tests/exercises/test_a.py::test_b")
        ('', '')
    """
    found = _TASK.search(test) if test.startswith(BY_TASK) else None
    return found[1] if found and found[1] in _FILES else ""


def look_again() -> None:
    """Forget what the files held: they may have changed."""
    for kept in (_of_files, _of_the_project, _content, _data, _without):
        kept.cache_clear()


def folder_of(file: Path) -> str | None:
    """Return the folder of `READS` that a file of tests lies in; None if it may read anything."""
    parents = [folder.as_posix() for folder in file.relative_to(ROOT).parents]
    return next((folder for folder in parents if folder in READS), None)


def may_read(folder: str) -> tuple[str, ...]:
    """Return the files and folders that the tests in a folder of `READS` read, besides the files in tests/."""
    return (folder, *SHARED, *READS[folder])


def _of_notebook(notebook: Path) -> str:
    files = sorted(computes_with(code_of(notebook)))
    rooms = {file.relative_to(PACKAGE).parts[0] for file in files}
    data = [file for file in _data() if file.relative_to(PACKAGE).parts[0] in rooms]
    return _digest(map(_name, (notebook, ROOT / "conftest.py", *files, *data)))


def _of_tests(file: Path, task: str) -> str:
    folder = folder_of(file)
    if not folder:
        return _of_files()
    return _of_files(*may_read(folder), without=_without(frozenset([task]) if task else _tasks_in(file, folder)))


def _tasks_in(file: Path, folder: str) -> frozenset[str]:
    """Return the exercises and tasks of practice that tests may look at, as their own text says."""
    if folder in (PACKAGE.name, *BY_TASK):
        return frozenset(_FILES)
    ours = ROOT / folder
    fixtures = [place / "conftest.py" for place in file.parents if place.is_relative_to(ours)]
    read = with_imports([file, *filter(Path.is_file, fixtures)])
    texts = [text.read_text(encoding="utf-8") for text in read if text.is_relative_to(ROOT / "tests")]
    if any(_EVERY.search(_IMPORT_OF_CATALOGUE.sub("", text)) for text in texts):
        return frozenset(_FILES)
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    return frozenset(words & _FILES.keys()).union(*(_OF_NOTEBOOK[stem] for stem in words & _OF_NOTEBOOK.keys()))


@cache
def _without(tasks: frozenset[str]) -> frozenset[str]:
    """Return the files of all exercises and tasks of practice but some, and those that these import."""
    if tasks == _FILES.keys():
        return frozenset()
    kept = {_name(file) for file in with_imports(ROOT / _FILES[task][0] for task in tasks)}
    return frozenset(place for places in _FILES.values() if places[0] not in kept for place in places)


@cache
def _of_files(*places: str, without: frozenset[str] = frozenset()) -> str:
    """Return a digest of the files in some places, with those that all tests share; of the whole project for none."""
    folders = tuple(f"{place}/" for place in places)
    read = [
        name
        for name in _of_the_project()
        if name not in without
        and (not places or name in places or name.startswith(folders) or name.rpartition("/")[0] == "tests")
    ]
    return _digest(read)


@cache
def _of_the_project() -> list[str]:
    """Return the names of the project's files: those that git knows, and those that it does not ignore.

    Raises:
        OSError, subprocess.CalledProcessError: if this is not a clone, or there is no git.
    """
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(name for name in names if name and (ROOT / name).is_file())


def _name(file: Path) -> str:
    """Return a file's name in the project. A thousand digests compare them, which takes longer with paths."""
    return file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else file.as_posix()


def _digest(names: Iterable[str]) -> str:
    digest = sha256(repr(_circumstances()).encode())
    for name in names:
        digest.update(name.encode() + _content(name))
    return digest.hexdigest()


@cache
def _content(name: str) -> bytes:
    return sha256((ROOT / name).read_bytes()).digest()


def _circumstances() -> tuple[object, ...]:
    programs = [shutil.which(program) for program in PROGRAMS]
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    device = os.environ.get("COURSE_ATTENTION_DEVICE", "cpu")
    return sys.version, sys.platform, installed(), device, programs, root


@cache
def _data() -> list[Path]:
    return sorted(
        file
        for file in PACKAGE.rglob("*")
        if file.is_file() and file.suffix != ".py" and "__pycache__" not in file.parts
    )


@cache
def installed() -> list[str]:
    """Return the name and version of each distribution in the environment."""
    # Those of the environment: what a test puts on the path besides is not what a notebook computes with.
    environment = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    return sorted({f"{one.metadata['Name']} {one.version}" for one in distributions(path=environment)})
