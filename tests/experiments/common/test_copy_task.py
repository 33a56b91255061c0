"""The copy task: strings of the lengths asked for, and nothing of the test in training."""

from __future__ import annotations

from course_attention.experiments.common.copy_task import copy_pairs


def test_copies():
    """Strings of the lengths asked for, no letter twice, none of the test in training."""
    train, test = copy_pairs(n_train=50, n_test=20, shortest=4, longest=6)
    assert {len(source) for source in train.sources} == {4, 5, 6}
    assert all(len(set(source)) == len(source) for source in train.sources)
    assert train.sources == train.targets
    assert not set(train.sources) & set(test.sources)
