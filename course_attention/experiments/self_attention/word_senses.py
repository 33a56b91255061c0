"""A small generated language with ambiguous words: each has two senses, and a clue elsewhere in the sentence decides.

A sentence names two or three ambiguous words and one clue for each of them, at random places among words that say
nothing about the senses. A reader must therefore find the clue that belongs to a word, and ignore the others.
"""

import random
import re
from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor, nn

SENSES = ("nature", "people")
# For each ambiguous word: clues that it means something in nature, and clues that it means something people made.
CLUES = {
    "bank": (("river", "water", "mud", "reeds"), ("money", "loan", "cash", "cheque")),
    "bat": (("cave", "moths", "dusk", "fur"), ("ball", "pitch", "umpire", "innings")),
    "crane": (("nest", "beak", "egg", "feathers"), ("steel", "hook", "tower", "concrete")),
    "mouse": (("cheese", "tail", "owl", "whiskers"), ("screen", "cable", "keyboard", "button")),
    "trunk": (("bark", "leaves", "roots", "squirrel"), ("lid", "clothes", "lock", "journey")),
}
_NEUTRAL = ("man", "woman", "table", "house", "road", "door", "letter", "window")
_LINKS = ("and", "near", "with", "behind", "after", "by")
_ARTICLES = ("the", "a", "this", "that")
UNKNOWN = "…"  # stands for every word that the language does not have
AMBIGUOUS = tuple(CLUES)
ALL_CLUES = tuple(chain.from_iterable(nature + people for nature, people in CLUES.values()))
VOCABULARY = (UNKNOWN, *_ARTICLES, *_LINKS, *_NEUTRAL, *AMBIGUOUS, *ALL_CLUES)
NO_SENSE = -1  # the target at a word that is not ambiguous
N_TOKENS, _N_NOUNS = 20, 8
_NUMBER = {word: number for number, word in enumerate(VOCABULARY)}


@dataclass(frozen=True)
class Sentences:
    """Sentences of N_TOKENS words each.

    Attributes:
        tokens: `(n_sentences, N_TOKENS)`, the numbers of the words in VOCABULARY.
        senses: `(n_sentences, N_TOKENS)`, a number in SENSES at each ambiguous word, NO_SENSE at all others.
        distances: `(n_sentences, N_TOKENS)`, how many places away an ambiguous word's clue is; 0 where there is none.
    """

    tokens: Tensor
    senses: Tensor
    distances: Tensor


def draw_sentences(n_sentences: int, seed: int, same_word_twice: bool = False) -> Sentences:
    """Draw sentences at random; one in six is without clues.

    Args:
        n_sentences: how many.
        seed: of the random numbers.
        same_word_twice: each sentence has one ambiguous word twice, once in each sense, and the next noun after each
            of the two is its clue. Otherwise the ambiguous words differ, and clues stand anywhere or are missing.

    Example:
        >>> sentences = draw_sentences(3, seed=0)
        >>> sentences.tokens.shape, words(sentences.tokens[0])[:5]
        (torch.Size([3, 20]), ['behind', 'bank', 'after', 'the', 'mouse'])
    """
    rng = random.Random(seed)
    drawn = [_sentence(rng, _twice(rng) if same_word_twice else _apart(rng)) for _ in range(n_sentences)]
    tokens, senses, distances = (torch.tensor(column) for column in zip(*drawn, strict=True))
    return Sentences(tokens, senses, distances)


def word_vectors(d_model: int = 16, std: float = 0.1) -> nn.Embedding:
    """Return a table of drawn vectors for the words, short at first, so that all words get similar weights.

    Example:
        >>> word_vectors(8)(tokens_of("a steep river")).shape
        torch.Size([3, 8])
    """
    embedding = nn.Embedding(len(VOCABULARY), d_model)
    nn.init.normal_(embedding.weight, std=std)
    return embedding


def words(tokens: Tensor) -> list[str]:
    """Return the words of one sentence, `(n_tokens,)`."""
    return [VOCABULARY[number] for number in tokens.tolist()]


def tokens_of(sentence: str) -> Tensor:
    """Return the numbers of a typed sentence's words, `(n_tokens,)`; 0, that of UNKNOWN, for words it does not have.

    Example:
        >>> words(tokens_of("The bank, near a steep river!"))
        ['the', 'bank', 'near', 'a', '…', 'river']
    """
    return torch.tensor([_NUMBER.get(word, 0) for word in typed_words(sentence)], dtype=torch.long)


def typed_words(sentence: str) -> list[str]:
    """Return the words of a typed sentence, in lower case and without punctuation, known or not."""
    return re.findall(r"[^\W_]+", sentence.lower())


# A noun of a sentence: the word, its sense, and the number of its pair, which it shares with its clue.
_Noun = tuple[str, int, int | None]


def _pair(rng: random.Random, word: str, sense: int, number: int) -> list[_Noun]:
    return [(word, sense, number), (rng.choice(CLUES[word][sense]), NO_SENSE, number)]


def _apart(rng: random.Random) -> list[_Noun]:
    chosen = rng.sample(AMBIGUOUS, rng.choice((2, 3)))
    pairs = [_pair(rng, word, rng.randrange(2), number) for number, word in enumerate(chosen)]
    if rng.random() < 1 / 6:
        pairs = [pair[:1] for pair in pairs]
    nouns = list(chain.from_iterable(pairs))
    nouns += _neutral(rng, _N_NOUNS - len(nouns))
    rng.shuffle(nouns)
    return nouns


def _twice(rng: random.Random) -> list[_Noun]:
    word, senses = rng.choice(AMBIGUOUS), rng.sample((0, 1), 2)
    groups = [_pair(rng, word, sense, number) for number, sense in enumerate(senses)]
    groups += [[noun] for noun in _neutral(rng, _N_NOUNS - 4)]
    rng.shuffle(groups)
    return list(chain.from_iterable(groups))


def _neutral(rng: random.Random, number: int) -> list[_Noun]:
    # Some are unknown words, so that a reader learns that these say nothing.
    return [(UNKNOWN if rng.random() < 0.2 else word, NO_SENSE, None) for word in rng.sample(_NEUTRAL, number)]


def _sentence(rng: random.Random, nouns: list[_Noun]) -> tuple[list[int], list[int], list[int]]:
    """Tokens, senses and distances of a sentence with these nouns, each after one or two small words."""
    places, tokens, senses = [], [], []
    with_link = set(rng.sample(range(_N_NOUNS), N_TOKENS - 2 * _N_NOUNS))
    for index, (noun, sense, _) in enumerate(nouns):
        before = [rng.choice(_LINKS), rng.choice(_ARTICLES)] if index in with_link else [rng.choice(_LINKS)]
        tokens += [*before, noun]
        senses += [NO_SENSE] * len(before) + [sense]
        places.append(len(tokens) - 1)
    distances = [0] * N_TOKENS
    for (_, sense, number), place in zip(nouns, places, strict=True):
        if sense != NO_SENSE:
            clue = (p for n, p in zip(nouns, places, strict=True) if n[2] == number and p != place)
            distances[place] = abs(next(clue, place) - place)
    return [_NUMBER[word] for word in tokens], senses, distances
