"""Short programs and how CUDA ends them. `gpu` is its name in them, and they know `torch`, `nn` and `F`.

With "cpu" in the place of `gpu` each of the faults runs through: nothing but the device is wrong in it.
"""

from __future__ import annotations

TWO_DEVICES = "RuntimeError: Expected all tensors to be on the same device"

# The faults that a notebook or an answer could have, as short as they get, and the error that CUDA makes of each.
FAULTS = {
    "a mask left on the CPU": (
        "torch.zeros(3, 3, device=gpu).masked_fill(torch.ones(3, 3).bool(), 0.0)",
        TWO_DEVICES,
    ),
    "a causal mask made on the CPU": (
        "x = torch.zeros(1, 3, 4, device=gpu)\n"
        "F.scaled_dot_product_attention(x, x, x, attn_mask=torch.ones(3, 3).tril().bool())",
        "RuntimeError: Expected",
    ),
    "a choice by a mask on the CPU": (
        "torch.where(torch.ones(3).bool(), torch.zeros(3, device=gpu), -1.0)",
        TWO_DEVICES,
    ),
    "numpy of a GPU's tensor": ("torch.zeros(3, device=gpu).numpy()", "TypeError: can't convert cuda:0"),
    "a plot of a GPU's tensor": (
        "import numpy\nnumpy.asarray(torch.zeros(3, device=gpu))",
        "TypeError: can't convert cuda:0",
    ),
    "Python for each number": (
        "torch.zeros(3, device=gpu).apply_(lambda number: number + 1)",
        "TypeError: apply_ is only implemented on CPU tensors",
    ),
    "a CPU's generator": (
        "torch.randn(3, device=gpu, generator=torch.Generator().manual_seed(0))",
        "RuntimeError: Expected a 'cuda' device type for generator but found 'cpu'",
    ),
    "a constant that is no buffer": (
        "class Layer(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.linear, self.shift = nn.Linear(3, 3), torch.ones(3)\n"
        "    def forward(self, x):\n"
        "        return self.linear(x) + self.shift\n"
        "Layer().to(gpu)(torch.ones(2, 3, device=gpu))",
        TWO_DEVICES,
    ),
    "a model that was not moved": ("nn.Linear(3, 3)(torch.ones(2, 3, device=gpu))", TWO_DEVICES),
    "a cache on the other device": (
        "cache = torch.zeros(1, 4)\ntorch.cat([cache, torch.ones(1, 4, device=gpu)], dim=0)",
        TWO_DEVICES,
    ),
    "a number that is stacked": ("torch.stack([torch.ones((), device=gpu), torch.tensor(2.0)])", TWO_DEVICES),
    "one number on an axis of its own": ("torch.zeros(3, device=gpu) + torch.ones(1)", TWO_DEVICES),
    "a sum that is kept on the CPU": (
        "total = torch.zeros(3)\ntotal += torch.ones(3, device=gpu)",
        TWO_DEVICES,
    ),
    "tokens on the CPU": ("nn.Embedding(5, 3).to(gpu)(torch.tensor([1, 2]))", TWO_DEVICES),
    "targets on the CPU": (
        "F.cross_entropy(torch.zeros(2, 5, device=gpu), torch.tensor([1, 2]))",
        TWO_DEVICES,
    ),
    "a CPU's tensor indexed from the GPU": (
        "torch.arange(5)[torch.tensor([1], device=gpu)]",
        "RuntimeError: indices should be either on cpu",
    ),
}

# What CUDA allows, and what it prints.
ALLOWED = {
    "it is there": ("print(torch.cuda.is_available(), torch.cuda.device_count() > 0)", "True True"),
    "a number from the CPU": ("print((torch.ones(2, device=gpu) * torch.tensor(2.0)).device)", "cuda:0"),
    "an index from the CPU": ("print(torch.arange(5, device=gpu)[torch.tensor([1])].device)", "cuda:0"),
    "a mask from the CPU as an index": (
        "print(torch.arange(3, device=gpu)[torch.tensor([True, False, True])])",
        "tensor([0, 2], device='cuda:0')",
    ),
    "a copy into it": ("x = torch.zeros(2, device=gpu); x.copy_(torch.ones(2)); print(x.device)", "cuda:0"),
    "to and from": (
        "x = torch.ones(2).to(gpu); print(x.device, x.cpu().device, x.to('cpu').numpy())",
        "cuda:0 cpu [1. 1.]",
    ),
    "the original stays": (
        "x = torch.ones(2); y = x.to(gpu); y += 1; print(x.device, x, y)",
        "cpu tensor([1., 1.]) tensor([2., 2.], device='cuda:0')",
    ),
    "like another": (
        "x = torch.ones(2, device=gpu); print(torch.zeros_like(x).device, torch.ones(2).to(x).device)",
        "cuda:0 cuda:0",
    ),
    "printed": (
        "print(torch.ones(2, device=gpu, dtype=torch.float64))",
        "tensor([1., 1.], device='cuda:0', dtype=torch.float64)",
    ),
    "formatted": ("print(f'{torch.ones(2, device=gpu).sum():.2f}')", "2.00"),
    "a copy of a layer": (
        "import copy; layer = copy.deepcopy(nn.Linear(2, 2).to(gpu))\n"
        "print(layer.weight.device, isinstance(layer.weight, nn.Parameter))",
        "cuda:0 True",
    ),
    "a layer moved by keywords": (
        "weight = nn.Linear(2, 2).to(device=gpu, dtype=torch.float64).weight; print(weight.device, weight.dtype)",
        "cuda:0 torch.float64",
    ),
    "a layer moved to a tensor": (
        "weight = nn.Linear(2, 2).to(torch.ones(1, device=gpu).half()).weight; print(weight.device, weight.dtype)",
        "cuda:0 torch.float16",
    ),
    "a layer moved back": ("print(nn.Linear(2, 2).to(gpu).cpu().weight.device)", "cpu"),
    "a state dict": (
        "layer = nn.Linear(2, 2).to(gpu); layer.load_state_dict(nn.Linear(2, 2).state_dict())\n"
        "print({name: str(tensor.device) for name, tensor in layer.state_dict().items()})",
        "{'weight': 'cuda:0', 'bias': 'cuda:0'}",
    ),
    "a state dict in a file": (
        "import io; file = io.BytesIO(); torch.save(nn.Linear(2, 2).to(gpu).cpu().state_dict(), file); file.seek(0)\n"
        "layer = nn.Linear(2, 2).to(gpu); layer.load_state_dict(torch.load(file)); print(layer.weight.device)",
        "cuda:0",
    ),
    "an optimiser and its state": (
        "layer = nn.Linear(2, 1).to(gpu); optimizer = torch.optim.AdamW(layer.parameters())\n"
        "layer(torch.ones(3, 2, device=gpu)).sum().backward(); optimizer.step()\n"
        "print({name: str(value.device) for name, value in optimizer.state[layer.bias].items()})\n"
        "other = torch.optim.AdamW(layer.parameters()); other.load_state_dict(optimizer.state_dict())\n"
        "print(other.state[layer.weight]['exp_avg'].device)",
        "{'step': 'cpu', 'exp_avg': 'cuda:0', 'exp_avg_sq': 'cuda:0'}\ncuda:0",
    ),
    "a buffer": (
        "mean = nn.BatchNorm1d(2).to(gpu).running_mean; print(mean.device, mean)",
        "cuda:0 tensor([0., 0.], device='cuda:0')",
    ),
    "its own generator": (
        "a, b = (torch.rand(2, device=gpu, generator=torch.Generator(gpu).manual_seed(0)) for _ in range(2))\n"
        "print(a.device, torch.equal(a, b))",
        "cuda:0 True",
    ),
    "other numbers than the CPU's": (
        "torch.manual_seed(0); a = torch.rand(9, device=gpu); b = torch.rand(9)\n"
        "torch.manual_seed(0); print(torch.equal(torch.rand(9), b), torch.equal(a.cpu(), b))\n"
        "print(torch.equal(torch.rand(9, device=gpu), a))",
        "True False\nTrue",
    ),
    "a fork of its random numbers": (
        "with torch.random.fork_rng():\n    a = torch.rand(9, device=gpu)\n"
        "print(torch.equal(torch.rand(9, device=gpu), a))",
        "True",
    ),
    "gradients": (
        "x = torch.ones(2, device=gpu, requires_grad=True); (x * x).sum().backward(); print(x.grad)\n"
        "print(torch.autograd.grad((x**3).sum(), x))",
        "tensor([2., 2.], device='cuda:0')\n(tensor([3., 3.], device='cuda:0'),)",
    ),
    "a view that is written": (
        "x = torch.zeros(2, 2, device=gpu); x[0] = torch.ones(2); print(x.tolist(), x[0].device)",
        "[[1.0, 1.0], [0.0, 0.0]] cuda:0",
    ),
    "sequences of several lengths": (
        "from torch.nn.utils.rnn import pack_padded_sequence as pack, pad_packed_sequence as pad\n"
        "gru = nn.GRU(3, 4, batch_first=True).to(gpu)\n"
        "states, _ = gru(pack(torch.ones(2, 5, 3, device=gpu), torch.tensor([5, 2]), batch_first=True))\n"
        "padded, lengths = pad(states, batch_first=True); print(padded.device, lengths.device)",
        "cuda:0 cpu",
    ),
    "an event": (
        "a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2)); a.record(); b.record()\n"
        "torch.cuda.synchronize(); print(a.elapsed_time(b) >= 0)",
        "True",
    ),
    "its memory": (
        "before = torch.cuda.memory_allocated(); x = torch.zeros(2**20, device=gpu)\n"
        "print(torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() >= 2**22)",
        "4194304 True",
    ),
    "shapes without numbers": (
        "x = torch.ones(10**6, 10**6, device='meta'); print((x @ x).device, torch.ones(2).to('meta').device)",
        "meta meta",
    ),
}
