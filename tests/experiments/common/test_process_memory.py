"""The peak is that of a fresh process, and scratch memory is in it."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.experiments.common.process_memory import peaks, peaks_of_all

MIB = 2**20


def test_scratch_memory_is_counted() -> None:
    """What a statement takes and gives back counts, with what it makes at the same time, and not what is gone."""
    ballast = np.ones(64 * MIB)  # 512 MiB: what this process holds does not count
    at_once, in_turn = (
        peaks(statement, "import torch", [2048, 4096]) / MIB
        for statement in (
            "a = torch.ones(n, 2**12); b = torch.ones(n, 2**12)",
            "a = torch.ones(n, 2**12); del a; b = torch.ones(n, 2**12)",
        )
    )
    assert ballast.nbytes == 512 * MIB
    np.testing.assert_allclose(at_once, [64, 128], atol=6)
    np.testing.assert_allclose(in_turn, [32, 64], atol=6)


def test_what_is_made_once_is_not_counted() -> None:
    """A library's buffer belongs to no size, though the library makes it only where it multiplies larger matrices."""
    with_buffer = "kept.extend([torch.ones(32, 2**18)] if n >= 64 and not kept else []); torch.ones(n, 2**12)"
    found = peaks(with_buffer, "import torch; kept = []", [2048, 4096]) / MIB
    np.testing.assert_allclose(found, [32, 64], atol=6)


def test_programs_do_not_hide_each_other() -> None:
    """What one program took, and what it left behind, does not count for the next."""
    kept = "import builtins; builtins.kept = [bytes(1000) for _ in range(10 * n)]"
    large, small = "torch.ones(n, 2**12)", "torch.ones(n, 2**12) + 1"
    programs = {"large": (large, [4096]), "kept": (kept, [8192]), "small": (small, [256, 512]), "same": (large, [4096])}
    found = {name: peak / MIB for name, peak in peaks_of_all(programs, "import torch").items()}
    np.testing.assert_allclose(found["large"], [64], atol=6)
    np.testing.assert_allclose(found["small"], [8, 16], atol=6)
    np.testing.assert_allclose(found["same"], [64], atol=6)


def test_refused() -> None:
    """Sizes have to rise, and an error of the statement is told."""
    with pytest.raises(ValueError, match="sizes must rise"):
        peaks("pass", "", [2, 1])
    with pytest.raises(ValueError, match="name_of_nothing"):
        peaks("name_of_nothing", "", [1])
    with pytest.raises(ValueError, match="name_of_nothing"):
        peaks_of_all({"wrong": ("name_of_nothing", [1]), "right": ("pass", [1])}, "")
