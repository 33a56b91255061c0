"""Answers to `attention_scores(state, memory)` of notebook 01."""

import functools
import math
import warnings

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change

class ScoresModule(torch.nn.Module):
    """A module without weights."""

    def forward(self, state, memory):
        return (memory * state.unsqueeze(-2)).sum(-1)

def right__matmul(state, memory):
    return (memory @ state.unsqueeze(-1)).squeeze(-1)

def right__row_on_the_left(state, memory):
    return torch.matmul(state.unsqueeze(-2), memory.transpose(-2, -1)).squeeze(-2)

def right__einsum(state, memory):
    return torch.einsum("...d,...nd->...n", state, memory)

def right__product_and_sum(state, memory):
    return (memory * state[..., None, :]).sum(dim=-1)

def right__loop(state, memory):
    scores = []
    for j in range(memory.shape[-2]):
        scores.append((state * memory[..., j, :]).sum(-1))
    return torch.stack(scores, dim=-1)

def right__upcast(state, memory):
    wide = memory.double() @ state.double().unsqueeze(-1)
    return wide[..., 0].to(memory.dtype)

def right__bmm(state: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
    n, d = memory.shape[-2:]
    return torch.bmm(memory.reshape(-1, n, d), state.reshape(-1, d, 1)).reshape(memory.shape[:-1])

def right__scalars(state, memory):
    rows, vectors = memory.reshape(-1, *memory.shape[-2:]), state.reshape(-1, state.shape[-1])
    scores = [
        [sum(h[c] * s[c] for c in range(len(s))) for h in source]
        for source, s in zip(rows, vectors, strict=True)
    ]
    return torch.stack([torch.stack(line) for line in scores]).reshape(memory.shape[:-1])

def right__vmap(state, memory):
    return torch.vmap(torch.mv)(memory, state)

def right__filled_in(state: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
    scores = state.new_zeros(memory.shape[:2])
    for item in range(len(state)):
        for n in range(memory.shape[1]):
            scores[item, n] = torch.dot(state[item], memory[item, n])
    return scores

def odd__bmm(state, memory):
    """`torch.bmm` takes exactly one batch axis, as the docstring says."""
    return torch.bmm(memory, state.unsqueeze(2)).squeeze(2)

def odd__prints(state, memory):
    """Prints, and warns."""
    print(state.shape, memory.shape)
    warnings.warn("a warning of the student's own", stacklevel=2)
    return torch.einsum("...j,...ij->...i", state, memory)

def odd__renamed(s, h):
    """The slides' names for the arguments."""
    return (h * s.unsqueeze(-2)).sum(-1)

def odd__default(state, memory, scale=1.0):
    """A further argument with a default that changes nothing."""
    return (memory * state.unsqueeze(-2)).sum(-1) * scale

odd__partial = functools.partial(odd__default, scale=1)
odd__lambda = lambda state, memory: (memory @ state[..., None])[..., 0]
# A module without weights.
odd__module = ScoresModule()

def wrong__scale_added__3(state, memory):
    d_hidden = memory.shape[-1]
    return (memory * state[..., None, :]).sum(-1).div(np.sqrt(d_hidden))

def wrong__detached__2(state, memory):
    product = np.einsum("...d,...nd->...n", state.tolist(), memory.tolist())
    return torch.tensor(product, dtype=state.dtype, device=state.device)

def wrong__detached__3(state, memory):
    with torch.no_grad():
        return torch.einsum("...d,...nd->...n", state, memory)

def wrong__input_changed__1(state, memory):
    memory *= state.unsqueeze(-2)
    return memory.sum(-1)

def wrong__wrong_device__1(state, memory):
    ones = torch.ones(state.shape[-1], dtype=state.dtype)
    return (memory * state.unsqueeze(-2)) @ ones

def wrong__wrong_dtype__2(state, memory):
    scores = torch.zeros(memory.shape[:-1], device=memory.device)
    for j in range(memory.shape[-2]):
        scores[..., j] = (memory[..., j, :] * state).sum(-1)
    return scores

def wrong__cosine_scores__1(state, memory):
    """Cosine similarity in place of the dot product: lengths are divided out."""
    return F.cosine_similarity(memory, state.unsqueeze(-2), dim=-1)

wrong__scale_added__1 = change(right__matmul, (".squeeze(-1)", ".squeeze(-1) / math.sqrt(state.shape[-1])"))
wrong__scale_added__2 = change(right__einsum, (", state,", ", state * state.size(-1) ** -0.5,"))
wrong__detached__1 = change(right__matmul, (".squeeze(-1)", ".squeeze(-1).detach()"))
wrong__input_changed__2 = change(right__matmul, (".unsqueeze", ".unsqueeze_"))
wrong__wrong_device__2 = change(
    right__matmul, ("return", "scores = torch.zeros(memory.shape[:-1], dtype=memory.dtype)", "return scores +"),
)
wrong__wrong_dtype__1 = change(right__matmul, ("memory @ state", "memory.float() @ state.float()"))

def extra__float64_rounded(state, memory):
    """float32 inside and cast back: half of the digits of float64 are gone."""
    return (memory.float() @ state.float().unsqueeze(-1)).squeeze(-1).to(state.dtype)

# Without a new axis every state meets every memory: (batch, batch, n_source), or an error.
extra__state_not_unsqueezed = change(
    right__matmul, ("(memory @ state.unsqueeze(-1)).squeeze(-1)", "state @ memory.transpose(-2, -1)"),
)
# The product pairs the batch axis with the source axis: an error unless the two are equal.
extra__state_not_unsqueezed__product = change(
    right__matmul, ("(memory @ state.unsqueeze(-1)).squeeze(-1)", "(memory * state).sum(-1)"),
)
# The score axis of length 1 is left in place: (batch, n_source, 1).
extra__axis_left_over = change(
    right__matmul, ("(memory @ state.unsqueeze(-1)).squeeze(-1)", "memory @ state.unsqueeze(-1)"),
)
# squeeze() without an axis also removes a batch or a source of one.
extra__squeezed_too_much = change(right__matmul, (".squeeze(-1)", ".squeeze()"))
# Summed over the source positions: one number per channel.
extra__summed_over_wrong_axis = change(right__matmul, ("memory @", "memory *"), ("1)).squeeze(-1", "2)).sum(-2"))
# The products of the channels are never added up.
extra__not_summed = change(
    right__matmul, ("(memory @ state.unsqueeze(-1)).squeeze(-1)", "memory * state.unsqueeze(-2)"),
)
# The softmax is applied here already.
wrong__scores_softmaxed__1 = change(right__matmul, (".squeeze(-1)", ".squeeze(-1).softmax(-1)"))
# The mean of the products in place of their sum: divided by d_hidden.
wrong__scale_added__4 = change(right__matmul, ("memory @", "memory *"), ("1)).squeeze", "2)).mean"))
# Each memory vector is multiplied with itself; the state is not used.
extra__memory_with_itself = change(
    right__matmul, ("(memory @ state.unsqueeze(-1)).squeeze(-1)", "(memory * memory).sum(-1)"),
)
# The distance between state and memory in place of their product.
extra__distance = change(right__matmul, ("memory @", "memory -"), ("1)).squeeze(-1)", "2)).pow(2).sum(-1).sqrt()"))
# The memory is cut from the graph: the encoder would not learn.
extra__gradient_misses_memory = change(right__matmul, ("memory @", "memory.detach() @"))
# Moved to the CPU before it is returned.
extra__returned_on_cpu = change(right__matmul, (".squeeze(-1)", ".squeeze(-1).cpu()"))
# A nested list comes back.
extra__wrong_type = change(right__matmul, (".squeeze(-1)", ".squeeze(-1).tolist()"))
# Computed and not returned.
extra__return_forgotten = change(right__matmul, ("return", "scores ="))
# A reshape in the place of a transpose.
wrong__key_reshaped__1 = change(
    right__row_on_the_left, ("memory.transpose(-2, -1)", "memory.reshape(memory.shape[0], -1, memory.shape[1])")
)
# The first state for every item.
extra__first_state = change(right__matmul, ("state.unsqueeze(-1)).squeeze(-1)", "state[0])"))
# The states of all items are added up.
extra__items_mixed = change(right__einsum, ('"...d,...nd->...n"', '"bd,cnd->bn"'))
# Nothing but its sign is wrong where a score is negative, which in a batch of one may be nowhere.
extra__positive_scores = change(right__product_and_sum, (".sum(dim=-1)", ".sum(dim=-1).abs()"))
