"""What does each part of notebook 08's Transformer do, how large must it be, and when does it need a warm-up?

    python -m tools.long_runs.parts_and_norms

trains the notebook's model with the notebook's loop. On dates it is whole, or lacks its feed-forward networks. Copying
letters, it lacks one part. With four blocks on each side, its norms are on the road or on the branches, there with a
norm at the end of each road or without, with a warm-up and without, at several learning rates; and with each linear
layer's weights drawn by Xavier and Glorot's rule, as Xiong et al. (2020) draw them. Its gradients are also clipped at a
tenth of the usual norm, or not at all. It can be stopped and goes on.

In a row, `loss` is the mean training loss of the last 20 steps, and `accuracy` the share of unseen texts without a
mistake: of 2,000 dates, or of 200 strings of letters.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import product

import torch
from torch import nn

from course_attention.experiments.common.copy_task import copy_pairs
from course_attention.experiments.common.pairs import PAD, Pairs
from course_attention.experiments.seq2seq import dates, translation
from course_attention.experiments.transformer.ablation import ablate
from course_attention.experiments.transformer.last_norms import with_last_norms
from course_attention.experiments.transformer.model import Transformer
from course_attention.mechanisms.transformer import DecoderBlock, EncoderBlock, sequence_loss
from course_attention.practice.transformer.pre_norm_decoder_forward import pre_norm_decoder_forward
from course_attention.practice.transformer.pre_norm_forward import pre_norm_forward
from tools.long_runs.store import Store

TASKS = {
    "dates": dates.date_pairs,
    "letters": lambda: copy_pairs(2000, 200, shortest=3, longest=5),
}
BATCH = {"dates": 64, "letters": 32}
XAVIER = ", Xavier"  # how a model's name ends whose linear layers are drawn by that rule
CLIPPED = {", clipped at 0.1": 0.1, ", not clipped": float("inf")}  # how one ends whose gradients are clipped so
SOME_RESIDUALS = "past feed-forward", "of the decoder", "past cross-attention", "past attention", "of the encoder"
SETTINGS = ("task", "model", "n_blocks", "rate", "warm_up", "n_steps", "seed")


class PreNormEncoderBlock(EncoderBlock):
    forward = pre_norm_forward


class PreNormDecoderBlock(DecoderBlock):
    forward = pre_norm_decoder_forward


def settings() -> Iterator[dict]:
    """Yield what is to be run."""
    for one in _tuples():
        yield dict(zip(SETTINGS, one, strict=True))


def _tuples() -> Iterator[tuple]:
    yield "dates", "whole", 2, 0.005, 0.1, 1200, 0
    for seed in (0, 1):
        for warm_up, model in product((0.0, 0.1), ("whole", "pre-norm")):
            yield "letters", model, 4, 0.02, warm_up, 100, seed
        yield "letters", "whole", 4, 0.005, 0.0, 100, seed
        yield "letters", "without norm", 4, 0.01, 0.1, 100, seed
        for model in ("without residuals", "without positions"):
            yield "letters", model, 1, 0.01, 0.1, 1000, seed
        for warm_up in (0.1, 0.0):
            yield "letters", "whole", 4, 0.02, warm_up, 400, seed
    yield "dates", "whole", 2, 0.005, 0.1, 1200, 1
    for seed in (0, 1):
        yield "dates", "without feed-forward", 2, 0.005, 0.1, 1200, seed
        for model in ("whole", "without feed-forward"):
            yield "dates", model, 2, 0.005, 0.1, 300, seed
    for seed in (0, 1):
        for rate in (0.01, 0.003):
            yield "letters", "without residuals", 4, rate, 0.1, 1000, seed
        for n_steps in (1000, 4000):
            yield "letters", "without residuals", 2, 0.01, 0.1, n_steps, seed
        yield "letters", "whole", 4, 0.01, 0.1, 1000, seed
        yield "letters", "pre-norm", 4, 0.005, 0.0, 100, seed
    for rate, seed in product((0.02, 0.04), (0, 1)):
        yield "letters", "without norm", 4, rate, 0.1, 100, seed
    for model, seed in product(("whole", "pre-norm"), (0, 1)):
        yield "letters", model, 4, 0.04, 0.1, 100, seed
    for n_steps, seed in product((1000, 4000), (0, 1)):
        yield "letters", "without residuals", 2, 0.003, 0.1, n_steps, seed
    for seed in (0, 1):
        for warm_up, n_steps in product((0.0, 0.1), (100, 400)):
            yield "letters", "pre-norm, last norms", 4, 0.02, warm_up, n_steps, seed
        for rate, warm_up in ((0.005, 0.0), (0.01, 0.0), (0.04, 0.1)):
            yield "letters", "pre-norm, last norms", 4, rate, warm_up, 100, seed
        yield "letters", "whole", 4, 0.01, 0.0, 100, seed
        for past in ("attention", "feed-forward"):
            yield "letters", f"without residuals past {past}", 2, 0.01, 0.1, 1000, seed
    for seed in (0, 1):
        yield "letters", "without residuals past feed-forward", 4, 0.01, 0.1, 1000, seed
    for model, seed in product(("pre-norm", "pre-norm, last norms", "whole"), (0, 1)):
        yield "letters", model, 4, 0.04, 0.0, 100, seed
    for seed in (0, 1):
        for where in ("of the encoder", "of the decoder", "past cross-attention"):
            yield "letters", f"without residuals {where}", 2, 0.01, 0.1, 1000, seed
    drawn_anew = [f"{model}{XAVIER}" for model in ("whole", "pre-norm, last norms")]
    for rate, warm_up, model, seed in product((0.01, 0.02), (0.0, 0.1), drawn_anew, (0, 1)):
        yield "letters", model, 4, rate, warm_up, 400, seed
    for model, seed in product(("whole", "pre-norm, last norms"), (0, 1)):
        yield "letters", model, 4, 0.01, 0.0, 400, seed
    for warm_up, model, seed in product((0.1, 0.0), drawn_anew, (2, 3)):
        yield "letters", model, 4, 0.01, warm_up, 400, seed
    both = "whole", "pre-norm, last norms"
    for rate, model, seed in product((0.03, 0.04), both, (0, 1)):
        yield "letters", model, 4, rate, 0.1, 400, seed
    for clipped, model, seed in product(CLIPPED, both, (0, 1)):
        yield "letters", f"{model}{clipped}", 4, 0.02, 0.0, 400, seed
    for seed in (0, 1):
        yield "letters", "whole", 2, 0.01, 0.1, 1000, seed
        for where in ("past attention", "of the encoder", "of the decoder", "past cross-attention"):
            yield "letters", f"without residuals {where}", 4, 0.01, 0.1, 1000, seed
    some_residuals = [f"without residuals {where}" for where in SOME_RESIDUALS]
    for seed, rate in product((0, 1), (0.003, 0.001)):  # is it the depth, or the rate?
        for model in some_residuals:
            yield "letters", model, 4, rate, 0.1, 1000, seed
    for seed in (0, 1):
        yield "letters", "without residuals", 4, 0.001, 0.1, 1000, seed
    for seed, (warm_up, n_steps), model in product((2, 3, 4, 5), ((0.1, 100), (0.0, 400)), both):
        yield "letters", model, 4, 0.02, warm_up, n_steps, seed
    for seed in (2, 3, 4, 5):
        yield "letters", "without norm", 4, 0.02, 0.1, 100, seed
    for seed in (0, 1):
        yield "letters", "whole", 4, 0.01, 0.1, 100, seed
        for model in both:
            yield "letters", model, 4, 0.01, 0.1, 400, seed
    for model, seed in product((*drawn_anew, *both), (0, 1)):
        yield "letters", model, 4, 0.003, 0.0, 400, seed
    for rate, seed in product((0.003, 0.001), (0, 1)):  # beside those with some of the residuals
        yield "letters", "whole", 4, rate, 0.1, 1000, seed
    for rate, model, seed in product((0.01, 0.02), (*drawn_anew, *both), (0, 1)):  # is the warm-up too short?
        yield "letters", model, 4, rate, 0.5, 400, seed
    for rate, seed in product((0.01, 0.02), (2, 3)):
        yield "letters", f"whole{XAVIER}", 4, rate, 0.5, 400, seed


def built(pairs: Pairs, model: str, n_blocks: int, seed: int) -> Transformer:
    """Return the Transformer for some pairs, with its initial weights."""
    return built_of(len(pairs.source_vocabulary), len(pairs.target_vocabulary), model, n_blocks, seed)


def built_of(n_source: int, n_target: int, model: str, n_blocks: int, seed: int, d_model: int = 32) -> Transformer:
    """Return the same for vocabularies of these sizes; `model` says what it lacks, or where its norms are.

    A name that ends in ", Xavier" is for a model whose linear layers are drawn by that rule. How the gradients are
    clipped, which a name may end in as well, changes nothing here.
    """
    for clipped in CLIPPED:
        model = model.removesuffix(clipped)
    if model.endswith(XAVIER):
        drawn = built_of(n_source, n_target, model.removesuffix(XAVIER), n_blocks, seed, d_model)
        with torch.random.fork_rng(devices=[]):  # built, the model left the global state as it was
            torch.manual_seed(1000 + seed)  # other numbers than the embeddings were drawn from
            for layer in drawn.modules():
                if isinstance(layer, nn.Linear):
                    nn.init.xavier_uniform_(layer.weight)
        return drawn
    is_pre_norm = model.startswith("pre-norm")
    blocks = (PreNormEncoderBlock, PreNormDecoderBlock) if is_pre_norm else (EncoderBlock, DecoderBlock)
    kind = with_last_norms(Transformer) if model.endswith("last norms") else Transformer
    sizes = {"d_model": d_model, "d_hidden": 2 * d_model, "n_blocks": n_blocks}
    whole = kind(n_source, n_target, *blocks, **sizes, seed=seed)
    return ablate(model.removeprefix("without ") if model.startswith("without ") else None, whole)


def train(
    model: Transformer,
    pairs: Pairs,
    batch_size: int,
    rate: float,
    warm_up: float,
    n_steps: int,
    seed: int,
    share: Callable[[int], float] | None = None,
    clip: float = 1.0,
) -> list[float]:
    """Train as the notebook does, and return the loss of each step.

    Args:
        model: is trained in place.
        pairs, batch_size, rate, warm_up, n_steps: as in the notebook.
        seed: of the batches.
        share: of the rate, for source embedding and encoder at a step, counted from 1. Where it is 0 they are frozen.
        clip: the norm of all gradients that a step may have at most.
    """
    generator = torch.Generator().manual_seed(seed)
    source_side = [*model.embed_source.parameters(), *model.encoder.parameters()] if share else []
    rest = [one for one in model.parameters() if not any(one is other for other in source_side)]
    groups = [{"params": part} for part in (rest, source_side) if part]
    optimizer = torch.optim.Adam(groups, betas=(0.9, 0.98))
    losses = []
    for step in range(1, n_steps + 1):
        rise = step / (warm_up * n_steps) if warm_up else 1.0
        fall = (n_steps + 1 - step) / (n_steps * (1 - warm_up))
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, rise, fall)
        if share:
            optimizer.param_groups[1]["lr"] *= share(step)
            for one in source_side:
                one.requires_grad_(share(step) > 0)
        source, allowed, target = pairs.batch(torch.randint(len(pairs), (batch_size,), generator=generator))
        loss = sequence_loss(model(source, allowed, target), target, PAD)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        losses.append(loss.item())
    return losses


def main() -> None:
    torch.set_num_threads(1)
    store, made = Store("transformer", __file__, SETTINGS), {}
    for one in store.missing(settings()):
        began, task = time.process_time(), one["task"]
        made[task] = made.get(task) or TASKS[task]()
        pairs, unseen = made[task]
        model = built(pairs, one["model"], one["n_blocks"], one["seed"])
        clip = next((norm for name, norm in CLIPPED.items() if one["model"].endswith(name)), 1.0)
        schedule = one["rate"], one["warm_up"], one["n_steps"]
        losses = train(model, pairs, BATCH[task], *schedule, one["seed"], clip=clip)
        found = {
            "parameters": sum(parameter.numel() for parameter in model.parameters()),
            "loss": round(sum(losses[-20:]) / 20, 4),
            "accuracy": round(float(translation.translate(model, unseen).exact.mean()), 4),
        }
        store.add(**one, **found)
        print(*one.values(), *found.values(), f"{time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
