"""Dates in a ninth language, to which a trained encoder is transferred.

Finnish uses the letters of the other eight languages; its months and weekdays have names of their own.
"""

import random
from datetime import timedelta

from course_attention.experiments.common.pairs import Pairs
from course_attention.experiments.seq2seq.dates import FIRST, FORMS, LAST, date_vocabularies, write_date

LANGUAGE = "fi"


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
