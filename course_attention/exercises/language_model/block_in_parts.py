"""The decoder-only block in parts, each exchangeable for a wrong one, and the longer ones of the wrong parts."""

import math
from collections.abc import Callable

import numpy as np

from course_attention.exercises.common.attention import Pair, attend
from course_attention.exercises.language_model.cached_attention import joined
from course_attention.exercises.language_model.grouped_query_attention import in_turn
from course_attention.exercises.multi_head.heads import merge, split
from course_attention.exercises.positions.angles import halves
from course_attention.exercises.positions.rotary import frequencies_in_halves, turned

EPSILON = 1e-6  # the norm's
Cache = tuple[np.ndarray, np.ndarray] | None
Layer = Callable[[np.ndarray], np.ndarray]
Results = tuple[np.ndarray, np.ndarray, np.ndarray]

# Where the new tokens stand, how they are turned, and what becomes of the cache.


def counted_on(n_past: int) -> int:
    """Return the position of the first new token."""
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
    """Return queries, keys and values to attend with, and the keys and values to hand on."""
    n_past = 0 if cache is None else cache[0].shape[-2]
    at_query, at_key = (start(n_past) + np.arange(query.shape[-2]) for start in first)
    query, key, value = turn[0](query, at_query), turn[1](key, at_key), turn[2](value, at_key)
    return query, seen(cache, key, value), kept(cache, key, value)


def turned_when_used(query, key, value, cache: Cache, new_only: bool = False) -> tuple:
    """Cache keys as they are; with `new_only` those that came were turned, and the new ones are not."""
    keys, values = joined(cache, key, value)
    places = np.arange(keys.shape[-2])
    new = slice(keys.shape[-2] - query.shape[-2], None)
    used = joined(cache, turned(key, places[new]), value)[0] if new_only else turned(keys, places)
    return turned(query, places[new]), (used, values), (keys, values)


def turned_again(query, key, value, cache: Cache) -> tuple:
    """All keys are turned once the new ones are joined to them, and so they are handed on."""
    keys, values = joined(cache, key, value)
    places = np.arange(keys.shape[-2])
    keys = turned(keys, places)
    return turned(query, places[keys.shape[-2] - query.shape[-2] :]), (keys, values), (keys, values)


def newest(cache: Cache, key: np.ndarray, value: np.ndarray) -> Pair:
    return key, value


def old(cache: Cache, key: np.ndarray, value: np.ndarray) -> Pair:
    return (key, value) if cache is None else cache


def new_first(cache: Cache, key: np.ndarray, value: np.ndarray) -> Pair:
    return (key, value) if cache is None else joined((key, value), *cache)


def exchanged(cache: Cache, key: np.ndarray, value: np.ndarray) -> Pair:
    return joined(None if cache is None else cache[::-1], key, value)


def handed_on_exchanged(cache: Cache, key: np.ndarray, value: np.ndarray) -> Pair:
    return exchanged(cache, key, value)[::-1]


def over_model(x: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Turn before the heads are cut: the frequencies run over all channels."""
    return split(turned(merge(x), positions), x.shape[-3])


def half_split(x: np.ndarray, positions: np.ndarray) -> np.ndarray:
    return turned(x, positions, exponent=frequencies_in_halves, order=halves)


def backwards(x: np.ndarray, positions: np.ndarray) -> np.ndarray:
    return turned(x, -positions)


# Who may be seen.


def causal(n_queries: int, n_keys: int) -> np.ndarray:
    """Let the last query see every key."""
    return shifted(n_queries, n_keys, 0)


def shifted(n_queries: int, n_keys: int, by: int) -> np.ndarray:
    return np.tril(np.ones((n_queries, n_keys), dtype=bool), n_keys - n_queries + by)


def everything(n_queries: int, n_keys: int) -> np.ndarray:
    return np.ones((n_queries, n_keys), dtype=bool)


def upper(n_queries: int, n_keys: int) -> np.ndarray:
    return np.triu(everything(n_queries, n_keys), n_keys - n_queries)


def only_without_cache(n_queries: int, n_keys: int) -> np.ndarray:
    return (causal if n_queries == n_keys else everything)(n_queries, n_keys)


def attend_or_nan(query, key, value, allowed=None) -> Pair:
    output, weights = attend(query, key, value, allowed)
    blank = ~allowed.any(axis=-1)[:, None]
    return np.where(blank, np.nan, output), np.where(blank, np.nan, weights)


def attend_or_average(query, key, value, allowed=None) -> Pair:
    return attend(query, key, value, allowed | ~allowed.any(axis=-1, keepdims=True) & True)


# Norms, branches, and the gate.


def root_mean_square(x: np.ndarray, weight: np.ndarray, epsilon: float = EPSILON) -> np.ndarray:
    return weight * x / np.sqrt(np.square(x).mean(axis=-1, keepdims=True) + epsilon)


def mean_subtracted(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return root_mean_square(x - x.mean(axis=-1, keepdims=True), weight)


def root_sum_square(x: np.ndarray, weight: np.ndarray, epsilon: float = EPSILON) -> np.ndarray:
    return weight * x / np.sqrt(np.square(x).sum(axis=-1, keepdims=True) + epsilon)


def mean_square(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return weight * x / (np.square(x).mean(axis=-1, keepdims=True) + EPSILON)


def epsilon_of_dtype(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """`nn.RMSNorm` without an epsilon takes that of the dtype; cases of fewer than 8 channels are in float64."""
    return root_mean_square(x, weight, 2.0**-52 if x.shape[-1] < 8 else 2.0**-23)


def pre_norm(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    return x + branch(norm(x))


def post_norm(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    return norm(x + branch(x))


def no_norm(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    return x + branch(x)


def residual_normalised(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    y = norm(x)
    return y + branch(y)


def no_residual(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    return branch(norm(x))


def left_out(x: np.ndarray, branch: Layer, norm: Layer) -> np.ndarray:
    branch(norm(x))  # attention still fills the cache
    return x


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def silu(x: np.ndarray) -> np.ndarray:
    return x * sigmoid(x)


def gated(gate: np.ndarray, up: np.ndarray) -> np.ndarray:
    return silu(gate) * up


def gelu(x: np.ndarray) -> np.ndarray:
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
    """Compute the block in parts. `order`: 0 is attention; `before_cache`: groups are copied before they are kept."""
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
