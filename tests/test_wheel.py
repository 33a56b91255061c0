"""The wheel alone is the whole course: package, command, notebooks and answers. Its version is that of git's tag."""

from __future__ import annotations

import email.policy
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import nbformat
import pytest

from course_attention.course.colab import REPOSITORY
from course_attention.course.workspace import without_outputs

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
LARGEST = 12_000_000  # bytes
SUFFIXES = {
    ".py",
    ".pyi",
    ".typed",
    ".ipynb",
    ".safetensors",
    ".json",
    ".csv",
    ".toml",
    ".html",
    ".css",
    ".sh",
}
WITHOUT_SUFFIX = {"run_autograder"}  # Gradescope calls it by this name
EXECUTED = """
import nbformat, sys
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
probe = nbformat.v4.new_code_cell("import course_attention; print(course_attention.__file__)")
notebook.cells.append(probe)
NotebookClient(notebook, timeout=120).execute()
print(notebook.cells[-1].outputs[0].text.strip())
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Return the output of a command that sees neither this clone's folder nor its environment variables."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "JUPYTER_PATH")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Return the wheel, built from this tree, alone in its folder."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


def test_wheel_is_small(wheel):
    """The language model's weights and what editors read are in it, and all of it stays under 12 MB."""
    assert wheel.stat().st_size < LARGEST
    names = zipfile.ZipFile(wheel).namelist()
    assert "course_attention/models/python_source/weights.safetensors" in names
    assert {"course_attention/__init__.pyi", "course_attention/py.typed"} <= set(names)


def test_wheel_holds_nothing_by_chance(wheel):
    """Every file of the package is of a kind that belongs to it: what a program has left behind would be found."""
    paths = [Path(name) for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    odd = [path for path in paths if path.suffix not in SUFFIXES and path.name not in WITHOUT_SUFFIX]
    assert odd == []


def test_page_on_pypi_leads_to_the_tag(wheel):
    """On PyPI every link and picture of the README leads to a file of this version's tag, at its full address."""
    (name,) = (name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".dist-info/METADATA"))
    metadata = email.message_from_bytes(zipfile.ZipFile(wheel).read(name), policy=email.policy.default)
    assert metadata["Description-Content-Type"] == "text/markdown"
    page = metadata.get_payload()
    assert page.startswith("# A course on attention")
    links = re.findall(r"\]\(([^)\s]+)\)", page) + re.findall(r'(?:src|srcset|href)="([^"]+)"', page)
    assert [link for link in links if not re.match(r"https://|#", link)] == []
    here = re.compile(
        rf"https://(?:github\.com/([\w-]+/[\w-]+)/blob|raw\.githubusercontent\.com/([\w-]+/[\w-]+))"
        rf"/v{re.escape(metadata['Version'])}/([^#]+)"
    )
    found = [match for match in map(here.fullmatch, links) if match]
    assert {match[1] or match[2] for match in found} == {REPOSITORY}
    files = {match[3] for match in found}
    assert {"docs/images/verdict-light.png", "docs/instructors.md", "CONTRIBUTING.md", "LICENSE"} <= files
    assert [file for file in files if not (ROOT / file).is_file()] == []


def fresh_environment(folder: Path) -> tuple[dict[str, str], Path]:
    """Return a virtual environment with nothing in it: its paths and its Python."""
    venv.create(folder, symlinks=os.name != "nt")
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    return paths, Path(paths["scripts"]) / ("python.exe" if os.name == "nt" else "python")


@pytest.mark.journey
@pytest.mark.slow
def test_first_cell_installs_the_course(wheel, tmp_path, monkeypatch):
    """Where the course is missing, as on Colab, a notebook's first code cell installs it, and then does nothing."""
    paths, python = fresh_environment(tmp_path / "environment")
    # Much faster than to install it. It is not imported: from then on setuptools cannot be, before Python 3.12.
    shutil.copytree(distribution("pip").locate_file("pip"), Path(paths["purelib"]) / "pip")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    monkeypatch.setenv("PIP_NO_DEPS", "1")  # Colab has them; here they would be a download
    cells = nbformat.read(ROOT / "notebooks" / NOTEBOOKS[-1], as_version=4).cells
    first = next(cell.source for cell in cells if cell.cell_type == "code")
    probe = "import course_attention; print(course_attention.__file__)"
    told = run(python, "-c", f"{first}\n{probe}", cwd=tmp_path)
    assert Path(told.strip()).is_relative_to(tmp_path / "environment")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nowhere"))  # pip would fail
    assert run(python, "-c", first, cwd=tmp_path) == ""


@pytest.mark.slow
def test_wheel(wheel, tmp_path):
    """Built, installed in a fresh environment and started in an empty folder, it brings a whole notebook that runs."""
    paths, python = fresh_environment(tmp_path / "environment")
    # The libraries come from here, by a .pth file in which the .pth file of this clone's own install does not count.
    libraries = {sysconfig.get_paths()[kind] for kind in ("purelib", "platlib")}
    (Path(paths["purelib"]) / "libraries.pth").write_text("\n".join(sorted(libraries)))
    install = (
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--no-deps",
        "--no-index",
        "--ignore-installed",
        "--no-compile",
        wheel,
    )
    run(sys.executable, *install, cwd=tmp_path)

    folder = tmp_path / "empty"
    folder.mkdir()
    command = python.parent / ("course-attention.exe" if os.name == "nt" else "course-attention")
    run(command, "start", "mine", "--prepare-only", cwd=folder)
    assert sorted(path.name for path in (folder / "mine").glob("*.ipynb")) == NOTEBOOKS
    for name in NOTEBOOKS:
        mine = (folder / "mine" / name).read_bytes()
        assert mine == without_outputs((ROOT / "notebooks" / name).read_bytes())

    told = run(command, "simulate-class", "class", "--students", "1", cwd=folder)
    assert "1 students" in told and (folder / "class" / "truth.json").is_file()

    version = run(python, "-c", "import course_attention; print(course_attention.__version__)", cwd=folder)
    assert version.strip() == wheel.name.split("-")[1]
    # Every cell of it: checks, figures and drawings need no file of the clone.
    used = Path(run(python, "-c", EXECUTED, NOTEBOOKS[0], cwd=folder / "mine").splitlines()[-1])
    assert used == Path(paths["purelib"]) / "course_attention" / "__init__.py"


def repository(folder: Path, *tags: str) -> Path:
    """Return a repository of one commit that holds what the build reads, with the tags that are asked for."""
    shutil.copy(ROOT / "pyproject.toml", folder)
    run("git", "init", "--quiet", cwd=folder)
    run("git", "add", "--all", cwd=folder)
    author = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org")
    run("git", *author, "commit", "--quiet", "--message", "one", cwd=folder)
    for tag in tags:
        run("git", "tag", tag, cwd=folder)
    return folder


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed: apt install git")
@pytest.mark.parametrize(("tags", "version"), [(("v3.1.4",), "3.1.4"), ((), "0.1.dev1")])
def test_version_comes_from_the_tag(tags, version, tmp_path):
    """A tagged commit has its tag's version; a clone without tags can be built as well."""
    folder = repository(tmp_path, *tags)
    assert run(sys.executable, "-m", "hatchling", "version", cwd=folder).strip() == version


def test_version_without_git(tmp_path):
    """A source archive, in which there is no repository, can be built; its version claims nothing."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    assert run(sys.executable, "-m", "hatchling", "version", cwd=tmp_path).strip() == "0.0"


def test_version_of_a_copy_that_is_not_installed(tmp_path):
    """A copy of the source that is only on the path can be imported; its version claims nothing."""
    # -S leaves site-packages out, and with it the course that is installed there.
    code = f"import sys; sys.path.append({str(ROOT)!r}); import course_attention as c; print(c.__version__)"
    assert run(sys.executable, "-S", "-c", code, cwd=tmp_path).strip() == "0.0"
