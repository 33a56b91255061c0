"""Limits what one submission may use of the machine."""

from __future__ import annotations

import resource
from collections.abc import Callable, Mapping
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


def too_much(memory: int, stop: Callable[[], bool]) -> bool:
    """Say whether a submission's processes, those in namespaces below this process's own, use too much memory.

    What a process shares with the one it was forked from counts once, divided among them. The kernel takes a moment
    to add that up, so it is asked only where a quick upper bound says too much.

    Args:
        memory: bytes.
        stop: asked before each process; where it says True, there are other things to do.
    """
    processes = _below()
    if sum(map(_resident, processes)) <= memory:
        return False
    total = 0
    for process in processes:
        if stop():
            return False
        total += _proportional(process)
    return total > memory


def _below() -> list[Path]:
    """Find the processes of the namespaces below: they have a number in each namespace, and so more numbers."""
    own = len(_numbers(Path("/proc/self")))
    return [process for process in Path("/proc").glob("[0-9]*") if len(_numbers(process)) > own]


def _numbers(process: Path) -> list[str]:
    return _field(process / "status", "NSpid:")


def _resident(process: Path) -> int:
    try:
        _, resident, shared, *_ = map(int, (process / "statm").read_text().split())
    except (OSError, ValueError):  # it has just ended
        return 0
    return (resident - shared) * _PAGE


def _proportional(process: Path) -> int:
    kilobytes = _field(process / "smaps_rollup", "Pss_Anon:")
    return int(kilobytes[0]) * 1024 if kilobytes else _resident(process)


def _field(path: Path, name: str) -> list[str]:
    try:
        lines = path.read_text().splitlines()
    except OSError:  # it has just ended
        return []
    return next((line.split()[1:] for line in lines if line.startswith(name)), [])


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
