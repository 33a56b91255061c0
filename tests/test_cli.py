"""The command `course-attention`, from its arguments to a running JupyterLab."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from course_attention import __version__, cli


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "course_attention.cli", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60)


@pytest.fixture
def taken():
    """Return a port that somebody else serves on."""
    with socket.socket() as server:
        server.bind(("localhost", 0))
        server.listen()
        yield server.getsockname()[1]


def test_version(capsys):
    """--version prints the package's version."""
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"course-attention {__version__}\n"


def test_starts_fast():
    """Loading the command loads nothing heavy."""
    code = "import sys, course_attention.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"torch", "numpy", "matplotlib", "nbformat", "jupyterlab"}.isdisjoint(loaded)


def test_prepare_only(tmp_path):
    """`start --prepare-only` fills the default folder and ends."""
    done = run("start", "--prepare-only", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "added 00_start_here.ipynb" in done.stdout
    assert (tmp_path / "course-attention-workspace" / "00_start_here.ipynb").is_file()


def test_module_is_the_command(tmp_path):
    """`python -m course_attention` is the command too."""
    command = [sys.executable, "-m", "course_attention", "--version"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"course-attention {__version__}\n"


def test_copies_are_trusted(tmp_path, monkeypatch):
    """`start` signs the copies, so that JupyterLab shows their cards."""
    import nbformat
    from nbformat.sign import NotebookNotary

    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    assert cli.main(["start", str(tmp_path / "mine"), "--prepare-only"]) == 0
    for path in (tmp_path / "mine").glob("*.ipynb"):
        assert NotebookNotary().check_signature(nbformat.read(path, as_version=4)), path.name


def test_folder_in_use_by_a_file(tmp_path):
    """A file for a folder: one clear line, exit code 2, no traceback."""
    (tmp_path / "mine").write_text("keep")
    done = run("start", "mine", "--prepare-only", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [f"course-attention start: {tmp_path / 'mine'} is a file; name a folder"]


def test_port_in_use(tmp_path, taken, capsys):
    """A port in use: exit code 2, a free one is offered, and nothing was written."""
    assert cli.main(["start", str(tmp_path / "mine"), "--port", str(taken)]) == 2
    line = capsys.readouterr().err
    assert f"port {taken} is in use" in line
    offered = int(re.search(r"--port (\d+)", line)[1])
    assert offered != taken
    with socket.socket() as probe:
        if os.name != "nt":  # as a server does, to which a connection that has just ended is no hindrance
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("localhost", offered))
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("port", ["0", "65536", "-1", "many", ""])
def test_port_that_is_none(port, capsys):
    """What is no port is refused, with the rule and what came."""
    with pytest.raises(SystemExit) as stop:
        cli.main(["start", f"--port={port}"])
    assert stop.value.code == 2
    assert f"a port is a number from 1 to 65535; got '{port}'" in capsys.readouterr().err


def test_without_jupyterlab(tmp_path, monkeypatch, capsys):
    """Without JupyterLab the folder is prepared, and the line to type is named."""
    monkeypatch.setattr(cli.importlib.util, "find_spec", lambda name: None)
    assert cli.main(["start", str(tmp_path / "mine")]) == 2
    assert "pip install 'course-attention[lab]'" in capsys.readouterr().err
    assert (tmp_path / "mine" / "00_start_here.ipynb").is_file()


def test_without_browser(tmp_path, monkeypatch, capsys):
    """Where no browser is found JupyterLab is told so, and the student where to look for the address."""
    import webbrowser

    def none():
        raise webbrowser.Error("could not locate runnable browser")

    commands = []
    monkeypatch.setattr(webbrowser, "get", none)
    monkeypatch.setattr(cli, "_run", lambda command, folder: commands.append(command) or 0)
    assert cli.main(["start", str(tmp_path / "mine")]) == 0
    assert "--no-browser" in commands[0]
    assert "No browser was found" in capsys.readouterr().out


def status(url: str, deadline: float) -> int:
    """Return the status of a request, tried until something answers: the address is printed a little before."""
    directly = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while True:
        try:
            return directly.open(url, timeout=10).status
        except urllib.error.URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


@pytest.mark.journey
@pytest.mark.slow
def test_serves_the_first_notebook(tmp_path):
    """`start --no-browser --port N` serves on N, prints the address of the first notebook, and stops when told to.

    A second `start` on the same folder leads to the server that runs, and does not start another.
    """
    # Below those that the system gives to whoever asks for any: until the server starts, nobody takes it.
    port = next(one for one in range(20_000 + os.getpid() % 10_000, 32_000) if cli._free(one))
    command = [
        sys.executable,
        "-m",
        "course_attention.cli",
        "start",
        "mine",
        "--no-browser",
        "--port",
        str(port),
    ]
    log = tmp_path / "log"
    with log.open("w") as file:
        server = subprocess.Popen(command, cwd=tmp_path, stdout=file, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + 60
        while not (found := re.search(rf"http://(?:localhost|127\.0\.0\.1):{port}/\S+", log.read_text())):
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.2)
        assert "/lab/tree/00_start_here.ipynb" in found[0]
        token = re.search(r"token=(\w+)", found[0])[1]
        url = f"http://localhost:{port}/api/contents/00_start_here.ipynb?content=0&token={token}"
        assert status(url, deadline) == 200
        second = run("start", "mine", "--no-browser", "--restore", "02", cwd=tmp_path)
        assert second.returncode == 0, second.stderr
        assert re.search(rf"already runs there: \S+:{port}/lab\?token={token}", second.stdout)
        assert "File > Reload Notebook from Disk" in second.stdout
    finally:
        server.terminate()
        server.wait(timeout=30)
