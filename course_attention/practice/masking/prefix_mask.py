"""The prefix mask: causal, but every token sees the whole prefix."""

from collections.abc import Iterator

import torch

from course_attention.mechanisms.masking import causal_mask
from course_attention.practice.authoring import Misconception, Practice, Trial


def prefix_mask(n_tokens, n_prefix):
    """A key is allowed if it does not come later, or if it is in the prefix."""
    return causal_mask(n_tokens) | (torch.arange(n_tokens) < n_prefix)


def causal(n_tokens, n_prefix):
    return causal_mask(n_tokens)


def prefix_alone(n_tokens, n_prefix):
    return (torch.arange(n_tokens) < n_prefix).expand(n_tokens, n_tokens)


def what_both_allow(n_tokens, n_prefix):
    return causal_mask(n_tokens) & (torch.arange(n_tokens) < n_prefix)


def prefix_as_rows(n_tokens, n_prefix):
    return causal_mask(n_tokens) | (torch.arange(n_tokens) < n_prefix)[:, None]


def later_tokens_apart(n_tokens, n_prefix):
    in_prefix = torch.arange(n_tokens) < n_prefix
    return prefix_mask(n_tokens, n_prefix) & (in_prefix == in_prefix[:, None])


def prefix_too_long(n_tokens, n_prefix):
    return causal_mask(n_tokens) | (torch.arange(n_tokens) <= n_prefix)


def prefix_too_short(n_tokens, n_prefix):
    return causal_mask(n_tokens) | (torch.arange(n_tokens) < n_prefix - 1)


def true_where_blocked(n_tokens, n_prefix):
    return ~prefix_mask(n_tokens, n_prefix)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a mask to work out by hand, one without a prefix, one that is all prefix, and a larger one."""
    yield Trial(
        "4 tokens, and a prefix of 2",
        {"n_tokens": 4, "n_prefix": 2},
        torch.tensor([[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]).bool(),
        says="The first two columns are the prefix, and everybody sees them. The rest is a causal mask.",
    )
    yield Trial(
        "4 tokens, no prefix",
        {"n_tokens": 4, "n_prefix": 0},
        torch.ones(4, 4).tril().bool(),
        says="Without a prefix the mask is causal.",
    )
    yield Trial(
        "3 tokens, all in the prefix",
        {"n_tokens": 3, "n_prefix": 3},
        torch.ones(3, 3).bool(),
        says="All keys are in the prefix, so everybody sees everything.",
    )
    n_prefix = int(torch.randint(2, 7, (), generator=generator))
    yield Trial(f"8 tokens, and a prefix of {n_prefix}", {"n_tokens": 8, "n_prefix": n_prefix})


PRACTICE = Practice(
    name="prefix_mask",
    prompt="A causal mask in which everybody also sees the whole prefix.",
    minutes=6,
    hints=(
        "You have a function for the causal part. Which cells does a prefix mask allow besides?",
        "`torch.arange(n_tokens) < n_prefix` says of each *key* whether it is in the prefix. It broadcasts as a row: "
        "every query gets the same.",
        "`|` allows what either mask allows: `causal_mask(n_tokens) | …`.",
    ),
    given=prefix_mask,
    trials=trials,
    returns=("mask",),
    misconceptions={
        "prefix-is-causal": Misconception(
            "Inside the prefix, nobody sees what comes later",
            "This is the causal mask. The prefix is a given text, so its first token may see its last one, too.",
            (causal,),
        ),
        "prefix-alone": Misconception(
            "Everybody sees the prefix, and nothing else",
            "Outside the prefix the mask is causal: a token also sees itself and what was said since the prefix.",
            (prefix_alone,),
        ),
        "prefix-and-past": Misconception(
            "A key is allowed if it is in the prefix and in the past as well",
            "One of the two is enough: a token sees the whole prefix, and also its own past. `&` allows what both "
            "masks allow, and `|` allows what either allows.",
            (what_both_allow,),
        ),
        "prefix-as-rows": Misconception(
            "The tokens of the prefix see everything",
            "Rows are queries and columns are keys. A prefix mask opens the *columns* of the prefix, so that "
            "everybody sees them. Here its rows are open, so the prefix sees what is still to be said.",
            (prefix_as_rows,),
        ),
        "prefix-hidden-from-the-rest": Misconception(
            "The tokens after the prefix do not see the prefix",
            "The model should answer the given text, so the tokens after it have to see it.",
            (later_tokens_apart,),
        ),
        "prefix-too-long": Misconception(
            "The prefix is one token too long",
            "Positions are counted from 0, so a prefix of 2 has the positions 0 and 1.",
            (prefix_too_long,),
        ),
        "prefix-too-short": Misconception(
            "The prefix is one token too short",
            "Positions are counted from 0, so a prefix of 2 has the positions 0 and 1.",
            (prefix_too_short,),
        ),
        "prefix-true-where-blocked": Misconception(
            "True is where a key is blocked",
            "In this course, True means *may attend*. Your mask says the opposite in every cell.",
            (true_where_blocked,),
        ),
    },
)
