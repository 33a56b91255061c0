"""The simulated GPU finds what was left on the wrong device, gives the CPU's numbers, and agrees with a real GPU.

The programs run in a process of their own, as the simulation lasts until its process ends. Where a real GPU is there,
the same programs run on it, and have to end in the same way.
"""

from __future__ import annotations

import json
import subprocess
import sys
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

SECOND_GPU = "torch.zeros(1, device='cuda:64')"
TRAINING = """
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)).to(gpu)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for _ in range(5):
    x = torch.randn(16, 4).to(gpu)
    loss = F.cross_entropy(model(x), x[:, :3].argmax(-1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
print([p.device.type for p in model.parameters()], [p.cpu().tolist() for p in model.parameters()])
"""

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


@cache
def ends(setup: str, gpu: str) -> dict[str, str]:
    """How each program ended where `gpu` is the GPU's name. One process runs them all: torch takes long to load."""
    programs = {name: program for name, (program, _) in {**FAULTS, **ALLOWED}.items()}
    ended = subprocess.run(
        [sys.executable, "-c", f"{setup}\n{EACH.replace('GPU', repr(gpu))}"],
        input=json.dumps({**programs, "training": TRAINING, "second GPU": SECOND_GPU}),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
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
    assert "invalid device ordinal" in ends(setup, "cuda")["second GPU"]


def test_training_gives_the_numbers_of_the_cpu() -> None:
    """A small training on the simulated GPU ends with the very weights that the CPU gets."""
    on_cpu, on_gpu = ends(REAL, "cpu")["training"], ends(SIMULATED, "cuda")["training"]
    assert on_gpu.startswith("['cuda', 'cuda', 'cuda', 'cuda']")
    assert on_cpu.replace("'cpu'", "'cuda'") == on_gpu
