"""Programs of assignments and questions: each line sets a name to a digit, as in `x = 7`, or asks what it holds.

A few names are variables, which are set again and again. The others are constants: each is set once, in the first half
of the program, and asked for once, in the second half. So a question about a variable asks for the latest of many
digits, and a question about a constant for one digit among many names.
"""

import torch
from torch import Tensor

N_VARIABLES, N_CONSTANTS, N_DIGITS = 4, 64, 10
ASKED = N_DIGITS  # stands in the place of the digit in a line that asks


def draw_programs(
    n_programs: int, n_lines: int, n_constants: int, generator: torch.Generator | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw programs at random, and for each question its answer.

    Args:
        n_programs: how many programs.
        n_lines: their length.
        n_constants: how many constants each of them sets, at most half of the lines.
        generator: draws them; None for torch's own.

    Returns:
        names, digits and targets, each `(n_programs, n_lines)`. The digit of a question is ASKED. A target is −1 where
        nothing is asked, or where the name was never set.

    Example:
        >>> names, digits, targets = draw_programs(1, 8, 2, torch.Generator().manual_seed(0))
        >>> bool((targets[digits != ASKED] == -1).all()), int((names >= N_VARIABLES).sum())
        (True, 4)
    """
    half, shape = n_lines // 2, (n_programs, n_lines)

    def places(n: int) -> Tensor:  # n_constants different places among n, for each program
        return torch.rand(n_programs, n, generator=generator).argsort(-1)[:, :n_constants]

    names = torch.randint(N_VARIABLES, shape, generator=generator)
    asks = torch.rand(shape, generator=generator) < 0.5
    constants, set_at, asked_at = N_VARIABLES + places(N_CONSTANTS), places(half), half + places(n_lines - half)
    for at, is_question in ((set_at, False), (asked_at, True)):
        names = names.scatter(1, at, constants)
        asks = asks.scatter(1, at, torch.full_like(at, is_question, dtype=torch.bool))
    digits = torch.randint(N_DIGITS, shape, generator=generator)
    line = torch.arange(n_lines)
    earlier = (names[:, :, None] == names[:, None, :]) & (line[:, None] > line) & ~asks[:, None, :]
    latest = torch.where(earlier, line, -1).amax(-1)
    targets = torch.where(asks & (latest >= 0), digits.gather(1, latest.clamp(min=0)), -1)
    return names, digits.masked_fill(asks, ASKED), targets
