"""Associative recall: a list gives a digit for each letter, and a model has to find the digit of a letter.

Letters have learned queries and keys, digits have learned values, and a single attention does the rest. A failure is
therefore one of the attention itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from course_attention.experiments.common.threads import one_thread

N_LETTERS, N_DIGITS = 64, 10
Attend = Callable[[Tensor, Tensor, Tensor], Tensor]


def draw_lists(n_lists: int, n_pairs: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw lists: letters, all different within a list, and their digits, two tensors `(n_lists, n_pairs)`.

    Example:
        >>> letters, digits = draw_lists(1, 64, torch.Generator().manual_seed(0))
        >>> letters.unique().numel(), int(digits.max())
        (64, 9)
    """
    letters = torch.rand(n_lists, N_LETTERS, generator=generator).argsort(-1)[:, :n_pairs]
    return letters, torch.randint(N_DIGITS, (n_lists, n_pairs), generator=generator)


def rank(attend: Attend, query: Tensor, key: Tensor) -> int:
    """Return the rank of an attention's weights: how many of its outputs can be chosen independently.

    The values are unit vectors, so that the output is the matrix of weights.

    Args:
        attend: from query, key and value to an output.
        query: `(n_queries, d_key)`.
        key: `(n_keys, d_key)`.

    Example:
        >>> rank(lambda query, key, value: query @ key.mT @ value, torch.ones(3, 2), torch.eye(3, 2))
        1
    """
    units = torch.eye(key.shape[-2], dtype=key.dtype, device=key.device)
    return int(torch.linalg.matrix_rank(attend(query, key, units)))


@dataclass(frozen=True)
class Recall:
    """The accuracy of trained models, one for each seed.

    Attributes:
        n_pairs: lengths of the lists that they were tested on, `(n_sizes,)`.
        accuracy: share of questions answered rightly, `(n_seeds, n_sizes)`.
    """

    n_pairs: np.ndarray
    accuracy: np.ndarray

    def at(self, n_pairs: int) -> np.ndarray:
        """Accuracy of each seed with lists of this size, `(n_seeds,)`.

        Example:
            >>> Recall(np.array([4, 8]), np.array([[0.9, 0.5]])).at(8)
            array([0.5])
        """
        return self.accuracy[:, list(self.n_pairs).index(n_pairs)]


@one_thread()
def train_recall(
    attend: Attend,
    d_key: int,
    n_steps: int = 300,
    n_lists: int = 16,
    sizes: Sequence[int] = (4, 8, 16, 32, 64),
    rate: float = 0.2,
    n_seeds: int = 3,
    seed: int = 0,
    device: str | torch.device = "cpu",
) -> Recall:
    """Train on new lists of all sizes in turn, by Adam; test on lists of each size.

    Args:
        attend: from query, key and value to an output.
        d_key: size of queries and keys.
        n_steps, n_lists: training steps, and lists in each.
        sizes: lengths of the lists.
        rate: the largest learning rate.
        n_seeds: models, trained side by side.
        seed: from which weights and lists are drawn.
        device: where to train.
    """
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> Tensor:
        return torch.randn(n_seeds, *shape, generator=generator).to(device).requires_grad_()

    query, key, value = draw(N_LETTERS, d_key), draw(N_LETTERS, d_key), draw(N_DIGITS, 16)
    out = draw(1, 16, N_DIGITS)

    def answers(letters: Tensor, digits: Tensor) -> Tensor:  # every letter of the list is asked for
        return attend(query[:, letters], key[:, letters], value[:, digits]) @ out

    update = torch.optim.Adam([query, key, value, out], lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(update, rate, total_steps=n_steps, pct_start=0.1)
    for step in range(n_steps):
        letters, digits = (t.to(device) for t in draw_lists(n_lists, sizes[step % len(sizes)], generator))
        wanted = digits.expand(n_seeds, -1, -1).flatten()
        # times the seeds: no seed's gradient depends on how many others run beside it
        loss = n_seeds * F.cross_entropy(answers(letters, digits).flatten(0, 2), wanted)
        update.zero_grad()
        loss.backward()
        update.step()
        schedule.step()
    unseen = torch.Generator().manual_seed(seed + 1)
    columns = []
    for n_pairs in sizes:
        letters, digits = (t.to(device) for t in draw_lists(2048 // n_pairs, n_pairs, unseen))
        with torch.no_grad():
            right = answers(letters, digits).argmax(-1) == digits
        columns.append(right.float().mean((1, 2)).cpu().numpy())
    return Recall(np.asarray(sizes), np.stack(columns, 1))
