"""tools/install.py: uv is told what pip is told, one line says what is going on, and a failure says why."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from tools import at_bounds, install

ROOT = Path(__file__).resolve().parents[1]
LISTED = """\
:env:.find-links='/wheels'
:env:.no-index='0'
global.cert='/etc/certificates.crt'
global.extra-index-url='https://one.example/simple\\nhttps://two.example/simple'
global.find-links='/weaker'
install.trusted-host='one.example'
list.format='columns'
"""


def test_uv_is_told_what_pip_is_told():
    """Indexes, folders of wheels and certificates of pip's files and environment reach uv; the stronger one counts."""
    options, variables = install.for_uv(install.pip_settings(LISTED))
    told = list(zip(options[::2], options[1::2], strict=True))
    assert sorted(told) == [
        ("--allow-insecure-host", "one.example"),
        ("--find-links", "/wheels"),
        ("--index", "https://one.example/simple"),
        ("--index", "https://two.example/simple"),
        ("--index-strategy", "unsafe-best-match"),
    ]
    assert variables["SSL_CERT_FILE"] == "/etc/certificates.crt"


def test_no_index_is_told():
    """Where pip may ask no index, uv may not either."""
    assert install.for_uv(install.pip_settings(":env:.no-index='1'\n"))[0] == ["--no-index"]


def test_pip_lists_what_is_read(monkeypatch):
    """What pip itself prints is what the reader expects."""
    monkeypatch.setenv("PIP_FIND_LINKS", "/some/wheels /other/wheels")
    listed = subprocess.run([*install.PIP, "config", "list"], capture_output=True, text=True, check=True)
    assert install.pip_settings(listed.stdout)["find-links"] == ["/some/wheels", "/other/wheels"]


def test_progress_is_one_line_that_moves(monkeypatch, capsys):
    """On a terminal one line tells how long it has taken and what is on its way; a log gets a line once."""
    says = "import time; print('Downloading torch (184.2MiB)', flush=True); time.sleep(1); print(' Downloaded torch')"
    command = [sys.executable, "-c", says]
    assert install.followed(command, {}, "Installing ...") == (
        True,
        "Downloading torch (184.2MiB)\n Downloaded torch\n",
    )
    assert capsys.readouterr().out == "Installing ...\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    install.followed(command, {}, "Installing ...")
    shown = capsys.readouterr().out
    assert shown.count("\n") == 1
    moments = [moment.strip() for moment in shown.split("\r")]
    assert any(re.fullmatch(r"Installing \.\.\. \d+ s, torch \(184\.2MiB\)", moment) for moment in moments)
    assert re.fullmatch(r"Installing \.\.\. \d+ s", moments[-1])


def test_failure_says_why(tmp_path):
    """Where no index can be reached, the last words are the reason, and not that there is no such version."""
    environment = tmp_path / "environment"
    venv.create(environment, symlinks=os.name != "nt")
    paths = sysconfig.get_paths(vars={"base": str(environment), "platbase": str(environment)})
    shutil.copytree(distribution("pip").locate_file("pip"), Path(paths["purelib"]) / "pip")
    python = Path(paths["scripts"]) / ("python.exe" if os.name == "nt" else "python")
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    variables |= {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
    done = subprocess.run(
        [python, ROOT / "tools" / "install.py", "lab"],
        env=variables,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1
    last = done.stderr[done.stderr.rindex("The course could not be installed") :]
    assert "connection" in last and "No matching distribution" not in last


def test_cause_is_what_uv_says():
    """Of uv's message the lines count that say why; names of what was downloaded do not."""
    said = "Resolved 3 packages in 1s\nDownloading x (1MiB)\nerror: Failed to fetch\n  cause: dns error\n"
    assert install.cause(said) == "error: Failed to fetch\n  cause: dns error"
    assert install.cause("killed") == "killed"


def test_index_is_asked_for_torch_though_one_is_here(tmp_path, monkeypatch):
    """A torch that is installed, or that uv remembers, does not make its index reachable."""
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path))
    assert not install.reaches_cpu_index(install.locked_torch(), {})


def test_bounds_are_those_of_the_project():
    """The oldest torch that is tried is the lowest that the course admits, and the tests that are run exist."""
    lowest = at_bounds.torch_at("newest").removeprefix("torch>=")
    oldest = Requirement(at_bounds.torch_at("oldest")).specifier
    assert oldest.contains(lowest) and not oldest.contains("1.13")
    assert [path for path in at_bounds.TESTS if not (ROOT / path).exists()] == []
