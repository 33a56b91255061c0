from collections.abc import Callable

import numpy as np

from course_attention.authoring import Array, Case, Draw, Misconception, ModuleExercise, Returns, properties
from course_attention.exercises.common.attention import attend
from course_attention.exercises.common.inputs import LOWEST, nothing_for
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import changed, made
from course_attention.exercises.multi_head.heads import heads_oracle
from course_attention.exercises.transformer.inputs import (
    BY_HAND,
    SPREAD,
    WIDE,
    Number,
    attention_weights,
    feed_forward_weights,
    large_weights_for,
    maker,
    norm_weights,
)
from course_attention.exercises.transformer.sublayers import (
    ACTIVATIONS,
    IN_ATTENTION,
    SKIPS,
    Layer,
    backward_noise,
    feed_forward,
    feed_forward_oracle,
    from_start,
    heads,
    norm_from,
    norm_oracle,
    normalised,
    post_norm,
    projections_from,
    reads_start,
    rectified,
    residual_from_start,
    wrapped,
)
from course_attention.exercises.transformer.words import WORDS


def oracle(x, allowed=None, *, d_model, n_heads, d_hidden, **loaded) -> np.ndarray:
    """Two sublayers, each added to its input and normalised."""
    attended, _ = heads_oracle(x, x, x, projections_from(loaded, "attention"), n_heads, allowed)
    x = norm_oracle(x + attended, loaded, "norm_1")
    return norm_oracle(x + feed_forward_oracle(x, loaded), loaded, "norm_2")


def encoder(
    x,
    allowed=None,
    *,
    d_model,
    n_heads,
    d_hidden,
    attend: Callable = attend,
    wraps: tuple[Callable, ...] = (post_norm, post_norm),
    order: tuple[int, ...] = (0, 1),
    norms: tuple[str, ...] = ("norm_1", "norm_2"),
    activate: Layer = rectified,
    finish: Layer = lambda x: x,
    normalise: Callable = normalised,
    **loaded,
) -> np.ndarray:
    """Compute the block in parts. `order` says which sublayer comes when, 0 being attention."""
    projections = projections_from(loaded, "attention")
    sublayers = (
        lambda x: heads(x, x, x, projections, n_heads, allowed, attend)[0],
        feed_forward(loaded, activate, finish),
    )
    for wrap, place, norm in zip(wraps, order, norms, strict=True):
        x = wrap(x, sublayers[place], norm_from(loaded, norm, normalise))
    return x


def _encoder_weights(d_model: int, d_hidden: int, number: Number) -> dict[str, Array]:
    return {
        **attention_weights("attention", d_model, number),
        **norm_weights("norm_1", d_model, number),
        **feed_forward_weights(d_model, d_hidden, number),
        **norm_weights("norm_2", d_model, number),
    }


def cases(draw: Draw) -> list[Case]:
    """Plain, masked, with nothing allowed, large, not contiguous, in three dtypes; one batch axis in each."""
    case = maker(draw, encoder, _encoder_weights, ("allowed",))

    def alone(*shape: int) -> dict[str, tuple[int, ...]]:
        return {"x": shape}

    def masked(allowed: Array) -> dict[str, Array]:
        return {"allowed": allowed}

    two_heads = {"d_model": 4, "n_heads": 2, "d_hidden": 5}
    large = {"x": Array(SPREAD[None], "float32")}
    large_weights = large_weights_for(_encoder_weights, draw)
    mask = properties.MASK
    return [
        case("2 tokens, d_model 3, 1 head, d_hidden 2", properties.VALUES, alone(1, 2, 3), gradient=True),
        case("3 tokens, d_model 4, 2 heads, d_hidden 5", properties.VALUES, alone(1, 3, 4), two_heads),
        case("one token", properties.VALUES, alone(1, 1, 6), WIDE),
        case("batch 2, 5 tokens, 3 heads", properties.VALUES, alone(2, 5, 6), WIDE),
        case("batch 3, 3 tokens, 3 heads", properties.VALUES, alone(3, 3, 6), WIDE, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, alone(2, 4, 6), WIDE, strided=True),
        case("2 tokens, masked", mask, alone(1, 2, 3), masks=masked(draw.allowed(1, 2, 2))),
        case("batch 2, a mask for each item", mask, alone(2, 5, 6), WIDE, masked(draw.allowed(2, 5, 5))),
        case("batch 2, key padding (batch, 1, n_tokens)", mask, alone(2, 4, 6), WIDE, masked(draw.padded(2, 4))),
        case("batch 2, one mask for all", mask, alone(2, 4, 6), WIDE, masked(draw.allowed(4, 4))),
        case(
            "2 tokens, nothing allowed for token 0",
            properties.NOTHING_ALLOWED,
            alone(1, 2, 3),
            masks=masked(nothing_for(0, 2, 2)),
            gradient=True,
        ),
        case(
            "batch 2, nothing allowed for token 1",
            properties.NOTHING_ALLOWED,
            alone(2, 4, 6),
            WIDE,
            masked(nothing_for(1, 4, 4)),
            dtype="float32",
        ),
        Case("scores near ±10,000", properties.LARGE_SCORES, large, False, dict(BY_HAND), large_weights),
        Case(
            "scores near ±10,000, masked",
            properties.LARGE_SCORES,
            {**large, "allowed": LOWEST},
            False,
            dict(BY_HAND),
            large_weights,
        ),
        case(
            "in bfloat16",
            properties.DTYPES,
            alone(1, 2, 6),
            WIDE,
            masked(draw.allowed(2, 2)),
            dtype="bfloat16",
        ),
    ]


EXERCISE = ModuleExercise(
    name="EncoderBlock",
    prompt="Attention and a feed-forward network, each added to its input and normalised.",
    points=4,
    difficulty=2,
    minutes=17,
    hints=(
        "The block has four submodules, named attention, norm_1, feed_forward and norm_2. Make them with "
        "`MultiHeadAttention`, `nn.LayerNorm` and `nn.Sequential`.",
        "`forward` has two lines of the same form: x = norm(x + sublayer(x)). `MultiHeadAttention` returns two "
        "things, and only the first is added to x.",
        "The mask is the fourth argument of `MultiHeadAttention`: pass it by name. In the feed-forward network "
        "the channels go from d_model to d_hidden and back.",
    ),
    ready_made=ATTENTION,
    returns=Returns(names=("output",), axes=("batch, n_tokens, d_model",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"d_model": lambda inputs: inputs.multiple("n_heads")},
    noise=backward_noise(encoder),
    words=WORDS,
    misconceptions={
        **made(
            encoder,
            {
                **{name: tuple({"attend": way} for way in ways) for name, ways in IN_ATTENTION.items()},
                **wrapped(2),
                **ACTIVATIONS,
                "one-norm-for-all": ({"norms": ("norm_1", "norm_1")}, {"norms": ("norm_2", "norm_2")}),
                "norms-exchanged": ({"norms": ("norm_2", "norm_1")},),
                "feed-forward-left-out": tuple({"wraps": (post_norm, skip)} for skip in SKIPS),
                "attention-left-out": tuple({"wraps": (skip, post_norm)} for skip in SKIPS),
            },
        ),
        "feed-forward-first": Misconception(
            "The feed-forward network comes first",
            "Attention comes first: the tokens read one another, and then each works on what it has read.",
            changed(encoder, {"order": (1, 0)}, {"order": (1, 0), "norms": ("norm_2", "norm_1")}),
        ),
        "residual-from-start": (from_start(encoder, 2, (1,), residual_from_start),),
        "sublayers-in-parallel": Misconception(
            "The feed-forward network reads the block's input",
            "It reads what attention has made of it: the first norm's result.",
            (from_start(encoder, 2, (1,), reads_start),),
        ),
        "heads-not-split": Misconception(
            "There is a single head",
            "n_heads is to reach the attention: each head compares its own share of the channels.",
            (lambda *args, n_heads, **kwargs: encoder(*args, n_heads=1, **kwargs),),
        ),
    },
)
