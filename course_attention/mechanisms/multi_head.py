"""Notebook 04: multi-head attention, in which each head attends with its own share of the channels."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_attention.mechanisms.attention import attention


def split_heads(x: Float[Tensor, "... n_tokens d_model"], n_heads: int) -> Float[Tensor, "... n_heads n_tokens d_head"]:
    """Cut the channels into heads: head h takes channels h·d_head … (h + 1)·d_head − 1 of every token.

    Args:
        x: (..., n_tokens, d_model), where d_model = n_heads·d_head.
        n_heads: how many; divides d_model.

    Returns:
        (..., n_heads, n_tokens, d_head).

    Raises:
        ValueError: n_heads does not divide d_model.

    Source:
        Vaswani et al. (2017), section 3.2.2.

    Example:
        >>> import torch
        >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])  # 2 tokens, 2 channels
        >>> split_heads(x, n_heads=2).tolist()
        [[[1.0], [3.0]], [[2.0], [4.0]]]
    """
    by_token = x.unflatten(-1, (n_heads, -1))  # (..., n_tokens, n_heads, d_head)
    return by_token.transpose(-3, -2)


def merge_heads(
    x: Float[Tensor, "... n_heads n_tokens d_head"],
) -> Float[Tensor, "... n_tokens n_heads*d_head"]:
    """Put the heads' channels side by side again: the inverse of `split_heads`.

    Args:
        x: (..., n_heads, n_tokens, d_head).

    Returns:
        (..., n_tokens, n_heads·d_head).

    Raises:
        ValueError: x has fewer than three axes.

    Source:
        Vaswani et al. (2017), section 3.2.2, "Concat".

    Example:
        >>> import torch
        >>> merge_heads(torch.tensor([[[1.0], [3.0]], [[2.0], [4.0]]])).tolist()  # 2 heads, 2 tokens, d_head 1
        [[1.0, 2.0], [3.0, 4.0]]
    """
    return x.transpose(-3, -2).flatten(-2)


def multi_head_attention(
    x: Float[Tensor, "... n_tokens d_model"],
    w_query: Float[Tensor, "d_model d_keys"],
    w_key: Float[Tensor, "d_model d_keys"],
    w_value: Float[Tensor, "d_model d_values"],
    w_out: Float[Tensor, "d_values d_out"],
    n_heads: int,
    allowed: Bool[Tensor, "... #n_tokens #n_tokens"] | None = None,
) -> tuple[Float[Tensor, "... n_tokens d_out"], Float[Tensor, "... n_heads n_tokens n_tokens"]]:
    """Self-attention with several heads: Concat(head_1, …, head_h) W_O.

    Args:
        x: (..., n_tokens, d_model).
        w_query, w_key: (d_model, d_keys), where d_keys = n_heads·d_key; head h has columns h·d_key … (h+1)·d_key − 1.
        w_value: (d_model, d_values), where d_values = n_heads·d_value.
        w_out: (d_values, d_out).
        n_heads: how many heads.
        allowed: True where a token may attend to another, (..., n_tokens, n_tokens), the same for all heads.

    Returns:
        Output, (..., n_tokens, d_out), and the weights of every head, (..., n_heads, n_tokens, n_tokens).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together, or n_heads does not divide the columns.

    Source:
        Vaswani et al. (2017), section 3.2.2.

    Example:
        >>> import torch
        >>> x, one = torch.tensor([[2.0, 0.0], [0.0, 4.0]]), torch.eye(2)
        >>> output, weights = multi_head_attention(x, 0 * one, one, one, one, n_heads=2)  # every score is 0
        >>> output
        tensor([[1., 2.],
                [1., 2.]])
        >>> weights.shape
        torch.Size([2, 2, 2])
    """
    query, key, value = (split_heads(x @ weight, n_heads) for weight in (w_query, w_key, w_value))
    if allowed is not None:
        allowed = allowed.unsqueeze(-3)  # (..., 1, n_tokens, n_tokens): one mask for all heads
    output, weights = attention(query, key, value, allowed)
    return merge_heads(output) @ w_out, weights


def head_outputs(
    x: Float[Tensor, "... n_tokens d_model"],
    w_query: Float[Tensor, "d_model d_keys"],
    w_key: Float[Tensor, "d_model d_keys"],
    w_value: Float[Tensor, "d_model d_values"],
    w_out: Float[Tensor, "d_values d_out"],
    n_heads: int,
    allowed: Bool[Tensor, "... #n_tokens #n_tokens"] | None = None,
) -> Float[Tensor, "... n_heads n_tokens d_out"]:
    """What each head adds to the output of `multi_head_attention`: its own result times its own rows of W_O.

    Args:
        x: (..., n_tokens, d_model).
        w_query, w_key: (d_model, d_keys), where d_keys = n_heads·d_key.
        w_value: (d_model, d_values), where d_values = n_heads·d_value.
        w_out: (d_values, d_out); rows h·d_value … (h+1)·d_value − 1 belong to head h.
        n_heads: how many heads.
        allowed: True where a token may attend to another, (..., n_tokens, n_tokens), the same for all heads.

    Returns:
        (..., n_heads, n_tokens, d_out). The sum over the heads is the output of `multi_head_attention`.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together, or n_heads does not divide the columns.

    Source:
        Elhage et al. (2021), "A mathematical framework for transformer circuits", heads are independent and additive.

    Example:
        >>> import torch
        >>> x, one = torch.tensor([[2.0, 0.0], [0.0, 4.0]]), torch.eye(2)
        >>> head_outputs(x, 0 * one, one, one, one, n_heads=2).tolist()  # every score is 0
        [[[1.0, 0.0], [1.0, 0.0]], [[0.0, 2.0], [0.0, 2.0]]]
    """
    query, key, value = (split_heads(x @ weight, n_heads) for weight in (w_query, w_key, w_value))
    if allowed is not None:
        allowed = allowed.unsqueeze(-3)  # one mask for all heads
    output, _ = attention(query, key, value, allowed)  # (..., n_heads, n_tokens, d_value)
    return output @ w_out.unflatten(0, (n_heads, -1))  # each head has d_value rows of w_out


class MultiHeadAttention(nn.Module):
    """Multi-head attention as a layer with learned weights, of a sequence to itself or to another.

    Args:
        d_model: size of the tokens that come in, and of those that go out.
        n_heads: how many heads.
        d_key, d_value: sizes in each head; d_model / n_heads where they are not given.

    Raises:
        ValueError: d_key or d_value is left out, and n_heads does not divide d_model.

    Source:
        Vaswani et al. (2017), section 3.2.2.

    Example:
        >>> import torch
        >>> layer = MultiHeadAttention(d_model=4, n_heads=2)
        >>> output, weights = layer(torch.ones(3, 4))
        >>> output.shape, weights.shape
        (torch.Size([3, 4]), torch.Size([2, 3, 3]))
    """

    def __init__(self, d_model: int, n_heads: int, d_key: int | None = None, d_value: int | None = None):
        super().__init__()
        if d_model % n_heads and None in (d_key, d_value):
            raise ValueError(f"n_heads must divide d_model={d_model}, or d_key and d_value be given; got {n_heads}")
        d_key = d_model // n_heads if d_key is None else d_key
        d_value = d_model // n_heads if d_value is None else d_value
        self.n_heads = n_heads
        self.w_query = nn.Linear(d_model, n_heads * d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * d_value, bias=False)
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)

    def forward(
        self,
        query: Float[Tensor, "... n_queries d_model"],
        key: Float[Tensor, "... n_keys d_model"] | None = None,
        value: Float[Tensor, "... n_keys d_model"] | None = None,
        allowed: Bool[Tensor, "... #n_queries #n_keys"] | None = None,
    ) -> tuple[Float[Tensor, "... n_queries d_model"], Float[Tensor, "... n_heads n_queries n_keys"]]:
        """Attend from `query` to `key` and `value`.

        Args:
            query: (..., n_queries, d_model).
            key: (..., n_keys, d_model); None for the query.
            value: (..., n_keys, d_model); None for the key.
            allowed: True where a query may attend to a key, (..., n_queries, n_keys), the same for all heads.

        Returns:
            Output, (..., n_queries, d_model), and the weights of every head, (..., n_heads, n_queries, n_keys).
        """
        key = query if key is None else key
        value = key if value is None else value
        query = split_heads(self.w_query(query), self.n_heads)
        key = split_heads(self.w_key(key), self.n_heads)
        value = split_heads(self.w_value(value), self.n_heads)
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)  # one mask for all heads
        output, weights = attention(query, key, value, allowed)
        return self.w_out(merge_heads(output)), weights


def transplant(torch_attention: nn.MultiheadAttention) -> dict[str, Tensor]:
    """The weights of PyTorch's own layer, as a state_dict for `MultiHeadAttention`.

    PyTorch keeps the three projections in one matrix, query above key above value, each (d_model, d_model).

    Args:
        torch_attention: an `nn.MultiheadAttention(d_model, n_heads, bias=False)`.

    Returns:
        Copies of its weights under the names w_query.weight, w_key.weight, w_value.weight and w_out.weight.

    Raises:
        ValueError: the layer has biases, or keys and values of a size of their own.

    Source:
        The documentation of `torch.nn.MultiheadAttention`.

    Example:
        >>> import torch
        >>> theirs = nn.MultiheadAttention(4, 2, bias=False, batch_first=True)
        >>> ours = MultiHeadAttention(4, 2)
        >>> ours.load_state_dict(transplant(theirs))
        <All keys matched successfully>
        >>> x = torch.ones(1, 3, 4)
        >>> torch.allclose(ours(x)[0], theirs(x, x, x)[0])
        True
    """
    joined = torch_attention.in_proj_weight
    if joined is None or torch_attention.in_proj_bias is not None:
        raise ValueError("torch_attention must have bias=False, and neither kdim nor vdim; got another")
    parts = (*joined.chunk(3), torch_attention.out_proj.weight)
    names = ("w_query.weight", "w_key.weight", "w_value.weight", "w_out.weight")
    return {name: part.detach().clone() for name, part in zip(names, parts, strict=True)}


# Four matrices of d_model × d_model: the eight heads share out the columns of three, and the rows of the fourth.
multi_head_parameters = 4 * 512 * 512
