from collections.abc import Callable

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import (
    Pair,
    attend,
    attention_noise,
    dot,
    mixed,
    pairwise,
)
from course_attention.exercises.common.inputs import nothing_for, of, triple
from course_attention.exercises.common.masking import (
    MASK_MISTAKES,
    MISSING,
    OVERFLOWING,
    Weigh,
    distribution_oracle,
    first_item_for_all,
    soften,
    softmax_along,
    weigh,
)
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import changed, each, variants
from course_attention.exercises.common.words import WORDS

# The most negative number of each dtype, with which a library blocks a key.
LOWEST = {
    "float64": float(np.finfo(np.float64).min),
    "float32": float(np.finfo(np.float32).min),
    "float16": float(np.finfo(np.float16).min),
    "bfloat16": -(2.0**128 - 2.0**120),
}


def oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, bias, scaling: float) -> Pair:
    """Head by head, scores q·k · scaling, over the keys at which the bias is 0; then queries before heads."""
    batch, n_heads, n_queries, _ = query.shape
    group_size = n_heads // key.shape[1]
    outputs = np.empty((batch, n_queries, n_heads, value.shape[-1]))
    all_weights = np.empty((batch, n_heads, n_queries, key.shape[-2]))
    for item in range(batch):
        for head in range(n_heads):
            group = head // group_size
            scores = pairwise(query[item, head], key[item, group], lambda q, k: dot(q, k) * scaling)
            weights = distribution_oracle(scores, None if bias is None else bias[item, 0] == 0)
            outputs[item, :, head] = mixed(weights, value[item, group])
            all_weights[item, head] = weights
    return outputs, all_weights


def _in_turn(shared: np.ndarray, n_heads: int) -> np.ndarray:
    return np.repeat(shared, n_heads // shared.shape[1], axis=1)


def _interface(
    query,
    key,
    value,
    bias,
    scaling,
    *,
    share: Callable = _in_turn,
    scale: Callable[[int, float], float] = lambda d_key, scaling: scaling,
    read: Callable[[np.ndarray], np.ndarray] = lambda bias: bias == 0,
    weigh: Weigh = weigh,
    mix: Callable = lambda weights, key, value: weights @ value,
    layout: Callable[[np.ndarray], np.ndarray] = lambda output: output.swapaxes(1, 2),
    give: Callable[[np.ndarray], np.ndarray] = lambda weights: weights,
) -> Pair:
    def score(query, key, value) -> np.ndarray:
        return query @ key.swapaxes(-1, -2) * scale(key.shape[-1], scaling)

    key, value = share(key, query.shape[1]), share(value, query.shape[1])
    output, weights = attend(query, key, value, None if bias is None else read(bias), score, weigh, mix)
    return layout(output), give(weights)


def _softened_sum(axis: int | tuple[int, ...], cleaned: bool) -> Weigh:
    """Softmax of scores + bias, as it comes; or with 0 in the place of every NaN."""

    def weigh_it(scores: np.ndarray, bias: np.ndarray | None) -> np.ndarray:
        weights = soften(scores if bias is None else scores + bias, axis)
        return np.nan_to_num(weights) if cleaned else weights

    return weigh_it


def _of_sum(axis: int | tuple[int, ...]) -> tuple:
    ways = ({"read": lambda bias: bias, "weigh": _softened_sum(axis, cleaned)} for cleaned in (False, True))
    return changed(_interface, *ways)


def _softmax_over(axis: int) -> tuple:
    return (*each(_interface, "weigh", *softmax_along(axis)), *_of_sum(axis))


def _by_view(output: np.ndarray) -> np.ndarray:
    batch, n_heads, n_queries, d_value = output.shape
    return output.reshape(batch, n_queries, n_heads, d_value)


def _joined(output: np.ndarray) -> np.ndarray:
    moved = output.swapaxes(1, 2)
    return moved.reshape(*moved.shape[:2], -1)


def noise(query, key, value, bias, scaling) -> tuple[float, float]:
    """Of output and weights."""
    root = query.shape[-1] ** 0.5
    return attention_noise(query * (scaling * root), _in_turn(key, query.shape[1]), value)


def _bias(allowed: Array, dtype: str = "float64", infinite: bool = False) -> Array:
    """0 where a query may attend, and the lowest number elsewhere. No gradient is asked for."""
    numbers = np.where(allowed.values, 0.0, -np.inf if infinite else LOWEST[dtype])
    return Array(numbers, dtype, wants_gradient=False)


BY_HAND = "batch 1, 2 heads, 1 group, 2 queries, 3 keys, d_key 2, d_value 1"


def cases(draw: Draw) -> list[Case]:
    """Without a bias and with both kinds of it, for several groups, and scalings that are not 1/√d_key."""

    def case(title, about, sizes, scaling, allowed=None, infinite=False, by_hand=False, gradient=False, **kind):
        batch, n_heads, n_groups, n_queries, n_keys, d_key, d_value = sizes
        query, key = (batch, n_heads, n_queries, d_key), (batch, n_groups, n_keys, d_key)
        arguments = triple(draw, query, key, d_value, by_hand, **kind)
        dtype = kind.get("dtype", "float64")
        arguments["bias"] = None if allowed is None else _bias(allowed, dtype, infinite)
        return Case(title, about, {**arguments, "scaling": scaling}, gradient)

    small, cube = (1, 2, 1, 2, 3, 2, 1), (4, 4, 2, 4, 4, 4, 4)
    # Head 0 may attend to its lowest scores alone, which lie below −10,000. Head 1 looks the other way.
    large = {
        "query": of([[[[101.0, 0.0], [0.0, -101.0]], [[-101.0, 0.0], [0.0, 101.0]]]]),
        "key": of([[[[101.0, 101.0], [-100.0, -101.0], [97.0, -98.0]]]]),
        "value": of([[[[1.0, -2.0, 0.5], [3.0, 1.0, -1.0], [-0.5, 2.0, 4.0]]]]),
    }
    lowest_scores = of([[[[False, True, False], [True, False, False]]]], "bool")
    causal = Array(np.tril(np.ones((2, 1, 5, 5), dtype=bool)), "bool")
    values, bias, nothing = properties.VALUES, properties.ADDED_BIAS, properties.NOTHING_ALLOWED
    # A query that may attend to nothing in one item may attend to something in the other.
    blind = Array(np.stack([nothing_for(row, 3, 4).values[None] for row in (1, 2)]), "bool")
    blind_small = Array(nothing_for(0, 2, 3).values[None, None], "bool")
    return [
        case(BY_HAND, values, small, 0.5, by_hand=True, gradient=True),
        case("batch 1, 4 heads, 2 groups, 1 query, 2 keys", values, (1, 4, 2, 1, 2, 1, 1), 2.0, by_hand=True),
        case("batch 2, 6 heads, 3 groups, 4 queries, 5 keys", values, (2, 6, 3, 4, 5, 7, 8), 0.3),
        case("batch 3, 2 heads, 2 groups, scaling 1", values, (3, 2, 2, 4, 1, 5, 6), 1.0, dtype="float32"),
        case("every size 4, 2 groups", values, cube, 0.2),
        case("batch 2, 4 heads, 1 group", values, (2, 4, 1, 3, 5, 6, 7), 0.15, dtype="float32"),
        case(f"{BY_HAND}, with a bias", bias, small, 0.5, draw.allowed(1, 1, 2, 3), by_hand=True, gradient=True),
        case(
            f"{BY_HAND}, with a bias of −∞",
            bias,
            small,
            0.5,
            draw.allowed(1, 1, 2, 3),
            infinite=True,
            by_hand=True,
            gradient=True,
        ),
        case("batch 3, a bias for each item", bias, (3, 6, 2, 4, 5, 7, 8), 0.3, draw.allowed(3, 1, 4, 5)),
        case(
            "batch 2, 4 heads, 2 groups, a causal bias in float32",
            bias,
            (2, 4, 2, 5, 5, 3, 6),
            0.4,
            causal,
            dtype="float32",
        ),
        case("every size 4, 2 groups, with a bias", bias, cube, 0.2, draw.allowed(4, 1, 4, 4), infinite=True),
        case(
            f"{BY_HAND}, nothing allowed for query 0",
            nothing,
            small,
            0.5,
            blind_small,
            by_hand=True,
            gradient=True,
        ),
        case(
            f"{BY_HAND}, nothing allowed for query 0, a bias of −∞",
            nothing,
            small,
            0.5,
            blind_small,
            infinite=True,
            by_hand=True,
            gradient=True,
        ),
        case(
            "batch 2, nothing allowed for a query of each",
            nothing,
            (2, 4, 2, 3, 4, 5, 6),
            0.4,
            blind,
            dtype="float32",
        ),
        Case("scores near ±10,000", properties.LARGE_SCORES, {**large, "bias": None, "scaling": 1.0}),
        Case(
            "scores near ±10,000, with a bias",
            properties.LARGE_SCORES,
            {**large, "bias": _bias(lowest_scores, "float32"), "scaling": 1.0},
        ),
        case(
            "inputs that are not contiguous",
            properties.STRIDES,
            (2, 4, 2, 3, 5, 6, 7),
            0.3,
            draw.allowed(2, 1, 3, 5),
            strided=True,
        ),
        case("257 keys", properties.LONG_SEQUENCES, (1, 2, 1, 2, 257, 3, 2), 0.5, dtype="float32"),
        case(
            "batch 1, 4 heads, 2 groups, with a bias",
            properties.DTYPES,
            (1, 4, 2, 2, 3, 5, 6),
            0.3,
            draw.allowed(1, 1, 2, 3),
            dtype="bfloat16",
        ),
        case(
            "batch 2, 2 heads, 1 group, with a bias, in float16",
            properties.DTYPES,
            (2, 2, 1, 3, 4, 5, 6),
            0.25,
            draw.allowed(2, 1, 3, 4),
            dtype="float16",
        ),
    ]


def _bias_for_mutants(inputs) -> Array | None:
    allowed = inputs.mask("batch 1 n_queries n_keys")
    return None if allowed is None else _bias(allowed, inputs.dtype, infinite=bool(inputs.whole(0, 1)))


EXERCISE = FunctionExercise(
    name="interface_attention",
    prompt="Compute attention from the arguments that a library hands over, in the layout that it wants.",
    points=3,
    difficulty=2,
    minutes=20,
    hints=(
        "Go through the arguments one by one: what does each say that an argument of your `attention` says too? Then "
        "compare the results in the same way.",
        "Your `attention` divides by √d_key, and it is to multiply by `scaling`. What can the query be multiplied by, "
        "so that both come to the same? The bias says by two numbers what `allowed` says by True and False.",
        "`allowed` is True where the bias equals 0. Groups are repeated for their heads as in notebook 10. At the "
        "end the axes of heads and queries change places in the output, and not in the weights.",
    ),
    ready_made=ATTENTION,
    returns=Returns(
        names=("output", "weights"),
        axes=("batch, n_queries, n_heads, d_value", "batch, n_heads, n_queries, n_keys"),
    ),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "n_heads": lambda inputs: inputs.multiple("n_groups"),
        "bias": _bias_for_mutants,
        "scaling": lambda inputs: inputs.one_of(0.1, 0.5, 1.0, 1.5),
    },
    noise=noise,
    words=WORDS,
    misconceptions={
        "softmax-over-queries": _softmax_over(-2),
        "softmax-over-heads": _softmax_over(-3),
        "softmax-over-batch": _softmax_over(0),
        **variants(
            _interface,
            "weigh",
            {
                "softmax-overflows": OVERFLOWING,
                "softmax-missing": MISSING,
                "mask-after-softmax": MASK_MISTAKES["mask-after-softmax"],
                "mask-tiny-fill": MASK_MISTAKES["mask-tiny-fill"],
                "mask-fully-nan": MASK_MISTAKES["mask-fully-nan"],
                "mask-first-item-for-all": first_item_for_all(3),
            },
        ),
        "weights-times-keys": each(_interface, "mix", lambda weights, key, value: weights @ key),
        "mask-fully-uniform": Misconception(
            "A query that may attend to nothing attends to blocked positions",
            "Where the most negative number is added to every score, all of them become equal, and the softmax shares "
            "the weight out among them. With −∞ it gives NaN. In this course such a query gets weights of 0 and an "
            "output of 0.",
            (*_of_sum(-1), *each(_interface, "weigh", *MASK_MISTAKES["mask-fully-uniform"])),
        ),
        "interface-layout": Misconception(
            "The heads come before the queries in the output",
            "The library joins the heads of each query by a reshape, so they have to be side by side: (batch, "
            "n_queries, n_heads, d_value). The weights keep the heads in front.",
            each(_interface, "layout", lambda output: output),
        ),
        "interface-layout-by-view": Misconception(
            "The output has the right shape, and its numbers have not moved",
            "A reshape keeps the numbers in their order and only counts them off anew, so that tokens and heads mix. "
            "Two axes have to change places.",
            each(_interface, "layout", _by_view),
        ),
        "interface-heads-joined": Misconception(
            "The heads of the output are joined already",
            "The library joins them itself. It wants an axis for the heads: (batch, n_queries, n_heads, d_value).",
            each(_interface, "layout", _joined),
        ),
        "interface-weights-moved": Misconception(
            "The weights have their queries before the heads",
            "Only the output changes its layout. The weights are (batch, n_heads, n_queries, n_keys).",
            each(_interface, "give", lambda weights: weights.swapaxes(1, 2)),
        ),
        "interface-own-scale": Misconception(
            "The scores are divided by √d_key",
            "`scaling` takes the place of 1/√d_key. Some models, such as Gemma, were trained with another number, so "
            "only the caller knows it. Was the division by √d_key left in, beside `scaling` or in its place?",
            each(
                _interface,
                "scale",
                lambda d_key, scaling: d_key**-0.5,
                lambda d_key, scaling: scaling * d_key**-0.5,
            ),
        ),
        "no-scale": Misconception(
            "The scores are not multiplied by `scaling`",
            "The products of queries and keys are multiplied by `scaling` before the softmax.",
            each(_interface, "scale", lambda d_key, scaling: 1.0),
        ),
        "interface-scale-undone": Misconception(
            "The scores are multiplied by another number than `scaling`",
            "What the query is multiplied by should undo the division by √d_key and leave `scaling`. Write down the "
            "score of one pair, with every factor in it, of the query and of the key.",
            each(
                _interface,
                "scale",
                lambda d_key, scaling: d_key**0.5 * scaling,
                lambda d_key, scaling: d_key**0.5 * scaling**2,
            ),
        ),
        "interface-scaling-divided": Misconception(
            "The scores are divided by `scaling`",
            "`scaling` takes the place of 1/√d_key, and not of √d_key. It is a factor: the products of queries and "
            "keys are multiplied by it.",
            each(
                _interface,
                "scale",
                lambda d_key, scaling: 1 / scaling,
                lambda d_key, scaling: d_key**-0.5 / scaling,
            ),
        ),
        "interface-scaling-root": Misconception(
            "The root of `scaling` is taken",
            "`scaling` takes the place of 1/√d_key, in which the root is taken already. The products of queries and "
            "keys are multiplied by the number as it comes.",
            each(_interface, "scale", lambda d_key, scaling: scaling**0.5, lambda d_key, scaling: scaling**-0.5),
        ),
        "interface-mask-as-boolean": Misconception(
            "The bias is read as True = may attend",
            "The bias is a number to be added, not a truth value. Taken for one, 0 is False: it blocks where a query "
            "may attend, and allows the rest.",
            each(_interface, "weigh", *MASK_MISTAKES["mask-inverted"]),
        ),
        "interface-mask-ignored": Misconception(
            "The bias has no effect",
            "Keys whose bias is the most negative number, or −∞, get a weight as if it were 0. Is the sum of scores "
            "and bias used?",
            each(_interface, "weigh", *MASK_MISTAKES["mask-ignored"]),
        ),
        "interface-one-number-only": Misconception(
            "Only one of the two numbers that block is looked for",
            "A query may attend where the bias is 0, and nowhere else. Elsewhere it is −∞, or the most negative number "
            "of its dtype, which is finite.",
            each(_interface, "read", lambda bias: bias != -np.inf, lambda bias: (bias == 0) | (bias == -np.inf)),
        ),
        "groups-tiled": Misconception(
            "The groups are dealt out in turn: 0, 1, 0, 1",
            "Consecutive heads share a group: with 4 heads and 2 groups, heads 0 and 1 read group 0, heads 2 and 3 "
            "group 1. Published weights count on that order.",
            each(
                _interface,
                "share",
                lambda shared, n_heads: np.concatenate([shared] * (n_heads // shared.shape[1]), axis=1),
            ),
        ),
        "first-group-everywhere": Misconception(
            "Every head reads group 0",
            "With one group for all it is multi-query attention. Here there may be several, and each serves its own "
            "heads.",
            each(_interface, "share", lambda shared, n_heads: np.repeat(shared[:, :1], n_heads, axis=1)),
        ),
    },
)
