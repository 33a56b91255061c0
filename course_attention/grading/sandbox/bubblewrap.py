"""Makes the bubblewrap command that isolates the sandbox: little can be read under it, and nothing written."""

import os
import shutil
import site
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from course_attention.active_course import active
from course_attention.grading.interrupts import ctrl_c_held_back

PACKAGE = Path(__file__).resolve().parents[2]
# What a submission must not read: questions and their right answers, the grader, and the course's own solutions.
HIDDEN = (
    "exercises",
    "judging",
    "lesson",
    "presentation",
    "course",
    "own_course",
    "encyclopedia",
    "notebooks",
    "corpus",
)
HOST_NAME = "sandbox"  # the instructor's machine has a name that is nobody's business
ASIDE = "/aside"  # where such folders are held while a fresh one takes the place of what they lie in
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "alternatives", "fonts")
_INSTALL = "sudo apt-get install bubblewrap (Debian, Ubuntu), sudo dnf install bubblewrap (Fedora)"
# Docker keeps from an ordinary user what bubblewrap needs: namespaces, mounts, and a /proc without covered places.
IN_DOCKER = " ".join(f"--security-opt {name}=unconfined" for name in ("seccomp", "apparmor", "systempaths"))
_OTHERWISE = "Or ask for --isolation process, which limits time and memory and isolates nothing."


class NoSandbox(Exception):
    """Submissions cannot be isolated here; the message says why, and what to do."""


def command(device: str = "cpu") -> list[str]:
    """Make the command that goes in front of the worker's own.

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
        *("--hostname", HOST_NAME),
        "--die-with-parent",
        "--new-session",
    ]
    options = [program, *who, *spaces, "--clearenv"]
    for name, value in environment(device, package_inside()).items():
        options += ["--setenv", name, value]
    for folder in _SYSTEM:
        options += _as_it_is(folder)
    for name in _SETTINGS:
        options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    options += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp"]
    shown = {**{path: path for path in _python()}, PACKAGE: package_inside()}
    for place, (path, inside) in enumerate(shown.items()):
        options += ["--dir", f"{ASIDE}/{place}"]
        for above in reversed(inside.parents[:-1]):  # bubblewrap would make these for their owner alone
            options += ["--perms", "755", "--dir", str(above)]
        options += ["--ro-bind", str(path), str(inside)]
    for name in HIDDEN:
        if (PACKAGE / name).is_dir():
            options += ["--tmpfs", str(package_inside() / name)]
    for own in _of_author(shown):
        options += ["--tmpfs", str(own)]
    if device == "cuda":
        for gpu in sorted(Path("/dev").glob("nvidia*")):
            options += ["--dev-bind", str(gpu), str(gpu)]
        options += ["--ro-bind-try", "/sys", "/sys"]
    return [*options, "--chdir", "/tmp", "--remount-ro", "/dev", "--remount-ro", "/", "--"]


@cache
def package_inside() -> Path:
    """Return where the course's package is inside: in a folder that tells nothing, unless it came with Python's own.

    Python's own folders stay where they are: programs and libraries have their places written in them.
    """
    installed = PACKAGE.is_relative_to("/usr") or any(PACKAGE.is_relative_to(path) for path in _python())
    return PACKAGE if installed else Path("/course") / PACKAGE.name


@cache
def needed_under(folder: str) -> list[str]:
    """Return what Python and the course need of a folder: /tmp, say, may hold the clone."""
    needed = [path for path in [*_python(), package_inside()] if path.is_relative_to(folder)]
    outermost = [path for path in needed if not any(path != o and path.is_relative_to(o) for o in needed)]
    return [str(path) for path in outermost]


def check() -> None:
    """Try whether bubblewrap works here.

    Raises:
        NoSandbox: it is missing, or the system does not allow it.
    """
    # Ctrl-C waits for it, and does not reach it: where bubblewrap's first process ends while both are starting, the
    # second one may wait for it for ever.
    with ctrl_c_held_back():
        tried = subprocess.run(
            [*command(), "/bin/true"], capture_output=True, text=True, check=False, start_new_session=True
        )
    if tried.returncode:
        reason = tried.stderr.strip() or f"it ended with code {tried.returncode}"
        raise NoSandbox(
            f"bubblewrap cannot make a sandbox here: {reason.rstrip('.')}. In a container of Docker's, start it as an "
            f"ordinary user, and allow it namespaces: docker run --user 1000 {IN_DOCKER}. {_OTHERWISE}"
        )


def environment(device: str, package: Path) -> dict[str, str]:
    """Make the environment of the sandbox; of the instructor's own it has the language and the libraries' places.

    Args:
        device: "cpu" or "cuda".
        package: where the course's package is for it.
    """
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "LD_LIBRARY_PATH") if name in os.environ}
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": "/tmp",
        "USER": "student",
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join(map(str, _elsewhere(package))),
        **({"CUDA_VISIBLE_DEVICES": ""} if device == "cpu" else {}),
        **kept,
    }


def _elsewhere(package: Path) -> list[Path]:
    """Return where Python must be told to look: beside a package in a clone, and among the user's own packages."""
    beside = [] if package.parent in map(Path, site.getsitepackages()) else [package.parent]
    return [*beside, *_own_packages()]


def _own_packages() -> list[Path]:
    """Return the folder of `pip install --user`, where this Python looks there."""
    own = Path(site.getusersitepackages())
    return [own] if site.ENABLE_USER_SITE and own.is_dir() else []


def _as_it_is(path: str) -> list[str]:
    """Bind a folder of the system, or make the link that stands for it."""
    if os.path.islink(path):
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind", path, path] if os.path.isdir(path) else []


def _of_author(shown: Mapping[Path, Path]) -> list[Path]:
    """Return where a submission would see the folder of the active course, with its exercises and their answers."""
    own = active().folder
    if own is None:
        return []
    places = {**{Path(folder): Path(folder) for folder in _SYSTEM}, **shown}
    return [inside / own.relative_to(path) for path, inside in places.items() if own.is_relative_to(path)]


def _python() -> list[Path]:
    """Return where this Python, its standard library and its packages are, outside the system's folders."""
    wanted = {Path(sys.prefix), Path(sys.base_prefix), *map(Path, site.getsitepackages()), *_own_packages()}
    wanted |= {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    wanted |= {path.resolve() for path in wanted}
    shown = sorted(path for path in wanted if path.is_dir() and not path.is_relative_to("/usr"))
    return [path for path in shown if not any(path != other and path.is_relative_to(other) for other in shown)]
