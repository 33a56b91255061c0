"""A GRU encoder–decoder, with attention or without: the model that notebook 01 trains.

The encoder is bidirectional, as in Bahdanau et al. (2015), section 3.2: h_i joins a forward and a backward state, so
that it knows what follows character i as well as what comes before. ("19 May" and "1984" begin alike, and an encoder
that reads one way only confuses them more often.) The decoder starts from the last state of each direction. A plain
encoder–decoder has nothing else; attention gives it access to every h_i. Decoder states have the size of encoder
states, since the dot product between them needs that.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from course_attention.experiments.common.pairs import START
from course_attention.mechanisms.seq2seq import attend_and_concat

Attend = Callable[[Tensor, Tensor, Tensor | None], tuple[Tensor, Tensor]]


class Translator(nn.Module):
    """A recurrent translation model: encoder, decoder and output layers.

    With attention the output layers read [a_t; s_t], and without it s_t alone; nothing else differs. There are two of
    them, as in Luong et al. (2015), eq. 5 and 6: one with tanh, and one to the symbols.

    Args:
        n_source_symbols, n_target_symbols: sizes of the vocabularies.
        attend: a function with the contract of `attend_and_concat`; None leaves attention out.
        d_embedding, d_hidden: sizes of embeddings and of states h_i, s_t; d_hidden is even, half of h_i
            for each direction.
        seed: of the initial weights; the global random state is left as it was.

    Example:
        >>> model = Translator(n_source_symbols=9, n_target_symbols=7)
        >>> source = torch.tensor([[3, 4, 5], [6, 7, 0]])
        >>> model(source, source != 0, target=torch.tensor([[3, 2], [4, 2]])).shape
        torch.Size([2, 2, 7])
    """

    def __init__(
        self,
        n_source_symbols: int,
        n_target_symbols: int,
        attend: Attend | None = attend_and_concat,
        d_embedding: int = 32,
        d_hidden: int = 64,
        seed: int = 0,
    ) -> None:
        super().__init__()
        with torch.random.fork_rng(devices=[]):  # building a layer draws weights from the global state
            self.embed_source = nn.Embedding(n_source_symbols, d_embedding)
            self.embed_target = nn.Embedding(n_target_symbols, d_embedding)
            self.encoder = nn.GRU(d_embedding, d_hidden // 2, batch_first=True, bidirectional=True)
            self.decoder = nn.GRU(d_embedding, d_hidden, batch_first=True)
            self.output = nn.Sequential(
                nn.Linear(d_hidden if attend is None else 2 * d_hidden, d_hidden),
                nn.Tanh(),
                nn.Linear(d_hidden, n_target_symbols),
            )
        self.attend = attend
        self._draw_weights(torch.Generator().manual_seed(seed), 1 / math.sqrt(d_hidden))

    def _draw_weights(self, generator: torch.Generator, bound: float) -> None:
        for name, weight in self.named_parameters():
            if name.startswith("embed"):
                nn.init.normal_(weight, generator=generator)
            else:
                nn.init.uniform_(weight, -bound, bound, generator=generator)

    def encode(self, embedded: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor]:
        """Run the encoder over an embedded source, so that gradients with respect to the embeddings can be taken.

        Args:
            embedded: (batch, n_source, d_embedding).
            allowed: True on characters, (batch, n_source).

        Returns:
            States h_1 … h_N, (batch, n_source, d_hidden), and both directions' last states, (batch, d_hidden).
        """
        lengths = allowed.sum(dim=1).cpu()
        packed = nn.utils.rnn.pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        states, last = self.encoder(packed)  # packed, so that neither direction reads padding
        memory, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True, total_length=allowed.shape[1])
        return memory, torch.cat([last[0], last[1]], dim=-1)

    def read(self, state: Tensor, memory: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor | None]:
        """Logits, (batch, n_target_symbols), from one decoder state s_t, and the distribution α^t if any."""
        if self.attend is None:
            return self.output(state), None
        joined, distribution = self.attend(state, memory, allowed)
        return self.output(joined), distribution

    def forward(self, source: Tensor, allowed: Tensor, target: Tensor) -> Tensor:
        """Logits, (batch, n_target, n_target_symbols), given the right symbols before (teacher forcing)."""
        memory, last = self.encode(self.embed_source(source), allowed)
        previous = torch.cat([torch.full_like(target[:, :1], START), target[:, :-1]], dim=1)
        states, _ = self.decoder(self.embed_target(previous), last.unsqueeze(0))
        return torch.stack([self.read(state, memory, allowed)[0] for state in states.unbind(dim=1)], dim=1)

    @torch.no_grad()
    def translate(self, source: Tensor, allowed: Tensor, n_target: int) -> tuple[Tensor, Tensor | None]:
        """Greedy decoding: the likeliest symbol at each step becomes the input of the next.

        Returns:
            Symbols, (batch, n_target), and the alignment, (batch, n_target, n_source), None without
            attention.
        """
        memory, last = self.encode(self.embed_source(source), allowed)
        state, symbol = last.unsqueeze(0), torch.full_like(source[:, 0], START)
        symbols, alignment = [], []
        for _ in range(n_target):
            _, state = self.decoder(self.embed_target(symbol).unsqueeze(1), state)
            logits, distribution = self.read(state[0], memory, allowed)
            symbol = logits.argmax(dim=-1)
            symbols.append(symbol)
            if distribution is not None:
                alignment.append(distribution)
        return torch.stack(symbols, dim=1), torch.stack(alignment, dim=1) if alignment else None
