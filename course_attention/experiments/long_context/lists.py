"""Lists that give a digit to each of a few names, and a question about a name that may not be in the list."""

import torch
from torch import Tensor

N_NAMES, N_DIGITS = 40, 10
NOT_THERE = N_DIGITS  # the answer where the asked name is not in the list


def draw_lists(
    n_lists: int, n_lines: int, generator: torch.Generator | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Draw lists at random, and for each a question and its answer. Half of the asked names are not in the list.

    Args:
        n_lists: how many lists.
        n_lines: names in each of them, all different; fewer than N_NAMES.
        generator: draws them; None for torch's own.

    Returns:
        names and digits, each `(n_lists, n_lines)`; the asked names and the answers, each `(n_lists,)`. An answer is
        the digit of the name, or NOT_THERE.

    Example:
        >>> names, digits, asked, answers = draw_lists(100, 3, torch.Generator().manual_seed(0))
        >>> is_there = (names == asked[:, None]).any(dim=-1)
        >>> bool((is_there == (answers != NOT_THERE)).all())
        True
    """
    order = torch.rand(n_lists, N_NAMES, generator=generator).argsort(dim=-1)
    names, missing = order[:, :n_lines], order[:, n_lines]
    digits = torch.randint(N_DIGITS, (n_lists, n_lines), generator=generator)
    line = torch.randint(n_lines, (n_lists, 1), generator=generator)
    is_there = torch.rand(n_lists, generator=generator) < 0.5
    asked = torch.where(is_there, names.gather(1, line)[:, 0], missing)
    answers = torch.where(is_there, digits.gather(1, line)[:, 0], NOT_THERE)
    return names, digits, asked, answers
