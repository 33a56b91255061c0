"""The pass through the decoder: from the tokens written so far, and the memory, to logits at every place."""

from collections.abc import Iterator

import torch

from course_attention.mechanisms.masking import causal_mask
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.transformer.small_transformer import SmallTransformer


def decoder_pass(model, tokens, memory, allowed):
    """Embed the tokens, add the positions, send them through the blocks with the memory, and make logits."""
    x, weights = model.place(model.embed_target(tokens)), []
    before = causal_mask(tokens.shape[1]).to(tokens.device) if model.causal else None
    for block in model.decoder:
        x, cross_weights = block(x, memory, before, allowed.unsqueeze(-2))
        weights.append(cross_weights)
    return model.output(x), torch.stack(weights, dim=1)


def _passed(model, x, memory, before, memory_allowed):
    weights = []
    for block in model.decoder:
        x, cross_weights = block(x, memory, before, memory_allowed)
        weights.append(cross_weights)
    return model.output(x), torch.stack(weights, dim=1)


def _before(model, tokens):
    return causal_mask(tokens.shape[1]).to(tokens.device) if model.causal else None


def future_seen(model, tokens, memory, allowed):
    return _passed(model, model.place(model.embed_target(tokens)), memory, None, allowed.unsqueeze(-2))


def always_causal(model, tokens, memory, allowed):
    before = causal_mask(tokens.shape[1]).to(tokens.device)
    return _passed(model, model.place(model.embed_target(tokens)), memory, before, allowed.unsqueeze(-2))


def padding_seen(model, tokens, memory, allowed):
    return _passed(model, model.place(model.embed_target(tokens)), memory, _before(model, tokens), None)


def padding_seen_without_causal(model, tokens, memory, allowed):
    before, memory_allowed = (_before(model, tokens), allowed.unsqueeze(-2)) if model.causal else (None, None)
    return _passed(model, model.place(model.embed_target(tokens)), memory, before, memory_allowed)


def without_positions(model, tokens, memory, allowed):
    return _passed(model, model.embed_target(tokens), memory, _before(model, tokens), allowed.unsqueeze(-2))


def shifted_again(model, tokens, memory, allowed):
    shifted = torch.cat([torch.ones_like(tokens[:, :1]), tokens[:, :-1]], dim=1)
    return decoder_pass(model, shifted, memory, allowed)


def shifted_by_slicing(model, tokens, memory, allowed):
    return decoder_pass(model, tokens[:, :-1], memory, allowed)


def last_place(model, tokens, memory, allowed):
    logits, weights = decoder_pass(model, tokens, memory, allowed)
    return logits[:, -1], weights


def without_output_layer(model, tokens, memory, allowed):
    x, weights = model.place(model.embed_target(tokens)), []
    for block in model.decoder:
        x, cross_weights = block(x, memory, _before(model, tokens), allowed.unsqueeze(-2))
        weights.append(cross_weights)
    return x, torch.stack(weights, dim=1)


def blocks_in_front(model, tokens, memory, allowed):
    logits, weights = decoder_pass(model, tokens, memory, allowed)
    return logits, weights.transpose(0, 1)


def weights_of_last_block(model, tokens, memory, allowed):
    logits, weights = decoder_pass(model, tokens, memory, allowed)
    return logits, weights[:, -1]


def last_weights_stacked(model, tokens, memory, allowed):
    logits, weights = decoder_pass(model, tokens, memory, allowed)
    return logits, weights[:, -1:]


def weights_in_a_list(model, tokens, memory, allowed):
    logits, weights = decoder_pass(model, tokens, memory, allowed)
    return logits, list(weights.unbind(1))


def blocks_among_heads(model, tokens, memory, allowed):
    logits, weights = decoder_pass(model, tokens, memory, allowed)
    return logits, weights.flatten(1, 2)


def blocks_among_heads_of_the_batch(model, tokens, memory, allowed):
    logits, weights = decoder_pass(model, tokens, memory, allowed)
    return logits, torch.cat(weights.unbind(1))


def probabilities(model, tokens, memory, allowed):
    logits, weights = decoder_pass(model, tokens, memory, allowed)
    return logits.softmax(-1), weights


def log_probabilities(model, tokens, memory, allowed):
    logits, weights = decoder_pass(model, tokens, memory, allowed)
    return logits.log_softmax(-1), weights


def embedded_as_source(model, tokens, memory, allowed):
    return _passed(
        model, model.place(model.embed_source(tokens)), memory, _before(model, tokens), allowed.unsqueeze(-2)
    )


def mask_without_an_axis(model, tokens, memory, allowed):
    return _passed(model, model.place(model.embed_target(tokens)), memory, _before(model, tokens), allowed)


def axis_at_the_end(model, tokens, memory, allowed):
    x = model.place(model.embed_target(tokens))
    return _passed(model, x, memory, _before(model, tokens), allowed.unsqueeze(-1))


def masks_exchanged(model, tokens, memory, allowed):
    x = model.place(model.embed_target(tokens))
    return _passed(model, x, memory, allowed.unsqueeze(-2), _before(model, tokens))


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two tokens to compute by hand, then batches with a padded source, causal and not."""
    model = SmallTransformer(torch.arange(4.0).unsqueeze(-1), n_blocks=1)
    with torch.no_grad():
        model.embed_source.weight.neg_()
    yield Trial(
        "the embedding of a symbol is its number, position p adds 10p, and the one block adds to a token the sum of "
        "the tokens and of the memory that it may see; the logits are x and −x",
        {
            "model": model,
            "tokens": torch.tensor([[1, 2]]),
            "memory": torch.tensor([[[100.0], [200.0], [7.0]]]),
            "allowed": torch.tensor([[True, True, False]]),
        },
        (
            torch.tensor([[[302.0, -302.0], [325.0, -325.0]]]),
            torch.tensor([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]]).view(1, 1, 1, 2, 3),
        ),
        says="Embedded and placed, the tokens are 1 and 12. The first may see itself, so it becomes 1 + 1 + 300. The "
        "second may see both, so it becomes 12 + 13 + 300. The third place of the memory is padding.",
    )
    for lengths, causal in (((4, 2), True), ((3, 1, 4), True), ((2, 3), False)):
        model = SmallTransformer(torch.randn(7, 3, generator=generator), n_blocks=2, step=0.5)
        with torch.no_grad():
            model.embed_source.weight.neg_()
        model.causal = causal
        shape = (len(lengths), 3)
        yield Trial(
            f"{len(lengths)} texts of 3 tokens, sources of {' and '.join(map(str, lengths))} tokens, 2 blocks, "
            f"model.causal is {causal}",
            {
                "model": model,
                "tokens": torch.randint(1, 7, shape, generator=generator),
                "memory": torch.randn(len(lengths), max(lengths), 3, generator=generator),
                "allowed": torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(-1),
            },
            says="The positions are added once, each block reads what the block before it gave, and `model.output` "
            "comes last. The weights have an axis for the blocks behind the batch.",
        )


PRACTICE = Practice(
    name="decoder_pass",
    prompt="The pass through the decoder: from the tokens and the memory to logits at every place.",
    minutes=10,
    hints=(
        "It begins as `encoder_pass` does, with `model.embed_target` and `model.place`. A block of the decoder is "
        "called with x, the memory and two masks, and it returns two things.",
        "The masks: `causal_mask(n).to(tokens.device)`, or None where `model.causal` is False; and "
        "`allowed.unsqueeze(-2)` for the source.",
        "Collect the weights of all blocks in a list. `torch.stack(weights, dim=1)` puts the axis of the blocks "
        "behind the batch. `model.output(x)` makes the logits.",
    ),
    given=decoder_pass,
    trials=trials,
    returns=("logits", "weights"),
    misconceptions={
        "decoder-future-seen": Misconception(
            "Tokens look at those after them",
            "In training, the next token is the one that the model should predict, so it could copy the answer. "
            "Unless `model.causal` is False, the self-attention needs the causal mask.",
            (future_seen,),
        ),
        "decoder-always-causal": Misconception(
            "The mask is causal even where `model.causal` is False",
            "An experiment at the end of the notebook takes the mask away by this switch. Where it is False, the "
            "self-attention gets None.",
            (always_causal,),
        ),
        "decoder-padding-seen": Misconception(
            "Tokens look at the padding of the source",
            "The cross-attention needs a mask too, whatever `model.causal` says: `allowed`, with an axis for the "
            "queries.",
            (padding_seen, padding_seen_without_causal),
        ),
        "decoder-no-positions": Misconception(
            "The positions are missing",
            "`model.place` adds them to the embeddings of the target, as it does for the source.",
            (without_positions,),
        ),
        "decoder-shifted-again": Misconception(
            "The tokens are shifted a second time",
            "They begin with the start token already. `forward` has shifted them, so read them as they come.",
            (shifted_again, shifted_by_slicing),
        ),
        "decoder-last-place": Misconception(
            "There are logits at the last place only",
            "In training, every place predicts its next token. So there are logits at every place.",
            (last_place,),
        ),
        "decoder-no-output-layer": Misconception(
            "The output layer is missing",
            "The last block gives vectors of length d_model. `model.output` makes a logit for each symbol of them.",
            (without_output_layer,),
        ),
        "decoder-blocks-in-front": Misconception(
            "The axis of the blocks comes before the batch",
            "The weights have the shape (batch, n_blocks, n_heads, n, n_source): stack them along `dim=1`.",
            (blocks_in_front,),
        ),
        "decoder-last-weights": Misconception(
            "Only the weights of the last block are returned",
            "Collect the weights of every block in a list, and stack them.",
            (weights_of_last_block, last_weights_stacked),
        ),
        "decoder-weights-in-a-list": Misconception(
            "The weights are a list, and not a tensor",
            "`torch.stack(weights, dim=1)` makes one tensor of the list, with an axis for the blocks behind the batch.",
            (weights_in_a_list,),
        ),
        "decoder-blocks-joined": Misconception(
            "The weights of the blocks are joined along an axis that they have already",
            "`torch.cat` lengthens an axis. `torch.stack(weights, dim=1)` makes a new one, for the blocks.",
            (blocks_among_heads, blocks_among_heads_of_the_batch),
        ),
        "decoder-probabilities": Misconception(
            "The logits go through a softmax",
            "The loss takes logits and has a softmax of its own. Return what `model.output` gives.",
            (probabilities, log_probabilities),
        ),
        "decoder-source-embedding": Misconception(
            "The target is embedded by the table of the source",
            "Each side has its own table: the target has `model.embed_target`.",
            (embedded_as_source,),
        ),
        "decoder-mask-axis": Misconception(
            "The mask of the source has no axis for the queries",
            "A mask has rows for queries and columns for keys. `allowed.unsqueeze(-2)` has the shape "
            "(batch, 1, n_source): one row, the same for all queries of a text.",
            (mask_without_an_axis,),
        ),
        "decoder-mask-axis-last": Misconception(
            "The mask of the source has the axis for the queries at the end",
            "There it hides queries, and not keys. `allowed.unsqueeze(-2)` has the shape (batch, 1, n_source), and "
            "`allowed.unsqueeze(-1)` has (batch, n_source, 1).",
            (axis_at_the_end,),
        ),
        "decoder-masks-exchanged": Misconception(
            "The two masks are exchanged",
            "A block is called as `block(x, memory, allowed, memory_allowed)`: the causal mask is for the tokens of "
            "the target, and the mask of the padding for the memory.",
            (masks_exchanged,),
        ),
    },
)
