"""What notebook 02 says of lookups that learn holds at other seeds, too; the loop is the notebook's, shortened."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from string import ascii_lowercase

import pytest
import torch
from torch import Tensor

from course_attention.experiments.attention.city_directory import CITIES, places, typed
from course_attention.experiments.attention.speech_alignment import Speaker, Speech
from course_attention.mechanisms.attention import (
    additive_scores,
    attention,
    bilinear_scores,
    cross_attention,
    gaussian_scores,
)

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2))]
NAMES = tuple(CITIES)
NEW = torch.arange(0, len(NAMES), 5)
KNOWN = torch.tensor([city for city in range(len(NAMES)) if city % 5])


def letters(words: Sequence[str]) -> Tensor:
    counts = torch.tensor([[float(word.count(letter)) for letter in ascii_lowercase] for word in words])
    return counts * math.sqrt(26) / counts.norm(dim=-1, keepdim=True)


KEYS, PLACES = letters(NAMES), places(NAMES)
CALLS = torch.stack([letters(words) for words in typed(NAMES)])
FRESH = torch.stack([letters(words) for words in typed(NAMES, seed=1)])


def train(parameters: list[Tensor], draw_loss: Callable[[], Tensor], n_steps: int, rate: float) -> list[float]:
    optimizer = torch.optim.Adam(parameters, lr=rate)
    losses = []
    for _ in range(n_steps):
        loss = draw_loss()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def city_loss(look_up: Callable) -> Tensor:
    cities = KNOWN[torch.randperm(len(KNOWN))[:16]]
    output, _ = look_up(CALLS[cities].flatten(0, 1), KEYS[cities], PLACES[cities])
    return (output - PLACES[cities].repeat_interleave(20, dim=0)).square().mean()


def share_found(look_up: Callable, cities: Tensor) -> float:
    with torch.no_grad():
        weights = look_up(FRESH[cities].flatten(0, 1), KEYS, PLACES)[1]
    return (weights.argmax(dim=-1) == cities.repeat_interleave(20)).float().mean().item()


def soft(score: Callable) -> Callable:
    def look_up(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        weights = score(query, key).softmax(dim=-1)
        return weights @ value, weights

    return look_up


def drawn(*shape: int) -> Tensor:
    return (torch.randn(*shape) / math.sqrt(shape[0])).requires_grad_()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_learned_matrix_holds_the_accent(seed: int) -> None:
    """W has its largest entries where the caller's letters were exchanged, and known cities are found."""
    torch.manual_seed(seed)
    weight = torch.zeros(26, 26, requires_grad=True)
    look_up = soft(lambda query, key: bilinear_scores(query, key, weight) / math.sqrt(26))
    train([weight], lambda: city_loss(look_up), 500, 0.03)
    best = {letter: ascii_lowercase[column.argmax()] for letter, column in zip(ascii_lowercase, weight.T, strict=True)}
    assert [best[letter] for letter in "aeilnorbpdtgkszfv"] == list("aeilnorpbtdkgzsvf")
    assert share_found(attention, KNOWN) < 0.65 and share_found(look_up, KNOWN) > 0.85


@pytest.mark.parametrize("seed", SEEDS)
def test_what_carries_over(seed: int) -> None:
    """Known cities are found by all scores alike; new ones by the Gaussian most, by the additive score least."""
    found = {}
    for name in ("dot product", "Gaussian", "additive"):
        torch.manual_seed(seed)
        w_query, w_key, w_score = drawn(26, 64), drawn(26, 64), drawn(64)
        look_up = {
            "dot product": lambda q, k, v, a=w_query, b=w_key: attention(q @ a, k @ b, v),
            "Gaussian": soft(lambda q, k, a=w_query, b=w_key: gaussian_scores(q @ a, k @ b, 64**0.25)),
            "additive": soft(lambda q, k, *w, w_all=(w_query, w_key, w_score): additive_scores(q, k, *w_all)),
        }[name]
        parameters = [w_query, w_key, w_score] if name == "additive" else [w_query, w_key]
        train(parameters, lambda look_up=look_up: city_loss(look_up), 500, 0.01)
        found[name] = [share_found(look_up, cities) for cities in (KNOWN, NEW)]
    assert min(known for known, _ in found.values()) > 0.9
    assert found["Gaussian"][1] > found["dot product"][1] + 0.02
    assert found["dot product"][1] > found["additive"][1] + 0.05


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("d_key", "much_slower"), [(8, False), (512, True)])
def test_the_division_matters_where_keys_are_long(d_key: int, much_slower: bool, seed: int) -> None:
    """At d_key 512 the loss halves at least twice as fast with the division; at 8 there is little between them."""
    halved = {}
    for factor in (1.0, math.sqrt(d_key)):
        for rate in (0.003, 0.01):
            torch.manual_seed(seed)
            w_query, w_key = drawn(26, d_key), drawn(26, d_key)

            def loss(a: Tensor = w_query, b: Tensor = w_key, factor: float = factor) -> Tensor:
                return city_loss(lambda q, k, v: attention(factor * q @ a, k @ b, v))

            losses = torch.tensor(train([w_query, w_key], loss, 200, rate))
            smooth = losses.unfold(0, 10, 1).mean(dim=-1)
            below = (smooth < 25).nonzero()  # half of what knowing nothing costs
            step = int(below[0]) if len(below) else 200
            halved[factor] = min(halved.get(factor, 200), step)
    scaled, plain = halved.values()
    assert (plain > 2 * scaled) if much_slower else (0.5 * scaled - 5 <= plain <= 2 * scaled + 5)


@pytest.mark.parametrize("seed", SEEDS)
def test_sound_finds_its_letters(seed: int) -> None:
    """Frames find their letters though no alignment is shown, in longer words too; equal letters share the weight."""
    torch.manual_seed(seed)
    speaker = Speaker(seed)
    weights = [drawn(16, 24), drawn(16, 24), drawn(16, 4)]

    def loss() -> Tensor:
        speech = speaker.speak_many(32)
        return (cross_attention(speech.frames, speech.letters, *weights)[0] - speech.marks).square().mean()

    def listen(speech: Speech) -> Tensor:
        return cross_attention(speech.frames, speech.letters, *weights)[1].detach()

    def right(speech: Speech) -> float:
        return (listen(speech).argmax(dim=-1) == speech.spoken).float().mean().item()

    assert right(speaker.speak_many(100)) < 0.5
    train(weights, loss, 400, 0.01)
    word = speaker.speak("documentary", [3, 5, 2, 4, 6, 3, 2, 5, 4, 3, 6])
    assert right(speaker.speak_many(100)) > 0.95
    assert listen(word).shape == (43, 11) and right(word) > 0.9
    shares = torch.stack([listen(speaker.speak("attention", [2] * 9))[2] for _ in range(25)])[:, [1, 2, 5]]
    assert shares.sum(dim=-1).mean() > 0.9 and shares.mean(dim=0).max() < 0.7


@pytest.mark.parametrize(("dtype", "rounding"), [(torch.float64, 1e-12), (torch.float32, 1e-4)])
@pytest.mark.parametrize("seed", range(5))
def test_shuffles(seed: int, dtype: torch.dtype, rounding: float) -> None:
    """Keys and values shuffled or shifted alike change nothing but rounding; either alone changes the output."""
    torch.manual_seed(seed)
    query, key, value = (torch.randn(*shape, dtype=dtype) for shape in ((5, 8), (7, 8), (7, 3)))
    output, order = attention(query, key, value)[0], torch.tensor([3, 0, 6, 1, 5, 2, 4])

    def change(*inputs: Tensor) -> float:
        return (attention(*inputs)[0] - output).abs().max().item()

    assert change(query, key[order], value[order]) < rounding
    assert change(query, key.roll(1, 0), value.roll(1, 0)) < rounding
    assert min(change(query, key[order], value), change(query, key, value[order])) > 1e-3
    assert (attention(query[[2, 0, 4, 1, 3]], key, value)[0] - output[[2, 0, 4, 1, 3]]).abs().max() < rounding


def test_additive_is_odd() -> None:
    """Without biases the additive score changes its sign with its inputs; a dot product does not."""
    torch.manual_seed(0)
    query, key, network = torch.randn(5, 8), torch.randn(7, 8), (drawn(8, 16), drawn(8, 16), drawn(16))
    assert torch.allclose(additive_scores(-query, -key, *network), -additive_scores(query, key, *network))
