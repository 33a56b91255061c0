"""The `Reader` of notebook 06, which the three readers extend: where a student's is not right, the race runs ours.

It is the class of the notebook once more, because a class of the package cannot extend one that is written in a
notebook. A test holds the two together.
"""

import math

import torch
from torch import nn

from course_attention.experiments.positions import log_book
from course_attention.mechanisms.masking import masked_softmax
from course_attention.mechanisms.multi_head import merge_heads, split_heads


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
