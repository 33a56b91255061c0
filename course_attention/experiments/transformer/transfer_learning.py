"""A ninth language with few dates to learn it from: the encoder that has read eight others, or a new one.

Finnish is written in the letters of the other eight; its months and weekdays have names of their own.
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
    parts = slice(None, n_train), slice(n_train, None)
    vocabularies = date_vocabularies()
    return tuple(
        Pairs.of(texts[part], targets[part], [LANGUAGE] * len(texts[part]), *vocabularies) for part in parts
    )


def reuse_encoder(trained: Transformer, model: Transformer, tuned: bool) -> Transformer:
    """Give a new model the embeddings and the encoder of a trained one, in place; the decoder stays new.

    Args:
        tuned: whether they are trained further; otherwise they are kept as they are.
    """
    for name in ("embed_source", "encoder"):
        part = getattr(model, name)
        part.load_state_dict(getattr(trained, name).state_dict())
        part.requires_grad_(tuned)
    return model


@dataclass(frozen=True)
class Transfer:
    """What came of each number of examples: shares on unseen dates, (n_sizes,).

    Attributes:
        exact: of dates that are right in every character.
        characters: of characters that are right in their place.
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
    """Train for Finnish in each of the ways, for the same number of steps, on the first so many examples.

    Args:
        trained: the model whose encoder is reused.
        ways: of WAYS.
    """
    device = next(trained.parameters()).device
    pool, unseen = finnish_pairs(max(sizes))
    vocabularies = pool.source_vocabulary, pool.target_vocabulary
    found = {}
    for way in tqdm(ways, leave=False, disable=not progress):
        results = []
        for size in sizes:
            few = Pairs.of(pool.sources[:size], pool.targets[:size], pool.labels[:size], *vocabularies)
            model = Transformer(*map(len, vocabularies), encoder_block, decoder_block, seed=seed).to(device)
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
