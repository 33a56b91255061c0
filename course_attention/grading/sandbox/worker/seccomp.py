"""Refuses system calls that no answer needs: a filter in the kernel, for one submission's processes.

A fault in the kernel is the way out of a namespace, and most such faults lie in calls that honest code never makes. The
filter answers these with "operation not permitted", so that a program is told rather than killed. It is made with
libseccomp, which knows every call by name on every kind of processor. Debian installs it everywhere (`libseccomp2`; apt
itself needs it), so ctypes and the library do for what would else be a compiler of filters here, or a package for
Python that is hardly kept.

Manual pages: seccomp(2), seccomp_rule_add(3).
"""

import contextlib
import ctypes
import errno
import os
from functools import cache
from typing import Any, NoReturn

from course_attention.grading.interrupts import ctrl_c_held_back

_ALLOW, _REFUSE = 0x7FFF_0000, 0x0005_0000
_EQUAL, _AT_LEAST, _MASKED_EQUAL = 4, 5, 7
_ON_OTHER_PROCESSOR = 2  # the attribute for calls in the manner of another processor, 32 bits on 64, say

_REFUSED = (
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd", "bpf", "perf_event_open"),
    *("keyctl", "add_key", "request_key"),
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd"),
    *("mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "mount_setattr", "open_tree"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "unshare", "setns", "sethostname", "setdomainname"),
    *(
        "open_by_handle_at",
        "name_to_handle_at",
        "fanotify_init",
        "quotactl",
        "quotactl_fd",
        "swapon",
        "swapoff",
    ),
    *(
        "kexec_load",
        "kexec_file_load",
        "init_module",
        "finit_module",
        "delete_module",
        "reboot",
        "acct",
        "syslog",
    ),
    *(
        "clock_settime",
        "clock_adjtime",
        "settimeofday",
        "adjtimex",
        "iopl",
        "ioperm",
        "modify_ldt",
        "vhangup",
    ),
    *("uselib", "ustat", "sysfs", "_sysctl", "nfsservctl", "lookup_dcookie", "memfd_secret"),
)
# Namespaces of mounts, cgroups, names, IPC, users, processes, network.
_NEW_NAMESPACES = (0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000)
_UNIX, _INET, _INET6 = 1, 2, 10  # the families of sockets that are there


class _Comparison(ctypes.Structure):
    """A condition on one argument of a call, `struct scmp_arg_cmp`."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def refuse_calls() -> None:
    """Refuse the calls from now on, in this process and its children, for good.

    Raises:
        OSError: libseccomp is missing, or the kernel has no filters.
    """
    library, context = _filter()
    if code := library.seccomp_load(context):
        raise OSError(-code, f"the kernel takes no filter: {os.strerror(-code)}")


def why_not() -> str:
    """Say why calls cannot be refused here; "" where they can. A process is forked to try it."""
    reading, writing = os.pipe()
    with ctrl_c_held_back():  # what other modules do at a fork would swallow it
        process = os.fork()
        if process == 0:  # still in the block: Ctrl-C is for the process that waits for this one
            _try_and_end(writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as said:
        reason = said.read().decode(errors="replace")
    with contextlib.suppress(ChildProcessError):  # nobody waits for children where SIGCHLD is ignored
        os.waitpid(process, 0)
    return reason


def _try_and_end(writing: int) -> NoReturn:
    """Try whether calls can be refused, write the reason if they cannot, and end this process."""
    try:
        refuse_calls()
    except OSError as error:
        os.write(writing, str(error.strerror or error).encode()[:1000])
    finally:
        os._exit(0)


@cache
def _filter() -> tuple[Any, Any]:
    """Make the filter, once; forks share it."""
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(_ALLOW)))
    add_rules(library, context)
    return library, context


def add_rules(library: ctypes.CDLL, context: ctypes.c_void_p) -> None:
    """Add what is refused to a filter; libseccomp turns it into each kind of processor that the filter is for.

    Args:
        library: libseccomp.
        context: the filter.

    Raises:
        OSError: libseccomp refuses one of the rules.
    """
    library.seccomp_attr_set(context, _ON_OTHER_PROCESSOR, ctypes.c_uint32(_REFUSE | errno.EPERM))

    def refuse(name: str, *conditions: _Comparison, code: int = errno.EPERM) -> None:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:  # not on this processor, or too new for this library
            return
        array = (_Comparison * len(conditions))(*conditions)
        action = ctypes.c_uint32(_REFUSE | code)
        if failed := library.seccomp_rule_add_array(context, action, number, len(conditions), array):
            raise OSError(-failed, f"libseccomp takes no rule for {name}: {os.strerror(-failed)}")

    for name in _REFUSED:
        refuse(name)
    for flag in _NEW_NAMESPACES:
        refuse("clone", _Comparison(0, _MASKED_EQUAL, flag, flag))
    refuse("clone3", code=errno.ENOSYS)  # its flags are in memory, out of a filter's sight; libc then takes clone
    for name in ("socket", "socketpair"):
        refuse(name, _Comparison(0, _AT_LEAST, _INET6 + 1))
        for family in set(range(_INET6 + 1)) - {_UNIX, _INET, _INET6}:
            refuse(name, _Comparison(0, _EQUAL, family))
