"""Exercises that ask for a count of whole sizes: their cases, the counts of attention, and wrong counts."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties


def sizes(
    *names: str, large: dict[str, int], alike: dict[str, int], odd: tuple[str, ...] = ()
) -> Callable[[Draw], list[Case]]:
    """Cases of a function of whole numbers: small ones to count by hand, drawn ones, a single token, large ones.

    Args:
        names: of the arguments, in the order of the signature.
        large: sizes as they are in use.
        alike: sizes some of which are equal: what differs in general may fall together there.
        odd: names of sizes that are odd numbers.
    """

    def case(property, given, title="") -> Case:
        text = title or ", ".join(f"{name} {given[name]}" for name in names)
        return Case(text, property, {name: given[name] for name in names})

    def draw_cases(draw: Draw) -> list[Case]:
        small = named(draw, names, 2, 8, odd)
        single = {name: 1 for name in names if name.startswith("n_") and name != "n_heads"}
        return [
            case(properties.VALUES, small),
            *(case(properties.VALUES, named(draw, names, 3, 40, odd)) for _ in range(3)),
            case(properties.VALUES, alike),
            case(properties.EDGES, {**small, **single}),
            case(properties.EDGES, dict.fromkeys(names, 1)),
            case(properties.EDGES, large, "sizes as they are in use"),
        ]

    return draw_cases


def different(draw: Draw, count: int, low: int, high: int, taken: tuple[int, ...] = (), step: int = 1) -> list[int]:
    """So many different whole numbers from low to high in such steps, none of which is taken."""
    left = np.setdiff1d(np.arange(low, high + 1, step), taken)
    return [int(number) for number in draw.rng.choice(left, size=count, replace=False)]


def named(draw: Draw, names: tuple[str, ...], low: int, high: int, odd: tuple[str, ...]) -> dict[str, int]:
    """Give each name another whole number from low to high, and an odd one where it is asked for."""
    odd_ones = different(draw, len(odd), low | 1, high, step=2) if odd else []
    others = [name for name in names if name not in odd]
    numbers = different(draw, len(others), low, high, taken=tuple(odd_ones))
    return dict(zip((*odd, *others), (*odd_ones, *numbers), strict=True))


def product(rows: int, terms: int, columns: int) -> int:
    """Count the multiply–adds of (rows, terms) @ (terms, columns): rows · columns sums of so many terms."""
    return rows * columns * terms


def attention_oracle(n_queries: int, n_keys: int, d_key: int, d_value: int) -> int:
    """Q Kᵀ, then weights @ V."""
    return product(n_queries, d_key, n_keys) + product(n_queries, n_keys, d_value)


def self_attention_oracle(n_tokens: int, d_model: int, d_key: int, d_value: int) -> int:
    """X W_Q, X W_K, X W_V, then attention."""
    projections = sum(product(n_tokens, d_model, d_out) for d_out in (d_key, d_key, d_value))
    return projections + attention_oracle(n_tokens, n_tokens, d_key, d_value)


def terms(*formulas: Callable[..., float]) -> tuple[Callable[..., float], ...]:
    """Return counts by formulas that take the sizes in the order of the signature, by short names."""
    return tuple(lambda formula=formula, **sizes: formula(*sizes.values()) for formula in formulas)


def multiplied(right: Callable[..., float], *factors: float) -> tuple[Callable[..., float], ...]:
    """Return the right count, times each of these."""
    return tuple(lambda factor=factor, **sizes: factor * right(**sizes) for factor in factors)


def noise(right: Callable[..., float]) -> Callable[..., tuple[float]]:
    """Allow a count to go through floating-point numbers on the way: an error in units of the result."""
    return lambda **sizes: (abs(right(**sizes)),)


def count(
    name: str,
    right: Callable[..., float],
    arguments: Mapping[str, tuple[int, int]],
    misconceptions: Mapping[str, Misconception | tuple[Callable[..., Any], ...]],
    words: Mapping[str, tuple[str, str]],
    unit: str = "multiply_adds",
    odd: tuple[str, ...] = (),
    **rest: Any,
) -> FunctionExercise:
    """Make an exercise that asks for a whole number made from whole numbers.

    Args:
        arguments: name → (a size as it is in use, a size that is equal to another's).
        unit: what is counted.
        odd: arguments that are odd numbers.
    """
    return FunctionExercise(
        name=name,
        library="numpy",
        returns=Returns((unit,), number=True, from_sizes_only=True),
        oracle=right,
        noise=noise(right),
        cases=sizes(
            *arguments,
            large={argument: sizes[0] for argument, sizes in arguments.items()},
            alike={argument: sizes[1] for argument, sizes in arguments.items()},
            odd=odd,
        ),
        misconceptions=misconceptions,
        words=words,
        **rest,
    )
