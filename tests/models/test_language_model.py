"""The trained model in the package: it loads, fits every block, and writes the same with a cache and without."""

from __future__ import annotations

import pytest
import torch

language_model = pytest.importorskip("course_attention.models.language_model", reason="safetensors is missing")
read = pytest.importorskip("course_attention.models.reading", reason="safetensors is missing").read
LARGEST = 8_000_000  # bytes: the wheel stays small


@pytest.fixture(scope="module")
def model():
    return language_model.load()


def _tokens(text: str) -> torch.Tensor:
    tokenizer = language_model.load_tokenizer()
    return torch.tensor([[tokenizer.start, *tokenizer.encode(text)]])


def test_sizes_are_those_of_the_weights() -> None:
    """The sizes that stand with the weights make a model into which they fit, with the tokenizer's vocabulary."""
    sizes, weights = language_model.load_weights()
    made = language_model.LanguageModel(**sizes)
    assert {name: w.shape for name, w in made.state_dict().items()} == {n: w.shape for n, w in weights.items()}
    assert sizes["n_vocabulary"] == len(language_model.load_tokenizer())


def test_weights_are_small() -> None:
    """The file of the weights leaves room for the rest of the course."""
    assert (language_model.STORE / "weights.safetensors").stat().st_size < LARGEST


@torch.no_grad()
def test_same_logits_with_a_cache(model) -> None:
    """Token by token with a cache, in two pieces, or all at once: the logits are the same."""
    tokens = _tokens("class Stack:\n    def __init__(self):\n        self.items = []\n")
    whole, _ = model(tokens)
    first, caches = model(tokens[:, :7])
    second, _ = model(tokens[:, 7:], caches)
    steps, caches = [], None
    for token in tokens.split(1, dim=1):
        logits, caches = model(token, caches)
        steps.append(logits)
    for pieces in ((first, second), steps):
        assert torch.allclose(torch.cat(list(pieces), dim=1), whole, atol=1e-4)


@torch.no_grad()
def test_the_model_knows_python(model) -> None:
    """It finds Python much more probable than its letters in reverse, and expects what Python demands."""

    def loss(text: str) -> float:
        tokens = _tokens(text)
        logits = model(tokens)[0][0, :-1]
        return torch.nn.functional.cross_entropy(logits, tokens[0, 1:], reduction="sum").item()

    text = "for name in names:\n    if name is not None:\n        print(name)\n"
    assert loss(text) < 0.7 * loss(text[::-1])
    tokenizer = language_model.load_tokenizer()
    logits = model(_tokens("for key, value"))[0][0, -1]
    assert tokenizer.decode([logits.argmax().item()]).strip() == "in"


def test_reading(model) -> None:
    """Read as it was trained, the model gives the same logits; each row of weights sums to 1, none in the future."""
    tokens = _tokens("for key, value in items:\n    print(key)\n")
    logits, weights = read(model, tokens)
    with torch.no_grad():
        assert torch.allclose(logits, model(tokens)[0], atol=1e-4)
    n_tokens = tokens.shape[1]
    assert weights.shape == (6, 1, 4, n_tokens, n_tokens)
    assert torch.allclose(weights.sum(dim=-1), torch.ones(6, 1, 4, n_tokens))
    assert weights.triu(1).abs().max() == 0


def test_reading_under_another_mask(model) -> None:
    """With a mask that allows one token too many, a token changes the logits before it, and only the nearest ones."""
    tokens = _tokens("values = sorted(names)")
    allowed = torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool).tril(1)
    changed = tokens.clone()
    changed[0, -1] += 1
    moved = (read(model, changed, allowed)[0] != read(model, tokens, allowed)[0]).any(dim=-1)[0]
    assert moved[-7:].all()  # each of six layers lets one more place through
    assert not moved[:-7].any()
