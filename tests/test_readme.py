"""The README's test command is the one that CI runs."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


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
