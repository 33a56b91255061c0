"""Transfer learning: dates in a ninth language, from few examples, with a trained encoder or a new one.

Finnish uses the letters of the other eight languages; its months and weekdays have names of their own.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from tqdm.auto import tqdm

from course_attention.experiments.common.pairs import Pairs
from course_attention.experiments.seq2seq import translation
from course_attention.experiments.seq2seq.dates import FIRST, FORMS, LAST, date_vocabularies, write_date
from course_attention.experiments.transformer.model import Block, Transformer
from course_attention.mechanisms.transformer import DecoderBlock, EncoderBlock

LANGUAGE = "fi"
WAYS = ("from scratch", "encoder kept", "encoder tuned")


def finnish_pairs(n_train: int = 200, n_test: int = 300, seed: int = 0) -> tuple[Pairs, Pairs]:
    """Finnish dates with their ISO form, to train on and to test on; no day is in both.

    Example:
        >>> train, test = finnish_pairs(n_train=5, n_test=3)
        >>> len(train), len(test), set(train.targets) & set(test.targets)
        (5, 3, set())
    """
    chance = random.Random(seed)
    numbers = chance.sample(range((LAST - FIRST).days + 1), n_train + n_test)
    days = [FIRST + timedelta(days=number) for number in numbers]
    texts = [write_date(day, LANGUAGE, chance.choice(FORMS)) for day in days]
    targets = [day.isoformat() for day in days]
    vocabularies = date_vocabularies()

    def pairs(part: slice) -> Pairs:
        return Pairs.of(texts[part], targets[part], [LANGUAGE] * len(texts[part]), *vocabularies)

    return pairs(slice(None, n_train)), pairs(slice(n_train, None))


def reuse_encoder(trained: Transformer, model: Transformer, tuned: bool) -> Transformer:
    """Give a new model the embeddings and the encoder of a trained one, in place; the decoder stays new.

    Args:
        trained: whose embeddings and encoder are copied.
        model: that receives them.
        tuned: whether they are trained further; otherwise they stay as they are.
    """
    for name in ("embed_source", "encoder"):
        part = getattr(model, name)
        part.load_state_dict(getattr(trained, name).state_dict())
        part.requires_grad_(tuned)
    return model


@dataclass(frozen=True)
class Transfer:
    """Accuracy on unseen dates, for each number of examples, (n_sizes,).

    Attributes:
        exact: share of dates that are right in every character.
        characters: share of characters that are right in their place.
    """

    exact: np.ndarray
    characters: np.ndarray


def transfer(
    trained: Transformer,
    ways: Sequence[str] = WAYS,
    sizes: Sequence[int] = (100,),
    encoder_block: Block = EncoderBlock,
    decoder_block: Block = DecoderBlock,
    n_steps: int = 150,
    batch_size: int = 16,
    learning_rate: float = 5e-3,
    seed: int = 1,
    progress: bool = False,
) -> dict[str, Transfer]:
    """Train on Finnish dates in each of the ways, for the same number of steps.

    Args:
        trained: the model whose encoder is reused.
        ways: of WAYS.
        sizes: numbers of examples; the first so many are used.
        encoder_block, decoder_block: classes with the contracts of `EncoderBlock` and `DecoderBlock`.
        n_steps, batch_size, learning_rate: of each training.
        seed: of the new weights and the batches.
        progress: whether to show a progress bar.

    Returns:
        Way → its accuracy.
    """
    device = next(trained.parameters()).device
    pool, unseen = finnish_pairs(max(sizes))
    vocabularies = pool.source_vocabulary, pool.target_vocabulary
    found = {}
    for way in tqdm(ways, leave=False, disable=not progress):
        results = []
        for size in sizes:
            few = Pairs.of(pool.sources[:size], pool.targets[:size], pool.labels[:size], *vocabularies)
            n_source, n_target = map(len, vocabularies)
            model = Transformer(n_source, n_target, encoder_block, decoder_block, seed=seed).to(device)
            if way != "from scratch":
                reuse_encoder(trained, model, tuned=way == "encoder tuned")
            translation.train(
                model, few, None, n_steps, batch_size, learning_rate, seed, betas=(0.9, 0.98), fused=True
            )
            results.append(translation.translate(model, unseen))
        found[way] = Transfer(
            np.array([result.exact.mean() for result in results]),
            np.array([result.characters.mean() for result in results]),
        )
    return found
