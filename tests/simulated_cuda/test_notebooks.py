"""Solved, the notebooks run on the simulated GPU and earn every point.

Four promises are kept in one run, because a run is slow: the answer key is right, a right function of the student's is
used where nobody judges it, no tensor is on the wrong device, and the core, which runs first, needs no deeper section.
None of them is about numbers at the end of a training, so trainings are short. The saved numbers are compared where the
notebooks run unsolved, with the same functions: an answer of the key is the course's own source.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from course_attention.course.filling import answered, as_bytes, fill
from course_attention.course.helper_source import own_source
from course_attention.exercises import CATALOGUE
from tests.notebooks.running import core_first, grade_id, practice_written, with_short_trainings

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
    """Return the environment of a kernel that has the simulated GPU."""
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


def solved(path: Path) -> dict:
    """Return the notebook with its outputs and the answer key; its checks demand every point, its steps are used."""
    notebook = with_short_trainings(core_first(practice_written(nbformat.read(path, as_version=4))))
    names = [name for cell in notebook["cells"] if (name := answered(cell))]
    fill(notebook, {name: own_source(name) for name in names})
    for cell in notebook["cells"]:
        if (name := grade_id(cell).removeprefix("check-")) != grade_id(cell):
            names.remove(name)
            call = f'points("{name}")'
            assert cell["source"].endswith(call)
            cell["source"] = cell["source"].removesuffix(call) + f"assert {call} == {CATALOGUE[name].points}"
    assert not names, f"no check cell for {names}"
    return notebook


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """No cell raises, and each check gives every point."""
    key = tmp_path / path.name
    key.write_bytes(as_bytes(solved(path)))
    command = [sys.executable, "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider"]
    # The file lies outside of the project, where pytest does not look for the project's conftest.
    command += ["-p", "conftest", "--nbval-lax", str(key)]
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1400, check=False
    )
    assert ended.returncode == 0, ended.stdout[-6000:]
