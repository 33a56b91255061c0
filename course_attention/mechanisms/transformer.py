"""Notebook 08: the blocks of the Transformer, the decoder inputs and the loss of its training, and how it writes."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_attention.mechanisms.multi_head import MultiHeadAttention


class EncoderBlock(nn.Module):
    """Self-attention, then a feed-forward network for each token; each is added to its input and normalised.

    Args:
        d_model: size of the tokens, in and out.
        n_heads: of the attention; divides d_model.
        d_hidden: inner width of the feed-forward network.

    Raises:
        ValueError: n_heads does not divide d_model.

    Source:
        Vaswani et al. (2017), sections 3.1 and 3.3, without dropout.

    Example:
        >>> block = EncoderBlock(d_model=4, n_heads=2, d_hidden=8)
        >>> x = block(torch.rand(3, 4))
        >>> x.shape
        torch.Size([3, 4])
        >>> bool((x.mean(dim=-1).abs() < 1e-5).all())  # the norm comes last: every token has mean 0
        True
    """

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model))
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(
        self,
        x: Float[Tensor, "... n_tokens d_model"],
        allowed: Bool[Tensor, "... #n_tokens #n_tokens"] | None = None,
    ) -> Float[Tensor, "... n_tokens d_model"]:
        """Two sublayers: x = norm(x + sublayer(x))."""
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class DecoderBlock(nn.Module):
    """Self-attention, attention to the encoder's output, and a feed-forward network.

    Args:
        d_model: size of the tokens, of both sequences.
        n_heads: of both attentions; divides d_model.
        d_hidden: inner width of the feed-forward network.

    Raises:
        ValueError: n_heads does not divide d_model.

    Source:
        Vaswani et al. (2017), sections 3.1 and 3.3, without dropout.

    Example:
        >>> block = DecoderBlock(d_model=4, n_heads=2, d_hidden=8)
        >>> x, weights = block(torch.rand(2, 4), memory=torch.rand(3, 4))
        >>> x.shape, weights.shape  # 2 heads, 2 queries, 3 keys
        (torch.Size([2, 4]), torch.Size([2, 2, 3]))
    """

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model))
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(
        self,
        x: Float[Tensor, "... n_queries d_model"],
        memory: Float[Tensor, "... n_keys d_model"],
        allowed: Bool[Tensor, "... #n_queries #n_queries"] | None = None,
        memory_allowed: Bool[Tensor, "... #n_queries #n_keys"] | None = None,
    ) -> tuple[Float[Tensor, "... n_queries d_model"], Float[Tensor, "... n_heads n_queries n_keys"]]:
        """Three sublayers; `allowed` is the mask of the first attention, `memory_allowed` that of the second."""
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


def shift_right(tokens: Int[Tensor, "... n_tokens"], start_token: int) -> Int[Tensor, "... n_tokens"]:
    """What the decoder reads while it is trained: at each place the target of the place before.

    Args:
        tokens: targets, (batch, n_tokens).
        start_token: what stands before the first target.

    Returns:
        Decoder inputs, (batch, n_tokens); the last target is in none of them.

    Raises:
        TypeError: the tokens are not whole numbers.
        ValueError: the tokens have no axis, or start_token is not a whole number.

    Source:
        Vaswani et al. (2017), section 3.1 and figure 1, "outputs (shifted right)".

    Example:
        >>> shift_right(torch.tensor([[5, 6, 7]]), start_token=1)
        tensor([[1, 5, 6]])
    """
    start = torch.full_like(tokens[..., :1], start_token)
    return torch.cat([start, tokens[..., :-1]], dim=-1)


def sequence_loss(
    logits: Float[Tensor, "... n_tokens n_classes"], targets: Int[Tensor, "... n_tokens"], pad_token: int
) -> Float[Tensor, ""]:
    """Mean cross-entropy over all targets of the batch that are not padding.

    Args:
        logits: (batch, n_tokens, n_classes), one for each token of the vocabulary.
        targets: (batch, n_tokens).
        pad_token: the target that does not count.

    Returns:
        One number, in nats per token; NaN where all targets are padding.

    Raises:
        TypeError: the targets are not whole numbers.
        ValueError: shapes or devices do not fit together, or pad_token is not a whole number.

    Source:
        Bengio et al. (2003), "A neural probabilistic language model", section 3: the log-likelihood of each next word.

    Example:
        >>> logits = torch.zeros(1, 3, 2)  # 2 classes, equally likely: log 2 for each target
        >>> sequence_loss(logits, torch.tensor([[1, 1, 0]]), pad_token=0)
        tensor(0.6931)
    """
    return F.cross_entropy(logits.flatten(0, -2), targets.flatten().long(), ignore_index=pad_token)


def greedy_decode(
    step: Callable[[Tensor], Tensor], start_token: int, end_token: int, max_length: int, batch: int
) -> Int[Tensor, "batch n_tokens"]:
    """Write one token after another, each time the most probable one, until every row has ended.

    Args:
        step: the model. It takes what has been written, the start token in front, (batch, n) in int64 on the CPU, and
            gives logits (batch, n, n_vocabulary): at each place those for the next token.
        start_token: what every row begins with.
        end_token: what a row ends with.
        max_length: how many tokens a row may have at most.
        batch: how many rows are written at once.

    Returns:
        What was written, without the start token, (batch, n_tokens) in int64 on the CPU. It is as long as its longest
        row. A row that ended before holds `end_token` from there on.

    Raises:
        ValueError: one of the numbers is not whole, max_length is negative, or batch is not positive.

    Source:
        Sutskever et al. (2014), "Sequence to sequence learning with neural networks", section 3.2, with a beam of 1.

    Example:
        >>> def step(tokens):  # a model that counts up to 3
        ...     return F.one_hot((tokens + 1).clamp(max=3), 4).float()
        >>> greedy_decode(step, start_token=0, end_token=3, max_length=5, batch=2)
        tensor([[1, 2, 3],
                [1, 2, 3]])
    """
    tokens = torch.full((batch, 1), start_token)
    ended = torch.zeros(batch, dtype=torch.bool)
    while tokens.shape[1] <= max_length and not ended.all():
        best = step(tokens)[:, -1].argmax(dim=-1).cpu()
        best = torch.where(ended, end_token, best)
        tokens = torch.cat([tokens, best[:, None]], dim=1)
        ended = ended | (best == end_token)
    return tokens[:, 1:]


# An encoder block has one attention; a decoder block has two, to itself and to the encoder's output.
attention_layers = 6 * 1 + 6 * 2
