"""How reliably do attention and an average learn the senses of notebook 03, each at its own best learning rate?

    python -m tools.long_runs.rivals        all that the file does not have yet; it can be stopped and goes on

The average gives every word the same weight. The network behind it sees the word's own vector as well. With 8 channels
in its hidden layer it has about as many parameters as the reader with attention.

Both readers get the same rates, the same seeds and the same sentences. A seed decides the initial weights and the
batches. The seeds of one rate are trained side by side. All models are trained for the same number of steps, and none
stops early: the loss may stay near one value for a while and then fall. A model is tested after the steps of the
notebook, and at its lowest loss on sentences that are kept apart. All of it takes about two minutes of one core.
"""

from __future__ import annotations

import time
from itertools import product
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call, stack_module_state, vmap

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.self_attention.word_senses import NO_SENSE, draw_sentences, word_vectors
from tools.long_runs.store import Store

RATES, SEEDS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2), (0, 1, 2, 3, 4)
N_TRAIN, N_APART, N_TEST, BATCH = 8_000, 500, 2_000, 64
CHECK_EVERY, STEPS, STEPS_OF_NOTEBOOK = 100, 2_000, 400


class AttentionReader(nn.Module):
    """The reader of the notebook: attention whose values are the words' own vectors, and a linear map."""

    def __init__(self, d_model: int = 16, d_key: int = 8) -> None:
        super().__init__()
        self.embedding = word_vectors(d_model)
        self.w_query, self.w_key = (nn.Linear(d_model, d_key, bias=False) for _ in range(2))
        self.output = nn.Linear(d_model, 2)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embedding(tokens)
        query, key = self.w_query(x), self.w_key(x)
        weights = (query @ key.mT / query.shape[-1] ** 0.5).softmax(dim=-1)
        return self.output(weights @ x)


class AverageReader(nn.Module):
    """A small network that sees each word's own vector beside the mean of all vectors."""

    def __init__(self, d_model: int = 16, d_hidden: int = 8) -> None:
        super().__init__()
        self.embedding = word_vectors(d_model)
        self.network = nn.Sequential(nn.Linear(2 * d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, 2))

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embedding(tokens)
        return self.network(torch.cat([x, x.mean(dim=-2, keepdim=True).expand_as(x)], dim=-1))


READERS: dict[str, type[nn.Module]] = {"self-attention": AttentionReader, "average, network of 8": AverageReader}


def loss_of(scores: Tensor, senses: Tensor) -> Tensor:
    """Return the mean cross-entropy at the ambiguous words."""
    return F.cross_entropy(scores.flatten(0, 1), senses.flatten(), ignore_index=NO_SENSE)


@one_thread()
def run(name: str, rate: float) -> list[dict[str, Any]]:
    """Train a reader with every seed at one rate, and return a row for each."""
    models = []
    for seed in SEEDS:
        torch.manual_seed(seed)
        models.append(READERS[name]())
    weights, buffers = stack_module_state(models)
    body = models[0]

    def scores_of(of_one: dict[str, Tensor], tokens: Tensor) -> Tensor:
        scores: Tensor = functional_call(body, (of_one, buffers), (tokens,))
        return scores

    for_each_its_own, for_all_the_same = vmap(scores_of), vmap(scores_of, in_dims=(0, None))
    optimizer = torch.optim.Adam(list(weights.values()), lr=rate)
    train, apart, test = (draw_sentences(n, seed) for n, seed in ((N_TRAIN, 0), (N_APART, 5), (N_TEST, 1)))
    rows: list[dict[str, Any]] = [
        {"rate": rate, "seed": seed, "loss": float("inf"), "steps_to_95": None} for seed in SEEDS
    ]
    batches = [torch.Generator().manual_seed(seed) for seed in SEEDS]
    for step in range(1, STEPS + 1):
        chosen = torch.stack([torch.randint(N_TRAIN, (BATCH,), generator=one) for one in batches])
        scores = for_each_its_own(weights, train.tokens[chosen])
        losses = [loss_of(one, senses) for one, senses in zip(scores, train.senses[chosen], strict=True)]
        optimizer.zero_grad()
        torch.stack(losses).sum().backward()
        optimizer.step()
        if step % CHECK_EVERY:
            continue
        with torch.no_grad():
            now = [loss_of(one, apart.senses).item() for one in for_all_the_same(weights, apart.tokens)]
            right = for_all_the_same(weights, test.tokens).argmax(dim=-1) == test.senses
            accuracies = right[:, test.distances > 0].float().mean(dim=1).tolist()
        for row, loss, accuracy in zip(rows, now, accuracies, strict=True):
            if loss < row["loss"]:
                row |= {"loss": round(loss, 5), "accuracy": round(accuracy, 4), "best_step": step}
            if accuracy >= 0.95 and row["steps_to_95"] is None:
                row["steps_to_95"] = step
            if step == STEPS_OF_NOTEBOOK:
                row["accuracy_of_notebook"] = round(accuracy, 4)
    n_parameters = sum(value.numel() for value in body.parameters())
    return [row | {"steps": STEPS, "parameters": n_parameters} for row in rows]


def main() -> None:
    store = Store("self_attention", __file__, ("reader", "rate", "seed"))
    for name, rate in product(READERS, RATES):
        if all(store.has(reader=name, rate=rate, seed=seed) for seed in SEEDS):
            continue
        began = time.process_time()
        for row in run(name, rate):
            store.add(reader=name, **row)
            print(name, *row.values(), flush=True)
        print(f"{time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
