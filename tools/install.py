"""Installs the course and extras of it, in the versions of requirements.lock, for the Python that runs this.

    .venv/bin/python tools/install.py lab

uv does it, which pip fetches first: it is several times as fast. Where uv cannot be had, or does not succeed, pip does
it. The Makefile, Binder and the dev container all install by this script; it needs nothing but Python.
"""

from __future__ import annotations

import ast
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = "requirements.lock"
PIP = (sys.executable, "-m", "pip")
UV = (sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable)
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
# What pip is told in its files and its environment, and how uv is told the same, once for each word of it.
OPTIONS = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "trusted-host": "--allow-insecure-host",
}
VARIABLES = {
    "cert": ("SSL_CERT_FILE",),
    "proxy": ("HTTP_PROXY", "HTTPS_PROXY"),
    "timeout": ("UV_HTTP_TIMEOUT",),
    "default-timeout": ("UV_HTTP_TIMEOUT",),
}
# pip's sections, from the weakest to the strongest.
SECTIONS = ("global", "install", ":env:")


def pip_settings(listed: str) -> dict[str, list[str]]:
    """Return the settings that count among those that `pip config list` names, as lists of words."""
    lines = re.findall(r"^([^\s.]+)\.([\w-]+)=(.*)$", listed, re.MULTILINE)
    lines = [line for line in lines if line[0] in SECTIONS]
    lines.sort(key=lambda line: SECTIONS.index(line[0]))
    return {name: str(ast.literal_eval(value)).split() for _, name, value in lines}


def for_uv(settings: dict[str, list[str]]) -> tuple[list[str], dict[str, str]]:
    """Return uv's options and environment variables that say what pip is told: uv reads none of pip's settings."""
    options = [part for name in OPTIONS for word in settings.get(name, ()) for part in (OPTIONS[name], word)]
    if "extra-index-url" in settings:
        options += ["--index-strategy", "unsafe-best-match"]  # as pip does: every index is asked
    if settings.get("no-index", ["0"])[0].lower() in ("1", "true", "yes", "on"):
        options.append("--no-index")
    variables = {"UV_SYSTEM_CERTS": "1"}  # as pip does: a university's proxy has its certificate there
    for name, words in settings.items():
        variables |= {variable: " ".join(words) for variable in VARIABLES.get(name, ())}
    return options, variables


def told_to_pip() -> tuple[list[str], dict[str, str]]:
    """Return uv's options and environment variables for what pip is told on this machine."""
    listed = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=True)
    return for_uv(pip_settings(listed.stdout))


def locked_torch() -> str:
    """Return torch as requirements.lock has it."""
    (line,) = re.findall(r"^torch==\S+", (ROOT / LOCK).read_text(encoding="utf-8"), re.MULTILINE)
    return line


def loading(said: list[str]) -> list[str]:
    """Return what uv has begun to download and has not finished, with its size."""
    begun = dict(re.findall(r"^Downloading (\S+) (\(\S+\))", "".join(said), re.MULTILINE))
    ended = re.findall(r"^ *Downloaded (\S+)", "".join(said), re.MULTILINE)
    return [f"{name} {size}" for name, size in begun.items() if name not in ended]


def followed(command: list[str], variables: dict[str, str], what: str) -> tuple[bool, str]:
    """Run a command of uv's and show in one line what it is doing; return whether it succeeded and what it said."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=variables | os.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    said: list[str] = []

    def read() -> None:
        with process.stdout as lines:
            said.extend(lines)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    begun = time.monotonic()
    moving = sys.stdout.isatty()  # a log gets the line once
    print(what, end="" if moving else "\n", flush=True)
    while reader.is_alive():
        reader.join(0.2)
        if moving:
            width = shutil.get_terminal_size().columns - 1
            line = ", ".join([f"{what} {time.monotonic() - begun:.0f} s", *loading(said)])
            print(f"\r{line[:width]:<{width}}", end="", flush=True)
    if moving:
        print()
    return process.wait() == 0, "".join(said)


def with_uv(extras: str, torch: str) -> tuple[bool, str]:
    """Install by uv; return whether that succeeded, and what went wrong."""
    # No other: where there is no wheel of it, building it would take longer than all the rest.
    fetch = ("install", "--quiet", "--retries", "1", "--only-binary", "uv", "-c", LOCK, "uv")
    fetched = subprocess.run([*PIP, *fetch], cwd=ROOT, capture_output=True, text=True, errors="replace")
    if fetched.returncode:
        return False, fetched.stderr
    options, variables = told_to_pip()
    if wants_cpu_build() and reaches_cpu_index(torch, variables):
        options += ["--torch-backend", "cpu"]
    command = [*UV, *options, "-c", LOCK, "-e", f".[{extras}]"]
    return followed(command, variables, f"Installing the course and the libraries of: {extras} ...")


def wants_cpu_build() -> bool:
    """Say whether PyPI's torch would bring 3 GB of CUDA libraries for nothing: on Linux without an NVIDIA driver."""
    return platform.system() == "Linux" and shutil.which("nvidia-smi") is None


def reaches_cpu_index(torch: str, variables: dict[str, str]) -> bool:
    """Say whether uv finds the CPU build of torch where PyTorch keeps it. Nothing is installed."""
    # --reinstall: a torch that is here already says nothing about the index.
    command = [*UV, "--quiet", "--dry-run", "--reinstall", "--no-deps", "--torch-backend", "cpu", torch]
    once = variables | os.environ | {"UV_HTTP_RETRIES": "1"}
    if subprocess.run(command, env=once, capture_output=True).returncode == 0:
        return True
    print(f"{CPU_INDEX} cannot be reached: torch comes from where the other libraries do, maybe with CUDA (3 GB).")
    return False


def with_pip(extras: str, torch: str) -> bool:
    """Install by pip; return whether that succeeded. A terminal shows its progress."""
    quiet = [] if sys.stdout.isatty() else ["--quiet"]
    index = ["--extra-index-url", CPU_INDEX] if wants_cpu_build() else []
    # torch first and alone, so that its index is asked for nothing else; where that is not reached, PyPI answers.
    for wanted in (["--no-deps", *index, torch], ["-c", LOCK, "-e", f".[{extras}]"]):
        if subprocess.run([*PIP, "install", *quiet, "--retries", "1", *wanted], cwd=ROOT).returncode:
            return False
    return True


def cause(said: str) -> str:
    """Return the lines of uv's or pip's message that say why; what could not be reached is the last of these."""
    lines = [line for line in said.splitlines() if re.search(r"error:|cause:|×|broken by|╰|│", line)]
    return "\n".join(lines) or said


def main(extras: str) -> int:
    """Install, by uv or by pip; the exit code says whether that succeeded."""
    torch = locked_torch()
    done, said = with_uv(extras, torch)
    if done:
        return 0
    print(said, "uv did not do it; pip goes on, which takes some minutes.", sep="\n", flush=True)
    if with_pip(extras, torch):
        return 0
    print(f"The course could not be installed. What went wrong first:\n{cause(said)}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
