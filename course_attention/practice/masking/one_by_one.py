"""One pass for each token: the last output of each pass is what an honest model may know there."""

from collections.abc import Iterator

import torch

from course_attention.mechanisms.attention import attention
from course_attention.practice.authoring import Misconception, Practice, Trial


def one_by_one(layer, x):
    """Read one token, then two, and so on, and keep the last output of each pass."""
    return torch.stack([layer(x[: i + 1])[-1] for i in range(len(x))])


def one_pass(layer, x):
    return layer(x)


def first_outputs(layer, x):
    return torch.stack([layer(x[: i + 1])[0] for i in range(len(x))])


def outputs_of_tokens_alone(layer, x):
    return torch.stack([layer(x[i : i + 1])[0] for i in range(len(x))])


def last_pass_missing(layer, x):
    return torch.stack([layer(x[:i])[-1] for i in range(1, len(x))])


def first_pass_missing(layer, x):
    return torch.stack([layer(x[: i + 1])[-1] for i in range(1, len(x))])


def from_each_token_on(layer, x):
    return torch.stack([layer(x[i:])[0] for i in range(len(x))])


def last_output_of_the_rest(layer, x):
    return torch.stack([layer(x[i:])[-1] for i in range(len(x))])


def empty_pass(layer, x):
    return torch.stack([layer(x[:i])[-1] for i in range(len(x))])


def _token_and_sum(x):
    """A layer without a mask that adds the sum of all tokens to each."""
    return x + x.sum(dim=0)


def _attends(x):
    return attention(2 * x, x, x)[0]


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a layer to work out by hand, then layers of attention."""
    yield Trial(
        "the layer adds the sum of all tokens to each token; the tokens are 1, 2 and 5",
        {"layer": _token_and_sum, "x": torch.tensor([[1.0], [2.0], [5.0]])},
        torch.tensor([[2.0], [5.0], [13.0]]),
        says="The first pass reads 1 and gives 1 + 1. The second reads 1 and 2, and its last output is 2 + 3. The "
        "third reads 1, 2 and 5, and its last output is 5 + 8.",
    )
    for n_tokens in (1, 4):
        x = torch.randn(n_tokens, 3, generator=generator, dtype=torch.float64)
        yield Trial(f"a layer of attention, {n_tokens} tokens of length 3", {"layer": _attends, "x": x})


PRACTICE = Practice(
    name="one_by_one",
    prompt="Run a layer over the first token, over the first two, and so on, and keep the last output of each pass.",
    minutes=6,
    hints=(
        "The first pass reads `x[:1]`, the second `x[:2]`, and the last one all of `x`. How many passes are there?",
        "Each pass gives an output for every token that it read. The last one is `layer(…)[-1]`, a vector of length d.",
        "`torch.stack` makes a tensor (n, d) of a list of n vectors.",
    ),
    given=one_by_one,
    trials=trials,
    returns=("outputs",),
    misconceptions={
        "pass-over-everything": Misconception(
            "There is a single pass over all tokens",
            "The layer has no mask, so in one pass every output sees all tokens. Let it read `x[:1]`, then `x[:2]`, "
            "and so on.",
            (one_pass,),
        ),
        "pass-first-output": Misconception(
            "The first output of each pass is kept",
            "The first output belongs to the first token, in every pass. The token that has just been added is the "
            "last one: keep `layer(…)[-1]`.",
            (first_outputs,),
        ),
        "pass-over-one-token": Misconception(
            "Each pass reads one token only",
            "A token should see itself and all tokens before it. Pass i + 1 reads `x[: i + 1]`.",
            (outputs_of_tokens_alone,),
        ),
        "pass-missing": Misconception(
            "A pass is missing",
            "There is a pass for each of the n tokens: the shortest reads `x[:1]`, and the longest reads all of x.",
            (last_pass_missing, first_pass_missing),
        ),
        "pass-without-tokens": Misconception(
            "The first pass reads no token",
            "`range(len(x))` begins with 0, and `x[:0]` is empty, so it has no last output. A slice stops before its "
            "second number: `x[: i + 1]` holds the tokens up to i.",
            (empty_pass,),
        ),
        "pass-over-the-rest": Misconception(
            "A pass reads a token and what comes after it",
            "`x[i:]` is the rest of the sequence, the future. What comes *before* token i, and the token itself, is "
            "`x[: i + 1]`.",
            (from_each_token_on, last_output_of_the_rest),
        ),
    },
)
