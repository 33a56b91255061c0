"""Tries what a reader of notebook 01 wrote, for no points, beside what it should give."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from course_attention.experiments.seq2seq.translator import decode

Decode = Callable[[nn.Module, Tensor, Tensor, int], tuple[Tensor, list]]
GOES_ON = "The cells below use the course's own loop until yours does the same."


def tried(own: Decode, model: nn.Module, source: Tensor, allowed: Tensor, n_steps: int) -> tuple[Decode, str]:
    """Run a decoding loop and compare what it gives with what greedy decoding gives.

    Args:
        own: a function with the contract of `decode`.
        model: a translator with attention, trained or not.
        source, allowed, n_steps: what it translates, and for how many steps.

    Returns:
        The function to go on with, which is `own` where it agrees, and a text that says how it did.
    """
    try:
        symbols, alignment = own(model, source, allowed, n_steps)
        distributions = torch.stack(list(alignment), dim=1)
    except NotImplementedError:
        return decode, f"Not written yet. {GOES_ON}"
    except Exception as error:  # noqa: BLE001 - a reader's code may raise anything
        return decode, f"Your loop raised {type(error).__name__}: {error}\n{GOES_ON}"
    right_symbols, right_alignment = decode(model, source, allowed, n_steps)
    compared = {
        "symbols": (symbols, right_symbols),
        "distributions": (distributions, torch.stack(right_alignment, dim=1)),
    }
    for name, (one, right) in compared.items():
        if not isinstance(one, Tensor) or one.shape != right.shape:
            got = tuple(one.shape) if isinstance(one, Tensor) else type(one).__name__
            return decode, f"The {name} must have the shape {tuple(right.shape)}; got {got}. {GOES_ON}"
        agree = torch.isclose(one.double(), right.double(), atol=1e-4)
        if not agree.all():
            step = int((~agree).any(dim=0).view(n_steps, -1).any(dim=1).nonzero()[0]) + 1
            share = f"{agree.double().mean().item():.0%} of your {name} agree with greedy decoding"
            return decode, f"{share}; the first difference is at step {step}. {GOES_ON}"
    return own, f"All {symbols.numel()} symbols agree with greedy decoding, and so do their distributions."
