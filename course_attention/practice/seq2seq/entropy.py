"""The entropy of weights: how many bits it takes to say where they look."""

from collections.abc import Iterator

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def entropy(weights):
    """The entropy of each row in bits: 0 for all the weight in one place, 1 for two places with equal weights."""
    return -torch.xlogy(weights, weights).sum(dim=-1) / torch.tensor(2.0).log()


def in_nats(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)


def without_minus(weights):
    return -entropy(weights)


def nan_at_zero(weights):
    return -(weights * weights.log2()).sum(dim=-1)


def not_weighted(weights):
    return -weights.log2().sum(dim=-1)


def in_one_number(weights):
    return entropy(weights).sum()


def mean_of_rows(weights):
    return entropy(weights).mean()


def mean_of_terms(weights):
    return entropy(weights) / weights.shape[-1]


def mean_of_terms_in_nats(weights):
    return in_nats(weights) / weights.shape[-1]


def over_rows(weights):
    return -torch.xlogy(weights, weights).sum(dim=-2 if weights.ndim > 1 else -1) / torch.tensor(2.0).log()


def over_first_axis(weights):
    return -torch.xlogy(weights, weights).sum(dim=0) / torch.tensor(2.0).log()


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield rows of which the entropy is known, then drawn ones, and last a row with a weight of 0."""
    halves = torch.tensor([[0.5, 0.5], [0.25, 0.75]])
    yield Trial(
        "two rows of two weights",
        {"weights": halves},
        torch.tensor([1.0, 0.8112781]),
        says="Two equal weights take one bit: −½ log₂ ½ − ½ log₂ ½ = 1.",
    )
    yield Trial("four equal weights", {"weights": torch.full((4,), 0.25)}, torch.tensor(2.0))
    yield Trial("2 texts, 3 steps, 5 characters", {"weights": torch.rand(2, 3, 5, generator=generator).softmax(-1)})
    yield Trial(
        "a row with a weight of 0",
        {"weights": torch.tensor([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])},
        torch.tensor([1.0, 0.0]),
        says="A weight of 0 adds nothing, though its logarithm is −∞.",
    )


PRACTICE = Practice(
    name="entropy",
    prompt="The entropy of each row of weights, in bits.",
    minutes=5,
    hints=(
        "The entropy of a row w is −Σ wᵢ log₂ wᵢ. It is a sum over the last axis, with a minus in front.",
        "A weight of 0 adds nothing to the sum, but 0 · log₂ 0 is 0 · (−∞), which is NaN. `torch.xlogy(a, b)` is "
        "a · ln b, and gives 0 where a is 0.",
        "`torch.xlogy(weights, weights)` uses the natural logarithm. log₂ x = ln x / ln 2.",
    ),
    given=entropy,
    trials=trials,
    returns=("entropy",),
    misconceptions={
        "entropy-nan-at-zero": Misconception(
            "A weight of 0 makes the entropy NaN",
            "log₂ 0 is −∞, and 0 · (−∞) is NaN. A weight of 0 adds nothing to the entropy, and characters of the "
            "padding all have this weight. `torch.xlogy` gives 0 there, and so does the logarithm of "
            "`weights.clamp(min=1e-9)`.",
            (nan_at_zero,),
        ),
        "entropy-in-nats": Misconception(
            "The entropy is in nats, not in bits",
            "The natural logarithm counts in nats. One nat is 1 / ln 2 = 1.44 bits; `log2` counts in bits.",
            (in_nats,),
        ),
        "entropy-negative": Misconception(
            "The minus sign is missing",
            "A weight is at most 1, so its logarithm is negative. The minus makes the entropy positive.",
            (without_minus,),
        ),
        "entropy-not-weighted": Misconception(
            "The logarithms are summed without their weights",
            "Each logarithm counts as much as its own weight: the entropy is the *mean* of −log₂ w, and the weights "
            "say how often each value occurs.",
            (not_weighted,),
        ),
        "entropy-of-everything": Misconception(
            "All rows give one number",
            "Each row has an entropy of its own. Sum over the last axis alone, with `dim=-1`.",
            (in_one_number, mean_of_rows),
        ),
        "entropy-mean-of-terms": Misconception(
            "The terms of a row are averaged, not summed",
            "The entropy is the sum of −w log₂ w over the row. The weights in it make it a mean already.",
            (mean_of_terms, mean_of_terms_in_nats),
        ),
        "entropy-over-rows": Misconception(
            "The sum goes along another axis than the last",
            "Each row sums to 1 along the *last* axis, over the characters. The entropy sums along the same axis.",
            (over_rows, over_first_axis),
        ),
    },
)
