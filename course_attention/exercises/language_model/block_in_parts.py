"""The decoder-only block in parts, each exchangeable for a wrong one: the variants of `DecoderOnlyBlock`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from itertools import product

import numpy as np

from course_attention.exercises.common.attention import ATTENTION_MISTAKES, Pair, attend, scaled_by
from course_attention.exercises.common.masking import MASK_MISTAKES, softmax_along
from course_attention.exercises.modern.cached_attention import joined
from course_attention.exercises.modern.grouped_in_parts import in_turn
from course_attention.exercises.multi_head.common import (
    merge,
    merge_by_view,
    merge_interleaved,
    split,
    split_by_view,
    split_interleaved,
)
from course_attention.exercises.positions.common import halves
from course_attention.exercises.positions.rotary import frequencies_in_halves, turned

EPSILON = 1e-6  # the norm's
Cache = tuple[np.ndarray, np.ndarray] | None
Layer = Callable[[np.ndarray], np.ndarray]
Results = tuple[np.ndarray, np.ndarray, np.ndarray]

# Where the new tokens stand, how they are turned, and what becomes of the cache.


def counted_on(n_past: int) -> int:
    """The position of the first new token."""
    return n_past


def from_zero(n_past: int) -> int:
    return 0


def as_it_is(x: np.ndarray, positions: np.ndarray) -> np.ndarray:
    return x


def meet(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    cache: Cache,
    *,
    first: tuple[Callable[[int], int], Callable[[int], int]] = (counted_on, counted_on),
    turn: tuple[Callable, Callable, Callable] = (turned, turned, as_it_is),
    seen: Callable[..., Pair] = joined,
    kept: Callable[..., Pair] = joined,
) -> tuple[np.ndarray, Pair, Pair]:
    """Queries, keys and values to attend with, and the keys and values to hand on."""
    n_past = 0 if cache is None else cache[0].shape[-2]
    at_query, at_key = (start(n_past) + np.arange(query.shape[-2]) for start in first)
    query, key, value = turn[0](query, at_query), turn[1](key, at_key), turn[2](value, at_key)
    return query, seen(cache, key, value), kept(cache, key, value)


def _turned_when_used(query, key, value, cache: Cache, new_only: bool = False) -> tuple:
    """The cache holds keys as they are; with `new_only` those that came were turned, and the new ones are not."""
    keys, values = joined(cache, key, value)
    places = np.arange(keys.shape[-2])
    new = slice(keys.shape[-2] - query.shape[-2], None)
    used = joined(cache, turned(key, places[new]), value)[0] if new_only else turned(keys, places)
    return turned(query, places[new]), (used, values), (keys, values)


def _turned_again(query, key, value, cache: Cache) -> tuple:
    """All keys are turned once the new ones are joined to them, and so they are handed on."""
    keys, values = joined(cache, key, value)
    places = np.arange(keys.shape[-2])
    keys = turned(keys, places)
    return turned(query, places[keys.shape[-2] - query.shape[-2] :]), (keys, values), (keys, values)


def _newest(cache: Cache, key: np.ndarray, value: np.ndarray) -> Pair:
    return key, value


def _old(cache: Cache, key: np.ndarray, value: np.ndarray) -> Pair:
    return (key, value) if cache is None else cache


def _new_first(cache: Cache, key: np.ndarray, value: np.ndarray) -> Pair:
    return (key, value) if cache is None else joined((key, value), *cache)


def _exchanged(cache: Cache, key: np.ndarray, value: np.ndarray) -> Pair:
    return joined(None if cache is None else cache[::-1], key, value)


def _handed_on_exchanged(cache: Cache, key: np.ndarray, value: np.ndarray) -> Pair:
    return _exchanged(cache, key, value)[::-1]


def _over_model(x: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Turned before the heads are cut: the frequencies run over all channels."""
    return split(turned(merge(x), positions), x.shape[-3])


def _half_split(x: np.ndarray, positions: np.ndarray) -> np.ndarray:
    return turned(x, positions, exponent=frequencies_in_halves, order=halves)


def _backwards(x: np.ndarray, positions: np.ndarray) -> np.ndarray:
    return turned(x, -positions)


# Who may be seen.


def causal(n_queries: int, n_keys: int) -> np.ndarray:
    """The last query sees every key."""
    return shifted(n_queries, n_keys, 0)


def shifted(n_queries: int, n_keys: int, by: int) -> np.ndarray:
    return np.tril(np.ones((n_queries, n_keys), dtype=bool), n_keys - n_queries + by)


def _everything(n_queries: int, n_keys: int) -> np.ndarray:
    return np.ones((n_queries, n_keys), dtype=bool)


def _top_left(n_queries: int, n_keys: int) -> np.ndarray:
    return np.tril(_everything(n_queries, n_keys))


def _upper(n_queries: int, n_keys: int) -> np.ndarray:
    return np.triu(_everything(n_queries, n_keys), n_keys - n_queries)


def _only_without_cache(n_queries: int, n_keys: int) -> np.ndarray:
    return (causal if n_queries == n_keys else _everything)(n_queries, n_keys)


def _attend_or_nan(query, key, value, allowed=None) -> Pair:
    output, weights = attend(query, key, value, allowed)
    blank = ~allowed.any(axis=-1)[:, None]
    return np.where(blank, np.nan, output), np.where(blank, np.nan, weights)


def _attend_or_average(query, key, value, allowed=None) -> Pair:
    return attend(query, key, value, allowed | ~allowed.any(axis=-1, keepdims=True) & True)


# Norms, branches, and the gate.


def root_mean_square(x: np.ndarray, weight: np.ndarray, epsilon: float = EPSILON) -> np.ndarray:
    return weight * x / np.sqrt(np.square(x).mean(axis=-1, keepdims=True) + epsilon)


def _mean_subtracted(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return root_mean_square(x - x.mean(axis=-1, keepdims=True), weight)


def _root_sum_square(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return weight * x / np.sqrt(np.square(x).sum(axis=-1, keepdims=True) + EPSILON)


def _mean_square(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return weight * x / (np.square(x).mean(axis=-1, keepdims=True) + EPSILON)


def _epsilon_of_dtype(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """`nn.RMSNorm` without an epsilon takes that of the dtype; cases of fewer than 8 channels are in float64."""
    return root_mean_square(x, weight, 2.0**-52 if x.shape[-1] < 8 else 2.0**-23)


def pre_norm(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    """What is asked for."""
    return x + branch(norm(x))


def _post_norm(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    return norm(x + branch(x))


def _no_norm(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    return x + branch(x)


def _norm_of_branch(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    return x + norm(branch(x))


def _residual_normalised(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    y = norm(x)
    return y + branch(y)


def _no_residual(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    return branch(norm(x))


def _left_out(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    branch(norm(x))  # attention still fills the cache
    return x


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def silu(x: np.ndarray) -> np.ndarray:
    return x * sigmoid(x)


def gated(gate: np.ndarray, up: np.ndarray) -> np.ndarray:
    """What is asked for."""
    return silu(gate) * up


def _gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def block(
    x,
    cache=None,
    *,
    d_model,
    n_heads,
    n_groups,
    d_hidden,
    wraps: tuple[Callable, Callable] = (pre_norm, pre_norm),
    order: tuple[int, int] = (0, 1),
    norms: tuple[str, str] = ("norm_1", "norm_2"),
    normalise: Callable = root_mean_square,
    cut: Callable = split,
    join: Callable = merge,
    meet: Callable = meet,
    share: Callable = in_turn,
    before_cache: bool = False,
    allowed: Callable = causal,
    attend: Callable = attend,
    finish: Callable = lambda merged, w_out: merged @ w_out,
    gate: Callable = gated,
    feed: Callable = lambda start, y: y,
    skip: Callable = lambda start, x: x,
    **loaded,
) -> Results:
    """The block in parts. `order`: 0 is attention; `before_cache`: groups are copied before they are kept."""
    given, found = x, {}

    def weight(name: str) -> np.ndarray:
        return loaded[f"{name}.weight"].T

    def attention(y: np.ndarray) -> np.ndarray:
        query = cut(y @ weight("w_query"), n_heads)
        key, value = (cut(y @ weight(name), n_groups) for name in ("w_key", "w_value"))
        if before_cache:
            key, value = share(key, n_heads), share(value, n_heads)
        query, (keys, values), found["kept"] = meet(query, key, value, cache)
        mask = allowed(query.shape[-2], keys.shape[-2])
        output, _ = attend(query, share(keys, n_heads), share(values, n_heads), mask)
        return finish(join(output), weight("w_out"))

    def feed_forward(y: np.ndarray) -> np.ndarray:
        y = feed(norm(norms[1])(given), y)
        return gate(y @ weight("w_gate"), y @ weight("w_up")) @ weight("w_down")

    def norm(name: str) -> Layer:
        return lambda x: normalise(x, loaded[f"{name}.weight"])

    for place, number in enumerate(order):
        branch = (attention, feed_forward)[number]
        before = x if place == 0 else skip(given, x)
        after = wraps[number](x, branch, norm(norms[number]))
        x = after if before is x else before + (after - x)
    return x, *found["kept"]


# id → what is done otherwise.


def _meeting(*ways: Mapping) -> tuple[dict, ...]:
    return tuple({"meet": partial(meet, **way)} for way in ways)


def _wrapped(*wrongs: Callable) -> tuple[dict, ...]:
    """One wrong way, around either branch and around both."""
    pairs = (pair for wrong in wrongs for pair in product((wrong, pre_norm), repeat=2) if wrong in pair)
    return tuple({"wraps": pair} for pair in pairs)


def _gates(*ways: Callable) -> tuple[dict, ...]:
    return tuple({"gate": way} for way in ways)


def _attends(*ways: Callable) -> tuple[dict, ...]:
    return tuple({"attend": way} for way in ways)


_MASK_FILLS = ("mask-after-softmax", "mask-scores-to-zero", "mask-tiny-fill", "mask-added-as-01")
_BY_MODEL = scaled_by(lambda query, key, value: np.sqrt(key.shape[-1] * query.shape[-3]))

MISTAKES: dict[str, tuple[dict, ...]] = {
    # Norms and branches.
    "post-norm": _wrapped(_post_norm),
    "no-norm": _wrapped(_no_norm),
    "norm-of-branch": _wrapped(_norm_of_branch),
    "residual-normalised": _wrapped(_residual_normalised),
    "no-residual": _wrapped(_no_residual),
    "residual-from-start": ({"skip": lambda start, x: start},),
    "branches-in-parallel": ({"feed": lambda start, y: start},),
    "feed-forward-first": ({"order": (1, 0)}, {"order": (1, 0), "norms": ("norm_2", "norm_1")}),
    "norms-exchanged": ({"norms": ("norm_2", "norm_1")},),
    "one-norm-for-all": ({"norms": ("norm_1", "norm_1")}, {"norms": ("norm_2", "norm_2")}),
    "mean-subtracted": ({"normalise": _mean_subtracted},),
    "norm-without-mean": ({"normalise": _root_sum_square},),
    "norm-without-root": ({"normalise": _mean_square},),
    "norm-epsilon": (
        {"normalise": _epsilon_of_dtype},
        *({"normalise": partial(root_mean_square, epsilon=epsilon)} for epsilon in (1e-5, 1e-8, 1e-12)),
    ),
    "attention-left-out": ({"wraps": (_left_out, pre_norm)},),
    "feed-forward-left-out": ({"wraps": (pre_norm, _left_out)},),
    # Rotary positions.
    "positions-from-zero": _meeting(
        {"first": (from_zero, from_zero)},
        {"first": (counted_on, from_zero)},
        {"first": (from_zero, counted_on)},
    ),
    "rotary-forgotten": _meeting({"turn": (as_it_is, as_it_is, as_it_is)}),
    "only-one-turned": _meeting(
        {"turn": (turned, as_it_is, as_it_is)}, {"turn": (as_it_is, turned, as_it_is)}
    ),
    "values-turned": _meeting({"turn": (turned, turned, turned)}),
    "rotary-half-split": _meeting({"turn": (_half_split, _half_split, as_it_is)}),
    "rotary-backwards": _meeting({"turn": (_backwards, _backwards, as_it_is)}),
    "rotary-before-heads": _meeting({"turn": (_over_model, _over_model, as_it_is)}),
    # The cache.
    "cache-unturned": (
        {"meet": _turned_when_used},
        {"meet": partial(_turned_when_used, new_only=True)},
    ),
    "cache-turned-again": ({"meet": _turned_again},),
    "cache-order": _meeting({"seen": _new_first, "kept": _new_first}, {"kept": _new_first}),
    "cache-not-extended": _meeting({"kept": _old}),
    "cache-ignored": _meeting(
        {"seen": _newest, "kept": _newest},
        {"seen": _newest},
        {"seen": _newest, "kept": _newest, "first": (from_zero, from_zero)},
    ),
    "cache-only-newest": _meeting({"kept": _newest}),
    "cache-exchanged": _meeting({"seen": _exchanged, "kept": _handed_on_exchanged}),
    "cache-of-all-heads": ({"before_cache": True},),
    # Who may be seen.
    "future-seen": ({"allowed": _everything},),
    "causal-top-left": ({"allowed": _top_left},),
    "causal-only-without-cache": ({"allowed": _only_without_cache},),
    "causal-strict": tuple(
        {"allowed": partial(shifted, by=-1), "attend": way}
        for way in (attend, _attend_or_nan, _attend_or_average)
    ),
    "causal-off-by-one": ({"allowed": partial(shifted, by=1)},),
    "causal-upper": ({"allowed": _upper},),
    **{name: _attends(*(partial(attend, weigh=way) for way in MASK_MISTAKES[name])) for name in _MASK_FILLS},
    # Heads and groups.
    "groups-tiled": (
        {"share": lambda shared, n: np.concatenate([shared] * (n // shared.shape[-3]), axis=-3)},
    ),
    "first-group-everywhere": ({"share": lambda shared, n: np.repeat(shared[..., :1, :, :], n, axis=-3)},),
    "heads-by-view": ({"cut": split_by_view}, {"cut": split_by_view, "join": merge_by_view}),
    "heads-interleaved": ({"cut": split_interleaved}, {"cut": split_interleaved, "join": merge_interleaved}),
    "merge-by-view": ({"join": merge_by_view},),
    "no-output-projection": ({"finish": lambda merged, w_out: merged},),
    "no-scale": _attends(*ATTENTION_MISTAKES["no-scale"]),
    "scale-by-d": _attends(*ATTENTION_MISTAKES["scale-by-d"]),
    "scale-multiplied": _attends(*ATTENTION_MISTAKES["scale-multiplied"]),
    "scale-by-d-model": _attends(partial(attend, score=_BY_MODEL)),
    "softmax-over-queries": _attends(*(partial(attend, weigh=way) for way in softmax_along(-2))),
    "softmax-overflows": _attends(*ATTENTION_MISTAKES["softmax-overflows"]),
    # The gate.
    "gate-on-up": _gates(lambda gate, up: gate * silu(up)),
    "gate-on-both": _gates(lambda gate, up: silu(gate) * silu(up)),
    "gate-on-product": _gates(lambda gate, up: silu(gate * up)),
    "gate-linear": _gates(lambda gate, up: gate * up),
    "gate-added": _gates(lambda gate, up: silu(gate) + up),
    "gate-alone": _gates(lambda gate, up: silu(gate), lambda gate, up: silu(up)),
    "another-nonlinearity": _gates(
        lambda gate, up: sigmoid(gate) * up,
        lambda gate, up: np.maximum(gate, 0.0) * up,
        lambda gate, up: _gelu(gate) * up,
        lambda gate, up: np.tanh(gate) * up,
    ),
}

VARIANTS: dict[str, tuple[Callable, ...]] = {
    name: tuple(partial(block, **parts) for parts in ways) for name, ways in MISTAKES.items()
}
