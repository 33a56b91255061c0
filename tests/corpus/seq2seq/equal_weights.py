"""Answers to the practice `equal_weights(state, memory, allowed)` of notebook 01."""

import numpy as np
import torch

from course_attention import attend_and_concat, attention_distribution, attention_output
from tests.corpus import change

def right__equal_scores(state, memory, allowed):
    scores = torch.ones(memory.shape[:2], device=memory.device)
    distribution = attention_distribution(scores, allowed)
    output = attention_output(distribution, memory)
    return torch.cat([output, state], dim=-1), distribution

def right__divided(state, memory, allowed):
    distribution = allowed / allowed.sum(dim=1, keepdim=True)
    output = (distribution.unsqueeze(-1) * memory).sum(dim=1)
    return torch.cat((output, state), dim=1), distribution

def right__softmax(state, memory, allowed):
    scores = torch.zeros_like(memory[..., 0]).masked_fill(~allowed, -torch.inf)
    weights = scores.softmax(dim=-1)
    return torch.cat([torch.einsum("bn,bnd->bd", weights, memory), state], -1), weights

def right__state_of_zeros(state, memory, allowed):
    """A state of zeros gives every place the score 0."""
    joined, distribution = attend_and_concat(torch.zeros_like(state), memory, allowed)
    output, _ = joined.chunk(2, dim=-1)
    return torch.cat([output, state], dim=-1), distribution

def right__text_by_text(state, memory, allowed):
    joined, distribution = [], torch.zeros(memory.shape[:2], device=memory.device)
    for i in range(len(memory)):
        joined.append(torch.cat([memory[i][allowed[i]].mean(dim=0), state[i]]))
        distribution[i, allowed[i]] = 1 / allowed[i].sum()
    return torch.stack(joined), distribution

# The mask is left out.
wrong__equal_weights_on_padding__1 = change(right__equal_scores, ("(scores, allowed)", "(scores)"))
# The scores of the padding are set to 0, as all others are.
wrong__equal_weights_on_padding__2 = change(right__equal_scores, ("(scores, allowed)", "(scores * allowed * 0)"))
# The distribution is right, and the mean is taken without it.
wrong__equal_weights_on_padding__3 = change(
    right__equal_scores, ("attention_output(distribution, memory)", "memory.mean(dim=1)")
)
wrong__equal_weights_divided_by_the_longest__1 = change(
    right__divided, ("allowed.sum(dim=1, keepdim=True)", "memory.shape[1]")
)
# A mean over all places, after the padding was set to 0.
wrong__equal_weights_divided_by_the_longest__2 = change(
    right__divided, ("(distribution.unsqueeze(-1) * memory).sum", "(allowed.unsqueeze(-1) * memory).mean")
)
wrong__equal_weights_divided_twice__1 = change(right__divided, ("memory).sum(", "memory).mean("))
wrong__equal_weights_not_normalised__1 = change(right__divided, (" / allowed.sum(dim=1, keepdim=True)", ".float()"))
wrong__equal_weights_not_normalised__2 = change(
    right__divided, ("(distribution.unsqueeze(-1) * memory)", "(allowed.unsqueeze(-1) * memory)")
)
wrong__equal_weights_no_softmax__1 = change(
    right__softmax,
    ("masked_fill(~allowed, -torch.inf)", "masked_fill(~allowed, 0)"),
    ("scores.softmax(dim=-1)", "scores"),
)
# All texts share a weight of 1.
wrong__equal_weights_shared_by_the_batch__1 = change(right__divided, ("(dim=1, keepdim=True)", "()"))
# A column sums to 1, not a row.
wrong__equal_weights_shared_by_the_batch__2 = change(right__divided, ("(dim=1, keepdim=True)", "(dim=0)"))

def wrong__equal_weights_still_chosen__1(state, memory, allowed):
    """What was written above, once more."""
    return attend_and_concat(state, memory, allowed)

def wrong__equal_weights_one_place__1(state, memory, allowed):
    """The first state alone."""
    distribution = torch.zeros_like(memory[..., 0])
    distribution[:, 0] = 1
    return torch.cat([memory[:, 0], state], dim=-1), distribution

# The state of the last character.
wrong__equal_weights_one_place__2 = change(
    right__divided,
    ("allowed / allowed.sum(dim=1, keepdim=True)", "torch.zeros_like(memory[..., 0])"),
    ("output =", "distribution[torch.arange(len(memory)), allowed.sum(dim=1) - 1] = 1", "output ="),
)
wrong__equal_weights_mask_inverted__1 = change(right__equal_scores, ("(scores, allowed)", "(scores, ~allowed)"))
wrong__equal_weights_state_lost__1 = change(right__equal_scores, ("torch.cat([output, state], dim=-1)", "output"))

def wrong__equal_weights_state_lost__2(state, memory, allowed):
    """A state of zeros makes the scores equal, and is returned as well."""
    return attend_and_concat(torch.zeros_like(state), memory, allowed)

wrong__equal_weights_state_first__1 = change(right__equal_scores, ("[output, state]", "[state, output]"))
wrong__equal_weights_detached__1 = change(
    right__divided,
    ("output =", "with torch.no_grad():", "    output ="),
)

# NumPy takes no tensor that needs a gradient, as the states do in training.
def extra__numpy(state, memory, allowed):
    output = np.stack([np.average(one.numpy(), axis=0, weights=row.numpy()) for one, row in zip(memory, allowed)])
    distribution = allowed / allowed.sum(dim=1, keepdim=True)
    return torch.cat([torch.tensor(output), state], dim=-1), distribution

# The distribution is not returned.
extra__joined_alone = change(right__equal_scores, ("dim=-1), distribution", "dim=-1)"))
# The mean of the numbers of each state.
extra__mean_of_numbers = change(right__equal_scores, ("attention_output(distribution, memory)", "memory.mean(dim=-1)"))
# The padding of the memory is set to zeros in place.
wrong__input_changed__1 = change(
    right__divided, ("output =", "memory[~allowed] = 0", "output =")
)
# Drawn weights do not depend on the state either, but they are not equal.
extra__random_scores = change(right__equal_scores, ("torch.ones(", "torch.rand("))
# The score of a place is its number.
extra__scores_by_place = change(
    right__equal_scores, ("(scores, allowed)", "(scores.cumsum(dim=1), allowed)")
)
