"""The site, built once for all tests that look at its pages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from filelock import FileLock

from tests.passed.fingerprint import installed

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, worker_id: str, request: pytest.FixtureRequest) -> Path:
    """Return the folder of the finished site. A second worker waits for the first.

    Every day, Sphinx reads again only what has changed since the last run. Continuous integration and an exhaustive run
    build the whole site, and so does the run after one that failed: a page that is not read again repeats no warning.
    """
    if ready := os.environ.get("COURSE_ATTENTION_SITE"):
        return Path(ready)
    base = tmp_path_factory.getbasetemp()
    of_this_run = (base if worker_id == "master" else base.parent) / "site"
    whole = request.config.getoption("--exhaustive") or os.environ.get("CI")
    folder = of_this_run if whole else ROOT / ".cache" / "site"
    with FileLock(f"{of_this_run}.lock"):
        done = Path(f"{of_this_run}.built")
        if not done.exists():
            _build(folder)
            done.touch()
    return folder / "html"


def _build(folder: Path) -> None:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": f"{ROOT / 'site'}{os.pathsep}{ROOT}"}
    source, html, made_by = folder / "source", folder / "html", folder / "made_by"
    if not made_by.is_file() or made_by.read_text() != _makers():
        shutil.rmtree(folder, ignore_errors=True)
    source.mkdir(parents=True, exist_ok=True)
    before = _files(source)
    _run(["-m", "course_site.stage", source], environment, folder)
    if before - _files(source):  # Sphinx would leave the page of a source that is gone
        shutil.rmtree(html, ignore_errors=True)
    _run(["-m", "sphinx", "--fail-on-warning", "--quiet", "-c", ROOT / "site", source, html], environment, folder)
    made_by.write_text(_makers())


def _run(step: list, environment: dict[str, str], folder: Path) -> None:
    ended = subprocess.run(
        [sys.executable, *step], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        shutil.rmtree(folder)
        raise AssertionError(ended.stderr[-4000:])


def _files(folder: Path) -> set[Path]:
    return {file for file in folder.rglob("*") if file.is_file()}


def _makers() -> str:
    """Return a digest of what makes pages, which Sphinx does not follow: the site's own code, and what is installed."""
    digest = sha256(repr((sys.version, installed())).encode())
    for file in sorted(file for file in _files(ROOT / "site") if "__pycache__" not in file.parts):
        digest.update(file.as_posix().encode() + file.read_bytes())
    return digest.hexdigest()
