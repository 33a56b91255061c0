"""The translator that notebook 01 builds and trains: a GRU encoder–decoder, with attention or without.

The class is the one that the notebook shows, line by line; a test compares the two. Only the docstrings are longer
here. What `decode` does is left to the notebook's reader.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_attention.experiments.common.pairs import START
from course_attention.mechanisms.seq2seq import attend_and_concat

Attend = Callable[[Tensor, Tensor, Tensor | None], tuple[Tensor, Tensor]]


class Translator(nn.Module):
    """A recurrent encoder–decoder.

    The encoder is bidirectional, as in Bahdanau et al. (2015), section 3.2: h_i joins the state of a GRU that reads
    forwards and the state of one that reads backwards. The decoder starts from the last state of each. With attention
    the output layers read [a_t; s_t], and without it s_t alone; nothing else differs. There are two output layers, as
    in Luong et al. (2015), equations 5 and 6: one with tanh, and one to the symbols.

    Args:
        n_source_symbols, n_target_symbols: sizes of the vocabularies.
        attend: a function with the contract of `attend_and_concat`; None leaves attention out.
        d_embedding, d_hidden: sizes of the embeddings and of the states h_i and s_t. d_hidden is even, because half of
            h_i belongs to each direction.

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
    ) -> None:
        super().__init__()
        self.attend = attend
        self.embed_source = nn.Embedding(n_source_symbols, d_embedding)
        self.embed_target = nn.Embedding(n_target_symbols, d_embedding)
        self.encoder = nn.GRU(d_embedding, d_hidden // 2, batch_first=True, bidirectional=True)
        self.decoder = nn.GRUCell(d_embedding, d_hidden)
        d_joined = d_hidden if attend is None else 2 * d_hidden
        self.output = nn.Sequential(nn.Linear(d_joined, d_hidden), nn.Tanh(), nn.Linear(d_hidden, n_target_symbols))

    def encode(self, source: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor]:
        """Read a batch of texts.

        Args:
            source: symbols, (batch, n_source).
            allowed: True on characters and False on padding, (batch, n_source).

        Returns:
            States h_1 … h_N, (batch, n_source, d_hidden), and both directions' last states, (batch, d_hidden).
        """
        embedded, lengths = self.embed_source(source), allowed.sum(dim=1).cpu()
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        states, last = self.encoder(packed)  # packed, so that neither direction reads padding
        memory, _ = pad_packed_sequence(states, batch_first=True, total_length=source.shape[1])
        return memory, torch.cat([last[0], last[1]], dim=-1)

    def step(
        self, symbol: Tensor, state: Tensor, memory: Tensor, allowed: Tensor
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """One step of the decoder.

        Args:
            symbol: y_(t−1), (batch,).
            state: s_(t−1), (batch, d_hidden).
            memory, allowed: the encoder's states and the mask.

        Returns:
            Logits, (batch, n_target_symbols), the new state s_t, and the distribution α^t, None without attention.
        """
        state = self.decoder(self.embed_target(symbol), state)
        if self.attend is None:
            return self.output(state), state, None
        joined, distribution = self.attend(state, memory, allowed)
        return self.output(joined), state, distribution

    def forward(self, source: Tensor, allowed: Tensor, target: Tensor) -> Tensor:
        """Logits, (batch, n_target, n_target_symbols), given the right symbols before (teacher forcing)."""
        memory, state = self.encode(source, allowed)
        symbol = torch.full_like(target[:, 0], START)
        logits = []
        for t in range(target.shape[1]):
            step_logits, state, _ = self.step(symbol, state, memory, allowed)
            logits.append(step_logits)
            symbol = target[:, t]
        return torch.stack(logits, dim=1)

    def translate(self, source: Tensor, allowed: Tensor, n_target: int) -> tuple[Tensor, Tensor | None]:
        """Return what `decode` writes, (batch, n_target), and the alignment (batch, n_target, n_source) or None."""
        symbols, alignment = decode(self, source, allowed, n_target)
        return symbols, None if self.attend is None else torch.stack(alignment, dim=1)


@torch.no_grad()
def decode(model: Translator, source: Tensor, allowed: Tensor, n_steps: int) -> tuple[Tensor, list]:
    """Greedy decoding: the most probable symbol of each step becomes the input of the next.

    Args:
        model: with the methods `encode` and `step` of a `Translator`.
        source, allowed: symbols and mask, (batch, n_source).
        n_steps: how many symbols are written.

    Returns:
        Symbols, (batch, n_steps), and a list of the distributions α^t, each (batch, n_source), or None without
        attention.
    """
    memory, state = model.encode(source, allowed)
    symbol = torch.full_like(source[:, 0], START)
    symbols, alignment = [], []
    for _ in range(n_steps):
        logits, state, distribution = model.step(symbol, state, memory, allowed)
        symbol = logits.argmax(dim=-1)
        symbols.append(symbol)
        alignment.append(distribution)
    return torch.stack(symbols, dim=1), alignment
