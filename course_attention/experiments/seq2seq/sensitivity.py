"""How much the last state of a recurrent network depends on each of its inputs, by automatic differentiation."""

import numpy as np
import torch
from torch import Tensor, nn

from course_attention.experiments.common.threads import one_thread


@one_thread()
def sensitivity_of_last_state(encoder: nn.GRU, embedded: Tensor) -> np.ndarray:
    """How much the last state of each direction depends on each input.

    Args:
        encoder: a recurrent layer with `batch_first`, one-way or bidirectional.
        embedded: sources of one length, (batch, n_source, d_embedding).

    Returns:
        The Frobenius norm of the derivative of the last state with respect to each input, averaged over the sources:
        (n_directions, n_source), in the order of the text. The direction that reads forwards comes first.
    """
    embedded = embedded.detach().requires_grad_()
    _, last = encoder(embedded)
    return np.stack([_norms(state, embedded) for state in last])


def _norms(state: Tensor, embedded: Tensor) -> np.ndarray:
    squares = torch.zeros_like(embedded[..., 0])
    for unit in state.unbind(dim=-1):
        # Summing over the batch mixes nothing: a state depends on its own source only.
        (gradient,) = torch.autograd.grad(unit.sum(), embedded, retain_graph=True)
        squares += gradient.square().sum(dim=-1)
    return squares.sqrt().mean(dim=0).cpu().numpy()
