"""A measure of nearness: how much of its weight a query gives to the tokens just before it, its own among them."""

from collections.abc import Iterator

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def near_share(weights, n_near):
    """The weight on the n_near nearest tokens, averaged over the second half of the queries."""
    place = torch.arange(weights.shape[-1])
    offset = place[:, None] - place
    near = (offset >= 0) & (offset < n_near)
    return (weights * near).sum(dim=-1)[..., len(place) // 2 :].mean(dim=-1)


def _share(weights, lowest, highest, first=None):
    place = torch.arange(weights.shape[-1])
    offset = place[:, None] - place
    near = (offset >= lowest) & (offset <= highest)
    first = len(place) // 2 if first is None else first
    return (weights * near).sum(dim=-1)[..., first:].mean(dim=-1)


def without_itself(weights, n_near):
    return _share(weights, 1, n_near)


def one_more(weights, n_near):
    return _share(weights, 0, n_near)


def one_less(weights, n_near):
    return _share(weights, 1, n_near - 1)


def every_query(weights, n_near):
    return _share(weights, 0, n_near - 1, first=0)


def first_half(weights, n_near):
    place = torch.arange(weights.shape[-1])
    offset = place[:, None] - place
    near = (offset >= 0) & (offset < n_near)
    return (weights * near).sum(dim=-1)[..., : len(place) // 2].mean(dim=-1)


def far_share(weights, n_near):
    return _share(weights, n_near, weights.shape[-1])


def last_keys(weights, n_near):
    return weights[..., weights.shape[-1] // 2 :, -n_near:].sum(dim=-1).mean(dim=-1)


def mean_weight(weights, n_near):
    return near_share(weights, n_near) / n_near


def of_all_heads(weights, n_near):
    return near_share(weights, n_near).mean()


def each_query(weights, n_near):
    place = torch.arange(weights.shape[-1])
    offset = place[:, None] - place
    return (weights * ((offset >= 0) & (offset < n_near))).sum(dim=-1)[..., len(place) // 2 :]


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield four tokens to add up by hand, then heads of many weights, near ones and far ones."""
    by_hand = [[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.1, 0.3, 0.6, 0.0], [0.4, 0.3, 0.2, 0.1]]
    yield Trial(
        "4 tokens, the 2 nearest",
        {"weights": torch.tensor(by_hand), "n_near": 2},
        torch.tensor(0.6),
        says="The queries from 4 // 2 = 2 on count. Query 2 gives itself and the token before 0.6 + 0.3, and query 3 "
        "gives them 0.1 + 0.2. The mean of 0.9 and 0.3 is 0.6.",
    )
    for shape, n_near in (((2, 3, 8, 8), 1), ((2, 3, 8, 8), 3), ((2, 9, 9), 4)):
        weights = torch.rand(shape, generator=generator).tril()
        yield Trial(
            f"weights {shape}, the {n_near} nearest",
            {"weights": weights / weights.sum(dim=-1, keepdim=True), "n_near": n_near},
            says="The nearest token is the query's own. The queries from n_tokens // 2 on count, and each head has a "
            "share of its own.",
        )


PRACTICE = Practice(
    name="near_share",
    prompt="The share of its weight that a query gives to the n_near nearest tokens.",
    minutes=8,
    hints=(
        "Which keys are near depends on the query: those whose distance i − j is 0, 1, … n_near − 1. Make a mask of "
        "them, (n_tokens, n_tokens).",
        "`place[:, None] - place`, with `place = torch.arange(n_tokens)`, holds all distances i − j.",
        "Multiply the weights with the mask and sum over the keys: one number for each query. Take the queries from "
        "n_tokens // 2 on, and the mean over them.",
    ),
    given=near_share,
    trials=trials,
    returns=("share",),
    misconceptions={
        "near-without-itself": Misconception(
            "The query's own token does not count",
            "The nearest token of all is the query's own, at a distance of 0.",
            (without_itself, one_less),
        ),
        "near-one-more": Misconception(
            "One token too many counts as near",
            "With its own token, n_near tokens are at the distances 0 to n_near − 1.",
            (one_more,),
        ),
        "near-every-query": Misconception(
            "The mean is taken over all queries",
            "The first queries see only a few tokens, and these are all near. Only the queries from n_tokens // 2 on "
            "count.",
            (every_query,),
        ),
        "near-first-half": Misconception(
            "The mean is taken over the first half of the queries",
            "It is the second half that counts: these queries see many tokens.",
            (first_half,),
        ),
        "near-is-far": Misconception(
            "The weight on the far tokens is measured",
            "Near are the distances below n_near.",
            (far_share,),
        ),
        "near-last-keys": Misconception(
            "The last tokens of the text are taken for the near ones of every query",
            "What is near depends on the query: query i has the tokens i, i − 1, … before it.",
            (last_keys,),
        ),
        "near-mean": Misconception(
            "The share is divided by the number of near tokens",
            "A share is the sum of the weights on the near tokens. It is 1 where a query looks at nothing else.",
            (mean_weight,),
        ),
        "near-all-heads": Misconception(
            "One number for all heads",
            "Each head has a share of its own: only the axes of queries and keys go.",
            (of_all_heads,),
        ),
        "near-each-query": Misconception(
            "The mean over the queries is missing",
            "Each query gives a share. The mean over the second half of them is asked for.",
            (each_query,),
        ),
    },
)
