"""The forward pass of a pre-norm encoder block: each sublayer reads a normalised copy of the road."""

from collections.abc import Iterator

import torch
from torch import nn

from course_attention.mechanisms.masking import causal_mask
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.transformer.norm_blocks import PlainBlock, drawn_block


def pre_norm_forward(block, x, allowed=None):
    """Add to x what the attention, and then the network, makes of normalised tokens."""
    x = x + block.attention(block.norm_1(x), allowed=allowed)[0]
    return x + block.feed_forward(block.norm_2(x))


def post_norm(block, x, allowed=None):
    x = block.norm_1(x + block.attention(x, allowed=allowed)[0])
    return block.norm_2(x + block.feed_forward(x))


def without_mask(block, x, allowed=None):
    return pre_norm_forward(block, x)


def norm_on_the_road(block, x, allowed=None):
    x = block.norm_1(x)
    x = x + block.attention(x, allowed=allowed)[0]
    x = block.norm_2(x)
    return x + block.feed_forward(x)


def first_norm_on_the_road(block, x, allowed=None):
    x = block.norm_1(x)
    x = x + block.attention(x, allowed=allowed)[0]
    return x + block.feed_forward(block.norm_2(x))


def norm_after_the_sublayer(block, x, allowed=None):
    x = x + block.norm_1(block.attention(x, allowed=allowed)[0])
    return x + block.norm_2(block.feed_forward(x))


def without_residuals(block, x, allowed=None):
    x = block.attention(block.norm_1(x), allowed=allowed)[0]
    return block.feed_forward(block.norm_2(x))


def without_second_residual(block, x, allowed=None):
    x = x + block.attention(block.norm_1(x), allowed=allowed)[0]
    return block.feed_forward(block.norm_2(x))


def norms_exchanged(block, x, allowed=None):
    x = x + block.attention(block.norm_2(x), allowed=allowed)[0]
    return x + block.feed_forward(block.norm_1(x))


def first_norm_twice(block, x, allowed=None):
    x = x + block.attention(block.norm_1(x), allowed=allowed)[0]
    return x + block.feed_forward(block.norm_1(x))


def side_by_side(block, x, allowed=None):
    return x + block.attention(block.norm_1(x), allowed=allowed)[0] + block.feed_forward(block.norm_2(x))


def second_norm_missing(block, x, allowed=None):
    x = x + block.attention(block.norm_1(x), allowed=allowed)[0]
    return x + block.feed_forward(x)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one token whose norms can be computed by hand, then drawn blocks with and without a mask."""
    ten_times = nn.Linear(2, 2, bias=False)
    nn.init.eye_(ten_times.weight).data.mul_(10)
    yield Trial(
        "one token, (1, 3); the attention gives back what it reads, and the network makes it ten times as large",
        {"block": PlainBlock(ten_times), "x": torch.tensor([[[1.0, 3.0]]])},
        torch.tensor([[[-10.0, 14.0]]]),
        says="A norm makes (−1, 1) of (1, 3), and of (0, 4) as well. The attention adds (−1, 1) to (1, 3), which "
        "gives (0, 4). The network adds (−10, 10), which gives (−10, 14). Nothing normalises the sum.",
        tolerance=1e-3,
    )
    for batch, n_tokens, allowed in ((2, 4, None), (2, 5, causal_mask(5)), (1, 3, torch.eye(3).bool())):
        mask = "no mask" if allowed is None else "a mask"
        yield Trial(
            f"{batch} texts of {n_tokens} tokens, {mask}".replace("1 texts", "1 text"),
            {
                "block": drawn_block(generator),
                "x": 3 * torch.randn(batch, n_tokens, 4, generator=generator),
                "allowed": allowed,
            },
            says="A norm comes right before its sublayer, on the branch. The road itself is never normalised.",
            tolerance=1e-4,
        )


PRACTICE = Practice(
    name="pre_norm_forward",
    prompt="The forward pass of a pre-norm encoder block, with the layers of your `EncoderBlock`.",
    minutes=5,
    hints=(
        "In the drawing, the norm is on the branch: x ← x + sublayer(norm(x)). The sum stays as it is.",
        "`block.attention(…, allowed=allowed)` returns two things, and `[0]` is the output.",
        "The first of the two lines is `x = x + block.attention(block.norm_1(x), allowed=allowed)[0]`.",
    ),
    given=pre_norm_forward,
    trials=trials,
    returns=("x",),
    misconceptions={
        "pre-norm-is-post-norm": Misconception(
            "This is the post-norm block",
            "The sum is normalised, as in your `EncoderBlock`. In a pre-norm block the norm is on the branch: "
            "x ← x + sublayer(norm(x)).",
            (post_norm,),
        ),
        "pre-norm-no-mask": Misconception(
            "The mask is not passed on",
            "Without a mask the result is right. With one, tokens look where `allowed` is False: the attention has to "
            "get `allowed=allowed`.",
            (without_mask,),
        ),
        "pre-norm-on-the-road": Misconception(
            "The norm is on the road",
            "The sublayer reads normalised tokens, and that is right. But they are added to the normalised tokens, "
            "too. Keep x as it is, and give `norm(x)` to the sublayer only.",
            (norm_on_the_road, first_norm_on_the_road),
        ),
        "pre-norm-after-the-sublayer": Misconception(
            "The norm comes after the sublayer",
            "The sublayer should *read* normalised tokens. What it gives is added as it is.",
            (norm_after_the_sublayer,),
        ),
        "pre-norm-no-residual": Misconception(
            "A residual connection is missing",
            "What a sublayer gives is added to x. It does not take the place of x.",
            (without_residuals, without_second_residual),
        ),
        "pre-norm-wrong-norm": Misconception(
            "A sublayer has the norm of the other one",
            "Each norm has learned numbers of its own: `norm_1` belongs to the attention, `norm_2` to the network.",
            (norms_exchanged, first_norm_twice),
        ),
        "pre-norm-side-by-side": Misconception(
            "Both sublayers read the same x",
            "The network reads what is on the road *after* the attention has added to it.",
            (side_by_side,),
        ),
        "pre-norm-second-missing": Misconception(
            "The network reads tokens that are not normalised",
            "Both sublayers have a norm before them: `norm_2` belongs to the network.",
            (second_norm_missing,),
        ),
    },
)
