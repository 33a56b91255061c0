"""How well does an average read the senses of notebook 03, with a network behind it and enough steps?

    python -m tools.long_runs.rivals        all that the file does not have yet; it can be stopped and goes on

The average gives every word the same weight. The network behind it sees the word's own vector as well. With 8 channels
in its hidden layer it has as many parameters as the reader with attention.

All rates are trained side by side. A seed decides the initial weights and the batches, and these are the same at every
rate. All models are trained for the same number of steps. A model is tested after the steps of the notebook, and at its
lowest loss on sentences that are kept apart. An earlier form stopped a model where this loss fell slowly. That says
little here, since the loss stays near one value for a while and then falls. Only the ambiguous words are computed, as
no other word counts. All of it takes a minute of one core.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import torch
from torch import Tensor

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.self_attention.word_senses import N_TOKENS, VOCABULARY, Sentences, draw_sentences
from tools.long_runs.store import Store

RATES, SEEDS = (0.01, 0.03, 0.05, 0.1, 0.2), (0, 1, 2, 3, 4)
N_TRAIN, N_APART, N_TEST, BATCH = 8_000, 500, 2_000, 64
CHECK_EVERY, STEPS, STEPS_OF_NOTEBOOK = 50, 3_000, 400
D_MODEL = 16
Weights = dict[str, Tensor]  # each with an axis for the models in front


@dataclass(frozen=True)
class Asked:
    """The ambiguous words of some sentences, which are all that is asked for.

    Attributes:
        sentence: (n_asked, N_TOKENS), the sentence of each.
        own, sense: (n_asked,), the word and its right sense.
        has_clue: (n_asked,), whether the sentence has its clue.
    """

    sentence: Tensor
    own: Tensor
    sense: Tensor
    has_clue: Tensor


def asked(drawn: Sentences, rows: Tensor) -> Asked:
    """Return what these sentences ask for."""
    row, place = (drawn.senses[rows] >= 0).nonzero().unbind(dim=1)
    tokens, senses, distances = drawn.tokens[rows], drawn.senses[rows], drawn.distances[rows]
    return Asked(tokens[row], tokens[row, place], senses[row, place], distances[row, place] > 0)


def linear(d_in: int, d_out: int) -> Tensor:
    """Return weights and, in the last row, the bias, drawn as `nn.Linear` draws them."""
    return (torch.rand(d_in + 1, d_out) * 2 - 1) / d_in**0.5


def apply(layer: Tensor, x: Tensor) -> Tensor:
    return x @ layer[:, :-1] + layer[:, -1:]


def vectors() -> Tensor:
    return 0.1 * torch.randn(len(VOCABULARY), D_MODEL)


def network_weights(d_hidden: int) -> Weights:
    return {"words": vectors(), "hidden": linear(2 * D_MODEL, d_hidden), "output": linear(d_hidden, 2)}


def network(weights: Weights, words: Asked) -> Tensor:
    """Put the mean of all vectors beside the word's own, before a network with one hidden layer."""
    counts = torch.zeros(len(words.own), len(VOCABULARY))
    counts.scatter_add_(1, words.sentence, torch.ones(words.sentence.shape))
    both = torch.cat([weights["words"][:, words.own], counts / N_TOKENS @ weights["words"]], dim=-1)
    return apply(weights["output"], apply(weights["hidden"], both).relu())


READERS: dict[str, tuple[Callable[[], Weights], Callable[[Weights, Asked], Tensor]]] = {
    "average, network of 8": (partial(network_weights, 8), network),
}


def losses(scores: Tensor, words: Asked) -> Tensor:
    """Return the cross-entropy of each model, (n_models,)."""
    return -scores.log_softmax(dim=-1)[:, torch.arange(len(words.own)), words.sense].mean(dim=1)


@one_thread()
def run(name: str, seed: int) -> list[dict[str, Any]]:
    """Train a reader at every rate, and return a row for each."""
    initial, forward = READERS[name]
    drawn = []
    for _ in RATES:
        torch.manual_seed(seed)
        drawn.append(initial())
    weights = {part: torch.stack([one[part] for one in drawn]).requires_grad_() for part in drawn[0]}
    rates = torch.tensor(RATES).view(-1, 1, 1)
    moments = {part: (torch.zeros_like(value), torch.zeros_like(value)) for part, value in weights.items()}
    train = draw_sentences(N_TRAIN, 0)
    apart, test = (asked(draw_sentences(n, seed), torch.arange(n)) for n, seed in ((N_APART, 5), (N_TEST, 1)))
    rows: list[dict[str, Any]] = [
        {"rate": rate, "seed": seed, "loss": float("inf"), "steps_to_95": None} for rate in RATES
    ]
    batches = torch.Generator().manual_seed(seed)
    for step in range(1, STEPS + 1):
        words = asked(train, torch.randint(N_TRAIN, (BATCH,), generator=batches))
        gradients = torch.autograd.grad(losses(forward(weights, words), words).sum(), list(weights.values()))
        with torch.no_grad():  # Adam, with a rate for each model
            for value, gradient, (mean, square) in zip(weights.values(), gradients, moments.values(), strict=True):
                mean.lerp_(gradient, 0.1)
                square.lerp_(gradient**2, 0.001)
                value -= rates * (mean / (1 - 0.9**step)) / ((square / (1 - 0.999**step)).sqrt() + 1e-8)
        if step % CHECK_EVERY:
            continue
        with torch.no_grad():
            now = losses(forward(weights, apart), apart).tolist()
            right = forward(weights, test).argmax(dim=-1) == test.sense
            accuracies = right[:, test.has_clue].float().mean(dim=1).tolist()
        for i in range(len(RATES)):
            if now[i] < rows[i]["loss"]:
                rows[i] |= {"loss": round(now[i], 5), "accuracy": round(accuracies[i], 4), "best_step": step}
            if accuracies[i] >= 0.95 and rows[i]["steps_to_95"] is None:
                rows[i]["steps_to_95"] = step
            if step == STEPS_OF_NOTEBOOK:
                rows[i]["accuracy_of_notebook"] = round(accuracies[i], 4)
    n_parameters = sum(value[0].numel() for value in weights.values())
    return [row | {"steps": STEPS, "parameters": n_parameters} for row in rows]


def main() -> None:
    store = Store("self_attention", __file__, ("reader", "rate", "seed"))
    for name, seed in product(READERS, SEEDS):
        if all(store.has(reader=name, rate=rate, seed=seed) for rate in RATES):
            continue
        began = time.process_time()
        for row in run(name, seed):
            store.add(reader=name, **row)
            print(name, *row.values(), flush=True)
        print(f"{time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
