"""The readers of notebook 06: one layer of attention, without positions, and with four of the five ways to have them.

They are the classes of the notebook once more, for a script and for practice, neither of which can import from a
notebook. A test holds the two together. The fifth way, `RotaryReader`, is practice.
"""

import math

import torch
from torch import nn

from course_attention.experiments.positions import log_book
from course_attention.mechanisms.masking import masked_softmax
from course_attention.mechanisms.multi_head import merge_heads, split_heads
from course_attention.mechanisms.positions import alibi_bias, relative_bias, sinusoidal_encoding


class Reader(nn.Module):
    """One layer of causal attention that answers a question about every line of a log book."""

    def __init__(self, n_heads=4, d_head=32):
        super().__init__()
        self.n_heads, self.d_model = n_heads, n_heads * d_head
        self.letters = nn.Embedding(log_book.N_LETTERS, self.d_model)
        self.digits = nn.Embedding(log_book.N_DIGITS, self.d_model)
        self.w_query, self.w_key, self.w_value = (nn.Linear(self.d_model, self.d_model, bias=False) for _ in range(3))
        self.output = nn.Linear(self.d_model, log_book.N_DIGITS, bias=False)

    def add_positions(self, x):  # x: (batch, n_tokens, d_model)
        return x

    def turn(self, vectors):  # queries or keys: (batch, n_heads, n_tokens, d_head)
        return vectors

    def bias(self, n_tokens):  # something to add to the scores: (n_heads, n_tokens, n_tokens)
        return torch.zeros(self.n_heads, n_tokens, n_tokens)

    def forward(self, letters, digits):
        x = self.add_positions(self.letters(letters) + self.digits(digits))
        query, key, value = (split_heads(w(x), self.n_heads) for w in (self.w_query, self.w_key, self.w_value))
        scores = self.turn(query) @ self.turn(key).mT / math.sqrt(query.shape[-1])
        scores = scores + self.bias(x.shape[-2])
        before = torch.ones(scores.shape[-2:]).tril(-1).bool()
        self.weights = masked_softmax(scores, before)
        return self.output(merge_heads(self.weights @ value))  # a score for each of the ten digits, at every line


class LearnedReader(Reader):
    def __init__(self, n_positions=256):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(n_positions, self.d_model))  # short vectors at first

    def add_positions(self, x):
        return x + self.table[: x.shape[-2]]


class SinusoidalReader(Reader):
    def add_positions(self, x):
        return x + sinusoidal_encoding(*x.shape[-2:]).to(x)


class RelativeReader(Reader):
    def __init__(self, reach=24):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(self.n_heads, 2 * reach + 1))

    def bias(self, n_tokens):
        return relative_bias(self.table, n_tokens, n_tokens)


class ALiBiReader(Reader):
    def bias(self, n_tokens):
        return alibi_bias(self.n_heads, n_tokens, n_tokens).float()
