"""The filter on each kind of processor that torch has wheels for, whichever this machine has.

libseccomp makes the filter for another processor as well. What the kernel would answer is found by running the filter
here, instruction by instruction, as the kernel does.

The kernel's own: Documentation/userspace-api/seccomp_filter.rst, Documentation/networking/filter.rst.
"""

from __future__ import annotations

import ctypes
import errno
import struct
import tempfile
from collections.abc import Sequence

import pytest

from course_attention.grading.sandbox.worker.seccomp import add_rules

_ALLOWED = 0x7FFF_0000
_REFUSED = 0x0005_0000 | errno.EPERM
_MISSING = 0x0005_0000 | errno.ENOSYS
_NATIVE = 0
_X86_64, _AARCH64 = 0xC000_003E, 0xC000_00B7  # what the kernel calls them: linux/audit.h
_I386, _ARM = 0x4000_0003, 0x4000_0028  # the 32 bits that they can do as well
# The numbers in the kernel's own tables: arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h.
_NUMBERS = {
    _X86_64: {
        **{"read": 0, "write": 1, "mmap": 9, "futex": 202, "openat": 257, "execve": 59, "exit_group": 231},
        **{"socket": 41, "socketpair": 53, "clone": 56, "clone3": 435},
        **{"ptrace": 101, "mount": 165, "umount2": 166, "unshare": 272, "setns": 308, "keyctl": 250},
        **{"bpf": 321, "io_uring_setup": 425, "userfaultfd": 323, "perf_event_open": 298, "chroot": 161},
        **{"process_vm_readv": 310, "pidfd_getfd": 438, "open_by_handle_at": 304, "memfd_secret": 447},
    },
    _AARCH64: {
        **{"read": 63, "write": 64, "mmap": 222, "futex": 98, "openat": 56, "execve": 221, "exit_group": 94},
        **{"socket": 198, "socketpair": 199, "clone": 220, "clone3": 435},
        **{"ptrace": 117, "mount": 40, "umount2": 39, "unshare": 97, "setns": 268, "keyctl": 219},
        **{"bpf": 280, "io_uring_setup": 425, "userfaultfd": 282, "perf_event_open": 241, "chroot": 51},
        **{"process_vm_readv": 270, "pidfd_getfd": 438, "open_by_handle_at": 265, "memfd_secret": 447},
    },
}
_HARMLESS = ("read", "write", "mmap", "futex", "openat", "execve", "exit_group")
_WITH_ARGUMENTS = ("socket", "socketpair", "clone", "clone3")
_UNIX, _NETLINK, _PACKET, _VSOCK, _HIGHER = 1, 16, 17, 40, 2**32 - 1
_FORK, _THREAD, _NEW_USER, _NEW_NETWORK = 17, 0x003D_0F00, 0x1000_0000, 0x4000_0000


def _filter(processor: int) -> list[tuple[int, int, int, int]]:
    """Give the filter for one kind of processor: each instruction with its two jumps and its number."""
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(_ALLOWED)))
    # Added first: libseccomp refuses to have none, and that it is there already is an error that changes nothing.
    library.seccomp_arch_add(context, ctypes.c_uint32(processor))
    if library.seccomp_arch_native() != ctypes.c_int(processor).value:
        assert library.seccomp_arch_remove(context, _NATIVE) == 0
    add_rules(library, context)
    with tempfile.TemporaryFile() as file:
        assert library.seccomp_export_bpf(context, file.fileno()) == 0
        file.seek(0)
        return list(struct.iter_unpack("=HBBI", file.read()))


def _answer(program: Sequence[tuple[int, int, int, int]], processor: int, number: int, argument: int) -> int:
    """Tell what the filter answers to a call whose first argument is given; the others are 0."""
    called = struct.pack("<IIQ6Q", number, processor, 0, argument, 0, 0, 0, 0, 0)
    held = place = 0
    while True:
        code, if_so, if_not, value = program[place]
        place += 1
        match code:
            case 0x20:  # load
                (held,) = struct.unpack_from("<I", called, value)
            case 0x54:  # and
                held &= value
            case 0x05:  # jump
                place += value
            case 0x15:
                place += if_so if held == value else if_not
            case 0x25:
                place += if_so if held > value else if_not
            case 0x35:
                place += if_so if held >= value else if_not
            case 0x06:  # return
                return value
            case _:
                raise AssertionError(f"an instruction that this test does not know: {code:#x}")


@pytest.fixture(scope="module", params=[_X86_64, _AARCH64], ids=["x86_64", "aarch64"])
def processor(request: pytest.FixtureRequest) -> int:
    return request.param


@pytest.fixture(scope="module")
def program(processor: int) -> list[tuple[int, int, int, int]]:
    return _filter(processor)


def test_calls(processor: int, program: list[tuple[int, int, int, int]]) -> None:
    """What honest code calls is allowed, and what leads out of a namespace is not."""
    numbers = _NUMBERS[processor]
    answers = {name: _answer(program, processor, number, 0) for name, number in numbers.items()}
    assert {name for name in numbers if answers[name] == _ALLOWED} == {*_HARMLESS, "clone"}
    assert answers["clone3"] == _MISSING
    refused = set(numbers) - {*_HARMLESS, *_WITH_ARGUMENTS}
    assert {answers[name] for name in refused} == {_REFUSED}


@pytest.mark.parametrize(
    ("name", "argument", "wanted"),
    [
        ("clone", _FORK, _ALLOWED),
        ("clone", _THREAD, _ALLOWED),
        ("clone", _FORK | _NEW_USER, _REFUSED),
        ("clone", _FORK | _NEW_NETWORK, _REFUSED),
        ("socket", _UNIX, _ALLOWED),
        ("socketpair", _UNIX, _ALLOWED),
        ("socket", _NETLINK, _REFUSED),
        ("socket", _PACKET, _REFUSED),
        ("socket", _VSOCK, _REFUSED),
        ("socket", _HIGHER, _REFUSED),
        ("socketpair", _VSOCK, _REFUSED),
    ],
)
def test_arguments(
    name: str, argument: int, wanted: int, processor: int, program: list[tuple[int, int, int, int]]
) -> None:
    """Threads and ordinary sockets are allowed; namespaces and other families of sockets are not."""
    assert _answer(program, processor, _NUMBERS[processor][name], argument) == wanted


@pytest.mark.parametrize("other", [_I386, _ARM, _X86_64, _AARCH64])
def test_other_processors(other: int, processor: int, program: list[tuple[int, int, int, int]]) -> None:
    """Calls in the manner of another processor have other numbers, so all of them are refused."""
    if other != processor:
        assert {_answer(program, other, number, 0) for number in range(500)} == {_REFUSED}
