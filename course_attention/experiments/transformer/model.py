"""The encoder–decoder of Vaswani et al. (2017) at laptop scale: the model that notebook 08 trains.

It translates the same pairs as the recurrent `Translator` of notebook 01 and is called in the same way, so that one
training serves both. All tokens are processed at once, except that a translation is written one token at a time.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from course_attention.experiments.common.pairs import START
from course_attention.mechanisms.masking import causal_mask
from course_attention.mechanisms.positions import sinusoidal_encoding
from course_attention.mechanisms.transformer import DecoderBlock, EncoderBlock, shift_right

Block = Callable[[int, int, int], nn.Module]


class Transformer(nn.Module):
    """A Transformer: embeddings with positions added, encoder blocks, decoder blocks, output layer.

    Args:
        n_source_symbols, n_target_symbols: sizes of the vocabularies.
        encoder_block, decoder_block: classes with the contracts of `EncoderBlock` and `DecoderBlock`.
        shift: makes decoder inputs from targets, as `shift_right` does.
        d_model, n_heads, d_hidden: sizes of a block.
        n_blocks: in the encoder, and in the decoder.
        base: of the sinusoidal encoding. It is 100 and not 10,000, since the texts are at most 35 tokens long, over
            which the slowest pairs would hardly change.
        positions: whether the position of each token is added to its embedding.
        causal: whether the decoder has a causal mask.
        seed: of the initial weights; the global random state is left as it was.
    """

    def __init__(
        self,
        n_source_symbols: int,
        n_target_symbols: int,
        encoder_block: Block = EncoderBlock,
        decoder_block: Block = DecoderBlock,
        shift: Callable[[Tensor, int], Tensor] = shift_right,
        d_model: int = 64,
        n_heads: int = 4,
        d_hidden: int = 128,
        n_blocks: int = 2,
        base: float = 100.0,
        positions: bool = True,
        causal: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.embed_source = nn.Embedding(n_source_symbols, d_model)
            self.embed_target = nn.Embedding(n_target_symbols, d_model)
            sizes = d_model, n_heads, d_hidden
            self.encoder = nn.ModuleList(encoder_block(*sizes) for _ in range(n_blocks))
            self.decoder = nn.ModuleList(decoder_block(*sizes) for _ in range(n_blocks))
            self.output = nn.Linear(d_model, n_target_symbols)
            for embedding in (self.embed_source, self.embed_target):
                nn.init.normal_(embedding.weight, std=0.5)  # about as large as the positions added to them
        self.shift, self.base, self.positions, self.causal = shift, base, positions, causal

    def place(self, embedded: Tensor) -> Tensor:
        """Tokens (batch, n_tokens, d_model) with their positions added."""
        if not self.positions:
            return embedded
        n_tokens, d_model = embedded.shape[-2:]
        return embedded + sinusoidal_encoding(n_tokens, d_model, self.base, device=embedded.device)

    def encode(self, source: Tensor, allowed: Tensor) -> Tensor:
        """One vector for each source symbol, (batch, n_source, d_model); `allowed` is (batch, n_source)."""
        x = self.place(self.embed_source(source))
        for block in self.encoder:
            x = block(x, allowed.unsqueeze(-2))
        return x

    def decode(self, symbols: Tensor, memory: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor]:
        """Predict the symbol after each of those written so far, and give the cross-attention to the source.

        Args:
            symbols: written so far, (batch, n_target).
            memory: the encoder's output, (batch, n_source, d_model).
            allowed: True on tokens of the source, (batch, n_source).

        Returns:
            Logits, (batch, n_target, n_target_symbols), and the cross-attention of every block,
            (batch, n_blocks, n_heads, n_target, n_source).
        """
        x, weights = self.place(self.embed_target(symbols)), []
        before = causal_mask(symbols.shape[-1], device=x.device) if self.causal else None
        for block in self.decoder:
            x, cross_weights = block(x, memory, before, allowed.unsqueeze(-2))
            weights.append(cross_weights)
        return self.output(x), torch.stack(weights, dim=-4)

    def forward(self, source: Tensor, allowed: Tensor, target: Tensor) -> Tensor:
        """Logits, (batch, n_target, n_target_symbols), given the right symbols before (teacher forcing)."""
        return self.decode(self.shift(target, START), self.encode(source, allowed), allowed)[0]

    @torch.no_grad()
    def translate(self, source: Tensor, allowed: Tensor, n_target: int) -> tuple[Tensor, Tensor]:
        """Greedy decoding: the likeliest symbol at each step becomes the input of the next.

        Returns:
            Symbols, (batch, n_target), and the alignment, (batch, n_target, n_source): the cross-attention of
            the last block, mean over its heads.
        """
        memory, symbols = self.encode(source, allowed), torch.full_like(source[:, :1], START)
        for _ in range(n_target):
            logits, weights = self.decode(symbols, memory, allowed)
            symbols = torch.cat([symbols, logits[:, -1:].argmax(dim=-1)], dim=1)
        return symbols[:, 1:], weights[:, -1].mean(dim=-3)


# What the date Transformer is trained with, beside the defaults of `translation.train`. The second moment of Adam
# averages over fewer steps, as in the paper: there are few in all.
TRAINING = {"n_steps": 700, "learning_rate": 5e-3, "betas": (0.9, 0.98), "fused": True}
