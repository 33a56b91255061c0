"""What the class token looks at: its weights on the patches in the last block."""

from collections.abc import Iterator

import torch
import torch.nn.functional as F

from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.beyond_text.picture_parts import SmallClassifier, drawn_classifier
from course_attention.practice.beyond_text.picture_tokens import picture_tokens


@torch.no_grad()
def looks(model, pictures):
    """Send the tokens through the first block, and read the first row of the weights in the last one."""
    x = model.blocks[0](picture_tokens(model, pictures))
    weights = model.blocks[1].attention(x)[1]
    return weights[:, :, 0, 1:].mean(dim=1)


@torch.no_grad()
def _weights(model, pictures):
    return model.blocks[1].attention(model.blocks[0](picture_tokens(model, pictures)))[1]


def of_the_patches(model, pictures):
    return _weights(model, pictures)[:, :, 1:, 0].mean(dim=1)


def on_itself_too(model, pictures):
    return _weights(model, pictures)[:, :, 0].mean(dim=1)


def each_head(model, pictures):
    return _weights(model, pictures)[:, :, 0, 1:]


def first_head(model, pictures):
    return _weights(model, pictures)[:, 0, 0, 1:]


def last_head(model, pictures):
    return _weights(model, pictures)[:, -1, 0, 1:]


def all_queries(model, pictures):
    return _weights(model, pictures)[:, :, :, 1:].mean(dim=(1, 2))


def patches_as_queries(model, pictures):
    return _weights(model, pictures)[:, :, 1:, 1:].mean(dim=(1, 2))


def sum_of_one(model, pictures):
    return F.normalize(looks(model, pictures), p=1, dim=-1)


def sum_of_heads(model, pictures):
    return _weights(model, pictures)[:, :, 0, 1:].sum(dim=1)


def without_the_last(model, pictures):
    return _weights(model, pictures)[:, :, 0, :-1].mean(dim=1)


def of_the_last_patch(model, pictures):
    return _weights(model, pictures)[:, :, -1, 1:].mean(dim=1)


@torch.no_grad()
def of_the_first_block(model, pictures):
    return model.blocks[0].attention(picture_tokens(model, pictures))[1][:, :, 0, 1:].mean(dim=1)


@torch.no_grad()
def without_the_first_block(model, pictures):
    return model.blocks[1].attention(picture_tokens(model, pictures))[1][:, :, 0, 1:].mean(dim=1)


@torch.no_grad()
def after_both_blocks(model, pictures):
    x = model.blocks[1](model.blocks[0](picture_tokens(model, pictures)))
    return model.blocks[1].attention(x)[1][:, :, 0, 1:].mean(dim=1)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield tokens that are all alike, whose weights can be told at once, then drawn models."""
    alike = SmallClassifier(torch.zeros(1, 4), None, torch.zeros(1, 1))
    yield Trial(
        "all 17 tokens of a picture are the same",
        {"model": alike, "pictures": torch.ones(1, 1, 8, 8)},
        torch.full((1, 16), 1 / 17),
        says="The class token cannot tell the tokens apart, so it gives each of them 1/17 = 0.059. There is a number "
        "for each of the 16 patches; the weight of the class token on itself is left out.",
    )
    for n_pictures in (2, 3):
        yield Trial(
            f"{n_pictures} pictures",
            {
                "model": drawn_classifier(generator),
                "pictures": torch.rand(n_pictures, 1, 8, 8, generator=generator),
            },
            says="The weights have the shape (batch, n_heads, 17, 17). Rows belong to queries, and columns to keys.",
        )


PRACTICE = Practice(
    name="looks",
    prompt="The weights of the class token on the patches in the last block, as the mean of the heads.",
    minutes=6,
    hints=(
        "`picture_tokens(model, pictures)` makes the tokens. Then they go through the first block, `model.blocks[0]`.",
        "`model.blocks[1].attention(x)` gives two things. The second one is the weights, (batch, n_heads, 17, 17).",
        "The class token is query 0, and the patches are the keys from 1 on: `weights[:, :, 0, 1:]`. The mean of the "
        "heads goes along axis 1.",
    ),
    given=looks,
    trials=trials,
    returns=("weights",),
    misconceptions={
        "looks-of-the-patches": Misconception(
            "These are the weights that the patches give to the class token",
            "Queries are rows. The class token asks, so its weights are in row 0.",
            (of_the_patches,),
        ),
        "looks-on-itself": Misconception(
            "The weight of the class token on itself is still there",
            "It is in column 0. The 16 patches begin at column 1.",
            (on_itself_too, without_the_last),
        ),
        "looks-each-head": Misconception(
            "Each head is returned by itself",
            "Take the mean over the axis of the heads.",
            (each_head,),
        ),
        "looks-one-head": Misconception(
            "Only one head is returned",
            "Take the mean of all heads.",
            (first_head, last_head),
        ),
        "looks-sum-of-heads": Misconception(
            "The heads are added up",
            "The *mean* of the heads is asked for.",
            (sum_of_heads,),
        ),
        "looks-other-queries": Misconception(
            "Other tokens than the class token are asked",
            "The class token is query 0. The other rows are what the patches look at.",
            (all_queries, patches_as_queries, of_the_last_patch),
        ),
        "looks-sum-of-one": Misconception(
            "The weights are scaled to a sum of 1",
            "What the class token gives to itself is missing from the sum. Leave the weights as they are.",
            (sum_of_one,),
        ),
        "looks-first-block": Misconception(
            "These are the weights of the first block",
            "The weights of the *last* block are asked for: `model.blocks[1].attention(x)`, where x comes out of the "
            "first block.",
            (of_the_first_block,),
        ),
        "looks-block-skipped": Misconception(
            "The tokens have not gone through the first block",
            "The last block reads what the first one gave.",
            (without_the_first_block,),
        ),
        "looks-after-both": Misconception(
            "The tokens have gone through both blocks",
            "The attention of the last block reads what comes *into* this block.",
            (after_both_blocks,),
        ),
    },
)
