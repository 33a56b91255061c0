"""Notebook 05: masks, which say what each query may attend to, and a measure of what they let through.

Every mask here is boolean, True where a query may attend to a key. Masks that broadcast join with `&` and `|`.
"""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def causal_mask(
    n_queries: int,
    n_keys: int | None = None,
    *,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.bool,
) -> Bool[Tensor, "n_queries n_keys"]:
    """Each query sees the keys up to its own; the last query is aligned with the last key.

    Args:
        n_queries: number of rows.
        n_keys: number of columns; None for as many as queries. With more keys than queries, the queries are the last
            tokens of the sequence; with fewer, the first queries come before every key and see nothing.
        device, dtype: of the mask.

    Returns:
        Mask, (n_queries, n_keys), True where a query may attend.

    Source:
        Vaswani et al. (2017), section 3.2.3, masking in the decoder.

    Example:
        >>> causal_mask(2, 3)
        tensor([[ True,  True, False],
                [ True,  True,  True]])
    """
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=dtype, device=device).tril(n_keys - n_queries)


def padding_mask(lengths: Int[Tensor, "batch"], n_keys: int) -> Bool[Tensor, "batch 1 n_keys"]:
    """Every query of an item sees the item's own tokens, and not what fills it up behind them.

    Args:
        lengths: (batch,), how many tokens each item has before its padding.
        n_keys: length to which the items are padded.

    Returns:
        Mask, (batch, 1, n_keys), True on tokens; the axis of 1 stands for every query.

    Raises:
        TypeError: `lengths` is not a tensor of whole numbers.
        ValueError: `lengths` has another shape than (batch,).

    Source:
        Devlin et al. (2019), "BERT", the input mask of its code; no equation says it.

    Example:
        >>> padding_mask(torch.tensor([1, 2]), n_keys=2)
        tensor([[[ True, False]],
        <BLANKLINE>
                [[ True,  True]]])
    """
    position = torch.arange(n_keys, device=lengths.device)
    return (position < lengths.unsqueeze(-1)).unsqueeze(-2)


def document_mask(documents: Int[Tensor, "... n_tokens"]) -> Bool[Tensor, "... n_tokens n_tokens"]:
    """Each token sees the tokens of its own document up to itself, where several documents share a sequence.

    Args:
        documents: (..., n_tokens), whole numbers: to which document a token belongs. The tokens of a document need not
            stand in one piece.

    Returns:
        Mask, (..., n_tokens, n_tokens), True where both tokens belong to the same document and j ≤ i.

    Raises:
        TypeError: `documents` is not a tensor of whole numbers.

    Source:
        Grattafiori et al. (2024), "The Llama 3 herd of models", section 3.2, the mask between documents.

    Example:
        >>> document_mask(torch.tensor([7, 7, 4]))
        tensor([[ True, False, False],
                [ True,  True, False],
                [False, False,  True]])
    """
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril()


def window_mask(
    n_tokens: int,
    width: int,
    *,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.bool,
) -> Bool[Tensor, "n_tokens n_tokens"]:
    """Each token sees itself and the width − 1 tokens before it.

    Args:
        n_tokens: number of rows and of columns.
        width: how many keys a query sees, its own included.
        device, dtype: of the mask.

    Returns:
        Mask, (n_tokens, n_tokens), True where 0 ≤ i − j < width.

    Source:
        Beltagy et al. (2020), "Longformer", section 3.1, sliding window, its causal half.

    Example:
        >>> window_mask(3, width=2)
        tensor([[ True, False, False],
                [ True,  True, False],
                [False,  True,  True]])
    """
    position = torch.arange(n_tokens, device=device)
    back = position.unsqueeze(-1) - position  # i − j
    return ((back >= 0) & (back < width)).to(dtype)


def masked_softmax(
    scores: Float[Tensor, "... n_queries n_keys"],
    allowed: Bool[Tensor, "... #n_queries #n_keys"] | None,
) -> Float[Tensor, "... n_queries n_keys"]:
    """Softmax over the allowed keys of each query.

    Args:
        scores: (..., n_queries, n_keys).
        allowed: True where a query may attend; broadcasts to the scores. None allows all.

    Returns:
        Weights, (..., n_queries, n_keys), 0 where blocked. Each row sums to 1, or to 0 where nothing is allowed.

    Raises:
        ValueError: the mask does not broadcast to the scores.

    Source:
        Vaswani et al. (2017), section 3.2.3, the −∞; the rows of zeros are a convention of this course.

    Example:
        >>> masked_softmax(torch.tensor([[1.0, 1.0, 9.0]]), torch.tensor([[True, True, False]]))
        tensor([[0.5000, 0.5000, 0.0000]])
    """
    if allowed is None:
        return scores.softmax(dim=-1)
    # A fully masked row would be NaN, in the result and in its gradient, since all its scores would be −∞. Such a row
    # keeps its scores for the softmax, and is set to 0 after it.
    nothing = ~allowed.any(dim=-1, keepdim=True)
    weights = scores.masked_fill(~(allowed | nothing), float("-inf")).softmax(dim=-1)
    return weights.masked_fill(nothing, 0.0)


# The first query sees 1 key, the second 2, … the last 64: 1 + 2 + … + 64 = 64 · 65 / 2.
causal_pairs = 64 * 65 // 2


def influence(
    attend: Callable[[Tensor], Tensor | tuple[Tensor, ...]], x: Float[Tensor, "n_tokens d_model"]
) -> Float[Tensor, "n_tokens n_tokens"]:
    """How strongly output i depends on input j: the size of the derivative ∂ output_i / ∂ x_j.

    Args:
        attend: maps x to one output vector for each token, (n_tokens, d_out); of a tuple, the first part counts.
        x: (n_tokens, d_model), the sequence around which the dependence is measured.

    Returns:
        The Frobenius norm of each block of the Jacobian, (n_tokens, n_tokens), row = output. It is exactly 0 where no
        path leads from an input to an output.

    Raises:
        TypeError: `x` does not hold floating-point numbers.
        ValueError: `x` has another shape than (n_tokens, d_model).

    Source:
        Simonyan et al. (2014), "Deep inside convolutional networks", gradients as a picture of what counts.

    Example:
        >>> influence(lambda x: x.cumsum(dim=0), torch.ones(2, 1))  # output i adds up the inputs so far
        tensor([[1., 0.],
                [1., 1.]])
    """

    def output_of(x: Tensor) -> Tensor:
        result = attend(x)
        return result[0] if isinstance(result, tuple | list) else result

    jacobian = torch.autograd.functional.jacobian(output_of, x)  # (n_tokens, d_out, n_tokens, d_model)
    return jacobian.square().sum(dim=(1, 3)).sqrt()
