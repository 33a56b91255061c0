"""Does all but the accent in the learned matrix of notebook 02 bring known cities nearer, or only sharpen the choice?

    python -m tools.long_runs.city_sharpness

takes the fifteen learned matrices of `city_splits.py` (five splits, three seeds) and tries the whole matrix, and the
accent's entries without the others, with their scores times several factors. So each has its own best sharpness, and
what then differs is not a matter of how sharply the scores choose. The root mean square of the known cities' distances
is kept beside their mean: its square is what the training lowers, and a few wrong calls decide it. It can be stopped
and goes on. A minute of a core.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import torch

from tools.long_runs.city_checks import sharper
from tools.long_runs.city_splits import SEEDS, SPLITS, learned_matrix, part_of, tried_out, with_matrix
from tools.long_runs.store import Store

FACTORS = (1, 2, 4, 10, 20)
PARTS = ("whole", "accent")


def settings() -> Iterator[dict]:
    """Yield what is to be tried out."""
    for seed, split, part, factor in product(SEEDS, SPLITS, PARTS, FACTORS):
        yield {"part": part, "split": split, "factor": factor, "seed": seed}


def main() -> None:
    torch.set_num_threads(1)
    store = Store("attention", __file__, ("part", "split", "factor", "seed"))
    for setting in store.missing(settings()):
        part, split, factor, seed = setting.values()
        matrix = learned_matrix("dot product", split, seed)
        kept = matrix if part == "whole" else part_of(part, matrix, matrix)
        root = sharper(with_matrix(kept), factor, split)["root_mean_square_km"]
        row = {**tried_out(with_matrix(factor * kept), split), "root_mean_square_km": root}
        store.add(**setting, **row)
        print(f"{setting}: {row}", flush=True)


if __name__ == "__main__":
    main()
