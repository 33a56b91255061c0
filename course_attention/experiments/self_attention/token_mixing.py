"""Token mixing as matrices: how convolution, dense layer and attention mix the words of a sentence."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from course_attention.mechanisms.self_attention import convolution_mixing, self_attention

KINDS = ("article", "adjective", "noun", "verb", "adverb", "number", "time")
WORDS = {
    "the": "article",
    "old": "adjective",
    "dog": "noun",
    "barks": "verb",
    "loudly": "adverb",
    "every": "number",
    "night": "time",
}
# The kind of word that a word of each kind attends to.
ATTENDS_TO = {
    "article": "noun",
    "adjective": "noun",
    "noun": "verb",
    "verb": "noun",
    "adverb": "verb",
    "number": "time",
    "time": "verb",
}


def one_hot_words(sentence: str) -> Tensor:
    """The words of a sentence as one-hot vectors of their kinds: `(n_tokens, len(KINDS))`.

    Example:
        >>> one_hot_words("old dog")
        tensor([[0., 1., 0., 0., 0., 0., 0.],
                [0., 0., 1., 0., 0., 0., 0.]], dtype=torch.float64)
    """
    kinds = torch.tensor([KINDS.index(WORDS[word]) for word in sentence.split()])
    return torch.nn.functional.one_hot(kinds, len(KINDS)).double()


def relation_matrix(strength: float = 1.0) -> Tensor:
    """Matrix whose entry (a, b) is `strength` where a word of kind a attends to one of kind b, else 0.

    Example:
        >>> relation = relation_matrix(3.0)
        >>> relation[KINDS.index("verb"), KINDS.index("noun")].item(), relation.sum().item()
        (3.0, 21.0)
    """
    relation = torch.zeros(len(KINDS), len(KINDS), dtype=torch.float64)
    for asks, asked in ATTENDS_TO.items():
        relation[KINDS.index(asks), KINDS.index(asked)] = strength
    return relation


def mixing_matrices(
    sentence: str,
    attend: Callable = self_attention,
    mixing: Callable = convolution_mixing,
    device: str | torch.device = "cpu",
) -> dict[str, Tensor]:
    """The mixing matrices of a convolution, a dense layer and attention on a sentence, each `(n_tokens, n_tokens)`.

    Convolution and dense layer are fixed. Attention follows `relation_matrix`, with a large strength.

    Example:
        >>> mixing_matrices("the dog barks")["convolution"]
        tensor([[0.5000, 0.2500, 0.0000],
                [0.2500, 0.5000, 0.2500],
                [0.0000, 0.2500, 0.5000]], dtype=torch.float64)
    """
    x = one_hot_words(sentence).to(device)
    n_tokens, d_model = x.shape
    identity = torch.eye(d_model, dtype=x.dtype, device=device)
    kernel = x.new_tensor([0.25, 0.5, 0.25])
    dense = torch.randn(n_tokens, n_tokens, generator=torch.Generator().manual_seed(5), dtype=x.dtype)
    return {
        "convolution": mixing(kernel, n_tokens),
        "dense layer": dense.softmax(dim=-1).to(device),
        "attention": attend(x, relation_matrix(16.0).to(device), identity, identity)[1],
    }
