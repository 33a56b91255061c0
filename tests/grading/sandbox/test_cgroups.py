"""A submission's cgroup: where it is made, what it limits, who enters it; on a made-up tree, and where there is one."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from course_attention.grading.sandbox import cgroups
from course_attention.grading.sandbox.cgroups import Cgroup, parent_cgroup, prepare
from course_attention.grading.sandbox.limits import Limits
from tests.grading.machines import needs_user_namespaces

FILES = ("cgroup.procs", "cgroup.subtree_control", "cgroup.controllers")


class Tree:
    """Folders that look like a hierarchy of cgroups, and a process in one of them."""

    def __init__(self, folder: Path, own: str) -> None:
        self.root, self.proc = folder / "cgroup", folder / "proc"
        self.proc.mkdir()
        self.own = self.root / own
        for one in (self.own, *self.own.parents):
            if one.is_relative_to(self.root):
                one.mkdir(parents=True, exist_ok=True)
                for name in FILES:
                    (one / name).write_text("")
        (self.proc / "cgroup").write_text(f"4:memory:/else\n0::/{own}\n")
        (self.proc / "mountinfo").write_text(
            f"21 1 0:20 / /proc rw - proc proc rw\n30 1 0:26 / {self.root} rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"
        )

    def switch_on(self, path: str, *controllers: str) -> None:
        (self.root / path / "cgroup.subtree_control").write_text(" ".join(controllers))


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Make a session of a user, in which nothing is switched on, and in each of whose cgroups there are processes.

    So the kernel switches on what a cgroup has, except for memory. Where something is on, no process can move down.
    """
    tree = Tree(tmp_path, "user.slice/user@1000.service/app.slice/terminal.scope")
    write = Path.write_text

    def as_the_kernel(path: Path, text: str, *arguments: object) -> int:
        if path.name == "cgroup.subtree_control" and text.startswith("+"):
            if text[1:] not in (path.parent / "cgroup.controllers").read_text().split():
                raise OSError(errno.ENOENT, "No such file or directory")
            if text == "+memory":
                raise OSError(errno.EBUSY, "Device or resource busy")
            text = f"{path.read_text()} {text[1:]}"
        if path.name == "cgroup.procs" and "pids" in (path.parents[1] / "cgroup.subtree_control").read_text():
            raise OSError(errno.EOPNOTSUPP, "Operation not supported")
        return write(path, text, *arguments)

    tree.switch_on("user.slice/user@1000.service", "cpu", "memory", "pids")
    monkeypatch.setattr(Path, "write_text", as_the_kernel)
    return tree


def test_nearest_that_may(tree: Tree) -> None:
    """The nearest cgroup above in which limits are switched on, as systemd does for a user's applications."""
    assert parent_cgroup(tree.proc) == tree.root / "user.slice/user@1000.service"
    tree.switch_on("user.slice/user@1000.service/app.slice", "memory", "pids")
    assert parent_cgroup(tree.proc) == tree.own.parent


@pytest.mark.parametrize("controllers", [(), ("memory",), ("cpu", "pids")])
def test_not_without_both(tree: Tree, controllers: tuple[str, ...]) -> None:
    """Memory and processes must both be limited there."""
    tree.switch_on("user.slice/user@1000.service", *controllers)
    assert parent_cgroup(tree.proc) is None


def test_not_where_nothing_can_be_written(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system has not handed to this user is left alone."""
    monkeypatch.setattr(os, "access", lambda path, _: "user@1000.service" not in str(path))
    assert parent_cgroup(tree.proc) is None


@pytest.mark.parametrize("missing", ["mountinfo", "cgroup"])
def test_no_cgroups(tree: Tree, missing: str) -> None:
    """Another system, or an old one."""
    (tree.proc / missing).unlink()
    assert parent_cgroup(tree.proc) is None


def test_cgroup_of_a_namespace(tree: Tree) -> None:
    """In a container the mount shows a part of the hierarchy, and the path is given from elsewhere."""
    (tree.proc / "cgroup").write_text("0::/../../elsewhere\n")
    tree.switch_on("", "memory", "pids")
    assert parent_cgroup(tree.proc) == tree.root


def test_limits(tree: Tree) -> None:
    """All of a submission's processes together; those that use too much end together."""
    cgroup = Cgroup(tree.own, Limits(memory=2**30, processes=64))
    wanted = {"memory.max": str(2**30), "memory.oom.group": "1", "pids.max": "64"}
    assert {name: (cgroup.folder / name).read_text() for name in wanted} == wanted
    assert not cgroup.out_of_memory
    (cgroup.folder / "memory.events").write_text("low 0\nmax 9\noom 1\noom_kill 3\n")
    assert cgroup.out_of_memory
    for others in (
        "oom 0\noom_kill 0",
        "oom 0\noom_kill 1",
    ):  # the last: at a limit of the machine or a container
        (cgroup.folder / "memory.events").write_text(f"low 0\nmax 9\n{others}\n")
        assert not cgroup.out_of_memory


def test_refused(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel refuses a limit nothing is left behind, and memory is counted instead."""
    monkeypatch.setattr(cgroups, "parent_cgroup", lambda: tree.own)
    monkeypatch.setattr(Cgroup, "_write", lambda *_: (_ for _ in ()).throw(PermissionError))
    before = set(tree.own.iterdir())
    assert cgroups.new_cgroup(Limits()) is None
    assert set(tree.own.iterdir()) == before


@pytest.fixture(autouse=True)
def entrance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a cgroup's files with its folder in a made-up tree, as the kernel does in its own."""
    make = Path.mkdir

    def mkdir(path: Path, *arguments: object, **named: object) -> None:
        make(path, *arguments, **named)
        if path.name.startswith("course-attention-") and "sys" not in path.parts:
            (path / "cgroup.procs").touch()

    remove = Path.rmdir

    def rmdir(path: Path) -> None:
        if path.name.startswith("course-attention-") and "sys" not in path.parts:
            (path / "cgroup.procs").unlink()
        remove(path)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    monkeypatch.setattr(Path, "rmdir", rmdir)


@pytest.mark.parametrize("others", [[], [1]])
def test_makes_room(tree: Tree, others: list[int]) -> None:
    """A process that is alone in what was delegated to it moves one level down; beside others it stays."""
    tree.switch_on("user.slice/user@1000.service")
    (tree.own / "cgroup.controllers").write_text("cpu memory pids")
    (tree.own / "cgroup.procs").write_text("\n".join(map(str, [os.getpid(), *others])))
    prepare(tree.proc)
    moved = tree.own / "course-attention-grader" / "cgroup.procs"
    assert (moved.read_text() if moved.exists() else "") == ("" if others else str(os.getpid()))


def test_what_a_killed_run_left(tree: Tree) -> None:
    """It goes with the next run; what a living one has made stays."""
    parent = parent_cgroup(tree.proc)
    left, used = parent / "course-attention-999999999-0", parent / f"course-attention-{os.getpid()}-0"
    for one in (left, used):
        one.mkdir()
    prepare(tree.proc)
    assert not left.exists() and used.exists()


_MOUNTED = cgroups._own_cgroup(Path("/proc/self"))


@needs_user_namespaces
@pytest.mark.skipif(
    _MOUNTED is None or not os.access(_MOUNTED[0] / "cgroup.procs", os.W_OK),
    reason="no cgroups here, or none that this user may make",
)
def test_entered_from_within(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who holds the entrance enters the cgroup, as another user and in other namespaces as well, with its children."""
    monkeypatch.setattr(Cgroup, "_limit", lambda *_: None)  # not every kernel's controllers are of version 2
    cgroup = Cgroup(_MOUNTED[0], Limits())
    try:
        inside = f"import os, time\nos.write({cgroup.entrance}, b'0')\nos.fork()\ntime.sleep(60)"
        process = subprocess.Popen(
            ["unshare", "--user", "--pid", "--fork", sys.executable, "-c", inside], pass_fds=[cgroup.entrance]
        )
        while len((cgroup.folder / "cgroup.procs").read_text().split()) < 2:
            assert process.poll() is None
    finally:
        cgroup.remove()
    assert not cgroup.folder.exists()
    assert process.wait(60) != 0
