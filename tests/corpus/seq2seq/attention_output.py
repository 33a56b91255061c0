"""Answers to `attention_output(distribution, memory)` of notebook 01."""

import torch

from tests.corpus import change

def right__matmul(distribution, memory):
    return (distribution.unsqueeze(-2) @ memory).squeeze(-2)

def right__columns(distribution, memory):
    return torch.matmul(memory.transpose(-1, -2), distribution.unsqueeze(-1)).squeeze(-1)

def right__einsum(distribution, memory):
    return torch.einsum("...n,...nd->...d", distribution, memory)

def right__product_and_sum(distribution, memory):
    return torch.sum(distribution[..., None] * memory, dim=-2)

def right__loop(distribution, memory):
    output = torch.zeros_like(memory[..., 0, :])
    for j in range(memory.shape[-2]):
        output = output + distribution[..., j : j + 1] * memory[..., j, :]
    return output

def right__bmm(distribution, memory):
    n, d = memory.shape[-2:]
    mixed = torch.bmm(distribution.reshape(-1, 1, n), memory.reshape(-1, n, d))
    return mixed.reshape(*memory.shape[:-2], d)

def right__upcast(distribution, memory):
    mixed = (distribution.double().unsqueeze(-1) * memory.double()).sum(-2)
    return mixed.to(distribution.dtype)

def odd__bmm(distribution, memory):
    """`torch.bmm` takes exactly one batch axis, as the docstring says."""
    return torch.bmm(distribution.unsqueeze(1), memory).squeeze(1)

def odd__renamed(alpha, h):
    """The slides' names for the arguments."""
    return (alpha.unsqueeze(-1) * h).sum(-2)

def odd__item_by_item(distribution, memory):
    """One item of the batch after the other, by `unbind`."""
    if distribution.dim() == 1:
        return distribution @ memory
    flat = zip(
        distribution.reshape(-1, distribution.shape[-1]), memory.reshape(-1, *memory.shape[-2:]), strict=True
    )
    return torch.stack([a @ h for a, h in flat]).unflatten(0, distribution.shape[:-1])

odd__lambda = lambda distribution, memory: (distribution[..., None, :] @ memory)[..., 0, :]

def wrong__detached__2(distribution, memory):
    a, h = distribution.detach().double().cpu().numpy(), memory.detach().double().cpu().numpy()
    return torch.from_numpy((a[..., None] * h).sum(-2)).to(memory)

def wrong__input_changed__2(distribution, memory):
    for j in range(memory.shape[-2]):
        memory[..., j, :] *= distribution[..., j : j + 1]
    return memory.sum(dim=-2)

def wrong__wrong_device__2(distribution, memory):
    ones = torch.ones(1, memory.shape[-2], dtype=memory.dtype)
    return (ones @ (distribution.unsqueeze(-1) * memory)).squeeze(-2)

def wrong__wrong_dtype__2(distribution, memory):
    output = torch.empty(memory.shape[:-2] + memory.shape[-1:], device=memory.device)
    output[...] = (distribution.unsqueeze(-1) * memory).sum(-2)
    return output

def wrong__divided_again__2(distribution, memory):
    """A weighted sum, divided by the number of states."""
    return torch.einsum("...n,...nd->...d", distribution, memory) / distribution.shape[-1]

wrong__memory_summed__1 = change(
    right__matmul, ("(distribution.unsqueeze(-2) @ memory).squeeze(-2)", "memory.sum(-2)"),
)
wrong__memory_summed__2 = change(
    right__matmul, ("(distribution.unsqueeze(-2) @ memory).squeeze(-2)", "torch.mean(memory, dim=-2)"),
)
wrong__memory_summed__3 = change(right__einsum, ('"...n,...nd->...d", distribution', '"...nd->...d"'))
wrong__detached__1 = change(right__matmul, (".unsqueeze", ".data.unsqueeze"), ("@ memory", "@ memory.data"))
wrong__input_changed__1 = change(
    right__matmul,
    ("(distribution.unsqueeze(-2) @ memory).squeeze(-2)", "memory.mul_(distribution.unsqueeze(-1)).sum(-2)"),
)
wrong__wrong_device__1 = change(
    right__loop,
    (".zeros_like(memory[..., 0, :])", ".zeros(memory.shape[:-2] + memory.shape[-1:], dtype=memory.dtype)"),
    ("j : j + 1", "j, None"),
)
wrong__wrong_dtype__1 = change(
    right__matmul, (".unsqueeze", ".to(torch.float32).unsqueeze"), ("@ memory", "@ memory.to(torch.float32)"),
)
# The weighted states, averaged.
wrong__divided_again__1 = change(
    right__matmul,
    (
        "(distribution.unsqueeze(-2) @ memory).squeeze(-2)",
        "(distribution.unsqueeze(-1) * memory).mean(dim=-2)",
    ),
)

def wrong__only_the_largest__1(distribution, memory):
    """The memory vector of the largest weight alone."""
    best = distribution.argmax(-1)[..., None, None].expand(*memory.shape[:-2], 1, memory.shape[-1])
    return memory.gather(-2, best).squeeze(-2)

def wrong__divided_by_sum__1(distribution, memory):
    """Divided by the weights' sum: NaN where all are 0."""
    mixed = (distribution.unsqueeze(-1) * memory).sum(-2)
    return mixed / distribution.sum(-1, keepdim=True)

# Without a new axis every distribution meets every memory: (batch, batch, d_hidden).
extra__distribution_not_unsqueezed = change(
    right__matmul, ("(distribution.unsqueeze(-2) @ memory).squeeze(-2)", "distribution @ memory"),
)
# The product pairs weights with channels: an error unless n_source equals d_hidden.
extra__distribution_not_unsqueezed__product = change(
    right__matmul,
    ("(distribution.unsqueeze(-2) @ memory).squeeze(-2)", "(distribution.unsqueeze(-2) * memory).sum(-2)"),
)
# The axis of the one query is left in place: (batch, 1, d_hidden).
extra__axis_left_over = change(
    right__matmul,
    ("(distribution.unsqueeze(-2) @ memory).squeeze(-2)", "distribution.unsqueeze(-2) @ memory"),
)
# squeeze() without an axis also removes a batch of one.
extra__squeezed_too_much = change(right__matmul, (".squeeze(-2)", ".squeeze()"))
# The weighted vectors are returned one by one.
extra__not_summed = change(
    right__matmul,
    ("(distribution.unsqueeze(-2) @ memory).squeeze(-2)", "distribution.unsqueeze(-1) * memory"),
)
# Summed over the channels: one number per source position.
extra__summed_over_wrong_axis = change(
    right__matmul,
    ("(distribution.unsqueeze(-2) @ memory).squeeze(-2)", "(distribution.unsqueeze(-1) * memory).sum(-1)"),
)
# The mean of the weighted vectors: divided by n_source once more.
extra__mean_of_weighted = change(
    right__matmul,
    ("(distribution.unsqueeze(-2) @ memory).squeeze(-2)", "(distribution.unsqueeze(-1) * memory).mean(-2)"),
)
# The distribution goes through a softmax a second time.
wrong__softmax_twice__1 = change(right__matmul, (".unsqueeze", ".softmax(-1).unsqueeze"))
# The weights are cut from the graph.
extra__gradient_misses_distribution = change(right__matmul, (".unsqueeze", ".detach().unsqueeze"))
# The memory is reshaped where it should be transposed.
wrong__key_reshaped__1 = change(
    right__columns, ("memory.transpose(-1, -2)", "memory.reshape(*memory.shape[:-2], memory.shape[-1], -1)")
)
