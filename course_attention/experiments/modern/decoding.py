"""Autoregressive decoding: a model generates token by token, with a key–value cache or by recomputing everything."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.masking import causal_mask
from course_attention.mechanisms.modern import cached_attention
from course_attention.mechanisms.multi_head import merge_heads, split_heads
from course_attention.mechanisms.positions import sinusoidal_encoding

N_WORDS = 64
Mix = Callable[[int, Tensor, Tensor, Tensor], Tensor]


class CausalTransformer:
    """A causal Transformer with random weights: each layer is multi-head attention, then a feed-forward network.

    The text that it generates means nothing. Every token depends on all before it, so that generating costs as much as
    with a trained model.

    Args:
        n_layers, d_model, n_heads: its sizes.
        n_positions: length of the longest text.
        dtype: float64 by default, so that rounding does not change a token.
        device: where it computes.
    """

    def __init__(
        self,
        n_layers: int = 2,
        d_model: int = 64,
        n_heads: int = 4,
        n_positions: int = 1024,
        dtype: torch.dtype = torch.float64,
        device: torch.device | str = "cpu",
    ):
        generator = torch.Generator().manual_seed(0)

        def draw(d_in: int, d_out: int) -> Tensor:
            drawn = torch.randn(d_in, d_out, generator=generator, dtype=torch.float64) / d_in**0.5
            return drawn.to(device, dtype)

        d_hidden = 4 * d_model
        sizes = dict.fromkeys(("query", "key", "value", "out"), (d_model, d_model))
        sizes |= {"hidden": (d_model, d_hidden), "back": (d_hidden, d_model)}
        self.layers = [{name: draw(*size) for name, size in sizes.items()} for _ in range(n_layers)]
        self.words, self.out = draw(d_model, N_WORDS), draw(d_model, N_WORDS)
        self.places = sinusoidal_encoding(n_positions, d_model, device=device, dtype=torch.float64).to(dtype)
        self.n_heads = n_heads

    def logits(self, tokens: Tensor, first: int, mix: Mix) -> Tensor:
        """Logits of the word after the last token, `(N_WORDS,)`.

        Args:
            tokens: `(n_tokens,)`.
            first: position of the first of them.
            mix: the attention: from the number of the layer and a query, key and value, each `(n_heads, n_tokens,
                d_head)`, to an output.
        """
        d_model = len(self.words)
        x = d_model**0.5 * self.words.mT[tokens] + self.places[first : first + len(tokens)]
        for i, layer in enumerate(self.layers):
            known = F.layer_norm(x, (d_model,))
            query, key, value = (
                split_heads(known @ layer[name], self.n_heads) for name in ("query", "key", "value")
            )
            x = x + merge_heads(mix(i, query, key, value)) @ layer["out"]
            x = x + (F.layer_norm(x, (d_model,)) @ layer["hidden"]).relu() @ layer["back"]
        return F.layer_norm(x[-1], (d_model,)) @ self.out


def causal_attention(i: int, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Causal attention of all tokens at once; it is the same in every layer `i`."""
    return attention(query, key, value, causal_mask(query.shape[-2], device=query.device))[0]


def next_word_logits(writer: CausalTransformer, tokens: Sequence[int], mix: Mix = causal_attention) -> Tensor:
    """Logits of the word after some tokens, `(N_WORDS,)`, by one pass over all of them.

    Example:
        >>> next_word_logits(CausalTransformer(), [1, 2, 3]).shape
        torch.Size([64])
    """
    return writer.logits(torch.tensor(tokens, device=writer.words.device), 0, mix)


@dataclass(frozen=True)
class GeneratedText:
    """A generated text, and how long each token took.

    Attributes:
        tokens: `(n_tokens,)`.
        seconds: `(n_tokens,)`; on the CPU by the thread's own clock, so that other programs don't count.
    """

    tokens: np.ndarray
    seconds: np.ndarray

    def tokens_per_second(self, every: int) -> tuple[np.ndarray, np.ndarray]:
        """The median speed of every so many tokens, against the number of tokens before them.

        Args:
            every: how many tokens have one median.

        Returns:
            Numbers of tokens and tokens per second, both `(n_tokens // every,)`.

        Example:
            >>> GeneratedText(np.zeros(4), np.array([0.5, 0.5, 0.25, 0.25])).tokens_per_second(every=2)
            (array([1., 3.]), array([2., 4.]))
        """
        bins = self.seconds[: len(self.seconds) // every * every].reshape(-1, every)
        return every * (np.arange(len(bins)) + 0.5), 1 / np.median(bins, axis=1)


def _with_caches(step: Callable, caches: list) -> Mix:
    """The attention of each layer as a step with the layer's own cache, which is replaced in the list."""

    def attend(i: int, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        output, caches[i] = step(query, key, value, caches[i])
        return output

    return attend


@torch.no_grad()
@one_thread()
def generate(
    n_tokens: int,
    writer: CausalTransformer,
    step: Callable | None = cached_attention,
    seed: int = 0,
    mix: Mix = causal_attention,
) -> GeneratedText:
    """Generate a text, each token drawn from the model's prediction.

    Args:
        n_tokens: how many, after a first token that is given.
        writer: the model.
        step: a step of attention with a cache, as `cached_attention`; None recomputes everything for each token.
        seed: of the draws. With the same predictions, the same seed gives the same tokens.
        mix: the causal attention that recomputes.
    """
    device = writer.words.device
    clock = time.perf_counter if device.type == "cuda" else time.thread_time
    generator = torch.Generator().manual_seed(seed)
    chance = torch.rand(n_tokens, N_WORDS, generator=generator, dtype=torch.float64)
    gumbel = -(-chance.log()).log()  # the largest of logits + Gumbel noise is a draw from their softmax
    written, seconds = [0], []
    caches: list = [None] * len(writer.layers)

    for position in range(n_tokens):
        began = clock()
        if step is None:
            logits = next_word_logits(writer, written, mix)
        else:
            logits = writer.logits(
                torch.tensor(written[-1:], device=device), position, _with_caches(step, caches)
            )
        written.append(int((logits.cpu() + gumbel[position]).argmax()))  # waits for the GPU
        seconds.append(clock() - began)
    return GeneratedText(np.array(written[1:]), np.array(seconds))
