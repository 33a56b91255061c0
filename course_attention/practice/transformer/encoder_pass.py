"""The pass through the encoder: embeddings, positions, and one block after the other under the padding's mask."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.transformer.small_transformer import SmallTransformer


def encoder_pass(model, source, allowed):
    """Embed the source, add the positions, and send the result through the blocks."""
    x = model.place(model.embed_source(source))
    for block in model.encoder:
        x = block(x, allowed.unsqueeze(-2))
    return x


def _through_the_blocks(model, x, *mask):
    for block in model.encoder:
        x = block(x, *mask)
    return x


def padding_seen(model, source, allowed):
    return _through_the_blocks(model, model.place(model.embed_source(source)))


def without_positions(model, source, allowed):
    return _through_the_blocks(model, model.embed_source(source), allowed.unsqueeze(-2))


def positions_before_every_block(model, source, allowed):
    x = model.embed_source(source)
    for block in model.encoder:
        x = block(model.place(x), allowed.unsqueeze(-2))
    return x


def one_block(model, source, allowed):
    return model.encoder[0](model.place(model.embed_source(source)), allowed.unsqueeze(-2))


def all_read_the_embeddings(model, source, allowed):
    x = memory = model.place(model.embed_source(source))
    for block in model.encoder:
        memory = block(x, allowed.unsqueeze(-2))
    return memory


def mask_inverted(model, source, allowed):
    return encoder_pass(model, source, ~allowed)


def mask_without_an_axis(model, source, allowed):
    return _through_the_blocks(model, model.place(model.embed_source(source)), allowed)


def axis_at_the_end(model, source, allowed):
    return _through_the_blocks(model, model.place(model.embed_source(source)), allowed.unsqueeze(-1))


def embedded_as_target(model, source, allowed):
    return _through_the_blocks(model, model.place(model.embed_target(source)), allowed.unsqueeze(-2))


def _memory(answer: Callable[..., Any], model: SmallTransformer, source: Tensor, allowed: Tensor) -> Any:
    """Return the memory, with zeros at the padding: nobody reads it there."""
    memory = answer(model, source, allowed)
    if not isinstance(memory, Tensor) or memory.shape[:2] != source.shape:
        return memory
    return memory * allowed.unsqueeze(-1)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a source of three tokens to compute by hand, then batches with padding of several lengths."""
    numbers = torch.arange(4.0).unsqueeze(-1)
    model = SmallTransformer(numbers, n_blocks=2)
    with torch.no_grad():
        model.embed_target.weight.neg_()
    yield Trial(
        "the embedding of a symbol is its number, position p adds 10p, and each of 2 blocks adds to a token the sum of "
        "all that it may see; source 1, 2 and padding",
        {"model": model, "source": torch.tensor([[1, 2, 0]]), "allowed": torch.tensor([[True, True, False]])},
        torch.tensor([[[53.0], [64.0], [0.0]]]),
        _memory,
        says="Embedded and placed, the source is 1, 12 and padding. The tokens may see the sum 13, so the first block "
        "gives 14 and 25. Their sum is 39, so the second block gives 53 and 64. (Zeros are put at the padding before "
        "the comparison.)",
    )
    for lengths in ((4, 2), (3, 5, 1)):
        model = SmallTransformer(torch.randn(7, 3, generator=generator), n_blocks=3, step=0.5)
        with torch.no_grad():
            model.embed_target.weight.neg_()
        source = torch.randint(1, 7, (len(lengths), max(lengths)), generator=generator)
        allowed = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(-1)
        yield Trial(
            f"{len(lengths)} sources of {' and '.join(map(str, lengths))} tokens, 3 blocks",
            {"model": model, "source": source * allowed, "allowed": allowed},
            run=_memory,
            says="The positions are added once, and each block reads what the block before it gave.",
        )


PRACTICE = Practice(
    name="encoder_pass",
    prompt="The pass through the encoder: from the tokens of the source to the memory.",
    minutes=6,
    hints=(
        "First the vectors: `model.embed_source(source)`, and `model.place(…)` around it.",
        "Then a loop over `model.encoder`. Each block is called with x and a mask, and what it returns is the next x.",
        "`allowed` has the shape (batch, n_source). A block wants (batch, 1, n_source): `allowed.unsqueeze(-2)`.",
    ),
    given=encoder_pass,
    trials=trials,
    returns=("memory",),
    misconceptions={
        "encoder-padding-seen": Misconception(
            "Tokens look at padding",
            "The blocks get no mask, so what is written into the padding changes the vectors of the tokens.",
            (padding_seen,),
        ),
        "encoder-no-positions": Misconception(
            "The positions are missing",
            "Without them, equal tokens have the same vector everywhere. `model.place` adds them to the embeddings.",
            (without_positions,),
        ),
        "encoder-positions-again": Misconception(
            "The positions are added before every block",
            "They are added once, to the embeddings. From then on the residual stream carries them.",
            (positions_before_every_block,),
        ),
        "encoder-one-block": Misconception(
            "There is only one block in effect",
            "Either only one block is called, or every block reads the embeddings. Each block reads what the block "
            "before it gave.",
            (one_block, all_read_the_embeddings),
        ),
        "encoder-mask-inverted": Misconception(
            "The mask is the wrong way round",
            "`allowed` is True on the tokens, and a block may look where its mask is True.",
            (mask_inverted,),
        ),
        "encoder-mask-axis": Misconception(
            "The mask has no axis for the queries",
            "A mask has rows for queries and columns for keys. `allowed.unsqueeze(-2)` has the shape "
            "(batch, 1, n_source): one row, the same for all queries of a text.",
            (mask_without_an_axis,),
        ),
        "encoder-mask-axis-last": Misconception(
            "The mask has the axis for the queries at the end",
            "There it hides queries, and not keys, so the tokens see the padding. `allowed.unsqueeze(-2)` has the "
            "shape (batch, 1, n_source), and `allowed.unsqueeze(-1)` has (batch, n_source, 1).",
            (axis_at_the_end,),
        ),
        "encoder-target-embedding": Misconception(
            "The source is embedded by the table of the target",
            "Each side has its own table: the source has `model.embed_source`.",
            (embedded_as_target,),
        ),
    },
)
