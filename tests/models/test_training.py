"""The training script: what it learns of a text, and a model that does not see what it predicts."""

from __future__ import annotations

import math
from importlib.metadata import metadata

import pytest
import torch

from course_attention.mechanisms.language_model import DecoderOnlyBlock
from course_attention.models.tokenizer import Tokenizer
from tools import language_model_text as text

training = pytest.importorskip("tools.train_language_model", reason="safetensors is not installed: make .venv/dev")


def test_merges() -> None:
    """The most frequent pair becomes a token first, and pairs of it come later."""
    a, b, c = map(ord, "abc")
    assert training.learn_merges(["abc abc ab"], 2) == [(a, b), (256, c)]


def test_held_out_files_are_not_trained_on() -> None:
    """Of each part, one file of every so many is held out; no text of some length is in both."""
    for part in (*text.PARTS[:1], *text.PARTS[-3:]):
        texts, held_out = text.files((part,))
        assert len(held_out) == math.ceil((len(texts) + len(held_out)) / part.held_out)
        assert {one for one in held_out if len(one) > 1000}.isdisjoint(texts)


def test_licences() -> None:
    """Each part's licence is the one that its distribution names, in words or as an identifier."""
    words = {"PSF-2.0": ("PSF", "Python Software Foundation", "matplotlib"), "BSD-3-Clause": ("BSD",)}
    for part in text.PARTS[1:]:
        stated = metadata(part.name)
        texts = [stated.get("License-Expression", ""), stated.get("License", ""), *stated.get_all("Classifier", [])]
        assert any(word in one for word in words.get(part.licence, (part.licence[:6],)) for one in texts), part.name


def test_fused_attention_is_the_courses() -> None:
    """The block that trains computes what the course's block computes."""
    torch.manual_seed(0)
    fast = training.FastBlock(16, 4, 2, 24)
    slow = DecoderOnlyBlock(16, 4, 2, 24)
    slow.load_state_dict(fast.state_dict())
    x = torch.randn(2, 9, 16)
    torch.testing.assert_close(fast(x)[0], slow(x)[0])


def test_a_step_of_muon_leaves_no_direction_behind() -> None:
    """All singular values of the step are nearly alike, however different those of the gradient are."""
    matrix = torch.nn.Parameter(torch.zeros(12, 6))
    matrix.grad = torch.linalg.qr(torch.randn(12, 6, generator=torch.Generator().manual_seed(0)))[0] * torch.logspace(
        0, -1, 6
    )
    training.Muon([matrix], lr=1.0, weight_decay=0.0).step()
    values = torch.linalg.svdvals(matrix.detach()) / (0.2 * 12**0.5)
    assert values.max() < 1.3 and values.min() > 0.6


def test_model_sees_no_later_token() -> None:
    """A later token changes nothing before it."""
    torch.manual_seed(0)
    model = training.untrained(50, n_layers=2, d_model=16, n_heads=4, n_groups=2, d_hidden=24)
    tokens = torch.randint(50, (1, 12))
    other = tokens.clone()
    other[0, 8] = (tokens[0, 8] + 1) % 50
    (before, _), (after, _) = model(tokens), model(other)
    assert torch.equal(before[:, :8], after[:, :8])
    assert not torch.equal(before[:, 8:], after[:, 8:])


def test_bits_of_an_untrained_model() -> None:
    """A model that knows nothing needs about log₂ of the vocabulary for each token, whatever the context is."""
    tokenizer = Tokenizer([])
    torch.manual_seed(0)
    model = training.untrained(len(tokenizer), n_layers=1, d_model=16, n_heads=2, n_groups=1, d_hidden=16)
    for context in (8, 64):
        assert training.bits(model, tokenizer, ["x = 1\n" * 10], context) == pytest.approx(math.log2(257), abs=0.2)


def test_the_card_lists_the_parts() -> None:
    """`docs/language_model.md` names each part of the text with its licence."""
    card = (training.STORE.parents[2] / "docs" / "language_model.md").read_text(encoding="utf-8")
    rows = {
        tuple(cell.strip() for cell in line.split("|")[1:4:2]) for line in card.splitlines() if line.count("|") == 6
    }
    assert rows - {("part", "licence"), ("---", "---")} == {(part.name, part.licence) for part in text.PARTS}
