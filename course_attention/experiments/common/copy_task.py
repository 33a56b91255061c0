"""The copy task: strings of letters to be written down unchanged, at any length."""

import random
from string import ascii_lowercase

from course_attention.experiments.common.pairs import Pairs, Vocabulary


def copy_pairs(
    n_train: int = 20_000, n_test: int = 2_000, shortest: int = 4, longest: int = 20, seed: int = 0
) -> tuple[Pairs, Pairs]:
    """Pairs to train on and pairs to test on; no string of the test occurs in training.

    Lengths are drawn evenly. No letter comes twice in a string, so that the letter written last tells which one is
    next.

    Args:
        n_train, n_test: how many pairs.
        shortest, longest: letters in a string; at most 26.
        seed: of the strings.

    Example:
        >>> train, test = copy_pairs(n_train=5, n_test=3, shortest=4, longest=4)
        >>> len(train), len(test), train.sources == train.targets, len(train.sources[0])
        (5, 3, True, 4)
    """
    chance = random.Random(seed)
    train = [_string(chance, shortest, longest) for _ in range(n_train)]
    seen = set(train)
    test: list[str] = []
    while len(test) < n_test:
        string = _string(chance, shortest, longest)
        if string not in seen:
            test.append(string)
    return _pairs(train), _pairs(test)


def _string(chance: random.Random, shortest: int, longest: int) -> str:
    return "".join(chance.sample(ascii_lowercase, chance.randint(shortest, longest)))


def _pairs(strings: list[str]) -> Pairs:
    letters = Vocabulary.of([ascii_lowercase])
    return Pairs.of(strings, strings, ["letters"] * len(strings), letters, letters)
