"""Small runs behind rows of the page of notebook 02 in `docs/claims/`, which the notebook does not draw.

    python -m tools.long_runs.city_checks

Each row answers one of these questions.

- "main directions": how many directions does a lookup need that is told the accent? Its queries and keys are projected
  to the first singular vectors of the known names, or of all names.
- "one call": whose weight does the notebook's lookup give to "zeaille", a call for Seville with a slip, and to the same
  word without the slip? And how far is the output from Seville, and from Valencia?
- "entries kept small": what is found if the mean absolute entry of the product of both projections, times 2, is added
  to the loss ("Your turn" asks for such a change), on two splits?
- "sharper": how far off are the outputs for known cities with all scores times a factor, as a mean and as a root mean
  square, whose square is what the training lowers?
- "all entries": what is found if each step of training has all 48 known cities in the directory, and not 16 of them? Or
  40 of them, drawn anew? Or all 48, whose places are dealt anew in each step, so that no city keeps its place? Each at
  several rates, and all 48 for 2,000 steps, too. And in which of its own calls, among these 48 entries, does another
  entry have the largest weight after the training, and how far is that one from the city asked for?
- "one matrix for both": what is found if queries and keys are projected by the same matrix, which makes the score
  symmetric? At several rates, on five splits. And by a lookup that learns nothing and counts exchanged letters as one?
- "key lengths": how long are the projected keys of the new cities, in the mean, as a share of the known cities': before
  training, after it, and after it through the whole learned matrix, or through the accent's entries alone? And in how
  many of the new cities' wrong calls is the winner's key longer than that of the city asked for? On five splits.
- "classifier": what does a rival without a directory find, a linear layer from the 26 letters to an output for each
  known city and a softmax? It is trained with the cross-entropy of the city, or with the notebook's loss, for which the
  places are the fixed values. Each at several rates; all calls in each step. It has no output for a new city, so only
  its distances are kept there.
- "among the known": what does the notebook's lookup find of the known cities' calls where only these 48 are in the
  directory, as in the classifier?
- "training loss": how large is the loss of the training, over 100 draws of calls, with the whole learned matrix and
  with the largest entry of each column alone, as it is and with all scores times the factor with the smallest loss? On
  five splits.
- "wrong calls": at how many of the new cities' wrong calls does a known city have the largest weight? And what is
  found of the new cities' calls where only the new cities may be attended to? On five splits.
- "invented names": are the known names too few? The training has 1,000 invented names, whose letters and lengths are
  drawn from those of the known names, at random places, and 20 calls for each. For comparison, it has as few invented
  names as there are known ones, or the known ones. All for 1,000 steps, on five splits.
- "edit distance": what does the nearest name find, by the number of letters that must be exchanged, put in or left out?
  It keeps the order of the letters, and learns nothing. Where several names are nearest, each gets an equal share.

A row without a seed is one of a lookup that is told the accent, or of the edit distance. It can be stopped and goes
on. Nine minutes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import torch
from torch import Tensor, nn

from course_attention.experiments.attention.city_directory import CITIES, typed
from course_attention.experiments.attention.city_lookups import (
    N_CALLS,
    Directory,
    LookUp,
    city_loss,
    letters,
    projections,
    soft,
    train,
)
from course_attention.mechanisms.attention import attention
from tools.long_runs.city_scores import dot_product
from tools.long_runs.city_splits import (
    SPLITS,
    accent,
    directory,
    learned_matrix,
    part_of,
    trained,
    tried_out,
    with_matrix,
)
from tools.long_runs.store import Store

MEASURED = (
    "loss",
    *("found_known", "km_known", "found_new", "km_new"),
    *("wrong", "root_mean_square_km", "share_of_wrong_calls"),
    *("length_before", "length_after", "length_whole_matrix", "length_accent", "longer_winner"),
    "known_winner",
    *("found_own", "km_own", "km_winner"),
    *("weight_seville", "weight_marseille", "weight_naples", "weight_valencia", "km_seville", "km_valencia"),
)
NAMES = tuple(CITIES)
SEEDS = range(3)
KEYS = ("question", "what", "size", "split", "seed")


class Entries(NamedTuple):
    """What the directory holds in each step of a training.

    Attributes:
        n_entries: how many of the known cities; fewer than all are drawn anew in each step.
        dealt: whether the places are dealt anew among them in each step.
        rate: the learning rate.
        n_steps: of the training.
    """

    n_entries: int
    dealt: bool = False
    rate: float = 0.01
    n_steps: int = 500


ENTRIES = {
    "16 drawn anew": Entries(16),  # the notebook's training
    "entries": Entries(48),
    "entries, rate 0.001": Entries(48, rate=0.001),
    "entries, rate 0.003": Entries(48, rate=0.003),
    "entries, rate 0.03": Entries(48, rate=0.03),
    "entries, 2,000 steps": Entries(48, n_steps=2000),
    "entries, rate 0.03, 2,000 steps": Entries(48, rate=0.03, n_steps=2000),
    "40 drawn anew": Entries(40),
    "40 drawn anew, rate 0.003": Entries(40, rate=0.003),
    "40 drawn anew, rate 0.03": Entries(40, rate=0.03),
    "places dealt anew": Entries(48, dealt=True),
    "places dealt anew, rate 0.003": Entries(48, dealt=True, rate=0.003),
    "places dealt anew, rate 0.03": Entries(48, dealt=True, rate=0.03),
}
RATES_OF_ONE_MATRIX = (0.001, 0.003, 0.01, 0.03)
RATES_OF_CLASSIFIERS = (0.003, 0.01, 0.03, 0.1)
N_INVENTED = {"1,000 invented names": 1000, "48 invented names": 48, "48 known names": 0}
LOSS_OF = ("whole matrix", "largest entries", "largest entries, best factor")
FACTORS = (1, 1.5, 2, 3, 4, 6, 10, 20)


def told(factor: float = 1.0) -> LookUp:
    """Return the lookup that is told the accent, its scores times a factor."""
    return lambda query, key, value: attention(factor * query @ accent().float(), key, value)


@cache
def learned(seed: int, split: int = 0, small_entries: float = 0.0) -> LookUp:
    """Return a lookup with two projections that were trained as in the notebook, or with one change.

    Args:
        seed: of the projections and of the training.
        split: which cities are new.
        small_entries: how much the mean absolute entry of the projections' product weighs in the loss.
    """
    look_up, (w_query, w_key) = dot_product(seed)
    here = directory(split)

    def loss() -> Tensor:
        return city_loss(look_up, *here.draw_calls()) + small_entries * (w_query @ w_key.mT).abs().mean()

    train([w_query, w_key], loss, 500, 0.01, seed)
    return look_up


def with_entries(what: str, seed: int) -> dict[str, float]:
    """Return what is found where the directory holds other entries in each step, and what becomes of its own calls.

    Args:
        what: one of `ENTRIES`.
        seed: of the projections and of the training.

    Returns:
        Besides the loss of the last 100 steps and what fresh calls find among all 61 entries, for the training's own
        calls among the 48 known ones: what they find, how far off their outputs are, and how far the entry with the
        largest weight is from the city asked for, where it is another one.
    """
    n_entries, dealt, rate, n_steps = ENTRIES[what]
    look_up, matrices = dot_product(seed)
    here = directory(0)

    def drawn() -> tuple[Tensor, ...]:
        n_known = len(here.known)
        cities = here.known if n_entries == n_known else here.known[torch.randperm(n_known)[:n_entries]]
        there = here.places[cities[torch.randperm(n_entries)] if dealt else cities]
        return here.calls[cities].flatten(0, 1), here.keys[cities], there, there.repeat_interleave(N_CALLS, 0)

    losses = train(matrices, lambda: city_loss(look_up, *drawn()), n_steps, rate, seed)
    there, asked = here.places[here.known], torch.arange(len(here.known)).repeat_interleave(N_CALLS)
    with torch.no_grad():
        output, weights = look_up(here.calls[here.known].flatten(0, 1), here.keys[here.known], there)
    winner = weights.argmax(dim=-1)
    wrong = winner != asked
    return tried_out(look_up, 0) | {
        "loss": round(sum(losses[-100:]) / 100, 4),
        "found_own": round(1 - wrong.float().mean().item(), 3),
        "km_own": round(100 * (output - there[asked]).norm(dim=-1).mean().item(), 1),
        "km_winner": round(100 * (there[winner] - there[asked])[wrong].norm(dim=-1).mean().item(), 1),
    }


def one_matrix_for_both(rate: float, seed: int | None, split: int = 0) -> dict[str, float]:
    """Return what is found where one matrix projects queries and keys, or where exchanged letters count as one.

    Args:
        rate: the learning rate; it plays no part without a seed.
        seed: of the matrix and of the training; None for the lookup that counts b and p as one letter, and so on.
        split: which cities are new.
    """
    here = directory(split)
    if seed is None:
        as_one = torch.eye(26) + accent().float()
        return tried_out(lambda query, key, value: attention(query @ as_one, key, value), split)
    both = projections(64, seed)[0]

    def look_up(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        return attention(query @ both, key @ both, value)

    losses = train([both], lambda: city_loss(look_up, *here.draw_calls()), 500, rate, seed)
    return tried_out(look_up, split) | {"loss": round(sum(losses[-100:]) / 100, 4)}


def in_main_directions(of_names: str, n_directions: int) -> dict[str, float]:
    """Return what the told lookup finds whose queries and keys are projected to the main directions of some names."""
    here = directory(0)
    keys = here.keys[here.known] if of_names == "known names" else here.keys
    into = torch.linalg.svd(keys, full_matrices=False).Vh[:n_directions].mT
    matrix = accent().float() @ into @ into.mT
    return tried_out(soft(lambda query, key: 10 * query @ matrix @ key.mT / 26**0.5), 0)


def one_call(look_up: LookUp, word: str) -> dict[str, float]:
    """Return the weights of a call for Seville, and how far its output is from Seville and Valencia, in km."""
    here = directory(0)
    with torch.no_grad():
        output, weights = look_up(letters([word]), here.keys, here.places)
    cities = {name: NAMES.index(name) for name in ("seville", "marseille", "naples", "valencia")}
    row = {f"weight_{name}": round(weights[0, city].item(), 3) for name, city in cities.items()}
    away = 100 * (output[0] - here.places).norm(dim=-1)
    return row | {f"km_{name}": round(away[cities[name]].item(), 1) for name in ("seville", "valencia")}


def sharper(look_up: LookUp, factor: int, split: int = 0) -> dict[str, float]:
    """Return how far off the outputs for known cities are with all scores times a factor."""
    here = directory(split)
    asked = here.known.repeat_interleave(N_CALLS)
    with torch.no_grad():
        output, weights = look_up(factor * here.fresh[here.known].flatten(0, 1), here.keys, here.places)
    off = 100 * (output - here.places[asked]).norm(dim=-1)
    wrong = weights.argmax(dim=-1) != asked
    return {
        "wrong": round(wrong.float().mean().item(), 3),
        "km_known": round(off.mean().item(), 1),
        "root_mean_square_km": round(off.square().mean().sqrt().item(), 1),
        "share_of_wrong_calls": round((off[wrong].square().sum() / off.square().sum()).item(), 3),
    }


def key_lengths(split: int, seed: int) -> dict[str, float]:
    """Return how long the new cities' keys are, as a share of the known ones', and how often a longer one wins."""
    here = directory(split)

    def share(into: Tensor) -> float:
        lengths = (here.keys @ into).norm(dim=-1)
        return round((lengths[here.new].mean() / lengths[here.known].mean()).item(), 3)

    look_up, (_, w_key), _ = trained("dot product", split, 0.01, seed)
    matrix = learned_matrix("dot product", split, seed)
    asked = here.new.repeat_interleave(N_CALLS)
    with torch.no_grad():
        lengths = (here.keys @ w_key).norm(dim=-1)
        winner = look_up(here.fresh[here.new].flatten(0, 1), here.keys, here.places)[1].argmax(dim=-1)
    wrong = winner != asked
    return {
        "length_before": share(projections(64, seed)[1].detach()),
        "length_after": share(w_key.detach()),
        "length_whole_matrix": share(matrix.mT),
        "length_accent": share(part_of("accent", matrix, matrix).mT),
        "longer_winner": round((lengths[winner] > lengths[asked])[wrong].float().mean().item(), 3),
    }


def classifier(what: str, seed: int) -> dict[str, float]:
    """Return what a linear classifier of the known cities finds of their fresh calls, and how far off its outputs are.

    Args:
        what: the loss, "cross-entropy" or "places", and the learning rate behind a comma.
        seed: of the first weights.
    """
    here, (loss_of, rate) = directory(0), what.split(", ")
    n_cities = len(here.known)
    torch.manual_seed(seed)
    layer = nn.Linear(26, n_cities)
    calls, city = here.calls[here.known].flatten(0, 1), torch.arange(n_cities).repeat_interleave(N_CALLS)
    there = here.places[here.known]

    def loss() -> Tensor:
        logits = layer(calls)
        if loss_of == "cross-entropy":
            return nn.functional.cross_entropy(logits, city)
        return (logits.softmax(dim=-1) @ there - there[city]).square().mean()

    losses = train(list(layer.parameters()), loss, 500, float(rate), seed)
    row = {"loss": round(sum(losses[-100:]) / 100, 4)}
    with torch.no_grad():
        for name, cities in (("known", here.known), ("new", here.new)):
            weights = layer(here.fresh[cities].flatten(0, 1)).softmax(dim=-1)
            away = weights @ there - here.places[cities].repeat_interleave(N_CALLS, 0)
            row[f"km_{name}"] = round(100 * away.norm(dim=-1).mean().item(), 1)
            if name == "known":
                row["found_known"] = round((weights.argmax(dim=-1) == city).float().mean().item(), 3)
    return row


def among_the_known(seed: int) -> dict[str, float]:
    """Return what the notebook's lookup finds of the known cities' calls where no other city is in the directory."""
    here = directory(0)
    only = Directory(
        keys=here.keys[here.known],
        places=here.places[here.known],
        fresh=here.fresh[here.known],
        known=torch.arange(len(here.known)),
    )
    found, distance = only.try_out(learned(seed), only.known)
    return {"found_known": round(found, 3), "km_known": round(distance, 1)}


def training_loss(of: str, split: int, seed: int) -> dict[str, float]:
    """Return the mean loss of 100 draws of the training's calls, with one of `LOSS_OF`."""
    matrix = learned_matrix("dot product", split, seed)
    part = matrix if of == "whole matrix" else part_of("largest", matrix, matrix)

    def loss(factor: float) -> float:
        look_up = with_matrix(factor * part)
        torch.manual_seed(1000)
        with torch.no_grad():
            drawn = [city_loss(look_up, *directory(split).draw_calls()).item() for _ in range(100)]
        return round(sum(drawn) / 100, 4)

    return {"loss": min(loss(factor) for factor in (FACTORS if of.endswith("best factor") else (1,)))}


def wrong_calls(split: int, seed: int) -> dict[str, float]:
    """Return at how many of the new cities' wrong calls a known city wins, and what is found among new cities alone."""
    here, (look_up, _, _) = directory(split), trained("dot product", split, 0.01, seed)
    asked = here.new.repeat_interleave(N_CALLS)
    with torch.no_grad():
        weights = look_up(here.fresh[here.new].flatten(0, 1), here.keys, here.places)[1]
    wrong = weights.argmax(dim=-1) != asked
    at_known = torch.isin(weights.argmax(dim=-1), here.known)
    among_new = here.new[weights[:, here.new].argmax(dim=-1)] == asked  # as with a mask: it changes no order
    return {
        "wrong": round(wrong.float().mean().item(), 3),
        "known_winner": round(at_known[wrong].float().mean().item(), 3),
        "found_new": round(among_new.float().mean().item(), 3),
    }


def invented(n_names: int, split: int, seed: int) -> Directory:
    """Return a directory of invented names for training, whose letters and lengths are drawn from the known names'."""
    here, draw = directory(split), random.Random(seed)
    of_known = [NAMES[city] for city in here.known.tolist()]
    all_letters = "".join(of_known)
    names = ["".join(draw.choices(all_letters, k=len(draw.choice(of_known)))) for _ in range(n_names)]
    there = here.places[here.known]
    low, high = there.min(dim=0).values, there.max(dim=0).values
    return Directory(
        keys=letters(names),
        places=low + (high - low) * torch.rand(n_names, 2, generator=torch.Generator().manual_seed(seed)),
        calls=torch.stack([letters(words) for words in typed(names, seed=seed)]),
        known=torch.arange(n_names),
    )


def with_invented_names(what: str, split: int, seed: int) -> dict[str, float]:
    """Return what a lookup finds that was trained with one of `N_INVENTED` for 1,000 steps."""
    look_up, matrices = dot_product(seed)
    n_names = N_INVENTED[what]
    taught = invented(n_names, split, seed) if n_names else directory(split)
    losses = train(matrices, lambda: city_loss(look_up, *taught.draw_calls()), 1000, 0.01, seed)
    return tried_out(look_up, split) | {"loss": round(sum(losses[-100:]) / 100, 4)}


def edits(word: str, name: str) -> int:
    """Return how many letters must be exchanged, put in or left out to make a name of a word.

    Example:
        >>> edits("pgrlin", "berlin")
        2
    """
    before = list(range(len(name) + 1))
    for i, letter in enumerate(word, start=1):
        row = [i]
        for j, other in enumerate(name, start=1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != other)))
        before = row
    return before[-1]


def edit_distance() -> dict[str, float]:
    """Return what the nearest name finds; several nearest names share a call."""
    here, row = directory(0), {}
    words = typed(NAMES, seed=1)
    for kind, cities in (("known", here.known), ("new", here.new)):
        found = []
        for city in cities.tolist():
            for word in words[city]:
                away = [edits(word, name) for name in NAMES]
                found.append((away[city] == min(away)) / away.count(min(away)))
        row[f"found_{kind}"] = round(sum(found) / len(found), 3)
    return row


def settings() -> Iterator[dict]:
    """Yield what is to be run."""
    for of_names, size in product(("known names", "all names"), (4, 8, 12, 16, 20)):
        yield dict(zip(KEYS, ("main directions", of_names, size, 0, None), strict=True))
    for word, seed in product(("zeaille", "zefille"), (None, 0, 1, 2, 3)):  # None: told the accent
        yield dict(zip(KEYS, ("one call", word, 1, 0, seed), strict=True))
    for weight, split, seed in product((0, 2), (0, 1), SEEDS):
        yield dict(zip(KEYS, ("entries kept small", "penalty", weight, split, seed), strict=True))
    for factor, seed in product((1, 2, 4, 10, 20), (None, 0, 1, 2, 3)):
        yield dict(zip(KEYS, ("sharper", "factor", factor, 0, seed), strict=True))
    for what, seed in product(ENTRIES, SEEDS):
        yield dict(zip(KEYS, ("all entries", what, ENTRIES[what].n_entries, 0, seed), strict=True))
    for rate, split, seed in product(RATES_OF_ONE_MATRIX, SPLITS, SEEDS):
        yield dict(zip(KEYS, ("one matrix for both", f"rate {rate}", 64, split, seed), strict=True))
    yield dict(zip(KEYS, ("one matrix for both", "exchanged letters as one", 26, 0, None), strict=True))
    for split, seed in product(SPLITS, SEEDS):
        yield dict(zip(KEYS, ("key lengths", "projections", 64, split, seed), strict=True))
    for loss_of, rate, seed in product(("cross-entropy", "places"), RATES_OF_CLASSIFIERS, SEEDS):
        yield dict(zip(KEYS, ("classifier", f"{loss_of}, {rate}", 48, 0, seed), strict=True))
    for seed in SEEDS:
        yield dict(zip(KEYS, ("among the known", "learned", 48, 0, seed), strict=True))
    for what, split, seed in product(LOSS_OF, SPLITS, SEEDS):
        yield dict(zip(KEYS, ("training loss", what, 100, split, seed), strict=True))
    for split, seed in product(SPLITS, SEEDS):
        yield dict(zip(KEYS, ("wrong calls", "projections", 64, split, seed), strict=True))
    for what, split, seed in product(N_INVENTED, SPLITS, SEEDS):
        yield dict(zip(KEYS, ("invented names", what, 64, split, seed), strict=True))
    yield dict(zip(KEYS, ("edit distance", "nearest name", 61, 0, None), strict=True))


def measured(question: str, what: str, size: int, split: int, seed: int | None) -> dict[str, float]:
    """Return what came with one of the settings."""
    if question == "main directions":
        return in_main_directions(what, size)
    if question == "entries kept small":
        return tried_out(learned(seed or 0, split, small_entries=size), split)
    if question == "all entries":
        return with_entries(what, seed or 0)
    if question == "one matrix for both":
        return one_matrix_for_both(0.0 if seed is None else float(what.removeprefix("rate ")), seed, split)
    if question == "key lengths":
        return key_lengths(split, seed or 0)
    if question == "classifier":
        return classifier(what, seed or 0)
    if question == "among the known":
        return among_the_known(seed or 0)
    if question == "training loss":
        return training_loss(what, split, seed or 0)
    if question == "wrong calls":
        return wrong_calls(split, seed or 0)
    if question == "invented names":
        return with_invented_names(what, split, seed or 0)
    if question == "edit distance":
        return edit_distance()
    look_up = told() if seed is None else learned(seed)
    return one_call(look_up, what) if question == "one call" else sharper(look_up, size)


def main() -> None:
    torch.set_num_threads(1)
    store = Store("attention", __file__, KEYS)
    for setting in store.missing(settings()):
        row = measured(**setting)
        store.add(**setting, **(dict.fromkeys(MEASURED) | row))  # None where the question asks for something else
        print(f"{setting}: {row}", flush=True)


if __name__ == "__main__":
    main()
