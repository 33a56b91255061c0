"""Answers to the practice `ConvolutionReader` of notebook 03: its `forward`."""

from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn

from course_attention.experiments.self_attention.word_senses import word_vectors
from tests.corpus import change

class right__relu(nn.Module):
    def __init__(self, kernel_size=5, n_layers=2, d_model=16, d_hidden=32):
        super().__init__()
        self.embedding = word_vectors(d_model)
        widths = [d_model] + [d_hidden] * n_layers
        self.layers = nn.ModuleList(
            nn.Conv1d(d_in, d_out, kernel_size, padding=kernel_size // 2) for d_in, d_out in pairwise(widths)
        )
        self.output = nn.Linear(d_hidden, 2)

    def forward(self, tokens):
        x = self.embedding(tokens).transpose(1, 2)
        for layer in self.layers:
            x = F.relu(layer(x))
        return self.output(x.transpose(1, 2))

# The axes are exchanged by their order.
right__permute = change(
    right__relu,
    ("(tokens).transpose(1, 2)", "(tokens).permute(0, 2, 1)"),
    ("(x.transpose(1, 2))", "(x.permute(0, 2, 1))"),
)
# The larger of 0 and each number.
right__clamp = change(right__relu, ("F.relu(layer(x))", "layer(x).clamp(min=0)"))

wrong__reader_no_relu__1 = change(right__relu, ("F.relu(layer(x))", "layer(x)"))
wrong__reader_some_relu_missing__1 = change(
    right__relu,
    ("F.relu(layer(x))", "layer(x)"),
    ("self.output(x.", "self.output(x.relu()."),
)
wrong__reader_relu_before_layers__1 = change(right__relu, ("F.relu(layer(x))", "layer(F.relu(x))"))
wrong__reader_relu_of_scores__1 = change(
    right__relu, ("return self.output(x.transpose(1, 2))", "return F.relu(self.output(x.transpose(1, 2)))")
)
wrong__reader_probabilities__1 = change(
    right__relu, ("return self.output(x.transpose(1, 2))", "return self.output(x.transpose(1, 2)).softmax(-1)")
)
# The `return` is in the loop.
wrong__reader_first_layer_alone__1 = change(right__relu, ("        return", "            return"))
wrong__reader_without_output__1 = change(right__relu, ("self.output(x.transpose(1, 2))", "x.transpose(1, 2)"))
wrong__reader_without_output__2 = change(right__relu, ("self.output(x.transpose(1, 2))", "x"))

# The channels are still after the tokens.
wrong__reader_not_transposed__1 = change(right__relu, ("(tokens).transpose(1, 2)", "(tokens)"))
# Only the batch is turned.
extra__wrong_axes = change(right__relu, ("(tokens).transpose(1, 2)", "(tokens).transpose(0, 1)"))
# The ModuleList is called.
extra__list_called = change(right__relu, ("F.relu(layer(x))", "F.relu(self.layers(x))"))
# A sigmoid in place of a ReLU.
extra__sigmoid = change(right__relu, ("F.relu(layer(x))", "layer(x).sigmoid()"))
