"""An ablation: one encoder block loses its residual connections, and nothing else changes."""

from collections.abc import Iterator
from functools import partial

import torch
from torch import nn

from course_attention.mechanisms.masking import causal_mask
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.transformer.norm_blocks import PlainBlock, drawn_block
from course_attention.practice.transformer.one_block import ShiftAttention, changed


def cut_residuals(block):
    """Give this block, and not its class, a forward pass in which no x goes past a sublayer."""

    def forward(x, allowed=None):
        x = block.norm_1(block.attention(x, allowed=allowed)[0])
        return block.norm_2(block.feed_forward(x))

    block.forward = forward


def attention_keeps_its_own(block):
    def forward(x, allowed=None):
        x = block.norm_1(x + block.attention(x, allowed=allowed)[0])
        return block.norm_2(block.feed_forward(x))

    block.forward = forward


def network_keeps_its_own(block):
    def forward(x, allowed=None):
        x = block.norm_1(block.attention(x, allowed=allowed)[0])
        return block.norm_2(x + block.feed_forward(x))

    block.forward = forward


def nothing(block):
    return block.forward


def without_norms(block):
    block.forward = lambda x, allowed=None: block.feed_forward(block.attention(x, allowed=allowed)[0])


def without_first_norm(block):
    block.forward = lambda x, allowed=None: block.norm_2(block.feed_forward(block.attention(x, allowed=allowed)[0]))


def without_second_norm(block):
    block.forward = lambda x, allowed=None: block.feed_forward(block.norm_1(block.attention(x, allowed=allowed)[0]))


def norms_alone(block):
    block.forward = lambda x, allowed=None: block.norm_2(block.norm_1(x))


def without_attention(block):
    block.forward = lambda x, allowed=None: block.norm_2(block.feed_forward(block.norm_1(x)))


def without_network(block):
    block.forward = lambda x, allowed=None: block.norm_2(block.norm_1(block.attention(x, allowed=allowed)[0]))


def network_reads_the_input(block):
    block.forward = lambda x, allowed=None: block.norm_2(block.feed_forward(x))


def input_returned(block):
    block.forward = lambda x, allowed=None: x


def mask_forgotten(block):
    def forward(x, allowed=None):
        return block.norm_2(block.feed_forward(block.norm_1(block.attention(x)[0])))

    block.forward = forward


def no_place_for_the_mask(block):
    def forward(x):
        return block.norm_2(block.feed_forward(block.norm_1(block.attention(x)[0])))

    block.forward = forward


def norms_first(block):
    def forward(x, allowed=None):
        x = block.attention(block.norm_1(x), allowed=allowed)[0]
        return block.feed_forward(block.norm_2(x))

    block.forward = forward


def norms_exchanged(block):
    def forward(x, allowed=None):
        x = block.norm_2(block.attention(x, allowed=allowed)[0])
        return block.norm_1(block.feed_forward(x))

    block.forward = forward


def first_norm_twice(block):
    def forward(x, allowed=None):
        x = block.norm_1(block.attention(x, allowed=allowed)[0])
        return block.norm_1(block.feed_forward(x))

    block.forward = forward


def _of_any_block(self, x, allowed=None):
    x = self.norm_1(self.attention(x, allowed=allowed)[0])
    return self.norm_2(self.feed_forward(x))


def class_changed(block):
    type(block).forward = _of_any_block


def with_self(block):
    block.forward = _of_any_block


def with_self_in_steps(block):
    def forward(self, x, allowed=None):
        attended = self.attention(x, allowed=allowed)[0]
        return self.norm_2(self.feed_forward(self.norm_1(attended)))

    block.forward = forward


def with_self_at_once(block):
    def forward(self, x, allowed=None):
        return self.norm_2(self.feed_forward(self.norm_1(self.attention(x, allowed=allowed)[0])))

    block.forward = forward


def with_self_and_a_mask(block):
    def forward(self, x, allowed):
        return _of_any_block(self, x, allowed)

    block.forward = forward


def with_self_unused(block):
    def forward(self, x, allowed=None):
        return _of_any_block(block, x, allowed)

    block.forward = forward


def trials(generator: torch.Generator, *, EncoderBlock: type[nn.Module]) -> Iterator[Trial]:  # noqa: N803 - its name
    """Yield one token of numbers that are moved from place to place, then drawn blocks with and without a mask."""
    ten_times = nn.Linear(4, 4, bias=False)
    ten_times.weight.data = 10 * torch.eye(4).roll(1, dims=0)
    moved = PlainBlock(ten_times)
    moved.attention = ShiftAttention()
    run = partial(changed, taught=EncoderBlock)
    yield Trial(
        "one token; the attention moves its numbers one place to the right, and the network does so and makes them ten "
        "times as large",
        {"block": moved, "x": torch.tensor([[[1.0, 1.0, 3.0, 3.0]]]), "allowed": None},
        (torch.tensor([[[1.0, 1.0, -1.0, -1.0]]]), "is as it was"),
        run,
        says="The attention makes (3, 1, 1, 3) of x, and its norm (1, −1, −1, 1). The network makes (10, 10, −10, −10) "
        "of this, and its norm (1, 1, −1, −1). Nothing is added.",
        changes=("block",),
        tolerance=1e-3,
    )
    for batch, n_tokens, allowed in ((2, 4, None), (2, 5, causal_mask(5)), (1, 3, torch.eye(3).bool())):
        yield Trial(
            f"{batch} texts of {n_tokens} tokens, {'no' if allowed is None else 'a'} mask".replace("1 texts", "1 text"),
            {
                "block": drawn_block(generator),
                "x": 3 * torch.randn(batch, n_tokens, 4, generator=generator),
                "allowed": allowed,
            },
            run=run,
            says="Both sublayers are there, each with the norm after it, and no x goes past them.",
            changes=("block",),
            tolerance=1e-4,
        )


PRACTICE = Practice(
    name="cut_residuals",
    prompt="Take the residual connections out of one encoder block, and leave the rest.",
    minutes=6,
    hints=(
        "Write down the two lines of your `EncoderBlock`'s forward pass. Which part of each is the residual "
        "connection, and which parts are not?",
        "Define the new pass inside of `cut_residuals`, so that it finds `block`: `def forward(x, allowed=None):`. It "
        "uses `block.attention`, `block.norm_1`, `block.feed_forward` and `block.norm_2`, each once.",
        "The last line of `cut_residuals` gives the function to the block: `block.forward = forward`. The attention "
        "still needs its mask, and returns two things.",
    ),
    given=cut_residuals,
    trials=trials,
    returns=("what the block gives", "another block of the same class"),
    misconceptions={
        "cut-one-kept": Misconception(
            "One sublayer still has its residual connection",
            "The block has two of them, one around the attention and one around the network. In your pass, x is still "
            "added to what one of the two gives.",
            (attention_keeps_its_own, network_keeps_its_own),
        ),
        "cut-nothing": Misconception(
            "The block gives what it gave before",
            "There are two ways to get here. Either the new pass still adds x twice, or the block has not got it: a "
            "function that is defined, returned or given to a copy does not change this block.",
            (nothing,),
        ),
        "cut-norm-lost": Misconception(
            "A norm is lost with the residual connection",
            "In norm(x + sublayer(x)), only the addition of x goes. What each sublayer gives is still normalised.",
            (without_norms, without_first_norm, without_second_norm),
        ),
        "cut-sublayer-lost": Misconception(
            "A sublayer is lost, and not only the way around it",
            "A residual connection leads x past a sublayer. Without it, x has to go *through* the attention, and what "
            "comes of that through the network.",
            (norms_alone, without_attention, without_network, network_reads_the_input),
        ),
        "cut-input-returned": Misconception(
            "The block gives back what it reads",
            "That is what would be left if the sublayers were taken out. The residual connections are the way around "
            "them: what the sublayers compute has to be all that goes on.",
            (input_returned,),
        ),
        "cut-no-mask": Misconception(
            "The mask is lost with the residual connections",
            "The encoder calls `block(x, allowed)`. So the new pass has to take the mask, and the attention has to get "
            "it: `allowed=allowed`. Without it, tokens look where `allowed` is False.",
            (mask_forgotten, no_place_for_the_mask),
        ),
        "cut-norm-first": Misconception(
            "The norms have moved before the sublayers",
            "That is the order of a pre-norm block. In your `EncoderBlock` a norm comes after its sublayer, and an "
            "ablation changes one thing only.",
            (norms_first,),
        ),
        "cut-wrong-norm": Misconception(
            "A sublayer has the norm of the other one",
            "Each norm has learned numbers of its own: `norm_1` belongs to the attention, `norm_2` to the network.",
            (norms_exchanged, first_norm_twice),
        ),
        "cut-class-changed": Misconception(
            "All blocks of the class are changed",
            "The function was given to the class. Then every model loses its residual connections, the whole one that "
            "you compare with too. Give it to this one block.",
            (class_changed,),
        ),
        "cut-with-self": Misconception(
            "The new pass expects the block as its first argument",
            "Python puts the object in front only where a function belongs to its class. A function that belongs to "
            "one block is called with x and the mask alone. It finds `block` in the function around it.",
            (with_self, with_self_in_steps, with_self_at_once, with_self_and_a_mask, with_self_unused),
        ),
    },
)
