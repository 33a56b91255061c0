"""The text that the language model is trained on, and the licence of each part.

    python tools/language_model_text.py     # a table for the model card

The parts are Python's standard library and packages that the course installs anyway, in the versions of
`requirements.lock`. All of them are under permissive licences, which ask that their notice is kept.
"""

from __future__ import annotations

import sysconfig
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from platform import python_version


@dataclass(frozen=True)
class Part:
    """A part of the text.

    Args:
        name: the distribution, or "Python".
        licence: its SPDX identifier.
        folders: below the folder of the standard library, or of the installed packages.
        held_out: one file of so many is kept for measuring.
    """

    name: str
    licence: str
    folders: tuple[str, ...]
    held_out: int = 100


PARTS = (
    Part("Python", "PSF-2.0", ("",), held_out=20),
    Part("torch", "BSD-3-Clause", ("torch/nn", "torch/optim", "torch/distributions", "torch/utils")),
    Part("numpy", "BSD-3-Clause", ("numpy",)),
    Part("scikit-learn", "BSD-3-Clause", ("sklearn",)),
    Part("matplotlib", "PSF-2.0", ("matplotlib",)),
    Part("networkx", "BSD-3-Clause", ("networkx",)),
    Part("ipython", "BSD-3-Clause", ("IPython",)),
    Part("ipykernel", "BSD-3-Clause", ("ipykernel",)),
    Part("jupyter_client", "BSD-3-Clause", ("jupyter_client",)),
    Part("jupyter_server", "BSD-3-Clause", ("jupyter_server",)),
    Part("nbformat", "BSD-3-Clause", ("nbformat",)),
    Part("nbconvert", "BSD-3-Clause", ("nbconvert",)),
    Part("traitlets", "BSD-3-Clause", ("traitlets",)),
    Part("tornado", "Apache-2.0", ("tornado",)),
    Part("fsspec", "BSD-3-Clause", ("fsspec",)),
    Part("Jinja2", "BSD-3-Clause", ("jinja2",)),
    Part("joblib", "BSD-3-Clause", ("joblib",)),
    Part("prompt_toolkit", "BSD-3-Clause", ("prompt_toolkit",)),
    Part("setuptools", "MIT", ("setuptools",)),
)
# Tests and their data are left out, and what is not written by hand: tables of encodings, texts of the manual, copies
# of other packages, whose licence may be another.
LEFT_OUT = {
    "test",
    "tests",
    "idle_test",
    "site-packages",
    "__pycache__",
    "encodings",
    "pydoc_data",
    "lib2to3",
    "_vendor",
    "vendored",
    "externals",
}
LONGEST = 200_000  # bytes; a longer file is nearly always a table that a program has written


def part_files(part: Part) -> list[str]:
    """Return the texts of a part, ordered by path."""
    root = Path(sysconfig.get_path("stdlib" if part.name == "Python" else "purelib"))
    paths = {
        path
        for folder in part.folders
        for path in (root / folder).rglob("*.py")
        if not LEFT_OUT & set(path.relative_to(root).parts)
        and not str(path.relative_to(root)).startswith("_sysconfig")  # one machine's own settings
        and path.stat().st_size <= LONGEST
    }
    return [path.read_text("utf-8", errors="replace") for path in sorted(paths)]


def files(parts: tuple[Part, ...] = PARTS) -> tuple[list[str], list[str]]:
    """Return the texts to train on, and those that are held out: of each part, one file of every `held_out`."""
    training, held_out = [], []
    for part in parts:
        for number, text in enumerate(part_files(part)):
            (training if number % part.held_out else held_out).append(text)
    return training, held_out


def table() -> str:
    """Return the parts with their licences and sizes, as Markdown."""
    lines = ["| part | version | licence | files | bytes |", "|---|---|---|---|---|"]
    for part in PARTS:
        texts = part_files(part)
        number = python_version() if part.name == "Python" else version(part.name)
        lines.append(
            f"| {part.name} | {number} | {part.licence} | {len(texts):,} | {sum(len(t.encode()) for t in texts):,} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
