"""Ways to get the blocks of notebook 08 wrong: sublayers, norms and skip connections, and the two attentions."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import permutations, product

import numpy as np

from course_attention.exercises import mask_mistakes
from course_attention.exercises.attention_parts import ATTENTION_MISTAKES
from course_attention.exercises.attention_parts import attend as right
from course_attention.exercises.transformer_parts import Layer, decoder, encoder, post_norm


def pre_norm(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return x + sublayer(norm(x))


def pre_norm_in_both(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return norm(x) + sublayer(norm(x))


def no_residual(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return norm(sublayer(x))


def no_norm(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return x + sublayer(x)


def norm_of_sublayer(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return x + norm(sublayer(x))


def _norm_alone(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return norm(x)


def _nothing(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    return x


def _norm_alone_but_weights(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    sublayer(x)  # its weights are given all the same
    return norm(x)


def _weights_alone(x: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
    sublayer(x)
    return x


_NORMS = ("norm_1", "norm_2", "norm_3")
_SKIPS = (_norm_alone, _nothing)


def _wraps(wrong: Callable, n: int) -> tuple[dict, ...]:
    """One way to wrap a sublayer instead of the right one, around any of them."""
    return tuple({"wraps": ways} for ways in product((wrong, post_norm), repeat=n) if wrong in ways)


def _wrapped(n: int) -> dict[str, tuple[dict, ...]]:
    return {
        "pre-norm": (*_wraps(pre_norm, n), *_wraps(pre_norm_in_both, n)),
        "no-residual": _wraps(no_residual, n),
        "no-norm": _wraps(no_norm, n),
        "norm-of-sublayer": _wraps(norm_of_sublayer, n),
    }


def _gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


_ACTIVATIONS = {
    "feed-forward-linear": ({"activate": lambda x: x},),
    "another-nonlinearity": (
        {"activate": _gelu},
        {"activate": np.tanh},
        {"activate": lambda x: 1 / (1 + np.exp(-x))},
    ),
}
# Mistakes of attention itself, in the block's own: where a block is written without the module.
_IN_ATTENTION: dict[str, tuple[Callable, ...]] = {
    # With a batch, axis 1 is the heads and axis 2 the queries.
    "softmax-over-queries": tuple(
        partial(right, weigh=way)
        for way in (*mask_mistakes.softmax_along(-2), *mask_mistakes.softmax_along(2))
    ),
    **{
        name: ATTENTION_MISTAKES[name]
        for name in ("no-scale", "scale-multiplied", *mask_mistakes.MASK_MISTAKES)
    },
}


def _either(ways: tuple[Callable, ...]) -> tuple[dict, ...]:
    """In one of the two attentions, or in both."""
    pairs = (pair for way in ways for pair in ((way, way), (way, right), (right, way)))
    return tuple({"attends": pair} for pair in pairs)


def _made(run: Callable, mistakes: dict[str, tuple[dict, ...]]) -> dict[str, tuple[Callable, ...]]:
    return {name: tuple(partial(run, **parts) for parts in ways) for name, ways in mistakes.items()}


def _encoder_with_one_head(*args, n_heads, **kwargs) -> np.ndarray:
    return encoder(*args, n_heads=1, **kwargs)


def _from_start(run: Callable, n: int, place: int, change: Callable) -> Callable:
    """One of n sublayers is wrapped in a way that goes back to what the block was given."""

    def compute(x, *args, **rest):
        def wrap(now: np.ndarray, sublayer: Layer, norm: Layer) -> np.ndarray:
            return change(x, now, sublayer, norm)

        return run(x, *args, wraps=tuple(wrap if i == place else post_norm for i in range(n)), **rest)

    return compute


def _residual_from_start(start, x, sublayer, norm) -> np.ndarray:
    return norm(start + sublayer(x))


def _reads_start(start, x, sublayer, norm) -> np.ndarray:
    return norm(x + sublayer(start))


ENCODER_MISTAKES = {
    **_made(
        encoder,
        {
            **{name: tuple({"attend": way} for way in ways) for name, ways in _IN_ATTENTION.items()},
            **_wrapped(2),
            **_ACTIVATIONS,
            "one-norm-for-all": ({"norms": ("norm_1", "norm_1")},),
            "norms-exchanged": ({"norms": ("norm_2", "norm_1")},),
            "feed-forward-left-out": tuple({"wraps": (post_norm, skip)} for skip in _SKIPS),
            "attention-left-out": tuple({"wraps": (skip, post_norm)} for skip in _SKIPS),
            "feed-forward-first": (
                {"order": (1, 0)},
                {"order": (1, 0), "norms": ("norm_2", "norm_1")},
            ),
        },
    ),
    "residual-from-start": (_from_start(encoder, 2, 1, _residual_from_start),),
    "sublayers-in-parallel": (_from_start(encoder, 2, 1, _reads_start),),
    "heads-not-split": (_encoder_with_one_head,),
}


DECODER_MISTAKES = {
    **_made(
        decoder,
        {
            **{name: _either(ways) for name, ways in _IN_ATTENTION.items()},
            **_wrapped(3),
            **_ACTIVATIONS,
            "one-norm-for-all": (
                {"norms": ("norm_1", "norm_1", "norm_1")},
                {"norms": ("norm_1", "norm_1", "norm_2")},
                {"norms": ("norm_1", "norm_2", "norm_2")},
                {"norms": ("norm_1", "norm_1", "norm_3")},
            ),
            "feed-forward-left-out": tuple({"wraps": (post_norm, post_norm, skip)} for skip in _SKIPS),
            "norms-exchanged": tuple({"norms": names} for names in permutations(_NORMS) if names != _NORMS),
            "attention-left-out": (
                {"wraps": (_norm_alone, post_norm, post_norm)},
                {"wraps": (_nothing, post_norm, post_norm)},
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
    "residual-from-start": tuple(_from_start(decoder, 3, place, _residual_from_start) for place in (1, 2)),
    "cross-queries-from-start": (_from_start(decoder, 3, 1, _reads_start),),
}
