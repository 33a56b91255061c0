"""The simulated GPU finds what was left on the wrong device, gives the CPU's numbers, and agrees with a real GPU.

The programs run in a process of their own, as the simulation lasts until its process ends. Where a real GPU is there,
the same programs run on it, and have to end in the same way.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from functools import cache
from pathlib import Path

import pytest
import torch

from tests.simulated_cuda.programs import ALLOWED, FAULTS

ROOT = Path(__file__).resolve().parents[2]
SIMULATED = "from tests.simulated_cuda import install; install()"
REAL = "import torch"
DEVICES = [
    pytest.param(SIMULATED, id="simulated"),
    pytest.param(
        REAL,
        id="real",
        marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch finds no CUDA device"),
    ),
]

# Runs programs that are given as JSON, and tells how each ended: what it printed, or its error.
EACH = """
import contextlib, io, json, sys, torch
from torch import nn
import torch.nn.functional as F
ends = {}
for name, program in json.loads(sys.stdin.read()).items():
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(program, {"torch": torch, "nn": nn, "F": F, "gpu": GPU})
        ends[name] = printed.getvalue().strip()
    except Exception as error:
        ends[name] = f"{type(error).__name__}: {error}"
print(json.dumps(ends))
"""


def run(program: str, setup: str, given: str = "") -> subprocess.CompletedProcess[str]:
    code = f"{setup}\nimport torch\n{textwrap.dedent(program)}"
    return subprocess.run(
        [sys.executable, "-c", code],
        input=given,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@cache
def ends(setup: str, gpu: str) -> dict[str, str]:
    """How each program ended where `gpu` is the GPU's name."""
    programs = {name: program for name, (program, _) in {**FAULTS, **ALLOWED}.items()}
    ended = run(EACH.replace("GPU", repr(gpu)), setup, json.dumps(programs))
    assert ended.returncode == 0, ended.stderr[-800:]
    return json.loads(ended.stdout)


@pytest.mark.parametrize("setup", DEVICES)
@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_found(name: str, setup: str) -> None:
    """What CUDA refuses ends in CUDA's error."""
    assert FAULTS[name][1] in ends(setup, "cuda")[name]


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_one_of_devices(name: str) -> None:
    """All on the CPU, and without the simulation, the same program runs through."""
    assert ends(REAL, "cpu")[name] == ""


@pytest.mark.parametrize("setup", DEVICES)
@pytest.mark.parametrize("name", ALLOWED)
def test_what_is_allowed(name: str, setup: str) -> None:
    """What CUDA allows gives what CUDA gives, down to the printed text."""
    assert ends(setup, "cuda")[name] == ALLOWED[name][1]


@pytest.mark.parametrize("setup", DEVICES)
def test_no_second_gpu(setup: str) -> None:
    """A GPU that is not there is refused."""
    assert "invalid device ordinal" in run("torch.zeros(1, device='cuda:64')", setup).stderr


def test_training_gives_the_numbers_of_the_cpu() -> None:
    """A small training on the simulated GPU ends with the very weights that the CPU gets."""
    program = """
    from torch import nn
    import torch.nn.functional as F
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(5):
        x = torch.randn(16, 4).to(DEVICE)
        loss = F.cross_entropy(model(x), x[:, :3].argmax(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    print([p.device.type for p in model.parameters()], [p.cpu().tolist() for p in model.parameters()])
    """
    on_cpu = run(program.replace("DEVICE", "'cpu'"), "")
    on_gpu = run(program.replace("DEVICE", "'cuda'"), SIMULATED)
    assert on_gpu.returncode == 0, on_gpu.stderr
    assert on_gpu.stdout.startswith("['cuda', 'cuda', 'cuda', 'cuda']")
    assert on_cpu.stdout.replace("'cpu'", "'cuda'") == on_gpu.stdout
