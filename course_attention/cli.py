"""The command `course-attention`. Imports nothing heavy at start: `--help` and `--version` answer at once."""

from __future__ import annotations

import argparse
import importlib.util
import io
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from course_attention import __version__
from course_attention.active_course import CourseError, choose
from course_attention.active_course.argument import of_course
from course_attention.active_course.choice import follow, follow_route, remember, remember_route, remembered
from course_attention.active_course.settings import ROUTES
from course_attention.course.assistant_rules import write_rules
from course_attention.course.attempts_file import begin
from course_attention.course.jupyter import running_server, sign
from course_attention.course.workspace import WorkspaceError, course_notebooks, prepare, restore
from course_attention.encyclopedia.commands import add_command as add_explain
from course_attention.encyclopedia.errors import NoSuchEntry
from course_attention.grading.commands import add_commands
from course_attention.grading.errors import CannotGrade
from course_attention.own_course import commands as own_course

CANNOT = 2  # exit code for what the user can mend: argparse's own for wrong arguments


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    options = _parser().parse_args(arguments)
    _open_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A student's name may have letters that the terminal lacks.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        if folder := getattr(options, "course", None):
            choose(folder)
        return options.run(options)
    except (WorkspaceError, CannotGrade, CourseError, NoSuchEntry, _Refused) as error:
        print(f"course-attention {options.command}: {error}", file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:
        print(f"course-attention {options.command}: stopped", file=sys.stderr)
        return CANNOT


def _open_closed_streams() -> None:
    """Open what was closed of stdin, stdout and stderr: the next files to be opened would take their places."""
    for standard in range(3):
        try:
            os.fstat(standard)
        except OSError:
            nowhere = os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
            os.set_inheritable(nowhere, True)


class _Refused(Exception):
    """The command cannot do what was asked; the message says why, and what to do."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="course-attention", description="A notebook course on attention.")
    parser.add_argument("--version", action="version", version=f"course-attention {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    start = commands.add_parser(
        "start",
        parents=[of_course()],
        help="copy the notebooks into a folder of yours and open JupyterLab there",
        description="Copies the course's notebooks that DIR does not hold yet, merges a newer course into those it "
        "holds, and opens JupyterLab there. Your answers and cells are kept.",
    )
    start.add_argument("folder", nargs="?", type=Path, default=Path("course-attention-workspace"), metavar="DIR")
    start.add_argument("--no-browser", action="store_true", help="print the address instead of opening a browser")
    start.add_argument(
        "--port", type=_port, metavar="N", help="serve on this port; the next free from 8888 unless given"
    )
    start.add_argument("--prepare-only", action="store_true", help="prepare the folder, do not start JupyterLab")
    start.add_argument(
        "--restore",
        metavar="NOTEBOOK",
        help="first put the course's copy of a notebook back, such as 02; yours becomes a backup",
    )
    start.add_argument(
        "--route",
        choices=ROUTES,
        help="how much of each notebook: full, or core, which leaves the sections headed “Deeper” out; what the folder "
        "followed before, unless given",
    )
    start.add_argument(
        "--keep-attempts",
        action="store_true",
        help="keep time, verdict and the id of the mistake of each check in attempts.csv, without code, until you "
        "delete the file",
    )
    start.set_defaults(run=_start)
    check = commands.add_parser(
        "check",
        parents=[of_course()],
        help="run notebooks and print the cards of what has not passed",
        description="Runs each notebook in its own folder and prints the cards of its checks that have not passed. The "
        "files stay as they are. Exit code 1 where something has not passed.",
    )
    check.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")
    check.add_argument("--timeout", type=float, default=600, metavar="SECONDS", help="for each cell; 600 unless given")
    check.set_defaults(run=_check)
    add_explain(commands)
    add_commands(commands)
    own_course.add_commands(commands)
    return parser


def _check(options: argparse.Namespace) -> int:
    if importlib.util.find_spec("nbclient") is None:
        raise _Refused("nbclient is not installed; type: pip install 'course-attention[lab]'")
    from course_attention.lesson.checked_notebook import CannotCheck, main  # torch loads with the lesson

    try:
        return main(options.notebooks, options.timeout)
    except CannotCheck as error:
        raise _Refused(str(error)) from None


def _start(options: argparse.Namespace) -> int:
    if options.port and not options.prepare_only and not _free(options.port):
        raise _Refused(f"port {options.port} is in use{_next_free(options.port)}")
    follow(remembered(options.folder))
    follow_route(options.route, options.folder)
    if options.restore:
        print(restore(options.folder, options.restore))
    done = prepare(options.folder)
    for line in (remember(options.folder), remember_route(options.folder), *done, *_written(options)):
        if line:
            print(line)
    print(f"Your notebooks are in {options.folder.absolute()}", flush=True)
    has_lab = importlib.util.find_spec("jupyterlab") is not None
    if has_lab and (done or options.restore):
        sign(options.folder / source.name for source in course_notebooks())
    if options.prepare_only:
        return 0
    if not has_lab:
        raise _Refused("JupyterLab is not installed; type: pip install 'course-attention[lab]'")
    if address := running_server(options.folder):
        changed = bool(options.restore) or any(not line.startswith("left") for line in done)
        return _go_on(address, changed, options.no_browser)
    return _run(_jupyterlab(options), options.folder)


def _written(options: argparse.Namespace) -> list[str | None]:
    """Write what stands beside the notebooks; returns a line for each."""
    return [write_rules(options.folder), begin(options.folder) if options.keep_attempts else None]


def _go_on(address: str, changed: bool, no_browser: bool) -> int:
    """Say that a server already runs on the folder: a second one would save over what the first has open."""
    print(f"JupyterLab already runs there: {address}")
    if changed:
        print("Where a notebook named above is open in it, choose File > Reload Notebook from Disk before you go on.")
    if not no_browser and _has_browser():
        import webbrowser

        webbrowser.open(address)
    return 0


def _jupyterlab(options: argparse.Namespace) -> list[str]:
    first = course_notebooks()[0].name
    command = [sys.executable, "-m", "jupyterlab", f"--LabApp.default_url=/lab/tree/{first}"]
    if options.port:
        command += [f"--ServerApp.port={options.port}", "--ServerApp.port_retries=0"]
    if options.no_browser or not _has_browser():
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # a container: Jupyter refuses otherwise, and listens to this machine only
    return command


def _run(command: list[str], folder: Path) -> int:
    """Run until it ends. Ctrl-C reaches JupyterLab itself, which asks before it stops."""
    with subprocess.Popen(command, cwd=folder) as process:
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue


def _has_browser() -> bool:
    import webbrowser

    try:
        webbrowser.get()
    except webbrowser.Error:
        print("No browser was found: open the address that JupyterLab prints below.", flush=True)
        return False
    return True


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535; got {text!r}")
    return int(text)


def _free(port: int) -> bool:
    with socket.socket() as probe:
        if os.name != "nt":  # there the option means another thing: two servers on one port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("localhost", port))
        except OSError:
            return False
    return True


def _next_free(port: int) -> str:
    free = next((other for other in range(port + 1, min(port + 100, 65536)) if _free(other)), None)
    return f"; {free} is free: --port {free}" if free else "; name another with --port"


if __name__ == "__main__":
    sys.exit(main())
