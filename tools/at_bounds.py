"""Tests the course with the lowest versions of its libraries that pyproject.toml admits, or with the newest there are.

    python tools/at_bounds.py oldest      (make oldest)
    python tools/at_bounds.py newest      (make newest)

requirements.lock does not count here. The libraries are installed anew into .venv-oldest or .venv-newest, by uv.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools import install

ROOT = Path(__file__).resolve().parents[1]
RESOLUTIONS = {"oldest": "lowest-direct", "newest": "highest"}
EXTRAS = "lab,real,instructor,cluster,dev"
# What calls a library, each once. Answers by the thousand, hostile programs, browsers and notebooks would only take
# longer: they call the same functions.
TESTS = (
    "tests/mechanisms",
    "tests/models",
    "tests/experiments/real_models",
    "tests/figures",
    "tests/presentation",
    "tests/execution",
    "tests/course",
    "tests/lesson",
    "tests/grading/intake",
    "tests/grading/views",
    "tests/test_cli.py",
    "tests/test_wheel.py",
)


def torch_at(bound: str) -> str:
    """Return torch as it is asked for: its lowest version, or any from there on."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (line,) = (line for line in project["dependencies"] if line.startswith("torch>="))
    return line.replace(">=", "~=") if bound == "oldest" else line


def install_at(bound: str, folder: Path) -> Path:
    """Install the course and all extras at one end of their ranges into a new environment, and return its Python."""
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "--quiet", "--seed", "--clear", "--python", sys.executable, folder], check=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    options, variables = install.told_to_pip()
    command = [*uv, "pip", "install", "--python", str(python), *options]
    environment = variables | os.environ
    # torch first: what is installed and in the range stays, so that the build without CUDA is kept. Where this cannot
    # be reached, the version of the lock is taken, which may be here already.
    at_end = ["--resolution", RESOLUTIONS[bound]]
    wanted = [torch_at(bound), *at_end]
    if install.wants_cpu_build():
        if install.reaches_cpu_index(wanted[0], variables):
            wanted += ["--torch-backend", "cpu"]
        else:
            wanted = [install.locked_torch()]
            print(f"The bounds of torch are not tried; {wanted[0]} takes its place.")
    subprocess.run([*command, "--quiet", *wanted], check=True, cwd=ROOT, env=environment)
    subprocess.run([*command, *at_end, "-e", f".[{EXTRAS}]"], check=True, cwd=ROOT, env=environment)
    return python


def main(bound: str, *arguments: str) -> int:
    """Install, then run the tests, or those that the further arguments name; the exit code is pytest's."""
    python = install_at(bound, ROOT / f".venv-{bound}")
    # An old library does what a newer one warns of, and nobody can change it; the newest show what there is to change.
    warnings = ["-W", "default"] if bound == "oldest" else []
    command = [
        python,
        "-m",
        "pytest",
        "-n",
        "2",
        "--dist",
        "loadfile",
        "-ra",
        *warnings,
        *(arguments or TESTS),
    ]
    return subprocess.run(command, cwd=ROOT, env={"OMP_NUM_THREADS": "1"} | os.environ).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
