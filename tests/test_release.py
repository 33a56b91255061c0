"""A release is refused while a link of the course leads nowhere, or while the changelog does not know the version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CHECK = ROOT / "tools" / "check_release.sh"
PLACEHOLDER = "YOUR" + "-ORGANISATION"  # in two parts, so that this file does not hold it

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed: apt install git"),
    pytest.mark.skipif(os.name == "nt", reason="a release is made on Linux"),
]


def released(folder: Path, version: str = "1.2.3") -> subprocess.CompletedProcess:
    """Return what the check says of a folder."""
    return subprocess.run([CHECK, version], cwd=folder, capture_output=True, text=True, timeout=60)


def repository(folder: Path, files: dict[str, str]) -> Path:
    """Return a repository that tracks these files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    subprocess.run(["git", "add", "--all"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("place", ["README.md", "docs/deep/page.md", ".github/workflows/own.yml", "a.ipynb"])
def test_placeholder_anywhere_refuses(place, tmp_path):
    """One placeholder in any file of the tree is found, named and enough to refuse."""
    done = released(repository(tmp_path, {"CHANGELOG.md": "## [1.2.3]", place: f"github.com/{PLACEHOLDER}/x"}))
    assert done.returncode == 1
    assert f"{place}:1:" in done.stdout


def test_changelog_has_to_know_the_version(tmp_path):
    """A version without a heading is refused; with one, and without a placeholder, nothing is."""
    folder = repository(tmp_path, {"CHANGELOG.md": "## [1.2.3] - a day\n"})
    assert released(folder).returncode == 0
    refused = released(folder, "1.2.4")
    assert refused.returncode == 1
    assert "## [1.2.4]" in refused.stderr


def test_outside_of_a_repository_nothing_is_released(tmp_path):
    """Where git cannot look, the check refuses."""
    assert released(tmp_path).returncode != 0


def test_workflow_asks_first():
    """The workflow checks before it builds."""
    steps = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert 0 < steps.index("tools/check_release.sh") < steps.index("python -m build")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone")
def test_this_tree_can_be_released_once_the_name_is_known(tmp_path):
    """With the organisation's name in the place of the placeholder, as the check says, nothing else refuses."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    texts = {}
    for name in listed.stdout.split("\0")[:-1]:
        data = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b""
        if b"\0" not in data:
            texts[name] = data.decode("utf-8").replace(PLACEHOLDER, "example")
    texts["CHANGELOG.md"] = re.sub(r"## \[Unreleased\]", "## [1.2.3]", texts["CHANGELOG.md"])
    done = released(repository(tmp_path, texts))
    assert done.returncode == 0, done.stdout + done.stderr
