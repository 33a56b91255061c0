"""Seven score functions compared on the same queries and keys."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.attention import (
    additive_scores,
    attention,
    bilinear_scores,
    gaussian_scores,
    mean_attention,
)


@dataclass(frozen=True)
class Score:
    """A way to compute weights from queries and keys.

    Attributes:
        name: as shown above its heat map.
        weigh: function (query, key) → weights `(..., n_queries, n_keys)`.
        parameters: what it learns; empty for a fixed formula.
        same_width: True where d_query must equal d_key.
        normaliser: what turns its scores into weights.
    """

    name: str
    weigh: Callable[[Tensor, Tensor], Tensor]
    parameters: tuple[Tensor, ...] = ()
    same_width: bool = True
    normaliser: str = "softmax"

    @property
    def n_parameters(self) -> int:
        """The number of parameters."""
        return sum(tensor.numel() for tensor in self.parameters)


@dataclass(frozen=True)
class Pairs:
    """Queries and keys, each `(n_tokens, d_key)`; query i is a noisy copy of key i."""

    query: Tensor
    key: Tensor


def draw_pairs(
    n_tokens: int = 6,
    d_key: int = 8,
    noise: float = 0.5,
    seed: int = 0,
    device: str | torch.device = "cpu",
) -> Pairs:
    """Draw keys of standard normal entries, and queries that copy them with noise.

    Example:
        >>> pairs = draw_pairs(n_tokens=3, d_key=4)
        >>> tuple(pairs.query.shape), tuple(pairs.key.shape)
        ((3, 4), (3, 4))
    """
    # drawn on the CPU, so that every device sees the same numbers
    generator = torch.Generator().manual_seed(seed)
    key = torch.randn(n_tokens, d_key, generator=generator, dtype=torch.float64).to(device)
    return Pairs(noisy_copies(key, noise, generator), key)


def noisy_copies(key: Tensor, noise: float, generator: torch.Generator) -> Tensor:
    """The keys with normal noise of the given spread added.

    Example:
        >>> noisy_copies(torch.ones(1, 2), 0.0, torch.Generator())
        tensor([[1., 1.]])
    """
    return key + noise * torch.randn(key.shape, generator=generator, dtype=key.dtype).to(key.device)


def scale_key(key: Tensor, index: int, factor: float) -> Tensor:
    """A copy of the keys in which one is multiplied by `factor`.

    Example:
        >>> scale_key(torch.ones(2, 2), 1, 3.0)
        tensor([[1., 1.],
                [3., 3.]])
    """
    longer = key.clone()
    longer[index] *= factor
    return longer


def cosine_scores(query: Tensor, key: Tensor) -> Tensor:
    """The dot product of query and key, each divided by its length: `(..., n_queries, n_keys)`, −1 to 1.

    Example:
        >>> cosine_scores(torch.tensor([[2.0, 0.0]]), torch.tensor([[5.0, 0.0], [0.0, 1.0]]))
        tensor([[1., 0.]])
    """
    return torch.nn.functional.normalize(query, dim=-1) @ torch.nn.functional.normalize(key, dim=-1).mT


def seven_scores(
    pairs: Pairs,
    d_hidden: int = 16,
    width: float = 1.0,
    attend: Callable = attention,
    bilinear: Callable = bilinear_scores,
    additive: Callable = additive_scores,
    gaussian: Callable = gaussian_scores,
    mean: Callable = mean_attention,
) -> tuple[Score, ...]:
    """The seven score functions of the notebook; the two that learn are fitted to these keys.

    Queries and keys have the same size here, so that all seven can use the same data.

    Args:
        pairs: queries and keys.
        d_hidden: inner width of the additive score.
        width: of the Gaussian.
        attend, bilinear, additive, gaussian, mean: a student's functions in place of the package's own.
    """
    d_key = pairs.key.shape[-1]
    generator = torch.Generator().manual_seed(0)

    def draw(*shape):
        numbers = torch.randn(*shape, generator=generator, dtype=torch.float64) / math.sqrt(shape[0])
        return numbers.to(pairs.key.device)

    def soft(scores, *weights):
        return lambda query, key: scores(query, key, *weights).softmax(-1)

    matrix = fitted(bilinear, pairs.key, (draw(d_key, d_key),))
    network = fitted(additive, pairs.key, (draw(d_key, d_hidden), draw(d_key, d_hidden), draw(d_hidden)))
    return (
        Score("dot product", soft(lambda query, key: query @ key.mT)),
        Score("scaled dot product", lambda query, key: attend(query, key, key)[1]),
        Score("cosine", soft(cosine_scores)),
        Score("bilinear", soft(bilinear, *matrix), matrix, same_width=False),
        Score("additive", soft(additive, *network), network, same_width=False),
        Score("Gaussian", soft(gaussian, width)),
        Score("non-local mean", lambda query, key: mean(query, key, key)[1], normaliser="1/n_keys"),
    )


@one_thread()
def fitted(
    scores: Callable, key: Tensor, weights: tuple[Tensor, ...], n_steps: int = 200, rate: float = 0.01
) -> tuple[Tensor, ...]:
    """Fit the parameters of a score function by Adam, so that noisy copies of the keys find their own key."""
    generator = torch.Generator().manual_seed(1)
    weights = tuple(weight.clone().requires_grad_() for weight in weights)
    update = torch.optim.Adam(weights, lr=rate)
    for _ in range(n_steps):
        query = noisy_copies(key.expand(16, -1, -1), 0.5, generator)
        own = scores(query, key, *weights).log_softmax(-1).diagonal(dim1=-2, dim2=-1)
        update.zero_grad()
        (-own.mean()).backward()
        update.step()
    return tuple(weight.detach() for weight in weights)


def parity_gaps(scores: Callable, pairs: Pairs) -> tuple[float, float]:
    """How far a score is from even and from odd: largest |s(−q, −k) − s(q, k)| and |s(−q, −k) + s(q, k)|.

    Example:
        >>> parity_gaps(lambda query, key: query @ key.mT, draw_pairs())[0]
        0.0
    """
    here, there = scores(pairs.query, pairs.key), scores(-pairs.query, -pairs.key)
    return (there - here).abs().max().item(), (there + here).abs().max().item()


def all_weights(scores: tuple[Score, ...], pairs: Pairs) -> dict[str, np.ndarray]:
    """The weights by every score function on the same pairs: name → `(n_tokens, n_tokens)`."""
    return {score.name: score.weigh(pairs.query, pairs.key).cpu().numpy() for score in scores}


@dataclass(frozen=True)
class WeightChange:
    """The weights of one key before and after it is made longer, each `(n_queries,)`."""

    before: np.ndarray
    after: np.ndarray


def shortest_key(pairs: Pairs) -> int:
    """The index of the shortest key.

    Example:
        >>> shortest_key(Pairs(torch.ones(2, 2), torch.tensor([[3.0, 4.0], [0.0, 1.0]])))
        1
    """
    return int(pairs.key.norm(dim=-1).argmin())


def weights_of_longer_key(
    scores: tuple[Score, ...], pairs: Pairs, index: int, factor: float = 3.0
) -> dict[str, WeightChange]:
    """The weight that each query gives to key `index`, before and after that key is multiplied by `factor`."""
    longer = scale_key(pairs.key, index, factor)
    return {
        score.name: WeightChange(
            score.weigh(pairs.query, pairs.key)[:, index].cpu().numpy(),
            score.weigh(pairs.query, longer)[:, index].cpu().numpy(),
        )
        for score in scores
    }
