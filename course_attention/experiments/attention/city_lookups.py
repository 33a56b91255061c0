"""Lookups of cities that learn from the caller's own calls: notebook 02 shows all of this, long runs repeat it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase

import torch
from torch import Tensor

from course_attention.experiments.attention.city_directory import CITIES, places, typed

LookUp = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]  # query, key, value -> output, weights
N_CALLS = 20  # for each city


def letters(words: Sequence[str]) -> Tensor:
    """How often each letter occurs in each word, `(n_words, 26)`, every row scaled to a mean square of 1.

    Example:
        >>> letters(["aa", "az"])[:, 0]
        tensor([5.0990, 3.6056])
    """
    counts = torch.tensor([[float(word.count(letter)) for letter in ascii_lowercase] for word in words])
    return counts * math.sqrt(26) / counts.norm(dim=-1, keepdim=True)


@dataclass(frozen=True)
class Directory:
    """The directory of all cities, and the calls with which a lookup is trained and tried out.

    Attributes:
        keys, places: `(n_cities, 26)` and `(n_cities, 2)`.
        calls, fresh: `(n_cities, N_CALLS, 26)`, for training and for trying out.
        known, new: indices of the cities that occur in training, and of those that do not.
    """

    keys: Tensor = field(default_factory=lambda: letters(tuple(CITIES)))
    places: Tensor = field(default_factory=lambda: places(tuple(CITIES)))
    calls: Tensor = field(default_factory=lambda: torch.stack([letters(words) for words in typed(tuple(CITIES))]))
    fresh: Tensor = field(
        default_factory=lambda: torch.stack([letters(words) for words in typed(tuple(CITIES), seed=1)])
    )
    known: Tensor = field(default_factory=lambda: torch.tensor([i for i in range(len(CITIES)) if i % 5]))
    new: Tensor = field(default_factory=lambda: torch.arange(0, len(CITIES), 5))

    def draw_calls(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Draw 16 known cities: the calls for them, their entries and places, and the place that each call wants."""
        cities = self.known[torch.randperm(len(self.known))[:16]]
        there = self.places[cities]
        return self.calls[cities].flatten(0, 1), self.keys[cities], there, there.repeat_interleave(N_CALLS, dim=0)

    def try_out(self, look_up: LookUp, cities: Tensor) -> tuple[float, float]:
        """Return the share of fresh calls that find their city, and the mean distance of the output from it in km."""
        asked = cities.repeat_interleave(N_CALLS)
        with torch.no_grad():
            output, weights = look_up(self.fresh[cities].flatten(0, 1), self.keys, self.places)
        found = (weights.argmax(dim=-1) == asked).float().mean().item()
        return found, 100 * (output - self.places[asked]).norm(dim=-1).mean().item()

    def nothing_known(self) -> float:
        """Return the loss of always answering the middle of the known cities."""
        there = self.places[self.known]
        return (there - there.mean(dim=0)).square().mean().item()


def city_loss(look_up: LookUp, asked: Tensor, entries: Tensor, there: Tensor, wanted: Tensor) -> Tensor:
    """Return the mean squared difference between what is looked up and what is wanted."""
    return (look_up(asked, entries, there)[0] - wanted).square().mean()


def train(
    parameters: Sequence[Tensor],
    draw_loss: Callable[[], Tensor],
    n_steps: int = 500,
    rate: float = 0.01,
    seed: int = 0,
    make_optimizer: Callable[..., torch.optim.Optimizer] = torch.optim.Adam,
) -> list[float]:
    """Train on a loss that is drawn anew in each step, with Adam as in the notebook; return all losses."""
    torch.manual_seed(seed)
    optimizer = make_optimizer(parameters, lr=rate)
    losses = []
    for _ in range(n_steps):
        loss = draw_loss()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def projections(d_key: int, seed: int = 0) -> list[Tensor]:
    """Return two matrices of 26 by d_key to be trained, at random."""
    generator = torch.Generator().manual_seed(seed)
    return [(torch.randn(26, d_key, generator=generator) / math.sqrt(26)).requires_grad_() for _ in range(2)]


def soft(score: Callable[[Tensor, Tensor], Tensor]) -> LookUp:
    """Return the soft lookup with a score."""

    def look_up(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        weights = score(query, key).softmax(dim=-1)
        return weights @ value, weights

    return look_up
