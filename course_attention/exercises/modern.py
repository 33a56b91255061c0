"""Notebook 09: the exercises on caches, groups, blocks and linear attention, and the ways to get each wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.exercises import mask_mistakes, modern_cases
from course_attention.exercises.attention_parts import (
    ATTENTION_MISTAKES,
    SCALED,
    SCALES,
    Pair,
    attend,
    scaled_by,
)
from course_attention.exercises.mask_mistakes import MASK_MISTAKES, soften
from course_attention.exercises.modern_ideas import IDEAS
from course_attention.exercises.modern_parts import (
    Cache,
    block_outputs,
    block_sums,
    blocks,
    blockwise,
    blockwise_noise,
    blockwise_oracle,
    cached,
    cached_noise,
    cached_oracle,
    elu,
    grouped,
    grouped_noise,
    grouped_oracle,
    joined,
    linear,
    linear_noise,
    linear_oracle,
    logsumexp_noise,
    logsumexp_oracle,
    online,
)
from course_attention.judging.exercise import Exercise

NOTEBOOK = "09_modern_attention"
Wrong = dict[str, tuple[Callable, ...]]


def _attending(compute: Callable, ways: Wrong) -> Wrong:
    """A computation with its attention done in each of these ways."""
    return {name: tuple(partial(compute, attend=way) for way in options) for name, options in ways.items()}


def _weighed(*ways: mask_mistakes.Weigh) -> tuple[Callable, ...]:
    return tuple(partial(attend, weigh=way) for way in ways)


def _cleaned(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """exp without the shift, and every NaN set to 0."""
    return np.nan_to_num(mask_mistakes.overflowing(scores, allowed))


def _scored(*ways: Callable) -> tuple[Callable, ...]:
    return tuple(partial(attend, score=way) for way in ways)


# Without a mask, most of the forms that a mistake takes are one.
_UNMASKED: Wrong = {
    "softmax-over-queries": _weighed(mask_mistakes.softmax_along(-2)[0], mask_mistakes.softmax_along(1)[0]),
    "softmax-over-batch": _weighed(mask_mistakes.softmax_along(0)[0]),
    "softmax-overflows": _weighed(mask_mistakes.overflowing, mask_mistakes.overflowing_logarithm, _cleaned),
    "softmax-missing": _weighed(mask_mistakes.missing),
    **{name: _scored(*ways) for name, ways in SCALES.items()},
    "weights-times-keys": ATTENTION_MISTAKES["weights-times-keys"],
}


# One step with a cache.


def _newest_first(of_keys: bool, of_values: bool) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    def join(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        keys, values = joined(cache, key, value)
        return np.roll(keys, int(of_keys), axis=-2), np.roll(values, int(of_values), axis=-2)

    return join


def _old(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return (key, value) if cache is None else cache


def _old_or_empty(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return (key[..., :0, :], value[..., :0, :]) if cache is None else cache


def _old_or_error(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    keys, values = cache
    return keys, values


def _newest(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return key, value


def _oldest_only(cache: Cache, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    keys, values = joined(cache, key, value)
    return keys[..., :1, :], values[..., :1, :]


def _attend_or_zero(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> Pair:
    """Attention to nothing at all is 0."""
    if key.shape[-2] == 0:
        return np.zeros((*query.shape[:-1], value.shape[-1])), np.zeros((*query.shape[:-1], 0))
    return attend(query, key, value)


# An axis of one query: √n_queries is 1, which is `no-scale`.
_CACHED: Wrong = _attending(
    cached, {**_UNMASKED, "scale-wrong-axis": _scored(*SCALES["scale-wrong-axis"][:2])}
) | {
    "cache-order": tuple(
        partial(cached, seen=way, kept=way)
        for way in (_newest_first(True, True), _newest_first(True, False), _newest_first(False, True))
    ),
    "cache-not-extended": tuple(partial(cached, kept=way) for way in (_old, _old_or_empty, _old_or_error)),
    "cache-excludes-self": tuple(
        partial(cached, seen=way, attend=_attend_or_zero) for way in (_old, _old_or_empty, _old_or_error)
    ),
    "cache-ignored": (partial(cached, seen=_newest), partial(cached, seen=_newest, kept=_newest)),
    "cache-only-newest": (partial(cached, kept=_newest),),
    "cache-wrong-axis": tuple(
        partial(cached, seen=partial(joined, axis=axis), kept=partial(joined, axis=axis)) for axis in (0, 1)
    ),
    "causal-top-left": (partial(cached, seen=_oldest_only),),
}


# Heads that share.


def _dealt_out(shared: np.ndarray, n_heads: int) -> np.ndarray:
    return np.concatenate([shared] * (n_heads // shared.shape[-3]), axis=-3)


def _first_for_all(shared: np.ndarray, n_heads: int) -> np.ndarray:
    return np.repeat(shared[..., :1, :, :], n_heads, axis=-3)


def _along(axis: int) -> Callable[[np.ndarray, int], np.ndarray]:
    return lambda shared, n_heads: np.repeat(shared, n_heads // shared.shape[-3], axis=axis)


def _scaled_by_all_heads(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> float:
    return np.sqrt(key.shape[-1] * query.shape[-3])


def _grouped_with_axis(query, key, value, allowed=None) -> Pair:
    if allowed is None:
        return grouped(query, key, value)
    allowed = allowed[..., None, :, :]

    def wider(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> np.ndarray:
        scores = SCALED(query, key, value)
        return np.broadcast_to(scores, np.broadcast_shapes(scores.shape, allowed.shape))

    return grouped(query, key, value, allowed, attend=partial(attend, score=wider))


_GROUPED: Wrong = _attending(
    grouped,
    {
        **_UNMASKED,
        # With a batch, axis 1 is the heads and axis 2 the queries.
        "softmax-over-queries": _weighed(*mask_mistakes.softmax_along(-2), *mask_mistakes.softmax_along(2)),
        "softmax-over-heads": _weighed(*mask_mistakes.softmax_along(-3), *mask_mistakes.softmax_along(1)),
        "softmax-over-batch": _weighed(*mask_mistakes.softmax_along(0)),
        "softmax-overflows": (*ATTENTION_MISTAKES["softmax-overflows"], *_weighed(_cleaned)),
        "softmax-missing": ATTENTION_MISTAKES["softmax-missing"],
        "scale-by-d-model": _scored(scaled_by(_scaled_by_all_heads)),
        **{name: ATTENTION_MISTAKES[name] for name in (*MASK_MISTAKES, "mask-on-queries")},
        "mask-first-item-for-all": _weighed(*mask_mistakes.first_item_for_all(3)),
    },
) | {
    "groups-tiled": (partial(grouped, share=_dealt_out),),
    "first-group-everywhere": (partial(grouped, share=_first_for_all),),
    "groups-wrong-axis": tuple(partial(grouped, share=_along(axis)) for axis in (0, 1)),
    "mask-head-axis-added": (_grouped_with_axis,),
}


# Blocks.


def _unscaled(difference: np.ndarray) -> np.ndarray:
    return np.ones_like(difference)


def _inverted(difference: np.ndarray) -> np.ndarray:
    return np.exp(-difference)


def _inverted_finite(difference: np.ndarray) -> np.ndarray:
    return np.nan_to_num(np.exp(-difference), posinf=0.0)


def _nothing_kept(difference: np.ndarray) -> np.ndarray:
    return np.zeros_like(difference)


def _from_zero(first: np.ndarray) -> np.ndarray:
    return np.zeros_like(first)


def _first_maximum(first: np.ndarray) -> np.ndarray:
    return first


def _of_block(maximum: np.ndarray, of_block: np.ndarray) -> np.ndarray:
    return of_block


def _unchanged(maximum: np.ndarray, of_block: np.ndarray) -> np.ndarray:
    return maximum


def _each_by_its_own(scores: np.ndarray, block_size: int) -> np.ndarray:
    """Each block by its own maximum, the sums added as they are."""
    tops = [scores[..., block].max(axis=-1) for block in blocks(scores.shape[-1], block_size)]
    sums = np.exp(block_sums(scores, block_size) - np.stack(tops, axis=-1))
    return scores.max(axis=-1) + np.log(sums.sum(axis=-1))


_FIRST_MAXIMUM = {"start": _first_maximum, "grow": _unchanged}
_NO_MAXIMUM = {"start": _from_zero, "grow": _unchanged}
_ONLINE: Wrong = {
    "online-no-rescale": (
        partial(online, rescale_total=_unscaled),
        partial(online, rescale_total=_unscaled, grow=_of_block),
        _each_by_its_own,
    ),
    "online-rescale-inverted": (
        partial(online, rescale_total=_inverted),
        partial(online, rescale_total=_inverted, start=_first_maximum),
    ),
    "online-last-block": (partial(online, whole_only=True),),
    "online-only-last-block": (
        partial(online, rescale_total=_nothing_kept),
        lambda scores, block_size: block_sums(scores, block_size)[..., -1],
    ),
    "logsumexp-overflows": (partial(online, **_NO_MAXIMUM), partial(online, **_FIRST_MAXIMUM)),
    "maximum-from-zero": (partial(online, start=_from_zero),),
    "maximum-not-added": (
        lambda scores, block_size: logsumexp_oracle(scores, block_size) - scores.max(axis=-1),
    ),
    "log-missing": (
        lambda scores, block_size: np.exp(logsumexp_oracle(scores, block_size)),
        lambda scores, block_size: np.exp(logsumexp_oracle(scores, block_size) - scores.max(axis=-1)),
        lambda scores, block_size: (
            scores.max(axis=-1) + np.exp(logsumexp_oracle(scores, block_size) - scores.max(axis=-1))
        ),
    ),
    "blocks-added": (lambda scores, block_size: block_sums(scores, block_size).sum(axis=-1),),
    "blocks-averaged": (lambda scores, block_size: block_sums(scores, block_size).mean(axis=-1),),
}


def _one_for_each_block(query, key, value, block_size: int, join: Callable) -> np.ndarray:
    return join(block_outputs(query, key, value, block_size))


def _by_length(query, key, value, block_size: int) -> np.ndarray:
    lengths = [min(block_size, key.shape[-2] - start) for start in range(0, key.shape[-2], block_size)]
    outputs = block_outputs(query, key, value, block_size)
    return sum(n * output for n, output in zip(lengths, outputs, strict=True)) / key.shape[-2]


def _own_block(query, key, value, block_size: int) -> np.ndarray:
    blocks = [slice(start, start + block_size) for start in range(0, key.shape[-2], block_size)]
    outputs = [attend(query[..., b, :], key[..., b, :], value[..., b, :])[0] for b in blocks]
    return np.concatenate(outputs, axis=-2)


def _whole(query, key, value, block_size: int, attend=attend) -> np.ndarray:
    return attend(query, key, value)[0]


_BLOCKWISE: Wrong = _attending(
    _whole, {name: ways for name, ways in _UNMASKED.items() if name != "softmax-over-batch"}
) | {
    "online-no-rescale": tuple(
        partial(blockwise, **parts)
        for parts in (
            {"rescale_total": _unscaled, "rescale_sum": _unscaled},
            {"rescale_total": _unscaled},
            {"rescale_sum": _unscaled},
            {"rescale_total": _unscaled, "rescale_sum": _unscaled, "grow": _of_block},
        )
    ),
    "online-rescale-inverted": tuple(
        partial(blockwise, rescale_total=way, rescale_sum=way, **start)
        for way, start in ((_inverted, {}), (_inverted, {"start": _first_maximum}), (_inverted_finite, {}))
    ),
    "online-last-block": (
        partial(blockwise, whole_only=True),
        lambda **case: np.nan_to_num(blockwise(**case, whole_only=True)),
    ),
    "online-only-last-block": (partial(_one_for_each_block, join=lambda outputs: outputs[-1]),),
    "online-not-normalised": (partial(blockwise, finish=lambda mixed, total: mixed),),
    "maximum-from-zero": (partial(blockwise, start=_from_zero),),
    "blocks-averaged": (
        partial(_one_for_each_block, join=lambda outputs: sum(outputs) / len(outputs)),
        partial(_one_for_each_block, join=sum),
        _by_length,
    ),
    "blocks-diagonal": (_own_block,),
}
_BLOCKWISE["softmax-overflows"] += (partial(blockwise, **_FIRST_MAXIMUM),)


# Without a softmax.


def _causal_linear(query, key, value) -> np.ndarray:
    likenesses = np.tril((elu(query) + 1) @ (elu(key) + 1).swapaxes(-1, -2))
    return likenesses @ value / likenesses.sum(axis=-1, keepdims=True)


def _plain(x: np.ndarray) -> np.ndarray:
    return x


def _scaled_linear(query, key, value) -> np.ndarray:
    return linear(query / np.sqrt(query.shape[-1]), key, value)


_LINEAR: Wrong = {
    "linear-no-normaliser": (partial(linear, norm=lambda query, key: 1.0),),
    "linear-no-plus-one": (partial(linear, of_query=elu, of_key=elu),),
    "linear-one-sided": (partial(linear, of_query=_plain), partial(linear, of_key=_plain)),
    "linear-other-normaliser": (
        partial(linear, norm=lambda query, key: key.shape[-2]),
        partial(linear, norm=lambda query, key: key.sum(axis=(-2, -1))[..., None, None]),
        partial(linear, norm=lambda query, key: query.sum(axis=-1, keepdims=True)),
        partial(
            linear, norm=lambda query, key: (query @ key.swapaxes(-1, -2)).sum(axis=(-2, -1))[..., None, None]
        ),
    ),
    "linear-values-too": (lambda query, key, value: linear(query, key, elu(value) + 1),),
    "linear-causal": (_causal_linear,),
    "scale-added": (_scaled_linear,),
    "softmax-kept": (
        lambda query, key, value: attend(query, key, value)[0],
        lambda query, key, value: soften(query @ key.swapaxes(-1, -2)) @ value,
        lambda query, key, value: attend(elu(query) + 1, elu(key) + 1, value)[0],
        lambda query, key, value: soften((elu(query) + 1) @ (elu(key) + 1).swapaxes(-1, -2)) @ value,
    ),
}

EXERCISES = (
    Exercise(
        name="cached_attention",
        notebook=NOTEBOOK,
        prompt="Decode one token: add its key and value to the cache, and let its query attend to all of it.",
        points=2,
        difficulty=2,
        minutes=15,
        hints=(
            "Two things are asked for: keys and values that are one token longer, and one row of attention over them.",
            "`torch.cat` joins tensors along an axis. Tokens are the last axis but one. Without a cache the newest key "
            "and value are all there is.",
            "No mask is needed: what is not written yet is not in the cache. Give back (output, (keys, values)), with "
            "the longer keys and values.",
        ),
        parts=("output", "keys", "values"),
        groups=(0, 2),
        oracle=cached_oracle,
        cases=modern_cases.cached_cases,
        noise=cached_noise,
        wrong=_CACHED,
        ideas=IDEAS,
    ),
    Exercise(
        name="grouped_query_attention",
        notebook=NOTEBOOK,
        prompt="Attention with fewer keys and values than queries: consecutive heads share a group.",
        points=3,
        difficulty=2,
        minutes=15,
        hints=(
            "The shapes tell how many heads there are and how many groups. How many heads share one group?",
            "If every head had its own copy of its group's keys and values, `attention` would do the rest, mask "
            "included. In which order do the copies stand, if heads 0 and 1 read group 0?",
            "`repeat_interleave` repeats each entry of an axis in its place, `repeat` the whole axis. The heads are "
            "the last axis but two.",
        ),
        parts=("output", "weights"),
        oracle=grouped_oracle,
        cases=modern_cases.grouped_cases,
        noise=grouped_noise,
        wrong=_GROUPED,
        ideas=IDEAS,
    ),
    Exercise(
        name="online_logsumexp",
        notebook=NOTEBOOK,
        prompt="Compute log Σ exp over the last axis, looking at one block of scores at a time.",
        points=2,
        difficulty=2,
        minutes=15,
        hints=(
            "Two numbers for each row are carried from block to block: the largest score so far, and the sum of "
            "exp(score − largest) so far.",
            "When a block brings a larger maximum, the sum so far has been taken with the old one. Which factor turns "
            "exp(score − old) into exp(score − new)?",
            "`scores.split(block_size, dim=-1)` gives the blocks, the last one shorter. If the maximum starts from −∞ "
            "and the sum from 0, the first block is like any other. At the end: maximum + log of the sum.",
        ),
        parts=("logsumexp",),
        oracle=logsumexp_oracle,
        cases=modern_cases.logsumexp_cases,
        noise=logsumexp_noise,
        wrong=_ONLINE,
        ideas=IDEAS,
    ),
    Exercise(
        name="blockwise_attention",
        notebook=NOTEBOOK,
        prompt="Exact attention without the n_queries × n_keys matrix: one block of keys at a time.",
        points=4,
        difficulty=3,
        minutes=30,
        hints=(
            "It is `online_logsumexp` with one thing more to carry: the sum of exp(score − largest) · value, a row of "
            "d_value numbers for each query.",
            "For each block of keys and values: scores with all queries, the new maximum, the factor for what was "
            "summed before, and then both sums take the block in. The factor belongs to both of them.",
            "Divide once, at the end: the sum with the values by the sum without. Keep the last axis of the maximum "
            "(`keepdim=True`), so that all shapes fit.",
        ),
        oracle=blockwise_oracle,
        cases=modern_cases.blockwise_cases,
        noise=blockwise_noise,
        wrong=_BLOCKWISE,
        ideas=IDEAS,
    ),
    Exercise(
        name="linear_attention",
        notebook=NOTEBOOK,
        prompt="Attention with φ(q)·φ(k), φ(x) = elu(x) + 1, in place of the exponential, and no n × n tensor.",
        points=2,
        difficulty=2,
        minutes=15,
        hints=(
            "Write the output of one query as a fraction: Σ_j φ(q)·φ(k_j) v_j above, Σ_j φ(q)·φ(k_j) below. What can "
            "be taken out of both sums?",
            "Σ_j φ(k_j) v_jᵀ is a matrix of (d_key, d_value), and Σ_j φ(k_j) a vector of d_key. Neither depends on the "
            "query.",
            "`F.elu` is elu. A matrix product of φ(K), its last two axes exchanged, with V makes the first sum.",
        ),
        oracle=linear_oracle,
        cases=modern_cases.linear_cases,
        noise=linear_noise,
        wrong=_LINEAR,
        ideas=IDEAS,
    ),
    Exercise(
        name="kv_cache_bytes",
        notebook=NOTEBOOK,
        prompt="How many bytes hold the cache of 32 layers with 32 heads of 128, after 4096 tokens, 2 bytes a number?",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "Start with one token in one head of one layer: what of it is kept, and how many numbers is that?",
            "A key and a value of 128 numbers each. Then multiply by heads, layers, tokens and bytes.",
        ),
        kind="value",
        value=2147483648,
        wrong_values={
            "factor-two-forgotten": (1073741824,),
            "both-twos-forgotten": (536870912,),
            "one-layer-or-head": (67108864, 33554432, 2097152),
            "one-token": (524288, 262144),
            "bits-for-bytes": (17179869184,),
            "four-bytes": (4294967296,),
            "scores-counted": (34359738368, 17179869184 * 4),
            "another-unit": (2.0, 2.147483648, 2048.0, 2147.483648, 2147483.648),
        },
        ideas=IDEAS,
    ),
)
