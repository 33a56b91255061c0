"""Runs a Python program on the simulated GPU, and so every Python program that it starts.

python -m tests.simulated_cuda -m pytest --device cuda tests/mechanisms
python -m tests.simulated_cuda benchmarks/scaling.py --device cuda
"""

from __future__ import annotations

import os
import runpy
import shlex
import sys
import tempfile
from pathlib import Path

from tests.simulated_cuda import install

ROOT = Path(__file__).resolve().parents[2]


def stand_in(folder: str) -> str:
    """A program that behaves as this Python does, on the simulated GPU."""
    path = Path(folder) / "python"
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(__file__)} "$@"\n')
    path.chmod(0o755)
    return str(path)


def main(arguments: list[str]) -> None:
    """Behave as `python ARGUMENTS` does: a file, `-m MODULE` or `-c CODE`."""
    while arguments[0] in ("-P", "-u"):  # nothing here depends on them
        arguments = arguments[1:]
    how, *rest = arguments
    if how == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif how == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = arguments
        runpy.run_path(how, run_name="__main__")


if __name__ == "__main__":
    install()
    with tempfile.TemporaryDirectory() as folder:
        sys.executable = stand_in(folder)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        main(sys.argv[1:])
