"""Sentences of a small grammar with a known entropy, below which no language model's loss can fall."""

import math
import random
from collections.abc import Sequence

import torch
from torch import Tensor

PAD, START, END = 0, 1, 2
ADJECTIVES = ("small", "old", "quiet")
NOUNS = (("cat", "dog", "bird", "child"), ("cats", "dogs", "birds", "children"))  # one, several
VERBS = (("sees", "hears", "follows"), ("see", "hear", "follow"))
WORDS = ("_", "^", ".", "the", "near", *ADJECTIVES, *NOUNS[0], *NOUNS[1], *VERBS[0], *VERBS[1])
LONGEST = 11  # words and full stop


def sentence(chance: random.Random) -> list[str]:
    """Draw a sentence such as "the old cats near the dog see the bird ."; the verb agrees with the first noun.

    Adjectives and "near the …" come with probability 1/2; all other choices are uniform.

    Example:
        >>> is_sentence(sentence(random.Random(0)))
        True
    """
    number = chance.randrange(2)
    words = ["the", *_adjective(chance), chance.choice(NOUNS[number])]
    if chance.random() < 0.5:
        words += ["near", "the", chance.choice(NOUNS[chance.randrange(2)])]
    words += [chance.choice(VERBS[number]), "the", *_adjective(chance)]
    return [*words, chance.choice(NOUNS[chance.randrange(2)]), "."]


def _adjective(chance: random.Random) -> list[str]:
    return [chance.choice(ADJECTIVES)] if chance.random() < 0.5 else []


def is_sentence(words: Sequence[str]) -> bool:
    """Whether the grammar makes this sentence.

    Example:
        >>> is_sentence("the cats near the dog see the bird .".split())
        True
        >>> is_sentence("the cats near the dog sees the bird .".split())
        False
    """
    rest = list(words)

    def take(*options: str) -> str:
        return rest.pop(0) if rest and rest[0] in options else ""

    subject = take("the") and (take(*ADJECTIVES), take(*NOUNS[0], *NOUNS[1]))[1]
    if not subject or (take("near") and not (take("the") and take(*NOUNS[0], *NOUNS[1]))):
        return False
    verb = take(*VERBS[subject in NOUNS[1]])
    found = verb and take("the") and (take(*ADJECTIVES), take(*NOUNS[0], *NOUNS[1]))[1] and take(".")
    return bool(found) and not rest


def entropy_rate() -> float:
    """Return the grammar's entropy in nats per word, full stop included: the least loss without seeing the future.

    It is the entropy of all choices in a sentence, divided by the mean number of its words.

    Example:
        >>> round(entropy_rate(), 3)
        1.115
    """
    coin, adjective, noun, verb = math.log(2), math.log(len(ADJECTIVES)), math.log(8), math.log(3)
    surprise = 2 * (coin + adjective / 2 + noun) + (coin + noun / 2) + verb
    return surprise / (2 * 2.5 + 0.5 * 3 + 2)


def loss_on(sentences: Sequence[Sequence[str]]) -> float:
    """Return the loss on these sentences, in nats per word, of a model that knows the grammar and all its chances.

    Each choice costs the logarithm of the number of its options. A few sentences have more or fewer choices than the
    average, so this is a little above or below the entropy.

    Example:
        >>> round(loss_on(["the cats near the dog see the bird .".split()]), 3)  # 3 coins, 3 nouns, a verb
        1.046
    """
    coin, adjective, noun, verb = math.log(2), math.log(len(ADJECTIVES)), math.log(8), math.log(3)
    words = [word for one in sentences for word in one]
    n_adjectives = sum(word in ADJECTIVES for word in words)
    n_nouns = sum(word in NOUNS[0] + NOUNS[1] for word in words)
    return (len(sentences) * (3 * coin + verb) + n_adjectives * adjective + n_nouns * noun) / len(words)


def draw_sentences(n_sentences: int, seed: int) -> list[list[str]]:
    """Sentences drawn from a seed."""
    chance = random.Random(seed)
    return [sentence(chance) for _ in range(n_sentences)]


def encode(sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
    """Encode sentences as indices into WORDS.

    Returns:
        Tokens, (batch, 1 + LONGEST): a start mark, the words, padding; and lengths with the mark, (batch,).

    Example:
        >>> tokens, lengths = encode([["the", "cat", "sees"]])
        >>> tokens[0, :5], lengths
        (tensor([ 1,  3,  8, 16,  0]), tensor([4]))
    """
    index = {word: i for i, word in enumerate(WORDS)}
    rows = [[START, *(index[word] for word in words)] for words in sentences]
    tokens = torch.tensor([[*row, *[PAD] * (1 + LONGEST - len(row))] for row in rows])
    return tokens, torch.tensor([len(row) for row in rows])


def decode(tokens: Tensor) -> list[list[str]]:
    """Return the words of each row (batch, n) after its start mark, up to the first full stop where there is one.

    Example:
        >>> decode(torch.tensor([[1, 3, 8, 16, 2, 5]]))
        [['the', 'cat', 'sees', '.']]
    """
    texts = [[WORDS[i] for i in row] for row in tokens[:, 1:].tolist()]
    return [text[: text.index(".") + 1] if "." in text else text for text in texts]
