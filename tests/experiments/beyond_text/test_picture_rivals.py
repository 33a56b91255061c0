"""The figures of the rivals: nothing is missing, and the rivals are rivals."""

from __future__ import annotations

import torch

from course_attention.experiments.common.long_runs import long_run
from tools.long_runs import picture_rivals as script
from tools.long_runs.store import Store


def test_every_setting_has_been_run() -> None:
    """The script would find nothing to do."""
    store = Store("beyond_text", script.__file__, script.SETTINGS)
    assert list(store.missing(script.settings(store))) == []


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


def test_shuffled_pixels() -> None:
    """All pictures of a seed have their pixels in one and the same other order."""
    plain, shuffled = (torch.cat([part.pictures.flatten(1) for part in script.parts(0, one)]) for one in (False, True))
    assert not torch.equal(plain, shuffled)
    columns, shuffled_columns = (sorted(map(tuple, one.T.tolist())) for one in (plain, shuffled))
    assert columns == shuffled_columns


def test_moved_pictures() -> None:
    """A picture is moved by at most one pixel, the pictures of a batch independently of each other."""
    torch.manual_seed(0)
    dot = torch.zeros(200, 1, 8, 8)
    dot[:, 0, 4, 4] = 1
    at = script.moved(dot)[:, 0].flatten(1).argmax(dim=1)
    assert set(at.tolist()) == {8 * row + column for row in (3, 4, 5) for column in (3, 4, 5)}
