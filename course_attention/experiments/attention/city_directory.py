"""A directory of cities with their places, and a caller who types their names by ear, with an accent."""

import random
import string
from collections.abc import Sequence

import torch
from torch import Tensor

# name -> degrees east, degrees north
CITIES = {
    "amsterdam": (4.9, 52.4),
    "athens": (23.7, 38.0),
    "barcelona": (2.2, 41.4),
    "belgrade": (20.5, 44.8),
    "berlin": (13.4, 52.5),
    "bern": (7.4, 46.9),
    "bordeaux": (-0.6, 44.8),
    "bratislava": (17.1, 48.1),
    "brussels": (4.4, 50.8),
    "bucharest": (26.1, 44.4),
    "budapest": (19.0, 47.5),
    "copenhagen": (12.6, 55.7),
    "dublin": (-6.3, 53.3),
    "edinburgh": (-3.2, 56.0),
    "florence": (11.3, 43.8),
    "frankfurt": (8.7, 50.1),
    "geneva": (6.1, 46.2),
    "glasgow": (-4.3, 55.9),
    "gothenburg": (12.0, 57.7),
    "hamburg": (10.0, 53.6),
    "helsinki": (24.9, 60.2),
    "istanbul": (29.0, 41.0),
    "kyiv": (30.5, 50.5),
    "krakow": (19.9, 50.1),
    "lisbon": (-9.1, 38.7),
    "liverpool": (-3.0, 53.4),
    "ljubljana": (14.5, 46.1),
    "london": (-0.1, 51.5),
    "luxembourg": (6.1, 49.6),
    "lyon": (4.8, 45.8),
    "madrid": (-3.7, 40.4),
    "manchester": (-2.2, 53.5),
    "marseille": (5.4, 43.3),
    "milan": (9.2, 45.5),
    "minsk": (27.6, 53.9),
    "munich": (11.6, 48.1),
    "naples": (14.3, 40.9),
    "oslo": (10.8, 59.9),
    "paris": (2.4, 48.9),
    "porto": (-8.6, 41.2),
    "prague": (14.4, 50.1),
    "riga": (24.1, 56.9),
    "rome": (12.5, 41.9),
    "rotterdam": (4.5, 51.9),
    "salzburg": (13.0, 47.8),
    "sarajevo": (18.4, 43.9),
    "seville": (-6.0, 37.4),
    "skopje": (21.4, 42.0),
    "sofia": (23.3, 42.7),
    "stockholm": (18.1, 59.3),
    "stuttgart": (9.2, 48.8),
    "tallinn": (24.8, 59.4),
    "tirana": (19.8, 41.3),
    "turin": (7.7, 45.1),
    "valencia": (-0.4, 39.5),
    "venice": (12.3, 45.4),
    "vienna": (16.4, 48.2),
    "vilnius": (25.3, 54.7),
    "warsaw": (21.0, 52.2),
    "zagreb": (16.0, 45.8),
    "zurich": (8.5, 47.4),
}
_ACCENT = str.maketrans("bpdtgkszvf", "pbtdkgzsfv")
_MIDDLE, _KM_PER_DEGREE = (10.0, 49.0), (72.0, 111.0)  # a degree of longitude is shorter: 111 km · cos 49°


def places(names: Sequence[str]) -> Tensor:
    """Where the cities are: hundreds of kilometres east and north of a point in the middle, `(n_cities, 2)`.

    The map is flat: it is exact near 49° north and wrong by up to a third in the east–west distances of the far
    north and south.

    Example:
        >>> places(["stuttgart"])
        tensor([[-0.5760, -0.2220]])
    """
    degrees = torch.tensor([CITIES[name] for name in names])
    return (degrees - torch.tensor(_MIDDLE)) * torch.tensor(_KM_PER_DEGREE) / 100


def with_accent(name: str) -> str:
    """Return what the caller types for a name where no letter is hit by mistake.

    Example:
        >>> with_accent("dublin")
        'tuplin'
    """
    return name.translate(_ACCENT)


def typed(names: Sequence[str], n_each: int = 20, seed: int = 0) -> list[list[str]]:
    """Return what the caller types for each city: with the accent, and with one random letter hit by mistake.

    Args:
        names: of the cities.
        n_each: calls for each city.
        seed: of the mistakes.

    Returns:
        For each city its `n_each` words.

    Example:
        >>> typed(["dublin", "rome"], n_each=2)
        [['tupmin', 'tublin'], ['romq', 'rome']]
    """
    draw = random.Random(seed)

    def one_call(name: str) -> str:
        letters = list(with_accent(name))
        letters[draw.randrange(len(letters))] = draw.choice(string.ascii_lowercase)
        return "".join(letters)

    return [[one_call(name) for _ in range(n_each)] for name in names]
