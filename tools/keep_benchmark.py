"""Runs a benchmark, shows what it prints, and keeps that with the machine in `benchmarks/measured/`.

    python tools/keep_benchmark.py benchmarks/multi_head.py [its own arguments]

`make bench` does so for each. The site shows the figures.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path

import torch

MEASURED = Path(__file__).resolve().parents[1] / "benchmarks" / "measured"


def machine() -> str:
    """Return the processor, the GPU where there is one, and how busy the machine is with other work."""
    cpuinfo = Path("/proc/cpuinfo")
    names = [line.split(":", 1)[1].strip() for line in _lines(cpuinfo) if line.startswith("model name")]
    gpu = f", {torch.cuda.get_device_name()}" if torch.cuda.is_available() else ""
    load = f", load {os.getloadavg()[0]:.1f} before the run" if hasattr(os, "getloadavg") else ""
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores{gpu}{load}"


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.is_file() else []


def main(script: Path, *arguments: str) -> int:
    """Run the benchmark; returns its exit code. What failed is not kept."""
    head = [
        f"$ python benchmarks/{script.name} {' '.join(arguments)}".rstrip(),
        f"# {date.today()}, {machine()}",
        f"# Python {platform.python_version()}, torch {torch.__version__}",
    ]
    print(*head, sep="\n", flush=True)
    shown = []
    with subprocess.Popen([sys.executable, script, *arguments], stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout or ():
            print(line, end="", flush=True)
            shown.append(line)
    if running.returncode == 0:
        MEASURED.mkdir(exist_ok=True)
        (MEASURED / f"{script.stem}.txt").write_text("\n".join(head) + "\n\n" + "".join(shown), encoding="utf-8")
    return running.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
