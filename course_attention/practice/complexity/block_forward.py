"""The forward pass of a block without norms: attention and a feed-forward network, each added to its input."""

from collections.abc import Iterator

import torch

from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.multi_head import merge_heads, split_heads
from course_attention.practice.authoring import Misconception, Practice, Trial


def block_forward(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    """Add to x what the heads bring, and then what the feed-forward network makes of it."""
    query, key, value = (split_heads(x @ w, n_heads) for w in (w_query, w_key, w_value))
    mixed, _ = attention(query, key, value)
    x = x + merge_heads(mixed) @ w_out
    return x + (x @ w_up).relu() @ w_down


def _mixed(x, w_query, w_key, w_value, n_heads):
    return merge_heads(attention(*(split_heads(x @ w, n_heads) for w in (w_query, w_key, w_value)))[0])


def attention_not_added(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    x = _mixed(x, w_query, w_key, w_value, n_heads) @ w_out
    return x + (x @ w_up).relu() @ w_down


def network_not_added(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    x = x + _mixed(x, w_query, w_key, w_value, n_heads) @ w_out
    return (x @ w_up).relu() @ w_down


def nothing_added(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    x = _mixed(x, w_query, w_key, w_value, n_heads) @ w_out
    return (x @ w_up).relu() @ w_down


def side_by_side(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    return x + _mixed(x, w_query, w_key, w_value, n_heads) @ w_out + (x @ w_up).relu() @ w_down


def without_relu(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    x = x + _mixed(x, w_query, w_key, w_value, n_heads) @ w_out
    return x + x @ w_up @ w_down


def relu_at_the_end(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    x = x + _mixed(x, w_query, w_key, w_value, n_heads) @ w_out
    return x + (x @ w_up @ w_down).relu()


def without_w_out(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    x = x + _mixed(x, w_query, w_key, w_value, n_heads)
    return x + (x @ w_up).relu() @ w_down


def one_head(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    return block_forward(x, w_query, w_key, w_value, w_out, w_up, w_down, 1)


def attention_alone(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    return x + _mixed(x, w_query, w_key, w_value, n_heads) @ w_out


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one token, which attends to itself alone, and then several tokens and heads."""
    eye = torch.eye(2)
    yield Trial(
        "one token, (1, 2), and one head; w_value doubles, w_out keeps, w_up makes (x₀, −x₀), w_down makes (0, 10 h₀)",
        {
            "x": torch.tensor([[1.0, 2.0]]),
            "w_query": eye,
            "w_key": eye,
            "w_value": 2 * eye,
            "w_out": eye,
            "w_up": torch.tensor([[1.0, -1.0], [0.0, 0.0]]),
            "w_down": torch.tensor([[0.0, 10.0], [0.0, 10.0]]),
            "n_heads": 1,
        },
        torch.tensor([[3.0, 36.0]]),
        says="The token attends to itself, so the heads bring its value, (2, 4), and x becomes (3, 6). The network "
        "makes (3, −3) of it, the ReLU (3, 0), and w_down (0, 30). Added to (3, 6), that is (3, 36).",
    )
    for n_tokens, d_model, n_heads in ((5, 8, 2), (3, 4, 4), (4, 4, 1)):
        shapes = [(n_tokens, d_model), *[(d_model, d_model)] * 4, (d_model, 3 * d_model), (3 * d_model, d_model)]
        names = ("x", "w_query", "w_key", "w_value", "w_out", "w_up", "w_down")
        drawn = (torch.randn(shape, generator=generator, dtype=torch.float64) / 2 for shape in shapes)
        heads = "one head" if n_heads == 1 else f"{n_heads} heads"
        yield Trial(
            f"{n_tokens} tokens, d_model {d_model}, {heads}",
            {**dict(zip(names, drawn, strict=True)), "n_heads": n_heads},
            says="Attention mixes the tokens in each head, w_out joins the heads, and the network works on what is "
            "then on the way.",
        )


PRACTICE = Practice(
    name="block_forward",
    prompt="The forward pass of a block: attention and a feed-forward network, each added to its input.",
    minutes=8,
    hints=(
        "Queries, keys and values: `x @ w_query` and so on, each through `split_heads(…, n_heads)`. Your `attention` "
        "does the rest, and `merge_heads` joins what the heads bring.",
        "`x = x + merge_heads(mixed) @ w_out` is the first part.",
        "The network reads this new x: `(x @ w_up).relu() @ w_down`. Its result is added to x as well.",
    ),
    given=block_forward,
    trials=trials,
    returns=("x",),
    misconceptions={
        "block-attention-not-added": Misconception(
            "The output of attention takes the place of its input",
            "It is *added* to x, so that a token keeps what it was.",
            (attention_not_added, nothing_added),
        ),
        "block-network-not-added": Misconception(
            "The output of the feed-forward network takes the place of its input",
            "It is *added* to x, as the output of attention is.",
            (network_not_added,),
        ),
        "block-side-by-side": Misconception(
            "The feed-forward network reads the tokens from before attention",
            "It comes after attention: it reads the sum of x and what the heads have brought.",
            (side_by_side,),
        ),
        "block-relu": Misconception(
            "The ReLU is not between the two layers of the network",
            "Without it, two dense layers are no more than one. It comes after w_up and before w_down.",
            (without_relu, relu_at_the_end),
        ),
        "block-w-out": Misconception(
            "w_out is left out",
            "The matrix w_out joins what the heads bring: `merge_heads(mixed) @ w_out`.",
            (without_w_out,),
        ),
        "block-one-head": Misconception(
            "All channels attend as a single head",
            "`split_heads(x @ w, n_heads)` gives each head its own channels, and each head its own softmax.",
            (one_head,),
        ),
        "block-no-network": Misconception(
            "The feed-forward network is missing",
            "After attention comes the second part: w_up, a ReLU and w_down.",
            (attention_alone,),
        ),
    },
)
