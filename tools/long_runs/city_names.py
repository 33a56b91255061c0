"""How many names does the directory of notebook 02 need in training to find cities that it has never seen?

    python -m tools.long_runs.city_names

trains two projections with the notebook's loop on some of the 48 known cities, 12 of them in each step, and tries them
out on the new ones. It can be stopped and goes on. A few minutes of a core.
"""

from __future__ import annotations

from itertools import product

import torch

from course_attention.experiments.attention.city_lookups import N_CALLS, Directory, city_loss, train
from tools.long_runs.city_scores import dot_product
from tools.long_runs.store import Store

N_NAMES = (12, 24, 36, 48)
SEEDS = range(3)


def main() -> None:
    torch.set_num_threads(1)
    store = Store("attention", __file__, ("n_names", "seed"))
    directory = Directory()
    for setting in store.missing({"n_names": n_names, "seed": seed} for seed, n_names in product(SEEDS, N_NAMES)):
        n_names, seed = setting.values()
        shuffled = torch.randperm(len(directory.known), generator=torch.Generator().manual_seed(seed))
        names = directory.known[shuffled[:n_names]]
        look_up, matrices = dot_product(seed)

        def loss(look_up=look_up, names=names):
            cities = names[torch.randperm(len(names))[:12]]
            there = directory.places[cities]
            wanted = there.repeat_interleave(N_CALLS, dim=0)
            return city_loss(look_up, directory.calls[cities].flatten(0, 1), directory.keys[cities], there, wanted)

        train(matrices, loss, 500, 0.01, seed)
        row = {
            "found_trained": round(directory.try_out(look_up, names)[0], 3),
            "found_new": round(directory.try_out(look_up, directory.new)[0], 3),
        }
        store.add(**setting, **row)
        print(f"{n_names} names, seed {seed}: {row}", flush=True)


if __name__ == "__main__":
    main()
