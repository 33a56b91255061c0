"""What the numbers among a helper's arguments must be, where no shape annotation can say it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """One rule: which argument, what it must be in words, and whether it is.

    `shown` gives what came, where that is not the argument itself.
    """

    argument: str
    must_be: str
    holds: Callable[[Mapping[str, Any]], bool]
    shown: Callable[[Mapping[str, Any]], Any] | None = None


def _count(argument: str) -> Rule:
    def holds(given: Mapping[str, Any]) -> bool:
        return given[argument] is None or (isinstance(given[argument], Integral) and given[argument] >= 0)

    return Rule(argument, "a whole number, 0 or more", holds)


def _positive(argument: str) -> Rule:
    return Rule(argument, "a positive number", lambda given: given[argument] > 0)


def _heads_cut(argument: str) -> Rule:
    """The columns of a weight, or the channels of x, are shared out among the heads."""

    def holds(given: Mapping[str, Any]) -> bool:
        n_heads = given["n_heads"]
        return isinstance(n_heads, Integral) and n_heads > 0 and given[argument].shape[-1] % n_heads == 0

    return Rule(
        "n_heads",
        f"a whole number that divides the last axis of {argument}",
        holds,
        lambda given: f"{given['n_heads']} for {given[argument].shape[-1]} channels",
    )


def _is_power_of_two(number: Any) -> bool:
    return isinstance(number, Integral) and number > 0 and number & (number - 1) == 0


RULES: dict[str, tuple[Rule, ...]] = {
    "gaussian_scores": (_positive("width"),),
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
    "causal_mask": (_count("n_queries"), _count("n_keys")),
    "padding_mask": (_count("n_keys"),),
    "window_mask": (_count("n_tokens"), _count("width")),
    "sinusoidal_encoding": (_count("n_positions"), _count("d_model"), _positive("base")),
    "shift_matrix": (
        _count("d_model"),
        Rule("d_model", "even: sine and cosine come in pairs", lambda given: given["d_model"] % 2 == 0),
        _positive("base"),
    ),
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
    "rotary": (
        Rule(
            "x",
            "of an even number of channels: they are turned in pairs",
            lambda given: given["x"].shape[-1] % 2 == 0,
            lambda given: given["x"].shape[-1],
        ),
        _positive("base"),
    ),
    "alibi_bias": (
        Rule("n_heads", "a power of two", lambda given: _is_power_of_two(given["n_heads"])),
        _count("n_queries"),
        _count("n_keys"),
    ),
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
