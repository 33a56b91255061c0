"""What do the models of notebook 05 learn when they are trained longer than there, and with more seeds?

    python -m tools.long_runs.next_word

trains with the notebook's loop under each of its masks: with the notebook's learning rate and with half of it, for as
many steps and for more, with several seeds. It measures the loss on new sentences, and which share of 1,000 generated
sentences is grammatical. It can be stopped and goes on. 1600 steps take about 8 seconds of a core.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import torch

from course_attention.experiments.masking import grammar
from course_attention.experiments.masking.next_word import (
    N_POSITIONS,
    NextWord,
    generated,
    next_word_loss,
    train,
    zeroed_afterwards,
)
from course_attention.mechanisms.masking import causal_mask, masked_softmax
from tools.long_runs.store import Store

EVERYTHING = torch.ones(N_POSITIONS, N_POSITIONS, dtype=torch.bool)
KINDS = {
    "no mask": (masked_softmax, EVERYTHING),
    "one position too far": (masked_softmax, EVERYTHING.tril(1)),
    "zeroed afterwards": (zeroed_afterwards, causal_mask(N_POSITIONS)),
    "causal mask": (masked_softmax, causal_mask(N_POSITIONS)),
}
RUNS = ((0.02, 400, 15), (0.02, 1600, 5), (0.01, 1600, 5), (0.01, 6400, 1))  # learning rate, steps, number of seeds


def settings() -> Iterator[dict]:
    """Yield what is to be run."""
    for rate, n_steps, n_seeds in RUNS:
        for seed, kind in product(range(n_seeds), KINDS):
            yield {"kind": kind, "rate": rate, "steps": n_steps, "seed": seed}


def main() -> None:
    torch.set_num_threads(1)
    store = Store("masking", __file__, ("kind", "rate", "steps", "seed"))
    tokens, _ = grammar.encode(grammar.draw_sentences(16_000, seed=0))
    unseen, _ = grammar.encode(grammar.draw_sentences(2_000, seed=1))
    for setting in store.missing(settings()):
        weigh, allowed = KINDS[setting["kind"]]
        torch.manual_seed(setting["seed"])
        model = train(NextWord(weigh), tokens, allowed, setting["steps"], setting["rate"])
        with torch.no_grad():
            loss = next_word_loss(model, unseen, allowed).item()
        texts = generated(model, allowed, 1000)
        share = sum(map(grammar.is_sentence, texts)) / len(texts)
        store.add(**setting, loss=round(loss, 4), grammatical=share)
        print(f"{setting}: loss {loss:.3f}, grammatical {share:.1%}", flush=True)


if __name__ == "__main__":
    main()
