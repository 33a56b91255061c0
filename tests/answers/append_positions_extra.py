"""Wrong answers beyond the table to `append_positions(x, encoding)` of notebook 06."""

from __future__ import annotations

import math

import torch

from tests.answers.gather import gather


def extra__append_positions__no_batch(x, encoding):
    """The encoding is not repeated: an error with a batch."""
    return torch.cat([x, encoding], dim=-1)


def extra__append_positions__one_batch_axis_only(x, encoding):
    """The encoding is repeated for one batch axis: an error without, and with two."""
    return torch.cat([x, encoding.repeat(x.shape[0], 1, 1)], dim=-1)


def extra__append_positions__appended_as_tokens(x, encoding):
    """Stacked under the tokens, where the widths agree."""
    return torch.cat([x, encoding.expand(*x.shape[:-2], *encoding.shape)], dim=-2)


def extra__append_positions__scaled(x, encoding):
    """x times √d_model, as the paper has it before it adds."""
    copies = encoding.expand(*x.shape[:-1], encoding.shape[-1])
    return torch.cat([x * math.sqrt(x.shape[-1]), copies], dim=-1)


def extra__append_positions__added_and_appended(x, encoding):
    """The encoding is added to x as well, on as many channels as both have."""
    n = min(x.shape[-1], encoding.shape[-1])
    x = torch.cat([x[..., :n] + encoding[:, :n], x[..., n:]], dim=-1)
    return torch.cat([x, encoding.expand(*x.shape[:-1], encoding.shape[-1])], dim=-1)


def extra__append_positions__interleaved(x, encoding):
    """One channel of x, one of the encoding, in turn, where the widths agree."""
    return torch.stack([x, encoding.expand(*x.shape[:-1], encoding.shape[-1])], dim=-1).flatten(-2)


def extra__append_positions__first_row_for_all(x, encoding):
    """Each token is given position 0."""
    return torch.cat([x, encoding[0].expand(*x.shape[:-1], encoding.shape[-1])], dim=-1)


def extra__append_positions__positions_backwards(x, encoding):
    """The last position goes to the first token."""
    return torch.cat([x, encoding.flip(0).expand(*x.shape[:-1], encoding.shape[-1])], dim=-1)


def extra__append_positions__position_of_the_item(x, encoding):
    """Item b of the batch gets the encoding of position b in each token, as far as there are positions."""
    if x.dim() == 2:
        return torch.cat([x, encoding], dim=-1)
    rows = encoding[torch.arange(x.shape[0], device=x.device) % len(encoding)]
    rows = rows.reshape(x.shape[0], *[1] * (x.dim() - 2), -1)
    return torch.cat([x, rows.expand(*x.shape[:-1], encoding.shape[-1])], dim=-1)


def extra__append_positions__detached__encoding_only(x, encoding):
    """The encoding's part is cut from the graph: a learned encoding would not learn."""
    return torch.cat([x, encoding.detach().expand(*x.shape[:-1], encoding.shape[-1])], dim=-1)


def extra__append_positions__x_returned(x, encoding):
    """x as it came."""
    return x


def extra__append_positions__pair(x, encoding):
    """The two parts side by side in a tuple, not joined."""
    return x, encoding.expand(*x.shape[:-1], encoding.shape[-1])


def extra__append_positions__concat_tokens__item_by_item(x, encoding):
    """Stacked under the tokens, item by item, where the widths agree."""
    items = [torch.vstack([item, encoding]) for item in x.reshape(-1, *x.shape[-2:])]
    return torch.stack(items).reshape(*x.shape[:-2], -1, x.shape[-1])


def extra__append_positions__batch_as_sequence__transposed(x, encoding):
    """The first axis is taken for the tokens: an error unless there are as many items as positions."""
    turned = x.transpose(0, -2)
    return torch.cat([turned, encoding.expand(*turned.shape[:-1], -1)], dim=-1).transpose(0, -2)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
