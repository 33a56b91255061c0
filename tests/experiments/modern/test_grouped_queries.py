"""The questions have answers, models differ in their groups alone, and sharing costs where there is much to find."""

from __future__ import annotations

import torch

from course_attention.experiments.modern.grouped_queries import N_LETTERS, draw_books, train_groups
from course_attention.mechanisms.modern import grouped_query_attention


def test_questions_have_answers():
    """In each book the digit wanted is the one beside the letter that is asked for."""
    letters, digits, asked, wanted = draw_books(3, 2, torch.Generator().manual_seed(0))
    for item in range(3):
        for book in range(2):
            beside = dict(zip(letters[item, :, book].tolist(), digits[item, :, book].tolist(), strict=True))
            assert sorted(beside) == list(range(N_LETTERS))
            assert [beside[letter] for letter in asked[item, :, book].tolist()] == wanted[
                item, :, book
            ].tolist()


def test_books_are_asked_apart():
    """What a question asks of two books stands in one line by chance only, one time in as many as there are lines."""
    letters, _, asked, _ = draw_books(500, 2, torch.Generator().manual_seed(1))
    line = (asked[:, :, None] == letters[:, None]).int().argmax(2)  # (n_lists, n_questions, n_books)
    together = (line[..., 0] == line[..., 1]).float().mean()
    assert abs(together - 1 / N_LETTERS) < 0.03


def test_sharing():
    """One book is read by one group as by four; three books by four groups better than by one."""
    assert train_groups(1, 1, n_steps=200).accuracy.min() > 0.95
    four, one = (train_groups(n_groups, 3, n_steps=300).accuracy for n_groups in (4, 1))
    assert four.min() > one.max() + 0.1


def test_cached_numbers():
    """A token leaves a key and a value of d_head numbers for each group."""
    assert train_groups(2, 1, d_head=4, n_steps=1).cached == 2 * 2 * 4


def test_attend_is_used():
    """The attention handed in is the one that runs, with as many heads of keys as there are groups."""
    shapes = []

    def attend(query, key, value):
        shapes.append((query.shape[-3], key.shape[-3], value.shape[-3]))
        return grouped_query_attention(query, key, value)

    train_groups(2, 1, attend=attend, n_steps=2, n_seeds=1)
    assert shapes == [(4, 2, 2)] * 3


def test_seeds_apart():
    """A seed's training does not depend on whether others run beside it."""
    assert train_groups(1, 1, n_steps=30, n_seeds=1).accuracy.shape == (1,)
    several = train_groups(1, 1, n_steps=30, n_seeds=3).accuracy
    assert several.shape == (3,) and len(set(several.tolist())) > 1
