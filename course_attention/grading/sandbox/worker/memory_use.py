"""Counts the memory that a submission uses, where no cgroup does it: what its processes hold, and what none holds.

Memory can be shared between processes, and it can outlive its use in any of them: a file in a folder that is memory, a
System V segment, a memory file of which only a descriptor is left. Each piece counts once. The guardian calls this: it
shares the folders and segments of the submission, and sees its processes from above.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

Fields = Mapping[str, list[str]]

_MEMORY_FILE = "/memfd:"
_SHARED_MAPPING = "/dev/zero (deleted)"  # how the kernel names a mapping that is shared and has no file


def too_much(limit: int, folders: Iterable[str], stop: Callable[[], bool]) -> bool:
    """Say whether a submission's processes, those in namespaces below this process's own, use too much memory.

    What several processes share is divided among them. The kernel takes a moment to do that, so it is asked only where
    a quick upper bound says too much.

    Args:
        limit: bytes.
        folders: those of the submission's folders that are held in memory.
        stop: asked before each process; where it says True, there are other things to do.
    """
    processes = dict(_below())
    memory_files = _memory_files(processes)
    total = sum(map(_used, folders)) + _segments() + sum(memory_files.values())
    if total + sum(map(_at_most, processes.values())) <= limit:
        return False
    for process in processes:
        if stop():
            return False
        total += _private(process) + _shared(process, memory_files)
        if total > limit:
            return True
    return total > limit


def _below() -> Iterator[tuple[Path, Fields]]:
    """Find the processes of the namespaces below: they have a number in each namespace, and so more numbers."""
    own = len(_fields(Path("/proc/self/status")).get("NSpid", ()))
    for process in _in(Path("/proc")):
        if not process.name.isdigit():
            continue
        status = _fields(process / "status")
        if len(status.get("NSpid", ())) > own:
            yield (process, status) if "RssAnon" in status else _by_a_thread(process, status)


def _by_a_thread(process: Path, status: Fields) -> tuple[Path, Fields]:
    """Find a process whose first thread has ended through another of its threads, which still hold its memory."""
    for thread in _in(process / "task"):
        other = Path("/proc") / thread.name
        fields = _fields(other / "status")
        if "RssAnon" in fields:
            return other, fields
    return process, status


def _at_most(status: Fields) -> int:
    return sum(_bytes(status, name) for name in ("RssAnon", "RssShmem", "VmSwap"))


def _private(process: Path) -> int:
    """Return a process's part of the memory that belongs to no file, swapped out or not."""
    rollup = _fields(process / "smaps_rollup")
    if not rollup:  # an older kernel, or a process that has just ended
        return _bytes(_fields(process / "status"), "RssAnon")
    return _bytes(rollup, "Pss_Anon") + _bytes(rollup, "SwapPss")


def _shared(process: Path, counted: Mapping[int, int]) -> int:
    """Return a process's part of the shared memory that is in no folder, no segment, and no memory file counted."""
    total, counts = 0, False
    try:
        with (process / "smaps").open(errors="replace") as lines:
            for line in lines:
                name, *values = line.split(maxsplit=5)
                if name == "Pss:":
                    total += int(values[0]) * 1024 * counts
                elif not name.endswith(":"):  # the line that begins a mapping: addresses, rights, …, inode, path
                    path = values[4].rstrip("\n") if len(values) > 4 else ""
                    own = path.startswith(_MEMORY_FILE) and int(values[3]) not in counted
                    counts = own or path == _SHARED_MAPPING
    except (OSError, ValueError):  # it has just ended
        pass
    return total


def _memory_files(processes: Iterable[Path]) -> dict[int, int]:
    """Return the bytes of each memory file that a descriptor is open for, by its inode."""
    found: dict[int, int] = {}
    for process in processes:
        for thread in _in(process / "task"):  # it may have descriptors of its own
            for descriptor in _in(thread / "fd"):
                with contextlib.suppress(OSError):  # it has just been closed
                    if os.readlink(descriptor).startswith(_MEMORY_FILE):
                        file = descriptor.stat()
                        found[file.st_ino] = file.st_blocks * 512
    return found


def _used(folder: str) -> int:
    """Return the bytes that the files of a file system take."""
    try:
        there = os.statvfs(folder)
    except OSError:
        return 0
    return (there.f_blocks - there.f_bfree) * there.f_frsize


def _segments() -> int:
    """Return the bytes of the System V segments of this namespace, attached to a process or not."""
    try:
        header, *rows = Path("/proc/sysvipc/shm").read_text().splitlines()
    except (OSError, ValueError):  # a kernel without them
        return 0
    names = header.split()
    places = [place for place, name in enumerate(names) if name in ("rss", "swap")]
    return sum(int(row.split()[place]) for row in rows for place in places)


def _in(folder: Path) -> list[Path]:
    """Return what is in a folder, which may be gone by now."""
    try:
        return [folder / name for name in os.listdir(folder)]
    except OSError:
        return []


def _fields(path: Path) -> Fields:
    """Read a file of lines like "RssAnon:  12 kB"."""
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:  # it has just ended
        return {}
    return {name: values.split() for name, _, values in (line.partition(":") for line in lines)}


def _bytes(fields: Fields, name: str) -> int:
    kilobytes = fields.get(name)
    return int(kilobytes[0]) * 1024 if kilobytes else 0
