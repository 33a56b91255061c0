"""Cases of notebook 07: sizes of layers, and costs to which an exponent is fitted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw


def sizes(*names: str, large: dict[str, int], alike: dict[str, int]) -> Callable[[Draw], list[Case]]:
    """Cases of a function of whole numbers: small ones to count by hand, drawn ones, a single token, large ones.

    Args:
        names: of the arguments, in the order of the signature.
        large: sizes as they are in use.
        alike: sizes some of which are equal: what differs in general may fall together there.
    """

    def case(property: str, given: dict[str, int], title: str = "") -> Case:
        text = title or ", ".join(f"{name} {given[name]}" for name in names)
        return Case(text, property, {name: given[name] for name in names})

    def draw_cases(draw: Draw) -> list[Case]:
        small = dict(zip(names, _different(draw, len(names), 2, 8), strict=True))
        single = {name: 1 for name in names if name.startswith("n_") and name != "n_heads"}
        return [
            case("values", small),
            *(
                case("values", dict(zip(names, _different(draw, len(names), 3, 40), strict=True)))
                for _ in range(3)
            ),
            case("values", alike),
            case("edges", {**small, **single}),
            case("edges", dict.fromkeys(names, 1)),
            case("edges", large, "sizes as they are in use"),
        ]

    return draw_cases


def _different(draw: Draw, count: int, low: int, high: int) -> list[int]:
    """So many different whole numbers from low to high."""
    return [int(number) for number in draw.rng.choice(np.arange(low, high + 1), size=count, replace=False)]


def crossover_cases(draw: Draw) -> list[Case]:
    """Sizes whose crossing lies between whole numbers, below and above a half, and one on a whole number."""

    def case(property: str, d_model: int, d_key: int, d_value: int) -> Case:
        arguments = {"d_model": d_model, "d_key": d_key, "d_value": d_value}
        return Case(f"d_model {d_model}, d_key {d_key}, d_value {d_value}", property, arguments)

    d_model, d_key, d_value = _different(draw, 3, 5, 60)
    return [
        case("values", 4, 1, 3),
        case("values", 6, 2, 3),  # 8.4
        case("values", 7, 4, 2),  # 11.666…: no rounding to decimals meets it
        case("values", d_model, d_key, d_value),
        case("values", 6, 2, 2),
        case("edges", 1, 1, 1),
        case("edges", 512, 64, 64),
        case("edges", 1023, 64, 256),
    ]


def exponent_cases(draw: Draw) -> list[Case]:
    """Powers with other factors than 1, sizes that are not equally spaced, and costs with noise."""

    def case(title: str, property: str, sizes: list[float], costs: np.ndarray, strided: bool = False) -> Case:
        arguments = {"sizes": Array(np.array(sizes, dtype=np.float64), "float64", strided)}
        return Case(
            title, property, arguments | {"costs": Array(np.asarray(costs, dtype=np.float64), "float64")}
        )

    def power(sizes: list[float], exponent: float, factor: float, noise: float = 0.0) -> np.ndarray:
        size = np.array(sizes, dtype=np.float64)
        return factor * size**exponent * np.exp(noise * draw.rng.normal(size=len(sizes)))

    exponent, factor = float(draw.rng.uniform(0.5, 3.0)), float(draw.rng.uniform(2.0, 9.0))
    doubling, uneven = [64, 128, 256, 512, 1024, 2048], [3, 5, 11, 12, 40, 100, 700]
    return [
        case("twice the size, four times the cost", "values", [1, 2, 4], np.array([5.0, 20.0, 80.0])),
        case("two sizes", "values", [2, 6], np.array([3.0, 27.0])),
        case("linear", "values", [2, 4, 8], np.array([3.0, 6.0, 12.0])),
        case("a power without noise", "values", uneven, power(uneven, exponent, factor)),
        case("costs in seconds", "values", doubling, power(doubling, 2.0, 3e-9)),
        case("falling costs", "values", [1, 2, 4], np.array([80.0, 40.0, 20.0])),
        case("three sizes, noise", "noise", [1, 2, 8], np.array([3.0, 12.0, 50.0])),
        case("noise", "noise", doubling, power(doubling, exponent, factor, 0.3)),
        case("noise, uneven sizes", "noise", uneven, power(uneven, exponent, factor, 0.3)),
        case(
            "not in order",
            "noise",
            uneven[::-2] + uneven[1::2],
            power(uneven[::-2] + uneven[1::2], 1.5, 2.0, 0.2),
        ),
        case("not contiguous", "noise", doubling, power(doubling, 1.0, factor, 0.2), strided=True),
    ]
