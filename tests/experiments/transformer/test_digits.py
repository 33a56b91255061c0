"""Digits in patches: cut right, learned, and told by the patches that are attended to."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.transformer import digits
from course_attention.experiments.transformer.digits import (
    ORDERS,
    PatchClassifier,
    accuracies,
    accuracy,
    keep_mask,
)

pytest.importorskip("sklearn", reason="the digits come with scikit-learn, of the extra `lab`")


@pytest.fixture(scope="module")
def parts() -> tuple[digits.Digits, digits.Digits]:
    return digits.load()


@pytest.fixture(scope="module")
def model(parts) -> PatchClassifier:
    return digits.train(parts[0], n_steps=250)


def test_pictures(parts) -> None:
    """Nothing is in both parts, all ten digits are in each, and ink lies between 0 and 1."""
    learned, tested = parts
    assert (len(learned), len(tested)) == (1400, 397)
    seen = {tuple(picture.flatten().tolist()) for picture in learned.pictures}
    assert not seen & {tuple(picture.flatten().tolist()) for picture in tested.pictures}
    for part in parts:
        assert part.labels.unique().tolist() == list(range(10))
        assert part.pictures.min() == 0 and part.pictures.max() == 1


def test_patches(parts) -> None:
    """Patch 4·i + j holds the pixels of rows 2i, 2i + 1 and columns 2j, 2j + 1."""
    _, tested = parts
    for i in range(4):
        for j in range(4):
            window = tested.pictures[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2]
            assert torch.equal(tested.patches[:, 4 * i + j], window.flatten(1))


def test_order_without_positions(parts) -> None:
    """A classifier without positions gives the same for patches in any order; one with positions does not."""
    patches, order = parts[1].patches[:5], torch.randperm(16, generator=torch.Generator().manual_seed(0))
    for positions in (False, True):
        torch.manual_seed(0)
        classify = PatchClassifier(positions=positions)
        same = torch.allclose(classify(patches), classify(patches[:, order]), atol=1e-4)
        assert same is not positions
        assert positions == classify.position.requires_grad


def test_hidden_patches(parts) -> None:
    """What is in a hidden patch changes nothing; what is in a patch that is seen does."""
    classify = PatchClassifier()
    kept = torch.rand(5, 16) < 0.5
    kept[:, 0], kept[:, 1] = True, False
    patches = parts[1].patches[:5]
    other = torch.where(kept.unsqueeze(-1), patches, torch.rand_like(patches))
    assert torch.equal(classify(patches, kept), classify(other, kept))
    other = torch.where(kept.unsqueeze(-1), torch.rand_like(patches), patches)
    assert not torch.allclose(classify(patches, kept), classify(other, kept))


def test_it_learns(parts, model) -> None:
    """After a short training it tells nine of ten new pictures, and far fewer from patches without positions."""
    learned, tested = parts
    assert accuracy(model, tested) > 0.88
    bag = digits.train(learned, n_steps=250, positions=False)
    assert 0.3 < accuracy(bag, tested) < 0.85


def test_looks(parts, model) -> None:
    """Weights of the collecting token: one row for each head, over itself and the patches, each summing to 1."""
    weights = model.class_token_weights(parts[1].patches[:7])
    assert weights.shape == (7, 4, 17)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(7, 4))


def test_kept_first(parts, model) -> None:
    """As many patches are kept as asked for, more of them hold on to fewer, and the orders are what they say."""
    tested = parts[1].rows(slice(20))
    attended = model.class_token_weights(tested.patches).mean(dim=1)[:, 1:]
    for order in ORDERS:
        few, more = (keep_mask(model, tested, order, n) for n in (3, 9))
        assert (few.sum(dim=1) == 3).all() and (more.sum(dim=1) == 9).all() and (more | ~few).all()
    most = keep_mask(model, tested, "most attended", 3)
    assert (attended.masked_fill(~most, 1).amin(1) >= attended.masked_fill(most, 0).amax(1)).all()
    least = keep_mask(model, tested, "least attended", 13)
    assert not (most & least).any()
    ink = tested.patches.sum(-1)
    inky = keep_mask(model, tested, "most ink", 5)
    assert (ink.masked_fill(~inky, 9).amin(1) >= ink.masked_fill(inky, 0).amax(1)).all()


def test_attended_patches_count(parts, model) -> None:
    """Eight patches that are attended to say more than eight at random, and those more than the least attended."""
    found = {order: value for order, (value,) in accuracies(model, parts[1], [8]).items()}
    assert found["most attended"] > found["at random"] + 0.1 > found["least attended"] + 0.2
