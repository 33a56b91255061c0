"""Decoder states, encoder states and masks, in which a changed `attend_and_concat` is tried."""

from collections.abc import Iterator

import torch
from torch import Tensor


def one_text() -> dict[str, Tensor]:
    """Return one text of two characters and a padding, whose first state is the one that is looked for."""
    return {
        "state": torch.tensor([[2.0, 0.0]]),
        "memory": torch.tensor([[[1.0, 0.0], [0.0, 4.0], [9.0, 9.0]]]),
        "allowed": torch.tensor([[True, True, False]]),
    }


def two_texts(generator: torch.Generator) -> Iterator[tuple[str, dict[str, Tensor]]]:
    """Yield a title and arguments: first without padding, then with padding in the second text."""
    for lengths in ((4, 4), (5, 2)):
        n_source = max(lengths)
        padded = ", the second with padding" if len(set(lengths)) > 1 else ""
        arguments = {
            "state": torch.randn(2, 6, generator=generator),
            "memory": torch.randn(2, n_source, 6, generator=generator),
            "allowed": torch.arange(n_source) < torch.tensor(lengths)[:, None],
        }
        yield f"2 texts{padded}", arguments
