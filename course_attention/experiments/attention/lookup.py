"""A soft key–value lookup is learned with and without the scale √d_key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from course_attention.experiments.attention.scaling import normalised_entropy, unscaled
from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.attention import attention

RATES = {"adam": (0.001, 0.003, 0.01, 0.03), "sgd": (0.1, 0.3, 1.0, 3.0, 10.0)}
OPTIMISERS = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD}


@dataclass(frozen=True)
class Lookup:
    """The training of a lookup, with several seeds.

    Attributes:
        loss: mean squared error over the values' variance, `(n_seeds, n_steps)`; 1 is that of knowing nothing.
        entropy: normalised entropy of the weights before the first step, `(n_seeds,)`.
        rate: the learning rate used.
    """

    loss: np.ndarray
    entropy: np.ndarray
    rate: float

    @property
    def final(self) -> np.ndarray:
        """Loss of each seed over the last tenth of the steps, `(n_seeds,)`."""
        return self.loss[:, -max(1, self.loss.shape[1] // 10) :].mean(1)

    def steps_to(self, loss: float) -> np.ndarray:
        """The first step at which each seed's loss is below `loss`, or n_steps where none is: `(n_seeds,)`.

        Example:
            >>> Lookup(np.array([[1.0, 0.4, 0.6], [1.0, 0.9, 0.8]]), np.zeros(2), 0.01).steps_to(0.5)
            array([1, 3])
        """
        below = self.loss < loss
        return np.where(below.any(1), below.argmax(1), self.loss.shape[1])


def draw_lookups(
    turn: Tensor, n_lookups: int, n_keys: int, d_value: int, noise: float, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Draw lookups: in each, the query is one of the keys, rotated by a fixed matrix and with noise added.

    Args:
        turn: `(..., d_model, d_model)`, the relation between query and key that has to be learned.
        n_lookups, n_keys: how many lookups, and keys in each.
        d_value: size of the values.
        noise: its standard deviation.
        generator: draws everything.

    Returns:
        query `(..., n_lookups, 1, d_model)`, key `(..., n_lookups, n_keys, d_model)`,
        value `(..., n_lookups, n_keys, d_value)`, target `(..., n_lookups, 1, d_value)`.

    Example:
        >>> parts = draw_lookups(torch.eye(3), 5, 4, 2, 0.0, torch.Generator().manual_seed(0))
        >>> [tuple(part.shape) for part in parts]
        [(5, 1, 3), (5, 4, 3), (5, 4, 2), (5, 1, 2)]
    """

    def draw(*shape):
        return torch.randn(*shape, generator=generator).to(turn.device)

    *lead, d_model, _ = turn.shape
    key, value = draw(*lead, n_lookups, n_keys, d_model), draw(*lead, n_lookups, n_keys, d_value)
    # the keys are drawn in no order, so the first stands for any of them
    query = key[..., :1, :] @ turn.unsqueeze(-3) + noise * draw(*lead, n_lookups, 1, d_model)
    return query, key, value, value[..., :1, :]


@one_thread()
def train_lookup(
    d_key: int,
    scaled: bool = True,
    rate: float = 0.01,
    optimiser: str = "adam",
    n_seeds: int = 3,
    n_steps: int = 150,
    n_lookups: int = 16,
    n_keys: int = 16,
    d_model: int = 16,
    d_value: int = 4,
    noise: float = 0.1,
    attend: Callable = attention,
    device: str | torch.device = "cpu",
) -> Lookup:
    """Train the projections of query and key; the seeds are trained side by side, along a leading axis.

    The projections start with variance 1/d_model, so that queries and keys have entries of variance 1.

    Args:
        d_key: size of queries and keys.
        scaled: whether scores are divided by √d_key.
        rate, optimiser: the learning rate, and "adam" or "sgd".
        n_seeds, n_steps: models, and training steps.
        n_lookups, n_keys, d_model, d_value, noise: of the lookups, as `draw_lookups` takes them.
        attend: has the arguments and results of `attention`.
        device: where to train.
    """
    generator = torch.Generator().manual_seed(0)
    use = attend if scaled else unscaled(attend)

    def draw(*shape):
        return torch.randn(*shape, generator=generator).to(device)

    turn = torch.linalg.qr(draw(n_seeds, d_model, d_model))[0]
    w_query, w_key = ((draw(n_seeds, 1, d_model, d_key) / d_model**0.5).requires_grad_() for _ in range(2))
    update = OPTIMISERS[optimiser]([w_query, w_key], lr=rate)
    losses = []
    for step in range(n_steps):
        query, key, value, target = draw_lookups(turn, n_lookups, n_keys, d_value, noise, generator)
        output, weights = use(query @ w_query, key @ w_key, value)
        loss = (output - target).square().mean(dim=(1, 2, 3))
        if step == 0:
            entropy = normalised_entropy(weights.detach()).mean(dim=(1, 2))
        update.zero_grad()
        # a sum: no seed's gradient depends on how many others run beside it
        loss.sum().backward()
        update.step()
        losses.append(loss.detach())
    return Lookup(torch.stack(losses, 1).cpu().numpy(), entropy.cpu().numpy(), rate)


def best_lookup(d_key: int, scaled: bool = True, rates: Sequence[float] | None = None, **options) -> Lookup:
    """Train with each learning rate and keep the training whose mean loss at the end is lowest.

    Each setting gets its own best rate, since one rate for all would favour the setting that it suits.

    Args:
        d_key, scaled: as `train_lookup` takes them.
        rates: to try; None for those of the optimiser in RATES.
        options: further arguments of `train_lookup`.
    """
    rates = rates or RATES[options.get("optimiser", "adam")]
    runs = [train_lookup(d_key, scaled, rate, **options) for rate in rates]
    return min(runs, key=lambda run: np.nan_to_num(run.final.mean(), nan=np.inf))
