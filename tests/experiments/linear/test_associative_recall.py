"""The lists are what they say; rank and recall tell softmax from linear attention."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.common.random_tensors import standard_normal
from course_attention.experiments.linear.associative_recall import N_LETTERS, draw_lists, rank, train_recall
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.linear import linear_attention


def softmax_attention(query, key, value):
    return attention(query, key, value)[0]


def test_letters_differ():
    """No letter comes twice in a list, and all occur."""
    letters, digits = draw_lists(200, 8, torch.Generator().manual_seed(0))
    assert all(len(set(row)) == 8 for row in letters.tolist())
    assert letters.unique().numel() == N_LETTERS and digits.unique().numel() == 10


@pytest.mark.parametrize("d_key", [3, 6])
def test_rank(d_key):
    """Linear attention's weights have the rank of its keys, those of softmax a full one."""
    query, key = standard_normal(20, d_key, seed=1), standard_normal(20, d_key, seed=2)
    assert rank(linear_attention, query, key) == d_key
    assert rank(softmax_attention, query, key) == 20


def test_recall():
    """With 8 numbers to a key, softmax recalls long lists; linear attention recalls short ones only."""
    sizes = (4, 32)
    softmax, linear = (
        train_recall(attend, 8, n_steps=200, sizes=sizes) for attend in (softmax_attention, linear_attention)
    )
    assert softmax.accuracy.min() > 0.95
    assert linear.at(4).min() > 0.8 and linear.at(32).max() < 0.6


def test_wider_keys_hold_more():
    """More numbers to a key, more pairs in linear attention."""
    narrow, wide = (train_recall(linear_attention, d_key, n_steps=150, sizes=(16,)) for d_key in (4, 32))
    assert wide.at(16).min() > narrow.at(16).max() + 0.2


def test_blind_guesses():
    """An attention that weighs all alike recalls no better than chance and the digits' frequency allow."""

    def even(query, key, value):
        return value.mean(dim=-2, keepdim=True).expand(*query.shape[:-1], -1)

    assert train_recall(even, 8, n_steps=50, sizes=(64,)).accuracy.max() < 0.25
