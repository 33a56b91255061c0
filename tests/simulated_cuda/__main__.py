"""Runs a Python program on the simulated GPU, and so every Python program that it starts.

python -m tests.simulated_cuda -m pytest --device cuda tests/mechanisms
python -m tests.simulated_cuda benchmarks/scaling.py --device cuda
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import runpy
import shlex
import sys
import tempfile
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


class WithTorch(MetaPathFinder):
    """Installs the simulation when torch is imported; a program that does not need torch stays small."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        assert spec is not None and spec.loader is not None
        load = spec.loader.exec_module

        def load_and_install(module: ModuleType) -> None:
            load(module)
            from tests.simulated_cuda import install

            install()

        spec.loader.exec_module = load_and_install  # type: ignore[method-assign]
        return spec


def stand_in(folder: str) -> str:
    """Return a program that behaves as this Python does, on the simulated GPU."""
    path = Path(folder) / "python"
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(__file__)} "$@"\n')
    path.chmod(0o755)
    return str(path)


def main(arguments: list[str]) -> None:
    """Behave as `python ARGUMENTS` does: a file, `-m MODULE` or `-c CODE`."""
    while arguments[0].startswith("-") and arguments[0] not in ("-m", "-c"):  # -B and -P change nothing here
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
    sys.path[0] = str(ROOT)
    sys.meta_path.insert(0, WithTorch())
    with tempfile.TemporaryDirectory() as folder:
        sys.executable = stand_in(folder)
        multiprocessing.set_executable(sys.executable)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        main(sys.argv[1:])
