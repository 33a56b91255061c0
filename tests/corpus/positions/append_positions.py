"""Answers to `append_positions(x, encoding)` of notebook 06."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change

def right__expand(x, encoding):
    return torch.cat([x, encoding.expand(*x.shape[:-1], encoding.shape[-1])], dim=-1)

def right__broadcast_to(x, encoding):
    repeated = torch.broadcast_to(encoding, (*x.shape[:-1], encoding.size(-1)))
    return torch.concatenate((x, repeated), dim=x.dim() - 1)

right__zeros_added = change(right__expand, ("encoding.expand", "x.new_zeros"), ("], dim=-1", " + encoding], -1"))

def right__padded_and_added(x: torch.Tensor, encoding: torch.Tensor) -> torch.Tensor:
    return F.pad(x, (0, encoding.shape[-1])) + F.pad(encoding, (x.shape[-1], 0))

def right__written_in_parts(x, encoding):
    d_model, d_pos = x.shape[-1], encoding.shape[-1]
    out = torch.empty(*x.shape[:-1], d_model + d_pos, dtype=x.dtype, device=x.device)
    out[..., :d_model] = x
    out[..., d_model:] = encoding
    return out

def right__item_by_item(x, encoding):
    items = x.reshape(-1, *x.shape[-2:])
    joined = torch.stack([torch.hstack([item, encoding]) for item in items])
    return joined.reshape(*x.shape[:-1], -1)

def right__repeat(x, encoding):
    copies = encoding.repeat(*x.shape[:-2], 1, 1) if x.dim() > 2 else encoding
    return torch.cat((x, copies), dim=-1)

def right__token_by_token(x, encoding):
    tokens = []
    for p in range(x.shape[-2]):
        position = torch.ones_like(x[..., p, :1]) * encoding[p]
        tokens.append(torch.cat([x[..., p, :], position], dim=-1))
    return torch.stack(tokens, dim=-2)

def right__identity_matrices(x, encoding):
    # x goes to the first channels, the encoding to the last.
    d_model, d_pos = x.shape[-1], encoding.shape[-1]
    eye = torch.eye(d_model + d_pos, dtype=x.dtype, device=x.device)
    return x @ eye[:d_model] + encoding @ eye[d_model:]

def right__cast_to_x(x, encoding):
    encoding = encoding.to(x).expand(x.shape[:-1] + encoding.shape[-1:])
    return torch.cat([x, encoding], dim=-1)

def odd__channels_first(x, encoding):
    """Stacked along the tokens' axis of the transposes; the result is a view."""
    turned = encoding.mT.expand(*x.shape[:-2], -1, -1)
    return torch.cat([x.mT, turned], dim=-2).mT

def odd__renamed(tokens, pe, dim=-1):
    """Other names and an argument more."""
    return torch.cat([tokens, pe.expand(*tokens.shape[:-1], -1)], dim=dim)

def wrong__concat_added__1(x, encoding):
    return x + encoding

def wrong__concat_added__2(x, encoding):
    return torch.stack([x, encoding.expand_as(x)]).sum(0)

def wrong__encoding_first__2(x, encoding):
    return F.pad(x, (encoding.shape[-1], 0)) + F.pad(encoding, (0, x.shape[-1]))

def wrong__detached__2(x, encoding):
    d_model = x.shape[-1]
    out = x.new_empty(*x.shape[:-1], d_model + encoding.shape[-1])
    out[..., :d_model], out[..., d_model:] = x.data, encoding.data
    return out

def wrong__detached__3(x, encoding):
    a, b = x.detach().double().cpu().numpy(), encoding.detach().double().cpu().numpy()
    joined = np.concatenate([a, np.broadcast_to(b, (*a.shape[:-1], b.shape[-1]))], axis=-1)
    return torch.tensor(joined).to(x)

def wrong__input_changed__2(x, encoding):
    d_model = x.shape[-1]
    x *= 2
    return torch.cat([x, encoding.expand(*x.shape[:-1], -1)], dim=-1) * torch.tensor(
        [0.5] * d_model + [1.0] * encoding.shape[-1], dtype=x.dtype, device=x.device
    )

def wrong__batch_as_sequence__1(x, encoding):
    """The first axis is taken for the tokens: an error unless there are as many items as positions."""
    turned = x.transpose(0, -2)
    return torch.cat([turned, encoding.expand(*turned.shape[:-1], -1)], dim=-1).transpose(0, -2)

wrong__encoding_first__1 = change(
    right__zeros_added, ("x, x.new_zeros", "encoding.expand"), ("1]) + encoding], -1", "1]), x], dim=-1"),
)
wrong__detached__1 = change(right__expand, ("1)", "1).detach()"))
wrong__input_changed__1 = change(
    right__expand, ("return torch", "for _ in x.shape[:-2]:", "    encoding.unsqueeze_(0)", "return torch"),
)
# The parts are copied into a tensor on the CPU, and that comes back.
wrong__wrong_device__1 = change(
    right__written_in_parts, (", d_pos =", " ="), (", encoding.shape[-1]", ""),
    ("d_pos, dtype", "encoding.shape[-1], dtype"), (", device=x.device", ""),
)
wrong__wrong_device__2 = change(right__zeros_added, ("x.new_zeros", "torch.zeros"), ("[-1]", "[-1], dtype=x.dtype"))
wrong__wrong_dtype__1 = change(right__expand, ("1)", "1).float()"))
wrong__wrong_dtype__2 = change(
    wrong__wrong_device__1, ("torch.empty", "torch.zeros"), ("dtype=x.dtype", "device=x.device"),
)
# Stacked under the tokens, where the widths agree.
wrong__concat_tokens__1 = change(
    right__expand, ("1], encoding.shape[-1])], dim=-1", "2], *encoding.shape)], dim=-2"),
)

def natural__encoding_first__1(x, encoding):
    positions = torch.zeros(*x.shape[:-1], encoding.shape[-1], dtype=x.dtype, device=x.device)
    positions[...] = encoding
    return torch.cat((positions, x), dim=-1)

# As in the paper.
natural__concat_added__1 = change(wrong__concat_added__1, ("x + encoding", "x + encoding[: x.shape[-2]]"))

def extra__scaled(x, encoding):
    """x times √d_model, as the paper has it before it adds."""
    copies = encoding.expand(*x.shape[:-1], encoding.shape[-1])
    return torch.cat([x * math.sqrt(x.shape[-1]), copies], dim=-1)

def extra__added_and_appended(x, encoding):
    """The encoding is added to x as well, on as many channels as both have."""
    n = min(x.shape[-1], encoding.shape[-1])
    x = torch.cat([x[..., :n] + encoding[:, :n], x[..., n:]], dim=-1)
    return torch.cat([x, encoding.expand(*x.shape[:-1], encoding.shape[-1])], dim=-1)

def extra__position_of_the_item(x, encoding):
    """Item b of the batch gets the encoding of position b in each token, as far as there are positions."""
    if x.dim() == 2:
        return torch.cat([x, encoding], dim=-1)
    rows = encoding[torch.arange(x.shape[0], device=x.device) % len(encoding)]
    rows = rows.reshape(x.shape[0], *[1] * (x.dim() - 2), -1)
    return torch.cat([x, rows.expand(*x.shape[:-1], encoding.shape[-1])], dim=-1)

def extra__concat_tokens__item_by_item(x, encoding):
    """Stacked under the tokens, item by item, where the widths agree."""
    items = [torch.vstack([item, encoding]) for item in x.reshape(-1, *x.shape[-2:])]
    return torch.stack(items).reshape(*x.shape[:-2], -1, x.shape[-1])

# The encoding is not repeated: an error with a batch.
extra__no_batch = change(right__expand, (".expand(*x.shape[:-1], encoding.shape[-1])", ""))
# The encoding is repeated for one batch axis: an error without, and with two.
extra__one_batch_axis_only = change(
    right__expand, (".expand(*x.shape[:-1], encoding.shape[-1])", ".repeat(x.shape[0], 1, 1)"),
)
# One channel of x, one of the encoding, in turn, where the widths agree.
extra__interleaved = change(right__expand, ("torch.cat", "torch.stack"), ("1)", "1).flatten(-2)"))
# Each token is given position 0.
extra__first_row_for_all = change(right__expand, ("x, encoding.", "x, encoding[0]."))
# The last position goes to the first token.
extra__positions_backwards = change(right__expand, ("x, encoding.", "x, encoding.flip(0)."))
# The encoding's part is cut from the graph: a learned encoding would not learn.
extra__detached__encoding_only = change(right__expand, ("x, encoding.", "x, encoding.detach()."))
# x as it came.
extra__x_returned = change(wrong__concat_added__1, ("x + encoding", "x"))
# The two parts side by side in a tuple, not joined.
extra__pair = change(right__expand, ("torch.cat([x", "x"), ("], dim=-1)", ""))
