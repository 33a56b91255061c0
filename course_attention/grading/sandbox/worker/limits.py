"""Sets the kernel's limits for each process of a submission."""

import resource
from collections.abc import Mapping
from pathlib import Path

_PAGE = resource.getpagesize()


def limit(limits: Mapping[str, int]) -> None:
    """Limit this process and its children.

    Args:
        limits: "memory" in bytes (0: as much as there is, which CUDA needs), "processes", "file_bytes", "files",
            "cpu_seconds".

    Raises:
        OSError: less is allowed here than a submission may use. It would be an honest submission that meets that limit.
    """
    if limits["memory"]:
        _set(resource.RLIMIT_DATA, limits["memory"], "ulimit -d", "--memory", 1024)
        _set(resource.RLIMIT_AS, limits["memory"] + _mapped(), "ulimit -v", "--memory", 1024)
    _set(resource.RLIMIT_NPROC, limits["processes"], "ulimit -u")
    _set(resource.RLIMIT_FSIZE, limits["file_bytes"], "ulimit -f", unit=1024)
    _set(resource.RLIMIT_NOFILE, limits["files"], "ulimit -n")
    _set(resource.RLIMIT_CPU, limits["cpu_seconds"], "ulimit -t", "--timeout")
    _set(resource.RLIMIT_CORE, 0)


def _mapped() -> int:
    """Return the bytes of address space that this process has now: torch's libraries alone take gigabytes."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * _PAGE
    except OSError:  # not Linux
        return 64 * 2**30


def _set(what: int, value: int, name: str = "", option: str = "", unit: int = 1) -> None:
    """Set a limit, which the shell knows by a name, in units of so many bytes; an option of `grade` asks for less."""
    _, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY and hard < value:
        ask = f", or ask for less with {option}" if option else ""
        raise OSError(
            f"`{name}` allows {hard // unit}, and a submission may use {-(-value // unit)}; raise that limit{ask}"
        )
    resource.setrlimit(what, (value, value))
