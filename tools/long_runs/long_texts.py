"""Does notebook 11 say the same of other texts, other places, and a longer training?

    nice -n 5 python -m tools.long_runs.long_texts        all that the file does not have yet; it can be stopped

There are three runs:

- order: eight texts of 4,096 tokens, from five files that the language model was not trained on. Ten ways read each of
  them to its end, and its last 256 tokens are scored. In a piece of their own, all ways are alike.
- copy: a piece of 200 tokens comes again 700 or 1,400 tokens later, or other text is in the place of the earlier copy.
  Four ways read the last 200 tokens. There are four places in each of two files, two for 1,400 tokens.
- lists: the readers of lists are trained for 4,000 steps in place of 400, without a sink. The value is the share of
  right answers where the asked name is not in the list.

The files are those of the Python, the torch and the matplotlib that run the script. It takes about 5 minutes of a core.
"""

from __future__ import annotations

import argparse
import configparser
import math
import tkinter
from itertools import product
from pathlib import Path
from types import ModuleType

import matplotlib
import matplotlib.path
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules import loss as torch_loss

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.long_context.longer import TRAINED, LongBlock, NoNewDistance
from course_attention.experiments.long_context.readers import shares, train
from course_attention.mechanisms.long_context import yarn_frequencies
from course_attention.mechanisms.masking import causal_mask, window_mask
from course_attention.models.language_model import load, load_tokenizer
from tools.long_runs.store import Store

TIMES = 8
LONG, SCORED = TIMES * TRAINED, TRAINED // 2
BASE = 10_000.0
ENDS = {
    "argparse.py": argparse,
    "configparser.py": configparser,
    "tkinter/__init__.py": tkinter,
    "torch/nn/modules/loss.py": torch_loss,
    "matplotlib/path.py": matplotlib.path,
}
BEGINNINGS = ("argparse.py", "configparser.py", "tkinter/__init__.py")
WAYS = ("plain", "interpolated", "by parts", "sharper", "window", "both")
NO_NEW = ("no new distance", "no new distance, larger scores")
BY_PAIR = ("by parts, only pairs below one turn", "by parts, only the other pairs")
COPIED = ("window", "sharper", "both", NO_NEW[1])
PLACES = {700: (1000, 2000, 3000, 5000), 1400: (1000, 2000)}  # where the copied piece begins in its file
N_LINES, SEEDS, N_STEPS = (1, 2, 4, 8), (0, 1, 2), 4000
SETTINGS = ("run", "of", "way", "case")


class Reader:
    """The model of notebook 10, which reads in different ways."""

    def __init__(self) -> None:
        self.model, self.no_new = load(LongBlock), load(NoNewDistance)
        self.d_head = self.model.blocks[0].w_query.out_features // self.model.blocks[0].n_heads
        self.masks = {None: causal_mask(LONG, LONG)}

    def losses(self, text: Tensor, way: str, factor: float) -> Tensor:
        """Read a text, and return the nats of every token but the first."""
        model = self.no_new if way in NO_NEW else self.model
        for block in model.blocks:
            block.frequencies, block.scale, block.allowed = self._how(way, factor)
        found, caches = [], None
        with torch.no_grad():
            for inputs, targets in zip(text[:-1].split(128), text[1:].split(128), strict=True):
                logits, caches = model(inputs[None], caches)
                found.append(F.cross_entropy(logits[0], targets, reduction="none"))
        return torch.cat(found)

    def _how(self, way: str, factor: float) -> tuple[Tensor, float, Tensor]:
        plain = BASE ** (-torch.arange(0, self.d_head, 2) / self.d_head)
        width = {"window": TRAINED, "both": 2 * TRAINED}.get(way)
        if width not in self.masks:
            self.masks[width] = window_mask(LONG, width)
        allowed = self.masks[width]
        sharper = (0.1 * math.log(factor) + 1) ** 2
        if way in ("plain", "window", *NO_NEW):
            return plain, sharper if way == NO_NEW[1] else 1.0, allowed
        if way == "interpolated":
            return plain / factor, 1.0, allowed
        factor = min(factor, 2.0) if way == "both" else factor
        by_parts = yarn_frequencies(self.d_head, BASE, factor, TRAINED)
        if way in BY_PAIR:
            below_one_turn = TRAINED * plain < 2 * math.pi
            return torch.where(below_one_turn == (way == BY_PAIR[0]), by_parts, plain), 1.0, allowed
        return by_parts, 1.0 if way == "by parts" else (0.1 * math.log(factor) + 1) ** 2, allowed


def encoded(module: ModuleType) -> Tensor:
    """Return the tokens of a module's file."""
    return torch.tensor(load_tokenizer().encode(Path(str(module.__file__)).read_text(encoding="utf-8")))


def texts() -> dict[str, Tensor]:
    """Return the eight texts of 4,096 tokens, each with one more token, which is only a target."""
    ends = {f"end of {name}": encoded(module)[-LONG - 1 :] for name, module in ENDS.items()}
    return ends | {f"beginning of {name}": encoded(ENDS[name])[: LONG + 1] for name in BEGINNINGS}


def copied(one: Tensor, other: Tensor, place: int, earlier_copy: bool, later: int = 700) -> Tensor:
    """Return tokens of the second file, but for the last 200, and for a copy of these, `later` tokens before them."""
    piece = one[place : place + 200]
    return torch.cat([other[4000:4600], piece if earlier_copy else other[3600:3800], other[1000 : 800 + later], piece])


def order(reader: Reader, store: Store) -> None:
    """Read eight texts in ten ways."""
    for name, text in texts().items():
        for way in ("in a piece of its own", *WAYS, *NO_NEW, *BY_PAIR):
            settings = {"run": "order", "of": name, "way": way, "case": f"{TIMES} times"}
            if store.has(**settings):
                continue
            alone = way == "in a piece of its own"
            nats = reader.losses(text[-TRAINED - 1 :] if alone else text, "plain" if alone else way, float(TIMES))
            add(store, settings, nats[-SCORED:].mean().item())


def copies(reader: Reader, store: Store) -> None:
    """Read pieces that come again, and pieces that do not."""
    files = {name: encoded(ENDS[name]) for name in BEGINNINGS[:2]}
    for name, (later, place) in product(
        files, ((later, place) for later, places in PLACES.items() for place in places)
    ):
        other = next(tokens for its_name, tokens in files.items() if its_name != name)
        run = "copy" if later == 700 else f"copy, {later} tokens later"
        for way in COPIED:
            for case, earlier_copy in (("copy", True), ("no copy", False)):
                settings = {"run": run, "of": f"{name} from token {place}", "way": way, "case": case}
                if not store.has(**settings):
                    nats = reader.losses(copied(files[name], other, place, earlier_copy, later), way, 4.0)
                    add(store, settings, nats[-199:].mean().item())


def lists(store: Store) -> None:
    """Train readers without a sink for longer than the notebook does."""
    for seed in SEEDS:
        of_seed = {"run": "lists", "of": f"seed {seed}", "way": "no sink"}
        if all(store.has(**of_seed, case=f"{n} names") for n in N_LINES):
            continue
        trained = train("no sink", seed, N_STEPS)
        for n in N_LINES:
            add(store, of_seed | {"case": f"{n} names"}, shares(trained, n)[1])


def add(store: Store, settings: dict[str, str], value: float) -> None:
    """Keep and print a row."""
    store.add(**settings, value=round(value, 4))
    print(*settings.values(), f"{value:.3f}", flush=True)


@one_thread()
def main() -> None:
    store = Store("long_context", __file__, SETTINGS)
    reader = Reader()
    order(reader, store)
    copies(reader, store)
    lists(store)


if __name__ == "__main__":
    main()
