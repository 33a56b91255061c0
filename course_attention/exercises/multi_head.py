"""Notebook 04: multi-head attention in parts, and the ways to get each part wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import permutations

import numpy as np

from course_attention.execution.protocol import TorchAttention
from course_attention.exercises import mask_mistakes, multi_head_cases
from course_attention.exercises.attention_parts import (
    ATTENTION_MISTAKES,
    Pair,
    attend,
    attention_noise,
    attention_oracle,
    dot,
    largest,
)
from course_attention.exercises.mask_mistakes import MASK_MISTAKES, Weigh
from course_attention.exercises.multi_head_ideas import IDEAS
from course_attention.judging.exercise import Exercise

NOTEBOOK = "04_multi_head_attention"
NAMES = ("w_query.weight", "w_key.weight", "w_value.weight", "w_out.weight")


# The oracles: one head, one channel at a time.


def split_oracle(x: np.ndarray, n_heads: int) -> np.ndarray:
    """Channel h·d_head + c of a token is channel c of head h."""
    *batch, n_tokens, d_model = x.shape
    heads = np.empty((*batch, n_heads, n_tokens, d_model // n_heads))
    for index in np.ndindex(heads.shape):
        *b, head, token, channel = index
        heads[index] = x[(*b, token, head * heads.shape[-1] + channel)]
    return heads


def merge_oracle(x: np.ndarray) -> np.ndarray:
    """The way back."""
    *batch, n_heads, n_tokens, d_head = x.shape
    merged = np.empty((*batch, n_tokens, n_heads * d_head))
    for index in np.ndindex(x.shape):
        *b, head, token, channel = index
        merged[(*b, token, head * d_head + channel)] = x[index]
    return merged


def _times(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    product = np.empty((*x.shape[:-1], weight.shape[1]))
    for index in np.ndindex(product.shape):
        product[index] = dot(x[index[:-1]], weight[:, index[-1]])
    return product


def heads_oracle(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, weights: tuple, n_heads: int, allowed=None
) -> Pair:
    """Each head by itself, then all side by side through w_out."""
    queries, keys, values = (
        np.split(_times(x, w), n_heads, axis=-1)
        for x, w in zip((query, key, value), weights[:3], strict=True)
    )
    found = [attention_oracle(*head, allowed) for head in zip(queries, keys, values, strict=True)]
    output = _times(np.concatenate([output for output, _ in found], axis=-1), weights[3])
    return output, np.stack([weights for _, weights in found], axis=-3)


def function_oracle(x, w_query, w_key, w_value, w_out, n_heads, allowed=None) -> Pair:
    """Queries, keys and values from x."""
    return heads_oracle(x, x, x, (w_query, w_key, w_value, w_out), n_heads, allowed)


def _inputs(query, key, value) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    key = query if key is None else key
    return query, key, key if value is None else value


def module_oracle(
    query, key=None, value=None, allowed=None, *, d_model, n_heads, d_key=None, d_value=None, **loaded
) -> Pair:
    """A missing key is the query, a missing value the key."""
    weights = tuple(loaded[name].T for name in NAMES)
    return heads_oracle(*_inputs(query, key, value), weights, n_heads, allowed)


def transplant_oracle(torch_attention: TorchAttention) -> tuple[np.ndarray, ...]:
    """Query, key and value one below another, then the output."""
    joined, d_model = torch_attention.weights["in_proj_weight"].values, torch_attention.embed_dim
    blocks = (joined[part * d_model : (part + 1) * d_model] for part in range(3))
    return (*blocks, torch_attention.weights["out_proj.weight"].values)


# The same in a line or two, with each part exchangeable for a wrong one.


def _split(x: np.ndarray, n_heads: int) -> np.ndarray:
    return x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads).swapaxes(-2, -3)


def _merge(x: np.ndarray) -> np.ndarray:
    moved = x.swapaxes(-2, -3)
    return moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])


def _split_by_view(x: np.ndarray, n_heads: int) -> np.ndarray:
    return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], x.shape[-1] // n_heads)


def _merge_by_view(x: np.ndarray) -> np.ndarray:
    return x.reshape(*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1])


def _split_interleaved(x: np.ndarray, n_heads: int) -> np.ndarray:
    return np.moveaxis(x.reshape(*x.shape[:-1], x.shape[-1] // n_heads, n_heads), -1, -3)


def _merge_interleaved(x: np.ndarray) -> np.ndarray:
    moved = np.moveaxis(x, -3, -1)
    return moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])


def _project(query, key, value, w_query, w_key, w_value) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return query @ w_query, key @ w_key, value @ w_value


def _for_all_heads(allowed: np.ndarray) -> np.ndarray:
    return allowed[..., None, :, :]


def _compute(
    query,
    key,
    value,
    weights,
    n_heads,
    allowed=None,
    *,
    project: Callable = _project,
    split: Callable | tuple[Callable, Callable, Callable] = _split,
    share: Callable = _for_all_heads,
    attend: Callable = attend,
    merge: Callable = _merge,
    finish: Callable = np.matmul,
    give: Callable = lambda weights: weights,
) -> Pair:
    splits = split if isinstance(split, tuple) else (split, split, split)
    inputs = project(query, key, value, *weights[:3])
    queries, keys, values = (cut(x, n_heads) for cut, x in zip(splits, inputs, strict=True))
    output, found = attend(queries, keys, values, None if allowed is None else share(allowed))
    return finish(merge(output), weights[3]), give(found)


def _function(x, w_query, w_key, w_value, w_out, n_heads, allowed=None, *, compute=_compute, **parts) -> Pair:
    return compute(x, x, x, (w_query, w_key, w_value, w_out), n_heads, allowed, **parts)


def _module(
    query,
    key=None,
    value=None,
    allowed=None,
    *,
    d_model,
    n_heads,
    d_key=None,
    d_value=None,
    compute=_compute,
    inputs=_inputs,
    **rest,
) -> Pair:
    weights = tuple(rest.pop(name).T for name in NAMES)
    return compute(*inputs(query, key, value), weights, n_heads, allowed, **rest)


# Parts done wrong.


def _scaled_by_model(query, key, value, weights, n_heads, allowed=None) -> Pair:
    d_key = weights[0].shape[1] // n_heads
    weights = (weights[0] * np.sqrt(d_key / query.shape[-1]), *weights[1:])
    return _compute(query, key, value, weights, n_heads, allowed)


def _scaled_by_all_heads(query, key, value, weights, n_heads, allowed=None) -> Pair:
    weights = (weights[0] / np.sqrt(n_heads), *weights[1:])
    return _compute(query, key, value, weights, n_heads, allowed)


def _scaled_by_heads(query, key, value, weights, n_heads, allowed=None) -> Pair:
    d_key = weights[0].shape[1] // n_heads
    weights = (weights[0] * np.sqrt(d_key / n_heads), *weights[1:])
    return _compute(query, key, value, weights, n_heads, allowed)


def _scaled_by_all_channels(query, key, value, weights, n_heads, allowed=None) -> Pair:
    d_key = weights[0].shape[1] // n_heads
    weights = (weights[0] / np.sqrt(d_key) / n_heads, *weights[1:])
    return _compute(query, key, value, weights, n_heads, allowed)


def _averaged(query, key, value, weights, n_heads, allowed=None) -> Pair:
    return _compute(query, key, value, (*weights[:3], weights[3] / n_heads), n_heads, allowed)


def _single_head(shown: str) -> Callable[..., Pair]:
    def compute(query, key, value, weights, n_heads, allowed=None) -> Pair:
        output, found = _compute(query, key, value, weights, 1, allowed)
        return output, {
            "with an axis": found,
            "without": found[..., 0, :, :],
            "repeated": np.repeat(found, n_heads, axis=-3),
        }[shown]

    return compute


def _over_batch(axis: int, swap_back: bool) -> Callable[..., Pair]:
    """A layer for (n_tokens, batch, d_model) that is given (batch, n_tokens, d_model)."""

    def compute(query, key, value, weights, n_heads, allowed=None) -> Pair:
        if query.ndim < 3:
            return _compute(query, key, value, weights, n_heads, allowed)
        turned = (x.swapaxes(0, axis) for x in (query, key, value))
        output, found = _compute(*turned, weights, n_heads, allowed)
        return output.swapaxes(0, axis) if swap_back else output, found

    return compute


def _first_head(keep: bool) -> Callable[..., Pair]:
    def attend_as_first(query, key, value, allowed=None) -> Pair:
        _, weights = attend(query, key, value, allowed)
        first = np.broadcast_to(weights[..., :1, :, :], weights.shape)
        return first @ value, weights if keep else first

    return attend_as_first


def _batch_meets_heads(allowed: np.ndarray) -> np.ndarray:
    return allowed  # no axis for the heads: NumPy lines up the batch with them, as torch does


def _second_axis(allowed: np.ndarray) -> np.ndarray:
    return allowed[:, None]


def _fits(change: Callable[[np.ndarray], np.ndarray], strict: bool = True) -> dict[str, Callable]:
    """A mask lined up in another way, an error where it does not broadcast to the scores."""

    def attend_strictly(query, key, value, allowed=None) -> Pair:
        if allowed is not None:
            allowed = np.broadcast_to(allowed, (*query.shape[:-1], key.shape[-2]))
        return attend(query, key, value, allowed)

    return {"share": change, "attend": attend_strictly}


def _before_sharing(change: Callable[[np.ndarray], np.ndarray]) -> dict[str, Callable]:
    return {"share": lambda allowed: _for_all_heads(change(allowed))}


def _same_projection(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_query, key @ w_query, value @ w_value


def _keys_projection(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_key, key @ w_key, value @ w_value


def _values_by_key(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_query, key @ w_key, value @ w_key


def _values_by_query(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_query, key @ w_key, value @ w_query


def _one_projection(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_query, key @ w_query, value @ w_query


def _exchanged(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_key, key @ w_query, value @ w_value


def _raw_value(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_query, key @ w_key, value


def _in_attention(*names: str) -> dict[str, tuple[dict, ...]]:
    """Mistakes of one head, made in every head."""
    return {name: tuple({"attend": way} for way in ATTENTION_MISTAKES[name]) for name in names}


def _weighed(ways: tuple[Weigh, ...]) -> tuple[dict, ...]:
    return tuple({"attend": partial(attend, weigh=way)} for way in ways)


def _overflowing_cleaned(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    return np.nan_to_num(mask_mistakes.overflowing(scores, allowed))


_FIRST_ITEM = (
    lambda allowed: allowed[:1],
    lambda allowed: allowed[0] if allowed.ndim > 2 else allowed,
    lambda allowed: allowed[:1] if allowed.ndim > 2 else allowed,
    lambda allowed: allowed[(0,) * (allowed.ndim - 2)],
)
# id → what is done otherwise, as keyword arguments of `_function` and `_module`.
MISTAKES: dict[str, tuple[dict, ...]] = {
    **_in_attention(
        "softmax-over-everything",
        "softmax-overflows",
        "softmax-missing",
        "no-scale",
        "scale-by-d",
        "scale-multiplied",
        "scale-wrong-axis",
        *MASK_MISTAKES,
        "mask-on-queries",
    ),
    # With a batch, axis 1 is the heads and axis 2 the queries.
    "softmax-over-queries": _weighed((*mask_mistakes.softmax_along(-2), *mask_mistakes.softmax_along(2))),
    "softmax-over-heads": _weighed((*mask_mistakes.softmax_along(-3), *mask_mistakes.softmax_along(1))),
    "softmax-over-batch": _weighed(mask_mistakes.softmax_along(0)),
    "mask-first-item-for-all": (
        *(_before_sharing(change) for change in _FIRST_ITEM),
        *_weighed(mask_mistakes.first_item_for_all(3)),
    ),
    "mask-no-head-axis": (_fits(_batch_meets_heads),),
    "mask-head-axis-second": (_fits(_second_axis),),
    "scale-by-d-model": ({"compute": _scaled_by_model}, {"compute": _scaled_by_all_heads}),
    "shared-projection": (
        {"project": _same_projection},
        {"project": _keys_projection},
        {"project": _values_by_key},
        {"project": _values_by_query},
        {"project": _one_projection},
    ),
    "roles-swapped": ({"project": _exchanged},),
    "value-not-projected": ({"project": _raw_value},),
    "heads-by-view": (
        {"split": _split_by_view},
        {"split": _split_by_view, "merge": _merge_by_view},
        {"split": (_split_by_view, _split, _split)},
        {"split": (_split, _split_by_view, _split)},
        {"split": (_split, _split, _split_by_view)},
    ),
    "heads-interleaved": (
        {"split": _split_interleaved},
        {"split": _split_interleaved, "merge": _merge_interleaved},
    ),
    "merge-by-view": ({"merge": _merge_by_view},),
    "merge-interleaved": ({"merge": _merge_interleaved},),
    "heads-not-split": tuple(
        {"compute": _single_head(shown)} for shown in ("with an axis", "without", "repeated")
    ),
    "heads-averaged": ({"compute": _averaged},),
    "first-head-everywhere": ({"attend": _first_head(True)}, {"attend": _first_head(False)}),
    "weights-averaged": ({"give": lambda weights: weights.mean(axis=-3)},),
    "no-output-projection": ({"finish": lambda merged, w_out: merged},),
    "output-projection-transposed": ({"finish": lambda merged, w_out: merged @ w_out.T},),
    "batch-as-sequence": tuple(
        {"compute": _over_batch(axis, swap_back)} for axis in (1, -2) for swap_back in (True, False)
    ),
}
MISTAKES["scale-wrong-axis"] += ({"compute": _scaled_by_heads},)
MISTAKES["scale-by-d"] += ({"compute": _scaled_by_all_channels},)
MISTAKES["softmax-overflows"] += _weighed((_overflowing_cleaned,))


def _made(run: Callable, mistakes: dict[str, tuple[dict, ...]]) -> dict[str, tuple[Callable, ...]]:
    return {name: tuple(partial(run, **parts) for parts in ways) for name, ways in mistakes.items()}


# Noise, in units of epsilon: the projections' and the scores' own, the average's, and the output projection's.


def _noise(query, key, value, weights, n_heads) -> tuple[float, float]:
    root = query.shape[-1] ** 0.5
    queries, keys, values = (
        _split(np.abs(x) @ np.abs(w), n_heads) for x, w in zip((query, key, value), weights[:3], strict=True)
    )
    _, in_weights = attention_noise(queries * root, keys, values)
    in_heads = in_weights + root + weights[3].shape[0] ** 0.5
    return in_heads * largest(_merge(values).max(axis=-2, keepdims=True) @ np.abs(weights[3])), in_weights


def _function_noise(x, w_query, w_key, w_value, w_out, n_heads, allowed=None) -> tuple[float, float]:
    return _noise(x, x, x, (w_query, w_key, w_value, w_out), n_heads)


def _module_noise(query, key=None, value=None, allowed=None, *, n_heads, **rest) -> tuple[float, float]:
    return _noise(*_inputs(query, key, value), tuple(rest[name].T for name in NAMES), n_heads)


# Transplants gone wrong.


def _reordered(order: tuple[int, ...]) -> Callable:
    def compute(torch_attention: TorchAttention) -> tuple[np.ndarray, ...]:
        *blocks, out = transplant_oracle(torch_attention)
        return (*(blocks[part] for part in order), out)

    return compute


def _transposed(which: tuple[bool, ...]) -> Callable:
    def compute(torch_attention: TorchAttention) -> tuple[np.ndarray, ...]:
        parts = transplant_oracle(torch_attention)
        return tuple(part.T if turn else part for part, turn in zip(parts, which, strict=True))

    return compute


def _interleaved(torch_attention: TorchAttention) -> tuple[np.ndarray, ...]:
    joined = torch_attention.weights["in_proj_weight"].values
    blocks = (joined[part::3] for part in range(3))
    return (*blocks, torch_attention.weights["out_proj.weight"].values)


def _by_head(torch_attention: TorchAttention) -> tuple[np.ndarray, ...]:
    joined, d_model = torch_attention.weights["in_proj_weight"].values, torch_attention.embed_dim
    heads = joined.reshape(torch_attention.num_heads, 3, -1, d_model)
    blocks = (heads[:, part].reshape(d_model, d_model) for part in range(3))
    return (*blocks, torch_attention.weights["out_proj.weight"].values)


EXERCISES = (
    Exercise(
        name="split_heads",
        notebook=NOTEBOOK,
        prompt="Cut the channels into heads, and give every head a sequence of its own.",
        points=2,
        difficulty=2,
        minutes=10,
        hints=(
            "Two steps: the last axis becomes two, and then two axes change places. Write down the shape after each.",
            "After the first step: (…, n_tokens, n_heads, d_head). A reshape of the last axis alone, or `unflatten`, "
            "leaves every token's numbers together.",
            "Count axes from the end, so that it does not matter how many there are in front.",
        ),
        parts=("heads",),
        oracle=split_oracle,
        cases=multi_head_cases.split_cases,
        noise=lambda x, n_heads: (largest(x),),
        wrong={
            "heads-by-view": (_split_by_view,),
            "heads-interleaved": (_split_interleaved,),
            "heads-not-moved": (lambda x, n_heads: x.reshape(*x.shape[:-1], n_heads, -1),),
            "heads-axis-first": (lambda x, n_heads: np.stack(np.split(x, n_heads, axis=-1)),),
            "head-sizes-exchanged": (
                lambda x, n_heads: x.reshape(*x.shape[:-1], -1, n_heads).swapaxes(-2, -3),
            ),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="merge_heads",
        notebook=NOTEBOOK,
        prompt="Put the heads' channels side by side again: undo split_heads.",
        points=1,
        difficulty=2,
        minutes=5,
        hints=(
            "The two steps of `split_heads`, backwards: first the axes change places, then two of them become one.",
            "After the first step: (…, n_tokens, n_heads, d_head). `view` refuses now, since the numbers no longer lie "
            "in this order; `reshape` and `flatten` copy them.",
        ),
        parts=("merged",),
        oracle=merge_oracle,
        cases=multi_head_cases.merge_cases,
        noise=lambda x: (largest(x),),
        wrong={
            "merge-by-view": (_merge_by_view,),
            "merge-interleaved": (_merge_interleaved,),
            "heads-averaged": (lambda x: x.mean(axis=-3), lambda x: x.sum(axis=-3)),
            "heads-along-tokens": (
                lambda x: x.reshape(*x.shape[:-3], x.shape[-3] * x.shape[-2], x.shape[-1]),
            ),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="multi_head_attention",
        notebook=NOTEBOOK,
        prompt="Self-attention with several heads: project, split, attend, merge, project.",
        points=4,
        difficulty=3,
        minutes=25,
        hints=(
            "Five steps, each with a function that you have: three projections, `split_heads` on each, `attention`, "
            "`merge_heads`, and one projection more. Write down the shape after each.",
            "`attention` takes any leading axes: with (…, n_heads, n_tokens, d_key) it treats a head like an item of a "
            "batch, and divides by the √d_key of one head.",
            "`allowed` has no axis for the heads, the scores have: right before their last two. An axis of size 1 "
            "there serves every head. Count from the end.",
        ),
        parts=("output", "weights"),
        oracle=function_oracle,
        cases=multi_head_cases.function_cases,
        noise=_function_noise,
        wrong=_made(_function, MISTAKES),
        ideas=IDEAS,
    ),
    Exercise(
        name="MultiHeadAttention",
        notebook=NOTEBOOK,
        kind="module",
        prompt="The same as a module with weights to be learned, for one sequence or for two.",
        points=4,
        difficulty=3,
        minutes=25,
        hints=(
            "Four `nn.Linear` without bias, by the names w_query, w_key, w_value and w_out. How many channels has each "
            "on either side, with n_heads heads of d_key and d_value channels?",
            "A missing key is the query, a missing value is the key. The rest of `forward` is `multi_head_attention`, "
            "with three inputs in place of one.",
            "d_key and d_value are sizes of one head: d_model // n_heads where they are None. w_out leads from "
            "n_heads · d_value back to d_model.",
        ),
        parts=("output", "weights"),
        oracle=module_oracle,
        cases=multi_head_cases.module_cases,
        noise=_module_noise,
        wrong={
            **_made(
                _module,
                {n: w for n, w in MISTAKES.items() if n not in ("heads-averaged", "softmax-over-batch")},
            ),
            "cross-ignores-context": (
                partial(_module, inputs=lambda query, key, value: (query, query, query)),
                partial(
                    _module, inputs=lambda query, key, value: (query, query, _inputs(query, key, value)[2])
                ),
            ),
            "value-from-query": (
                partial(
                    _module,
                    inputs=lambda query, key, value: (
                        query,
                        query if key is None else key,
                        query if value is None else value,
                    ),
                ),
            ),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="transplant",
        notebook=NOTEBOOK,
        prompt="Take the weights out of an nn.MultiheadAttention, by the names of your own module.",
        points=2,
        difficulty=2,
        minutes=10,
        hints=(
            "`torch_attention.state_dict()` shows what there is: in_proj_weight and out_proj.weight. What are their "
            "shapes?",
            "in_proj_weight holds three matrices of (d_model, d_model), one below another: query, key, value. "
            "`chunk` cuts a tensor into equal parts.",
            "Both modules hold weights as nn.Linear does. Nothing is transposed.",
        ),
        parts=NAMES,
        mapping=True,
        differentiable=False,
        oracle=transplant_oracle,
        cases=multi_head_cases.transplant_cases,
        wrong={
            "transplant-order": tuple(
                _reordered(order) for order in permutations(range(3)) if order != (0, 1, 2)
            ),
            "transplant-transposed": (
                _transposed((True, True, True, True)),
                _transposed((True, True, True, False)),
                _transposed((False, False, False, True)),
            ),
            "transplant-interleaved": (_interleaved,),
            "transplant-by-head": (_by_head,),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="multi_head_parameters",
        notebook=NOTEBOOK,
        prompt="How many weights has multi-head attention with d_model 512 and 8 heads of 64, without biases?",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "Count one head first: how large are its W_Q, W_K and W_V?",
            "Eight heads have eight times as many. What is still missing is the matrix behind them.",
        ),
        kind="value",
        value=1048576,
        wrong_values={
            "output-projection-forgotten": (786432,),
            "heads-counted-twice": (8388608, 6291456, 6553600),
            "one-head-only": (98304, 131072, 360448),
            "output-of-one-head": (819200,),
            "biases-counted": (1050624, 1050112, 1049088),
            "one-projection-only": (262144, 524288),
        },
        ideas=IDEAS,
    ),
)
