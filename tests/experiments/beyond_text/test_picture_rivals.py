"""The figures of the rivals: nothing is missing, and the rivals are rivals."""

from __future__ import annotations

import torch

from course_attention.experiments.common.long_runs import long_run
from tools.long_runs import picture_rivals as script
from tools.long_runs.store import Store


def test_every_setting_has_been_run() -> None:
    """The script would find nothing to do."""
    store = Store("beyond_text", script.__file__, script.SETTINGS)
    assert [one for one in script.settings(store) if not store.has(**one)] == []


def test_rivals_have_the_same_size() -> None:
    """Those that are called as large as the classifier of patches have as many parameters, to one in a hundred."""
    sizes = {kind: sum(one.numel() for one in make().parameters()) for kind, make in script.KINDS.items()}
    for kind in sizes.keys() - {"linear"}:
        assert abs(sizes[kind] / sizes["patches"] - 1) < 0.01, kind
    assert {row["kind"]: row["parameters"] for row in long_run("beyond_text", "picture_rivals")} == sizes


def test_no_picture_is_in_two_parts() -> None:
    """Pictures to learn from, held out and of the test are different ones, and the seed draws them."""
    first, other = (script.parts(seed) for seed in (0, 1))
    assert [len(part) for part in first] == [1200, script.HELD_OUT, 397]
    both = torch.cat([part.pictures.flatten(1) for part in first])
    assert len(both.unique(dim=0)) == len(both)
    assert not torch.equal(first[2].labels, other[2].labels)
