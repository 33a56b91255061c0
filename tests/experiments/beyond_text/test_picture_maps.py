"""The figures of the maps: nothing is missing, and what is measured is what its name says."""

from __future__ import annotations

import torch

from course_attention.experiments.beyond_text import digits
from course_attention.experiments.common.long_runs import long_run
from tools.long_runs import picture_maps as script
from tools.long_runs.picture_rivals import PatchClassifier

ROWS = long_run("beyond_text", "picture_maps")


def some() -> tuple[PatchClassifier, digits.Digits]:
    """Return an untrained classifier, and five pictures."""
    torch.manual_seed(0)
    _, unseen = digits.load()
    return PatchClassifier().eval(), digits.Digits(unseen.pictures[:5], unseen.labels[:5])


def test_every_setting_has_been_run() -> None:
    """Each training has a row for each way to take a patch away, so the script would find nothing to do."""
    assert [{key: row[key] for key in script.SETTINGS} for row in ROWS] == list(script.settings())


def test_bounds() -> None:
    """Shares and hits are parts of a whole, and what was measured is between the bounds of its draws."""
    for row in ROWS:
        assert all(0 <= value <= 1 for key, value in row.items() if key.startswith(("share", "hit")))
        assert row["ahead_low"] < row["ahead"] < row["ahead_high"]
        assert abs(row["share, own map"] - row["share, average map"] - row["ahead"]) < 2e-4


def test_rollout_is_a_product_of_matrices() -> None:
    """Rollout is the first row of the product of both blocks' matrices, each mixed with the identity."""
    model, part = some()
    with torch.no_grad():
        x = script.picture_tokens(model, part.pictures)
        first = model.blocks[0].attention(x)[1].mean(dim=1)
        second = model.blocks[1].attention(model.blocks[0](x))[1].mean(dim=1)
        expected = ((second + torch.eye(17)) @ (first + torch.eye(17)) / 4)[:, 0, 1:]
    torch.testing.assert_close(script.rollout(model, part.pictures), expected)


def test_a_masked_patch_is_not_read() -> None:
    """What is in a hidden patch changes nothing: its rise is the same with other pixels, but for the whole picture."""
    model, part = some()
    other = part.pictures.clone()
    other[:, :, :2, :2] = 0.5
    rise = script.masked_rises(model, part)[:, 0]
    rise_other = script.masked_rises(model, digits.Digits(other, part.labels))[:, 0]
    with torch.no_grad():
        whole, whole_other = (
            torch.nn.functional.cross_entropy(model(shown), part.labels, reduction="none")
            for shown in (part.pictures, other)
        )
    torch.testing.assert_close(rise + whole, rise_other + whole_other)


def test_rank_correlation() -> None:
    """Order decides, and not size; equal numbers share their rank."""
    x = torch.tensor([[1.0, 1.0], [2.0, 1.0], [30.0, 2.0]])
    found = script.rank_correlation(x, torch.tensor([[3.0, 5.0], [2.0, 5.0], [1.0, 9.0]]))
    torch.testing.assert_close(found, torch.tensor([-1.0, 1.0], dtype=torch.double))
