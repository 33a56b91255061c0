"""Made-up recordings of sentences with their text: half of the words are homophones of the other half.

A recording cannot tell homophones apart, and the text can. Sound and text have different lengths and are not aligned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

PAD = 0
HOMOPHONES = (
    ("sea", "see"),
    ("sun", "son"),
    ("right", "write"),
    ("hour", "our"),
    ("night", "knight"),
    ("male", "mail"),
    ("hair", "hare"),
    ("flour", "flower"),
)
WORDS = ("_", *(word for pair in HOMOPHONES for word in pair))
N_BANDS = 8  # numbers in a frame of sound
NOISE = 0.5


def sound_of(word: Tensor) -> Tensor:
    """Return the index of a word's sound: words 1 and 2 have sound 0, words 3 and 4 have sound 1, and so on."""
    return (word - 1) // 2


@dataclass(frozen=True)
class Recordings:
    """Sentences as sound and as text.

    Attributes:
        sound: (batch, n_frames, N_BANDS).
        spoken: (batch, n_frames), the word in each frame; PAD in silence and after the end.
        n_frames: (batch,), number of frames of each recording.
        text: (batch, n_words), indices into WORDS, PAD after the end.
        n_words: (batch,), number of words of each text.
    """

    sound: Tensor
    spoken: Tensor
    n_frames: Tensor
    text: Tensor
    n_words: Tensor

    def __len__(self) -> int:
        return len(self.sound)

    def __getitem__(self, rows: slice | Tensor) -> Recordings:
        """Return some of the recordings, filled up to the same lengths as all of them.

        Example:
            >>> drawn = draw_recordings(5, torch.Generator().manual_seed(0))
            >>> len(drawn[:2]), drawn[:2].sound.shape == (2, *drawn.sound.shape[1:])
            (2, True)
        """
        return Recordings(*(part[rows] for part in vars(self).values()))

    def to(self, device: torch.device | str) -> Recordings:
        """Return the same recordings on another device."""
        return Recordings(*(part.to(device) for part in vars(self).values()))


def sound_prototypes() -> Tensor:
    """Return the prototype of each sound, (n_sounds, N_BANDS), the same in every recording."""
    return torch.randn(len(HOMOPHONES), N_BANDS, generator=torch.Generator().manual_seed(1))


def draw_recordings(
    n_sentences: int,
    generator: torch.Generator,
    fewest: int = 3,
    most: int = 6,
    both: bool = False,
) -> Recordings:
    """Draw sentences of different words; each word takes one to six frames, after up to five of silence.

    Args:
        n_sentences: how many.
        generator: draws everything.
        fewest, most: words in a sentence, which all sound different.
        both: let every sentence have one sound twice, once for each of its words.
    """
    prototypes = sound_prototypes()
    sentences, frames = [], []
    for _ in range(n_sentences):
        n_words = int(torch.randint(fewest, most + 1, (), generator=generator))
        sounds = torch.randperm(len(HOMOPHONES), generator=generator)[:n_words]
        words = 1 + 2 * sounds + torch.randint(2, (n_words,), generator=generator)
        if both:  # the last word is the other one that sounds like the first
            words[-1] = words[0] + 1 if words[0] % 2 else words[0] - 1
        lasting = torch.randint(1, 7, (n_words,), generator=generator)
        silence = torch.randint(0, 6, (n_words,), generator=generator)
        pieces = [
            torch.tensor([PAD] * int(s) + [int(w)] * int(n)) for w, n, s in zip(words, lasting, silence, strict=True)
        ]
        sentences.append(words)
        frames.append(torch.cat(pieces).long())
    text = nn.utils.rnn.pad_sequence(sentences, batch_first=True)
    spoken = nn.utils.rnn.pad_sequence(frames, batch_first=True)
    heard = prototypes[sound_of(spoken).clamp(min=0)] * (spoken != PAD).unsqueeze(-1)
    sound = heard + NOISE * torch.randn(heard.shape, generator=generator)
    lengths = [torch.tensor([len(row) for row in rows]) for rows in (frames, sentences)]
    return Recordings(sound, spoken, lengths[0], text, lengths[1])


def shuffle_words(recordings: Recordings, generator: torch.Generator) -> Recordings:
    """Return the same recordings, with the words of each text in another order."""
    text = recordings.text.clone()
    for row, n_words in zip(text, recordings.n_words.tolist(), strict=True):
        row[:n_words] = row[torch.randperm(n_words, generator=generator).to(row.device)]
    return replace(recordings, text=text)


def homophone_in_text(recordings: Recordings) -> Tensor:
    """Return a mask, (batch, n_frames), True where the text holds another word that sounds like the one spoken."""
    alike = sound_of(recordings.spoken)[:, :, None] == sound_of(recordings.text)[:, None, :]
    return (alike & (recordings.text != PAD)[:, None, :]).sum(dim=-1) > 1
