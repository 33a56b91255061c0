"""Sets the kernel's limits for each process of a submission."""

from __future__ import annotations

import resource
from collections.abc import Mapping
from pathlib import Path

_PAGE = resource.getpagesize()


def limit(limits: Mapping[str, int]) -> None:
    """Limit this process and its children.

    Args:
        limits: "memory" in bytes (0: as much as there is, which CUDA needs), "processes", "file_bytes", "files",
            "cpu_seconds".
    """
    if limits["memory"]:
        _set(resource.RLIMIT_DATA, limits["memory"])
        _set(resource.RLIMIT_AS, limits["memory"] + _mapped())
    _set(resource.RLIMIT_NPROC, limits["processes"])
    _set(resource.RLIMIT_FSIZE, limits["file_bytes"])
    _set(resource.RLIMIT_NOFILE, limits["files"])
    _set(resource.RLIMIT_CPU, limits["cpu_seconds"])
    _set(resource.RLIMIT_CORE, 0)


def _mapped() -> int:
    """Return the bytes of address space that this process has now: torch's libraries alone take gigabytes."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * _PAGE
    except OSError:  # not Linux
        return 64 * 2**30


def _set(what: int, value: int) -> None:
    _, hard = resource.getrlimit(what)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (value, value))
