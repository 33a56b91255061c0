from collections.abc import Callable
from functools import partial
from itertools import permutations

import numpy as np

from course_attention.authoring import Array, Case, Draw, Misconception, ModuleExercise, Returns, properties
from course_attention.exercises.common.attention import Pair, attend
from course_attention.exercises.common.inputs import LOWEST, nothing_for
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import changed, each, made
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
    norm_alone,
    norm_from,
    norm_oracle,
    normalised,
    nothing,
    post_norm,
    projections_from,
    reads_start,
    rectified,
    residual_from_start,
    wrapped,
)
from course_attention.exercises.transformer.words import WORDS


def oracle(x, memory, allowed=None, memory_allowed=None, *, d_model, n_heads, d_hidden, **loaded) -> Pair:
    """Three sublayers; the weights are those of the second."""
    attended, _ = heads_oracle(x, x, x, projections_from(loaded, "self_attention"), n_heads, allowed)
    x = norm_oracle(x + attended, loaded, "norm_1")
    attended, weights = heads_oracle(
        x, memory, memory, projections_from(loaded, "cross_attention"), n_heads, memory_allowed
    )
    x = norm_oracle(x + attended, loaded, "norm_2")
    return norm_oracle(x + feed_forward_oracle(x, loaded), loaded, "norm_3"), weights


def decoder(
    x,
    memory,
    allowed=None,
    memory_allowed=None,
    *,
    d_model,
    n_heads,
    d_hidden,
    attends: tuple[Callable, Callable] = (attend, attend),
    wraps: tuple[Callable, ...] = (post_norm, post_norm, post_norm),
    order: tuple[int, ...] = (0, 1, 2),
    norms: tuple[str, ...] = ("norm_1", "norm_2", "norm_3"),
    masks: Callable = lambda allowed, memory_allowed: (allowed, memory_allowed),
    asking: Callable = lambda x, memory: x,
    asks_with_branch: bool = False,
    context: Callable = lambda x, memory: (memory, memory),
    attentions: tuple[str, str] = ("self_attention", "cross_attention"),
    shown: int = 1,
    give: Callable = lambda weights: weights,
    activate: Layer = rectified,
    finish: Layer = lambda x: x,
    normalise: Callable = normalised,
    **loaded,
) -> Pair:
    """Compute the block in parts. `order`: 0 is self-attention, 1 cross-attention; `shown`: whose weights are given."""
    used, seen = masks(allowed, memory_allowed), {}
    given: dict[int, np.ndarray] = {}

    def attention(which: int) -> Layer:
        def sublayer(x: np.ndarray) -> np.ndarray:
            query, (key, value) = (asking(x, memory), context(x, memory)) if which else (x, (x, x))
            query = given[0] if which and asks_with_branch else query
            projections = projections_from(loaded, attentions[which])
            given[which], seen[which] = heads(query, key, value, projections, n_heads, used[which], attends[which])
            return given[which]

        return sublayer

    sublayers = (attention(0), attention(1), feed_forward(loaded, activate, finish))
    for wrap, place, norm in zip(wraps, order, norms, strict=True):
        x = wrap(x, sublayers[place], norm_from(loaded, norm, normalise))
    return x, give(seen[shown])


def _norm_alone_but_weights(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    sublayer(x)  # its weights are given all the same
    return norm(x)


def _weights_alone(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    sublayer(x)
    return x


def _added_to_memory(x: np.ndarray, memory: np.ndarray, *args, **rest) -> Pair:
    def wrap(now: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
        return norm(memory + sublayer(now))

    return decoder(x, memory, *args, wraps=(post_norm, wrap, post_norm), **rest)


def _always_causal(x, memory, allowed=None, memory_allowed=None, *, with_allowed: bool, **rest) -> Pair:
    past = np.tril(np.ones((x.shape[-2], x.shape[-2]), dtype=bool))
    both = past if allowed is None or not with_allowed else past & allowed
    return decoder(x, memory, both, memory_allowed, **rest)


_NORMS = ("norm_1", "norm_2", "norm_3")


def _either(ways: tuple[Callable, ...]) -> tuple[dict, ...]:
    """In one of the two attentions, or in both."""
    pairs = (pair for way in ways for pair in ((way, way), (way, attend), (attend, way)))
    return tuple({"attends": pair} for pair in pairs)


def _decoder_weights(d_model: int, d_hidden: int, number: Number) -> dict[str, Array]:
    return {
        **attention_weights("self_attention", d_model, number),
        **norm_weights("norm_1", d_model, number),
        **attention_weights("cross_attention", d_model, number),
        **norm_weights("norm_2", d_model, number),
        **feed_forward_weights(d_model, d_hidden, number),
        **norm_weights("norm_3", d_model, number),
    }


def cases(draw: Draw) -> list[Case]:
    """Two sequences, of one length and of two; either mask, both, and none; one batch axis in each."""
    case = maker(draw, decoder, _decoder_weights, ("allowed", "memory_allowed"))

    def two(x: tuple[int, ...], n_keys: int) -> dict[str, tuple[int, ...]]:
        return {"x": x, "memory": (*x[:-2], n_keys, x[-1])}

    def masked(allowed: Array | None = None, memory_allowed: Array | None = None) -> dict[str, Array | None]:
        return {"allowed": allowed, "memory_allowed": memory_allowed}

    causal = Array(np.tril(np.ones((4, 4), dtype=bool)), "bool")
    large = {
        "x": Array(SPREAD[None], "float32"),
        "memory": Array(np.array([[[2.0, -1.0, 0.5], [-1.5, 1.0, 2.0], [0.5, -2.0, -1.0]]]), "float32"),
    }
    large_weights = large_weights_for(_decoder_weights, draw)
    for norm in ("norm_1", "norm_2", "norm_3"):
        large_weights[f"{norm}.weight"] = Array(np.array([1.0, 1.5, 0.5]), "float32")
        large_weights[f"{norm}.bias"] = Array(np.array([0.5, -0.5, 1.0]), "float32")
    return [
        case("2 queries, 2 keys, d_model 3, 1 head", properties.VALUES, two((1, 2, 3), 2)),
        case("2 queries, 3 keys, d_model 3, 1 head", properties.VALUES, two((1, 2, 3), 3)),
        case("4 queries, 5 keys, 3 heads", properties.VALUES, two((1, 4, 6), 5), WIDE),
        case("one query, one key", properties.VALUES, two((1, 1, 6), 1), WIDE),
        case("batch 2, 4 queries, 5 keys", properties.VALUES, two((2, 4, 6), 5), WIDE),
        case("batch 3, 3 queries, 4 keys", properties.VALUES, two((3, 3, 6), 4), WIDE, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, two((2, 4, 6), 3), WIDE, strided=True),
        case(
            "2 queries, 2 keys, allowed given",
            properties.MASK,
            two((1, 2, 3), 2),
            masks=masked(draw.allowed(1, 2, 2)),
        ),
        case(
            "2 queries, 2 keys, memory_allowed given",
            properties.MASK,
            two((1, 2, 3), 2),
            masks=masked(None, draw.allowed(1, 2, 2)),
        ),
        case(
            "batch 2, 4 queries, 4 keys, both masks, one for each item",
            properties.MASK,
            two((2, 4, 6), 4),
            WIDE,
            masked(draw.allowed(2, 4, 4), draw.allowed(2, 4, 4)),
        ),
        case(
            "batch 2, causal mask, key padding (batch, 1, n_keys) in the memory",
            properties.MASK,
            two((2, 4, 6), 5),
            WIDE,
            masked(causal, draw.padded(2, 5)),
        ),
        case(
            "2 queries, 3 keys, nothing in the memory allowed for query 0",
            properties.NOTHING_ALLOWED,
            two((1, 2, 3), 3),
            masks=masked(None, nothing_for(0, 2, 3)),
            gradient=True,
        ),
        case(
            "batch 2, nothing allowed for token 1, and nothing in the memory for token 2",
            properties.NOTHING_ALLOWED,
            two((2, 4, 6), 5),
            WIDE,
            masked(nothing_for(1, 4, 4), nothing_for(2, 4, 5)),
            dtype="float32",
        ),
        case("2 queries, 257 keys", properties.LONG_SEQUENCES, two((1, 2, 6), 257), WIDE),
        Case("scores near ±10,000", properties.LARGE_SCORES, large, False, dict(BY_HAND), large_weights),
        Case(
            "scores near ±10,000, masked",
            properties.LARGE_SCORES,
            {**large, "allowed": LOWEST, "memory_allowed": LOWEST},
            False,
            dict(BY_HAND),
            large_weights,
        ),
        case(
            "in bfloat16",
            properties.DTYPES,
            two((1, 2, 6), 3),
            WIDE,
            masked(draw.allowed(2, 2), draw.allowed(2, 3)),
            dtype="bfloat16",
        ),
    ]


EXERCISE = ModuleExercise(
    name="DecoderBlock",
    prompt="Attend to the tokens of the target, attend to the memory, and apply a feed-forward network.",
    points=4,
    difficulty=2,
    minutes=14,
    hints=(
        "It is the encoder block with one more sublayer in the middle. The six submodules are named self_attention, "
        "norm_1, cross_attention, norm_2, feed_forward and norm_3.",
        "In cross-attention the queries come from x after the first norm, the keys and values from the memory. A "
        "`MultiHeadAttention` that is called with a key and no value uses the key as value.",
        "There are two masks: `allowed` for the attention to x, and `memory_allowed` for the attention to the memory. "
        "Beside x, return the weights of the attention to the memory.",
    ),
    ready_made=ATTENTION,
    returns=Returns(
        names=("output", "weights"), axes=("batch, n_target, d_model", "batch, n_heads, n_target, n_source")
    ),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"d_model": lambda inputs: inputs.multiple("n_heads")},
    noise=backward_noise(decoder),
    words=WORDS,
    misconceptions={
        **made(
            decoder,
            {
                **{name: _either(ways) for name, ways in IN_ATTENTION.items()},
                **wrapped(3),
                **ACTIVATIONS,
                "one-norm-for-all": (
                    {"norms": ("norm_1", "norm_1", "norm_1")},
                    {"norms": ("norm_1", "norm_1", "norm_2")},
                    {"norms": ("norm_1", "norm_2", "norm_2")},
                    {"norms": ("norm_1", "norm_1", "norm_3")},
                    {"norms": ("norm_1", "norm_3", "norm_3")},
                    {"norms": ("norm_2", "norm_2", "norm_3")},
                    {"norms": ("norm_3", "norm_3", "norm_3")},
                ),
                "feed-forward-left-out": tuple({"wraps": (post_norm, post_norm, skip)} for skip in SKIPS),
                "norms-exchanged": tuple({"norms": names} for names in permutations(_NORMS) if names != _NORMS),
                "attention-left-out": (
                    {"wraps": (norm_alone, post_norm, post_norm)},
                    {"wraps": (nothing, post_norm, post_norm)},
                    {"wraps": (post_norm, _norm_alone_but_weights, post_norm)},
                    {"wraps": (post_norm, _weights_alone, post_norm)},
                ),
            },
        ),
        "cross-before-self": Misconception(
            "Cross-attention comes before self-attention",
            "First the target tokens read one another, so that a query knows what has been written "
            "so far; with that they ask the memory.",
            changed(decoder, {"order": (1, 0, 2)}, {"order": (1, 0, 2), "norms": ("norm_2", "norm_1", "norm_3")}),
        ),
        "masks-exchanged": Misconception(
            "A mask is used in the wrong attention",
            "`allowed` says which target tokens a target token may see: self-attention. "
            "`memory_allowed` says what it may see of the source: cross-attention. Where both "
            "sequences have one length, no shape tells them apart.",
            each(
                decoder,
                "masks",
                lambda allowed, memory_allowed: (memory_allowed, allowed),
                lambda allowed, memory_allowed: (allowed, allowed),
                lambda allowed, memory_allowed: (memory_allowed, memory_allowed),
            ),
        ),
        "cross-ignores-context": Misconception(
            "Cross-attention makes keys or values from x, not from the memory",
            "Its queries come from x, its keys and values both from the memory. Otherwise the "
            "decoder never learns what the encoder has read.",
            changed(
                decoder,
                {"context": lambda x, memory: (x, x)},
                {"context": lambda x, memory: (x, memory)},
                {"context": lambda x, memory: (memory, x)},
                {
                    "context": lambda x, memory: (x, x),
                    "masks": lambda allowed, memory_allowed: (allowed, None),
                },
            ),
        ),
        "roles-swapped": Misconception(
            "The memory asks, and x is what is looked through",
            "x asks and the memory answers: queries come from x, so that there is a result for each "
            "token of x. Exchanged, the shapes fit only where both sequences have one length.",
            changed(decoder, {"asking": lambda x, memory: memory, "context": lambda x, memory: (x, x)}),
        ),
        "one-attention-for-both": Misconception(
            "One attention does the work of both",
            "self_attention and cross_attention are two modules, with projections of their own.",
            each(
                decoder,
                "attentions",
                ("self_attention", "self_attention"),
                ("cross_attention", "cross_attention"),
            ),
        ),
        "attentions-exchanged": Misconception(
            "The two attentions have changed roles",
            "The names tell them apart: self_attention is for x and x, cross_attention for x and the memory.",
            each(decoder, "attentions", ("cross_attention", "self_attention")),
        ),
        "self-weights-given": Misconception(
            "The weights are those of self-attention",
            "The block gives back the weights of cross-attention, with a row for each query and a column "
            "for each token of the memory.",
            each(decoder, "shown", 0),
        ),
        "weights-averaged": Misconception(
            "The weights are averaged over the heads",
            "The block gives back the weights of every head, (…, n_heads, n_queries, n_keys).",
            each(decoder, "give", lambda weights: weights.mean(axis=-3)),
        ),
        "residual-from-start": tuple(
            from_start(decoder, 3, places, residual_from_start) for places in ((1,), (2,), (1, 2))
        ),
        "cross-queries-from-start": Misconception(
            "Cross-attention asks from the block's input",
            "Its queries come from what the first norm gave: a token asks the memory with what it "
            "has read of its own sequence.",
            (from_start(decoder, 3, (1,), reads_start),),
        ),
        "cross-queries-from-branch": Misconception(
            "Cross-attention asks with what self-attention gave, and not with x",
            "Its queries come from x after the first norm: from the sum of what a token was and what it has read of "
            "its own sequence.",
            changed(decoder, {"asks_with_branch": True}),
        ),
        "memory-added": Misconception(
            "What cross-attention gives is added to the memory",
            "A sublayer's result is added to what the sublayer was given, and that is x. The memory gives the keys and "
            "the values, and is itself added to nothing.",
            (_added_to_memory,),
        ),
        "own-causal-mask": Misconception(
            "The block makes a causal mask of its own",
            "Which target tokens may be seen is for the caller to say, by `allowed`. Where that is None, every token "
            "may see every other.",
            (partial(_always_causal, with_allowed=False), partial(_always_causal, with_allowed=True)),
        ),
    },
)
