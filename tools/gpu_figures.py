"""What `tools/on_a_gpu.sh` says about the machine and about the notebooks.

python tools/gpu_figures.py facts
python tools/gpu_figures.py durations notebooks.xml                 # of nbval's --junitxml
python tools/gpu_figures.py measured notebooks/07_complexity.ipynb  # runs it, prints the figures it measures
"""

from __future__ import annotations

import platform
import sys
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree


def facts() -> None:
    """Print the versions, and what the GPU is."""
    import torch

    print(f"Python {platform.python_version()}, torch {torch.__version__}, CUDA {torch.version.cuda}")
    if not torch.cuda.is_available():
        print("no GPU")
        return
    found = torch.cuda.get_device_properties(0)
    print(f"{found.name}, {found.total_memory / 2**30:.0f} GiB, compute capability {found.major}.{found.minor}")


def durations(report: Path) -> None:
    """Print how long the cells of each notebook took, in seconds, and how many did not show what was saved."""
    times: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        name = case.get("classname", "").split(".")[1]
        times[name] += float(case.get("time", 0))
        wrong[name] += any(case.find(kind) is not None for kind in ("failure", "error"))
    print("| notebook | s | cells that differ |\n|---|---|---|")
    for name in sorted(times):
        print(f"| {name} | {times[name]:.0f} | {wrong[name]} |")


def measured(path: Path) -> None:
    """Run a notebook, and print what those cells print whose outputs are another each time: the times."""
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    began = time.monotonic()
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    print(f"{path.stem}: {time.monotonic() - began:.0f} s")
    for cell in notebook["cells"]:
        if "nbval-ignore-output" in cell["metadata"].get("tags", []):
            for output in cell.get("outputs", []):
                if output["output_type"] == "stream" and output["name"] == "stdout":
                    print(output["text"].rstrip())


if __name__ == "__main__":
    what, *paths = sys.argv[1:]
    if what == "facts":
        facts()
    else:
        for given in paths:
            {"durations": durations, "measured": measured}[what](Path(given))
