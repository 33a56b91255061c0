"""Fixed matrices are the same for every sentence, and attention finds who is asked for in each."""

from __future__ import annotations

import torch

from course_attention.experiments.self_attention.token_mixing import (
    ATTENDS_TO,
    KINDS,
    mixing_matrices,
    one_hot_words,
    relation_matrix,
)


def test_three_matrices():
    """Convolution and dense layer are the same for two sentences; attention finds who is asked for in each."""
    sentences = "the old dog barks every night", "every night the dog barks loudly"
    first, second = map(mixing_matrices, sentences)
    assert torch.equal(first["convolution"], second["convolution"])
    assert torch.equal(first["dense layer"], second["dense layer"])
    for sentence, mixed in zip(sentences, (first, second), strict=True):
        kinds = [KINDS[i] for i in one_hot_words(sentence).argmax(-1)]
        assert [kinds[j] for j in mixed["attention"].argmax(-1)] == [ATTENDS_TO[kind] for kind in kinds]


def test_asking():
    """Every kind asks for one other, and who asks whom is not symmetric."""
    relation = relation_matrix()
    assert (relation.sum(-1) == 1).all() and relation.trace() == 0
    assert not torch.equal(relation, relation.mT)
