"""How long does the date translator of notebook 01 have to train, with attention and without?

    python -m tools.long_runs.date_steps

trains with the notebook's loop and three seeds: with attention twice as long as the notebook, and without it eight
times as long, also at half and at twice the learning rate. It can be stopped and goes on. A model takes 2 minutes of
one core.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn
from torch.nn import functional as F

from course_attention.experiments.common.pairs import Pairs
from course_attention.experiments.seq2seq.dates import date_pairs
from course_attention.experiments.seq2seq.translator import Attend, Translator, decode
from course_attention.mechanisms.seq2seq import attend_and_concat
from tools.long_runs.store import Store

LOOKS = {True: (100, 200, 400, 800), False: (100, 200, 400, 800, 1600, 3200)}  # steps, with attention and without
# Whether it attends, the rate, and the seeds.
KINDS = ((True, 5e-3, (0, 1, 2)), (False, 5e-3, (0, 1, 2)), (False, 1e-2, (0,)), (False, 2.5e-3, (0, 1, 2)))


def accuracies(
    train: Pairs,
    test: Pairs,
    attend: Attend | None,
    rate: float,
    seed: int,
    looks: Sequence[int],
    kind: type[Translator] = Translator,
) -> list[float]:
    """Train as the notebook does, and return the exact-match accuracy on the unseen dates after each of these steps."""
    torch.manual_seed(seed)
    model = kind(len(train.source_vocabulary), len(train.target_vocabulary), attend)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    found = []
    for step in range(1, looks[-1] + 1):
        source, allowed, target = train.batch(torch.randint(len(train), (64,)))
        loss = F.cross_entropy(model(source, allowed, target).flatten(0, 1), target.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step in looks:
            symbols, _ = decode(model, test.source, test.allowed, test.target.shape[1])
            found.append((symbols == test.target).all(dim=1).float().mean().item())
    return found


def main() -> None:
    torch.set_num_threads(1)
    store = Store("seq2seq", __file__, ("attends", "rate", "seed"))
    train, test = date_pairs()
    asked = ({"attends": attends, "rate": rate, "seed": seed} for attends, rate, seeds in KINDS for seed in seeds)
    for setting in store.missing(asked):
        attends, rate, seed = setting.values()
        attend = attend_and_concat if attends else None
        found = accuracies(train, test, attend, rate, seed, LOOKS[attends])
        shares = [round(share, 4) for share in found]
        store.add(**setting, steps=LOOKS[attends], accuracy=shares)
        print(attends, rate, seed, shares, flush=True)


if __name__ == "__main__":
    main()
