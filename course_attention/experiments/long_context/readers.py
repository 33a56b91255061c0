"""The readers of lists of notebook 11, which look up a name with one attention.

They are the class and the functions of the notebook once more, for a script, which cannot import from a notebook. A
test holds the two together.
"""

import torch
import torch.nn.functional as F
from torch import nn

from course_attention.experiments.long_context.lists import N_DIGITS, N_NAMES, draw_lists
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.long_context import attention_with_sink


class ListReader(nn.Module):
    """One attention to the lines of a list. The asked name is the query, the names are keys, the digits are values."""

    def __init__(self, kind, d=16):
        super().__init__()
        self.kind, self.sink = kind, nn.Parameter(torch.zeros(()))
        self.query, self.key, self.value = (
            nn.Embedding(N_NAMES, d),
            nn.Embedding(N_NAMES + 1, d),
            nn.Embedding(N_DIGITS + 1, d),
        )
        self.answer = nn.Linear(d, N_DIGITS + 1)  # a digit, or “not there”

    def forward(self, names, digits, asked, evicted=False):
        if self.kind == "first token" and not evicted:
            names, digits = F.pad(names, (1, 0), value=N_NAMES), F.pad(digits, (1, 0), value=N_DIGITS)
        inputs = self.query(asked)[:, None], self.key(names), self.value(digits)
        output, self.weights = (
            attention_with_sink(*inputs, self.sink) if self.kind == "learned sink" else attention(*inputs)
        )
        return self.answer(output[:, 0])


def train(kind, seed, n_steps=400):
    torch.manual_seed(seed)  # decides the initial weights and the lists
    reader = ListReader(kind)
    optimizer = torch.optim.Adam(reader.parameters(), lr=0.03)
    for _ in range(n_steps):
        *lists, answers = draw_lists(128, n_lines=int(torch.randint(1, 9, ())))
        loss = F.cross_entropy(reader(*lists), answers)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return reader


@torch.no_grad()
def shares(reader, n_lines, evicted=False):
    """Shares of right answers, for names that are in the list and for those that are not."""
    *lists, answers = draw_lists(2000, n_lines, torch.Generator().manual_seed(9))
    right, there = reader(*lists, evicted).argmax(-1) == answers, answers < N_DIGITS
    return right[there].float().mean().item(), right[~there].float().mean().item()
