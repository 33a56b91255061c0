"""The course's own programs run on the simulated GPU: benchmarks at a small size, the tests, a training, the grader."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from course_attention.course.helper_source import own_source
from course_attention.exercises import CATALOGUE
from tests.grading.conftest import filled

ROOT = Path(__file__).resolve().parents[2]
THIRD = "03_self_attention"
# What makes a program small, and its arguments. `m` is its module.
SMALL = {
    "benchmarks.multi_head": ("m.SIZES = [(2, 8, 128)]", ""),
    "benchmarks.scaling": ("m.LENGTHS, m.BATCH = (64, 128), {'cuda': 1}", ""),
    # Its processes would each be a GPU of their own here.
    "benchmarks.blockwise": (
        "m.N_TOKENS, m.BLOCK_SIZE = 64, 16; m.peak = lambda way, device, _: m.peak_of_this_process(way, device)",
        "",
    ),
    "benchmarks.date_transformer": ("m.TRAINING['n_steps'] = 1", "--seeds 1"),
    "tools.train_language_model": (
        "import pathlib; m.WORK = pathlib.Path('.'); m.files = lambda: (['x = 1\\n' * 999], ['y = 2\\n'])\n"
        "m.SIZES = m.SIZES | {'n_layers': 1, 'd_model': 8, 'd_hidden': 8}",
        "train --tokens 8192",
    ),
}


def simulated(arguments: list[str], folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Return a Python that was started with these arguments, on the simulated GPU."""
    return subprocess.run(
        [sys.executable, "-m", "tests.simulated_cuda", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


@pytest.fixture(autouse=True)
def _root_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("module", SMALL)
def test_program(module: str, tmp_path: Path) -> None:
    """It runs to its end with `--device cuda`, and its tensors are there."""
    smaller, arguments = SMALL[module]
    code = (
        f"import sys, torch, {module} as m\n{smaller}\n"
        f"sys.argv = ['program', *{arguments.split()!r}, '--device', 'cuda']\nm.main()\n"
        "print('bytes on the GPU:', torch.cuda.memory_allocated())"
    )
    ended = simulated(["-c", code], tmp_path)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert int(ended.stdout.rsplit(":", 1)[1]) > 1000


# The exercises of notebooks 00 and 03.
ATTENTION = [name for name, entry in CATALOGUE.items() if entry.notebook.startswith(("00", "03"))]
# What depends on a device in these rooms, and what is asked of the judge on one.
ROOMS = {
    "mechanisms": ["tests/mechanisms"],
    "execution": ["tests/execution"],
    "experiments": ["tests/experiments"],
    "helpers": ["tests/exercises", "-k", "helper_passes or every_dtype or nothing_allowed"],
    # A misconception is told on a GPU as it is on the CPU.
    "attention": ["tests/exercises/test_answers.py", "-k", " or ".join(f"[{name}-" for name in ATTENTION)],
}


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_tests(room: str) -> None:
    """`pytest --device cuda` passes."""
    arguments = [
        "-m",
        "pytest",
        "-q",
        "--color=no",
        "-p",
        "no:cacheprovider",
        "--device",
        "cuda",
        *ROOMS[room],
    ]
    ended = simulated(arguments)
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-2000:]


@pytest.mark.slow
def test_grade(tmp_path: Path) -> None:
    """`grade --device cuda` gives right answers their points, and takes some for a tensor that is left on the CPU."""
    right = own_source("interaction_matrix")
    for student, source in {"ann": right, "ben": right.rstrip() + " + torch.zeros(1)\n"}.items():
        folder = tmp_path / "in" / student
        folder.mkdir(parents=True)
        (folder / f"{THIRD}.ipynb").write_bytes(filled(THIRD, {"interaction_matrix": source}))
    options = ["--device", "cuda", "--isolation", "process", "--workers", "1", "--seed", "0"]
    ended = simulated(["-m", "course_attention", "grade", "in", "--out", "out", *options], tmp_path)
    assert ended.returncode == 0, ended.stderr[-2000:]
    with (tmp_path / "out" / "exercises.csv").open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    less = [(row["student"], row["exercise"]) for row in rows if row["earned"] != row["points"]]
    assert less == [("ben", "interaction_matrix")] and len(rows) > 2
