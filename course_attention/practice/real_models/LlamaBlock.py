"""The block of notebook 10, with what differs from one published model to the next as arguments."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_attention.mechanisms.language_model import grouped_query_attention
from course_attention.mechanisms.masking import causal_mask
from course_attention.mechanisms.positions import rotary
from course_attention.practice.authoring import Misconception, Practice, Trial


class LlamaBlock(nn.Module):
    """Its rotary positions have a base, and its norms an epsilon, that it is told."""

    def __init__(self, d_model, n_heads, n_groups, d_hidden, base=10000.0, epsilon=1e-6):
        super().__init__()
        self.n_heads, self.n_groups, self.base = n_heads, n_groups, base
        d_shared = d_model // n_heads * n_groups
        self.norm_1 = nn.RMSNorm(d_model, eps=epsilon)
        self.w_query = nn.Linear(d_model, d_model, bias=False)
        self.w_key = nn.Linear(d_model, d_shared, bias=False)
        self.w_value = nn.Linear(d_model, d_shared, bias=False)
        self.w_out = nn.Linear(d_model, d_model, bias=False)
        self.norm_2 = nn.RMSNorm(d_model, eps=epsilon)
        self.w_gate = nn.Linear(d_model, d_hidden, bias=False)
        self.w_up = nn.Linear(d_model, d_hidden, bias=False)
        self.w_down = nn.Linear(d_hidden, d_model, bias=False)

    def forward(self, x, cache=None):
        y = self.norm_1(x)
        query = self.w_query(y).unflatten(-1, (self.n_heads, -1)).transpose(-2, -3)
        key = self.w_key(y).unflatten(-1, (self.n_groups, -1)).transpose(-2, -3)
        value = self.w_value(y).unflatten(-1, (self.n_groups, -1)).transpose(-2, -3)
        n_past = 0 if cache is None else cache[0].shape[-2]
        positions = torch.arange(n_past, n_past + x.shape[-2], device=x.device)
        query, key = rotary(query, positions, self.base), rotary(key, positions, self.base)
        if cache is not None:
            key, value = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
        allowed = causal_mask(query.shape[-2], key.shape[-2]).to(x.device)
        output, _ = grouped_query_attention(query, key, value, allowed)
        x = x + self.w_out(output.transpose(-2, -3).flatten(-2))
        y = self.norm_2(x)
        return x + self.w_down(F.silu(self.w_gate(y)) * self.w_up(y)), (key, value)


class BaseBuiltIn(LlamaBlock):
    def __init__(self, d_model, n_heads, n_groups, d_hidden, base=10000.0, epsilon=1e-6):
        super().__init__(d_model, n_heads, n_groups, d_hidden, epsilon=epsilon)


class EpsilonBuiltIn(LlamaBlock):
    def __init__(self, d_model, n_heads, n_groups, d_hidden, base=10000.0, epsilon=1e-6):
        super().__init__(d_model, n_heads, n_groups, d_hidden, base)


class BothBuiltIn(LlamaBlock):
    def __init__(self, d_model, n_heads, n_groups, d_hidden, base=10000.0, epsilon=1e-6):
        super().__init__(d_model, n_heads, n_groups, d_hidden)


class FirstNormAlone(LlamaBlock):
    def __init__(self, d_model, n_heads, n_groups, d_hidden, base=10000.0, epsilon=1e-6):
        super().__init__(d_model, n_heads, n_groups, d_hidden, base, epsilon)
        self.norm_2.eps = 1e-6


class SecondNormAlone(LlamaBlock):
    def __init__(self, d_model, n_heads, n_groups, d_hidden, base=10000.0, epsilon=1e-6):
        super().__init__(d_model, n_heads, n_groups, d_hidden, base, epsilon)
        self.norm_1.eps = 1e-6


class EpsilonOfTorch(LlamaBlock):
    def __init__(self, d_model, n_heads, n_groups, d_hidden, base=10000.0, epsilon=1e-6):
        super().__init__(d_model, n_heads, n_groups, d_hidden, base, None)


class AtPositionZero(LlamaBlock):
    def forward(self, x, cache=None):
        if cache is None:
            return super().forward(x)
        y = self.norm_1(x)
        query = self.w_query(y).unflatten(-1, (self.n_heads, -1)).transpose(-2, -3)
        key = self.w_key(y).unflatten(-1, (self.n_groups, -1)).transpose(-2, -3)
        value = self.w_value(y).unflatten(-1, (self.n_groups, -1)).transpose(-2, -3)
        positions = torch.arange(x.shape[-2], device=x.device)
        query, key = rotary(query, positions, self.base), rotary(key, positions, self.base)
        key, value = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
        allowed = causal_mask(query.shape[-2], key.shape[-2]).to(x.device)
        output, _ = grouped_query_attention(query, key, value, allowed)
        x = x + self.w_out(output.transpose(-2, -3).flatten(-2))
        y = self.norm_2(x)
        return x + self.w_down(F.silu(self.w_gate(y)) * self.w_up(y)), (key, value)


def _in_two_parts(answer: Callable[..., Any], sizes: dict[str, Any], weights: dict[str, Tensor], x: Tensor) -> Any:
    """Return what comes of the tokens, the last of which is read by itself with the cache of the others; and the keys.

    One token alone is read at once.
    """
    block = answer(**sizes).to(device=x.device, dtype=x.dtype)
    block.load_state_dict(weights)
    with torch.no_grad():
        if x.shape[-2] == 1:
            y, (keys, _) = block(x)
            return y, keys
        first, cache = block(x[..., :-1, :])
        last, (keys, _) = block(x[..., -1:, :], cache)
    return torch.cat([first, last], dim=-2), keys


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one token that can be followed by hand, then drawn weights with other bases and epsilons."""
    eye, zeros, ones = torch.eye(2), torch.zeros(1, 2), torch.ones(2)
    by_name = {"norm_1.weight": ones, "norm_2.weight": ones, "w_gate.weight": zeros, "w_up.weight": zeros}
    by_name |= {f"w_{part}.weight": eye for part in ("query", "key", "value", "out")}
    yield Trial(
        "one token, (3, 4), and the epsilon is 87.5; query, key, value and output are the normed token itself, and the "
        "network adds nothing",
        {
            "sizes": {"d_model": 2, "n_heads": 1, "n_groups": 1, "d_hidden": 1, "base": 100.0, "epsilon": 87.5},
            "weights": by_name | {"w_down.weight": zeros.T},
            "x": torch.tensor([[[3.0, 4.0]]]),
        },
        (torch.tensor([[[3.3, 4.4]]]), torch.tensor([[[[0.3, 0.4]]]])),
        _in_two_parts,
        says="The mean square of (3, 4) is 12.5. With the epsilon it is 100, and its root is 10. The normed token is "
        "(0.3, 0.4), and this is added to the token.",
    )
    for base, epsilon, d_model, n_heads, n_groups in ((100.0, 1e-6, 8, 2, 1), (50.0, 0.5, 24, 4, 2)):
        sizes = {"d_model": d_model, "n_heads": n_heads, "n_groups": n_groups, "d_hidden": 5}
        shapes = {name: weight.shape for name, weight in LlamaBlock(**sizes).state_dict().items()}
        yield Trial(
            f"base {base:.0f}, epsilon {epsilon}, {n_heads} heads, groups: {n_groups}; the last token comes alone",
            {
                "sizes": {**sizes, "base": base, "epsilon": epsilon},
                "weights": {name: torch.randn(shape, generator=generator) / 2 for name, shape in shapes.items()},
                "x": torch.randn(2, 6, d_model, generator=generator),
            },
            run=_in_two_parts,
            says="`rotary` takes the base as its third argument, for queries and keys alike, and `nn.RMSNorm` takes "
            "`eps=epsilon`. Everything else is as in your block of notebook 10.",
        )


PRACTICE = Practice(
    name="LlamaBlock",
    prompt="Your block of notebook 10, which is told its base and its epsilon.",
    minutes=8,
    hints=(
        "Your `DecoderOnlyBlock` is in `my_attention.py`, if it has passed. Copy it, and look for the two places where "
        "a number is built in that a published model could have otherwise.",
        "`nn.RMSNorm(d_model, eps=epsilon)` twice, and `rotary(query, positions, self.base)`, for the key as well.",
    ),
    given=LlamaBlock,
    trials=trials,
    returns=("the tokens after the block", "the keys in its cache"),
    misconceptions={
        "llama-base-built-in": Misconception(
            "The base plays no part",
            "Another base turns the same channels by other angles. `rotary` takes the base after the positions, and it "
            "is needed for queries and keys.",
            (BaseBuiltIn,),
        ),
        "llama-epsilon-built-in": Misconception(
            "The epsilon plays no part",
            "The norms have an epsilon of their own, whatever the block is told. `nn.RMSNorm(d_model, eps=epsilon)`.",
            (EpsilonBuiltIn, EpsilonOfTorch),
        ),
        "llama-both-built-in": Misconception(
            "Base and epsilon play no part",
            "The block is told both, and computes with its own.",
            (BothBuiltIn,),
        ),
        "llama-one-norm": Misconception(
            "Only one of the two norms has the epsilon",
            "A block has two norms, one before the attention and one before the network. Both have this epsilon.",
            (FirstNormAlone, SecondNormAlone),
        ),
        "llama-cache-position": Misconception(
            "A token that comes with a cache is put at position 0",
            "Its position is the number of tokens in the cache.",
            (AtPositionZero,),
        ),
    },
)
