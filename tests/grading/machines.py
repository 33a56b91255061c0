"""Machines that differ from this one: where the user is another, and where the kernel makes no more namespaces."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_NEW_MOUNTS, _NEW_USER = 0x0002_0000, 0x1000_0000
# In a user namespace with all of this machine's users in it, the system's setting can be changed for it alone.
_INSIDE = f"""
import ctypes, os, sys, warnings
libc = ctypes.CDLL(None, use_errno=True)
ready, go, namespaces, user, closed, python = sys.argv[1:7]
assert libc.unshare({_NEW_MOUNTS} | ({_NEW_USER} if namespaces else 0)) == 0, os.strerror(ctypes.get_errno())
os.write(int(ready), b".")
os.read(int(go), 1)
if namespaces:
    open("/proc/sys/user/max_user_namespaces", "w").write(namespaces)
if closed:  # a folder that other users cannot enter, and with it this Python
    libc.mount(None, b"/", None, ctypes.c_ulong(1 << 18 | 1 << 14), None)
    assert libc.mount(python.encode(), b"/mnt", None, ctypes.c_ulong(1 << 14 | 1 << 12), None) == 0
    assert libc.mount(b"tmpfs", closed.encode(), b"tmpfs", ctypes.c_ulong(0), b"mode=755") == 0
    os.makedirs(python)
    assert libc.mount(b"/mnt", python.encode(), None, ctypes.c_ulong(1 << 14 | 1 << 12), None) == 0
if user == "nobody":
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
os.execvp(sys.argv[7], sys.argv[7:])
"""


def run_elsewhere(
    command: Sequence[str | Path], user: str, namespaces: int | None, env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command as on another machine; needs root.

    Args:
        command: what is run.
        user: "root" or "nobody".
        namespaces: how many user namespaces may be made, in a user namespace; None for as many as here, in none.
        env: its environment.
    """
    ready, theirs = os.pipe()
    go, ours = os.pipe()
    inside = [
        theirs,
        go,
        "" if namespaces is None else namespaces,
        user,
        _closed(sys.base_prefix),
        sys.base_prefix,
    ]
    process = subprocess.Popen(
        [sys.executable, "-c", _INSIDE, *map(str, inside), *map(str, command)],
        pass_fds=[theirs, go], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, cwd="/",
    )  # fmt: skip
    os.close(theirs)
    try:
        if os.read(ready, 1) and namespaces is not None:
            for kind in ("uid_map", "gid_map"):
                Path(f"/proc/{process.pid}/{kind}").write_text("0 0 65536")
        os.write(ours, b".")
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        for fd in (ready, go, ours):
            os.close(fd)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def _closed(path: str) -> str:
    """The outermost folder above a path that other users cannot enter; "" where there is none."""
    closed = (str(one) for one in reversed(Path(path).parents) if not one.stat().st_mode & 0o001)
    return next(closed, "")
