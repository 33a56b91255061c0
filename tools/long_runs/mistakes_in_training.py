"""Trains a small model that guesses the next word, once with right code and once with each of many mistakes.

    python tools/long_runs/mistakes_in_training.py    15 minutes on one thread; goes on where it was stopped

The mistakes are those that the encyclopedia shows for `attention`, `causal_mask`, `split_heads`, `merge_heads` and
`rotary`. A mistake takes the place of the right function in training and in writing alike, as it would in a project.
The pages of the misconceptions show what came.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import course_attention
from course_attention.encyclopedia.entry_verdict import value_of
from course_attention.encyclopedia.in_training import RIGHT
from course_attention.encyclopedia.mistaken_code import mistaken_code
from course_attention.exercises import CATALOGUE
from course_attention.experiments.masking import grammar
from tools.long_runs.store import Store

PARTS = ("attention", "causal_mask", "split_heads", "merge_heads", "rotary")
OF_THE_CONTRACT = {"wrong-dtype", "wrong-device", "detached", "input-changed"}
D_MODEL, N_HEADS, N_STEPS, BATCH, SEEDS = 32, 2, 600, 64, 3


class NextWord(nn.Module):
    """One pre-norm block with rotary positions, whose attention is made of the parts that it is given."""

    def __init__(self, parts: dict[str, Callable]) -> None:
        super().__init__()
        self.parts = parts
        self.word = nn.Embedding(len(grammar.WORDS), D_MODEL)
        self.w_qkv = nn.Linear(D_MODEL, 3 * D_MODEL, bias=False)
        self.w_output = nn.Linear(D_MODEL, D_MODEL, bias=False)
        self.network = nn.Sequential(nn.Linear(D_MODEL, 4 * D_MODEL), nn.ReLU(), nn.Linear(4 * D_MODEL, D_MODEL))
        self.norms = nn.ModuleList(nn.LayerNorm(D_MODEL) for _ in range(3))
        self.logits = nn.Linear(D_MODEL, len(grammar.WORDS))

    def forward(self, tokens: Tensor) -> Tensor:
        """tokens (batch, n) → logits (batch, n, n_words)."""
        n, part = tokens.shape[-1], self.parts
        x = self.word(tokens)
        query, key, value = (part["split_heads"](one, N_HEADS) for one in self.w_qkv(self.norms[0](x)).chunk(3, dim=-1))
        query, key = (part["rotary"](one, torch.arange(n)) for one in (query, key))
        output, _ = part["attention"](query, key, value, part["causal_mask"](n))
        x = x + self.w_output(part["merge_heads"](output))
        return self.logits(self.norms[2](x + self.network(self.norms[1](x))))


def loss_of(model: nn.Module, tokens: Tensor) -> Tensor:
    logits = model(tokens[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=grammar.PAD)


def trained(parts: dict[str, Callable], seed: int) -> nn.Module:
    torch.manual_seed(seed)
    tokens, _ = grammar.encode(grammar.draw_sentences(16_000, seed=seed))
    model = NextWord(parts)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=N_STEPS)
    for _ in range(N_STEPS):
        loss = loss_of(model, tokens[torch.randint(len(tokens), (BATCH,))])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        slower.step()
    return model


@torch.no_grad()
def share_right(model: nn.Module, n_sentences: int = 500) -> float:
    """Return the share of sentences written by the model, word by word, that obey the grammar."""
    said = torch.full((n_sentences, 1), grammar.START)
    for _ in range(grammar.LONGEST):
        chances = model(said)[:, -1].softmax(-1).nan_to_num()
        chances[chances.sum(-1) == 0] = 1.0  # NaN says nothing: any word
        said = torch.cat([said, torch.multinomial(chances, 1)], dim=-1)
    texts = [" ".join(grammar.WORDS[i] for i in row) for row in said[:, 1:].tolist()]
    right = [grammar.is_sentence(text[: text.find(".") + 1].split()) for text in texts if "." in text]
    return sum(right) / n_sentences


def figures(parts: dict[str, Callable], seed: int) -> dict[str, float]:
    model = trained(parts, seed)
    unseen, _ = grammar.encode(grammar.draw_sentences(2_000, seed=1_000 + seed))
    with torch.no_grad():
        loss = loss_of(model, unseen).item()
    return {"loss": round(loss, 4), "sentences": round(share_right(model), 4)}


def mistakes() -> Iterator[tuple[str, str]]:
    """Yield each misconception with the part in which it is made: the first with an answer that has it."""
    seen = set(OF_THE_CONTRACT)
    for part in PARTS:
        for id in CATALOGUE[part].misconceptions:
            with suppress(KeyError):
                if id not in seen and mistaken_code(id, part):
                    seen.add(id)
                    yield id, part


def main() -> None:
    torch.set_num_threads(1)
    store = Store("masking", __file__, ("misconception", "seed"))
    right: dict[str, Any] = {name: getattr(course_attention, name) for name in PARTS}
    for id, part in [(RIGHT, ""), *mistakes()]:
        parts = right if id == RIGHT else {**right, part: value_of(mistaken_code(id, part).answer)}
        settings = [{"misconception": id, "exercise": part, "seed": seed} for seed in range(SEEDS)]
        for one in store.missing(settings):
            try:
                came = figures(parts, one["seed"])
            except (RuntimeError, ValueError, IndexError) as error:
                print(f"{id}: {type(error).__name__}: {str(error).splitlines()[0][:90]}")
                break
            store.add(**one, **came)
            print(*one.values(), came, flush=True)


if __name__ == "__main__":
    main()
