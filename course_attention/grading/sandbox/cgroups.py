"""Limits a submission by a cgroup of its own (version 2) where the system lets this user make one.

A cgroup counts everything that its processes have caused, shared memory included, and shares out the processor between
submissions, however many processes each has. Where none can be made, the guardian counts memory instead.

Manual page: cgroups(7). The kernel's own: Documentation/admin-guide/cgroup-v2.rst.
"""

import contextlib
import itertools
import os
import time
from pathlib import Path

from course_attention.grading.sandbox.limits import Limits

_NEEDED = ("memory", "pids")
_WANTED = ("cpu",)
_NAME = "course-attention"
_REMOVAL_SECONDS = 2.0
_numbers = itertools.count()


class Cgroup:
    """A cgroup for one submission.

    Args:
        parent: the cgroup in which it is made, see `parent_cgroup`.
        limits: what all of its processes may use together.

    Raises:
        OSError: the system refuses it.
    """

    def __init__(self, parent: Path, limits: Limits) -> None:
        self.folder = parent / f"{_NAME}-{os.getpid()}-{next(_numbers)}"
        self.folder.mkdir()
        try:
            self._limit(limits)
            # Whoever holds this descriptor may put itself into the cgroup, from within any namespace.
            self.entrance = os.open(self.folder / "cgroup.procs", os.O_WRONLY)
        except OSError:
            self.folder.rmdir()
            raise

    def _limit(self, limits: Limits) -> None:
        if limits.memory:
            self._write("memory.max", limits.memory)
            self._write("memory.oom.group", 1)  # all of them end, not the largest alone
            if (self.folder / "memory.swap.max").exists():  # a kernel without swap has none
                self._write("memory.swap.max", 0)
        self._write("pids.max", limits.processes)

    def _write(self, name: str, value: int) -> None:
        (self.folder / name).write_text(str(value))

    @property
    def out_of_memory(self) -> bool:
        """Whether the kernel has ended its processes because they used too much memory.

        `oom` counts how often this limit was reached. Without one, it was that of the machine or of a container.
        """
        try:
            events = dict(line.split() for line in (self.folder / "memory.events").read_text().splitlines())
        except (OSError, ValueError):
            return False
        return int(events.get("oom_kill", 0)) > 0 and int(events.get("oom", 0)) > 0

    def remove(self) -> None:
        """End what is left in it, and remove it."""
        with contextlib.suppress(OSError):
            os.close(self.entrance)
        with contextlib.suppress(OSError):  # Linux before 5.14 has no such file; the namespace ends them as well
            self._write("cgroup.kill", 1)
        end = time.monotonic() + _REMOVAL_SECONDS
        while time.monotonic() < end:
            try:
                self.folder.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:  # one of its processes is still ending
                time.sleep(0.005)


def new_cgroup(limits: Limits) -> Cgroup | None:
    """Make a cgroup for one submission; None where this user may not."""
    parent = parent_cgroup()
    try:
        return Cgroup(parent, limits) if parent else None
    except OSError:
        return None


def parent_cgroup(proc: Path = Path("/proc/self")) -> Path | None:
    """Find the cgroup in which this process may make others with limits; None where there is none.

    It is the nearest one above that lets this user do so: a session's own cgroup holds processes, and then the kernel
    allows no limits on the cgroups in it.

    Args:
        proc: the folder that describes this process.
    """
    own = _own_cgroup(proc)
    if own is None:
        return None
    mount, path = own
    for folder in [path, *path.parents]:
        if _usable(folder):
            return folder
        if folder == mount:
            return None
    return None


def prepare(proc: Path = Path("/proc/self")) -> None:
    """Remove the cgroups that a killed run has left, or make room for new ones.

    Room is made where this process is alone in a cgroup that was delegated to it: it moves one level down. A container
    whose only command is the grader is like that, and so is `systemd-run --user --scope -p Delegate=yes`. Where it is
    not alone, or may not, nothing happens.
    """
    parent = parent_cgroup(proc)
    for left in parent.glob(f"{_NAME}-[0-9]*-*") if parent else ():
        if not Path("/proc", left.name.split("-")[2]).exists():
            with contextlib.suppress(OSError):  # its processes are still ending
                left.rmdir()
    own = _own_cgroup(proc)
    if own is None or parent is not None:
        return
    with contextlib.suppress(OSError, ValueError):
        folder = own[1]
        if _controllers(folder / "cgroup.controllers").issuperset(_NEEDED) and [
            int(pid) for pid in (folder / "cgroup.procs").read_text().split()
        ] == [os.getpid()]:
            leaf = folder / f"{_NAME}-grader"
            leaf.mkdir(exist_ok=True)
            (leaf / "cgroup.procs").write_text(str(os.getpid()))


def _own_cgroup(proc: Path) -> tuple[Path, Path] | None:
    """Return where cgroups are mounted, and this process's own among them."""
    try:
        mounts = (proc / "mountinfo").read_text().splitlines()
        groups = (proc / "cgroup").read_text().splitlines()
    except OSError:  # not Linux
        return None
    paths = [line.removeprefix("0::") for line in groups if line.startswith("0::")]
    for line in mounts:
        before, _, after = line.partition(" - ")
        if after.startswith("cgroup2 ") and paths:
            root, point = before.split()[3:5]
            inside = os.path.relpath(paths[0], root)
            return Path(point), Path(point, inside) if not inside.startswith("..") else Path(point)
    return None


def _usable(folder: Path) -> bool:
    """Say whether cgroups with limits can be made in one, and see to it where it only has to be switched on."""
    if not os.access(folder, os.W_OK) or not os.access(folder / "cgroup.procs", os.W_OK):
        return False
    switches = folder / "cgroup.subtree_control"
    with contextlib.suppress(OSError):
        # Where processes are in it, the kernel refuses the first alone. The others must then stay off: with them on,
        # no process could move down into a cgroup made here, which is how `prepare` makes room.
        for controller in (*_NEEDED, *_WANTED):
            if controller not in _controllers(switches):
                switches.write_text(f"+{controller}")
    return _controllers(switches).issuperset(_NEEDED)


def _controllers(path: Path) -> set[str]:
    try:
        return set(path.read_text().split())
    except OSError:
        return set()
