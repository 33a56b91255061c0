"""The training of notebook 13, which two scripts share: Adam, whose learning rate falls on a line, on random rows."""

from collections.abc import Callable

import torch
from torch import Tensor, nn


def train(model: nn.Module, loss_of: Callable[[Tensor], Tensor], n_rows: int, n_steps: int) -> None:
    """Train a model in place, with batches of 64 rows that are drawn from torch's global random state.

    Args:
        loss_of: gives the loss for the numbers of some rows, (64,).
        n_rows: how many rows there are.
    """
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, total_iters=n_steps)
    for _ in range(n_steps):
        loss = loss_of(torch.randint(n_rows, (64,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        falling.step()
