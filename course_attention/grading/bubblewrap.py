"""The sandbox's outer wall: a bubblewrap command under which little can be seen and nothing written."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
import sysconfig
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
# What a submission must not read: questions and their right answers, the grader, and the course's own solutions.
HIDDEN = ("exercises", "judging", "lesson", "notebooks")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "alternatives", "fonts")
_INSTALL = "sudo apt-get install bubblewrap (Debian, Ubuntu), sudo dnf install bubblewrap (Fedora)"
_OTHERWISE = "Or ask for --isolation process, which limits time and memory and isolates nothing."


class NoSandbox(Exception):
    """Submissions cannot be isolated here; the message says why, and what to do."""


def command(device: str = "cpu") -> list[str]:
    """The command that goes before the worker's own.

    As root the capabilities stay, for the worker's own namespaces; each submission's process gives them up, and
    becomes nobody. As anybody else a user namespace gives what is needed.

    Raises:
        NoSandbox: bubblewrap is missing.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise NoSandbox(
            "bubblewrap is not installed, and without it a submission could do what you can do. "
            f"Install it: {_INSTALL}. {_OTHERWISE}"
        )
    as_root = os.geteuid() == 0
    who = ["--cap-add", "ALL"] if as_root else ["--unshare-user"]
    spaces = [
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--die-with-parent",
        "--new-session",
    ]
    options = [program, *who, *spaces, "--clearenv"]
    for name, value in _environment().items():
        options += ["--setenv", name, value]
    for path in _SYSTEM:
        options += _as_it_is(path)
    for name in _SETTINGS:
        options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for path in [*_python(), PACKAGE]:
        for above in reversed(path.parents[:-1]):  # bubblewrap would make these for their owner alone
            options += ["--perms", "755", "--dir", str(above)]
        options += ["--ro-bind", str(path), str(path)]
    for name in HIDDEN:
        if (PACKAGE / name).is_dir():
            options += ["--tmpfs", str(PACKAGE / name)]
    options += ["--proc", "/proc", "--dev", "/dev"]
    if device == "cuda":
        for path in sorted(Path("/dev").glob("nvidia*")):
            options += ["--dev-bind", str(path), str(path)]
        options += ["--ro-bind-try", "/sys", "/sys"]
    options += ["--perms", "1777", "--tmpfs", "/tmp", "--chdir", "/tmp"]
    return [*options, "--remount-ro", "/", "--"]


def check() -> None:
    """See that bubblewrap works here.

    Raises:
        NoSandbox: it is missing, or the system does not allow it.
    """
    tried = subprocess.run([*command(), "/bin/true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        reason = tried.stderr.strip() or f"it ended with code {tried.returncode}"
        raise NoSandbox(
            f"bubblewrap cannot make a sandbox here: {reason}. In a container it needs the right to make namespaces "
            "(docker run --privileged, or --cap-add SYS_ADMIN --security-opt seccomp=unconfined). "
            f"{_OTHERWISE}"
        )


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "LD_LIBRARY_PATH") if name in os.environ}
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": "/tmp",
        "USER": "student",
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(PACKAGE.parent) if PACKAGE.parent not in map(Path, site.getsitepackages()) else "",
        **kept,
    }


def _as_it_is(path: str) -> list[str]:
    """A folder of the system, or the link that stands for it."""
    if os.path.islink(path):
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind", path, path] if os.path.isdir(path) else []


def _python() -> list[Path]:
    """Where this Python, its standard library and its packages are, outside the system's folders."""
    wanted = {Path(sys.prefix), Path(sys.base_prefix), *map(Path, site.getsitepackages())}
    wanted |= {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    wanted |= {path.resolve() for path in wanted}
    shown = sorted(path for path in wanted if path.is_dir() and not path.is_relative_to("/usr"))
    return [
        path for path in shown if not any(path != other and path.is_relative_to(other) for other in shown)
    ]
