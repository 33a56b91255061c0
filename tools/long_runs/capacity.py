"""How long a string of digits can a translator copy, by the size of its states, with attention and without?

    python -m tools.long_runs.capacity

trains all models that the file does not have yet; it can be stopped and goes on with the next stack of models. There
are three sizes with three seeds each. Models without attention are also trained at smaller learning rates, because a
plateau may be that of a learning rate. A stack takes 2 to 12 minutes of one core.
"""

from __future__ import annotations

import time
from itertools import product

from course_attention.experiments.seq2seq import capacity
from tools.long_runs.store import Store

SEEDS = (0, 1, 2)
STACKS = {  # d_hidden, and whether it attends; the learning rates are shares of the usual one
    (16, False): (1.0, 0.5, 0.25),
    (64, False): (1.0, 0.5),
    (16, True): (1.0,),
    (64, True): (1.0,),
    (32, False): (1.0, 0.5),
}


def main() -> None:
    store = Store("seq2seq", __file__, ("d_hidden", "attends", "rate", "seed"))
    for (d_hidden, attends), shares in STACKS.items():
        usual = capacity.usual_rate(d_hidden)
        models = (
            {"d_hidden": d_hidden, "attends": attends, "rate": round(share * usual, 5), "seed": seed}
            for share, seed in product(shares, SEEDS)
        )
        left = list(store.missing(models))
        if not left:
            continue
        began = time.process_time()
        seeds, rates = ([one[key] for one in left] for key in ("seed", "rate"))
        for one, run in zip(left, capacity.train_to_plateau(d_hidden, attends, seeds, rates), strict=True):
            store.add(**one, **run)
            print(*one.values(), run, flush=True)
        print(f"{time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
