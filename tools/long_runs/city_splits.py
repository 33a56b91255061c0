"""Which part of what the directory of notebook 02 learned carries over to new cities, and why is the Gaussian ahead?

    python -m tools.long_runs.city_splits

repeats the notebook's training on five splits of the cities: in split r, every fifth city is new, beginning with city
r, so that each city is new once. It asks four questions.

1. The projections are one matrix, with a row for each typed letter and a column for each written one. Each of its
   parts is tried out without the others (the rows with a `part`). "accent" keeps the 26 entries where the accent is.
   "rest" keeps all others. "largest" keeps the largest entry of each column, which can be told without knowing the
   accent. "other" has these 26 entries, and all others from a training on the next split, where these new cities are
   known. One matrix that begins with zeros is taken apart in the same way, since nothing in it is left from the
   beginning.
2. A Gaussian score is the dot product minus half the squared length of the key. So the dot product is also trained with
   projected keys that are scaled to length 1, which have no lengths to be compared. For comparison, the queries are
   scaled in the same way, and the keys are left as they are.
3. Are these lengths a matter of the training, or of the lookup? Trainings of the first two kinds are looked up with
   other lengths of the projected keys, and nothing is trained again (the rows with a `part` of `AT_LOOKUP`). "one
   length" scales all keys to the mean length of the known cities' keys. "new lengthened" only multiplies the new
   cities' keys by one number, with which their mean length is that of the known ones. "Gaussian's term" takes off half
   of each key's squared length, as a Gaussian score does, and "without the term" leaves it out of a Gaussian score.
4. Do these lengths belong to the scores? The same scores come from W_Q A and W_K A^-T, for each invertible A. The parts
   of `FACTORED` divide the learned product W_Q W_K^T between queries and keys in other ways, which change no score, and
   then scale all keys to one length.

It can be stopped and goes on. Ten minutes of a core.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from string import ascii_lowercase

import torch
from torch import Tensor

from course_attention.experiments.attention.city_directory import CITIES, with_accent
from course_attention.experiments.attention.city_lookups import Directory, LookUp, city_loss, projections, soft, train
from tools.long_runs.store import Store

SPLITS, SEEDS = range(5), range(3)
D_KEY = 64
# The rates of city_scores.py. What is not there was chosen in the same way, by the loss on the notebook's split.
RATES = {
    "dot product": 0.01,
    "bilinear": 0.1,
    "Gaussian": 0.03,
    "keys of length 1": 0.01,
    "queries of length 1": 0.03,
}
TAKEN_APART = ("dot product", "bilinear")
PARTS = ("accent", "rest", "largest", "other")

FACTORED = ("one length, balanced", "one length, all in W_Q", "one length, all in W_K", "one length, mixed")
AT_LOOKUP = {
    "dot product": ("one length", "new lengthened", "Gaussian's term", "accent, one length", *FACTORED),
    "bilinear": ("one length",),
    "Gaussian": ("without the term",),
}

Score = Callable[[Tensor, Tensor], Tensor]


@cache
def directory(split: int) -> Directory:
    """Return the directory in which every fifth city is new, beginning with this one."""
    cities = torch.arange(len(CITIES))
    return Directory(known=cities[cities % 5 != split], new=cities[cities % 5 == split])


def accent() -> Tensor:
    """Return True where the typed letter (row) is what the caller types for the written one (column), `(26, 26)`."""
    entries = torch.zeros(26, 26, dtype=torch.bool)
    for written, letter in enumerate(ascii_lowercase):
        entries[ascii_lowercase.index(with_accent(letter)), written] = True
    return entries


def dot_product(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.mT / math.sqrt(D_KEY)


def keys_of_length_1(query: Tensor, key: Tensor) -> Tensor:
    return query @ (key / key.norm(dim=-1, keepdim=True)).mT


def queries_of_length_1(query: Tensor, key: Tensor) -> Tensor:
    return (query / query.norm(dim=-1, keepdim=True)) @ key.mT


def gaussian(query: Tensor, key: Tensor) -> Tensor:  # the length of the query is left out: the softmax ignores it
    return (query @ key.mT - key.square().sum(dim=-1) / 2) / math.sqrt(D_KEY)  # 2·width² = 2·√64, as in the notebook


SCORES: dict[str, Score] = {
    "dot product": dot_product,
    "keys of length 1": keys_of_length_1,
    "queries of length 1": queries_of_length_1,
    "Gaussian": gaussian,
}


def with_matrix(matrix: Tensor) -> LookUp:
    return soft(lambda query, key: query @ matrix @ key.mT)


@cache
def trained(score: str, split: int, rate: float, seed: int) -> tuple[LookUp, list[Tensor], list[float]]:
    """Return a lookup, its parameters and its losses."""
    if score == "bilinear":
        parameters = [torch.zeros(26, 26, requires_grad=True)]
        look_up = soft(lambda query, key: query @ parameters[0] @ key.mT / math.sqrt(26))
    else:
        parameters = projections(D_KEY, seed)
        look_up = soft(lambda query, key: SCORES[score](query @ parameters[0], key @ parameters[1]))
    losses = train(parameters, lambda: city_loss(look_up, *directory(split).draw_calls()), 500, rate, seed)
    return look_up, parameters, losses


def learned_matrix(score: str, split: int, seed: int) -> Tensor:
    """Return the one matrix that a lookup has learned."""
    _, parameters, _ = trained(score, split, RATES[score], seed)
    matrices = [matrix.detach() for matrix in parameters]
    return matrices[0] / math.sqrt(26) if score == "bilinear" else matrices[0] @ matrices[1].mT / math.sqrt(D_KEY)


def part_of(part: str, matrix: Tensor, elsewhere: Tensor) -> Tensor:
    """Return one part of a matrix, with zeros for all others.

    Args:
        part: one of `PARTS`.
        matrix: `(26, 26)`, what was learned.
        elsewhere: `(26, 26)`, what was learned from other cities; "other" takes all but the accent from there.
    """
    if part == "largest":
        return torch.where(matrix == matrix.max(dim=0).values, matrix, 0.0)
    if part == "rest":
        return torch.where(accent(), 0.0, matrix)
    return torch.where(accent(), matrix, elsewhere if part == "other" else 0.0)


def at_one_length(keys: Tensor, split: int) -> Tensor:
    """Return projected keys scaled to the mean length of the known cities' keys."""
    lengths = keys.norm(dim=-1, keepdim=True)
    return keys * lengths[directory(split).known].mean() / lengths


def factored(part: str, w_query: Tensor, w_key: Tensor, seed: int) -> tuple[Tensor, Tensor]:
    """Return two other matrices with the same product W_Q W_K^T, which give every pair of query and key the same score.

    Args:
        part: one of `FACTORED`. "balanced" gives the square roots of the singular values to either side, and "mixed"
            multiplies with a random matrix, whose singular values go from 0.5 to 2, and with its inverse.
        w_query, w_key: `(26, d_key)`.
        seed: of the random matrix.
    """
    w_query, w_key = w_query.double(), w_key.double()
    matrix, unit = w_query @ w_key.mT, torch.eye(26, dtype=torch.float64)
    if part.endswith("all in W_Q"):
        return matrix, unit
    if part.endswith("all in W_K"):
        return unit, matrix.mT
    if part.endswith("balanced"):
        left, values, right = torch.linalg.svd(matrix)
        return left * values.sqrt(), right.mT * values.sqrt()
    size, generator = w_key.shape[-1], torch.Generator().manual_seed(seed)
    draws = (torch.randn(size, size, generator=generator, dtype=torch.float64) for _ in range(2))
    one, other = (torch.linalg.qr(drawn).Q for drawn in draws)
    values = torch.logspace(-1, 1, size, base=2, dtype=torch.float64)
    return w_query @ (one * values @ other), w_key @ (one / values @ other)


def new_lengthened(keys: Tensor, split: int) -> Tensor:
    """Return projected keys with those of the new cities all multiplied by one number, so that the means are alike."""
    here, lengths = directory(split), keys.norm(dim=-1)
    factors = torch.ones(len(keys), 1)
    factors[here.new] = lengths[here.known].mean() / lengths[here.new].mean()
    return keys * factors


def looked_up(score: str, part: str, split: int, seed: int) -> LookUp:
    """Return a trained lookup whose projected keys have other lengths; the keys given to it are those of all cities.

    Args:
        score: of `AT_LOOKUP`; its training is that of the lookup without a part.
        part: what is changed at lookup.
        split, seed: of the training.
    """
    if score == "bilinear" or part.startswith("accent"):  # one matrix: it projects the keys, and the queries stay
        matrix = learned_matrix(score, split, seed)
        matrix = part_of("accent", matrix, matrix) if part.startswith("accent") else matrix
        return soft(lambda query, key: query @ at_one_length(key @ matrix.mT, split).mT)
    w_query, w_key = (matrix.detach() for matrix in trained(score, split, RATES[score], seed)[1])
    if part in FACTORED:
        w_query, w_key = (matrix.float() for matrix in factored(part, w_query, w_key, seed))
        return soft(lambda query, key: dot_product(query @ w_query, at_one_length(key @ w_key, split)))
    lengths = {"one length": at_one_length, "new lengthened": new_lengthened}.get(part, lambda keys, _: keys)
    compare = gaussian if part == "Gaussian's term" else dot_product
    return soft(lambda query, key: compare(query @ w_query, lengths(key @ w_key, split)))


def tried_out(look_up: LookUp, split: int) -> dict[str, float]:
    """Return what is found, and how far the output is off, for known and new cities."""
    here, row = directory(split), {}
    for name, cities in (("known", here.known), ("new", here.new)):
        found, distance = here.try_out(look_up, cities)
        row |= {f"found_{name}": round(found, 3), f"km_{name}": round(distance, 1)}
    return row


def rates(score: str, split: int) -> tuple[float, ...]:
    """Return the learning rates with which a score is trained on one split."""
    if not score.endswith("of length 1"):
        return (RATES[score],)
    return (0.001, 0.003, 0.01, 0.03, 0.1) if split == 0 else (0.01, 0.03)


def settings() -> Iterator[dict]:
    """Yield what is to be run: whole lookups, then the parts of those that are one matrix, then other lengths."""
    for seed in SEEDS:
        for score, split in product(RATES, SPLITS):
            for rate in rates(score, split):
                yield {"score": score, "part": None, "split": split, "rate": rate, "seed": seed}
        for score, split, part in product(TAKEN_APART, SPLITS, PARTS):
            yield {"score": score, "part": part, "split": split, "rate": RATES[score], "seed": seed}
        for score, parts in AT_LOOKUP.items():
            for split, part in product(SPLITS, parts):
                yield {"score": score, "part": part, "split": split, "rate": RATES[score], "seed": seed}


def main() -> None:
    torch.set_num_threads(1)
    store = Store("attention", __file__, ("score", "part", "split", "rate", "seed"))
    for setting in store.missing(settings()):
        score, part, split, rate, seed = setting.values()
        if part is None:
            look_up, _, losses = trained(score, split, rate, seed)
            row = {"loss": round(sum(losses[-100:]) / 100, 4), **tried_out(look_up, split)}
        elif part in AT_LOOKUP.get(score, ()):
            row = {"loss": None, **tried_out(looked_up(score, part, split, seed), split)}
        else:
            matrix, elsewhere = (learned_matrix(score, one, seed) for one in (split, (split + 1) % len(SPLITS)))
            row = {"loss": None, **tried_out(with_matrix(part_of(part, matrix, elsewhere)), split)}
        store.add(**setting, **row)
        print(f"{setting}: {row}", flush=True)


if __name__ == "__main__":
    main()
