"""The decoder block in parts, each exchangeable for a wrong one: the variants of `DecoderBlock`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np

from course_attention.exercises.common.attention import Pair, attend
from course_attention.exercises.transformer.common import (
    ACTIVATIONS,
    IN_ATTENTION,
    SKIPS,
    Layer,
    feed_forward,
    from_start,
    heads,
    made,
    norm_alone,
    norm_from,
    normalised,
    nothing,
    post_norm,
    projections_from,
    reads_start,
    rectified,
    residual_from_start,
    wrapped,
)


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
    context: Callable = lambda x, memory: (memory, memory),
    attentions: tuple[str, str] = ("self_attention", "cross_attention"),
    shown: int = 1,
    give: Callable = lambda weights: weights,
    activate: Layer = rectified,
    normalise: Callable = normalised,
    **loaded,
) -> Pair:
    """The decoder block in parts. `order`: 0 is self-attention, 1 cross-attention; `shown`: whose weights are given."""
    used, seen = masks(allowed, memory_allowed), {}

    def attention(which: int) -> Layer:
        def sublayer(x: np.ndarray) -> np.ndarray:
            query, (key, value) = (asking(x, memory), context(x, memory)) if which else (x, (x, x))
            projections = projections_from(loaded, attentions[which])
            output, seen[which] = heads(query, key, value, projections, n_heads, used[which], attends[which])
            return output

        return sublayer

    sublayers = (attention(0), attention(1), feed_forward(loaded, activate))
    for wrap, place, norm in zip(wraps, order, norms, strict=True):
        x = wrap(x, sublayers[place], norm_from(loaded, norm, normalise))
    return x, give(seen[shown])


def _norm_alone_but_weights(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    sublayer(x)  # its weights are given all the same
    return norm(x)


def _weights_alone(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    sublayer(x)
    return x


_NORMS = ("norm_1", "norm_2", "norm_3")


def _either(ways: tuple[Callable, ...]) -> tuple[dict, ...]:
    """In one of the two attentions, or in both."""
    pairs = (pair for way in ways for pair in ((way, way), (way, attend), (attend, way)))
    return tuple({"attends": pair} for pair in pairs)


DECODER_MISTAKES = {
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
            ),
            "feed-forward-left-out": tuple({"wraps": (post_norm, post_norm, skip)} for skip in SKIPS),
            "norms-exchanged": tuple({"norms": names} for names in permutations(_NORMS) if names != _NORMS),
            "attention-left-out": (
                {"wraps": (norm_alone, post_norm, post_norm)},
                {"wraps": (nothing, post_norm, post_norm)},
                {"wraps": (post_norm, _norm_alone_but_weights, post_norm)},
                {"wraps": (post_norm, _weights_alone, post_norm)},
            ),
            "cross-before-self": (
                {"order": (1, 0, 2)},
                {"order": (1, 0, 2), "norms": ("norm_2", "norm_1", "norm_3")},
            ),
            "masks-exchanged": (
                {"masks": lambda allowed, memory_allowed: (memory_allowed, allowed)},
                {"masks": lambda allowed, memory_allowed: (allowed, allowed)},
                {"masks": lambda allowed, memory_allowed: (memory_allowed, memory_allowed)},
            ),
            "cross-ignores-context": (
                {"context": lambda x, memory: (x, x)},
                {"context": lambda x, memory: (x, memory)},
                {"context": lambda x, memory: (memory, x)},
                {
                    "context": lambda x, memory: (x, x),
                    "masks": lambda allowed, memory_allowed: (allowed, None),
                },
            ),
            "roles-swapped": ({"asking": lambda x, memory: memory, "context": lambda x, memory: (x, x)},),
            "one-attention-for-both": (
                {"attentions": ("self_attention", "self_attention")},
                {"attentions": ("cross_attention", "cross_attention")},
            ),
            "attentions-exchanged": ({"attentions": ("cross_attention", "self_attention")},),
            "self-weights-given": ({"shown": 0},),
            "weights-averaged": ({"give": lambda weights: weights.mean(axis=-3)},),
        },
    ),
    "residual-from-start": tuple(from_start(decoder, 3, place, residual_from_start) for place in (1, 2)),
    "cross-queries-from-start": (from_start(decoder, 3, 1, reads_start),),
}
