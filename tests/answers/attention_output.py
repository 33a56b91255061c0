"""Answers to `attention_output(distribution, memory)` of notebook 01."""

from __future__ import annotations

import torch

from tests.answers.gather import gather


def right__attention_output__matmul(distribution, memory):
    return (distribution.unsqueeze(-2) @ memory).squeeze(-2)


def right__attention_output__columns(distribution, memory):
    return torch.matmul(memory.transpose(-1, -2), distribution.unsqueeze(-1)).squeeze(-1)


def right__attention_output__einsum(distribution, memory):
    return torch.einsum("...n,...nd->...d", distribution, memory)


def right__attention_output__product_and_sum(distribution, memory):
    return torch.sum(distribution[..., None] * memory, dim=-2)


def right__attention_output__loop(distribution, memory):
    output = torch.zeros_like(memory[..., 0, :])
    for j in range(memory.shape[-2]):
        output = output + distribution[..., j : j + 1] * memory[..., j, :]
    return output


def right__attention_output__bmm(distribution, memory):
    n, d = memory.shape[-2:]
    mixed = torch.bmm(distribution.reshape(-1, 1, n), memory.reshape(-1, n, d))
    return mixed.reshape(*memory.shape[:-2], d)


def right__attention_output__upcast(distribution, memory):
    mixed = (distribution.double().unsqueeze(-1) * memory.double()).sum(-2)
    return mixed.to(distribution.dtype)


def odd__attention_output__renamed(alpha, h):
    """The slides' names for the arguments."""
    return (alpha.unsqueeze(-1) * h).sum(-2)


def odd__attention_output__item_by_item(distribution, memory):
    """One item of the batch after the other, by `unbind`."""
    if distribution.dim() == 1:
        return distribution @ memory
    flat = zip(
        distribution.reshape(-1, distribution.shape[-1]), memory.reshape(-1, *memory.shape[-2:]), strict=True
    )
    return torch.stack([a @ h for a, h in flat]).unflatten(0, distribution.shape[:-1])


odd__attention_output__lambda = lambda distribution, memory: (distribution[..., None, :] @ memory)[..., 0, :]  # noqa: E731 - the case


def wrong__attention_output__memory_summed__1(distribution, memory):
    return memory.sum(-2)


def wrong__attention_output__memory_summed__2(distribution, memory):
    return torch.mean(memory, dim=-2)


def wrong__attention_output__memory_summed__3(distribution, memory):
    return torch.einsum("...nd->...d", memory)


def wrong__attention_output__detached__1(distribution, memory):
    return (distribution.data.unsqueeze(-2) @ memory.data).squeeze(-2)


def wrong__attention_output__detached__2(distribution, memory):
    a, h = distribution.detach().double().cpu().numpy(), memory.detach().double().cpu().numpy()
    return torch.from_numpy((a[..., None] * h).sum(-2)).to(memory)


def wrong__attention_output__input_changed__1(distribution, memory):
    return memory.mul_(distribution.unsqueeze(-1)).sum(-2)


def wrong__attention_output__input_changed__2(distribution, memory):
    for j in range(memory.shape[-2]):
        memory[..., j, :] *= distribution[..., j : j + 1]
    return memory.sum(dim=-2)


def wrong__attention_output__wrong_device__1(distribution, memory):
    output = torch.zeros(memory.shape[:-2] + memory.shape[-1:], dtype=memory.dtype)
    for j in range(memory.shape[-2]):
        output = output + distribution[..., j, None] * memory[..., j, :]
    return output


def wrong__attention_output__wrong_device__2(distribution, memory):
    ones = torch.ones(1, memory.shape[-2], dtype=memory.dtype)
    return (ones @ (distribution.unsqueeze(-1) * memory)).squeeze(-2)


def wrong__attention_output__wrong_dtype__1(distribution, memory):
    return (distribution.to(torch.float32).unsqueeze(-2) @ memory.to(torch.float32)).squeeze(-2)


def wrong__attention_output__wrong_dtype__2(distribution, memory):
    output = torch.empty(memory.shape[:-2] + memory.shape[-1:], device=memory.device)
    output[...] = (distribution.unsqueeze(-1) * memory).sum(-2)
    return output


def extra__attention_output__distribution_not_unsqueezed(distribution, memory):
    """Without a new axis every distribution meets every memory: (batch, batch, d_hidden)."""
    return distribution @ memory


def extra__attention_output__distribution_not_unsqueezed__product(distribution, memory):
    """The product pairs weights with channels: an error unless n_source equals d_hidden."""
    return (distribution.unsqueeze(-2) * memory).sum(-2)


def extra__attention_output__axis_left_over(distribution, memory):
    """The axis of the one query is left in place: (batch, 1, d_hidden)."""
    return distribution.unsqueeze(-2) @ memory


def extra__attention_output__squeezed_too_much(distribution, memory):
    """squeeze() without an axis also removes a batch of one."""
    return (distribution.unsqueeze(-2) @ memory).squeeze()


def extra__attention_output__not_summed(distribution, memory):
    """The weighted vectors are returned one by one."""
    return distribution.unsqueeze(-1) * memory


def extra__attention_output__summed_over_wrong_axis(distribution, memory):
    """Summed over the channels: one number per source position."""
    return (distribution.unsqueeze(-1) * memory).sum(-1)


def extra__attention_output__mean_of_weighted(distribution, memory):
    """The mean of the weighted vectors: divided by n_source once more."""
    return (distribution.unsqueeze(-1) * memory).mean(-2)


def extra__attention_output__softmax_twice(distribution, memory):
    """The distribution goes through a softmax a second time."""
    return (distribution.softmax(-1).unsqueeze(-2) @ memory).squeeze(-2)


def extra__attention_output__most_likely_only(distribution, memory):
    """The memory vector of the largest weight alone."""
    best = distribution.argmax(-1)[..., None, None].expand(*memory.shape[:-2], 1, memory.shape[-1])
    return memory.gather(-2, best).squeeze(-2)


def extra__attention_output__normalised_again(distribution, memory):
    """Divided by the weights' sum: NaN where all are 0."""
    mixed = (distribution.unsqueeze(-1) * memory).sum(-2)
    return mixed / distribution.sum(-1, keepdim=True)


def extra__attention_output__gradient_misses_distribution(distribution, memory):
    """The weights are cut from the graph."""
    return (distribution.detach().unsqueeze(-2) @ memory).squeeze(-2)


def wrong__attention_output__divided_again__1(distribution, memory):
    """The weighted states, averaged."""
    return (distribution.unsqueeze(-1) * memory).mean(dim=-2)


def wrong__attention_output__divided_again__2(distribution, memory):
    """A weighted sum, divided by the number of states."""
    return torch.einsum("...n,...nd->...d", distribution, memory) / distribution.shape[-1]


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
