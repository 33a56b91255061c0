"""Models of notebook 12 whose layers are of several kinds: full attention, windows, and memories that fade.

They are the function and the classes of the notebook once more, for a script, which cannot import from a notebook. A
test holds the two together.
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from course_attention.experiments.linear import assignments
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.masking import causal_mask, window_mask
from course_attention.mechanisms.positions import rotary

LENGTHS = np.array([64, 128, 256])  # lines of the tests; the training has the first
STACKS = {
    "4 memories": ["memory"] * 4,
    "3 memories, 1 full": ["memory"] * 3 + ["full"],
    "3 rotary, 1 full": ["rotary"] * 3 + ["full"],
    "3 windows, 1 full": ["window"] * 3 + ["full"],
    "1 full alone": ["full"],
    "4 full": ["full"] * 4,
    "4 full, rotary": ["rotary"] * 4,
}


def gated_in_chunks(query, key, value, beta, decay, size=64):
    """Compute the gated delta rule one chunk of tokens at a time."""
    memory = key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    outputs = []
    beta, decay = beta.unsqueeze(-1), decay.unsqueeze(-1)
    for q, k, v, b, a in zip(*(x.split(size, dim=-2) for x in (query, key, value, beta, decay)), strict=True):
        log_left = a.log().cumsum(dim=-2)  # what is left at token i of the memory before the chunk: (..., size, 1)
        # And of what token j has written. The first tril keeps exp from overflowing, the second takes away its exp(0).
        left = (log_left - log_left.mT).tril().exp().tril()
        from_before = log_left.exp()
        overlap = (b * left * (k @ k.mT)).tril(-1)
        wanted = b * (v - from_before * (k @ memory))
        changes = torch.linalg.solve_triangular(overlap, wanted, upper=False, unitriangular=True)
        outputs.append(from_before * (q @ memory) + (left * (q @ k.mT)) @ changes)
        memory = from_before[..., -1:, :] * memory + (left[..., -1:, :].mT * k).mT @ changes
    return torch.cat(outputs, dim=-2)


class Layer(nn.Module):
    """What a token takes from the tokens before it: by full attention, from a window, or from a memory that fades."""

    def __init__(self, kind, d_model=32, d_head=8):
        super().__init__()
        self.kind, self.norm = kind, nn.RMSNorm(d_model)
        self.w_query, self.w_key, self.w_value = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))
        self.w_out = nn.Linear(d_head, d_model, bias=False)
        if kind == "memory":
            self.gates = nn.Linear(d_model, 2)  # one number for β, one for the decay
            nn.init.constant_(self.gates.bias, 4.0)  # at first both are about 0.98; after 64 lines 0.31 is left

    def forward(self, x):
        x = self.norm(x)
        query, key, value, n_tokens = self.w_query(x), self.w_key(x), self.w_value(x), x.shape[-2]
        if self.kind == "memory":
            query, key = F.normalize(query, dim=-1), F.normalize(key, dim=-1)
            beta, decay = self.gates(x).sigmoid().unbind(dim=-1)
            return self.w_out(gated_in_chunks(query, key, value, beta, decay))
        if self.kind != "full":  # "full" has no positions
            query, key = (rotary(turned, torch.arange(n_tokens)) for turned in (query, key))
        allowed = window_mask(n_tokens, 8) if self.kind == "window" else causal_mask(n_tokens, n_tokens)
        return self.w_out(attention(query, key, value, allowed)[0])


class Stack(nn.Module):
    """Layers on top of each other, which answer the questions of a program."""

    def __init__(self, kinds, d_model=32):
        super().__init__()
        self.names = nn.Embedding(assignments.N_VARIABLES + assignments.N_CONSTANTS, d_model)
        self.digits = nn.Embedding(assignments.N_DIGITS + 1, d_model)
        self.layers = nn.ModuleList(Layer(kind, d_model) for kind in kinds)
        self.output = nn.Sequential(nn.RMSNorm(d_model), nn.Linear(d_model, assignments.N_DIGITS))

    def forward(self, names, digits):
        x = self.names(names) + self.digits(digits)
        for layer in self.layers:
            x = x + layer(x)
        return self.output(x)


@torch.no_grad()
def accuracies(model, n_lines, n_constants, n_programs=64):
    """Return the share of right answers about variables, and about constants, in new programs."""
    names, digits, targets = assignments.draw_programs(
        n_programs, n_lines, n_constants, torch.Generator().manual_seed(1)
    )
    right, is_asked = model(names, digits).argmax(dim=-1) == targets, targets >= 0
    is_constant = names >= assignments.N_VARIABLES
    return [right[is_asked & group].float().mean().item() for group in (~is_constant, is_constant)]
