"""Cross-attention learns to align two sequences of different lengths: frames of sound attend to letters.

Each letter of a word is held for several frames. A frame is a noisy sound of its letter. A letter's vector says which
letter it is, and carries a mark, drawn anew for every word, that cannot be heard. The task is to give each frame the
mark of its letter, so that the frame has to attend to its letter. The right alignment is never shown in training.
"""

import string
from dataclasses import dataclass

import torch
from torch import Tensor

LETTERS = string.ascii_lowercase
D_SOUND, D_LETTER, D_MARK = 16, 12, 4


@dataclass(frozen=True)
class Speech:
    """A spoken word, or a batch of them.

    Attributes:
        frames: of sound, `(..., n_frames, D_SOUND)`.
        letters: `(..., n_letters, D_LETTER + D_MARK)`, each with its mark last.
        spoken: index of the letter that each frame belongs to, `(..., n_frames)`.
    """

    frames: Tensor
    letters: Tensor
    spoken: Tensor

    @property
    def marks(self) -> Tensor:
        """The mark to be given to each frame, `(..., n_frames, D_MARK)`."""
        marks = self.letters[..., D_LETTER:]
        return marks.gather(-2, self.spoken.unsqueeze(-1).expand(*self.spoken.shape, D_MARK))


class Speaker:
    """Draws spoken words: has a fixed sound and a fixed vector for each letter.

    Args:
        seed: of everything that it draws.
        noise: standard deviation of what is added to a sound.
        device: where its tensors are.

    Example:
        >>> speech = Speaker().speak("cab", [1, 2, 1])
        >>> speech.spoken
        tensor([0, 1, 1, 2])
        >>> tuple(speech.frames.shape), tuple(speech.letters.shape), tuple(speech.marks.shape)
        ((4, 16), (3, 16), (4, 4))
    """

    def __init__(self, seed: int = 0, noise: float = 0.3, device: str | torch.device = "cpu"):
        self.generator = torch.Generator().manual_seed(seed)
        self.noise, self.device = noise, device
        self.sounds, self.vectors = self._draw(26, D_SOUND), self._draw(26, D_LETTER)

    def _draw(self, *shape) -> Tensor:
        return torch.randn(*shape, generator=self.generator).to(self.device)

    def speak(self, word: str, pace: list[int]) -> Speech:
        """Speak a word of lower-case letters, the i-th held for `pace[i]` frames."""
        letters = torch.tensor([LETTERS.index(letter) for letter in word], device=self.device)
        spoken = torch.repeat_interleave(torch.tensor(pace)).to(self.device)
        return self._say(letters, spoken)

    def speak_many(self, n_words: int, n_letters: int = 8, n_frames: int = 24) -> Speech:
        """Speak `n_words` random words of distinct letters, each letter for a random number of frames."""
        shuffled = torch.rand(n_words, 26, generator=self.generator).argsort(-1).to(self.device)
        # each letter gets one frame; the other frames are given to letters at random
        extra = torch.randint(n_letters, (n_words, n_frames - n_letters), generator=self.generator)
        spoken = torch.cat([torch.arange(n_letters).expand(n_words, -1), extra], -1).sort(-1).values
        return self._say(shuffled[:, :n_letters], spoken.to(self.device))

    def _say(self, letters: Tensor, spoken: Tensor) -> Speech:
        frames = self.sounds[letters.gather(-1, spoken)]
        marks = self._draw(*letters.shape, D_MARK)
        return Speech(
            frames + self.noise * self._draw(*frames.shape),
            torch.cat([self.vectors[letters], marks], -1),
            spoken,
        )
