"""Trains a small language model on Python source, and writes it into the package.

    python tools/train_language_model.py tokenizer          # the byte-pair merges
    python tools/train_language_model.py train
    python tools/train_language_model.py export             # weights and log into the package
    python tools/evaluate_language_model.py                 # what they are worth

`train` can be stopped at any time and goes on where it was. The learning rate rises, stays, and falls to 0 over the
last fifth of the tokens, so that a run is planned by its number of tokens alone.
"""

from __future__ import annotations

import argparse
import csv
import math
import platform
import re
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import Tensor, nn

from course_attention.mechanisms.language_model import DecoderOnlyBlock
from course_attention.mechanisms.positions import rotary
from course_attention.models.language_model import Cache, LanguageModel
from course_attention.models.tokenizer import PIECES, Tokenizer
from tools.language_model_text import files

STORE = Path(__file__).parents[1] / "course_attention" / "models" / "python_source"
WORK = Path(__file__).parents[1] / "build" / "language_model"
N_MERGES = 1791  # with 256 bytes and the start token: 2,048 tokens
RARE = 5  # a piece that stands less often in the text gives no merge; there are many, and they take long
SIZES = {"n_layers": 6, "d_model": 160, "n_heads": 4, "n_groups": 2, "d_hidden": 432}
CONTEXT, BATCH = 512, 8
RATE, WARM_UP, FALL, DECAY = 3e-3, 100, 0.3, 0.1


def learn_merges(texts: list[str], n_merges: int, rare: int = 1) -> list[tuple[int, int]]:
    """Make a token of the most frequent pair of neighbouring tokens, again and again.

    Pieces that stand in the texts fewer than `rare` times are left out.

    Example:
        >>> learn_merges(["abab ab"], 1) == [(ord("a"), ord("b"))]
        True
    """
    counts = Counter(piece for text in texts for piece in re.findall(PIECES, text))
    pieces = [(list(piece.encode()), count) for piece, count in counts.items() if count >= rare]
    merges: list[tuple[int, int]] = []
    for new in range(256, 256 + n_merges):
        pairs: Counter[tuple[int, int]] = Counter()
        for tokens, count in pieces:
            for pair in pairwise(tokens):
                pairs[pair] += count
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        for tokens, _ in pieces:
            at = 0
            while at < len(tokens) - 1:
                if tokens[at] == best[0] and tokens[at + 1] == best[1]:
                    tokens[at : at + 2] = [new]
                at += 1
        # A piece that has become one token has no pairs left.
        pieces = [entry for entry in pieces if len(entry[0]) > 1]
    return merges


class FastBlock(DecoderOnlyBlock):
    """The course's block with PyTorch's fused attention, which keeps no weights and trains faster."""

    def attend(self, x: Tensor, cache: Cache | None) -> tuple[Tensor, Cache]:
        """Causal attention over x alone; training has no cache."""
        query, key, value = (
            w(x).unflatten(-1, (-1, x.shape[-1] // self.n_heads)).transpose(1, 2)
            for w in (self.w_query, self.w_key, self.w_value)
        )
        positions = torch.arange(x.shape[1], device=x.device)
        query, key = rotary(query, positions), rotary(key, positions)
        shared = (t.repeat_interleave(self.n_heads // self.n_groups, dim=1) for t in (key, value))
        mixed = F.scaled_dot_product_attention(query, *shared, is_causal=True)
        return self.w_out(mixed.transpose(1, 2).flatten(-2)), (key, value)


def untrained(n_vocabulary: int, **sizes: int) -> LanguageModel:
    """Small random weights; those that add to the residual stream are smaller, the more layers there are."""
    model = LanguageModel(n_vocabulary, **sizes, block=FastBlock)
    for name, weight in model.named_parameters():
        if weight.dim() == 2:
            into_stream = name.endswith(("w_out.weight", "w_down.weight"))
            nn.init.normal_(weight, std=0.02 * ((2 * sizes["n_layers"]) ** -0.5 if into_stream else 1.0))
    return model


class Muon(torch.optim.Optimizer):
    """A step along the nearest matrix with orthonormal rows or columns to the momentum: no direction is left behind.

    `torch.optim.Muon` does the same in bfloat16, in which a processor without instructions for it takes as long as for
    the whole backward pass. Here it is float32.

    Source:
        Jordan et al. (2024), "Muon: an optimizer for hidden layers in neural networks", for the iteration and its
        coefficients. Liu et al. (2025), "Muon is scalable for LLM training", section 2.2, for the factor that makes
        the step as long as one of AdamW, so that one learning rate serves both.
    """

    def __init__(self, matrices: list[nn.Parameter], lr: float, weight_decay: float, momentum: float = 0.95) -> None:
        super().__init__(matrices, {"lr": lr, "weight_decay": weight_decay, "momentum": momentum})

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            for matrix in group["params"]:
                before = self.state[matrix].setdefault("momentum", torch.zeros_like(matrix))
                before.lerp_(matrix.grad, 1 - group["momentum"])
                ahead = matrix.grad.lerp(before, group["momentum"])
                matrix.mul_(1 - group["lr"] * group["weight_decay"])
                matrix.add_(orthogonal(ahead), alpha=-group["lr"] * 0.2 * max(matrix.shape) ** 0.5)


def orthogonal(matrix: Tensor, n_steps: int = 5) -> Tensor:
    """Bring all singular values of a matrix near 1, between about 0.7 and 1.2.

    Example:
        >>> values = torch.linalg.svdvals(orthogonal(torch.tensor([[3.0, 0.0, 1.0], [0.0, 0.2, 0.0]])))
        >>> bool(((values > 0.6) & (values < 1.3)).all())
        True
    """
    a, b, c = 3.4445, -4.7750, 2.0315
    wide = matrix.T if len(matrix) > matrix.shape[1] else matrix
    x = wide / (wide.norm() + 1e-7)
    for _ in range(n_steps):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    return x.T if len(matrix) > matrix.shape[1] else x


def optimizers_of(model: LanguageModel) -> list[torch.optim.Optimizer]:
    """Return Muon for the matrices of the blocks, which needs fewer tokens, and AdamW for the embedding and norms."""
    hidden = [weight for weight in model.blocks.parameters() if weight.dim() == 2]
    norms = [weight for weight in model.parameters() if weight.dim() == 1]
    groups = [
        {"params": [model.embedding.weight], "weight_decay": DECAY},
        {"params": norms, "weight_decay": 0.0},
    ]
    return [Muon(hidden, RATE, DECAY), torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.95))]


def stream(tokenizer: Tokenizer, texts: list[str]) -> Tensor:
    """All texts one after another, each with the start token before it."""
    tokens: list[int] = []
    for text in texts:
        tokens += [tokenizer.start, *tokenizer.encode(text)]
    return torch.from_numpy(np.array(tokens, dtype=np.int64))


def rate(done: float) -> float:
    """Return the learning rate's share of its height where `done` of all tokens were seen."""
    return min(1.0, (1.0 - done) / FALL)


def train(arguments: argparse.Namespace) -> None:
    torch.manual_seed(arguments.seed)
    device = arguments.device
    tokenizer = Tokenizer.load(STORE / "tokenizer.json")
    texts, held_out = files()
    cached = WORK / "tokens.pt"
    WORK.mkdir(parents=True, exist_ok=True)
    if not cached.exists():
        torch.save((stream(tokenizer, texts), stream(tokenizer, held_out)), cached)
    tokens, unseen = torch.load(cached)
    print(f"{len(tokens):,} tokens to train on, {len(unseen):,} held out", flush=True)
    model = untrained(len(tokenizer), **SIZES).to(device)
    optimizers = optimizers_of(model)
    state = {"step": 0, "seconds": 0.0}
    saved = WORK / "checkpoint.pt"
    if saved.exists():
        state = torch.load(saved, map_location=device)
        model.load_state_dict(state.pop("model"))
        for optimizer, kept in zip(optimizers, state.pop("optimizers"), strict=True):
            optimizer.load_state_dict(kept)
    n_steps = arguments.tokens // (BATCH * CONTEXT)
    began, last = time.monotonic(), time.monotonic()
    step, losses = state["step"], []

    def keep() -> None:
        seconds = state["seconds"] + time.monotonic() - began
        whole = {
            "step": step,
            "seconds": seconds,
            "threads": torch.get_num_threads(),
            "model": model.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in optimizers],
        }
        torch.save(whole, WORK / "checkpoint.new")
        (WORK / "checkpoint.new").replace(saved)

    try:
        for step in range(state["step"], n_steps):
            # A generator of the step's own: a run that was stopped draws what it would have drawn.
            generator = torch.Generator().manual_seed(arguments.seed * 1_000_003 + step)
            starts = torch.randint(len(tokens) - CONTEXT - 1, (BATCH,), generator=generator)
            batch = torch.stack([tokens[s : s + CONTEXT + 1] for s in starts]).to(device)
            for optimizer in optimizers:
                for group in optimizer.param_groups:
                    group["lr"] = RATE * min(1.0, (step + 1) / WARM_UP) * rate(step / n_steps)
            with torch.autocast(device, torch.bfloat16, enabled=arguments.bfloat16):
                logits = model(batch[:, :-1])[0]
            loss = F.cross_entropy(logits.float().flatten(0, 1), batch[:, 1:].flatten())
            model.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for optimizer in optimizers:
                optimizer.step()
            losses.append(loss.item())
            if (step + 1) % 100 == 0 or step + 1 == n_steps:
                mean, losses = sum(losses) / len(losses), []
                with (WORK / "log.csv").open("a", newline="") as log:
                    csv.writer(log).writerow([step + 1, (step + 1) * BATCH * CONTEXT, f"{mean:.4f}"])
                print(step + 1, f"{mean:.4f}", f"{time.monotonic() - began:.0f} s", flush=True)
            if time.monotonic() - last > 120:
                keep()
                last = time.monotonic()
        step = n_steps
    finally:
        keep()


@torch.no_grad()
def bits(model: LanguageModel, tokenizer: Tokenizer, texts: list[str], context: int = CONTEXT) -> float:
    """Bits for each byte of texts, every token predicted from at least half a context, where its file has as much."""
    nats, n_bytes = 0.0, 0
    for text in texts:
        tokens = torch.tensor([tokenizer.start, *tokenizer.encode(text)])
        n_bytes += len(text.encode())
        done = 1  # the tokens before this one are predicted, or are the start
        while done < len(tokens):
            first = max(0, min(done - context // 2, len(tokens) - context - 1))
            window = tokens[first : first + context + 1]
            logits = model(window[None, :-1])[0][0]
            new = slice(done - first - 1, None)
            nats += F.cross_entropy(logits[new], window[1:][new], reduction="sum").item()
            done = first + len(window)
    return nats / math.log(2) / n_bytes


def export(arguments: argparse.Namespace) -> None:
    state = torch.load(WORK / "checkpoint.pt", map_location="cpu")
    weights = {name: weight.to(torch.float16).contiguous() for name, weight in state["model"].items()}
    facts = {name: str(size) for name, size in SIZES.items()} | {
        "n_vocabulary": str(len(state["model"]["embedding.weight"])),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "step": str(state["step"]),
        "seconds": f"{state['seconds']:.0f}",
        "threads": str(state["threads"]),
    }
    save_file(weights, STORE / "weights.safetensors", metadata=facts)
    (STORE / "log.csv").write_text("step,tokens,loss\n" + (WORK / "log.csv").read_text())


def tokenizer(arguments: argparse.Namespace) -> None:
    STORE.mkdir(parents=True, exist_ok=True)
    texts, held_out = files()
    made = Tokenizer(learn_merges(texts, N_MERGES, RARE))
    made.save(STORE / "tokenizer.json")
    n_tokens = sum(len(made.encode(text)) for text in held_out)
    print(f"{len(made)} tokens; {sum(len(t.encode()) for t in held_out) / n_tokens:.2f} bytes a token, held out")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["tokenizer", "train", "export"])
    parser.add_argument("--tokens", type=int, default=28_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--bfloat16", action="store_true", help="for processors with instructions for it: lscpu")
    arguments = parser.parse_args()
    {"tokenizer": tokenizer, "train": train, "export": export}[arguments.what](arguments)


if __name__ == "__main__":
    main()
