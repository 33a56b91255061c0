"""The simulated GPU finds what was left on the wrong device, gives the CPU's numbers, and agrees with a real GPU.

The programs run in a process of their own, as the simulation lasts until its process ends. Where a real GPU is there,
the same programs run on it, and have to end in the same way.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import torch

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
TWO_DEVICES = "RuntimeError: Expected all tensors to be on the same device"

# The faults that a notebook or an answer could have, as short as they get, and the end that CUDA makes of each.
FAULTS = {
    "a mask left on the CPU": (
        "scores = torch.zeros(3, 3, device='cuda')\nscores.masked_fill(torch.ones(3, 3).bool(), 0.0)",
        TWO_DEVICES,
    ),
    "a causal mask made on the CPU": (
        "import torch.nn.functional as F\nx = torch.zeros(1, 3, 4, device='cuda')\n"
        "F.scaled_dot_product_attention(x, x, x, attn_mask=torch.ones(3, 3).tril().bool())",
        "RuntimeError: Expected",
    ),
    "numpy of a GPU's tensor": ("torch.zeros(3, device='cuda').numpy()", "TypeError: can't convert cuda:0"),
    "a plot of a GPU's tensor": (
        "import numpy\nnumpy.asarray(torch.zeros(3, device='cuda'))",
        "TypeError: can't convert cuda:0",
    ),
    "a CPU's generator": (
        "torch.randn(3, device='cuda', generator=torch.Generator().manual_seed(0))",
        "RuntimeError: Expected a 'cuda' device type for generator but found 'cpu'",
    ),
    "a constant that is no buffer": (
        "from torch import nn\n"
        "class Layer(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.linear, self.shift = nn.Linear(3, 3), torch.ones(3)\n"
        "    def forward(self, x):\n"
        "        return self.linear(x) + self.shift\n"
        "Layer().to('cuda')(torch.ones(2, 3, device='cuda'))",
        TWO_DEVICES,
    ),
    "a model that was not moved": (
        "from torch import nn\nnn.Linear(3, 3)(torch.ones(2, 3, device='cuda'))",
        TWO_DEVICES,
    ),
    "a cache on the other device": (
        "cache = torch.zeros(1, 4)\ntorch.cat([cache, torch.ones(1, 4, device='cuda')], dim=0)",
        TWO_DEVICES,
    ),
    "tokens on the CPU": (
        "from torch import nn\nnn.Embedding(5, 3).to('cuda')(torch.tensor([1, 2]))",
        TWO_DEVICES,
    ),
    "targets on the CPU": (
        "import torch.nn.functional as F\n"
        "F.cross_entropy(torch.zeros(2, 5, device='cuda'), torch.tensor([1, 2]))",
        TWO_DEVICES,
    ),
    "a CPU's tensor indexed from the GPU": (
        "torch.arange(5)[torch.tensor([1], device='cuda')]",
        "RuntimeError: indices should be either on cpu",
    ),
    "a second GPU": ("torch.zeros(1, device='cuda:64')", "invalid device ordinal"),
}

# What CUDA allows, and where the results are.
HONEST = {
    "a number from the CPU": "print((torch.ones(2, device='cuda') * torch.tensor(2.0)).device)",
    "an index from the CPU": "print(torch.arange(5, device='cuda')[torch.tensor([1])].device)",
    "a copy into it": "x = torch.zeros(2, device='cuda'); x.copy_(torch.ones(2)); print(x.device)",
    "to and from": "x = torch.ones(2).to('cuda'); print(x.device, x.cpu().device, x.to('cpu').numpy())",
    "the original stays": "x = torch.ones(2); y = x.to('cuda'); y += 1; print(x.device, x, y)",
    "like another": "x = torch.ones(2, device='cuda'); print(torch.zeros_like(x).device, torch.ones(2).to(x).device)",
    "printed": "print(torch.ones(2, device='cuda', dtype=torch.float64))",
    "formatted": "print(f'{torch.ones(2, device=\"cuda\").sum():.2f}')",
    "a copy of a layer": (
        "import copy; from torch import nn; layer = copy.deepcopy(nn.Linear(2, 2).to('cuda')); "
        "print(layer.weight.device, isinstance(layer.weight, nn.Parameter))"
    ),
    "a state dict": (
        "from torch import nn; layer = nn.Linear(2, 2).to('cuda'); "
        "layer.load_state_dict(nn.Linear(2, 2).state_dict()); "
        "print({name: tensor.device for name, tensor in layer.state_dict().items()})"
    ),
    "a buffer": (
        "from torch import nn; mean = nn.BatchNorm1d(2).to('cuda').running_mean; print(mean.device, mean)"
    ),
    "its own generator": (
        "g = torch.Generator(device='cuda').manual_seed(0); print(torch.rand(2, device='cuda', generator=g).device)"
    ),
    "gradients": (
        "x = torch.ones(2, device='cuda', requires_grad=True); (x * x).sum().backward(); print(x.grad)"
    ),
    "a view that is written": (
        "x = torch.zeros(2, 2, device='cuda'); x[0] = torch.ones(2); print(x.tolist(), x[0].device)"
    ),
    "sequences of several lengths": (
        "from torch import nn; from torch.nn.utils.rnn import pack_padded_sequence as pack; "
        "from torch.nn.utils.rnn import pad_packed_sequence as pad; "
        "gru = nn.GRU(3, 4, batch_first=True).to('cuda'); "
        "states, _ = gru(pack(torch.ones(2, 5, 3, device='cuda'), torch.tensor([5, 2]), batch_first=True)); "
        "padded, lengths = pad(states, batch_first=True); print(padded.device, lengths.device)"
    ),
    "an event": (
        "a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2)); a.record(); b.record(); "
        "torch.cuda.synchronize(); print(a.elapsed_time(b) >= 0)"
    ),
    "shapes without numbers": (
        "x = torch.ones(10**6, 10**6, device='meta'); print((x @ x).device, torch.ones(2).to('meta').device)"
    ),
}


def run(program: str, setup: str, given: str = "") -> subprocess.CompletedProcess[str]:
    code = f"{setup}\nimport torch\n{textwrap.dedent(program)}"
    return subprocess.run(
        [sys.executable, "-c", code],
        input=given,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


# Runs programs that are given as JSON, and tells how each ended.
EACH = """
import json, sys, torch
ends = {}
for name, program in json.loads(sys.stdin.read()).items():
    try:
        exec(program, {"torch": torch})
        ends[name] = "nothing was raised"
    except Exception as error:
        ends[name] = f"{type(error).__name__}: {error}"
print(json.dumps(ends))
"""


@pytest.mark.parametrize("setup", DEVICES)
def test_faults_are_found(setup: str) -> None:
    """What CUDA refuses ends in CUDA's error."""
    programs = {name: program for name, (program, _) in FAULTS.items()}
    ended = run(EACH, setup, json.dumps(programs))
    assert ended.returncode == 0, ended.stderr[-800:]
    ends = json.loads(ended.stdout)
    assert {name: end for name, end in ends.items() if FAULTS[name][1] not in end} == {}


@pytest.mark.parametrize("setup", DEVICES)
def test_what_is_allowed(setup: str) -> None:
    """What CUDA allows gives what CUDA gives, down to the printed text."""
    ended = run("\n".join(HONEST.values()), setup)
    assert ended.returncode == 0, ended.stderr[-800:]
    assert ended.stdout.splitlines() == EXPECTED


EXPECTED = [
    "cuda:0",
    "cuda:0",
    "cuda:0",
    "cuda:0 cpu [1. 1.]",
    "cpu tensor([1., 1.]) tensor([2., 2.], device='cuda:0')",
    "cuda:0 cuda:0",
    "tensor([1., 1.], device='cuda:0', dtype=torch.float64)",
    "2.00",
    "cuda:0 True",
    "{'weight': device(type='cuda', index=0), 'bias': device(type='cuda', index=0)}",
    "cuda:0 tensor([0., 0.], device='cuda:0')",
    "cuda:0",
    "tensor([2., 2.], device='cuda:0')",
    "[[1.0, 1.0], [0.0, 0.0]] cuda:0",
    "cuda:0 cpu",
    "True",
    "meta meta",
]


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
