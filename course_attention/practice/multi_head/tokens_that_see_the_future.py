"""A test for a leak: which tokens change their output when a later token changes."""

from collections.abc import Iterator

import torch

from course_attention.mechanisms.multi_head import multi_head_attention
from course_attention.practice.authoring import Misconception, Practice, Trial


def tokens_that_see_the_future(attend):
    """The tokens before token 3 whose outputs are others when token 3 is another."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(6, 8, generator=generator)
    weights = torch.randn(4, 8, 8, generator=generator)
    changed = x.clone()
    changed[3] += 1
    allowed = torch.ones(6, 6, dtype=torch.bool).tril()  # nobody may look ahead
    difference = attend(changed, *weights, 2, allowed)[0] - attend(x, *weights, 2, allowed)[0]
    return [i for i in range(3) if difference[i].abs().max() > 1e-4]


def _changed_outputs(attend, mask=None, tokens=range(3), changed_token=3, **other):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(6, 8, generator=generator)
    weights = torch.randn(4, 8, 8, generator=generator)
    changed = x.clone()
    changed[changed_token] += 1
    difference = attend(changed, *weights, 2, mask)[0] - attend(x, *weights, 2, mask)[0]
    return [i for i in tokens if difference[i].abs().max() > 1e-4]


def without_mask(attend):
    return _changed_outputs(attend)


def mask_turned_round(attend):
    return _changed_outputs(attend, torch.ones(6, 6, dtype=torch.bool).triu())


def blocked_where_allowed(attend):
    return _changed_outputs(attend, torch.ones(6, 6, dtype=torch.bool).triu(1))


def all_tokens(attend):
    return _changed_outputs(attend, torch.ones(6, 6, dtype=torch.bool).tril(), range(6))


def later_tokens(attend):
    return _changed_outputs(attend, torch.ones(6, 6, dtype=torch.bool).tril(), range(3, 6))


def never_changed(attend):
    return []


def those_that_do_not(attend):
    return [i for i in range(3) if i not in tokens_that_see_the_future(attend)]


def first_token_changed(attend):
    return _changed_outputs(attend, torch.ones(6, 6, dtype=torch.bool).tril(), changed_token=0)


def right_layer(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """Multi-head attention as it is."""
    return multi_head_attention(x, w_query, w_key, w_value, w_out, n_heads, allowed)


def layer_without_mask(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """Multi-head attention that forgets its mask."""
    return multi_head_attention(x, w_query, w_key, w_value, w_out, n_heads)


def layer_with_neighbour(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """Multi-head attention in which a token also gets something of the next one."""
    output, weights = multi_head_attention(x, w_query, w_key, w_value, w_out, n_heads, allowed)
    return output + 0.1 * x.roll(-1, dims=0) @ w_out, weights


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield the right layer, and layers that leak in two ways."""
    for title, attend, expected in (
        ("the right layer, in which nobody sees the future", right_layer, []),
        ("a layer that forgets its mask, so that everybody does", layer_without_mask, [0, 1, 2]),
        (
            "a layer that adds a little of the next token, so that token 2 sees token 3",
            layer_with_neighbour,
            [2],
        ),
    ):
        yield Trial(title, {"attend": attend}, expected)


PRACTICE = Practice(
    name="tokens_that_see_the_future",
    prompt="Which of the tokens 0, 1 and 2 change their output when token 3 changes, under a mask that forbids it.",
    minutes=8,
    hints=(
        "Draw x and the four matrices once. Call `attend` with x, and again with a copy of x in which token "
        "3 is another.",
        "`x.clone()` is the copy: without it, both names mean the same tensor. Both calls need the same weights and "
        "the same mask.",
        "`attend` returns the output and the weights. Compare the outputs, and count a token when some number of its "
        "row differs by more than rounding, such as 1e-4.",
    ),
    given=tokens_that_see_the_future,
    trials=trials,
    returns=("tokens",),
    misconceptions={
        "leak-test-in-every-layer": Misconception(
            "The test finds a leak in every layer, the right one too",
            "All three outputs change, also where nobody sees the future. Is the mask handed on, and is it a lower "
            "triangle? Is it token 3 that changes, and are x and the weights otherwise the same in both calls?",
            (without_mask, mask_turned_round, first_token_changed),
        ),
        "leak-test-counts-later-tokens": Misconception(
            "Tokens that may see token 3 are counted",
            "Token 3 and those after it are allowed to look at token 3. Only the tokens 0, 1 and 2 are asked for.",
            (all_tokens, later_tokens),
        ),
        "leak-test-finds-nothing": Misconception(
            "The test finds no leak in any layer",
            "Two layers here do leak. Are the two inputs really different? `changed = x` gives the same tensor a "
            "second name, and `x.clone()` makes a copy.",
            (never_changed,),
        ),
        "leak-test-opposite": Misconception(
            "The tokens that do *not* change are returned",
            "A token sees the future when its output changes.",
            (those_that_do_not,),
        ),
    },
)
