"""Notebook 05: masks, and the ways to get them wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.exercises import mask_mistakes, masking_cases
from course_attention.exercises.attention_parts import largest
from course_attention.exercises.mask_mistakes import MASK_MISTAKES
from course_attention.exercises.masking_ideas import IDEAS
from course_attention.exercises.seq2seq import distribution_oracle
from course_attention.judging.exercise import Exercise

NOTEBOOK = "05_masking"


# The oracles: one pair of query and key at a time.


def causal_oracle(n_queries: int, n_keys: int | None = None) -> np.ndarray:
    """As many keys come after the last one that query i sees as queries come after it."""
    n_keys = n_queries if n_keys is None else n_keys
    allowed = np.zeros((n_queries, n_keys))
    for i, j in np.ndindex(allowed.shape):
        allowed[i, j] = n_keys - 1 - j >= n_queries - 1 - i
    return allowed


def padding_oracle(lengths: np.ndarray, n_keys: int) -> np.ndarray:
    """Position j of an item is a token while j is below its length."""
    allowed = np.zeros((len(lengths), 1, n_keys))
    for item, _, j in np.ndindex(allowed.shape):
        allowed[item, 0, j] = j < lengths[item]
    return allowed


def window_oracle(n_tokens: int, width: int) -> np.ndarray:
    """0 ≤ i − j < width."""
    allowed = np.zeros((n_tokens, n_tokens))
    for i, j in np.ndindex(allowed.shape):
        allowed[i, j] = 0 <= i - j < width
    return allowed


def softmax_oracle(scores: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    """exp(score) / Σ exp over the allowed keys, row by row."""
    return distribution_oracle(scores, None if allowed is None else np.broadcast_to(allowed, scores.shape))


# The same in a line each, with the bound exchangeable for a wrong one.


def _causal(
    n_queries: int, n_keys: int | None = None, offset: Callable = lambda q, k: k - q, half=np.tril
) -> np.ndarray:
    n_keys = n_queries if n_keys is None else n_keys
    return half(np.ones((n_queries, n_keys)), offset(n_queries, n_keys))


def _window(n_tokens: int, width: int, inside: Callable[..., np.ndarray]) -> np.ndarray:
    back = np.arange(n_tokens)[:, None] - np.arange(n_tokens)
    return inside(back, width).astype(float)


def _in_blocks(n_tokens: int, width: int) -> np.ndarray:
    block = np.arange(n_tokens) // width
    return np.tril(block[:, None] == block).astype(float)


def _padding(lengths: np.ndarray, n_keys: int, real=lambda position, length: position < length) -> np.ndarray:
    return real(np.arange(n_keys), lengths[:, None])[:, None, :].astype(float)


def _added(make: Callable[..., np.ndarray], number: float) -> Callable[..., np.ndarray]:
    """The mask as numbers to be added to scores."""
    return lambda *args, **kwargs: np.where(make(*args, **kwargs) > 0, 0.0, number)


def _to_be_added(make: Callable[..., np.ndarray]) -> tuple[Callable[..., np.ndarray], ...]:
    return tuple(_added(make, number) for number in (-np.inf, -1e9))


def _not_normalised(scores: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    kept = scores if allowed is None else np.where(allowed, scores, -np.inf)
    highest = kept.max(axis=-1, keepdims=True)
    return np.exp(kept - np.where(np.isfinite(highest), highest, 0.0))


def _renormalised(scores: np.ndarray, allowed: np.ndarray | None, guard: float, blank: bool) -> np.ndarray:
    if allowed is None:
        return mask_mistakes.soften(scores)
    weights = mask_mistakes.soften(scores) * allowed
    weights = weights / np.maximum(weights.sum(axis=-1, keepdims=True), guard)
    return np.where(allowed.any(axis=-1, keepdims=True), weights, 0.0) if blank else weights


def _softmax_noise(scores: np.ndarray, allowed: np.ndarray | None) -> tuple[float]:
    return (largest(scores) + scores.shape[-1],)


def _causal_past(back: np.ndarray, width: int) -> np.ndarray:
    return (back >= 0) & (back < width)


EXERCISES = (
    Exercise(
        name="causal_mask",
        notebook=NOTEBOOK,
        prompt="Let each query see the keys up to its own and none after it; the last query sees every key.",
        points=2,
        difficulty=2,
        minutes=10,
        hints=(
            "Write the mask for 3 queries and 3 keys on paper, then for the last 2 of these queries alone: the same "
            "rows, with the first one cut off.",
            "`torch.ones(…).tril()` keeps the lower triangle with its diagonal. Its argument moves the diagonal: "
            "positive to the right, negative to the left.",
            "By how many places must the diagonal move so that it ends in the bottom right corner? Try 2 queries and "
            "4 keys. The mask is of `dtype=torch.bool`.",
        ),
        parts=("allowed",),
        made=True,
        dtype="bool",
        oracle=causal_oracle,
        cases=masking_cases.causal_cases,
        wrong={
            "causal-strict": (partial(_causal, offset=lambda q, k: k - q - 1),),
            "causal-off-by-one": (partial(_causal, offset=lambda q, k: k - q + 1),),
            "causal-upper": tuple(
                partial(_causal, offset=offset, half=np.triu)
                for offset in (
                    lambda q, k: k - q,
                    lambda q, k: k - q + 1,
                    lambda q, k: 0,
                    lambda q, k: 1,
                )
            ),
            "causal-top-left": (partial(_causal, offset=lambda q, k: 0),),
            "causal-all": (partial(_causal, offset=lambda q, k: k),),
            "axes-exchanged": (
                lambda n_queries, n_keys=None: _causal(n_queries, n_keys).T,
                lambda n_queries, n_keys=None: _causal(n_keys or n_queries, n_queries),
                lambda n_queries, n_keys=None: _causal(n_keys or n_queries, n_queries, lambda q, k: 0),
            ),
            "n-keys-ignored": (lambda n_queries, n_keys=None: _causal(n_queries),),
            "mask-to-be-added": _to_be_added(causal_oracle),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="padding_mask",
        notebook=NOTEBOOK,
        prompt="Let the queries of each item see its tokens, and not the padding behind them.",
        points=2,
        difficulty=2,
        minutes=10,
        hints=(
            "Position j is a token of an item while j is smaller than the item's length.",
            "`torch.arange(n_keys)` makes the positions; they belong on the device of the lengths. A comparison with "
            "the lengths as a column, (batch, 1), broadcasts to (batch, n_keys).",
            "The mask has an axis of 1 for the queries: (batch, 1, n_keys). `unsqueeze` makes one.",
        ),
        parts=("allowed",),
        dtype="bool",
        oracle=padding_oracle,
        cases=masking_cases.padding_cases,
        wrong={
            "padding-off-by-one": (
                partial(_padding, real=lambda position, length: position <= length),
                partial(_padding, real=lambda position, length: position < length - 1),
            ),
            "padding-inverted": (partial(_padding, real=lambda position, length: position >= length),),
            "padding-left": (
                lambda lengths, n_keys: _padding(
                    lengths, n_keys, lambda position, length: position >= n_keys - length
                ),
            ),
            "mask-on-queries": (lambda lengths, n_keys: _padding(lengths, n_keys).swapaxes(-1, -2),),
            "padding-without-query-axis": (lambda lengths, n_keys: _padding(lengths, n_keys)[:, 0],),
            "mask-first-item-for-all": (
                lambda lengths, n_keys: _padding(np.full_like(lengths, lengths[0]), n_keys),
                lambda lengths, n_keys: _padding(lengths[:1], n_keys),
            ),
            "padding-to-longest": (lambda lengths, n_keys: _padding(lengths, max(lengths)),),
            "mask-to-be-added": _to_be_added(padding_oracle),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="window_mask",
        notebook=NOTEBOOK,
        prompt="Let each token see itself and the tokens before it, `width` keys in all.",
        points=1,
        difficulty=2,
        minutes=10,
        hints=(
            "For query i and key j, i − j says how far back the key lies. Which values of it are allowed?",
            "`torch.arange(n_tokens)` as a column, minus the same as a row, gives i − j for all pairs at once.",
            "Two conditions must hold together; `&` joins two boolean tensors.",
        ),
        parts=("allowed",),
        made=True,
        dtype="bool",
        oracle=window_oracle,
        cases=masking_cases.window_cases,
        wrong={
            "causal-strict": (
                partial(_window, inside=lambda back, width: (back > 0) & (back < width)),
                partial(_window, inside=lambda back, width: (back > 0) & (back <= width)),
            ),
            "causal-off-by-one": (
                partial(_window, inside=lambda back, width: (back >= -1) & (back < width)),
                partial(_window, inside=lambda back, width: (back >= -1) & (back < width - 1)),
            ),
            "causal-upper": (
                partial(_window, inside=lambda back, width: (back <= 0) & (-back < width)),
                partial(_window, inside=lambda back, width: (back < 0) & (-back <= width)),
            ),
            "window-off-by-one": (
                partial(_window, inside=lambda back, width: (back >= 0) & (back <= width)),
                partial(_window, inside=lambda back, width: (back >= 0) & (back < width - 1)),
            ),
            "window-both-sides": (
                partial(_window, inside=lambda back, width: np.abs(back) < width),
                partial(_window, inside=lambda back, width: np.abs(back) <= width),
                partial(_window, inside=lambda back, width: np.abs(back) <= width // 2),
            ),
            "window-in-blocks": (_in_blocks,),
            "window-ignored": (partial(_window, inside=lambda back, width: back >= 0),),
            "causal-all": (lambda n_tokens, width: np.ones((n_tokens, n_tokens)),),
            "mask-inverted": (partial(_window, inside=lambda back, width: ~_causal_past(back, width)),),
            "mask-to-be-added": _to_be_added(window_oracle),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="masked_softmax",
        notebook=NOTEBOOK,
        prompt="Turn scores into weights over the allowed keys: rows sum to 1, or to 0 where nothing is allowed.",
        points=3,
        difficulty=2,
        minutes=15,
        hints=(
            "Without a mask it is a softmax over the keys, the last axis. A blocked score is −∞ before it.",
            "A row of nothing but −∞ becomes NaN. `allowed.any(dim=-1, keepdim=True)` finds such rows, and broadcasts "
            "against the scores.",
            "Let such a row keep its scores, so that its softmax is finite, and set its weights to 0 afterwards. NaN "
            "must not arise on the way either: it would come back in the gradient.",
        ),
        parts=("weights",),
        oracle=softmax_oracle,
        cases=masking_cases.softmax_cases,
        noise=_softmax_noise,
        wrong={
            "softmax-over-queries": (*mask_mistakes.softmax_along(-2), *mask_mistakes.softmax_along(1)),
            "softmax-over-batch": mask_mistakes.softmax_along(0),
            "softmax-over-everything": (
                *mask_mistakes.softmax_along((-2, -1)),
                *mask_mistakes.softmax_along(None),
            ),
            "softmax-overflows": mask_mistakes.OVERFLOWING,
            "softmax-missing": mask_mistakes.MISSING,
            "softmax-not-normalised": (_not_normalised,),
            **MASK_MISTAKES,
            "mask-after-renormalised": (
                partial(_renormalised, guard=0.0, blank=False),
                partial(_renormalised, guard=0.0, blank=True),
                partial(_renormalised, guard=1e-30, blank=False),
            ),
            "mask-on-queries": mask_mistakes.MASK_ON_QUERIES,
            "mask-first-item-for-all": mask_mistakes.first_item_for_all(2),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="causal_pairs",
        notebook=NOTEBOOK,
        prompt="How many pairs of query and key does a causal mask of 64 tokens allow?",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "The first query sees one key, the second two. Add up the rows.",
            "1 + 2 + … + n, written forwards and backwards, makes n sums of n + 1: twice what is asked.",
        ),
        kind="value",
        value=2080,
        wrong_values={
            "pairs-unmasked": (4096,),
            "diagonal-left-out": (2016,),
            "half-of-all": (2048,),
            "future-counted": (2143, 2144),
            "pairs-not-halved": (4160, 4032),
        },
        ideas=IDEAS,
    ),
)
