"""Makes Linux namespaces and mounts and gives up capabilities, through libc: Python 3.11 has no functions for them.

Manual pages: unshare(2), mount(2), user_namespaces(7), capset(2), prctl(2).
"""

import contextlib
import ctypes
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)

_NEW_MOUNTS, _NEW_UTS, _NEW_IPC = 0x0002_0000, 0x0400_0000, 0x0800_0000
_NEW_USER, _NEW_PROCESSES, _NEW_NETWORK = 0x1000_0000, 0x2000_0000, 0x4000_0000
_PRIVATE, _RECURSIVE, _BIND, _DETACH = 1 << 18, 1 << 14, 1 << 12, 2
_NO_SUID, _NO_DEVICES, _NO_PROGRAMS = 2, 4, 8
_DUMPABLE, _NO_NEW_PRIVILEGES, _DIE_WITH_PARENT = 4, 38, 1
_KEYCTL = {"x86_64": 250, "aarch64": 219}  # libc has no function for keyctl(2)
_JOIN_SESSION_KEYRING = 1
NOBODY = 65534


def die_with_parent(signal: int) -> None:
    """Make this process end by a signal when the process that made it ends. Only Linux can promise that."""
    if sys.platform != "linux":
        return
    _libc.prctl(_DIE_WITH_PARENT, signal, 0, 0, 0)


def separate() -> None:
    """Leave the parent's namespaces; the next process forked is the first of its own.

    As another user than root a user namespace comes first, which gives the right to make the others.
    """
    spaces = _NEW_MOUNTS | _NEW_PROCESSES | _NEW_NETWORK | _NEW_IPC | _NEW_UTS
    if os.getuid() == 0:
        _unshare(spaces)
    else:
        _into_own_users(spaces)
    _mount(None, "/", None, _RECURSIVE | _PRIVATE)


def fresh_folder(path: str, megabytes: int, kept: Sequence[str] = (), aside: str = "") -> None:
    """Put an empty folder in memory, of a limited size, over a path; everyone may write there.

    Args:
        path: the folder.
        megabytes: its size.
        kept: folders within it that stay as they are.
        aside: a folder that holds them meanwhile; it has folders named 0, 1, 2 …
    """
    for place, folder in enumerate(kept):
        _mount(folder, f"{aside}/{place}", None, _BIND | _RECURSIVE)
    _mount("tmpfs", path, "tmpfs", _NO_SUID | _NO_DEVICES, f"size={megabytes}m,nr_inodes=10000,mode=1777")
    for place, folder in enumerate(kept):
        os.makedirs(folder)
        _mount(f"{aside}/{place}", folder, None, _BIND | _RECURSIVE)
        if _libc.umount2(f"{aside}/{place}".encode(), _DETACH):
            raise _error(f"umount {aside}/{place}")


def empty_folder(path: str) -> None:
    """Put an empty folder over a path, so that what was there cannot be read; nobody can write to it."""
    _mount("tmpfs", path, "tmpfs", _NO_SUID | _NO_DEVICES | _NO_PROGRAMS | 1, "size=4k,mode=555")


def own_processes() -> None:
    """Show this namespace's processes in /proc, and no others; no process at all where the kernel refuses."""
    try:
        _mount("proc", "/proc", "proc", _NO_SUID | _NO_DEVICES | _NO_PROGRAMS)
    except OSError:
        empty_folder("/proc")


def give_up_rights() -> None:
    """Become nobody, in a user namespace without any capability, for good."""
    if number := _KEYCTL.get(platform.machine()):
        _libc.syscall(number, _JOIN_SESSION_KEYRING, None)  # keys that are left there are left for nobody else
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        _libc.prctl(_DUMPABLE, 1, 0, 0, 0)  # or /proc/self belongs to root, and the maps cannot be written
        _into_own_users()
    with contextlib.suppress(OSError):  # no further user namespaces, where the kernel lets us say so
        Path("/proc/sys/user/max_user_namespaces").write_text("0")
    _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(0x2008_0522, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if _libc.capset(header, nothing):
        raise _error("capset")


def _into_own_users(spaces: int = 0) -> None:
    """Enter a user namespace, and others, in which this user and group keep their numbers."""
    # Asked in there, before they are written down, both would be nobody's.
    user, group = os.geteuid(), os.getegid()
    _unshare(_NEW_USER | spaces)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _unshare(flags: int) -> None:
    if _libc.unshare(flags):
        raise _error("unshare")


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    texts = [None if text is None else text.encode() for text in (source, target, kind, options)]
    if _libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3]):
        raise _error(f"mount {target}")


def _error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")
