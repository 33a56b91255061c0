"""The most memory that a notebook's kernel holds while all its cells run: what a hub has to give each student.

Each notebook of the course runs blank, in a kernel of its own. The figure is the kernel's VmHWM, which Linux keeps for
each process. Kernels that run side by side share the pages of their libraries, so together they need less than the sum.
"""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
MB = 1_000_000


def most_held(path: Path) -> int:
    """Return the bytes that the kernel of a notebook held at most."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(NOTEBOOKS)}})
    with client.setup_kernel(stderr=subprocess.DEVNULL):  # a new kernel warns of its transport
        for index, cell in enumerate(notebook.cells):
            client.execute_cell(cell, index)
        status = Path(f"/proc/{client.km.provisioner.pid}/status").read_text()
    return 1024 * int(re.search(r"VmHWM:\s*(\d+) kB", status)[1])


def main() -> None:
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        start = time.monotonic()
        print(f"{path.stem:26} {most_held(path) / MB:6.0f} MB   {time.monotonic() - start:4.0f} s", flush=True)


if __name__ == "__main__":
    main()
