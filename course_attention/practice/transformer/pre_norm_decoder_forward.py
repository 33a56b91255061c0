"""The forward pass of a pre-norm decoder block: three sublayers, each with a norm before it."""

from collections.abc import Iterator

import torch
from torch import nn

from course_attention.mechanisms.masking import causal_mask
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.transformer.norm_blocks import PlainDecoderBlock, drawn_decoder_block


def pre_norm_decoder_forward(block, x, memory, allowed=None, memory_allowed=None):
    """Add to x what self-attention, cross-attention and network make of normalised tokens; leave the memory alone."""
    x = x + block.self_attention(block.norm_1(x), allowed=allowed)[0]
    read, weights = block.cross_attention(block.norm_2(x), memory, allowed=memory_allowed)
    x = x + read
    return x + block.feed_forward(block.norm_3(x)), weights


def post_norm(block, x, memory, allowed=None, memory_allowed=None):
    x = block.norm_1(x + block.self_attention(x, allowed=allowed)[0])
    read, weights = block.cross_attention(x, memory, allowed=memory_allowed)
    x = block.norm_2(x + read)
    return block.norm_3(x + block.feed_forward(x)), weights


def without_masks(block, x, memory, allowed=None, memory_allowed=None):
    return pre_norm_decoder_forward(block, x, memory)


def without_memory_mask(block, x, memory, allowed=None, memory_allowed=None):
    return pre_norm_decoder_forward(block, x, memory, allowed)


def without_causal_mask(block, x, memory, allowed=None, memory_allowed=None):
    return pre_norm_decoder_forward(block, x, memory, None, memory_allowed)


def memory_normalised(block, x, memory, allowed=None, memory_allowed=None):
    return pre_norm_decoder_forward(block, x, block.norm_2(memory), allowed, memory_allowed)


def norms_on_the_road(block, x, memory, allowed=None, memory_allowed=None):
    x = block.norm_1(x)
    x = x + block.self_attention(x, allowed=allowed)[0]
    x = block.norm_2(x)
    read, weights = block.cross_attention(x, memory, allowed=memory_allowed)
    x = block.norm_3(x + read)
    return x + block.feed_forward(x), weights


def without_residuals(block, x, memory, allowed=None, memory_allowed=None):
    x = block.self_attention(block.norm_1(x), allowed=allowed)[0]
    x, weights = block.cross_attention(block.norm_2(x), memory, allowed=memory_allowed)
    return block.feed_forward(block.norm_3(x)), weights


def without_cross_residual(block, x, memory, allowed=None, memory_allowed=None):
    x = x + block.self_attention(block.norm_1(x), allowed=allowed)[0]
    x, weights = block.cross_attention(block.norm_2(x), memory, allowed=memory_allowed)
    return x + block.feed_forward(block.norm_3(x)), weights


def memory_not_read(block, x, memory, allowed=None, memory_allowed=None):
    x = x + block.self_attention(block.norm_1(x), allowed=allowed)[0]
    read, weights = block.cross_attention(block.norm_2(x), allowed=memory_allowed)
    x = x + read
    return x + block.feed_forward(block.norm_3(x)), weights


def second_norm_missing(block, x, memory, allowed=None, memory_allowed=None):
    x = x + block.self_attention(block.norm_1(x), allowed=allowed)[0]
    read, weights = block.cross_attention(x, memory, allowed=memory_allowed)
    x = x + read
    return x + block.feed_forward(block.norm_3(x)), weights


def weights_of_self_attention(block, x, memory, allowed=None, memory_allowed=None):
    _, weights = block.self_attention(block.norm_1(x), allowed=allowed)
    return pre_norm_decoder_forward(block, x, memory, allowed, memory_allowed)[0], weights


def without_weights(block, x, memory, allowed=None, memory_allowed=None):
    return pre_norm_decoder_forward(block, x, memory, allowed, memory_allowed)[0]


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one token and a memory of one token to compute by hand, then drawn blocks with masks."""
    ten_times = nn.Linear(2, 2, bias=False)
    nn.init.eye_(ten_times.weight).data.mul_(10)
    yield Trial(
        "one token, (1, 3), and one of the memory, (5, 9); the network makes what it reads ten times as large",
        {
            "block": PlainDecoderBlock(ten_times),
            "x": torch.tensor([[[1.0, 3.0]]]),
            "memory": torch.tensor([[[5.0, 9.0]]]),
        },
        (torch.tensor([[[-5.0, 23.0]]]), torch.ones(1, 1, 1, 1)),
        says="A norm makes (−1, 1) of each of these tokens. The self-attention adds (−1, 1), which gives (0, 4). With "
        "one token in the memory, the cross-attention adds just that, (5, 9), which gives (5, 13). The network adds "
        "(−10, 10).",
        tolerance=1e-3,
    )
    masks = (
        (2, 4, 3, None, None),
        (2, 5, 3, causal_mask(5), torch.tensor([[[True, True, False]], [[True, False, False]]])),
        (1, 3, 4, causal_mask(3), None),
    )
    for batch, n_target, n_source, allowed, memory_allowed in masks:
        yield Trial(
            f"{batch} texts of {n_target} tokens, a memory of {n_source}, "
            f"{'no' if allowed is None else 'a'} causal mask and {'no' if memory_allowed is None else 'a'} mask of the "
            "memory".replace("1 texts", "1 text"),
            {
                "block": drawn_decoder_block(generator),
                "x": 3 * torch.randn(batch, n_target, 4, generator=generator),
                "memory": 3 * torch.randn(batch, n_source, 4, generator=generator),
                "allowed": allowed,
                "memory_allowed": memory_allowed,
            },
            says="A norm comes right before its sublayer, and normalises what comes from the target only.",
            tolerance=1e-4,
        )


PRACTICE = Practice(
    name="pre_norm_decoder_forward",
    prompt="The forward pass of a pre-norm decoder block, with the layers of your `DecoderBlock`.",
    minutes=6,
    hints=(
        "Three sublayers, each as in `pre_norm_forward`: x ← x + sublayer(norm(x)).",
        "The cross-attention gets two sequences: `block.cross_attention(block.norm_2(x), memory, "
        "allowed=memory_allowed)`. Only its queries come from the road.",
        "It returns its output and its weights. The weights are the second thing that you return.",
    ),
    given=pre_norm_decoder_forward,
    trials=trials,
    returns=("x", "weights"),
    misconceptions={
        "pre-norm-decoder-is-post-norm": Misconception(
            "This is the post-norm block",
            "The sums are normalised, as in your `DecoderBlock`. In a pre-norm block each norm is on its branch: "
            "x ← x + sublayer(norm(x)).",
            (post_norm,),
        ),
        "pre-norm-decoder-no-masks": Misconception(
            "A mask is not passed on",
            "The self-attention needs `allowed=allowed`, and the cross-attention `allowed=memory_allowed`.",
            (without_masks, without_memory_mask, without_causal_mask),
        ),
        "pre-norm-decoder-memory-normalised": Misconception(
            "The memory is normalised",
            "The memory is the output of the encoder, and the decoder block reads it as it is. `norm_2` is for the "
            "tokens of the target, which make the queries.",
            (memory_normalised,),
        ),
        "pre-norm-decoder-on-the-road": Misconception(
            "The norms are on the road",
            "The sublayers read normalised tokens, and that is right. But their results are added to the normalised "
            "tokens, too. Keep x as it is, and give `norm(x)` to the sublayer only.",
            (norms_on_the_road,),
        ),
        "pre-norm-decoder-no-residual": Misconception(
            "A residual connection is missing",
            "What a sublayer gives is added to x. It does not take the place of x.",
            (without_residuals, without_cross_residual),
        ),
        "pre-norm-decoder-memory-not-read": Misconception(
            "The cross-attention does not get the memory",
            "Its keys and values come from the memory: it is the second argument of `block.cross_attention`.",
            (memory_not_read,),
        ),
        "pre-norm-decoder-second-missing": Misconception(
            "The cross-attention reads tokens that are not normalised",
            "All three sublayers have a norm before them: `norm_2` belongs to the cross-attention.",
            (second_norm_missing,),
        ),
        "pre-norm-decoder-weights": Misconception(
            "The weights of the self-attention are returned",
            "The alignment between target and source is asked for: the weights of the cross-attention.",
            (weights_of_self_attention,),
        ),
        "pre-norm-decoder-no-weights": Misconception(
            "The weights are not returned",
            "Two things come back: x, and the weights of the cross-attention.",
            (without_weights,),
        ),
    },
)
