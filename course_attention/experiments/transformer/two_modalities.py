"""Sound and text of one sentence, of different lengths and not aligned: what each way to join them makes of both.

Half of the words sound like another one. A recording cannot tell them apart, and the text can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.masking import padding_mask
from course_attention.mechanisms.positions import sinusoidal_encoding
from course_attention.mechanisms.transformer import DecoderBlock, EncoderBlock, sequence_loss

PAD = 0
ALIKE = (
    ("sea", "see"),
    ("sun", "son"),
    ("right", "write"),
    ("hour", "our"),
    ("night", "knight"),
    ("male", "mail"),
    ("hair", "hare"),
    ("flour", "flower"),
)
WORDS = ("_", *(word for pair in ALIKE for word in pair))
N_BANDS = 8  # numbers in a frame of sound
NOISE = 0.5


def sound_of(word: Tensor) -> Tensor:
    """Which of the sounds a word has: words 1 and 2 the first, words 3 and 4 the next, and so on."""
    return (word - 1) // 2


@dataclass(frozen=True)
class Recordings:
    """Sentences as they sound and as they are written.

    Attributes:
        sound: (batch, n_frames, N_BANDS).
        spoken: (batch, n_frames), the word in each frame; PAD in silence and after the end.
        n_frames: (batch,), frames of each recording.
        text: (batch, n_words), indices into WORDS, PAD after the end.
        n_words: (batch,), words of each text.
    """

    sound: Tensor
    spoken: Tensor
    n_frames: Tensor
    text: Tensor
    n_words: Tensor

    def to(self, device: torch.device | str) -> Recordings:
        """The same, elsewhere."""
        return Recordings(*(part.to(device) for part in vars(self).values()))


def voices() -> Tensor:
    """What each sound is like, (n_sounds, N_BANDS): loud in some bands, the same in every recording."""
    return torch.randn(len(ALIKE), N_BANDS, generator=torch.Generator().manual_seed(1))


def record(
    n_sentences: int,
    generator: torch.Generator,
    fewest: int = 3,
    most: int = 6,
    both: bool = False,
) -> Recordings:
    """Draw sentences of different words; each word takes one to six frames, after up to five of silence.

    Args:
        fewest, most: words in a sentence, which all sound different.
        both: let every sentence have one sound twice, once for each of its words.
    """
    prototypes = voices()
    sentences, frames = [], []
    for _ in range(n_sentences):
        n_words = int(torch.randint(fewest, most + 1, (), generator=generator))
        sounds = torch.randperm(len(ALIKE), generator=generator)[:n_words]
        words = 1 + 2 * sounds + torch.randint(2, (n_words,), generator=generator)
        if both:  # the last word is the other one that sounds like the first
            words[-1] = words[0] + 1 if words[0] % 2 else words[0] - 1
        lasting = torch.randint(1, 7, (n_words,), generator=generator)
        silence = torch.randint(0, 6, (n_words,), generator=generator)
        pieces = [
            torch.tensor([PAD] * int(s) + [int(w)] * int(n))
            for w, n, s in zip(words, lasting, silence, strict=True)
        ]
        sentences.append(words)
        frames.append(torch.cat(pieces).long())
    text = nn.utils.rnn.pad_sequence(sentences, batch_first=True)
    spoken = nn.utils.rnn.pad_sequence(frames, batch_first=True)
    heard = prototypes[sound_of(spoken).clamp(min=0)] * (spoken != PAD).unsqueeze(-1)
    sound = heard + NOISE * torch.randn(heard.shape, generator=generator)
    lengths = [torch.tensor([len(row) for row in rows]) for rows in (frames, sentences)]
    return Recordings(sound, spoken, lengths[0], text, lengths[1])


def shuffled(recordings: Recordings, generator: torch.Generator) -> Recordings:
    """The same recordings, with the words of each text in another order."""
    text = recordings.text.clone()
    for row, n_words in zip(text, recordings.n_words.tolist(), strict=True):
        row[:n_words] = row[torch.randperm(n_words, generator=generator).to(row.device)]
    return replace(recordings, text=text)


FUSIONS = ("sound alone", "text laid alongside", "laid alongside, then self-attention", "cross-attention")
N_PLACES = 16  # steps from beginning to end, where places are told


class Listener(nn.Module):
    """Says for each frame of sound which word is spoken.

    Args:
        fusion: one of FUSIONS. Laid alongside, the text is stretched to the length of the sound, and each frame is
            given the word at its place; it sees no other frame unless self-attention follows. By cross-attention, a
            frame looks for its word.
        places: whether frames and words know how far from the beginning they stand, as a share of the whole.
        encoder_block, decoder_block: make a block from d_model, n_heads and d_hidden.
    """

    def __init__(
        self,
        fusion: str,
        d_model: int = 32,
        n_heads: int = 2,
        d_hidden: int = 64,
        places: bool = False,
        encoder_block: Callable[[int, int, int], nn.Module] = EncoderBlock,
        decoder_block: Callable[[int, int, int], nn.Module] = DecoderBlock,
    ):
        super().__init__()
        self.fusion, self.places = fusion, places
        self.hear = nn.Linear(N_BANDS, d_model)
        self.read = nn.Embedding(len(WORDS), d_model)
        make = decoder_block if fusion == "cross-attention" else encoder_block
        self.block = make(d_model, n_heads, d_hidden)
        self.say = nn.Linear(d_model, len(WORDS))

    def forward(self, recordings: Recordings) -> tuple[Tensor, Tensor | None]:
        """Logits, (batch, n_frames, n_words), and the weights of cross-attention where there are any."""
        x = self.hear(recordings.sound) + self._place(recordings.sound.shape[1], recordings.n_frames)
        allowed = padding_mask(recordings.n_frames, x.shape[-2])
        if self.fusion == "cross-attention":
            n_words = recordings.text.shape[1]
            memory = self.read(recordings.text) + self._place(n_words, recordings.n_words)
            x, weights = self.block(x, memory, allowed, padding_mask(recordings.n_words, n_words))
            return self.say(x), weights
        if self.fusion != "sound alone":
            x = x + self.read(alongside(recordings))
        if self.fusion == "text laid alongside":
            allowed = torch.eye(x.shape[-2], dtype=torch.bool, device=x.device)
        return self.say(self.block(x, allowed)), None

    def _place(self, n_tokens: int, lengths: Tensor) -> Tensor | float:
        if not self.places:
            return 0.0
        encoding = sinusoidal_encoding(N_PLACES, self.read.embedding_dim, base=100.0, device=lengths.device)
        place = torch.arange(n_tokens, device=lengths.device) * N_PLACES // lengths[:, None]
        return encoding[place.clamp(max=N_PLACES - 1)]


def alongside(recordings: Recordings) -> Tensor:
    """The text stretched to the length of each recording, (batch, n_frames): word 0 first, the last word last.

    Example:
        >>> sound, text = torch.zeros(1, 4, N_BANDS), torch.tensor([[5, 7]])
        >>> alongside(Recordings(sound, sound[..., 0], torch.tensor([4]), text, torch.tensor([2])))
        tensor([[5, 5, 7, 7]])
    """
    frame = torch.arange(recordings.sound.shape[1], device=recordings.sound.device)
    place = frame * recordings.n_words[:, None] // recordings.n_frames[:, None]
    last = recordings.text.shape[1] - 1
    return recordings.text.gather(1, place.clamp(max=last))


@one_thread()
def trained(
    fusion: str,
    seed: int = 0,
    n_steps: int = 150,
    batch: int = 32,
    both: bool = False,
    device: torch.device | str = "cpu",
    progress: Callable = lambda steps: steps,
    loss: Callable = sequence_loss,
    **settings,
) -> Listener:
    """A listener trained by Adam, its rate falling to 0; silent frames are not counted. `both` as in `record`."""
    torch.manual_seed(seed)
    model = Listener(fusion, **settings).to(device)
    update = torch.optim.Adam(model.parameters(), lr=1e-2)
    falling = torch.optim.lr_scheduler.LinearLR(update, 1.0, 0.02, total_iters=n_steps)
    recordings = record(batch * 40, torch.Generator().manual_seed(seed), both=both).to(device)
    generator = torch.Generator().manual_seed(seed)
    for _ in progress(range(n_steps)):
        rows = torch.randint(batch * 40, (batch,), generator=generator).to(device)
        part = Recordings(*(values[rows] for values in vars(recordings).values()))
        found = loss(model(part)[0], part.spoken, PAD)
        update.zero_grad()
        found.backward()
        update.step()
        falling.step()
    return model.eval()


@torch.no_grad()
def accuracy(model: Listener, recordings: Recordings, among: Tensor | None = None) -> float:
    """The share of frames, silence left out, in which the right word is said; of some frames, if a mask says which."""
    right = model(recordings)[0].argmax(dim=-1) == recordings.spoken
    counted = recordings.spoken != PAD
    return right[counted if among is None else counted & among].float().mean().item()


def doubled(recordings: Recordings) -> Tensor:
    """Where the text holds another word that sounds like the one spoken: a mask, (batch, n_frames)."""
    alike = sound_of(recordings.spoken)[:, :, None] == sound_of(recordings.text)[:, None, :]
    return (alike & (recordings.text != PAD)[:, None, :]).sum(dim=-1) > 1
