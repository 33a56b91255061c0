"""What linear maps read off: all where there is room, less where there is none."""

from __future__ import annotations

import torch

from course_attention.experiments.positions.linear_probes import n_principal_components, probe, probe_accuracy


def test_room_and_no_room() -> None:
    """64 channels hold token and position, added or appended; 8 hold less of the position when added."""
    probes = probe(sizes=(8, 64), n_seeds=2)
    assert all(share[:, 1].min() > 0.999 for part in (probes.token, probes.position) for share in part.values())
    assert (probes.position["appended"][:, 0] > probes.position["added"][:, 0]).all()


def test_recognised() -> None:
    """Independent rows are told apart, equal ones are not."""
    assert probe_accuracy(torch.eye(4), torch.arange(4)) == 1.0
    assert probe_accuracy(torch.ones(4, 3), torch.arange(4)) == 0.25


def test_functions_are_used() -> None:
    """An encoding that says nothing leaves the position to a guess."""
    assert probe(sizes=(16,), encode=lambda n, d: torch.zeros(n, d)).position["added"].max() < 0.1


def test_directions() -> None:
    """A matrix of rank r has at most r directions."""
    torch.manual_seed(0)
    assert n_principal_components(torch.randn(50, 3) @ torch.randn(3, 20), share=0.999999) == 3
