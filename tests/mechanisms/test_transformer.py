"""The Transformer's blocks agree with PyTorch's, see what they may and no more, and count what they should."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from course_attention import (
    DecoderBlock,
    EncoderBlock,
    MultiHeadAttention,
    attention_layers,
    causal_mask,
    greedy_decode,
    sequence_loss,
    shift_right,
)
from course_attention.exercises import CATALOGUE

sizes = st.integers(min_value=1, max_value=4)
batches = st.lists(sizes, max_size=2)


def _set(theirs: nn.MultiheadAttention, ours: MultiHeadAttention) -> None:
    """Give PyTorch's attention our weights, and biases of 0."""
    joined = torch.cat([ours.w_query.weight, ours.w_key.weight, ours.w_value.weight])
    state = {
        "in_proj_weight": joined,
        "in_proj_bias": torch.zeros(len(joined)),
        "out_proj.weight": ours.w_out.weight,
        "out_proj.bias": torch.zeros(len(ours.w_out.weight)),
    }
    theirs.load_state_dict(state)


def _stir(block: nn.Module) -> nn.Module:
    """Norms start as 1 and 0, which would hide one taken for another."""
    for parameter in block.parameters():
        nn.init.normal_(parameter)
    return block


@pytest.mark.parametrize("masked", [False, True])
def test_encoder_as_torch_does(masked: bool) -> None:
    """On the same weights the block and PyTorch's encoder layer give the same."""
    ours = _stir(EncoderBlock(6, 3, 5)).double()
    theirs = nn.TransformerEncoderLayer(6, 3, 5, dropout=0.0, batch_first=True).double()
    _set(theirs.self_attn, ours.attention)
    for mine, name in ((ours.norm_1, "norm1"), (ours.norm_2, "norm2")):
        getattr(theirs, name).load_state_dict(mine.state_dict())
    theirs.linear1.load_state_dict(ours.feed_forward[0].state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward[2].state_dict())
    x, allowed = torch.randn(2, 4, 6, dtype=torch.float64), causal_mask(4)
    expected = theirs(x, src_mask=~allowed if masked else None)
    torch.testing.assert_close(ours(x, allowed if masked else None), expected)


@pytest.mark.parametrize("masked", [False, True])
def test_decoder_as_torch_does(masked: bool) -> None:
    """The same for the decoder, with a mask for each of its attentions."""
    ours = _stir(DecoderBlock(6, 3, 5)).double()
    theirs = nn.TransformerDecoderLayer(6, 3, 5, dropout=0.0, batch_first=True).double()
    _set(theirs.self_attn, ours.self_attention)
    _set(theirs.multihead_attn, ours.cross_attention)
    for mine, name in ((ours.norm_1, "norm1"), (ours.norm_2, "norm2"), (ours.norm_3, "norm3")):
        getattr(theirs, name).load_state_dict(mine.state_dict())
    theirs.linear1.load_state_dict(ours.feed_forward[0].state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward[2].state_dict())
    x, memory = (torch.randn(2, n, 6, dtype=torch.float64) for n in (4, 5))
    allowed, memory_allowed = causal_mask(4), torch.rand(4, 5) < 0.5
    memory_allowed[:, 0] = True
    masks = (allowed, memory_allowed) if masked else ()
    blocked = {"tgt_mask": ~allowed, "memory_mask": ~memory_allowed} if masked else {}
    torch.testing.assert_close(ours(x, memory, *masks)[0], theirs(x, memory, **blocked))


@given(batch=batches, n_queries=sizes, n_keys=sizes, n_heads=sizes, d_hidden=sizes, seed=st.integers(0, 99))
def test_any_shape(batch: list[int], n_queries: int, n_keys: int, n_heads: int, d_hidden: int, seed: int) -> None:
    """Both blocks agree with their oracles for any shape and any masks, sizes of 1 and no batch included."""
    torch.manual_seed(seed)
    size = {"d_model": 3 * n_heads, "n_heads": n_heads, "d_hidden": d_hidden}
    x, memory = (torch.randn(*batch, n, 3 * n_heads, dtype=torch.float64) for n in (n_queries, n_keys))
    allowed, memory_allowed = (torch.rand(*batch, n_queries, n) < 0.6 for n in (n_queries, n_keys))
    for block, arguments in (
        (EncoderBlock, {"x": x, "allowed": allowed}),
        (DecoderBlock, {"x": x, "memory": memory, "allowed": allowed, "memory_allowed": memory_allowed}),
    ):
        module = _stir(block(**size)).double()
        with torch.no_grad():
            received = module(**arguments)
        plain = {name: t.numpy() for name, t in (arguments | module.state_dict()).items()}
        expected = CATALOGUE[block.__name__].exercise.oracle(**plain, **size)
        pairs = zip(expected, received, strict=True) if block is DecoderBlock else [(expected, received)]
        for right, came in pairs:
            np.testing.assert_allclose(came.numpy(), right, atol=1e-9)


def test_nothing_allowed(dtype: torch.dtype, device: str) -> None:
    """Tokens that may attend to nothing, in either attention, get finite numbers and finite gradients."""
    x, memory = (torch.randn(2, n, 6).to(device, dtype).requires_grad_() for n in (3, 4))
    nothing = torch.zeros(3, 4, dtype=torch.bool, device=device)
    block = DecoderBlock(6, 2, 5).to(device, dtype)
    output, weights = block(x, memory, causal_mask(3, device=device).tril(-1), nothing)
    output.float().square().sum().backward()
    assert (weights == 0).all() and output.dtype == dtype and output.isfinite().all()
    assert all(t.grad is None or t.grad.isfinite().all() for t in (x, memory, *block.parameters()))


def test_decoder_reads_no_answer() -> None:
    """With shifted targets and a causal mask, no output depends on its own target or on a later one."""
    embed, block = nn.Embedding(9, 6), DecoderBlock(6, 2, 5)
    memory, targets = torch.randn(1, 4, 6), torch.tensor([[3, 4, 5, 6]])

    def run(targets: Tensor) -> Tensor:
        return block(embed(shift_right(targets, 1)), memory, causal_mask(4))[0]

    for place in range(4):
        other = targets.clone()
        other[0, place] = 8
        changed = (run(other) != run(targets)).any(dim=-1)[0]
        assert not changed[: place + 1].any()
        assert changed[place + 1 :].all()


def test_shift_keeps() -> None:
    """The result has the dtype and the shape of the tokens, which stay as they were; one place is lost, one gained."""
    for dtype in (torch.int64, torch.int32):
        tokens = torch.arange(3, 27, dtype=dtype).reshape(2, 3, 4)
        before = tokens.clone()
        shifted = shift_right(tokens, start_token=0)
        assert shifted.dtype == dtype and shifted.shape == tokens.shape and tokens.equal(before)
        assert (shifted[..., 0] == 0).all() and shifted[..., 1:].equal(tokens[..., :-1])
    assert shift_right(torch.zeros(2, 0, dtype=torch.int64), 1).shape == (2, 0)


def test_loss_forgets_padding() -> None:
    """Padding changes neither the loss nor its gradient, however much there is and whatever is predicted there."""
    logits, targets = torch.randn(2, 3, 5, dtype=torch.float64), torch.tensor([[1, 2, 3], [4, 1, 2]])
    padded = torch.cat([logits, 100 * torch.randn(2, 4, 5, dtype=torch.float64)], dim=1).requires_grad_()
    more = torch.cat([targets, torch.zeros(2, 4, dtype=torch.int64)], dim=1)
    loss = sequence_loss(padded, more, pad_token=0)
    torch.testing.assert_close(loss, sequence_loss(logits, targets, pad_token=0))
    loss.backward()
    assert (padded.grad[:, 3:] == 0).all() and (padded.grad[:, :3] != 0).any()


def test_loss_of_the_ignorant() -> None:
    """Equal logits cost log n for each target, however many there are."""
    for n_classes in (2, 7):
        loss = sequence_loss(torch.zeros(3, 4, n_classes), torch.ones(3, 4, dtype=torch.int64), pad_token=0)
        np.testing.assert_allclose(loss, np.log(n_classes), rtol=1e-6)


def test_layers() -> None:
    """The number is what an encoder–decoder of six and six blocks holds."""
    blocks = nn.ModuleList(block(4, 2, 8) for block in 6 * [EncoderBlock] + 6 * [DecoderBlock])
    assert sum(isinstance(m, MultiHeadAttention) for m in blocks.modules()) == attention_layers


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: EncoderBlock(6, 4, 8), ValueError, "n_heads must divide d_model=6"),
        (lambda: DecoderBlock(6, 4, 8), ValueError, "n_heads must divide d_model=6"),
        (lambda: shift_right(torch.ones(2, 3), 1), TypeError, "tokens must hold whole numbers"),
        (lambda: shift_right(torch.ones(2, 3).long(), 0.5), ValueError, "start_token must be a whole number"),
        (
            lambda: greedy_decode(print, 0, 1, 5, 0),
            ValueError,
            "batch must be a whole number, 1 or more; got 0",
        ),
        (
            lambda: greedy_decode(print, 0, 1, -1, 2),
            ValueError,
            "max_length must be a whole number, 0 or more",
        ),
        (
            lambda: sequence_loss(torch.ones(2, 3, 4), torch.ones(2, 4).long(), 0),
            ValueError,
            r"targets must be \(\.\.\., n_tokens=3\), as logits has n_tokens 3",
        ),
        (
            lambda: sequence_loss(torch.ones(2, 3, 4), torch.ones(2, 3), 0),
            TypeError,
            "targets must hold whole",
        ),
        (
            lambda: sequence_loss(torch.ones(3, 4), torch.ones(3).long(), None),
            ValueError,
            "pad_token must be a whole number",
        ),
    ],
)
def test_errors(call, error: type[Exception], message: str) -> None:
    """What does not fit is refused with the rule and what came."""
    with pytest.raises(error, match=message):
        call()
