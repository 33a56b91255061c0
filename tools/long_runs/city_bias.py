"""Which of the matrices that give the same scores does a training of notebook 02 find?

    python -m tools.long_runs.city_bias

The score of one matrix of 26 by 26 ("bilinear") and that of two projections with at least 26 columns ("dot product")
can be the same, whatever they are. The race of the notebook trains the first, and the second with 64 columns, both with
Adam. Here two things are changed: the number of columns, and the optimizer, which is SGD with a momentum of 0.9. One
matrix begins with zeros, as in the notebook, or as the product of two projections with 64 columns ("bilinear, same
start"). "queries and keys of length 1" are projected and scaled to this length, and their product is multiplied by a
learned factor that begins with √64 ("QK-norm"). The additive score is trained on the other splits, too.

Is it the number of columns that counts? With an "even start", all singular values of the two random matrices are made
equal. With an "even start, W_Q larger", W_Q is then multiplied by 4 and W_K divided by 4, which changes no score; with
an "even start, W_K larger" it is the other way round. "W_Q larger" does the same to the random matrices as they are.
With a "small start", both matrices are divided by √(128/26), so that 128 columns have the norm of 26. With a "large
start" and an "even start, both larger", both are multiplied by it, so that 26 columns have the norm of 128; this makes
the first scores 128/26 times as large, too.

With fewer than 26 columns, two projections cannot express every matrix: the rank of their product is at most the number
of columns. "dot product, other calls" draws the calls of each step from 60 sets of 20 calls for each city, none of
which is the set with which the lookup is tried out. In all others, the calls of the training are one such set.

Each is trained for 500 steps on the five splits of `city_splits.py`, at three or four rates. The notebook takes the
rate with the smallest mean loss over the splits. Some are trained for 1,000 or 2,000 steps, too. It can be stopped and
goes on. Twenty minutes of a core.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

import torch
from torch import Tensor

from course_attention.experiments.attention.city_directory import CITIES, typed
from course_attention.experiments.attention.city_lookups import LookUp, city_loss, letters, projections, soft, train
from tools.long_runs.city_scores import additive, bilinear_from_zero, bilinear_same_start, dot_product
from tools.long_runs.city_splits import SEEDS, SPLITS, directory, tried_out
from tools.long_runs.store import Store

OPTIMIZERS: dict[str, Callable[..., Any]] = {
    "Adam": torch.optim.Adam,
    "SGD": partial(torch.optim.SGD, momentum=0.9),
}


class Kind(NamedTuple):
    """What is trained, and how.

    Attributes:
        score: "bilinear", "bilinear, same start", "dot product", "dot product, other calls", "dot product" with one of
            the `STARTS`, "queries and keys of length 1" or "additive".
        columns: of each projection; those of one matrix are 26.
        optimizer: one of `OPTIMIZERS`.
        rates: the learning rates.
        steps: of the training.
    """

    score: str
    columns: int
    optimizer: str
    rates: tuple[float, ...]
    steps: int = 500


KINDS = (
    Kind("bilinear", 26, "Adam", (0.01, 0.03, 0.1, 0.3)),
    *(Kind("dot product", columns, "Adam", (0.003, 0.01, 0.03, 0.1)) for columns in (26, 64, 128)),
    Kind("bilinear", 26, "SGD", (0.003, 0.01, 0.03, 0.1)),
    Kind("bilinear, same start", 26, "SGD", (0.003, 0.01, 0.03, 0.1)),
    *(Kind("dot product", columns, "SGD", (0.001, 0.003, 0.01, 0.03)) for columns in (26, 64, 128)),
    Kind("queries and keys of length 1", 64, "Adam", (0.003, 0.01, 0.03, 0.1)),
    Kind("bilinear", 26, "SGD", (0.01, 0.03), steps=2000),
    Kind("dot product", 64, "SGD", (0.003, 0.01), steps=2000),
    Kind("queries and keys of length 1", 64, "Adam", (0.01, 0.03), steps=2000),
    *(Kind("dot product", columns, "Adam", (0.003, 0.01, 0.03, 0.1)) for columns in (2, 4, 8, 16)),
    Kind("dot product, even start, W_Q larger", 26, "SGD", (0.001, 0.003, 0.01, 0.03)),
    Kind("dot product, even start, W_Q larger", 26, "Adam", (0.003, 0.01, 0.03, 0.1)),
    Kind("dot product, small start", 128, "SGD", (0.003, 0.01, 0.03, 0.1)),
    Kind("dot product, small start", 128, "Adam", (0.003, 0.01, 0.03, 0.1)),
    Kind("dot product, even start", 26, "SGD", (0.001, 0.003, 0.01, 0.03)),
    Kind("dot product, even start", 26, "Adam", (0.003, 0.01, 0.03, 0.1)),
    Kind("additive", 64, "Adam", (0.01, 0.03, 0.1)),
    Kind("dot product, other calls", 64, "Adam", (0.003, 0.01, 0.03, 0.1)),
    *(
        Kind(f"dot product, {start}", 26, optimizer, rates)
        for start in ("even start, W_K larger", "large start", "even start, both larger", "W_Q larger")
        for optimizer, rates in (("SGD", (0.001, 0.003, 0.01, 0.03)), ("Adam", (0.003, 0.01, 0.03, 0.1)))
    ),
    Kind("dot product, other calls", 64, "Adam", (0.003, 0.01, 0.03), steps=1000),
    *(Kind("dot product", columns, "Adam", (0.003, 0.01, 0.03), steps=2000) for columns in (26, 64, 128)),
)
N_SETS = 60  # of other calls
LARGER = math.sqrt(128 / 26)  # the norm of a matrix with 128 columns over that of one with 26


def even(matrix: Tensor) -> Tensor:
    """Return a matrix with the singular vectors of this one, and all singular values alike."""
    left, values, right = torch.linalg.svd(matrix, full_matrices=False)
    return left @ right * math.sqrt(matrix.shape[1] / len(values))


STARTS: dict[str, Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]] = {
    "even start": lambda w_query, w_key: (even(w_query), even(w_key)),
    "even start, W_Q larger": lambda w_query, w_key: (4 * even(w_query), even(w_key) / 4),
    "even start, W_K larger": lambda w_query, w_key: (even(w_query) / 4, 4 * even(w_key)),
    "even start, both larger": lambda w_query, w_key: (LARGER * even(w_query), LARGER * even(w_key)),
    "W_Q larger": lambda w_query, w_key: (4 * w_query, w_key / 4),
    "large start": lambda w_query, w_key: (LARGER * w_query, LARGER * w_key),
    "small start": lambda w_query, w_key: (w_query / LARGER, w_key / LARGER),
}


def of_length_1(vectors: Tensor) -> Tensor:
    return vectors / vectors.norm(dim=-1, keepdim=True)


def begun(score: str, columns: int, seed: int) -> tuple[LookUp, list[Tensor]]:
    """Return a lookup before its training, and what is trained.

    Args:
        score, columns: as in `Kind`.
        seed: of the random beginning.
    """
    if score == "bilinear":
        return bilinear_from_zero(seed)
    if score == "bilinear, same start":
        return bilinear_same_start(seed)
    if score == "additive":
        return additive(seed)
    if score.startswith("dot product"):
        look_up, matrices = dot_product(seed, columns)
        _, _, start = score.partition(", ")
        if start in STARTS:
            with torch.no_grad():
                for matrix, begins in zip(matrices, STARTS[start](*matrices), strict=True):
                    matrix.copy_(begins)
        return look_up, matrices
    w_query, w_key = projections(columns, seed)
    factor = torch.tensor(math.sqrt(columns), requires_grad=True)
    return (
        soft(lambda query, key: factor * of_length_1(query @ w_query) @ of_length_1(key @ w_key).mT),
        [w_query, w_key, factor],
    )


@cache
def sets_of_calls() -> Tensor:
    """Return other calls, `(N_SETS, n_cities, N_CALLS, 26)`; the seeds 0 and 1 are those of `Directory`."""
    seeds = range(2, 2 + N_SETS)
    return torch.stack([torch.stack([letters(words) for words in typed(tuple(CITIES), seed=seed)]) for seed in seeds])


def drawn_loss(look_up: LookUp, split: int, other_calls: bool) -> Tensor:
    """Return the loss of one step.

    Args:
        look_up: what is trained.
        split: of the cities.
        other_calls: draw one of the sets of calls for this step.
    """
    here = directory(split)
    if other_calls:
        here = replace(here, calls=sets_of_calls()[int(torch.randint(N_SETS, ()))])
    return city_loss(look_up, *here.draw_calls())


def settings() -> Iterator[dict]:
    """Yield what is to be run."""
    for kind in KINDS:
        for rate, split, seed in product(kind.rates, SPLITS, SEEDS):
            yield {
                "score": kind.score,
                "columns": kind.columns,
                "optimizer": kind.optimizer,
                "rate": rate,
                "steps": kind.steps,
                "split": split,
                "seed": seed,
            }


def main() -> None:
    torch.set_num_threads(1)
    store = Store("attention", __file__, ("score", "columns", "optimizer", "rate", "steps", "split", "seed"))
    for setting in store.missing(settings()):
        look_up, parameters = begun(setting["score"], setting["columns"], setting["seed"])
        other_calls = setting["score"].endswith("other calls")
        losses = train(
            parameters,
            partial(drawn_loss, look_up, setting["split"], other_calls),
            setting["steps"],
            setting["rate"],
            setting["seed"],
            OPTIMIZERS[setting["optimizer"]],
        )
        row = {"loss": round(sum(losses[-100:]) / 100, 4), **tried_out(look_up, setting["split"])}
        store.add(**setting, **row)
        print(f"{setting}: {row}", flush=True)


if __name__ == "__main__":
    main()
