"""The trained model in the package: it loads, fits every block, and writes the same with a cache and without."""

from __future__ import annotations

import pytest
import torch

language_model = pytest.importorskip(
    "course_attention.models.language_model", reason="safetensors is missing"
)
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
    assert {name: w.shape for name, w in made.state_dict().items()} == {
        n: w.shape for n, w in weights.items()
    }
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


@torch.no_grad()
def test_weights_are_those_of_the_model(model) -> None:
    """The weights of a block, applied to its values, give what the block's attention adds; no hook stays behind."""
    tokens = _tokens("for number in range(10):")
    weights = language_model.attention_weights(model, tokens)[0]
    block, x = model.blocks[0], model.embedding(tokens)
    value = block.w_value(block.norm_1(x)).unflatten(-1, (block.n_groups, -1)).transpose(-2, -3)
    mixed = weights @ value.repeat_interleave(block.n_heads // block.n_groups, dim=-3)
    added, _ = block.attend(block.norm_1(x), None)
    assert torch.allclose(block.w_out(mixed.transpose(-2, -3).flatten(-2)), added, atol=1e-5)
    assert not any(block._forward_hooks for block in model.blocks)
