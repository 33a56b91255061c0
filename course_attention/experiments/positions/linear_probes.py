"""Linear probes: can a linear map read token and position off their sum, or off the two appended?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.positions import append_positions, sinusoidal_encoding


@dataclass(frozen=True)
class Probes:
    """Accuracies of linear probes on tokens with positions.

    Attributes:
        sizes: channels that token and position share, `(n_sizes,)`.
        token, position: name → accuracy, `(n_seeds, n_sizes)`, for "added" and "appended".
    """

    sizes: np.ndarray
    token: dict[str, np.ndarray]
    position: dict[str, np.ndarray]


def probe_accuracy(x: Tensor, labels: Tensor) -> float:
    """Share of rows whose label a linear map, fitted by least squares to all of them, gets right.

    Args:
        x: `(n_rows, d)`; a constant is added to them.
        labels: `(n_rows,)`, counted from 0.

    Example:
        >>> probe_accuracy(torch.eye(3), torch.tensor([2, 0, 1]))
        1.0
    """
    rows = torch.cat([x, torch.ones(len(x), 1, dtype=x.dtype, device=x.device)], dim=1).double().cpu()
    wanted = torch.nn.functional.one_hot(labels).double().cpu()
    # not lstsq, whose CPU driver asks for full rank: the slow pairs of an encoding hardly differ
    fitted = rows @ (torch.linalg.pinv(rows, rtol=1e-6) @ wanted)
    return float((fitted.argmax(1) == labels.cpu()).double().mean())


@one_thread()
def probe(
    sizes: Sequence[int] = (4, 8, 16, 32, 64),
    n_tokens: int = 20,
    n_positions: int = 32,
    n_seeds: int = 3,
    encode: Callable = sinusoidal_encoding,
    append: Callable = append_positions,
) -> Probes:
    """Probe every token at every position, for several numbers of channels.

    When added, token and position share all channels. When appended, each has half of them, so that both ways use the
    same number.

    Args:
        sizes: numbers of channels.
        n_tokens, n_positions: how many of each there are.
        n_seeds: drawings of the token vectors.
        encode: makes the encoding.
        append: appends it.

    Source:
        Alain and Bengio (2017), "Understanding intermediate layers using linear classifier probes".
    """
    results = {name: np.zeros((2, n_seeds, len(sizes))) for name in ("added", "appended")}
    which, where = torch.arange(n_tokens).repeat_interleave(n_positions), torch.arange(n_positions)
    for seed, column in np.ndindex(n_seeds, len(sizes)):
        size = sizes[column]
        tokens = torch.randn(n_tokens, size, generator=torch.Generator().manual_seed(seed))
        halves = tokens[:, None, : size // 2].expand(-1, n_positions, -1)
        together = {
            "added": tokens[:, None] + encode(n_positions, size).to(tokens),
            "appended": append(halves, encode(n_positions, size // 2).to(tokens)),
        }
        for name, x in together.items():
            rows = x.flatten(0, 1)
            results[name][:, seed, column] = (
                probe_accuracy(rows, which),
                probe_accuracy(rows, where.repeat(n_tokens)),
            )
    token, position = ({name: both[part] for name, both in results.items()} for part in (0, 1))
    return Probes(np.asarray(sizes), token, position)


def n_principal_components(encoding: Tensor, share: float = 0.99) -> int:
    """How many principal components hold this share of an encoding's variance.

    Example:
        >>> n_principal_components(torch.tensor([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]))
        1
    """
    centred = encoding.double() - encoding.double().mean(0)
    held = torch.linalg.svdvals(centred).square().cumsum(0)
    return int((held < share * held[-1]).sum()) + 1
