"""`check`, `hint`, `points` and `progress` with practice, which earns no points."""

from __future__ import annotations

import pytest
import torch

from course_attention.lesson import check, hint, points, progress
from course_attention.practice import PRACTICE
from course_attention.practice.authoring import Practice, Trial
from course_attention.practice.judge import judge
from tests.lesson.conftest import CHECK


def own(weights):
    """Return the entropy in bits."""
    return torch.special.entr(weights).sum(-1) / torch.tensor(2.0).log()


def in_nats(weights):
    """Return the entropy in nats."""
    return torch.special.entr(weights).sum(-1)


def stub(weights):
    """Return a notebook's cell as shipped."""
    raise NotImplementedError


def test_passed(shown):
    """Practice that works comes back itself, and its card speaks of no points."""
    entropy = own
    assert check("entropy") is entropy
    assert "✓ passed   entropy   practice" in shown[0].text and "point" not in shown[0].text


@pytest.mark.parametrize(("entropy", "said"), [(in_nats, "entropy-in-nats"), (stub, "not attempted")])
def test_goes_on_with_the_given(entropy, said, shown):
    """Where practice does not work yet, the notebook goes on with the course's own, and the card says why."""
    assert check("entropy") is PRACTICE["entropy"].given
    assert said in shown[0].text


def test_lent(shown):
    """What a check has lent is no answer when the check cell runs again."""
    entropy = stub
    entropy = check("entropy")
    assert check("entropy") is entropy
    assert "the last check lent you" in shown[1].text


def test_no_answer(shown):
    """Where no cell defines it, the card says so."""
    assert check("entropy") is PRACTICE["entropy"].given
    assert "There is no `entropy` yet" in shown[0].text


def test_needs_of_the_notebook(shown, monkeypatch):
    """Where a trial needs a name of the notebook that is missing, the card names it; where it is there, it is used."""

    def trials(generator, *, trained):
        yield Trial("a model", {"x": 1}, trained + 1)

    task = Practice(name="entropy", prompt="One more.", minutes=1, hints=(), given=lambda x: x + 1, trials=trials)
    monkeypatch.setattr(CHECK, "PRACTICE", {"entropy": task})

    def entropy(x):
        return x + 1

    assert check("entropy") is task.given
    assert "needs `trained` of this notebook" in shown[0].text
    trained = 1  # noqa: F841 - the trials take it
    assert check("entropy") is entropy


@pytest.mark.parametrize("on_gpu", [False, True])
def test_device(shown, monkeypatch, on_gpu):
    """Practice gets its tensors on the CPU, unless the notebook has taken `device` from the package."""

    def gpu():
        return torch.device("cuda")

    def on_cpu(task, answer, *, device, **others):
        used.append(device)
        return judge(task, answer, device="cpu", **others)

    used = []
    monkeypatch.setattr(CHECK, "device", gpu)
    monkeypatch.setattr(CHECK, "judge", on_cpu)
    entropy = own
    if on_gpu:
        device = gpu  # noqa: F841 - as `from course_attention.lesson import device` defines it
    assert check("entropy") is entropy
    assert used == ["cuda" if on_gpu else "cpu"]


def test_hints(shown):
    """The hints of practice come step by step, and the last shows the course's own function."""
    for _ in range(len(PRACTICE["entropy"].hints) + 1):
        hint("entropy")
    assert "Hint 1 of 4" in shown[0].text and "def entropy(weights):" in shown[-1].text


def test_no_points():
    """Points are for exercises."""
    with pytest.raises(ValueError, match="no exercise named 'entropy'"):
        points("entropy")


def test_progress(shown):
    """Progress says how much practice is done, and what was tried."""
    entropy = own
    check(entropy)
    check(in_nats, "decode")
    progress()
    assert f"Practice, for no points: 1 of {len(PRACTICE)} done." in shown[-1].text
    assert "Tried and not right yet: `decode`" in shown[-1].text


def test_random_state(shown):
    """What a check draws does not change what the notebook draws next."""
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    check(own, "entropy")
    assert torch.equal(torch.rand(1), expected)


def test_both_kinds_are_listed():
    """A name that is like nothing is answered with all exercises and all practice."""
    with pytest.raises(ValueError, match=r"the exercises softmax, .*, and as practice weights_at, "):
        check("zzzz")
