"""Machines that differ from this one: another user, no more namespaces, a container's rights, a container's /proc."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

_NEW_MOUNTS, _NEW_USER = 0x0002_0000, 0x1000_0000
_ADMIN_OF_SYSTEM, _ADMIN_OF_NETWORK = 21, 12
# The capabilities of root in a container of Docker's, by their numbers in capabilities(7): those that it has unless
# others are asked for, and those with `--cap-add SYS_ADMIN` and `--cap-add NET_ADMIN`.
DOCKER = (0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31)
DOCKER_WITH_SYSTEM = (*DOCKER, _ADMIN_OF_SYSTEM)
DOCKER_WITH_BOTH = (*DOCKER, _ADMIN_OF_SYSTEM, _ADMIN_OF_NETWORK)
# In a user namespace with all of this machine's users in it, the system's setting can be changed for it alone.
_INSIDE = f"""
import ctypes, os, sys, warnings
libc = ctypes.CDLL(None, use_errno=True)
ready, go, namespaces, user, closed, python, covered, rights = sys.argv[1:9]
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
if covered:
    libc.mount(None, b"/", None, ctypes.c_ulong(1 << 18 | 1 << 14), None)
    assert libc.mount(b"/dev/null", covered.encode(), None, ctypes.c_ulong(1 << 12), None) == 0
if rights:
    for right in set(range(41)) - set(map(int, rights.split())):
        libc.prctl(24, right, 0, 0, 0)  # not even root gets it back in a program that it starts
if user == "nobody":
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
os.execvp(sys.argv[9], sys.argv[9:])
"""

needs_user_namespaces = pytest.mark.skipif(
    shutil.which("unshare") is None
    or subprocess.run(["unshare", "--user", "true"], capture_output=True, check=False).returncode != 0,
    reason="no user namespaces here, or none that this user may make",
)


def run_elsewhere(
    command: Sequence[str | Path],
    user: str,
    namespaces: int | None,
    env: Mapping[str, str],
    *,
    covered: str = "",
    rights: Sequence[int] = (),
) -> subprocess.CompletedProcess[str]:
    """Run a command as on another machine; needs root.

    Args:
        command: what is run.
        user: "root" or "nobody".
        namespaces: how many user namespaces may be made, in a user namespace; None for as many as here, in none.
        env: its environment.
        covered: a file over which another is mounted, as Docker does with some in /proc.
        rights: the only capabilities that can be had there; () for all that can be had here.
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
        covered,
        " ".join(map(str, rights)),
    ]
    process = subprocess.Popen(
        [sys.executable, "-c", _INSIDE, *map(str, inside), *map(str, command)],
        pass_fds=[theirs, go], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={name: value for name, value in env.items() if not name.startswith("COVERAGE_")},  # it may write nowhere
        cwd="/",
    )  # fmt: skip
    os.close(theirs)
    try:
        if os.read(ready, 1) and namespaces is not None:
            for kind in ("uid_map", "gid_map"):
                Path(f"/proc/{process.pid}/{kind}").write_text("0 0 65536")
        os.write(ours, b".")
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
        for fd in (ready, go, ours):
            os.close(fd)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def _closed(path: str) -> str:
    """Find the outermost folder above a path that other users cannot enter; "" where there is none."""
    closed = (str(one) for one in reversed(Path(path).parents) if not one.stat().st_mode & 0o001)
    return next(closed, "")
