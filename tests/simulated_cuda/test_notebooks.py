"""Notebooks run on the simulated GPU, from top to bottom, and show the saved numbers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# IPython runs this before a notebook's first cell.
STARTUP = """
from tests.simulated_cuda import install
install()
from course_attention.lesson import device
assert device().type == "cuda"
del install, device
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a kernel that has the simulated GPU."""
    home = tmp_path_factory.mktemp("ipython")
    startup = home / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00_simulated_cuda.py").write_text(STARTUP)
    python_path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return os.environ | {
        "IPYTHONDIR": str(home),
        "COURSE_ATTENTION_DEVICE": "cuda",
        "PYTHONPATH": python_path,
        "OMP_NUM_THREADS": "1",
    }


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, environment: dict[str, str]) -> None:
    """nbval finds every saved output again."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--color=no",
        "-p",
        "no:cacheprovider",
        "--nbval",
        str(path),
    ]
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    assert ended.returncode == 0, ended.stdout[-6000:]
