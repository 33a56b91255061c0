"""Rules for a helper's arguments that no shape annotation can state, such as "a positive number"."""

from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """One rule about the arguments of a helper.

    Attributes:
        argument: the name of the argument.
        must_be: what it has to be, in the words of the error.
        holds: whether the arguments of a call keep the rule.
        shown: what the error says has come; None for the argument itself.
    """

    argument: str
    must_be: str
    holds: Callable[[Mapping[str, Any]], bool]
    shown: Callable[[Mapping[str, Any]], Any] | None = None


def _count(argument: str) -> Rule:
    def holds(given: Mapping[str, Any]) -> bool:
        return given[argument] is None or (isinstance(given[argument], Integral) and given[argument] >= 0)

    return Rule(argument, "a whole number, 0 or more", holds)


def _whole(argument: str) -> Rule:
    return Rule(argument, "a whole number", lambda given: isinstance(given[argument], Integral))


def _blocks(argument: str) -> Rule:
    def holds(given: Mapping[str, Any]) -> bool:
        return isinstance(given[argument], Integral) and int(given[argument]) >= 1

    return Rule(argument, "a whole number, 1 or more", holds)


def _cache_fits(given: Mapping[str, Any]) -> bool:
    """Whether a cache can be joined to the newest key and value along the axis of tokens."""
    if given["cache"] is None:
        return True
    if len(given["cache"]) != 2:
        return False
    keys, values = given["cache"]
    return (
        all(
            past.shape[:-2] == new.shape[:-2] and past.shape[-1] == new.shape[-1] and past.dtype == new.dtype
            for past, new in ((keys, given["key"]), (values, given["value"]))
        )
        and keys.shape[-2] == values.shape[-2]
    )


def _feature(argument: str) -> Rule:
    def holds(given: Mapping[str, Any]) -> bool:
        return isinstance(given[argument], Integral) and 0 <= int(given[argument]) < given["n_features"]

    return Rule(argument, "one of the features, 0 to n_features − 1", holds)


def _positive(argument: str) -> Rule:
    return Rule(argument, "a positive number", lambda given: given[argument] > 0)


def _heads_cut(argument: str, parts: int = 1) -> Rule:
    """The rule that columns, or channels of x, can be divided among the heads, and a head's into so many parts."""

    def holds(given: Mapping[str, Any]) -> bool:
        n_heads = given["n_heads"]
        if not isinstance(n_heads, Integral) or int(n_heads) <= 0:
            return False
        return bool(given[argument].shape[-1] % (parts * n_heads) == 0)

    of_parts = "" if parts == 1 else f" into {parts} equal parts for each head"
    return Rule(
        "n_heads",
        f"a whole number that divides the last axis of {argument}{of_parts}",
        holds,
        lambda given: f"{given['n_heads']} for {given[argument].shape[-1]} channels",
    )


def _turned_in_pairs(argument: str) -> Rule:
    return Rule(
        argument,
        "of an even number of channels: they are turned in pairs",
        lambda given: given[argument].shape[-1] % 2 == 0,
        lambda given: given[argument].shape[-1],
    )


def _counts(helper: str, *arguments: str) -> dict[str, tuple[Rule, ...]]:
    """The rules of a helper whose arguments are all counts."""
    return {helper: tuple(map(_count, arguments))}


def _side_cut(side: str, axis: int) -> Rule:
    """The rule that patches of `size` pixels fill a side of the images."""

    def holds(given: Mapping[str, Any]) -> bool:
        size = given["size"]
        return isinstance(size, Integral) and int(size) > 0 and given["images"].shape[axis] % size == 0

    return Rule(
        "size",
        f"a whole number that divides the {side} of the images",
        holds,
        lambda given: f"{given['size']} for a {side} of {given['images'].shape[axis]}",
    )


def _differ(given: Mapping[str, Any]) -> bool:
    sizes = set(map(float, given["sizes"]))
    return len(sizes) > 1 and min(sizes) > 0


def _is_power_of_two(number: Any) -> bool:
    return isinstance(number, Integral) and int(number).bit_count() == 1 and int(number) > 0


def _sink_fits(given: Mapping[str, Any]) -> bool:
    """Whether a sink broadcasts to the axes of the query before n_queries and d_key."""
    leading, sink = tuple(given["query"].shape[:-2]), tuple(given["sink"].shape)
    ends = zip(reversed(sink), reversed(leading), strict=False)
    return len(sink) <= len(leading) and all(own in (1, size) for own, size in ends)


_GROUPS_SHARED_OUT = Rule(
    "key",
    "of a number of groups that divides the number of heads of query",
    lambda given: given["key"].shape[-3] > 0 and given["query"].shape[-3] % given["key"].shape[-3] == 0,
    lambda given: f"{given['key'].shape[-3]} groups for {given['query'].shape[-3]} heads",
)
_EVEN_D_MODEL = Rule("d_model", "even: sine and cosine come in pairs", lambda given: given["d_model"] % 2 == 0)

RULES: dict[str, tuple[Rule, ...]] = {
    "gaussian_scores": (_positive("width"),),
    "relation_weights": (_count("n_features"), _feature("asks"), _feature("finds")),
    "convolution_mixing": (
        _count("n_tokens"),
        Rule(
            "kernel",
            "of odd length, so that it has a middle",
            lambda given: len(given["kernel"]) % 2 == 1,
            lambda given: f"length {len(given['kernel'])}",
        ),
    ),
    "split_heads": (_heads_cut("x"),),
    "multi_head_attention": (_heads_cut("w_query"), _heads_cut("w_value")),
    "head_outputs": (_heads_cut("w_query"), _heads_cut("w_value")),
    "causal_mask": (_count("n_queries"), _count("n_keys")),
    "padding_mask": (_count("n_keys"),),
    "window_mask": (_count("n_tokens"), _count("width")),
    "sinusoidal_encoding": (_count("n_positions"), _count("d_model"), _positive("base")),
    "shift_matrix": (_count("d_model"), _EVEN_D_MODEL, _positive("base")),
    "relative_bias": (
        _count("n_queries"),
        _count("n_keys"),
        Rule(
            "table",
            "of an odd number of columns, the offsets −r … r",
            lambda given: given["table"].shape[-1] % 2 == 1,
            lambda given: given["table"].shape[-1],
        ),
    ),
    "rotary": (_turned_in_pairs("x"), _positive("base")),
    "rotary_attention": (_turned_in_pairs("query"), _positive("base")),
    "previous_token_weights": (_count("d_model"), _EVEN_D_MODEL, _positive("base")),
    "alibi_bias": (
        Rule("n_heads", "a power of two", lambda given: _is_power_of_two(given["n_heads"])),
        _count("n_queries"),
        _count("n_keys"),
    ),
    **_counts("attention_multiply_adds", "n_queries", "n_keys", "d_key", "d_value"),
    **_counts("self_attention_multiply_adds", "n_tokens", "d_model", "d_key", "d_value"),
    **_counts("recurrent_multiply_adds", "n_tokens", "d_in", "d_hidden"),
    **_counts("convolution_multiply_adds", "n_tokens", "kernel_size", "d_in", "d_out"),
    **_counts("dense_multiply_adds", "n_tokens", "d_in", "d_out"),
    **_counts("score_bytes", "batch", "n_heads", "n_queries", "n_keys", "bytes_per_number"),
    **_counts("block_multiply_adds", "n_tokens", "d_model", "d_hidden"),
    "attention_intensity": tuple(map(_blocks, ("n_queries", "n_keys", "d_key", "d_value", "bytes_per_number"))),
    "crossover_length": (
        *map(_count, ("d_model", "d_key", "d_value")),
        Rule("d_value", "positive where d_key is 0", lambda given: given["d_key"] + given["d_value"] > 0),
    ),
    "fit_exponent": (
        Rule("sizes", "positive, and at least two different ones", _differ),
        Rule(
            "costs",
            "positive, one for each size",
            lambda given: len(given["costs"]) == len(given["sizes"]) and min(given["costs"]) > 0,
        ),
    ),
    "shift_right": (_whole("start_token"),),
    "top_k_attention": (_blocks("k"),),
    "yarn_frequencies": (
        _count("d"),
        Rule("d", "even: channels are turned in pairs", lambda given: given["d"] % 2 == 0),
        _positive("base"),
        Rule("factor", "1 or more", lambda given: given["factor"] >= 1),
        _count("n_trained"),
        Rule("fast", "larger than slow", lambda given: given["fast"] > given["slow"]),
    ),
    "greedy_decode": (_whole("start_token"), _whole("end_token"), _count("max_length"), _blocks("batch")),
    "sequence_loss": (_whole("pad_token"),),
    "next_token_probabilities": (
        Rule("temperature", "a number of 0 or more", lambda given: given["temperature"] >= 0),
        Rule(
            "top_k",
            "a whole number, 1 or more, or None",
            lambda given: given["top_k"] is None or (isinstance(given["top_k"], Integral) and int(given["top_k"]) >= 1),
        ),
        Rule(
            "top_p",
            "more than 0 and at most 1, or None",
            lambda given: given["top_p"] is None or 0 < given["top_p"] <= 1,
        ),
    ),
    "cached_attention": (
        Rule(
            "query",
            "of one token, (..., 1, d_key)",
            lambda given: given["query"].shape[-2] == 1,
            lambda given: tuple(given["query"].shape),
        ),
        Rule("cache", "keys and values, each (..., n_past, d) beside the newest token's, or None", _cache_fits),
    ),
    "grouped_query_attention": (_GROUPS_SHARED_OUT,),
    "interface_attention": (_GROUPS_SHARED_OUT, _positive("scaling")),
    "attention_with_sink": (
        Rule(
            "sink",
            "of a shape that broadcasts to the leading axes of query",
            _sink_fits,
            lambda given: f"{tuple(given['sink'].shape)} for {tuple(given['query'].shape[:-2])}",
        ),
    ),
    "sink_mask": tuple(map(_count, ("n_tokens", "width", "n_sinks"))),
    "online_logsumexp": (_blocks("block_size"),),
    "blockwise_attention": (_blocks("block_size"),),
    "attention_backward": (_blocks("block_size"),),
    "image_patches": (_side_cut("height", -2), _side_cut("width", -1)),
    "split_fused": (_heads_cut("weight", parts=3),),
    "to_neighbouring_pairs": (_heads_cut("weight", parts=2),),
}


def check_numbers(helper: str, given: Mapping[str, Any]) -> None:
    """Raise ValueError where an argument of a helper breaks one of its rules.

    Example:
        >>> check_numbers("alibi_bias", {"n_heads": 6, "n_queries": 2, "n_keys": 2})
        Traceback (most recent call last):
        ...
        ValueError: n_heads must be a power of two; got 6
    """
    for rule in RULES.get(helper, ()):
        if not rule.holds(given):
            came = rule.shown(given) if rule.shown else repr(given[rule.argument])
            raise ValueError(f"{rule.argument} must be {rule.must_be}; got {came}")
