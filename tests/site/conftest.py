"""The site, built once for all tests that look at its pages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return the folder of the finished site. A second worker waits for the first."""
    if ready := os.environ.get("COURSE_ATTENTION_SITE"):
        return Path(ready)
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "site"
    with FileLock(f"{folder}.lock"):
        if not (folder / "html" / "index.html").is_file():
            environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": f"{ROOT / 'site'}{os.pathsep}{ROOT}"}
            steps = [
                ["-m", "course_site.stage", folder / "source"],
                [
                    "-m",
                    "sphinx",
                    "--fail-on-warning",
                    "--quiet",
                    "-c",
                    ROOT / "site",
                    folder / "source",
                    folder / "html",
                ],
            ]
            for step in steps:
                done = subprocess.run(
                    [sys.executable, *step], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
                )
                assert done.returncode == 0, done.stderr[-4000:]
    return folder / "html"
