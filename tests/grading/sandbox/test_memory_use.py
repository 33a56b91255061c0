"""Tests of grading/sandbox/worker/memory_use.py: a submission cannot grow while its memory is being counted."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from course_attention.grading.sandbox.worker import memory_use

MB, LIMIT = 2**20, 1000 * 2**20
PROCESSES = [Path(f"/proc/{number}") for number in range(1, 41)]


class Kernel:
    """What it says of forty processes: shared memory that seems large, and private memory that is, or grows.

    Attributes:
        private: megabytes of each process.
        grows: megabytes that each has more when the mappings of another one have been listed.
        listed: processes whose mappings were listed, which takes a second each.
    """

    def __init__(self, private: int = 1, grows: int = 0, shared: int = 30, rollups: bool = True) -> None:
        self.private, self.grows, self.shared, self.rollups = private, grows, shared, rollups
        self.listed: list[Path] = []

    def fields(self, path: Path) -> dict[str, list[str]]:
        private, shared = self.private * 1024, self.shared * 1024
        if path.name == "smaps_rollup":
            sums = {"Pss_Anon": [str(private)], "Pss_Shmem": [str(shared // len(PROCESSES))]}
            return sums if self.rollups else {}
        return {"RssAnon": [str(private)], "RssShmem": [str(shared)]}

    def list_mappings(self, process: Path, *_: object) -> int:
        self.listed.append(process)
        self.private += self.grows
        return 0


def too_much(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(
        memory_use, "_below", lambda: iter([(one, kernel.fields(one / "status")) for one in PROCESSES])
    )
    monkeypatch.setattr(memory_use, "_fields", kernel.fields)
    monkeypatch.setattr(memory_use, "_shared", kernel.list_mappings)
    monkeypatch.setattr(memory_use, "_segments", lambda: 0)
    monkeypatch.setattr(memory_use.time, "monotonic", itertools.count().__next__)
    return memory_use.too_much(LIMIT, [], lambda: False)


@pytest.mark.parametrize(
    ("kernel", "expected", "listed"),
    [
        pytest.param(Kernel(), False, 0, id="the sums tell that it is little"),
        pytest.param(Kernel(private=26), True, 0, id="the sums tell that it is much"),
        pytest.param(Kernel(private=24, shared=90), False, 40, id="the sums leave it open"),
        pytest.param(Kernel(private=24, shared=90, grows=1), True, 3, id="it grows meanwhile"),
        pytest.param(Kernel(private=26, rollups=False), True, 39, id="a kernel without sums"),
    ],
)
def test_counting(kernel: Kernel, expected: bool, listed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mappings are listed only where the kernel's sums leave the answer open; growth meanwhile is not overlooked."""
    assert too_much(kernel, monkeypatch) == expected
    assert len(kernel.listed) == listed
