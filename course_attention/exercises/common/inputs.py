"""Inputs of attention that the cases of several topics are made of."""

import numpy as np

from course_attention.authoring import Array, Draw


def triple(
    draw: Draw, query: tuple[int, ...], key: tuple[int, ...], d_value: int, by_hand: bool = False, **kind
) -> dict[str, Array]:
    make = draw.halves if by_hand else draw.normal
    shapes = {"query": query, "key": key, "value": (*key[:-1], d_value)}
    return {name: make(*shape, **kind) for name, shape in shapes.items()}


def of(numbers: list, dtype: str = "float32") -> Array:
    return Array(np.array(numbers), dtype)


def nothing_for(query: int, n_queries: int, n_keys: int) -> Array:
    """Return a mask that allows one query nothing, and blocks one key for each of the others."""
    mask = np.ones((n_queries, n_keys), dtype=bool)
    mask[np.arange(n_queries), np.arange(n_queries) % n_keys] = False
    mask[query] = False
    return Array(mask, "bool")


def nothing_in_one_item(n_queries: int, n_keys: int) -> Array:
    """Return masks for a batch of two: the first allows its first query nothing, the other its last."""
    items = [nothing_for(query, n_queries, n_keys).values for query in (0, n_queries - 1)]
    return Array(np.stack(items), "bool")


# Allows each of three tokens the one with its lowest score: a fill that is not low enough shows.
LOWEST = of([[False, True, False], [True, False, False], [False, True, False]], "bool")
