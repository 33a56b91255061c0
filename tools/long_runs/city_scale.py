"""How fast does the directory of notebook 02 learn with and without the division by √d_key, at several learning rates?

    python -m tools.long_runs.city_scale

trains two projections with the notebook's loop: with the division, without it, and without it from two other starts.
"small start" has initial values so small that the scores begin as small as with the division. "zero product" has
initial values of full size, but queries use the first half of the columns and keys the second half, so all scores begin
with 0 and all weights are even. Both matrices are multiplied by √2, so each has the norm that it has without the
division. Those two are trained with 512 and 8 columns, and the first two with 64, too. It can be stopped and goes on.
An hour and a half of a core.

In a row, `half` is the first step, counted from 0, from which ten steps in a row have a mean error of less than half of
what knowing nothing costs; null where there is none. So `half` + 10 steps are made when these ten are over, and this is
the number that the notebook gives. `error_300` and `error_1500` are mean errors of the 30 and of the 100 steps
before, as shares of the same cost.
"""

from __future__ import annotations

import math
from itertools import product

import torch
from torch import Tensor

from course_attention.experiments.attention.city_lookups import Directory, city_loss, projections, train
from course_attention.mechanisms.attention import attention
from tools.long_runs.store import Store

KINDS = ("divided", "not divided", "not divided, small start", "not divided, zero product")
RATES = (0.0003, 0.001, 0.003, 0.01, 0.03)
SEEDS = range(3)


def begun(d_key: int, kind: str, seed: int) -> list[Tensor]:
    """Return two projections, `(26, d_key)` each, before their training.

    Args:
        d_key: number of columns.
        kind: one of `KINDS`.
        seed: of the random beginning.
    """
    w_query, w_key = projections(d_key, seed)
    with torch.no_grad():
        if kind.endswith("small start"):
            w_query *= d_key**-0.25
            w_key *= d_key**-0.25
        if kind.endswith("zero product"):
            w_query *= math.sqrt(2)
            w_key *= math.sqrt(2)
            w_query[:, d_key // 2 :] = 0
            w_key[:, : d_key // 2] = 0
    return [w_query, w_key]


def main() -> None:
    torch.set_num_threads(1)
    store = Store("attention", __file__, ("d_key", "kind", "rate", "seed"))
    directory = Directory()
    kinds = {512: KINDS, 8: KINDS, 64: KINDS[:2]}
    grid = (one for d_key, of_size in kinds.items() for one in product((d_key,), of_size, RATES, SEEDS))
    asked = ({"d_key": d_key, "kind": kind, "rate": rate, "seed": seed} for d_key, kind, rate, seed in grid)
    for setting in store.missing(asked):
        d_key, kind, rate, seed = setting.values()
        w_query, w_key = begun(d_key, kind, seed)
        undo = 1.0 if kind == "divided" else math.sqrt(d_key)  # what `attention` divides by

        def look_up(query, key, value, w_query=w_query, w_key=w_key, undo=undo):
            return attention(undo * query @ w_query, key @ w_key, value)

        losses = train(
            [w_query, w_key], lambda look_up=look_up: city_loss(look_up, *directory.draw_calls()), 1500, rate, seed
        )
        errors = torch.tensor(losses) / directory.nothing_known()
        below = (errors.unfold(0, 10, 1).mean(dim=-1) < 0.5).nonzero()
        row = {
            "half": int(below[0]) if len(below) else None,
            "error_300": round(errors[270:300].mean().item(), 4),
            "error_1500": round(errors[-100:].mean().item(), 4),
            "found_known": round(directory.try_out(look_up, directory.known)[0], 3),
            "found_new": round(directory.try_out(look_up, directory.new)[0], 3),
        }
        store.add(**setting, **row)
        print(f"{setting}: {row}", flush=True)


if __name__ == "__main__":
    main()
