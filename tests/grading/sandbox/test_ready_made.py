"""Nothing that torch or SciPy has under any name gives a softmax or attention without being refused."""

from __future__ import annotations

import subprocess
import sys


def _looked(*arguments: str) -> list[str]:
    command = [sys.executable, "-m", "tests.grading.sandbox.ready_made_doors", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def test_no_door_is_open() -> None:
    """Every callable of torch's public and private namespaces, and every operator, is tried."""
    *said, last = _looked("guarded")
    assert [line for line in said if line.startswith("open")] == []
    assert int(last.removeprefix("looked at: ")) > 5000
    # These end their process on such arguments, before they give anything.
    assert len(said) < 40, said


def test_open_doors_are_found() -> None:
    """Without the guards the same look finds what is ready-made."""
    assert "open for softmax: torch.special.softmax" in _looked("open", "torch.special.")
    assert "open for attention: torch._C._nn.scaled_dot_product_attention" in _looked(
        "open", "torch._C._nn.scaled"
    )
