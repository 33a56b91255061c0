"""Multimodal fusion: a model names the word in each frame of sound, from the sound and from the written text.

Sound and text have different lengths and are not aligned. Four ways to join them are compared.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.transformer.spoken_sentences import (
    N_BANDS,
    PAD,
    WORDS,
    Recordings,
    draw_recordings,
)
from course_attention.mechanisms.masking import padding_mask
from course_attention.mechanisms.positions import sinusoidal_encoding
from course_attention.mechanisms.transformer import DecoderBlock, EncoderBlock, sequence_loss

FUSIONS = ("sound alone", "text laid alongside", "laid alongside, then self-attention", "cross-attention")
N_PLACES = 16  # positions from the beginning of a sequence to its end


class FusionModel(nn.Module):
    """A classifier that names the word spoken in each frame of sound.

    Args:
        fusion: one of FUSIONS. A text that is laid alongside is stretched to the length of the sound, and each frame is
            given the word at its place; it sees no other frame unless self-attention follows. With cross-attention,
            each frame attends to the words.
        d_model, n_heads, d_hidden: sizes of the block.
        places: whether frames and words have positions, as a share of the length of their sequence.
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
            x = x + self.read(stretched_text(recordings))
        if self.fusion == "text laid alongside":
            allowed = torch.eye(x.shape[-2], dtype=torch.bool, device=x.device)
        return self.say(self.block(x, allowed)), None

    def _place(self, n_tokens: int, lengths: Tensor) -> Tensor | float:
        if not self.places:
            return 0.0
        encoding = sinusoidal_encoding(N_PLACES, self.read.embedding_dim, base=100.0, device=lengths.device)
        place = torch.arange(n_tokens, device=lengths.device) * N_PLACES // lengths[:, None]
        return encoding[place.clamp(max=N_PLACES - 1)]


def stretched_text(recordings: Recordings) -> Tensor:
    """The text stretched to the length of each recording, (batch, n_frames), in the order of its words.

    Example:
        >>> sound, text = torch.zeros(1, 4, N_BANDS), torch.tensor([[5, 7]])
        >>> stretched_text(Recordings(sound, sound[..., 0], torch.tensor([4]), text, torch.tensor([2])))
        tensor([[5, 5, 7, 7]])
    """
    frame = torch.arange(recordings.sound.shape[1], device=recordings.sound.device)
    place = frame * recordings.n_words[:, None] // recordings.n_frames[:, None]
    last = recordings.text.shape[1] - 1
    return recordings.text.gather(1, place.clamp(max=last))


@one_thread()
def train(
    fusion: str,
    seed: int = 0,
    n_steps: int = 150,
    batch: int = 32,
    both: bool = False,
    device: torch.device | str = "cpu",
    progress: Callable = lambda steps: steps,
    loss: Callable = sequence_loss,
    **settings,
) -> FusionModel:
    """Train a model by Adam, its learning rate falling to 0; silent frames are not counted.

    Args:
        fusion: one of FUSIONS.
        seed: of the recordings, the initial weights and the batches.
        n_steps, batch: training steps, and recordings in each.
        both: let every sentence have one sound twice, as in `draw_recordings`.
        device: where to train.
        progress: wraps the steps, such as tqdm.
        loss: has the arguments and the result of `sequence_loss`.
        settings: of the model, as `FusionModel` takes them.
    """
    torch.manual_seed(seed)
    model = FusionModel(fusion, **settings).to(device)
    update = torch.optim.Adam(model.parameters(), lr=1e-2)
    falling = torch.optim.lr_scheduler.LinearLR(update, 1.0, 0.02, total_iters=n_steps)
    recordings = draw_recordings(batch * 40, torch.Generator().manual_seed(seed), both=both).to(device)
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
def accuracy(model: FusionModel, recordings: Recordings, among: Tensor | None = None) -> float:
    """The share of frames with the right word, silence left out; `among`, (batch, n_frames), selects some frames."""
    right = model(recordings)[0].argmax(dim=-1) == recordings.spoken
    counted = recordings.spoken != PAD
    return right[counted if among is None else counted & among].float().mean().item()
