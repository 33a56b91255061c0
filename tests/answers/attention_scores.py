"""Answers to `attention_scores(state, memory)` of notebook 01."""

from __future__ import annotations

import functools
import math
import warnings

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__attention_scores__matmul(state, memory):
    return (memory @ state.unsqueeze(-1)).squeeze(-1)


def right__attention_scores__row_on_the_left(state, memory):
    return torch.matmul(state.unsqueeze(-2), memory.transpose(-2, -1)).squeeze(-2)


def right__attention_scores__einsum(state, memory):
    return torch.einsum("...d,...nd->...n", state, memory)


def right__attention_scores__product_and_sum(state, memory):
    return (memory * state[..., None, :]).sum(dim=-1)


def right__attention_scores__loop(state, memory):
    scores = []
    for j in range(memory.shape[-2]):
        scores.append((state * memory[..., j, :]).sum(-1))
    return torch.stack(scores, dim=-1)


def right__attention_scores__upcast(state, memory):
    wide = memory.double() @ state.double().unsqueeze(-1)
    return wide[..., 0].to(memory.dtype)


def right__attention_scores__bmm(state: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
    n, d = memory.shape[-2:]
    return torch.bmm(memory.reshape(-1, n, d), state.reshape(-1, d, 1)).reshape(memory.shape[:-1])


def right__attention_scores__scalars(state, memory):
    rows, vectors = memory.reshape(-1, *memory.shape[-2:]), state.reshape(-1, state.shape[-1])
    scores = [
        [sum(h[c] * s[c] for c in range(len(s))) for h in source]
        for source, s in zip(rows, vectors, strict=True)
    ]
    return torch.stack([torch.stack(line) for line in scores]).reshape(memory.shape[:-1])


def odd__attention_scores__prints(state, memory):
    """Prints, and warns."""
    print(state.shape, memory.shape)
    warnings.warn("a warning of the student's own", stacklevel=2)
    return torch.einsum("...j,...ij->...i", state, memory)


def odd__attention_scores__renamed(s, h):
    """The slides' names for the arguments."""
    return (h * s.unsqueeze(-2)).sum(-1)


def odd__attention_scores__default(state, memory, scale=1.0):
    """A further argument with a default that changes nothing."""
    return (memory * state.unsqueeze(-2)).sum(-1) * scale


odd__attention_scores__partial = functools.partial(odd__attention_scores__default, scale=1)

odd__attention_scores__lambda = lambda state, memory: (memory @ state[..., None])[..., 0]  # noqa: E731 - the case


class ScoresModule(torch.nn.Module):
    """A module without weights."""

    def forward(self, state, memory):
        return (memory * state.unsqueeze(-2)).sum(-1)


odd__attention_scores__module = ScoresModule()


def wrong__attention_scores__scale_added__1(state, memory):
    return (memory @ state.unsqueeze(-1)).squeeze(-1) / math.sqrt(state.shape[-1])


def wrong__attention_scores__scale_added__2(state, memory):
    return torch.einsum("...d,...nd->...n", state * state.size(-1) ** -0.5, memory)


def wrong__attention_scores__scale_added__3(state, memory):
    d_hidden = memory.shape[-1]
    return (memory * state[..., None, :]).sum(-1).div(np.sqrt(d_hidden))


def wrong__attention_scores__detached__1(state, memory):
    return (memory @ state.unsqueeze(-1)).squeeze(-1).detach()


def wrong__attention_scores__detached__2(state, memory):
    product = np.einsum("...d,...nd->...n", state.tolist(), memory.tolist())
    return torch.tensor(product, dtype=state.dtype, device=state.device)


def wrong__attention_scores__detached__3(state, memory):
    with torch.no_grad():
        return torch.einsum("...d,...nd->...n", state, memory)


def wrong__attention_scores__input_changed__1(state, memory):
    memory *= state.unsqueeze(-2)
    return memory.sum(-1)


def wrong__attention_scores__input_changed__2(state, memory):
    return (memory @ state.unsqueeze_(-1)).squeeze(-1)


def wrong__attention_scores__wrong_device__1(state, memory):
    ones = torch.ones(state.shape[-1], dtype=state.dtype)
    return (memory * state.unsqueeze(-2)) @ ones


def wrong__attention_scores__wrong_device__2(state, memory):
    scores = torch.zeros(memory.shape[:-1], dtype=memory.dtype)
    return scores + (memory @ state.unsqueeze(-1)).squeeze(-1)


def wrong__attention_scores__wrong_dtype__1(state, memory):
    return (memory.float() @ state.float().unsqueeze(-1)).squeeze(-1)


def wrong__attention_scores__wrong_dtype__2(state, memory):
    scores = torch.zeros(memory.shape[:-1], device=memory.device)
    for j in range(memory.shape[-2]):
        scores[..., j] = (memory[..., j, :] * state).sum(-1)
    return scores


def extra__attention_scores__state_not_unsqueezed(state, memory):
    """Without a new axis every state meets every memory: (batch, batch, n_source), or an error."""
    return state @ memory.transpose(-2, -1)


def extra__attention_scores__state_not_unsqueezed__product(state, memory):
    """The product pairs the batch axis with the source axis: an error unless the two are equal."""
    return (memory * state).sum(-1)


def extra__attention_scores__axis_left_over(state, memory):
    """The score axis of length 1 is left in place: (batch, n_source, 1)."""
    return memory @ state.unsqueeze(-1)


def extra__attention_scores__squeezed_too_much(state, memory):
    """squeeze() without an axis also removes a batch or a source of one."""
    return (memory @ state.unsqueeze(-1)).squeeze()


def extra__attention_scores__summed_over_wrong_axis(state, memory):
    """Summed over the source positions: one number per channel."""
    return (memory * state.unsqueeze(-2)).sum(-2)


def extra__attention_scores__not_summed(state, memory):
    """The products of the channels are never added up."""
    return memory * state.unsqueeze(-2)


def extra__attention_scores__cosine(state, memory):
    """Cosine similarity in place of the dot product: lengths are divided out."""
    return F.cosine_similarity(memory, state.unsqueeze(-2), dim=-1)


def extra__attention_scores__softmax_already(state, memory):
    """The softmax is applied here already."""
    return (memory @ state.unsqueeze(-1)).squeeze(-1).softmax(-1)


def extra__attention_scores__mean_of_products(state, memory):
    """The mean of the products in place of their sum: divided by d_hidden."""
    return (memory * state.unsqueeze(-2)).mean(-1)


def extra__attention_scores__memory_with_itself(state, memory):
    """Each memory vector is multiplied with itself; the state is not used."""
    return (memory * memory).sum(-1)


def extra__attention_scores__distance(state, memory):
    """The distance between state and memory in place of their product."""
    return (memory - state.unsqueeze(-2)).pow(2).sum(-1).sqrt()


def extra__attention_scores__gradient_misses_memory(state, memory):
    """The memory is cut from the graph: the encoder would not learn."""
    return (memory.detach() @ state.unsqueeze(-1)).squeeze(-1)


def extra__attention_scores__float64_rounded(state, memory):
    """float32 inside and cast back: half of the digits of float64 are gone."""
    return (memory.float() @ state.float().unsqueeze(-1)).squeeze(-1).to(state.dtype)


def extra__attention_scores__returned_on_cpu(state, memory):
    """Moved to the CPU before it is returned."""
    return (memory @ state.unsqueeze(-1)).squeeze(-1).cpu()


def extra__attention_scores__wrong_type(state, memory):
    """A nested list comes back."""
    return (memory @ state.unsqueeze(-1)).squeeze(-1).tolist()


def extra__attention_scores__return_forgotten(state, memory):
    """Computed and not returned."""
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)  # noqa: F841 - the mistake


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
