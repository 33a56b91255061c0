"""The README's file map is true, and its test command is the one that CI runs."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAPPED = ("course_attention", "notebooks", "tools")  # folders of which every file has a line


def file_map(text: str) -> set[str]:
    """The paths in the first block marked `text`: a line each, what is in a folder indented under it."""
    block = re.search(r"```text\n(.*?)```", text, re.DOTALL)[1]
    paths: set[str] = set()
    folders: list[tuple[int, str]] = []
    for line in block.splitlines():
        indent, name, about = re.fullmatch(r"( *)(\S+)  +(\S.*)", line).groups()
        while folders and folders[-1][0] >= len(indent):
            folders.pop()
        path = (folders[-1][1] if folders else "") + name
        assert about and path not in paths, f"{path} stands in the map twice"
        paths.add(path.rstrip("/"))
        if name.endswith("/"):
            folders.append((len(indent), path))
    return paths


def tree(root: Path) -> set[str]:
    """The paths that the map must name: all at the top and in the mapped folders; a folder's line is its __init__'s."""
    ignored = [
        line.strip("/")
        for line in (root / ".gitignore").read_text().splitlines()
        if line[:1] not in ("", "#")
    ]

    def kept(path: Path) -> bool:
        parts = path.relative_to(root).parts
        return ".git" not in parts and not any(fnmatch.fnmatch(part, i) for part in parts for i in ignored)

    found = {path for path in root.iterdir() if kept(path)}
    for folder in MAPPED:
        found |= {path for path in (root / folder).rglob("*") if kept(path) and path.name != "__init__.py"}
    return {path.relative_to(root).as_posix() for path in found}


def test_map_is_read():
    """The reader of the map puts what is indented into its folder."""
    text = "```text\na/  all of a\n  b.py  the b\n  c/  more\n    d.py  the d\ne.md  the e\n```"
    assert file_map(text) == {"a", "a/b.py", "a/c", "a/c/d.py", "e.md"}


def test_map_names_every_file():
    """Every module, notebook, tool and file at the top has its line."""
    assert tree(ROOT) - file_map(README) == set()


def test_map_names_nothing_that_is_gone():
    """Every line of the map has its file."""
    assert {path for path in file_map(README) if not (ROOT / path).exists()} == set()


def test_ci_runs_the_test_command():
    """The command that the README gives for testing is the last that .ci/run calls, and a target of the Makefile."""
    command = re.search(r"## Testing\n.*?```sh\n(.*?)\n```", README, re.DOTALL)[1].splitlines()[0]
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == f"exec {command}"
    target = command.removeprefix("make ")
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_commands_hide_no_failure():
    """Neither the Makefile nor .ci/run swallows an exit code."""
    for name in ("Makefile", ".ci/run", ".github/workflows/tests.yml"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "|| true" not in text
        assert "continue-on-error" not in text
        assert not re.search(r"^\t-", text, re.MULTILINE)
